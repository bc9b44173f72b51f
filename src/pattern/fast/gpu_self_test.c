/* The self-test of the kernels for GPUs on first use: a transform of a few atoms, compared with plain sums. */
#include "device/self_test.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/vectors.h"
#include "pattern/fast/fast.h"
#include "pattern/fast/gpu_box.h"
#include "pattern/fast/gpu_pictures.h"
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
			atoms[j].r[k] = (1.8 + 0.45 * k) * sin(1.0 + 2.3 * j + 1.7 * k);
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

/* Points anywhere, for atoms at r; then, as a picture of which they are the points in reverse, for atoms at R r. */
static const double rotation[3][3] = {{0.0, -1.0, 0.0}, {0.6, 0.0, -0.8}, {0.8, 0.0, 0.6}};

struct points {
	double differences[POINTS][3], places[3 * POINTS], sizes[POINTS];
};

static void make_picture(const struct points *points, double *coefficients, double *phases, double *diffuse,
			 uint32_t *numbers)
{
	for (int n = 0; n < POINTS; ++n) {
		/* of magnitude 1 with moments 0 and 1, f (1 + i phase) */
		coefficients[2 * n] = 0.6 / (sqrt(1.25) * points->sizes[n]);
		coefficients[2 * n + 1] = 0.8 / (sqrt(1.25) * points->sizes[n]);
		phases[n] = 0.5;
		diffuse[n] = 0.25 * n;
		numbers[n] = (uint32_t)(POINTS - 1 - n);
	}
}

static sonde_status run_picture(struct fast_mesh *mesh, struct gpu_pictures *pictures, double *intensities)
{
	CHECK(gpu_pictures_begin(pictures, rotation));
	gpu_pictures_use_patch(pictures, 0);
	CHECK(fast_mesh_transform(mesh, 0, ATOMS, weights, 0, middle));
	CHECK(gpu_pictures_add(pictures, 0, 0, 0));
	CHECK(gpu_pictures_add(pictures, 0, 0, 1));
	CHECK(gpu_pictures_end(pictures, 1));
	return gpu_pictures_read(pictures, 1, intensities);
}

static sonde_status compare_picture(struct fast_mesh *mesh, const struct fast_atom *atoms,
				    const struct points *points, double *largest)
{
	double coefficients[2 * POINTS], phases[POINTS], diffuse[POINTS], intensities[POINTS];
	uint32_t numbers[POINTS];
	const struct gpu_patch_points patch = {POINTS, points->places, coefficients, phases, numbers};
	struct gpu_pictures *pictures = NULL;
	struct fast_atom turned[ATOMS];

	make_picture(points, coefficients, phases, diffuse, numbers);
	for (int j = 0; j < ATOMS; ++j) {
		turned[j].class = atoms[j].class;
		for (int k = 0; k < 3; ++k)
			turned[j].r[k] = vector_dot(rotation[k], atoms[j].r);
	}
	CHECK(gpu_pictures_make(mesh->gpu, POINTS, diffuse, &pictures));
	sonde_status status = gpu_pictures_add_patch(pictures, 1, &patch);
	if (status == SONDE_OK)
		status = run_picture(mesh, pictures, intensities);
	gpu_pictures_free(&pictures);
	for (int n = 0; n < POINTS && status == SONDE_OK; ++n) {
		double real, imaginary;
		expect(turned, points->differences[n], &real, &imaginary);
		*largest = larger(*largest, fabs(sqrt(fabs(intensities[POINTS - 1 - n] - 0.25 * (POINTS - 1 - n))) -
						 hypot(real, imaginary)));
	}
	return status;
}

static sonde_status compare_points(struct fast_mesh *mesh, const struct window *window, const struct fast_atom *atoms,
				   double *largest)
{
	static const double extents[3] = {2.0, 3.0, 1.0};
	double sums[2 * POINTS];
	struct points points;
	struct fast_axes axes = {0};

	for (int k = 0; k < 3; ++k) {
		axes.axis[k].direction[k] = 1.0;
		fast_axis_of_points(window, 0.0, 4.0 + k, extents[k], 0.0, &axes.axis[k]);
	}
	CHECK(fast_mesh_shape(mesh, &axes, ATOMS));
	for (int n = 0; n < POINTS; ++n) {
		points.sizes[n] = 1.0;
		for (int k = 0; k < 3; ++k) {
			const struct fast_axis *axis = &axes.axis[k];
			double *difference = &points.differences[n][k];
			*difference = extents[k] * cos(0.4 + 1.3 * n + 2.1 * k);
			points.places[3 * n + k] = *difference / axis->step - (double)axis->first_wave;
			points.sizes[n] *= window_transform(window, *difference / axis->scale);
		}
	}
	CHECK(fast_mesh_transform(mesh, 0, ATOMS, weights, 0, middle));
	CHECK(fast_mesh_set_points(mesh, points.places, POINTS));
	CHECK(fast_mesh_interpolate(mesh, sums));
	for (int n = 0; n < POINTS; ++n) {
		double real, imaginary;
		expect(atoms, points.differences[n], &real, &imaginary);
		*largest = larger(*largest, hypot(sums[2 * n] / points.sizes[n] - real,
						  sums[2 * n + 1] / points.sizes[n] - imaginary));
	}
	return compare_picture(mesh, atoms, &points, largest);
}

