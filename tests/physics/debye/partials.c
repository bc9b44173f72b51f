/* Partial curves and pair counts: identities, and the same pairs without the other species. */
#include "physics/physics.h"

#include <string.h>

#define EXACT SONDE_DEBYE_METHOD_EXACT
#define HISTOGRAM SONDE_DEBYE_METHOD_HISTOGRAM
#define REFERENCE SONDE_DEBYE_METHOD_REFERENCE
#define AUTO SONDE_DEBYE_FACTORS_AUTO

/* A perovskite of `species` with disorder. */
static sonde_atoms *make_perovskite(const char *species, double radius)
{
	sonde_atoms *crystal = build_sphere(SONDE_BUILD_CELL_PEROVSKITE, species, 3.905, radius);
	sonde_atoms *atoms = displace(crystal, 0.05, 21);

	sonde_atoms_free(&crystal);
	return atoms;
}

/* I/N = sum I_ab; S - 1 = sum c_a c_b Re(f_a f_b*)/<f>^2 (S_ab - 1), in which I_ab gives Re(f_a f_b*). */
static void check_sums(const sonde_debye_result *r, double tolerance)
{
	double n = (double)r->atom_count;

	for (int64_t k = 0; k < r->q_count; ++k) {
		double sum = 0.0, s = 1.0, size = 0.0, square = r->square_mean_amplitude[k];
		double scale = r->mean_square_amplitude[k] + r->intensity_per_atom[k];
		for (int p = 0; p < r->pair_count; ++p) {
			double ca = (double)r->species_atoms[r->pair_a[p]] / n,
			       cb = (double)r->species_atoms[r->pair_b[p]] / n;
			double part = r->partial_intensity[p * r->q_count + k];
			double s_ab = r->partial_structure_factor[p * r->q_count + k];
			double ordered = r->pair_a[p] == r->pair_b[p] ? 1.0 : 2.0,
			       self = r->pair_a[p] == r->pair_b[p] ? ca : 0.0;
			/* I_ab = Re(f_a f_b*) (c_a [a = b] + (2 if a != b) c_a c_b (S_ab - 1)) */
			double weight = self + ordered * ca * cb * (s_ab - 1.0);
			sum += part;
			size += fabs(part);
			if (fabs(weight) > 1e-6 * ca * cb)
				s += ordered * ca * cb * part / weight / square * (s_ab - 1.0);
		}
		assert_within(sum, r->intensity_per_atom[k], 1e-13 * size, "sum");
		assert_within(s, r->structure_factor[k], tolerance * (size + scale) / square, "s");
	}
}

static void test_partials_add_up_to_the_whole(void **state)
{
	sonde_atoms *xrays = make_perovskite("Sr2+,Ti4+,O", 15.0), *neutrons = make_perovskite("Gd,B,H", 15.0);
	static const int methods[] = {EXACT, HISTOGRAM, REFERENCE};
	(void)state;

	for (int m = 0; m < 3; ++m) {
		sonde_debye_options options = options_of(methods[m], AUTO, 0.0, 20.0, 51);
		sonde_debye_result *result = run(xrays, &options);
		check_sums(result, 1e-12);
		sonde_debye_result_free(&result);
		options.radiation = SONDE_DEBYE_RADIATION_NEUTRON;
		result = run(neutrons, &options);
		check_sums(result, 1e-12);
		sonde_debye_result_free(&result);
	}
	sonde_atoms_free(&xrays);
	sonde_atoms_free(&neutrons);
}

static sonde_atoms *only_species(const sonde_atoms *atoms, int species)
{
	sonde_atoms *some = empty_sample();
	const double *r = sonde_atoms_positions(atoms);

	for (int64_t i = 0; i < sonde_atoms_count(atoms); ++i)
		if (sonde_atoms_species(atoms)[i] == species)
			add_atom(some, sonde_atoms_species_label(atoms, species), r[3 * i], r[3 * i + 1],
				 r[3 * i + 2]);
	return some;
}

/* The number that a sample gives to a label; results go by the order of the labels. */
static int species_of_label(const sonde_atoms *atoms, const char *label)
{
	int s = 0;

	while (strcmp(sonde_atoms_species_label(atoms, s), label) != 0)
		++s;
	return s;
}

