#include "debye/motion/layers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "device/kernel.h"
#include "device/kernel_math.h"

#define MOMENTS 6
#define STEP 8        /* cells whose sums are vectorized together; each class has as many empty ones at its end */
#define BLOCK 1024    /* differences of cells whose sums a thread keeps */
#define ROUNDING 1e-6 /* standard deviations that are rounding errors, in units of h */
#define SORT_CYCLES 400.0
#define CELL_CYCLES 60.0 /* of a cell and q */
#define PAIR_CYCLES 1.6  /* of two cells */

/* Sums over the atoms of a cell of powers of (z - middle)/h; the cells of a class lie together. */
struct layers {
	int64_t cells, stride;
	double h;
	double *moments[MOMENTS];
	double *real, *imaginary; /* F of each class and q */
	int64_t points;
	int classes;
};

void layers_free(struct layers **layers)
{
	if (*layers == NULL)
		return;
	for (int m = 0; m < MOMENTS; ++m)
		free((*layers)->moments[m]);
	free((*layers)->real);
	free((*layers)->imaginary);
	free(*layers);
	*layers = NULL;
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* In increasing order of z, so that the sums do not depend on the order of the atoms. */
static void fill_cells(const double *sorted, int64_t count, double low, int class, struct layers *layers)
{
	for (int64_t n = 0; n < count; ++n) {
		const double place = (sorted[n] - low) / layers->h,
			     cell = fmin(floor(place), (double)layers->cells - 1.0), u = place - cell - 0.5;
		const size_t at = (size_t) class * (size_t)layers->stride + (size_t)cell;
		double power = 1.0;
		for (int m = 0; m < MOMENTS; ++m) {
			layers->moments[m][at] += power;
			power *= u;
		}
	}
}

static sonde_status fill(const double *z, const int64_t *atoms, const int64_t *first, struct layers *layers)
{
	const int64_t all = first[layers->classes];
	double *sorted = NULL, low = INFINITY;

	CHECK(memory_allocate(&sorted, (size_t)all, sizeof *sorted, "the profile"));
	for (int64_t n = 0; n < all; ++n) {
		sorted[n] = z[atoms[n]];
		low = fmin(low, sorted[n]);
	}
	for (int c = 0; c < layers->classes; ++c) {
		qsort(sorted + first[c], (size_t)(first[c + 1] - first[c]), sizeof *sorted, compare);
		fill_cells(sorted + first[c], first[c + 1] - first[c], low, c, layers);
	}
	free(sorted);
	return SONDE_OK;
}

sonde_status layers_create(const struct debye_classes *classes, const double *z, const int64_t *atoms,
			   const int64_t *first, double h, int64_t count, struct layers **layers)
{
	const int64_t stride = count + STEP;
	const size_t size = (size_t)classes->count * (size_t)stride;
	sonde_status status = SONDE_OK;

	CHECK(memory_allocate(layers, 1, sizeof **layers, "the profile"));
	**layers = (struct layers){.cells = count, .stride = stride, .h = h, .classes = classes->count};
	for (int m = 0; m < MOMENTS && status == SONDE_OK; ++m)
		status = memory_allocate(&(*layers)->moments[m], size, sizeof(double), "the profile");
	if (status == SONDE_OK)
		status = fill(z, atoms, first, *layers);
	if (status != SONDE_OK)
		layers_free(layers);
	return status;
}

/* Amplitudes ---------------------------------------------------------------------------------------------------- */

struct task {
	struct layers *layers;
	const struct pair_sums *sums;
};

/* exp(i q z) about the middle of a cell as its series, where q h/2 is below 0.04: the next term is 6e-12. */
static void add_class(const struct layers *layers, int class, double q, double *real, double *imaginary)
{
	const double x = q * layers->h;
	const size_t base = (size_t) class * (size_t)layers->stride;

	*real = *imaginary = 0.0;
	for (int64_t cell = 0; cell < layers->cells; ++cell) {
		double m[MOMENTS];
		lanes_f64 s, c;
		for (int k = 0; k < MOMENTS; ++k)
			m[k] = layers->moments[k][base + (size_t)cell];
		if (m[0] == 0.0)
			continue;
		lanes_sincos(LANES_SPLAT(x * (double)cell), &s, &c, 0);
		const double sine = LANES_FIRST(s), cosine = LANES_FIRST(c),
			     even = m[0] - x * x * (m[2] / 2.0 - x * x * m[4] / 24.0),
			     odd = x * (m[1] - x * x * (m[3] / 6.0 - x * x * m[5] / 120.0));
		*real += cosine * even - sine * odd;
		*imaginary += sine * even + cosine * odd;
	}
}

static void add_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct task *task = state;
	struct layers *layers = task->layers;

	(void)worker;
	for (int64_t n = first; n < end; ++n)
		add_class(layers, (int)(n / layers->points), pair_sums_q(task->sums, n % layers->points),
			  &layers->real[n], &layers->imaginary[n]);
}

