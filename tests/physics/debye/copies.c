/* Copies of one structure: the mean over orientations compared with a mean of samples, and what is exact. */
#include "physics/physics.h"

#include "matter/atoms/atoms_copies.h"
#include "matter/generate/ensemble.h"

#define EXACT SONDE_DEBYE_METHOD_EXACT
#define HISTOGRAM SONDE_DEBYE_METHOD_HISTOGRAM
#define UNIT SONDE_DEBYE_FACTORS_UNIT
#define AUTO SONDE_DEBYE_FACTORS_AUTO
#define POINTS 12
#define PLACES 4
#define ATOMS 4

/* A chiral structure of two species, about its center. */
static sonde_atoms *make_structure(void)
{
	static const double r[ATOMS][3] = {{-2, -1, -0.75}, {1, -1, -0.75}, {1, 2, -0.75}, {0, 0, 2.25}};
	sonde_atoms *atoms = empty_sample();

	for (int i = 0; i < ATOMS; ++i)
		add_atom(atoms, i < 2 ? "Na" : "Cl", r[i][0], r[i][1], r[i][2]);
	return atoms;
}

/* Copies at fixed places, as turned by random numbers of this seed. */
static sonde_atoms *make_copies(const sonde_atoms *structure, uint64_t seed)
{
	static const double places[PLACES][3] = {{0, 0, 0}, {7, 1, 0}, {2, 8, -3}, {-5, 4, 6}};
	struct ensemble ensemble;
	sonde_atoms *atoms;
	sonde_context *context = make_context(1);

	assert_int_equal(ensemble_grid(PLACES, 1.0, &ensemble), SONDE_OK);
	for (int n = 0; n < PLACES; ++n)
		memcpy(ensemble.placements[n].position, places[n], sizeof places[n]);
	ensemble_turn(seed, &ensemble);
	assert_int_equal(ensemble_place(context, structure, &ensemble, &atoms), SONDE_OK);
	ensemble_free(&ensemble);
	sonde_context_free(&context);
	return atoms;
}

static sonde_debye_options options_for(int copies, int method, int factors)
{
	sonde_debye_options options = options_of(method, factors, 0.05, 6.0, POINTS);

	options.copies = copies;
	return options;
}

/* The mean of |sum of f exp(i q r)|^2 over directions of q is Debye's sum; its mean over samples must be what
 * `averaged` gives for any of them. */
static void test_averaged_intensity_is_the_mean_over_orientations(void **state)
{
	enum { SAMPLES = 3000 };
	sonde_atoms *structure = make_structure(), *atoms = make_copies(structure, 1);
	sonde_debye_options options = options_for(SONDE_DEBYE_COPIES_AVERAGED, EXACT, UNIT);
	sonde_debye_result *averaged = run(atoms, &options);
	double mean[POINTS] = {0.0}, square[POINTS] = {0.0}, interference = 0.0;
	(void)state;

	for (int n = 0; n < SAMPLES; ++n) {
		sonde_atoms *sample = make_copies(structure, 100 + (uint64_t)n);
		const double *r = sonde_atoms_positions(sample);
		for (int k = 0; k < POINTS; ++k) {
			double sum = 1.0;
			for (int i = 0; i < ATOMS * PLACES; ++i)
				for (int j = 0; j < i; ++j) {
					double x = averaged->q[k] * sqrt(pow(r[3 * i] - r[3 * j], 2) +
									 pow(r[3 * i + 1] - r[3 * j + 1], 2) +
									 pow(r[3 * i + 2] - r[3 * j + 2], 2));
					sum += 2.0 * sin(x) / x / (ATOMS * PLACES);
				}
			mean[k] += sum / SAMPLES;
			square[k] += sum * sum / SAMPLES;
		}
		sonde_atoms_free(&sample);
	}
	options.copies = SONDE_DEBYE_COPIES_INDEPENDENT;
	sonde_debye_result *independent = run(atoms, &options);
	for (int k = 0; k < POINTS; ++k) {
		double error = sqrt((square[k] - mean[k] * mean[k]) / SAMPLES);
		print_message("q %.3f: mean %.5f +- %.5f, averaged %.5f, independent %.5f\n", averaged->q[k], mean[k],
			      error, averaged->intensity_per_atom[k], independent->intensity_per_atom[k]);
		assert_within(averaged->intensity_per_atom[k], mean[k], 4.5 * error + 1e-12, "intensity");
		interference =
		    fmax(interference, fabs(independent->intensity_per_atom[k] - mean[k]) / (error + 1e-12));
	}
	/* the comparison would notice if the copies did not interfere */
	assert_true(interference > 20.0);
	sonde_debye_result_free(&independent);
	sonde_debye_result_free(&averaged);
	sonde_atoms_free(&structure);
	sonde_atoms_free(&atoms);
}