static const int64_t counts[3] = {9, 5, 3};

/* A function of q, for the real part of an amplitude, its imaginary part, and the diffuse part. */
static double function_of(const void *of, double q)
{
	return 1.0 / (1.0 + *(const double *)of * q * q);
}

/* The intensities of the box of the present waves: points are at 0.3 h x + 0.2 k y + 0.1 l z. */
static sonde_status sum_box(const struct fast_axes *axes, const double *waves, int64_t row, int64_t rows,
			    struct gpu_box *box, struct piecewise tables[3], double *largest)
{
	static const double widths[3] = {0.3, 0.7, 0.1};
	double intensities[9 * 5 * 3];

	for (int t = 0; t < 3; ++t)
		CHECK(piecewise_make(function_of, &widths[t], 0.0, 4.0, 1e-9, &tables[t]));
	CHECK(gpu_box_add(box, axes, &tables[0], &tables[1]));
	CHECK(gpu_box_intensities(box, &tables[2], intensities));
	for (int64_t l = 0; l < counts[2]; ++l)
		for (int64_t k = 0; k < counts[1]; ++k)
			for (int64_t h = 0; h < counts[0]; ++h) {
				const double *wave = waves + 2 * ((l * rows + k) * row + h),
					     q = sqrt(0.09 * (double)(h * h) + 0.04 * (double)(k * k) +
						      0.01 * (double)(l * l)),
					     f = hypot(function_of(&widths[0], q), function_of(&widths[1], q)),
					     size = f * hypot(wave[0], wave[1]);
				*largest =
				    larger(*largest, fabs(sqrt(intensities[(l * counts[1] + k) * counts[0] + h]) -
							  sqrt(size * size + function_of(&widths[2], q))));
			}
	return SONDE_OK;
}

static sonde_status compare_amplitudes(struct gpu_mesh *gpu, const struct fast_axes *axes, const double *waves,
				       int64_t row, int64_t rows, double *largest)
{
	double values[9] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0};
	const struct pattern_pixels pixels = {.geometry = SONDE_PATTERN_BOX,
					      .count = 9 * 5 * 3,
					      .axis_count = 3,
					      .sizes = {counts[2], counts[1], counts[0]},
					      .axes = {values, values, values},
					      .basis = {0.3, 0.0, 0.0, 0.0, 0.2, 0.0, 0.0, 0.0, 0.1}};
	struct piecewise tables[3] = {{.parts = 0}, {.parts = 0}, {.parts = 0}};
	struct gpu_box *box = NULL;

	CHECK(gpu_box_make(gpu, &pixels, 0.0, &box));
	const sonde_status status = box != NULL ? sum_box(axes, waves, row, rows, box, tables, largest) : SONDE_OK;
	gpu_box_free(&box);
	for (int t = 0; t < 3; ++t)
		piecewise_free(&tables[t]);
	return status;
}

/* A box, with a mesh that wraps. */
static sonde_status compare_box(struct fast_mesh *mesh, const struct window *window, const struct fast_atom *atoms,
				double *largest)
{
	struct fast_axes axes = {0};
	const double *waves;
	int64_t row, rows;

	for (int k = 0; k < 3; ++k) {
		axes.axis[k].direction[k] = 1.1 - 0.2 * k;
		axes.axis[k].count = counts[k];
		axes.axis[k].edge = 2 - k;
		axes.axis[k].stride = k == 0 ? 1 : k == 1 ? counts[0] : counts[0] * counts[1];
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
	return compare_amplitudes(mesh->gpu, &axes, waves, row, rows, largest);
}

static sonde_status compare(struct device *device, struct window *window, struct fast_mesh *mesh)
{
	struct fast_atom atoms[ATOMS];
	const struct fast_atoms all = {.atoms = atoms, .count = ATOMS, .classes = CLASSES, .largest = 1.0};
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
