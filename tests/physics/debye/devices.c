/* The same results on every device: bit-identical by histogram, within their bounds by exact sums; on one device or
 * several. The device "emulated", which runs the kernels for GPUs as plain C, is always available; that of PoCL if it
 * is installed, as two. */
#include "physics/physics.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define EXACT SONDE_DEBYE_METHOD_EXACT
#define HISTOGRAM SONDE_DEBYE_METHOD_HISTOGRAM
#define UNIT SONDE_DEBYE_FACTORS_UNIT

static sonde_debye_result *run_with(const char *devices, const sonde_atoms *atoms, const sonde_debye_options *options)
{
	sonde_context *context;
	sonde_debye_result *result = NULL;

	assert_int_equal(sonde_context_create(&context), SONDE_OK);
	assert_int_equal(sonde_context_set_device(context, devices), SONDE_OK);
	assert_int_equal(sonde_context_set_kernel_cache(context, "off"), SONDE_OK);
	if (sonde_debye_run(context, atoms, options, &result) != SONDE_OK)
		fail_msg("%s: %s", devices, sonde_status_message());
	/* the samples have two atoms at one place, which is noted in a cell; nothing else may be */
	const char *notes = sonde_context_notes(context);
	if (strncmp(notes, "1 pair of atoms closer than ", 28) == 0 && strchr(notes, '\n') == NULL)
		notes += strlen(notes);
	if (notes[0] != '\0')
		fail_msg("%s: %s", devices, notes);
	sonde_context_free(&context);
	return result;
}

/* Whether a device named so can be used. */
static int is_here(const char *name)
{
	sonde_context *context;
	sonde_device_description device;
	int found = 0, here = 0;

	assert_int_equal(sonde_context_create(&context), SONDE_OK);
	assert_int_equal(sonde_context_set_device(context, "cpu"), SONDE_OK);
	for (int k = 0; sonde_context_describe_device(context, k, &device, &found) == SONDE_OK && found; ++k)
		here |= strcmp(device.name, name) == 0 && device.usable;
	sonde_context_free(&context);
	return here;
}

static sonde_atoms *make_sample(int64_t atoms_at_most)
{
	sonde_atoms *crystal = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Na,Cl", 5.64, 18.0), *part = empty_sample();
	const double *r = sonde_atoms_positions(crystal);

	for (int64_t i = 0; i < sonde_atoms_count(crystal) && i < atoms_at_most; ++i)
		add_atom(part, i % 3 == 0 ? "Na" : "Cl", r[3 * i] + 0.01 * (i % 7), r[3 * i + 1], r[3 * i + 2]);
	add_atom(part, "Na", r[0], r[1], r[2]);
	add_atom(part, "Au", 1.0, 2.0, 40.0);
	sonde_atoms_free(&crystal);
	return part;
}

static sonde_debye_options histogram_options(const sonde_atoms *atoms)
{
	sonde_debye_options options = options_of(HISTOGRAM, UNIT, 0.0, 20.0, 200);

	options.cutoff = sonde_atoms_cell(atoms) != NULL ? 16.5 : 0.0;
	return options;
}

/* The same atoms in a cell, whose images are counted as well. */
static void make_periodic(sonde_atoms *atoms)
{
	static const double edges[9] = {23.0, 1.0, 0.0, 0.0, 31.0, -4.0, 5.0, 2.0, 27.0};
	static const int periodic[3] = {1, 1, 1};

	assert_int_equal(sonde_atoms_set_cell(atoms, edges, periodic), SONDE_OK);
}

static void check_histograms(const char *devices, const sonde_atoms *atoms, const sonde_debye_result *cpu)
{
	const sonde_debye_options options = histogram_options(atoms);
	sonde_debye_result *result = run_with(devices, atoms, &options);

	/* not of the error estimates, which come from exact sums at a few points */
	size_t bytes = (size_t)cpu->q_count * sizeof(double), partials = bytes * (size_t)cpu->pair_count;
	bool same = memcmp(result->intensity_per_atom, cpu->intensity_per_atom, bytes) == 0 &&
		    memcmp(result->structure_factor, cpu->structure_factor, bytes) == 0 &&
		    memcmp(result->partial_intensity, cpu->partial_intensity, partials) == 0;
	print_message("%-28s histogram%s: %s\n", devices, sonde_atoms_cell(atoms) != NULL ? ", periodic" : "",
		      same ? "the CPU's bits" : "OTHER BITS");
	assert_true(same);
	sonde_debye_result_free(&result);
}

/* Exact sums of a periodic sample: of several lists of pairs, which several devices share. */
static sonde_debye_options images_options(void)
{
	sonde_debye_options options = options_of(EXACT, UNIT, 0.0, 12.0, 20);

	options.cutoff = 40.0;
	options.damping = SONDE_DEBYE_DAMPING_LORCH;
	options.r = (sonde_grid){1.0, 6.0, 20}; /* for which there are sums without damping as well */
	return options;
}

static void check_images(const char *devices, const sonde_atoms *atoms, const sonde_debye_result *cpu)
{
	const sonde_debye_options options = images_options();
	sonde_debye_result *result = run_with(devices, atoms, &options);
	const int same = same_bits(result, cpu);

	print_message("%-28s exact, periodic: %s\n", devices, same ? "the CPU's bits" : "OTHER BITS");
	assert_true(same);
	sonde_debye_result_free(&result);
}

