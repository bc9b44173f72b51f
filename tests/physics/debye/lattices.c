/* The lattice method, compared with exact sums, lattice sums by squared integers, and files: crystals of several cells
 * and shapes, from atoms and without them, with partly occupied sites. */
#include "physics/physics.h"

#define EXACT SONDE_DEBYE_METHOD_EXACT
#define HISTOGRAM SONDE_DEBYE_METHOD_HISTOGRAM
#define LATTICE SONDE_DEBYE_METHOD_LATTICE
#define AUTO SONDE_DEBYE_FACTORS_AUTO
#define TOLERANCE 1e-10
#define ABSURD 1e-8

static sonde_build_options crystal(int cell, const char *species, double a)
{
	sonde_build_options options;

	sonde_build_options_init(&options);
	options.cell = cell;
	options.a = a;
	strcpy(options.species, species);
	return options;
}

static sonde_build_options from_file(const char *name)
{
	sonde_build_options options;

	sonde_build_options_init(&options);
	snprintf(options.cell_file, sizeof options.cell_file, "%s/cif/%s", TEST_DATA, name);
	return options;
}

/* The pattern of a sample without its atoms. */
static sonde_debye_result *run_rows(int64_t threads, const sonde_build_options *build,
				    const sonde_debye_options *options)
{
	sonde_context *context = make_context(threads);
	sonde_lattice *lattice;
	sonde_debye_result *result;

	if (sonde_build_lattice(context, build, &lattice) != SONDE_OK ||
	    sonde_debye_run_lattice(context, lattice, options, &result) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
	assert_int_equal(result->atom_count, sonde_lattice_atoms(lattice));
	sonde_lattice_free(&lattice);
	sonde_context_free(&context);
	return result;
}

/* From atoms and without them, against exact sums. */
static void check_sample(const char *what, const sonde_build_options *build, double first, double last)
{
	sonde_atoms *atoms = build_sample(build);
	const sonde_debye_options exact = options_of(EXACT, AUTO, first, last, 24),
				  by_lattice = options_of(LATTICE, AUTO, first, last, 24);
	sonde_debye_result *truth = run(atoms, &exact), *found = run(atoms, &by_lattice),
			   *rows = run_rows(2, build, &by_lattice);
	char text[96];

	snprintf(text, sizeof text, "%s, %lld atoms, found", what, (long long)sonde_atoms_count(atoms));
	check_against(text, found, truth, TOLERANCE, ABSURD);
	snprintf(text, sizeof text, "%s, cut", what);
	check_against(text, rows, truth, TOLERANCE, ABSURD);
	assert_int_equal(rows->atom_count, sonde_atoms_count(atoms));
	assert_close(rows->atoms_present, found->atoms_present, 1e-12, "atoms present");
	for (int p = 0; p < truth->pair_count; ++p)
		assert_int_equal(rows->pair_pairs[p], truth->pair_pairs[p]);
	for (int64_t k = 0; k < truth->pair_count * truth->q_count; ++k)
		assert_within(rows->partial_intensity[k], truth->partial_intensity[k],
			      TOLERANCE * (truth->mean_square_amplitude[k % truth->q_count] +
					   truth->intensity_per_atom[k % truth->q_count]),
			      "partial intensity");
	sonde_debye_result_free(&rows);
	sonde_debye_result_free(&found);
	sonde_debye_result_free(&truth);
	sonde_atoms_free(&atoms);
}

static void test_crystals_scatter_as_their_atoms(void **state)
{
	sonde_build_options build = crystal(SONDE_BUILD_CELL_WURTZITE, "Cd,Se", 4.2985);
	(void)state;

	strcpy(build.orient, "z-x-z:10,20,30");
	build.cylinder = (sonde_vector){14.0, 70.0, 0.0};
	check_sample("CdSe rod", &build, 0.1, 20.0);
	build = crystal(SONDE_BUILD_CELL_ROCKSALT, "Na,Cl", 5.64);
	build.supercell = (sonde_vector){7, 7, 7};
	check_sample("NaCl cube", &build, 0.0, 20.0);
	build = crystal(SONDE_BUILD_CELL_FCC, "Au", 4.0782);
	build.sphere = 22.0;
	check_sample("Au ball", &build, 0.1, 40.0);
	build = crystal(SONDE_BUILD_CELL_DIAMOND, "Si", 5.431);
	build.sphere = 22.0;
	build.hollow = 0.7;
	strcpy(build.core, "Ge");
	build.core_size = 0.85;
	check_sample("Si shell on Ge", &build, 0.1, 20.0);
	build = from_file("quartz.cif");
	build.box = (sonde_vector){30.0, 25.0, 20.0};
	check_sample("quartz box", &build, 0.1, 20.0);
}

/* Mixed sites at one place, and half occupied ones that exclude each other. */
static void test_partly_occupied_sites_scatter_as_those_of_atoms(void **state)
{
	sonde_build_options build = from_file("ice.cif");
	(void)state;

	build.sphere = 13.0;
	check_sample("ice", &build, 0.1, 20.0);
	build = from_file("olivine.cif");
	build.sphere = 12.0;
	check_sample("olivine", &build, 0.1, 20.0);
}

static void test_cobalt_oxide_agrees_with_the_file(void **state)
{
	sonde_atoms *atoms = read_sample("CoO_R40.xyz.gz");
	struct table table = read_table("CoO_R40.wk.dat");
	const int64_t points = table.rows;
	const sonde_debye_options options =
	    options_of(LATTICE, AUTO, table_cell(&table, 0, 0), table_cell(&table, points - 1, 0), points);
	double *truth = malloc((size_t)points * sizeof *truth);
	(void)state;

	assert_non_null(truth);
	for (int64_t k = 0; k < points; ++k)
		truth[k] = table_cell(&table, k, 2);
	sonde_debye_result *result = run(atoms, &options);
	check_intensity("CoO 27,633", result, truth, TOLERANCE, ABSURD);
	sonde_debye_result_free(&result);
	free(truth);
	free_table(&table);
	sonde_atoms_free(&atoms);
}

/* 10,000 atoms: the choice falls on the lattice, whose sums are those by squared integers. */
static void test_automatic_choice_takes_the_lattice_of_large_crystals(void **state)
{
	sonde_atoms *atoms = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.2614, 28.5);
	const sonde_debye_options options = options_of(SONDE_DEBYE_METHOD_AUTO, AUTO, 0.1, 20.08, 1000);
	sonde_debye_result *result = run(atoms, &options);
	double *truth = lattice_intensity(atoms, 4.2614 / 2, result);
	(void)state;

	assert_int_equal(result->options->method, LATTICE);
	check_intensity("CoO, automatic", result, truth, TOLERANCE, ABSURD);
	free(truth);
	sonde_debye_result_free(&result);
	/* as many deviations as with six decimals are within the tolerance, those with four are not */
	sonde_atoms *displaced = displace(atoms, 3e-7, 5), *more = displace(atoms, 3e-5, 5);
	result = run(displaced, &options);
	assert_int_equal(result->options->method, LATTICE);
	assert_true(result->largest_error > 1e-8 && result->largest_error < 1e-6);
	sonde_debye_result_free(&result);
	result = run(more, &options);
	assert_int_equal(result->options->method, HISTOGRAM);
	sonde_debye_result_free(&result);
	sonde_atoms_free(&displaced);
	sonde_atoms_free(&more);
	sonde_atoms_free(&atoms);
}

