/* The numbers of pairs kept from a histogram, and the radial distribution functions computed from them, compared with
 * all pairs of a crystal, sorted by squared distance in units of a lattice's points. */
#include "physics/physics.h"

#include <unistd.h>

#include "io/containers/hdf5.h"

#define HALF 2.13 /* of a rock salt's edge, Angstrom */
#define SHELLS 2000

/* numbers of pairs by species (aa ab bb) and (r/HALF)^2, weighted with the occupancies, which may be null */
static void count_shells(const sonde_atoms *atoms, const double *occupancies, double shells[3][SHELLS])
{
	const double *r = sonde_atoms_positions(atoms);
	const uint16_t *species = sonde_atoms_species(atoms);

	memset(shells, 0, 3 * SHELLS * sizeof(double));
	for (int64_t i = 0; i < sonde_atoms_count(atoms); ++i) {
		for (int64_t j = i + 1; j < sonde_atoms_count(atoms); ++j) {
			double square = 0.0;
			for (int k = 0; k < 3; ++k)
				square += (r[3 * i + k] - r[3 * j + k]) * (r[3 * i + k] - r[3 * j + k]);
			long shell = lround(square / (HALF * HALF));
			assert_true(shell < SHELLS);
			shells[species[i] + species[j]][shell] +=
			    occupancies != NULL ? occupancies[i] * occupancies[j] : 1.0;
		}
	}
}

static void check_counts(const sonde_debye_result *result, double shells[3][SHELLS])
{
	static double found[SHELLS];

	for (int p = 0; p < 3; ++p) {
		memset(found, 0, sizeof found);
		for (int64_t b = 0; b < result->counted_bins; ++b) {
			double pairs = result->counted_pairs[p * result->counted_bins + b];
			double r = result->counted_distances[p * result->counted_bins + b];
			if (pairs == 0.0)
				continue;
			long shell = lround(r * r / (HALF * HALF));
			assert_within(r, HALF * sqrt((double)shell), 1e-8, "r");
			/* in the bin where it lies */
			assert_within(r / result->bin_width, (double)b + 0.5, 0.5 + 1e-6, "r bin width");
			found[shell] += pairs;
		}
		for (int k = 0; k < SHELLS; ++k)
			assert_close(found[k], shells[p][k], 1e-12, "found");
	}
}

static void check_radial(const sonde_debye_result *result, double shells[3][SHELLS], double density)
{
	double step = (result->r[result->r_count - 1] - result->r[0]) / (double)(result->r_count - 1);

	for (int64_t k = 0; k < result->r_count; ++k) {
		double total = 0.0, within = 0.0, from = result->r[k] - 0.5 * step, to = from + step;
		for (int p = 0; p < 3; ++p) {
			double pairs = 0.0, near = 0.0;
			for (int n = 0; n < SHELLS; ++n)
				near += HALF * sqrt((double)n) <= result->r[k] ? shells[p][n] : 0.0;
			within += 2.0 * near / result->atoms_present;
			assert_close(result->partial_running_coordination[p * result->r_count + k],
				     (p == 1 ? 1.0 : 2.0) * near / result->species_present[p == 2], 1e-12, "n_ab");
			for (int n = 0; n < SHELLS; ++n)
				pairs += HALF * sqrt((double)n) >= from && HALF * sqrt((double)n) < to ? shells[p][n]
												       : 0.0;
			double around = (p == 1 ? 1.0 : 2.0) * pairs / result->species_present[p == 2] / step;
			total += 2.0 * pairs / result->atoms_present / step;
			assert_close(result->partial_radial_distribution[p * result->r_count + k], around, 1e-12,
				     "partial radial distribution");
		}
		assert_close(result->radial_distribution[k], total, 1e-12, "radial distribution");
		assert_close(result->running_coordination[k], within, 1e-12, "n");
		double g = total / (4.0 * PI * result->r[k] * result->r[k] * density);
		assert_close(result->pair_correlation[k], g, 1e-12, "pair correlation");
	}
}