/* I_aa is the I of the sample's atoms of species a alone, and N_a (S_aa - 1)/N their S - 1. */
static void test_partial_of_one_species_is_that_of_its_atoms_alone(void **state)
{
	sonde_atoms *atoms = make_perovskite("Sr,Ti,O", 18.0);
	(void)state;

	for (int method = EXACT; method <= HISTOGRAM; ++method) {
		sonde_debye_result *all = run_simply(atoms, method, AUTO, 0.1, 20.0, 100);
		for (int a = 0; a < 3; ++a) {
			int p = a == 0 ? 0 : a == 1 ? 3 : 5;
			sonde_atoms *some = only_species(atoms, species_of_label(atoms, all->species_label[a]));
			sonde_debye_result *alone = run_simply(some, method, AUTO, 0.1, 20.0, 100);
			double share = (double)alone->atom_count / (double)all->atom_count;
			assert_true(all->pair_a[p] == a && all->pair_b[p] == a);
			assert_int_equal(all->pair_pairs[p], alone->pair_pairs[0]);
			for (int64_t k = 0; k < 100; ++k) {
				double whole = all->partial_intensity[p * 100 + k] / share,
				       part = alone->intensity_per_atom[k];
				double s = (all->partial_structure_factor[p * 100 + k] - 1.0) * share;
				/* the bins of the part and of the whole are the same */
				double allowed = 1e-12 * (alone->mean_square_amplitude[k] + part);
				assert_within(whole, part, allowed, "whole");
				assert_within(s, alone->structure_factor[k] - 1.0,
					      2.0 * allowed / alone->mean_square_amplitude[k], "s");
			}
			sonde_debye_result_free(&alone);
			sonde_atoms_free(&some);
		}
		sonde_debye_result_free(&all);
	}
	sonde_atoms_free(&atoms);
}

/* I_ab of two species = I of both less I of each. */
static void test_cross_partial_is_both_less_each(void **state)
{
	sonde_atoms *atoms = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Na1+,Cl1-", 5.64, 20.0);
	sonde_atoms *sodium = only_species(atoms, 0), *chlorine = only_species(atoms, 1);
	(void)state;

	for (int method = EXACT; method <= HISTOGRAM; ++method) {
		sonde_debye_result *both = run_simply(atoms, method, AUTO, 0.1, 20.0, 100);
		sonde_debye_result *na = run_simply(sodium, method, AUTO, 0.1, 20.0, 100);
		sonde_debye_result *cl = run_simply(chlorine, method, AUTO, 0.1, 20.0, 100);
		for (int64_t k = 0; k < 100; ++k) {
			double cross = both->intensity[k] - na->intensity[k] - cl->intensity[k];
			double part = both->partial_intensity[100 + k] * (double)both->atom_count;
			assert_within(cross, part, 1e-11 * (both->intensity[k] + na->intensity[k] + cl->intensity[k]),
				      "cross");
		}
		sonde_debye_result_free(&both);
		sonde_debye_result_free(&na);
		sonde_debye_result_free(&cl);
	}
	sonde_atoms_free(&atoms);
	sonde_atoms_free(&sodium);
	sonde_atoms_free(&chlorine);
}

/* Numbers of pairs, of samples whose tiles are full, nearly full and of one atom; a run by histogram fails if its
 * own count differs. */
static void test_pairs_are_counted(void **state)
{
	static const int counts[][3] = {{1, 1, 1},      {511, 1, 0},   {512, 512, 1},    {513, 17, 2},
					{1024, 15, 16}, {1025, 7, 33}, {3000, 2049, 127}};
	static const char *const labels[] = {"Ag", "Au", "Cu"}; /* in the order of results */
	(void)state;

	for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c) {
		sonde_atoms *atoms = empty_sample();
		uint64_t random = 0;
		for (int s = 0; s < 3; ++s) {
			for (int i = 0; i < counts[c][s]; ++i, random += 3)
				add_atom(atoms, labels[s], 30.0 * uniform_number(31, random),
					 30.0 * uniform_number(31, random + 1),
					 30.0 * uniform_number(31, random + 2));
		}
		for (int method = EXACT; method <= HISTOGRAM; ++method) {
			/* at q = 0.001 nearly every pair counts 1, so that a lost pair shows in I */
			sonde_debye_result *result =
			    run_simply(atoms, method, SONDE_DEBYE_FACTORS_UNIT, 0.0, 1e-3, 2);
			int64_t pairs = 0, n = result->atom_count;
			for (int p = 0; p < result->pair_count; ++p) {
				int64_t a = counts[c][result->pair_a[p]], b = counts[c][result->pair_b[p]];
				assert_int_equal(result->pair_pairs[p],
						 result->pair_a[p] == result->pair_b[p] ? a * (a - 1) / 2 : a * b);
				pairs += result->pair_pairs[p];
				/* sum of sinc over the pairs of a and b: between those of r = 0 and of 52 A */
				double sum =
				    (result->partial_structure_factor[2 * p + 1] - 1.0) * (double)(a * b) / (double)n;
				double sinc_sum = result->pair_a[p] == result->pair_b[p] ? sum / 2.0 : sum;
				assert_true(sinc_sum <= (double)result->pair_pairs[p] * (1.0 + 1e-12));
				assert_true(sinc_sum >=
					    (double)result->pair_pairs[p] * (1.0 - 0.052 * 0.052 / 6.0 - 1e-12));
			}
			assert_int_equal(pairs, n * (n - 1) / 2);
			assert_true(result->intensity[0] == (double)n * (double)n ||
				    fabs(result->intensity[0] / ((double)n * (double)n) - 1.0) < 1e-14);
			sonde_debye_result_free(&result);
		}
		sonde_atoms_free(&atoms);
	}
}