/* Two structures that share a species: of the second one, a molecule of three atoms, two copies between the others. */
static sonde_atoms *make_mixture_as(const sonde_atoms *structure, uint64_t seed, bool compact)
{
	static const double r[3][3] = {{0.5, -1.5, 0.25}, {0.5, 1, 0.25}, {-1, 0.5, -0.5}};
	static const double places[PLACES + 2][3] = {{0, 0, 0},  {7, 1, 0},   {2, 8, -3},
						     {-5, 4, 6}, {-6, -3, 0}, {3, -6, 2}};
	static const int of[PLACES + 2] = {0, 1, 0, 0, 1, 0};
	sonde_atoms *molecule = empty_sample(), *atoms;
	sonde_context *context = make_context(1);
	struct ensemble ensemble;

	for (int i = 0; i < 3; ++i)
		add_atom(molecule, i < 2 ? "Cl" : "O", r[i][0], r[i][1], r[i][2]);
	assert_int_equal(ensemble_grid(PLACES + 2, 1.0, &ensemble), SONDE_OK);
	ensemble.structure_of = malloc((PLACES + 2) * sizeof *ensemble.structure_of);
	for (int n = 0; n < PLACES + 2; ++n) {
		memcpy(ensemble.placements[n].position, places[n], sizeof places[n]);
		ensemble.structure_of[n] = of[n];
	}
	ensemble_turn(seed, &ensemble);
	sonde_atoms *const structures[] = {(sonde_atoms *)(uintptr_t)structure, molecule};
	assert_int_equal(compact ? ensemble_compact(2, structures, &ensemble, &atoms)
				 : ensemble_place_mixture(context, 2, structures, &ensemble, &atoms),
			 SONDE_OK);
	ensemble_free(&ensemble);
	sonde_context_free(&context);
	sonde_atoms_free(&molecule);
	return atoms;
}

static sonde_atoms *make_mixture(const sonde_atoms *structure, uint64_t seed)
{
	return make_mixture_as(structure, seed, false);
}

/* One copy of each structure and the places of all, against all atoms. */
static void test_a_compact_mixture_is_that_of_all_atoms(void **state)
{
	static const char *const displacements[] = {"", "Na=0.01,Cl=0.02,O=0"};
	sonde_atoms *structure = make_structure(), *all = make_mixture(structure, 4),
		    *compact = make_mixture_as(structure, 4, true);
	(void)state;

	for (int copies = 0; copies < 3; ++copies)
		for (int moving = 0; moving < 2; ++moving) {
			sonde_debye_options options = options_for(copies, EXACT, AUTO);
			strcpy(options.displacement, displacements[moving]);
			sonde_debye_result *of_all = run(all, &options), *of_compact = run(compact, &options);
			assert_true(of_all->atom_count == of_compact->atom_count);
			assert_true(of_all->atoms_present == of_compact->atoms_present);
			for (int k = 0; k < POINTS; ++k)
				assert_close(of_compact->intensity[k], of_all->intensity[k], 1e-12, "intensity");
			sonde_debye_result_free(&of_all);
			sonde_debye_result_free(&of_compact);
		}
	sonde_atoms_free(&structure);
	sonde_atoms_free(&compact);
	sonde_atoms_free(&all);
}