sonde_status layers_amplitudes(const sonde_context *context, struct layers *layers, const struct pair_sums *sums)
{
	const int64_t size = layers->classes * sums->q.points;
	const int threads = context_threads(context);
	struct task task = {layers, sums};

	layers->points = sums->q.points;
	CHECK(memory_allocate(&layers->real, (size_t)size, sizeof(double), "the profile"));
	CHECK(memory_allocate(&layers->imaginary, (size_t)size, sizeof(double), "the profile"));
	threads_for(threads, size, threads_grain(threads, size), add_some, &task);
	return SONDE_OK;
}

double layers_intensity(const struct layers *layers, int a, int b, int64_t k)
{
	const int64_t m = a * layers->points + k, n = b * layers->points + k;

	return (a == b ? 0.5 : 1.0) *
	       (layers->real[m] * layers->real[n] + layers->imaginary[m] * layers->imaginary[n]);
}

/* Distances ----------------------------------------------------------------------------------------------------- */

/* Of the pairs in cells i and i + k: number, sum and sum of squares of (z_j - z_i)/h - k. */
struct lags {
	const struct layers *layers;
	double *count, *offsets, *squares;
	int64_t end;
	int a, b;
};

static void add_cell(const double *restrict number, const double *restrict mean, const double *restrict square,
		     const double of[3], int64_t many, double *restrict count, double *restrict offsets,
		     double *restrict squares)
{
	const double n = of[0], m = of[1], s = of[2];

	for (int64_t first = 0; first < many; first += STEP)
		for (int64_t k = first; k < first + STEP; ++k) {
			count[k] += n * number[k];
			offsets[k] += n * mean[k] - m * number[k];
			squares[k] += n * square[k] - 2.0 * m * mean[k] + s * number[k];
		}
}

static void add_block(const struct lags *lags, int a, int b, int64_t first, int64_t end)
{
	const struct layers *layers = lags->layers;
	double *const *moments = layers->moments;
	const int64_t from = a * layers->stride, to = b * layers->stride;

	for (int64_t i = 0; i + first < layers->cells; ++i) {
		const double of[3] = {moments[0][from + i], moments[1][from + i], moments[2][from + i]};
		const int64_t j = to + i + first, many = (end < layers->cells - i ? end : layers->cells - i) - first;
		if (of[0] > 0.0)
			add_cell(moments[0] + j, moments[1] + j, moments[2] + j, of, many, lags->count + first,
				 lags->offsets + first, lags->squares + first);
	}
}

static void add_blocks(void *state, int64_t first, int64_t end, int worker)
{
	const struct lags *lags = state;

	(void)worker;
	for (int64_t block = first; block < end; ++block) {
		const int64_t low = block * BLOCK, high = low + BLOCK < lags->end ? low + BLOCK : lags->end;
		add_block(lags, lags->a, lags->b, low, high);
		if (lags->a != lags->b)
			add_block(lags, lags->b, lags->a, low, high);
	}
}

/* The pairs in one cell are counted twice, with both signs. */
static sonde_status list_lags(const struct lags *lags, struct distances *list)
{
	const double h = lags->layers->h;

	list->count = 0;
	for (int64_t k = 0; k < lags->end; ++k) {
		if (!(lags->count[k] > 0.0))
			continue;
		const double mean = lags->offsets[k] / lags->count[k],
			     variance = lags->squares[k] / lags->count[k] - mean * mean,
			     weight = (k == 0 ? 0.5 : 1.0) * lags->count[k];
		const double deviation = sqrt(fmax(0.0, variance));
		CHECK(distances_add_bin(((double)k + mean) * h, deviation > ROUNDING ? deviation * h : 0.0, weight,
					list));
	}
	distances_sort(list);
	return SONDE_OK;
}

sonde_status layers_distances(const sonde_context *context, const struct layers *layers, int a, int b, double cutoff,
			      struct distances *list)
{
	const int64_t end = (int64_t)fmin((double)layers->cells, ceil(cutoff / layers->h) + 2.0);
	struct lags lags = {.layers = layers, .end = end, .a = a, .b = b};
	double *sums = NULL;
	sonde_status status;

	const int64_t size = (end + STEP - 1) / STEP * STEP;
	CHECK(memory_allocate(&sums, 3 * (size_t)size, sizeof *sums, "the profile"));
	lags.count = sums;
	lags.offsets = sums + size;
	lags.squares = sums + 2 * size;
	threads_for(context_threads(context), (end + BLOCK - 1) / BLOCK, 1, add_blocks, &lags);
	status = list_lags(&lags, list);
	free(sums);
	return status;
}

double layers_cycles(double atoms, int classes, double cells, double lags, double points)
{
	const double of_class = fmin(atoms / classes, cells);

	return SORT_CYCLES * atoms + CELL_CYCLES * classes * of_class * points +
	       PAIR_CYCLES * classes * classes * of_class * (lags * (1.0 - 0.5 * lags / cells));
}
