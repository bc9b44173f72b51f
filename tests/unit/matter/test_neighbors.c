/* Neighbors: of crystals, and of random atoms by all pairs. */
#include "unit/support.h"

#include <math.h>
#include <stdlib.h>

#include "matter/atoms/neighbors.h"

/* A periodic primitive cell, whose edges may be shorter than the reach. */
static struct neighbors neighbors_of_cell(const double cell[9], const char *const labels[], const double (*places)[3],
					  int count)
{
	sonde_atoms *atoms;
	struct neighbors found;

	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	for (int i = 0; i < count; ++i)
		assert_status(SONDE_OK, sonde_atoms_add(atoms, labels[i], places[i]));
	assert_status(SONDE_OK, sonde_atoms_set_cell(atoms, cell, (int[3]){1, 1, 1}));
	assert_status(SONDE_OK, neighbors_find(NULL, atoms, &found));
	assert_true(found.centers == count);
	sonde_atoms_free(&atoms);
	return found;
}

static void test_first_shells_of_crystals(void **unused)
{
	static const double fcc[9] = {0, 2, 2, 2, 0, 2, 2, 2, 0},
			    bcc[9] = {-1.5, 1.5, 1.5, 1.5, -1.5, 1.5, 1.5, 1.5, -1.5};
	static const double places[2][3] = {{7.3, -8.1, 0.2}, {9.3, -8.1, 0.2}};
	static const char *const labels[] = {"Na", "Cl"};

	(void)unused;
	struct neighbors found = neighbors_of_cell(fcc, labels, places, 1);
	assert_close(found.shortest, sqrt(8.0), 1e-12, "distance");
	assert_close(found.pairs[0].coordination, 12.0, 1e-12, "neighbors");
	neighbors_free(&found);
	found = neighbors_of_cell(bcc, labels, places, 1);
	assert_close(found.mean, 1.5 * sqrt(3.0), 1e-12, "distance");
	assert_close(found.pairs[0].coordination, 8.0, 1e-12, "neighbors");
	neighbors_free(&found);
	/* rocksalt with an edge of 4 Angstrom */
	found = neighbors_of_cell(fcc, labels, places, 2);
	for (int p = 0; p < 4; ++p) {
		const bool other = p == 1 || p == 2;
		assert_close(found.pairs[p].coordination, other ? 6.0 : 12.0, 1e-12, "neighbors");
		assert_close(found.pairs[p].shortest, other ? 2.0 : sqrt(8.0), 1e-12, "distance");
	}
	neighbors_free(&found);
}

/* The distance of the nearest atom of species b from atom i, across boundaries along the edge 1; infinite beyond the reach. */
static double nearest_by_all_pairs(const sonde_atoms *atoms, int64_t i, int b, const double cell[9])
{
	const double *positions = sonde_atoms_positions(atoms);
	double least = INFINITY;

	for (int64_t j = 0; j < sonde_atoms_count(atoms); ++j) {
		for (int turn = -2; turn <= 2 && sonde_atoms_species(atoms)[j] == b; ++turn) {
			double square = 0.0;
			for (int k = 0; k < 3; ++k)
				square += pow(positions[3 * j + k] + turn * cell[3 + k] - positions[3 * i + k], 2.0);
			if ((j != i || turn != 0) && square <= NEIGHBORS_REACH * NEIGHBORS_REACH)
				least = fmin(least, sqrt(square));
		}
	}
	return least;
}

static void test_random_atoms_have_the_neighbors_of_all_pairs(void **unused)
{
	static const double cell[9] = {30, 2, 0, -3, 20, 4, 1, -2, -40};
	sonde_atoms *atoms;
	struct neighbors found;
	uint64_t state = 3;
	double sums[4] = {0}, counts[4] = {0};

	(void)unused;
	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	for (int i = 0; i < 600; ++i) {
		double place[3] = {0};
		for (int edge = 0; edge < 3; ++edge) {
			const double f = test_random_real(&state) + (edge == 1 ? 0.7 : 0.0);
			for (int k = 0; k < 3; ++k)
				place[k] += f * cell[3 * edge + k];
		}
		assert_status(SONDE_OK, sonde_atoms_add(atoms, i % 5 == 0 ? "Na" : "Cl", place));
	}
	assert_status(SONDE_OK, sonde_atoms_set_cell(atoms, cell, (int[3]){0, 1, 0}));
	assert_status(SONDE_OK, neighbors_find(NULL, atoms, &found));
	for (int64_t i = 0; i < 600; ++i) {
		for (int b = 0; b < 2; ++b) {
			const double least = nearest_by_all_pairs(atoms, i, b, cell);
			const int pair = 2 * sonde_atoms_species(atoms)[i] + b;
			sums[pair] += isinf(least) ? 0.0 : least;
			counts[pair] += !isinf(least);
		}
	}
	for (int p = 0; p < 4; ++p) {
		assert_true(counts[p] > 50);
		assert_close(found.pairs[p].mean, sums[p] / counts[p], 1e-9, "distance");
	}
	neighbors_free(&found);
	sonde_atoms_free(&atoms);
}

static void test_few_and_far_atoms(void **unused)
{
	sonde_atoms *atoms;
	struct neighbors found;

	(void)unused;
	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	assert_status(SONDE_OK, neighbors_find(NULL, atoms, &found));
	assert_true(found.centers == 0);
	assert_status(SONDE_OK, sonde_atoms_add(atoms, "Au", (double[3]){-1e7, 0, 0}));
	assert_status(SONDE_OK, sonde_atoms_add(atoms, "Au", (double[3]){1e7, 3, 0}));
	assert_status(SONDE_OK, neighbors_find(NULL, atoms, &found));
	assert_true(found.centers == 2 && found.shortest == 0.0);
	neighbors_free(&found);
	assert_status(SONDE_OK, sonde_atoms_add(atoms, "Au", (double[3]){1e7, 0, 4}));
	assert_status(SONDE_OK, neighbors_find(NULL, atoms, &found));
	assert_close(found.mean, 5.0, 1e-12, "distance");
	neighbors_free(&found);
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_first_shells_of_crystals),
	    cmocka_unit_test(test_random_atoms_have_the_neighbors_of_all_pairs),
	    cmocka_unit_test(test_few_and_far_atoms),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