static void test_cobalt_oxide_of_148597_atoms_scatters_by_its_distances(void **state)
{
	sonde_build_options build = crystal(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.2614);
	const sonde_debye_options options = options_of(LATTICE, AUTO, 0.1, 20.08, 1000);
	(void)state;

	if (!is_thorough()) /* half a minute of one core, for the distances */
		skip();
	build.sphere = 70.0;
	sonde_atoms *atoms = build_sample(&build);
	sonde_debye_result *result = run_rows(2, &build, &options);
	double *truth = lattice_intensity(atoms, 4.2614 / 2, result);
	check_count(atoms, 148597);
	check_intensity("CoO 148,597", result, truth, TOLERANCE, ABSURD);
	free(truth);
	sonde_debye_result_free(&result);
	sonde_atoms_free(&atoms);
}

/* A copy with coordinates as in a file with so many decimals. */
static sonde_atoms *rounded(const sonde_atoms *atoms, int decimals)
{
	const double scale = pow(10.0, decimals), *r = sonde_atoms_positions(atoms);
	sonde_atoms *copy = empty_sample();

	for (int64_t i = 0; i < sonde_atoms_count(atoms); ++i)
		add_atom(copy, sonde_atoms_species_label(atoms, sonde_atoms_species(atoms)[i]),
			 round(scale * r[3 * i]) / scale, round(scale * r[3 * i + 1]) / scale,
			 round(scale * r[3 * i + 2]) / scale);
	return copy;
}

