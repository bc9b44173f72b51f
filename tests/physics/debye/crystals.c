/* Crystals whose distances are all known: cubic lattices, where pairs are counted by integer squared distances. */
#include "physics/physics.h"

#define HISTOGRAM SONDE_DEBYE_METHOD_HISTOGRAM
#define UNIT SONDE_DEBYE_FACTORS_UNIT
#define AUTO SONDE_DEBYE_FACTORS_AUTO

static void test_gold_of_10005_atoms_scatters_by_its_distances(void **state)
{
	sonde_atoms *atoms = build_sphere(SONDE_BUILD_CELL_FCC, "Au", 4.0782, 34.4);
	(void)state;

	check_count(atoms, 10005);
	check_lattice("Au 10,005", atoms, 4.0782 / 2, UNIT, 200);
	sonde_atoms_free(&atoms);
}

static void test_gold_of_49901_atoms_scatters_by_its_distances(void **state)
{
	sonde_atoms *atoms = build_sphere(SONDE_BUILD_CELL_FCC, "Au", 4.0782, 58.7);
	(void)state;

	check_count(atoms, 49901);
	check_lattice("Au 49,901", atoms, 4.0782 / 2, AUTO, is_thorough() ? 8 : 0);
	sonde_atoms_free(&atoms);
}

/* Lattices whose spacing is a multiple of the bins' width, so that every distance along an axis lies on the edge of a
 * bin; and grids of q that end early, for which the bins are wide. */
static void test_distances_on_edges_of_bins_and_short_grids_are_exact(void **state)
{
	sonde_atoms *simple = build_cells(SONDE_BUILD_CELL_SC, "Fe", 4.0, 16);
	sonde_atoms *perovskite = build_cells(SONDE_BUILD_CELL_PEROVSKITE, "Sr,Ti,O", 4.0, 9);
	sonde_atoms *sphere = build_sphere(SONDE_BUILD_CELL_DIAMOND, "Si", 5.431, 24.0);
	static const double lasts[] = {0.5, 2.5, 20.0, 75.0};
	(void)state;

	check_lattice("sc, a = 4, 4,096", simple, 4.0, UNIT, 20);
	check_lattice("perovskite, a = 4, 3,645", perovskite, 2.0, AUTO, 20);
	check_lattice("diamond, 2,917", sphere, 5.431 / 4, AUTO, 20);
	for (int k = 0; k < 4; ++k) {
		char what[64];
		sonde_debye_result *result = run_simply(sphere, HISTOGRAM, UNIT, 0.01, lasts[k], 400);
		double *truth = lattice_intensity(sphere, 5.431 / 4, result);
		snprintf(what, sizeof what, "diamond, q up to %g", lasts[k]);
		check_intensity(what, result, truth, 1e-6, 1e-6);
		free(truth);
		sonde_debye_result_free(&result);
	}
	sonde_atoms_free(&simple);
	sonde_atoms_free(&perovskite);
	sonde_atoms_free(&sphere);
}

/* One lattice, many species: the distances of all pairs of species are the same, and so are their roundings. */
static void test_many_species_on_one_lattice_are_exact(void **state)
{
	static const char *const labels[] = {"Au", "Ag", "Cu", "Ni", "Co", "Fe", "Pt", "Pd", "Cr", "Mn"};
	sonde_atoms *lattice = build_sphere(SONDE_BUILD_CELL_FCC, "Au", 3.9, 34.5), *atoms = empty_sample();
	const double *r = sonde_atoms_positions(lattice);
	(void)state;

	for (int64_t i = 0; i < sonde_atoms_count(lattice); ++i)
		add_atom(atoms, labels[(int)(10.0 * uniform_number(3, (uint64_t)i))], r[3 * i], r[3 * i + 1],
			 r[3 * i + 2]);
	assert_true(sonde_atoms_count(atoms) > 10000);
	check_lattice("fcc, ten species", atoms, 3.9 / 2, AUTO, 20);
	sonde_atoms_free(&lattice);
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_gold_of_10005_atoms_scatters_by_its_distances),
	    cmocka_unit_test(test_gold_of_49901_atoms_scatters_by_its_distances),
	    cmocka_unit_test(test_distances_on_edges_of_bins_and_short_grids_are_exact),
	    cmocka_unit_test(test_many_species_on_one_lattice_are_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
