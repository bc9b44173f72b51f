/* The largest crystals: NaCl of 64,000 atoms and CoO of 148,597. */
#include "physics/physics.h"

#define AUTO SONDE_DEBYE_FACTORS_AUTO

static void test_rock_salt_of_64000_atoms_scatters_by_its_distances(void **state)
{
	sonde_atoms *atoms = build_cells(SONDE_BUILD_CELL_ROCKSALT, "Na1+,Cl1-", 5.64, 20);
	(void)state;

	check_count(atoms, 64000);
	check_lattice("NaCl 64,000", atoms, 5.64 / 2, AUTO, is_thorough() ? 3 : 0);
	sonde_atoms_free(&atoms);
}

static void test_cobalt_oxide_of_148597_atoms_scatters_by_its_distances(void **state)
{
	(void)state;

	if (!is_thorough()) /* half a minute of one core */
		skip();
	sonde_atoms *atoms = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.2614, 70.0);
	check_count(atoms, 148597);
	check_lattice("CoO 148,597", atoms, 4.2614 / 2, AUTO, 0);
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_rock_salt_of_64000_atoms_scatters_by_its_distances),
	    cmocka_unit_test(test_cobalt_oxide_of_148597_atoms_scatters_by_its_distances),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