static void test_averaged_intensity_of_a_mixture(void **state)
{
	enum { SAMPLES = 2500 };
	sonde_atoms *structure = make_structure(), *atoms = make_mixture(structure, 1);
	sonde_debye_options options = options_for(SONDE_DEBYE_COPIES_AVERAGED, EXACT, UNIT);
	sonde_debye_result *averaged = run(atoms, &options), *independent;
	double mean[POINTS] = {0.0}, square[POINTS] = {0.0}, interference = 0.0;
	const int64_t count = sonde_atoms_count(atoms);
	(void)state;

	assert_int_equal(count, PLACES * ATOMS + 2 * 3);
	options.copies = SONDE_DEBYE_COPIES_INDEPENDENT;
	independent = run(atoms, &options);
	for (int n = 0; n < SAMPLES; ++n) {
		sonde_atoms *sample = make_mixture(structure, 100 + (uint64_t)n);
		const double *r = sonde_atoms_positions(sample);
		for (int k = 0; k < POINTS; ++k) {
			double sum = 1.0;
			for (int64_t i = 0; i < count; ++i)
				for (int64_t j = 0; j < i; ++j) {
					double x = averaged->q[k] * sqrt(pow(r[3 * i] - r[3 * j], 2) +
									 pow(r[3 * i + 1] - r[3 * j + 1], 2) +
									 pow(r[3 * i + 2] - r[3 * j + 2], 2));
					sum += 2.0 * sin(x) / x / (double)count;
				}
			mean[k] += sum / SAMPLES;
			square[k] += sum * sum / SAMPLES;
		}
		sonde_atoms_free(&sample);
	}
	for (int k = 0; k < POINTS; ++k) {
		double error = sqrt(fmax(square[k] - mean[k] * mean[k], 0.0) / SAMPLES);
		assert_within(averaged->intensity_per_atom[k], mean[k], 4.5 * error + 1e-12, "intensity");
		interference =
		    fmax(interference, fabs(independent->intensity_per_atom[k] - mean[k]) / (error + 1e-12));
	}
	assert_true(interference > 20.0);
	sonde_debye_result_free(&independent);
	sonde_debye_result_free(&averaged);
	sonde_atoms_free(&structure);
	sonde_atoms_free(&atoms);
}

/* Without interference, the intensity is the sum of those of the copies, by both methods; partials, too, add up. */
static void test_independent_copies_of_a_mixture(void **state)
{
	sonde_atoms *structure = make_structure(), *atoms = make_mixture(structure, 3), *parts[2];
	const int64_t first = PLACES * ATOMS;
	(void)state;

	parts[0] = structure;
	parts[1] = empty_sample();
	for (int i = 0; i < 3; ++i) {
		const double *r = sonde_atoms_positions(atoms) + 3 * (first + i);
		add_atom(parts[1], i < 2 ? "Cl" : "O", r[0], r[1], r[2]);
	}
	for (int method = EXACT; method <= HISTOGRAM; ++method) {
		sonde_debye_options options = options_for(SONDE_DEBYE_COPIES_INDEPENDENT, method, AUTO);
		sonde_debye_result *all = run(atoms, &options), *one[2];
		options.copies = SONDE_DEBYE_COPIES_EXACT;
		for (int s = 0; s < 2; ++s)
			one[s] = run(parts[s], &options);
		for (int k = 0; k < POINTS; ++k) {
			const double sum = PLACES * one[0]->intensity[k] + 2.0 * one[1]->intensity[k];
			double partials = 0.0;
			for (int p = 0; p < all->pair_count; ++p)
				partials += all->partial_intensity[p * POINTS + k];
			assert_close(all->intensity[k], sum, method == EXACT ? 1e-12 : 1e-5, "intensity");
			assert_close(partials, all->intensity_per_atom[k], 1e-12, "partials");
		}
		for (int s = 0; s < 2; ++s)
			sonde_debye_result_free(&one[s]);
		sonde_debye_result_free(&all);
	}
	sonde_atoms_free(&parts[1]);
	sonde_atoms_free(&structure);
	sonde_atoms_free(&atoms);
}

/* Interference of copies that are far apart is a sum of many small terms of any sign: the mean over orientations, and the
 * exact sum, differ from that of independent copies by less than 2/(q R) for each pair of atoms. */
