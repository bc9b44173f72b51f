/* Amplitudes of planes and volumes by products of matrices (pattern/products.h), on devices that have groups of work-items, against
 * the reference, and their bits on several devices. */
#include "physics/pattern/run_pattern.h"

#include "pattern/pattern.h"
#include "pattern/products.h"
#include "run/context.h"

#define ATOMS 900

/* Three elements, the last one with few atoms, some places half occupied, far from the origin. */
static sonde_atoms *random_sample(double edge)
{
	sonde_atoms *atoms = empty_sample();
	double occupancies[ATOMS];

	for (uint64_t k = 0; k < ATOMS; ++k) {
		add_atom(atoms,
			 k % 20 == 0  ? "Au"
			 : k % 3 == 0 ? "Fe"
				      : "O",
			 300.0 + edge * uniform_number(7, 3 * k), edge * uniform_number(7, 3 * k + 1) - 500.0,
			 edge * uniform_number(7, 3 * k + 2));
		occupancies[k] = k % 3 == 0 && k % 2 == 0 ? 0.5 : 1.0;
	}
	assert_int_equal(sonde_atoms_set_occupancies(atoms, occupancies), SONDE_OK);
	return atoms;
}

struct amplitudes {
	int64_t count;
	double *intensity, *real, *imaginary, error;
};

static void free_amplitudes(struct amplitudes *of)
{
	free(of->intensity);
	free(of->real);
	free(of->imaginary);
}

static double worst_error(const struct pattern_plan *plan, const struct amplitudes *found)
{
	double worst = 0.0;

	for (int64_t n = 0; n < found->count; n += n % 5 == 0 ? 1 : 7) {
		double vector[3], re, im, squares, real = found->real[n], imaginary = found->imaginary[n];
		const double q = pattern_pixel(&plan->pixels, n, vector);
		pattern_reference(NULL, &plan->sample, vector, q, &re, &im, &squares);
		pattern_place(&plan->sample, vector, &real, &imaginary);
		worst = fmax(worst, hypot(real - re, imaginary - im) / sqrt(squares));
	}
	return worst;
}

/* Opens the devices; false: they are not here, or cannot do it. */
static bool can_run_on(sonde_context *context, const char *devices)
{
	struct device **opened;
	int count;

	if (sonde_context_set_device(context, devices) != SONDE_OK ||
	    context_devices(context, &opened, &count) != SONDE_OK)
		return false;
	for (int k = 0; k < count; ++k)
		if (opened[k] != NULL && !products_run_on(opened[k]))
			return false;
	return true;
}

static bool sums_by(int64_t threads, const char *devices, const sonde_atoms *atoms,
		    const sonde_pattern_options *options, struct amplitudes *found)
{
	sonde_context *context = make_context(threads);
	struct pattern_plan *plan = calloc(1, sizeof *plan);
	const bool can = can_run_on(context, devices);

	assert_non_null(plan);
	if (can) {
		assert_int_equal(pattern_plan_make(context, atoms, options, plan), SONDE_OK);
		plan->products = true;
		found->count = plan->pixels.count;
		found->intensity = calloc((size_t)found->count, sizeof(double));
		found->real = calloc((size_t)found->count, sizeof(double));
		found->imaginary = calloc((size_t)found->count, sizeof(double));
		const struct pattern_values values = {found->intensity, found->real, found->imaginary};
		if (pattern_sums(context, plan, NULL, &values) != SONDE_OK)
			fail_msg("%s", sonde_status_message());
		found->error = worst_error(plan, found);
		pattern_plan_free(plan);
	}
	free(plan);
	sonde_context_free(&context);
	return can;
}

static void check(const char *what, const sonde_pattern_options *options)
{
	static const char *const lists[] = {"cpu", "cpu", "opencl:0", "opencl:0,1", "cuda:0", "cuda:0,1"};
	sonde_atoms *atoms = random_sample(30.0);
	struct amplitudes one = {.count = 0}, other = {.count = 0};

	for (size_t k = 0; k < sizeof lists / sizeof *lists; ++k) {
		if (!sums_by(k == 0 ? 1 : 3, lists[k], atoms, options, &other))
			continue;
		print_message("%s, %s: F wrong by %.1e\n", what, lists[k], other.error);
		assert_true(other.error < 1e-12);
		if (k > 0 && one.count > 0 && strncmp(lists[k], lists[k - 1], 4) == 0) {
			assert_memory_equal(one.real, other.real, (size_t)one.count * sizeof(double));
			assert_memory_equal(one.imaginary, other.imaginary, (size_t)one.count * sizeof(double));
		}
		free_amplitudes(&one);
		one = other;
	}
	free_amplitudes(&one);
	sonde_atoms_free(&atoms);
}

static sonde_pattern_options tilted_box(void)
{
	sonde_pattern_options options;

	sonde_pattern_options_init(&options);
	options.u = (sonde_vector){1.0, 0.2, 0.0};
	options.v = (sonde_vector){-0.3, 1.1, 0.1};
	options.w = (sonde_vector){0.0, 0.1, 0.9};
	return options;
}

/* More rows than a block has, of an even number; the last set of columns shares points with another one. */
static void test_a_tilted_plane(void **state)
{
	sonde_pattern_options options = tilted_box();
	(void)state;

	options.h = (sonde_grid){-3.0, 2.0, 83};
	options.k = (sonde_grid){-1.0, 4.0, 134};
	options.l = (sonde_grid){1.5, 1.5, 1};
	check("plane", &options);
}

/* An odd number of rows, columns of several planes, amplitudes that are not real. */
static void test_a_volume(void **state)
{
	sonde_pattern_options options = tilted_box();
	(void)state;

	options.h = (sonde_grid){-3.0, 2.0, 9};
	options.k = (sonde_grid){-1.0, 4.0, 5};
	options.l = (sonde_grid){0.0, 2.0, 31};
	strcpy(options.energy, "7.2keV");
	options.anomalous = SONDE_PATTERN_ANOMALOUS_HENKE;
	check("volume", &options);
	options.k.points = 20;
	options.h = (sonde_grid){0.3, 0.3, 1};
	check("plane of k and l", &options);
}

static void test_the_axis_of_the_rows(void **state)
{
	static const double basis[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
	struct pattern_pixels pixels = {
	    .geometry = SONDE_PATTERN_BOX, .axis_count = 3, .sizes = {1, 200, 100}, .count = 20000};
	(void)state;

	memcpy(pixels.basis, basis, sizeof basis);
	assert_int_equal(products_axis(&pixels), 1);
	assert_true(products_operations(&pixels) == 2 * 2 * 8.0 * 64 * 64);
	pixels.sizes[0] = 128; /* fills its blocks */
	pixels.count *= 128;
	assert_int_equal(products_axis(&pixels), 0);
	pixels.geometry = SONDE_PATTERN_POLAR;
	assert_int_equal(products_axis(&pixels), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_tilted_plane),
	    cmocka_unit_test(test_a_volume),
	    cmocka_unit_test(test_the_axis_of_the_rows),
	};

	(void)setenv("POCL_DEVICES", "pthread pthread", 0); /* two of them */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