/* Blocks of a sample: three parts of a disordered crystal. */
static sonde_atoms *part_of(const sonde_atoms *atoms, const int64_t *blocks, int wanted)
{
	sonde_atoms *part = empty_sample();
	const double *r = sonde_atoms_positions(atoms);

	for (int64_t i = 0; i < sonde_atoms_count(atoms); ++i)
		if ((1 << blocks[i]) & wanted)
			add_atom(part, sonde_atoms_species_label(atoms, sonde_atoms_species(atoms)[i]), r[3 * i],
				 r[3 * i + 1], r[3 * i + 2]);
	return part;
}

/* I of some of the blocks alone. */
static sonde_debye_result *run_part(const sonde_atoms *atoms, const int64_t *blocks, int wanted,
				    const sonde_debye_options *options)
{
	sonde_debye_options whole = *options;
	sonde_atoms *part = part_of(atoms, blocks, wanted);

	whole.partials = SONDE_DEBYE_PARTIALS_SPECIES;
	sonde_debye_result *result = run(part, &whole);
	sonde_atoms_free(&part);
	return result;
}

static void check_blocks(const sonde_debye_result *result, const sonde_atoms *atoms, const int64_t *blocks,
			 const sonde_debye_options *options, double tolerance)
{
	sonde_debye_result *alone[3];
	const double n = (double)result->atom_count;
	int pair = 0;

	for (int b = 0; b < 3; ++b)
		alone[b] = run_part(atoms, blocks, 1 << b, options);
	for (int a = 0; a < 3; ++a)
		for (int b = a; b < 3; ++b, ++pair) {
			sonde_debye_result *both = run_part(atoms, blocks, 1 << a | 1 << b, options);
			for (int64_t k = 0; k < result->q_count; ++k) {
				const double part = n * result->block_intensity[pair * result->q_count + k];
				const double expected =
				    a == b ? alone[a]->intensity[k]
					   : both->intensity[k] - alone[a]->intensity[k] - alone[b]->intensity[k];
				assert_within(part, expected,
					      tolerance * (both->intensity[k] + n * result->mean_square_amplitude[k]),
					      "block");
			}
			sonde_debye_result_free(&both);
		}
	for (int b = 0; b < 3; ++b)
		sonde_debye_result_free(&alone[b]);
}

/* Blocks and Laue's scattering survive a file. */
static void check_file(const sonde_debye_result *result)
{
	static const char path[] = "blocks_of_partials.h5";
	const size_t bytes = (size_t)result->q_count * sizeof(double);
	sonde_debye_result *again;

	assert_int_equal(sonde_debye_result_write(result, path, 1), SONDE_OK);
	assert_int_equal(sonde_debye_result_read(NULL, path, &again), SONDE_OK);
	assert_int_equal(again->block_count, result->block_count);
	assert_string_equal(again->block_label[1], result->block_label[1]);
	assert_memory_equal(again->block_atoms, result->block_atoms, 3 * sizeof(double));
	assert_memory_equal(again->block_intensity, result->block_intensity, 6 * bytes);
	assert_memory_equal(again->laue, result->laue, bytes);
	assert_memory_equal(again->intensity_without_laue, result->intensity_without_laue, bytes);
	sonde_debye_result_free(&again);
	remove(path);
}

/* The parts by pairs of blocks are the intensities of the blocks alone and of two of them; they add up to I/N; nothing else
 * changes. */