static void test_far_copies_are_independent(void **state)
{
	sonde_atoms *structure = make_structure(), *near = make_mixture(structure, 9), *far = empty_sample();
	const double apart = 5000.0;
	const int64_t count = sonde_atoms_count(near);
	(void)state;

	for (int64_t i = 0; i < count; ++i) {
		const int64_t copy = i < PLACES * ATOMS ? i / ATOMS : PLACES + (i - PLACES * ATOMS) / 3;
		const double *r = sonde_atoms_positions(near) + 3 * i;
		add_atom(far, sonde_atoms_species_label(near, sonde_atoms_species(near)[i]),
			 r[0] + apart * (double)(copy % 3), r[1] + apart * (double)(copy / 3), r[2]);
	}
	assert_int_equal(atoms_set_copies(far, near->groups, near->group_count), SONDE_OK);
	sonde_debye_result *results[3];
	for (int copies = 0; copies < 3; ++copies) {
		sonde_debye_options options = options_for(copies, EXACT, UNIT);
		results[copies] = run(far, &options);
	}
	for (int k = 0; k < POINTS; ++k) {
		const double most = (double)count / (results[0]->q[k] * (apart - 40.0));
		for (int copies = 0; copies < 2; ++copies)
			assert_within(results[copies]->intensity_per_atom[k], results[2]->intensity_per_atom[k], most,
				      "intensity");
	}
	/* which is little, compared with the structure of one copy */
	assert_true((double)count / (results[0]->q[1] * apart) < 0.02);
	for (int copies = 0; copies < 3; ++copies)
		sonde_debye_result_free(&results[copies]);
	sonde_atoms_free(&structure);
	sonde_atoms_free(&near);
	sonde_atoms_free(&far);
}

/* Copies of single atoms have no orientation. */
static void test_copies_of_single_atoms_are_exact(void **state)
{
	sonde_atoms *crystal = build_sphere(SONDE_BUILD_CELL_FCC, "Au", 4.0782, 9.0);
	sonde_debye_options options = options_for(SONDE_DEBYE_COPIES_AVERAGED, EXACT, AUTO);
	(void)state;

	options.copy_atoms = 1;
	sonde_debye_result *averaged = run(crystal, &options);
	options = options_for(SONDE_DEBYE_COPIES_EXACT, EXACT, AUTO);
	sonde_debye_result *exact = run(crystal, &options);
	for (int k = 0; k < POINTS; ++k)
		assert_within(averaged->intensity[k], exact->intensity[k],
			      1e-12 * (exact->intensity[k] + exact->mean_square_amplitude[k] * 200.0), "intensity");
	sonde_debye_result_free(&averaged);
	sonde_debye_result_free(&exact);
	sonde_atoms_free(&crystal);
}

static void test_independent_copies_scatter_as_one(void **state)
{
	sonde_atoms *structure = make_structure(), *atoms = make_copies(structure, 5);
	(void)state;

	for (int method = EXACT; method <= HISTOGRAM; ++method) {
		sonde_debye_options options = options_for(SONDE_DEBYE_COPIES_INDEPENDENT, method, AUTO);
		sonde_debye_result *copies = run(atoms, &options);
		options.copies = SONDE_DEBYE_COPIES_EXACT;
		sonde_debye_result *one = run(structure, &options);
		assert_int_equal(copies->atom_count, ATOMS * PLACES);
		for (int k = 0; k < POINTS; ++k) {
			double scale = one->mean_square_amplitude[k];
			/* of different orientation: other roundings of positions, and of the histogram's bins */
			double near = method == EXACT ? 1e-12 : one->error_estimate[k] + copies->error_estimate[k];
			assert_within(copies->intensity_per_atom[k], one->intensity_per_atom[k],
				      near * fmax(scale, 1.0), "intensity per atom");
			assert_within(copies->intensity[k], PLACES * one->intensity[k],
				      ATOMS * PLACES * near * fmax(scale, 1.0), "intensity");
			for (int p = 0; p < copies->pair_count; ++p)
				assert_within(copies->partial_intensity[p * POINTS + k],
					      one->partial_intensity[p * POINTS + k], near * fmax(scale, 1.0),
					      "partial intensity");
		}
		sonde_debye_result_free(&copies);
		sonde_debye_result_free(&one);
	}
	sonde_atoms_free(&structure);
	sonde_atoms_free(&atoms);
}

