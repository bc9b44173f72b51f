/* Thermal motion in the lattice method: numbers, tensors, and correlated motion, compared with exact sums, on all devices. */
#include "physics/physics.h"

#define EXACT SONDE_DEBYE_METHOD_EXACT
#define LATTICE SONDE_DEBYE_METHOD_LATTICE
#define AUTO SONDE_DEBYE_FACTORS_AUTO
#define TOLERANCE 1e-10
#define ABSURD 1e-8

static sonde_build_options from_file(const char *name, double radius)
{
	sonde_build_options options;

	sonde_build_options_init(&options);
	snprintf(options.cell_file, sizeof options.cell_file, "%s/cif/%s", TEST_DATA, name);
	options.sphere = radius;
	return options;
}

static sonde_debye_options moving(int method, int64_t points, const char *displacement)
{
	sonde_debye_options options = options_of(method, AUTO, 0.0, 20.0, points);

	snprintf(options.displacement, sizeof options.displacement, "%s", displacement);
	options.delta1 = 0.1;
	options.delta2 = 0.6;
	options.qbroad = 0.03;
	return options;
}

static sonde_debye_result *run_rows(const sonde_build_options *build, const sonde_debye_options *options)
{
	sonde_context *context = make_context(2);
	sonde_lattice *lattice;
	sonde_debye_result *result;

	if (sonde_build_lattice(context, build, &lattice) != SONDE_OK ||
	    sonde_debye_run_lattice(context, lattice, options, &result) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
	sonde_lattice_free(&lattice);
	sonde_context_free(&context);
	return result;
}

/* A bin has one distance, or two, with the width of each: from atoms and without them, also of sites that exclude each
 * other. */
static void test_numbers_give_the_exact_sums(void **state)
{
	static const struct {
		const char *file, *displacement;
		double radius;
	} samples[] = {{"corundum.cif", "Al=0.004,O=0.006", 13.0},
		       {"wurtzite.cif", "0.008", 14.0},
		       {"olivine.cif", "0.008", 12.0}};
	(void)state;

	for (int s = 0; s < 3; ++s) {
		sonde_build_options build = from_file(samples[s].file, samples[s].radius);
		sonde_atoms *atoms = build_sample(&build);
		const sonde_debye_options exact = moving(EXACT, 41, samples[s].displacement),
					  lattice = moving(LATTICE, 41, samples[s].displacement);
		sonde_debye_result *truth = run(atoms, &exact), *found = run(atoms, &lattice),
				   *rows = run_rows(&build, &lattice);
		char text[80];
		snprintf(text, sizeof text, "%s, %lld atoms", samples[s].file, (long long)sonde_atoms_count(atoms));
		check_against(text, found, truth, TOLERANCE, ABSURD);
		check_against(text, rows, truth, TOLERANCE, ABSURD);
		sonde_debye_result_free(&truth);
		sonde_debye_result_free(&found);
		sonde_debye_result_free(&rows);
		sonde_atoms_free(&atoms);
	}
}

/* Each vector has the tensors of its sites, with and without a uniform step of q. */
static void test_tensors_give_the_exact_sums(void **state)
{
	static const char *const files[] = {"quartz.cif", "rutile.cif"};
	(void)state;

	for (int f = 0; f < 2; ++f)
		for (int by_angle = 0; by_angle < 2; ++by_angle) {
			sonde_build_options build = from_file(files[f], 13.0);
			sonde_atoms *atoms = build_sample(&build);
			sonde_debye_options exact = moving(EXACT, 41, "sample");
			if (by_angle) {
				exact.q = (sonde_grid){0.1, 20.0, 996};
				exact.two_theta = (sonde_grid){5.0, 140.0, 40};
				exact.wavelength = 0.7;
			}
			sonde_debye_options lattice = exact;
			lattice.method = LATTICE;
			sonde_debye_result *truth = run(atoms, &exact), *found = run(atoms, &lattice);
			char text[80];
			snprintf(text, sizeof text, "%s, %lld atoms, tensors", files[f],
				 (long long)sonde_atoms_count(atoms));
			check_against(text, found, truth, TOLERANCE, ABSURD);
			sonde_debye_result_free(&truth);
			sonde_debye_result_free(&found);
			sonde_atoms_free(&atoms);
		}
}

/* Numbers of pairs are integers, and nothing is fused in the sums. */
static void test_bits_do_not_depend_on_the_device(void **state)
{
	static const char *const devices[] = {"emulated", "opencl:0", "cuda:0"};
	sonde_build_options build = from_file("rutile.cif", 12.0);
	sonde_atoms *atoms = build_sample(&build);
	(void)state;

	for (int tensors = 0; tensors < 2; ++tensors) {
		const sonde_debye_options options = moving(LATTICE, 150, tensors ? "sample" : "0.006");
		sonde_debye_result *one = run_on(1, atoms, &options), *three = run_on(3, atoms, &options);
		assert_true(same_bits(one, three));
		for (int d = 0; d < 3; ++d) {
			sonde_debye_result *result = run_on_device(devices[d], atoms, &options);
			if (result != NULL)
				assert_true(same_bits(one, result));
			sonde_debye_result_free(&result);
		}
		sonde_debye_result_free(&one);
		sonde_debye_result_free(&three);
	}
	sonde_atoms_free(&atoms);
}

/* The 690,000 vectors between 56^3 atoms are more than are counted at once. With tensors that are almost numbers, the sums are
 * those of bins. */
static void test_vectors_are_counted_part_by_part(void **state)
{
	const double a = 3.35, u[6] = {0.006, 0.006, 0.006, 2e-9, 0, 0};
	sonde_build_options build;
	(void)state;

	sonde_build_options_init(&build);
	build.cell = SONDE_BUILD_CELL_SC;
	build.a = a;
	strcpy(build.species, "Po");
	build.supercell = (sonde_vector){56, 56, 56};
	sonde_atoms *atoms = build_sample(&build);
	const int64_t count = sonde_atoms_count(atoms);
	double *tensors = calloc(6 * (size_t)count, sizeof *tensors);
	check_count(atoms, 56 * 56 * 56);
	for (int64_t i = 0; i < count; ++i)
		memcpy(tensors + 6 * i, u, sizeof u);
	assert_int_equal(sonde_atoms_set_displacements(atoms, tensors, 6), SONDE_OK);
	sonde_debye_options sampled = moving(LATTICE, 9, "sample"), listed = moving(LATTICE, 9, "0.006");
	sampled.q = listed.q = (sonde_grid){0.5, 6.0, 9};
	sonde_debye_result *result = run(atoms, &sampled), *expected = run(atoms, &listed);
	assert_true(result->bin_count == 0 && expected->bin_count > 0);
	for (int64_t k = 0; k < 9; ++k)
		assert_within(result->intensity_per_atom[k], expected->intensity_per_atom[k],
			      1e-7 * (expected->mean_square_amplitude[k] + expected->intensity_per_atom[k]), "I/N");
	sonde_debye_result_free(&result);
	sonde_debye_result_free(&expected);
	free(tensors);
	sonde_atoms_free(&atoms);
}

/* Some 7,000 atoms, whose pairs would take the exact method long; and fewer, which are left to it. */
static void test_automatic_choice_takes_the_lattice_of_large_crystals(void **state)
{
	(void)state;

	for (int large = 0; large < 2; ++large) {
		sonde_build_options build = from_file("rutile.cif", large ? 26.0 : 9.0);
		sonde_atoms *atoms = build_sample(&build);
		sonde_debye_options options = moving(SONDE_DEBYE_METHOD_AUTO, 800, "sample");
		sonde_debye_result *result = run(atoms, &options);
		assert_int_equal(result->options->method, large ? LATTICE : EXACT);
		sonde_debye_result_free(&result);
		sonde_atoms_free(&atoms);
	}
}

/* Peaks of R(r) do not depend on the method that counts. */
static void test_peaks_of_r_are_those_of_the_histogram(void **state)
{
	sonde_build_options build = from_file("corundum.cif", 13.0);
	sonde_atoms *atoms = build_sample(&build);
	sonde_debye_options options = moving(LATTICE, 41, "Al=0.004,O=0.006");
	(void)state;

	options.counts = 1;
	options.r = (sonde_grid){0.0, 12.0, 601};
	sonde_debye_result *result = run(atoms, &options);
	options.method = SONDE_DEBYE_METHOD_HISTOGRAM;
	sonde_debye_result *expected = run(atoms, &options);
	for (int64_t k = 0; k < result->r_count; ++k) {
		assert_within(result->radial_distribution[k], expected->radial_distribution[k], 1e-5, "R");
		assert_within(result->running_coordination[k], expected->running_coordination[k], 1e-6, "n");
	}
	sonde_debye_result_free(&result);
	sonde_debye_result_free(&expected);
	sonde_atoms_free(&atoms);
}

static void test_what_is_impossible_is_refused(void **state)
{
	sonde_build_options build = from_file("rutile.cif", 14.0);
	sonde_debye_options options = moving(LATTICE, 20, "0.006");
	sonde_context *context = make_context(1);
	sonde_atoms *atoms = build_sample(&build);
	const int64_t count = sonde_atoms_count(atoms);
	double *u = calloc((size_t)count, sizeof *u);
	sonde_lattice *lattice;
	sonde_debye_result *result;
	(void)state;

	/* of a lattice without a list of atoms: Ti-O at 1.95 Angstrom */
	options.delta2 = 4.0;
	assert_int_equal(sonde_build_lattice(context, &build, &lattice), SONDE_OK);
	assert_int_equal(sonde_debye_run_lattice(context, lattice, &options, &result), SONDE_INVALID);
	assert_non_null(strstr(sonde_status_message(), "would be negative"));
	assert_non_null(strstr(sonde_status_message(), "at 1.9"));
	assert_null(result);
	options.delta2 = 3.4;
	assert_int_equal(sonde_debye_run_lattice(context, lattice, &options, &result), SONDE_OK);
	sonde_debye_result_free(&result);
	sonde_lattice_free(&lattice);
	/* a displacement of each atom */
	assert_true(count > 1024);
	for (int64_t i = 0; i < count; ++i)
		u[i] = 0.002 + 1e-6 * (double)i;
	assert_int_equal(sonde_atoms_set_displacements(atoms, u, 1), SONDE_OK);
	snprintf(options.displacement, sizeof options.displacement, "sample");
	assert_int_equal(sonde_debye_run(context, atoms, &options, &result), SONDE_INVALID);
	assert_non_null(strstr(sonde_status_message(), "more than 1024 different mean square displacements"));
	assert_null(result);
	free(u);
	sonde_context_free(&context);
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_numbers_give_the_exact_sums),
	    cmocka_unit_test(test_tensors_give_the_exact_sums),
	    cmocka_unit_test(test_bits_do_not_depend_on_the_device),
	    cmocka_unit_test(test_vectors_are_counted_part_by_part),
	    cmocka_unit_test(test_automatic_choice_takes_the_lattice_of_large_crystals),
	    cmocka_unit_test(test_peaks_of_r_are_those_of_the_histogram),
	    cmocka_unit_test(test_what_is_impossible_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
