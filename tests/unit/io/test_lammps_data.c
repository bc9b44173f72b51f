/* Data files of LAMMPS. */
#include "unit/read_atoms.h"

#define HEAD "title\n\n2 atoms\n2 atom types\n0 4 xlo xhi\n0 5 ylo yhi\n0 6 zlo zhi\n"
#define MASSES "Masses\n\n1 28.08 # Si\n2 16.0\n\n"

static void test_triclinic_box_and_order_of_numbers(void **unused)
{
	sonde_atoms *atoms =
	    read_text("a.data",
		      "title\n3 atoms\n2 atom types\n1 5 xlo xhi\n2 7 ylo yhi\n3 9 zlo zhi\n"
		      "1 0.5 -0.8 xy xz yz\n\n" MASSES
		      "Atoms # full\n\n30 1 2 -1 2.8 5.67 3.6\n10 1 1 2.5 1 2 3 0 0 0\n20 1 2 -1.5 3.75 4.1 6\n"
		      "\nVelocities\n\n1 0 0 0\n",
		      0);

	(void)unused;
	assert_int_equal(sonde_atoms_count(atoms), 3);
	assert_atom(atoms, 0, "Si", 1, 2, 3);
	assert_atom(atoms, 1, "O", 3.75, 4.1, 6);
	assert_atom(atoms, 2, "O", 2.8, 5.67, 3.6);
	assert_cell(atoms, (const double[9]){4, 0, 0, 1, 5, 0, 0.5, -0.8, 6}, -1);
	assert_non_null(sonde_atoms_charges(atoms));
	assert_true(sonde_atoms_charges(atoms)[0] == 2.5 && sonde_atoms_charges(atoms)[1] == -1.5);
	sonde_atoms_free(&atoms);
}

/* The same two atoms in all styles, by their names and by their columns. */
static void test_atom_styles(void **unused)
{
	static const char *const sections[] = {
	    "Atoms # atomic\n\n1 1 1 2 3\n2 2 4 5 6\n",
	    "Atoms\n\n1 1 1 2 3\n2 2 4 5 6\n",
	    "Atoms\n\n1 1 1 2 3 0 0 -1\n2 2 4 5 6 0 0 0\n",
	    "Atoms # charge\n\n1 1 1 1 2 3\n2 2 -1 4 5 6\n",
	    "Atoms\n\n1 1 1.0 1 2 3\n2 2 -1 4 5 6\n",
	    "Atoms # molecular\n\n1 1 1 1 2 3\n2 1 2 4 5 6\n",
	    "Atoms # bond\n\n1 1 1 1 2 3 0 0 0\n2 1 2 4 5 6 0 0 0\n",
	    "Atoms\n\n1 7 1 1 2 3\n2 7 2 4 5 6\n",
	    "Atoms\n\n1 1 1 0 1 2 3\n2 1 2 0 4 5 6\n",
	    "Atoms # full\n\n1 1 1 0 1 2 3 1 1 1\n2 1 2 0 4 5 6 1 1 1\n",
	};
	char text[1000];

	(void)unused;
	for (size_t k = 0; k < COUNT(sections); ++k) {
		snprintf(text, sizeof text, HEAD "\n" MASSES "%s", sections[k]);
		sonde_atoms *atoms = read_text("a.lmp", text, 0);
		assert_int_equal(sonde_atoms_count(atoms), 2);
		assert_atom(atoms, 0, "Si", 1, 2, 3);
		assert_atom(atoms, 1, "O", 4, 5, 6);
		sonde_atoms_free(&atoms);
	}
}

static void test_elements_of_types(void **unused)
{
	/* a label of a force field is no element: then its mass decides; masses may follow the atoms */
	sonde_atoms *atoms =
	    read_text("a.lammps", HEAD "\nAtoms\n\n1 1 0 0 0\n2 2 1 1 1\n\nMasses\n\n1 12.011 # c3\n2 2.014\n", 0);

	(void)unused;
	assert_atom(atoms, 0, "C", 0, 0, 0);
	assert_atom(atoms, 1, "D", 1, 1, 1);
	sonde_atoms_free(&atoms);
	atoms = read_text(
	    "a.lmp", HEAD "\nAtom Type Labels\n\n1 Na+\n2 Cl-\n\nAtoms # atomic\n\n1 Cl- 0 0 0\n2 Na+ 1 1 1\n", 0);
	assert_atom(atoms, 0, "Cl-", 0, 0, 0);
	assert_atom(atoms, 1, "Na+", 1, 1, 1);
	sonde_atoms_free(&atoms);
}

static void test_what_is_refused(void **unused)
{
	(void)unused;
	assert_refused("a.lmp", "", "is empty");
	assert_refused("a.lmp", "LAMMPS data file, units = lj\n", ":1: units lj: lengths must be in Angstrom");
	assert_refused("a.lmp", HEAD, "has no atoms");
	assert_refused("a.lmp", "t\n2 atoms\n2 atom types\nAtoms\n", "has no box");
	assert_refused("a.lmp", "t\n0 1 xlo xhi\n0 1 ylo yhi\n0 0 zlo zhi\n2 atoms\n1 atom types\nAtoms\n",
		       ":7: the volume of the box is zero");
	assert_refused("a.lmp", "t\n2 atoms\nAtoms\n", ":3: the header lacks the number of atom types");
	assert_refused("a.lmp", "t\n2 atoms\n10000000 atom types\n", ":3: 10000000 atom types are out of range");
	assert_refused("a.lmp", HEAD "Atoms # ellipsoid\n", ":8: atom style 'ellipsoid' is not supported");
	assert_refused("a.lmp", HEAD MASSES "Atoms\n\n1 1 1 0 0 0\n",
		       "may be those of the atom styles charge and molecular");
	assert_refused("a.lmp", HEAD MASSES "Atoms\n\n1 1 0 0 0\n", "the file ends after 1 of 2 atoms");
	assert_refused("a.lmp", HEAD MASSES "Atoms\n\n1 1 0 0 0\n1 2 0 0 1\n",
		       "a.lmp:16: atom 1 occurs twice: also in line 15");
	assert_refused("a.lmp", HEAD MASSES "Atoms\n\n1 1 0 0 0\n2 2 0 0 1\n3 1 0 0 2\n",
		       ":17: there are more than the 2");
	assert_refused("a.lmp", HEAD MASSES "Atoms\n\n1 3 0 0 0\n", ":15: atom type 3 does not exist");
	assert_refused("a.lmp", HEAD MASSES "Atoms\n\n1 1 0 inf 0\n", ":15: y = 'inf' is not a finite number");
	assert_refused("a.lmp", HEAD MASSES "Atoms\n\n1 1 0 0\n", "an atom of 4 columns has an unknown style");
	assert_refused("a.lmp", HEAD "Masses\n\n1 1.5\n2 16\n\nAtoms\n\n1 1 0 0 0\n2 2 1 1 1\n",
		       ":10: no element has the mass 1.5 of atom type 1; add its symbol as a comment");
	assert_refused("a.lmp", HEAD "Atoms\n\n1 1 0 0 0\n2 2 1 1 1\n",
		       "atom type 1 has no element; add a section Masses");
	assert_refused(
	    "a.lmp",
	    "t\n999999999999999999 atoms\n1 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\nAtoms\n\n1 1 0 0 0\n",
	    "the file ends after 1 of 999999999999999999 atoms");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_triclinic_box_and_order_of_numbers),
	    cmocka_unit_test(test_atom_styles),
	    cmocka_unit_test(test_elements_of_types),
	    cmocka_unit_test(test_what_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