/* A ball of several hundred atoms in sixty places: by both methods, by partials, and within the error stated. */
static void test_methods_agree_within_the_error_stated(void **state)
{
	sonde_atoms *ball = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.2614, 12.0), *atoms;
	sonde_context *context = make_context(2);
	struct ensemble ensemble;
	(void)state;

	assert_int_equal(ensemble_random(context, 60, ensemble_radius(ball), 0.2, 3, &ensemble), SONDE_OK);
	ensemble_turn(3, &ensemble);
	assert_int_equal(ensemble_place(context, ball, &ensemble, &atoms), SONDE_OK);
	sonde_debye_options options = options_for(SONDE_DEBYE_COPIES_AVERAGED, EXACT, AUTO);
	sonde_debye_result *exact = run(atoms, &options);
	options.method = HISTOGRAM;
	sonde_debye_result *histogram = run(atoms, &options);
	for (int k = 0; k < POINTS; ++k) {
		double partials = 0.0;
		assert_within(histogram->intensity_per_atom[k], exact->intensity_per_atom[k],
			      histogram->error_estimate[k] + exact->error_estimate[k], "histogram");
		for (int p = 0; p < exact->pair_count; ++p)
			partials += exact->partial_intensity[p * POINTS + k];
		assert_close(partials, exact->intensity_per_atom[k], 1e-12, "partials");
	}
	assert_true(histogram->largest_error < 1e-5);
	sonde_debye_result_free(&exact);
	sonde_debye_result_free(&histogram);
	ensemble_free(&ensemble);
	sonde_context_free(&context);
	sonde_atoms_free(&ball);
	sonde_atoms_free(&atoms);
}

static void check_refused(const sonde_atoms *atoms, const sonde_debye_options *options, const char *words)
{
	sonde_context *context = make_context(1);
	sonde_debye_result *result;

	assert_int_equal(sonde_debye_run(context, atoms, options, &result), SONDE_INVALID);
	if (strstr(sonde_status_message(), words) == NULL)
		fail_msg("'%s' is not in: %s", words, sonde_status_message());
	sonde_context_free(&context);
}

static void test_samples_without_copies_are_refused(void **state)
{
	sonde_atoms *structure = make_structure(), *atoms = make_copies(structure, 5);
	sonde_debye_options options = options_for(SONDE_DEBYE_COPIES_AVERAGED, EXACT, UNIT);
	(void)state;

	check_refused(structure, &options, "not known to consist of copies");
	options.copy_atoms = 5;
	check_refused(atoms, &options, "not a whole number of copies");
	options.copy_atoms = 2;
	check_refused(atoms, &options, "copy 2 differs from copy 1");
	options.copy_atoms = 0;
	options.counts = 1;
	check_refused(atoms, &options, "not counted");
	options.counts = 0;
	options.precision = SONDE_DEBYE_PRECISION_FLOAT32;
	check_refused(atoms, &options, "in float64");
	options = options_for(SONDE_DEBYE_COPIES_EXACT, EXACT, UNIT);
	options.copy_atoms = 4;
	check_refused(atoms, &options, "is for copies = averaged");
	sonde_atoms_free(&structure);
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_averaged_intensity_is_the_mean_over_orientations),
	    cmocka_unit_test(test_a_compact_mixture_is_that_of_all_atoms),
	    cmocka_unit_test(test_averaged_intensity_of_a_mixture),
	    cmocka_unit_test(test_independent_copies_of_a_mixture),
	    cmocka_unit_test(test_far_copies_are_independent),
	    cmocka_unit_test(test_copies_of_single_atoms_are_exact),
	    cmocka_unit_test(test_independent_copies_scatter_as_one),
	    cmocka_unit_test(test_methods_agree_within_the_error_stated),
	    cmocka_unit_test(test_samples_without_copies_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