/* The file holds the numbers of the result. */
static void check_file(const sonde_debye_result *result)
{
	static const char *const paths[] = {"/debye/pair_counts/pairs", "/debye/pair_counts/mean_distance",
					    "/debye/radial_distribution/R", "/debye/radial_distribution/R_ab",
					    "/debye/radial_distribution/g"};
	const double *values[] = {result->counted_pairs, result->counted_distances, result->radial_distribution,
				  result->partial_radial_distribution, result->pair_correlation};
	int64_t pairs = result->pair_count, sizes[] = {pairs * result->counted_bins, pairs * result->counted_bins,
						       result->r_count, pairs * result->r_count, result->r_count};
	struct hdf5_reader *reader;
	char path[64];

	snprintf(path, sizeof path, "counts-%d.h5", (int)getpid());
	assert_int_equal(sonde_debye_result_write(result, path, 1), SONDE_OK);
	assert_int_equal(hdf5_reader_open(&reader, path), SONDE_OK);
	for (int k = 0; k < 5; ++k) {
		double *read;
		int64_t count;
		assert_int_equal(hdf5_reader_reals(reader, paths[k], &read, &count), SONDE_OK);
		assert_int_equal(count, sizes[k]);
		assert_memory_equal(read, values[k], (size_t)count * sizeof *read);
		free(read);
	}
	hdf5_reader_close(&reader);
	unlink(path);
}

static sonde_debye_options counting(void)
{
	sonde_debye_options options = options_of(SONDE_DEBYE_METHOD_AUTO, SONDE_DEBYE_FACTORS_UNIT, 0.5, 20.0, 20);

	options.counts = 1;
	options.density = 0.1;
	options.r = (sonde_grid){0.7, 20.2, 40};
	return options;
}

static void test_pairs_are_those_of_the_crystal(void **state)
{
	static double shells[3][SHELLS];
	sonde_atoms *atoms = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 2.0 * HALF, 15.0);
	int64_t count = sonde_atoms_count(atoms);
	double *occupancies = calloc((size_t)count, sizeof *occupancies);
	sonde_debye_options options = counting();
	(void)state;

	assert_non_null(occupancies);
	sonde_debye_result *whole = run(atoms, &options);
	assert_int_equal(whole->options->method, SONDE_DEBYE_METHOD_HISTOGRAM);
	count_shells(atoms, NULL, shells);
	check_counts(whole, shells);
	check_radial(whole, shells, options.density);
	check_file(whole);
	/* six oxygens around a cobalt, but for those at the surface */
	assert_true(whole->partial_radial_distribution[whole->r_count + 3] * 0.5 > 5.0 &&
		    whole->partial_radial_distribution[whole->r_count + 3] * 0.5 < 6.0);
	sonde_debye_result_free(&whole);
	for (int64_t i = 0; i < count; ++i)
		occupancies[i] = sonde_atoms_species(atoms)[i] == 0 ? 0.25 : i % 2 ? 0.5 : 1.0;
	assert_int_equal(sonde_atoms_set_occupancies(atoms, occupancies), SONDE_OK);
	sonde_debye_result *sites = run(atoms, &options);
	count_shells(atoms, occupancies, shells);
	check_counts(sites, shells);
	check_radial(sites, shells, options.density);
	sonde_debye_result_free(&sites);
	sonde_atoms_free(&atoms);
	free(occupancies);
}

/* Sites that exclude each other are no neighbors. */
static void test_sites_that_exclude_each_other_are_not_neighbors(void **state)
{
	sonde_atoms *atoms = empty_sample();
	sonde_debye_options options = counting();
	(void)state;

	add_atom(atoms, "Co", 0, 0, 0);
	add_atom(atoms, "O", 0, 0, 0.3);
	add_atom(atoms, "O", 0, 0, 5);
	assert_int_equal(sonde_atoms_set_occupancies(atoms, (const double[]){0.5, 0.5, 1.0}), SONDE_OK);
	options.r = (sonde_grid){0.0, 20.0, 201};
	sonde_debye_result *result = run(atoms, &options);
	double sum = 0.0;
	for (int64_t k = 0; k < result->r_count; ++k) {
		sum += 0.1 * result->radial_distribution[k] * result->atoms_present;
		assert_true(k > 40 || result->radial_distribution[k] == 0.0);
	}
	assert_within(sum, 2.0 * (0.5 + 0.5), 1e-12, "sum");
	sonde_debye_result_free(&result);
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_pairs_are_those_of_the_crystal),
	    cmocka_unit_test(test_sites_that_exclude_each_other_are_not_neighbors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
