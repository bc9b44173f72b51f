/* The same structure in the formats of several programs. */
#include "unit/read_atoms.h"

#include <stdio.h>

#include "matter/files/structure_files.h"

static const char *const files[] = {"oxide.xyz", "oxide.vasp", "POSCAR_cartesian", "oxide.lmp", "oxide.dump"};

static sonde_atoms *read_file(const char *name)
{
	char path[500];
	sonde_atoms *atoms;

	snprintf(path, sizeof path, "%s/%s", STRUCTURES, name);
	assert_status(SONDE_OK, sonde_atoms_read(NULL, path, 1, &atoms));
	return atoms;
}

static double distance(const sonde_atoms *atoms, int i, int j)
{
	const double *a = sonde_atoms_positions(atoms) + 3 * i, *b = sonde_atoms_positions(atoms) + 3 * j;

	return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* By hand: with a = (4, 0, 0), b = (1, 5, 0), c = (1/2, -4/5, 6), O at (a + b + c)/2 = (2.75, 2.1, 3) and at a/4 + 3b/4 + c/10 =
 * (1.8, 3.67, 0.6). */
static void test_all_formats_give_the_same_distances(void **unused)
{
	(void)unused;
	for (size_t k = 0; k < COUNT(files); ++k) {
		sonde_atoms *atoms = read_file(files[k]);
		assert_int_equal(sonde_atoms_count(atoms), 3);
		assert_string_equal(sonde_atoms_species_label(atoms, 0), "Si");
		assert_int_equal(sonde_atoms_species_atoms(atoms, 1), 2);
		assert_within(distance(atoms, 0, 1), sqrt(2.75 * 2.75 + 2.1 * 2.1 + 3.0 * 3.0), 1e-12, files[k]);
		assert_within(distance(atoms, 0, 2), sqrt(1.8 * 1.8 + 3.67 * 3.67 + 0.6 * 0.6), 1e-12, files[k]);
		assert_within(distance(atoms, 1, 2), sqrt(0.95 * 0.95 + 1.57 * 1.57 + 2.4 * 2.4), 1e-12, files[k]);
		const double cell[9] = {4, 0, 0, 1, 5, 0, 0.5, -0.8, 6};
		for (int c = 0; c < 9; ++c)
			assert_within(sonde_atoms_cell(atoms)[c], cell[c], 1e-12, files[k]);
		sonde_atoms_free(&atoms);
	}
}

static void test_formats_by_name(void **unused)
{
	static const char *const known[] = {"POSCAR",         "x/CONTCAR_1", "POSCAR.gz",   "a.vasp",
					    "a.poscar.gz",    "a.lmp",       "a.data",      "a.lammps",
					    "a.lammpstrj.gz", "a.dump",      "POSCAR/a.dcd"},
				 *const others[] = {"POSCAR.xyz", "a.xyz",       "POSCAR/a",
						    "a.poscarx",  "CONTCAR.cif", "lmp"};

	(void)unused;
	for (size_t k = 0; k < COUNT(known); ++k)
		assert_non_null(structure_reader_of(known[k]));
	for (size_t k = 0; k < COUNT(others); ++k)
		assert_null(structure_reader_of(others[k]));
	sonde_atoms *atoms;
	assert_invalid("without labels of atoms", sonde_atoms_read(NULL, "a.dcd", 0, &atoms));
}

static void test_elements_by_name_and_mass(void **unused)
{
	(void)unused;
	assert_string_equal(structure_element(NULL, "Co2+", 0), "Co2+");
	assert_string_equal(structure_element(NULL, "CT", 12.011), "C");
	assert_string_equal(structure_element(NULL, "", 58.7), "Ni"); /* 58.69; Co has 58.93 */
	assert_string_equal(structure_element(NULL, "", 39.95), "Ar");
	assert_string_equal(structure_element(NULL, "", 40.08), "Ca");
	assert_string_equal(structure_element(NULL, "", 2.014), "D");
	assert_null(structure_element(NULL, "", 1.5));
	assert_null(structure_element(NULL, "CT", 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_all_formats_give_the_same_distances),
	    cmocka_unit_test(test_formats_by_name),
	    cmocka_unit_test(test_elements_by_name_and_mass),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