static void test_blocks(void **state)
{
	sonde_atoms *atoms = make_perovskite("Sr2+,Ti4+,O", 8.0);
	const int64_t count = sonde_atoms_count(atoms);
	int64_t *blocks = calloc((size_t)count, sizeof *blocks);
	(void)state;

	for (int64_t i = 0; i < count; ++i)
		blocks[i] = sonde_atoms_positions(atoms)[3 * i] < -2.0 ? 2 : i % 7 == 0 ? 1 : 0;
	blocks[0] = 0;
	blocks[1] = 1;
	assert_int_equal(sonde_atoms_set_blocks(atoms, blocks), SONDE_OK);
	for (int method = EXACT; method <= REFERENCE; ++method) {
		sonde_debye_options options = options_of(method, AUTO, 0.0, 20.0, 31);
		sonde_debye_result *plain = run(atoms, &options);
		options.partials = SONDE_DEBYE_PARTIALS_BLOCK;
		options.laue = 1;
		sonde_debye_result *result = run(atoms, &options);
		assert_int_equal(result->block_count, 3);
		assert_null(plain->block_intensity);
		assert_string_equal(result->block_label[2], "2");
		double atoms_of_blocks = 0.0;
		for (int b = 0; b < 3; ++b)
			atoms_of_blocks += result->block_atoms[b];
		assert_true(atoms_of_blocks == (double)count);
		for (int64_t k = 0; k < result->q_count; ++k) {
			double sum = 0.0, size = 0.0;
			for (int p = 0; p < 6; ++p) {
				sum += result->block_intensity[p * result->q_count + k];
				size += fabs(result->block_intensity[p * result->q_count + k]);
			}
			assert_within(sum, result->intensity_per_atom[k], 1e-13 * size, "sum");
			assert_within(plain->partial_intensity[k], result->partial_intensity[k],
				      (method == HISTOGRAM ? 1e-8 : 1e-12) * size, "partial");
		}
		check_file(result);
		check_blocks(result, atoms, blocks, &options, method == HISTOGRAM ? 1e-7 : 1e-12);
		sonde_debye_result_free(&result);
		sonde_debye_result_free(&plain);
	}
	free(blocks);
	sonde_atoms_free(&atoms);
}

/* <f^2> - <f>^2 per atom, which a random alloy scatters between its peaks; without it and at rest only the lattice of mean atoms is left. */
static void test_laue_scattering(void **state)
{
	sonde_atoms *alloy = empty_sample(), *mean = empty_sample();
	sonde_debye_options options = options_of(EXACT, AUTO, 0.5, 15.0, 30);
	double occupancies[128];
	int count = 0;
	(void)state;

	/* two species share each site of a cubic lattice */
	for (int i = 0; i < 64; ++i) {
		const double r[3] = {2.8 * (i % 4), 2.8 * (i / 4 % 4), 2.8 * (i / 16)};
		add_atom(alloy, "Cu", r[0], r[1], r[2]);
		add_atom(alloy, "Au", r[0], r[1], r[2]);
		add_atom(mean, "Cu", r[0], r[1], r[2]);
		occupancies[count++] = 0.75;
		occupancies[count++] = 0.25;
	}
	assert_int_equal(sonde_atoms_set_occupancies(alloy, occupancies), SONDE_OK);
	options.laue = 1;
	sonde_debye_result *result = run(alloy, &options), *lattice = run(mean, &options);
	for (int64_t k = 0; k < result->q_count; ++k) {
		const double fcu = sqrt(lattice->mean_square_amplitude[k]),
			     average = sqrt(result->square_mean_amplitude[k]), fau = (average - 0.75 * fcu) / 0.25;
		assert_close(result->laue[k], 0.75 * 0.25 * (fau - fcu) * (fau - fcu), 1e-10, "laue");
		assert_within(lattice->laue[k], 0.0, 1e-12 * fcu * fcu, "laue of one species");
		assert_within(result->intensity_without_laue[k],
			      lattice->intensity[k] * average * average / (fcu * fcu),
			      1e-11 * result->intensity[k] + 1e-9, "I - laue");
	}
	sonde_debye_result_free(&result);
	sonde_debye_result_free(&lattice);
	sonde_atoms_free(&alloy);
	sonde_atoms_free(&mean);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_partials_add_up_to_the_whole),
	    cmocka_unit_test(test_partial_of_one_species_is_that_of_its_atoms_alone),
	    cmocka_unit_test(test_cross_partial_is_both_less_each),
	    cmocka_unit_test(test_pairs_are_counted),
	    cmocka_unit_test(test_blocks),
	    cmocka_unit_test(test_laue_scattering),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
