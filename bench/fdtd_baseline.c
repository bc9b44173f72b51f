#include "fdtd_baseline.h"

#include <omp.h>
#include <stdlib.h>
#include <time.h>

struct cube {
	int cells, threads;
	float *e[3], *h[3], *first[3], *second[3];
};

static void step_h(struct cube *cube, float courant)
{
	const int n = cube->cells;
	const long row = n + 1, plane = row * row;

#pragma omp parallel for num_threads(cube->threads)
	for (int i = 0; i < n; ++i)
		for (int j = 0; j < n; ++j)
			for (int k = 0; k < n; ++k) {
				const long at = i * plane + j * row + k;
				const float *ex = cube->e[0] + at, *ey = cube->e[1] + at, *ez = cube->e[2] + at;
				cube->h[0][at] -= courant * ((ez[row] - ez[0]) - (ey[1] - ey[0]));
				cube->h[1][at] -= courant * ((ex[1] - ex[0]) - (ez[plane] - ez[0]));
				cube->h[2][at] -= courant * ((ey[plane] - ey[0]) - (ex[row] - ex[0]));
			}
}

static void step_e(struct cube *cube)
{
	const int n = cube->cells;
	const long row = n + 1, plane = row * row;

#pragma omp parallel for num_threads(cube->threads)
	for (int i = 1; i < n; ++i)
		for (int j = 1; j < n; ++j)
			for (int k = 1; k < n; ++k) {
				const long at = i * plane + j * row + k;
				const float *hx = cube->h[0] + at, *hy = cube->h[1] + at, *hz = cube->h[2] + at;
				cube->e[0][at] = cube->first[0][at] * cube->e[0][at] +
						 cube->second[0][at] * ((hz[0] - hz[-row]) - (hy[0] - hy[-1]));
				cube->e[1][at] = cube->first[1][at] * cube->e[1][at] +
						 cube->second[1][at] * ((hx[0] - hx[-1]) - (hz[0] - hz[-plane]));
				cube->e[2][at] = cube->first[2][at] * cube->e[2][at] +
						 cube->second[2][at] * ((hy[0] - hy[-plane]) - (hx[0] - hx[-row]));
			}
}

double fdtd_baseline_on(int threads, int cells, int steps, double *processor)
{
	struct cube cube = {.cells = cells, .threads = threads};
	const double all_cells = (double)cells * cells * cells;
	size_t count = (size_t)(cells + 1) * (size_t)(cells + 1) * (size_t)(cells + 1);
	float *all = malloc(12 * count * sizeof *all);
	double began;

	*processor = 0.0;
	if (all == NULL)
		return 0.0;
	for (int a = 0; a < 3; ++a) {
		float **arrays[4] = {&cube.e[a], &cube.h[a], &cube.first[a], &cube.second[a]};
		for (int k = 0; k < 4; ++k)
			*arrays[k] = all + (size_t)(4 * a + k) * count;
	}
#pragma omp parallel for num_threads(threads)
	for (size_t n = 0; n < count; ++n)
		for (int a = 0; a < 3; ++a) {
			cube.e[a][n] = cube.h[a][n] = 0.0f;
			cube.first[a][n] = 1.0f;
			cube.second[a][n] = 0.5f;
		}
	cube.e[2][count / 2] = 1.0f;
	began = omp_get_wtime();
	const clock_t processor_began = clock();
	for (int n = 0; n < steps; ++n) {
		step_h(&cube, 0.5f);
		step_e(&cube);
	}
	began = omp_get_wtime() - began;
	*processor = all_cells * steps * CLOCKS_PER_SEC / (double)(clock() - processor_began);
	free(all);
	return all_cells * steps / began;
}

double fdtd_baseline(int cells, int steps)
{
	double processor;

	return fdtd_baseline_on(omp_get_max_threads(), cells, steps, &processor);
}
