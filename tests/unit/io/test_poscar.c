/* VASP's POSCAR. */
#include "unit/read_atoms.h"

static const double edges[9] = {4, 0, 0, 1, 5, 0, 0.5, -0.8, 6};

#define CELL "2.0\n2 0 0\n.5 2.5 0\n.25 -.4 3\n"

static void test_direct_coordinates(void **unused)
{
	sonde_atoms *atoms =
	    read_text("POSCAR", "title\n" CELL "Si O\n1 2\nDirect\n0 0 0\n.5 .5 .5\n.25 .75 .1\n", 0);

	(void)unused;
	assert_int_equal(sonde_atoms_count(atoms), 3);
	assert_atom(atoms, 0, "Si", 0, 0, 0);
	assert_atom(atoms, 1, "O", 2.75, 2.1, 3);
	assert_atom(atoms, 2, "O", 1.8, 3.67, 0.6);
	assert_cell(atoms, edges, 1);
	sonde_atoms_free(&atoms);
}

static void test_cartesian_coordinates_are_scaled(void **unused)
{
	sonde_atoms *atoms =
	    read_text("CONTCAR.1", "title\r\n" CELL "Si O\n1 1\nSelective\ncart\n0 0 1 T T T\n1 2 3 F F T\n", 1);

	(void)unused;
	assert_atom(atoms, 0, "Si", 0, 0, 2);
	assert_atom(atoms, 1, "O", 2, 4, 6);
	sonde_atoms_free(&atoms);
	/* factors of x, y and z */
	atoms = read_text("a.poscar", "\n2 3 4\n1 0 0\n1 1 0\n0 0 1\nH\n1\nK\n1 1 1\n", 0);
	assert_atom(atoms, 0, "H", 2, 3, 4);
	assert_cell(atoms, (const double[9]){2, 0, 0, 2, 3, 0, 0, 0, 4}, 1);
	sonde_atoms_free(&atoms);
}

static void test_negative_factor_is_the_volume(void **unused)
{
	sonde_atoms *atoms = read_text("a.vasp", "\n-120\n2 0 0\n.5 2.5 0\n.25 -.4 3\nU_3\n1\nD\n.5 .5 .5\n", 0);

	(void)unused;
	assert_cell(atoms, edges, 1);
	assert_atom(atoms, 0, "U", 2.75, 2.1, 3);
	sonde_atoms_free(&atoms);
}

static void test_what_is_refused(void **unused)
{
	(void)unused;
	assert_refused("POSCAR", "", "the file ends before");
	assert_refused("POSCAR", "t\nabc\n", ":2: the second line");
	assert_refused("POSCAR", "t\n0\n", ":2: the scale factor is 0");
	assert_refused("POSCAR", "t\n1\n1 0\n", ":3: lines 3 to 5");
	assert_refused("POSCAR", "t\n1\n1 0 0\n0 1 0\n1 1 0\nH\n1\nD\n0 0 0\n", ":5: the volume of the cell is zero");
	assert_refused("POSCAR", "t\n-9\n1 0 0\n0 1 0\n1 1 0\nH\n1\nD\n0 0 0\n",
		       ":5: the volume of the cell is zero");
	assert_refused("POSCAR", "t\n" CELL "1 2\nD\n",
		       ":6: the names of the species are missing (a file of VASP 4): add");
	assert_refused("POSCAR", "t\n" CELL "Si O\n1\nD\n", ":7: a line of numbers of atoms, one for each of the 2");
	assert_refused("POSCAR", "t\n" CELL "Si\n1 2\nD\n", ":7: a line of numbers");
	assert_refused("POSCAR", "t\n" CELL "Si\n1\n0 0 0\n", ":8: 'Direct' or 'Cartesian'");
	assert_refused("POSCAR", "t\n" CELL "Si\n2\nD\n0 0 0\n", ":9: the file ends before the last atom");
	assert_refused("POSCAR", "t\n" CELL "Si\n999999999999999\nD\n0 0 0\n", ":9: the file ends");
	assert_refused("POSCAR", "t\n" CELL "Si\n1\nD\n0 nan 0\n", ":9: y = 'nan' is not a finite number");
	assert_refused("POSCAR", "t\n" CELL "Si\n1\nD\n0 0\n", ":9: an atom needs three coordinates");
	assert_refused("POSCAR", "t\n" CELL "Si\n1\nD\n0 0 1e9\n", "beyond 1e+07 Angstrom");
	assert_refused("POSCAR", "t\n" CELL "Si\n1\nS\nD\n0 0 1\n", ":10: after 'Selective dynamics'");
	sonde_atoms *atoms;
	assert_invalid("frame 2 does not exist",
		       sonde_atoms_read(NULL, test_write_text("POSCAR", "t\n" CELL "Si\n1\nD\n0 0 0\n"), 2, &atoms));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_direct_coordinates),
	    cmocka_unit_test(test_cartesian_coordinates_are_scaled),
	    cmocka_unit_test(test_negative_factor_is_the_volume),
	    cmocka_unit_test(test_what_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