/* Rounded positions are replaced by those of the lattice: the error estimate says by how much that changes, also where
 * whole planes of atoms are rounded alike, so that the deviations are not independent. */
static void check_rounded(const char *what, const sonde_build_options *build, int decimals, double tolerance)
{
	const sonde_debye_options exact = options_of(EXACT, AUTO, 0.5, 20.0, 100),
				  by_lattice = options_of(LATTICE, AUTO, 0.5, 20.0, 100);
	sonde_atoms *sharp = build_sample(build), *atoms = rounded(sharp, decimals);
	sonde_debye_result *truth = run(atoms, &exact), *result = run(atoms, &by_lattice);
	char text[96];

	snprintf(text, sizeof text, "%s, %lld atoms, %d decimals", what, (long long)sonde_atoms_count(atoms),
		 decimals);
	check_against(text, result, truth, tolerance, 300.0 * tolerance);
	for (int64_t k = 0; k < result->q_count; ++k)
		assert_true(fabs(result->intensity_per_atom[k] - truth->intensity_per_atom[k]) <=
			    result->error_estimate[k] + truth->error_estimate[k]);
	sonde_debye_result_free(&result);
	sonde_debye_result_free(&truth);
	sonde_atoms_free(&atoms);
	sonde_atoms_free(&sharp);
}

static void test_rounded_positions_are_within_the_estimate(void **state)
{
	sonde_build_options build = crystal(SONDE_BUILD_CELL_ROCKSALT, "Na,Cl", 4.3592333);
	(void)state;

	build.sphere = 27.0;
	check_rounded("NaCl along the axes", &build, 5, 2e-6);
	check_rounded("NaCl along the axes", &build, 6, 2e-7);
	build = crystal(SONDE_BUILD_CELL_FCC, "Au", 4.07825); /* half of it is in the middle of two numbers */
	build.box = (sonde_vector){40.0, 40.0, 40.0};
	check_rounded("Au along the axes", &build, 5, 2e-4);
	build =
	    crystal(SONDE_BUILD_CELL_FCC, "Au", 4.3715); /* rounded corners are closer than those of the lattice */
	build.box = (sonde_vector){27.36, 15.01, 24.9};
	check_rounded("Au, from corner to corner", &build, 3, 2e-3);
	build = crystal(SONDE_BUILD_CELL_FCC, "Au", 3.3111915); /* 25 cells from vectors between two atoms */
	strcpy(build.orient, "z-x-z:70,15,32");
	build.cylinder = (sonde_vector){21.31, 53.06, 0.0};
	check_rounded("Au, tilted", &build, 3, 5e-4);
	build = crystal(SONDE_BUILD_CELL_WURTZITE, "Cd,Se", 4.2985);
	strcpy(build.orient, "z-x-z:10,20,30");
	build.cylinder = (sonde_vector){16.0, 70.0, 0.0};
	check_rounded("CdSe", &build, 3, 5e-4);
	check_rounded("CdSe", &build, 5, 5e-6);
	check_rounded("CdSe", &build, 6, 5e-7);
	check_rounded("CdSe", &build, 8, 5e-9);
}

static void test_bits_do_not_depend_on_threads(void **state)
{
	sonde_build_options build = crystal(SONDE_BUILD_CELL_FLUORITE, "Ca,F", 5.463);
	const sonde_debye_options options = options_of(LATTICE, AUTO, 0.1, 20.0, 100);
	(void)state;

	build.octahedron = 60.0;
	sonde_debye_result *one = run_rows(1, &build, &options), *three = run_rows(3, &build, &options);
	assert_true(same_bits(one, three));
	assert_memory_equal(one->error_bound, three->error_bound, (size_t)one->q_count * sizeof(double));
	sonde_debye_result_free(&one);
	sonde_debye_result_free(&three);
}