/* `same`: a result that must have the same bits, or null. */
static sonde_debye_result *check_exact(const char *devices, const sonde_atoms *atoms, const sonde_debye_result *cpu,
				       int precision, double tolerance, const sonde_debye_result *same)
{
	sonde_debye_options options = options_of(EXACT, UNIT, 0.0, 20.0, 1300);

	options.precision = precision;
	sonde_debye_result *result = run_with(devices, atoms, &options);
	double error = largest_error(result, cpu->intensity_per_atom);
	print_message("%-28s exact: error %.1e, estimate %.1e\n", devices, error, result->largest_error);
	assert_true(error <= tolerance && error <= result->largest_error);
	assert_true(same == NULL || same_bits(result, same));
	return result;
}

static void test_every_device_gives_the_same(void **state)
{
	static const char *const lists[] = {
	    "emulated", "cpu,emulated", "opencl:0",     "opencl:0,opencl:1", "opencl:0,1,2", "opencl:0,emulated,cpu",
	    "cuda:0",   "cuda:0,1",     "cuda:0,1,2,3", "cuda:0,cpu"};
	sonde_atoms *atoms = make_sample(500), *crystal = make_sample(350);
	sonde_debye_options options = histogram_options(atoms);
	sonde_debye_result *histogram = run_with("cpu", atoms, &options), *first = NULL;
	(void)state;

	make_periodic(crystal);
	options = histogram_options(crystal);
	sonde_debye_result *periodic = run_with("cpu", crystal, &options);
	options = images_options();
	sonde_debye_result *images = run_with("cpu", crystal, &options);

	options = options_of(EXACT, UNIT, 0.0, 20.0, 1300);
	sonde_debye_result *exact = run_with("cpu", atoms, &options);
	for (size_t k = 0; k < sizeof lists / sizeof *lists; ++k) {
		const char *list = lists[k];
		int last = list[strlen(list) - 1] - '0';
		char name[32];
		bool is_list_of_one_kind = strncmp(list, "opencl", 6) == 0 || strncmp(list, "cuda", 4) == 0;
		snprintf(name, sizeof name, "%.*s", (int)strcspn(list, ","), list);
		if (is_list_of_one_kind && last >= 0 && last <= 9)
			snprintf(name, sizeof name, "%.*s:%d", (int)strcspn(list, ":"), list, last);
		if (!is_here(name)) {
			print_message("%-28s is not here\n", list);
			continue;
		}
		check_histograms(list, atoms, histogram);
		check_histograms(list, crystal, periodic);
		check_images(list, crystal, images);
		bool goes_on = k > 0 && strncmp(list, lists[k - 1], 6) == 0 && strchr(list, 'm') == NULL &&
			       strstr(list, "cpu") == NULL && first != NULL;
		sonde_debye_result *result =
		    check_exact(list, atoms, exact, SONDE_DEBYE_PRECISION_FLOAT64, 1e-10, goes_on ? first : NULL);
		sonde_debye_result *f32 = check_exact(list, atoms, exact, SONDE_DEBYE_PRECISION_FLOAT32, 1e-5, NULL);
		sonde_debye_result_free(&f32);
		if (strchr(list, ',') == NULL) {
			sonde_debye_result_free(&first);
			first = result;
		} else {
			sonde_debye_result_free(&result);
		}
	}
	sonde_debye_result_free(&first);
	sonde_debye_result_free(&histogram);
	sonde_debye_result_free(&periodic);
	sonde_debye_result_free(&images);
	sonde_debye_result_free(&exact);
	sonde_atoms_free(&atoms);
	sonde_atoms_free(&crystal);
}

/* More than one quad of tiles, so that the ring's circle of partners is walked; odd and even numbers of quads. */
static void test_numbers_of_tiles_do_not_matter(void **state)
{
	static const int64_t sizes[] = {33, 400, 700, 1024, 1500};
	(void)state;

	for (int s = 0; s < 5; ++s) {
		sonde_atoms *atoms = make_sample(sizes[s]);
		sonde_debye_options options = options_of(HISTOGRAM, UNIT, 0.0, 20.0, 200);
		sonde_debye_result *cpu = run_with("cpu", atoms, &options);
		check_histograms("emulated", atoms, cpu);
		check_histograms("cpu,emulated", atoms, cpu);
		sonde_debye_result_free(&cpu);
		sonde_atoms_free(&atoms);
	}
}

/* float32 on GPUs against float64 on the same GPU: spheres of CoO of 40 and 70 Angstrom. */
static void test_float32_stays_near_float64(void **state)
{
	static const double radii[] = {40.0, 70.0};
	static const int64_t counts[] = {27633, 148597};
	(void)state;

	if (!is_here("cuda:0"))
		skip();
	for (int s = 0; s < 2; ++s) {
		sonde_atoms *atoms = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.2614, radii[s]);
		sonde_debye_options options = options_of(EXACT, UNIT, 0.1, 20.08, 1000);
		check_count(atoms, counts[s]);
		sonde_debye_result *f64 = run_with("cuda:0", atoms, &options);
		options.precision = SONDE_DEBYE_PRECISION_FLOAT32;
		sonde_debye_result *f32 = run_with("cuda:0", atoms, &options);
		double error = largest_error(f32, f64->intensity_per_atom);
		print_message("CoO, %.0f Angstrom, float32: error %.1e, estimate %.1e\n", radii[s], error,
			      f32->largest_error);
		assert_true(error <= 1e-5 && error <= f32->largest_error);
		sonde_debye_result_free(&f32);
		sonde_debye_result_free(&f64);
		sonde_atoms_free(&atoms);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_device_gives_the_same),
					   cmocka_unit_test(test_numbers_of_tiles_do_not_matter),
					   cmocka_unit_test(test_float32_stays_near_float64)};

	setenv("POCL_DEVICES", "pthread pthread pthread", 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
