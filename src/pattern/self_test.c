/* The self-test of the kernels on first use of a device: a small sample, compared with the reference at a list of vectors, on
 * circles, and on lines. */
#include <math.h>
#include <string.h>

#include "device/self_test.h"
#include "pattern/exact_sums.h"
#include "pattern/fast/fast.h"
#include "pattern/pattern.h"
#include "pattern/products.h"

#define ATOMS 300 /* more than one tile */
#define PIXELS 24
#define CIRCLES 12 /* so near each other that float32 takes lines across them */
#define AZIMUTHS 6
#define LINE 20  /* more than MOST_SET_PIXELS; */
#define SHORT 10 /* between the pixels of long and of other lines */
#define RINGS 64 /* so many that they have nodes */
#define ROWS 9   /* of a plane */
#define MOST_PIXELS (RINGS * AZIMUTHS)
#define TOLERANCE_EXACT 1e-15
#define TOLERANCE_F64 1e-12
#define TOLERANCE_F32 1e-4

/* A spiral of two classes with constant amplitudes. */
struct self_test {
	double positions[3 * ATOMS], vectors[3 * PIXELS], circles[RINGS], azimuths[AZIMUTHS], line[LINE], rows[ROWS],
	    zero;
	uint16_t species_of[ATOMS];
	struct species species[2];
	struct pattern_class classes[2];
	struct pattern_plan plan;
};

static void make_sample(struct self_test *test)
{
	for (int i = 0; i < ATOMS; ++i) {
		const double t = 0.1 * i;
		const int c = i % 9 == 0;
		test->positions[3 * i] = 0.4 * t * cos(1.7 * t) + 100.0;
		test->positions[3 * i + 1] = 0.3 * t * sin(1.3 * t);
		test->positions[3 * i + 2] = 4.0 * cos(0.21 * t);
		test->species_of[i] = (uint16_t)c;
		++test->species[c].atoms;
	}
	for (int n = 0; n < 3 * PIXELS; ++n)
		test->vectors[n] = 5.0 * sin(1.0 + 2.3 * n);
	test->classes[0] = (struct pattern_class){.occupancy = 1.0, .scatterer = {.c = 3.0}};
	test->classes[1] = (struct pattern_class){.occupancy = 0.5, .scatterer = {.c = -1.0, .c_imaginary = 2.0}};
	test->plan.sample = (struct pattern_sample){.count = ATOMS,
						    .view = {.count = ATOMS,
							     .positions = test->positions,
							     .species_of = test->species_of,
							     .species = test->species,
							     .species_count = 2},
						    .class_count = 2,
						    .classes = test->classes,
						    .center = {100.0, 0.0, 0.0},
						    .reach = 20.0};
}

static void use_list(struct self_test *test)
{
	test->plan.pixels =
	    (struct pattern_pixels){.geometry = SONDE_PATTERN_LIST, .count = PIXELS, .vectors = test->vectors};
}

static void use_circles_of(struct self_test *test, int64_t count)
{
	for (int n = 0; n < count; ++n)
		test->circles[n] = 3.0 + 0.01 * n;
	test->plan.pixels = (struct pattern_pixels){.geometry = SONDE_PATTERN_POLAR,
						    .count = count * AZIMUTHS,
						    .axis_count = 2,
						    .sizes = {count, AZIMUTHS},
						    .axes = {test->circles, test->azimuths},
						    .wavelength = 0.5};
}

static void use_circles(struct self_test *test)
{
	use_circles_of(test, CIRCLES);
}

static void use_many_circles(struct self_test *test)
{
	use_circles_of(test, RINGS);
}

static void use_line_of(struct self_test *test, int64_t count)
{
	for (int n = 0; n < LINE; ++n)
		test->line[n] = 0.3 * n - 2.0;
	test->plan.pixels = (struct pattern_pixels){.geometry = SONDE_PATTERN_BOX,
						    .count = count,
						    .axis_count = 3,
						    .sizes = {1, 1, count},
						    .axes = {&test->zero, &test->zero, test->line},
						    .basis = {1.0, 2.0, -0.5, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}};
}

static void use_line(struct self_test *test)
{
	use_line_of(test, SHORT);
}

static void use_long_line(struct self_test *test)
{
	use_line_of(test, LINE);
}

static void use_plane(struct self_test *test)
{
	use_line_of(test, LINE);
	for (int n = 0; n < ROWS; ++n)
		test->rows[n] = 0.2 * n - 0.7;
	test->plan.pixels.count = ROWS * LINE;
	test->plan.pixels.sizes[0] = ROWS;
	test->plan.pixels.axes[0] = test->rows;
}

static sonde_status compare(struct device *device, const struct self_test *test, bool single)
{
	double intensity[MOST_PIXELS], real[MOST_PIXELS], imaginary[MOST_PIXELS], largest = 0.0;
	const struct pattern_values values = {intensity, real, imaginary};

	CHECK(pattern_sums_of_device(device, &test->plan, single, &values));
	for (int64_t n = 0; n < test->plan.pixels.count; ++n) {
		double vector[3], re, im, squares;
		const double q = pattern_pixel(&test->plan.pixels, n, vector);
		pattern_reference(NULL, &test->plan.sample, vector, q, &re, &im, &squares);
		pattern_place(&test->plan.sample, vector, &real[n], &imaginary[n]);
		const double error = hypot(real[n] - re, imaginary[n] - im) / sqrt(squares);
		largest = error > largest || isnan(error) ? error : largest;
	}
	return self_test_compare(largest, single ? TOLERANCE_F32 : TOLERANCE_F64, "amplitudes");
}

/* The sums of the host that results of any device are compared with. */
static sonde_status compare_exact(const struct self_test *test)
{
	struct exact_point points[PIXELS];
	double largest = 0.0;

	for (int n = 0; n < PIXELS; ++n)
		points[n].q = pattern_pixel(&test->plan.pixels, n, points[n].vector);
	CHECK(pattern_exact_sums(NULL, &test->plan.sample, 1, points, PIXELS));
	for (int n = 0; n < PIXELS; ++n) {
		double re, im, squares;
		pattern_reference(NULL, &test->plan.sample, points[n].vector, points[n].q, &re, &im, &squares);
		const double error = hypot(points[n].real - re, points[n].imaginary - im) / sqrt(squares);
		largest = error > largest || isnan(error) ? error : largest;
	}
	return self_test_compare(largest, TOLERANCE_EXACT, "amplitudes of the check");
}

sonde_status pattern_self_test(struct device *device)
{
	static void (*const pictures[])(struct self_test *) = {use_list, use_circles, use_many_circles, use_line,
							       use_long_line};
	struct self_test test;

	memset(&test, 0, sizeof test);
	make_sample(&test);
	for (size_t k = 0; k < sizeof pictures / sizeof *pictures; ++k) {
		pictures[k](&test);
		CHECK(compare(device, &test, false));
		CHECK(compare(device, &test, true));
	}
	use_list(&test);
	CHECK(compare_exact(&test));
	use_plane(&test);
	test.plan.products = products_run_on(device);
	CHECK(compare(device, &test, false));
	return device_properties(device)->gpu_kernels ? fast_gpu_self_test(device) : fast_self_test(device);
}
