/* The self-test of the kernels for GPUs on first use: a transform of a few atoms, compared with plain sums. */
#include "device/self_test.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "pattern/fast/fast.h"
#include "pattern/fast/mesh.h"

#define WIDTH 8 /* of the window, */
#define OVERSAMPLING 2.0
#define TOLERANCE 1e-6 /* and its error times the atoms */
#define ATOMS 7
#define POINTS 11
#define CLASSES 2

static const double weights[CLASSES] = {1.0, -0.75}, middle[3] = {0.5, -1.5, 2.5};

static void make_atoms(struct fast_atom atoms[ATOMS])
{
	for (int j = 0; j < ATOMS; ++j) {
		for (int k = 0; k < 3; ++k)
			atoms[j].r[k] = (4.0 + k) * sin(1.0 + 2.3 * j + 1.7 * k);
		atoms[j].class = j % CLASSES;
	}
}

/* The sum at the middle plus a difference. */
static void expect(const struct fast_atom *atoms, const double difference[3], double *real, double *imaginary)
{
	*real = *imaginary = 0.0;
	for (int j = 0; j < ATOMS; ++j) {
		double phase = 0.0;
		for (int k = 0; k < 3; ++k)
			phase += (middle[k] + difference[k]) * atoms[j].r[k];
		*real += weights[atoms[j].class] * cos(phase);
		*imaginary += weights[atoms[j].class] * sin(phase);
	}
}

static double larger(double a, double b)
{
	return b > a || isnan(b) ? b : a;
}

/* Points anywhere. */
static sonde_status compare_points(struct fast_mesh *mesh, const struct window *window, const struct fast_atom *atoms,
				   double *largest)
{
	static const double extents[3] = {2.0, 3.0, 1.0};
	double places[3 * POINTS], sums[2 * POINTS], sizes[POINTS], differences[POINTS][3];
	struct fast_axes axes = {0};

	for (int k = 0; k < 3; ++k) {
		axes.axis[k].direction[k] = 1.0;
		fast_axis_of_points(window, 0.0, 4.0 + k, extents[k], 0.0, &axes.axis[k]);
	}
	CHECK(fast_mesh_shape(mesh, &axes, ATOMS));
	for (int n = 0; n < POINTS; ++n) {
		sizes[n] = 1.0;
		for (int k = 0; k < 3; ++k) {
			const struct fast_axis *axis = &axes.axis[k];
			differences[n][k] = extents[k] * cos(0.4 + 1.3 * n + 2.1 * k);
			places[3 * n + k] = differences[n][k] / axis->step - (double)axis->first_wave;
			sizes[n] *= window_transform(window, differences[n][k] / axis->scale);
		}
	}
	CHECK(fast_mesh_transform(mesh, 0, ATOMS, weights, 0, middle));
	CHECK(fast_mesh_set_points(mesh, places, POINTS));
	CHECK(fast_mesh_interpolate(mesh, sums));
	for (int n = 0; n < POINTS; ++n) {
		double real, imaginary;
		expect(atoms, differences[n], &real, &imaginary);
		*largest =
		    larger(*largest, hypot(sums[2 * n] / sizes[n] - real, sums[2 * n + 1] / sizes[n] - imaginary));
	}
	return SONDE_OK;
}

/* A box, with a mesh that wraps. */
static sonde_status compare_box(struct fast_mesh *mesh, const struct window *window, const struct fast_atom *atoms,
				double *largest)
{
	static const int64_t counts[3] = {9, 5, 3};
	struct fast_axes axes = {0};
	const double *waves;
	int64_t row, rows;

	for (int k = 0; k < 3; ++k) {
		axes.axis[k].direction[k] = 1.1 - 0.2 * k;
		axes.axis[k].count = counts[k];
		fast_axis_regular(window, 0.0, (4.0 + k) * axes.axis[k].direction[k], counts[k], &axes.axis[k]);
	}
	CHECK(fast_mesh_shape(mesh, &axes, ATOMS));
	CHECK(fast_mesh_transform(mesh, 0, ATOMS, weights, 0, middle));
	CHECK(fast_mesh_waves(mesh, 0, counts[2], &waves, &row, &rows));
	for (int64_t l = 0; l < counts[2]; ++l)
		for (int64_t k = 0; k < counts[1]; ++k)
			for (int64_t h = 0; h < counts[0]; ++h) {
				const double *wave = waves + 2 * ((l * rows + k) * row + h);
				const int64_t at[3] = {h, k, l};
				double difference[3], real, imaginary;
				for (int d = 0; d < 3; ++d)
					difference[d] =
					    (double)(at[d] + axes.axis[d].first_wave) * axes.axis[d].direction[d];
				expect(atoms, difference, &real, &imaginary);
				*largest = larger(*largest, hypot(wave[0] - real, wave[1] - imaginary));
			}
	return SONDE_OK;
}

static sonde_status compare(struct device *device, struct window *window, struct fast_mesh *mesh)
{
	struct fast_atom atoms[ATOMS];
	const struct fast_atoms all = {atoms, ATOMS, CLASSES, 1.0};
	double largest = 0.0;

	make_atoms(atoms);
	window_make(WIDTH, OVERSAMPLING, window);
	CHECK(fast_mesh_make(NULL, device, &all, window, mesh));
	CHECK(compare_points(mesh, window, atoms, &largest));
	CHECK(compare_box(mesh, window, atoms, &largest));
	return self_test_compare(largest, TOLERANCE, "transforms of a mesh");
}

sonde_status fast_gpu_self_test(struct device *device)
{
	struct {
		struct window window;
		struct fast_mesh mesh;
	} * test;

	CHECK(memory_allocate(&test, 1, sizeof *test, "the self-test"));
	const sonde_status status = compare(device, &test->window, &test->mesh);
	fast_mesh_free(&test->mesh);
	free(test);
	return status;
}