/* In the bins of the histogram, so that coordination numbers are the same. */
static void test_counts_are_those_of_the_histogram(void **state)
{
	sonde_atoms *atoms = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.2614, 18.0);
	sonde_debye_options options = options_of(LATTICE, AUTO, 0.1, 20.0, 50), histogram = options;
	(void)state;

	options.counts = histogram.counts = 1;
	histogram.method = HISTOGRAM;
	options.r = histogram.r = (sonde_grid){0.05, 12.05, 121};
	sonde_debye_result *result = run(atoms, &options), *expected = run(atoms, &histogram);
	assert_true(result->bin_width == expected->bin_width && result->counted_bins <= expected->counted_bins);
	for (int64_t k = 0; k < result->r_count; ++k)
		assert_within(result->running_coordination[k], expected->running_coordination[k], 1e-9,
			      "neighbors up to r");
	assert_close(result->running_coordination[25], 6.0, 0.1, "neighbors up to 2.5 Angstrom");
	sonde_debye_result_free(&result);
	sonde_debye_result_free(&expected);
	sonde_atoms_free(&atoms);
}

static void test_other_samples_are_refused(void **state)
{
	sonde_atoms *ball = build_sphere(SONDE_BUILD_CELL_FCC, "Au", 4.0782, 14.0), *atoms = displace(ball, 0.1, 1);
	sonde_debye_options options = options_of(LATTICE, AUTO, 0.1, 20.0, 10);
	sonde_build_options build = crystal(SONDE_BUILD_CELL_FCC, "Au", 4.08), twins = build;
	sonde_context *context = make_context(1);
	sonde_lattice *lattice;
	sonde_debye_result *result;
	(void)state;

	assert_int_equal(sonde_debye_run(context, atoms, &options, &result), SONDE_INVALID);
	assert_non_null(strstr(sonde_status_message(), "not on a lattice"));
	assert_null(result);
	/* twins, and atoms displaced by little more than the rounding of three decimals */
	sonde_atoms_free(&atoms);
	twins.icosahedron = 8;
	atoms = build_sample(&twins);
	assert_int_equal(sonde_debye_run(context, atoms, &options, &result), SONDE_INVALID);
	sonde_atoms_free(&atoms);
	atoms = displace(ball, 1e-3, 1);
	assert_int_equal(sonde_debye_run(context, atoms, &options, &result), SONDE_INVALID);
	assert_non_null(strstr(sonde_status_message(), "not on a lattice"));
	build.sphere = 10.0;
	assert_int_equal(sonde_build_lattice(context, &build, &lattice), SONDE_OK);
	options.method = EXACT;
	assert_int_equal(sonde_debye_run_lattice(context, lattice, &options, &result), SONDE_INVALID);
	assert_non_null(strstr(sonde_status_message(), "without a list of atoms"));
	options.method = LATTICE;
	options.copies = SONDE_DEBYE_COPIES_AVERAGED;
	assert_int_equal(sonde_debye_run_lattice(context, lattice, &options, &result), SONDE_INVALID);
	assert_null(result);
	sonde_lattice_free(&lattice);
	sonde_context_free(&context);
	sonde_atoms_free(&atoms);
	sonde_atoms_free(&ball);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_crystals_scatter_as_their_atoms),
	    cmocka_unit_test(test_partly_occupied_sites_scatter_as_those_of_atoms),
	    cmocka_unit_test(test_cobalt_oxide_agrees_with_the_file),
	    cmocka_unit_test(test_automatic_choice_takes_the_lattice_of_large_crystals),
	    cmocka_unit_test(test_cobalt_oxide_of_148597_atoms_scatters_by_its_distances),
	    cmocka_unit_test(test_rounded_positions_are_within_the_estimate),
	    cmocka_unit_test(test_bits_do_not_depend_on_threads),
	    cmocka_unit_test(test_counts_are_those_of_the_histogram),
	    cmocka_unit_test(test_other_samples_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
