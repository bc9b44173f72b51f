/* Text dumps of LAMMPS. */
#include "unit/read_atoms.h"

#include "base/text.h"
#include "io/atoms/lammps_dump.h"

#define TILTED "ITEM: BOX BOUNDS xy xz yz pp pp pp\n1 6.5 1\n1.2 7 0.5\n3 9 -0.8\n"
#define STEP(atoms) "ITEM: TIMESTEP\n7\nITEM: NUMBER OF ATOMS\n" atoms "\n"

static const double edges[9] = {4, 0, 0, 1, 5, 0, 0.5, -0.8, 6};

static void check_oxide(const char *text)
{
	sonde_atoms *atoms = read_text("a.dump", text, 0);

	assert_int_equal(sonde_atoms_count(atoms), 3);
	assert_atom(atoms, 0, "Si", 1, 2, 3);
	assert_atom(atoms, 1, "O", 3.75, 4.1, 6);
	assert_atom(atoms, 2, "O", 2.8, 5.67, 3.6);
	assert_cell(atoms, edges, 1);
	sonde_atoms_free(&atoms);
}

static void test_kinds_of_positions(void **unused)
{
	(void)unused;
	check_oxide(STEP("3") TILTED "ITEM: ATOMS element z y x id\nO 6 4.1 3.75 2\nSi 3 2 1 1\nO 3.6 5.67 2.8 3\n");
	check_oxide(STEP("3") TILTED
		    "ITEM: ATOMS id element xu yu zu\n1 Si 1 2 3\n2 O 3.75 4.1 6\n3 O 2.8 5.67 3.6\n");
	check_oxide(STEP("3") TILTED
		    "ITEM: ATOMS id mass xs ys zs\n1 28.0855 0 0 0\n2 15.9994 .5 .5 .5\n3 16 .25 .75 .1\n");
	check_oxide(STEP("3") TILTED "ITEM: ATOMS element xsu ysu zsu\nSi 0 0 0\nO .5 .5 .5\nO .25 .75 .1\n");
	/* edges as vectors, and the origin */
	check_oxide(STEP("3") "ITEM: BOX BOUNDS abc origin pp pp pp\n4 0 0 1\n1 5 0 2\n.5 -.8 6 3\n"
			      "ITEM: ATOMS element xs ys zs\nSi 0 0 0\nO .5 .5 .5\nO .25 .75 .1\n");
}

/* A box tilted the other way: xlo_bound = xlo + min(0, xy, xz, xy + xz). */
static void test_negative_tilt(void **unused)
{
	sonde_atoms *atoms = read_text("a.lammpstrj",
				       STEP("1") "ITEM: BOX BOUNDS xy xz yz pp ff pp\n-3 4 -1\n0 6.5 -2\n0 6 1.5\n"
						 "ITEM: ATOMS element xs ys zs q\nH 1 1 1 0.5\n",
				       0);

	(void)unused;
	for (int k = 0; k < 3; ++k)
		assert_int_equal(sonde_atoms_periodic(atoms, k), k != 1);
	assert_true(sonde_atoms_cell(atoms)[0] == 4 && sonde_atoms_cell(atoms)[4] == 5);
	assert_atom(atoms, 0, "H", 4 - 1 - 2, 5 + 1.5, 6);
	assert_true(sonde_atoms_charges(atoms)[0] == 0.5);
	sonde_atoms_free(&atoms);
}

static void test_frames(void **unused)
{
	static const char text[] =
	    STEP("1") "ITEM: BOX BOUNDS\n0 1\n0 1\n0 1\nITEM: ATOMS element x y z\nH 0 0 0\n\n" STEP(
		"2") "ITEM: BOX BOUNDS pp pp pp\n0 2\n0 2\n0 2\nITEM: ATOMS element x y z\nHe 1 2 3\nHe 4 5 6\n";
	sonde_atoms *atoms = read_text("a.dump", text, 2);

	(void)unused;
	assert_int_equal(sonde_atoms_count(atoms), 2);
	assert_atom(atoms, 1, "He", 4, 5, 6);
	sonde_atoms_free(&atoms);
	atoms = read_text("a.dump", text, 1);
	assert_atom(atoms, 0, "H", 0, 0, 0);
	assert_int_equal(sonde_atoms_periodic(atoms, 0), -1);
	sonde_atoms_free(&atoms);
	assert_refused("a.dump", text, ":12: a second frame begins here");
	assert_invalid("has 2 frames; frame 3 does not exist",
		       sonde_atoms_read(NULL, test_write_text("a.dump", text), 3, &atoms));
	assert_invalid("differs in species", sonde_atoms_read(NULL, test_write_text("a.dump", text), -1, &atoms));
}

#define BOX "ITEM: BOX BOUNDS pp pp pp\n0 2\n0 2\n0 2\n"

static void test_what_is_refused(void **unused)
{
	(void)unused;
	assert_refused("a.dump", "", "is empty");
	assert_refused("a.dump", "3\n\nH 0 0 0\n", ":1: a dump of LAMMPS begins with ITEM:");
	assert_refused("a.dump", "ITEM: UNITS\nelectron\n", ":2: units electron: lengths must be in Angstrom");
	assert_refused("a.dump", "ITEM: FACES\n", ":1: an unknown item");
	assert_refused("a.dump", STEP("-1"), ":4: the number of atoms is negative");
	assert_refused("a.dump", STEP("1"), "the file ends before ITEM: ATOMS");
	assert_refused("a.dump", STEP("1") "ITEM: ATOMS id\n", "BOX BOUNDS is missing before ITEM: ATOMS");
	assert_refused("a.dump", BOX "ITEM: ATOMS id\n", "NUMBER OF ATOMS is missing");
	assert_refused("a.dump", STEP("1") "ITEM: BOX BOUNDS pp pp pp\n0 2\n1 1\n0 2\n",
		       ":8: the volume of the box is zero");
	assert_refused("a.dump", STEP("1") "ITEM: BOX BOUNDS pp pp pp\n0 2\n0 nan\n0 2\n",
		       ":7: a bound of the box = 'nan'");
	assert_refused("a.dump", STEP("1") "ITEM: BOX BOUNDS xy xz yz pp pp pp\n0 2\n0 2\n0 2\n",
		       "2 numbers instead of 3");
	assert_refused("a.dump", STEP("1") BOX "ITEM: ATOMS id type x y z\n1 1 0 0 0\n",
		       ":9: the atoms have types, but no elements: dump");
	assert_refused("a.dump", STEP("1") BOX "ITEM: ATOMS id element x y zs\n",
		       ":9: columns of positions are missing");
	assert_refused("a.dump", STEP("1") BOX "ITEM: ATOMS element x y z\nH 0 0\n",
		       ":10: an atom needs 4 columns, this line has 3");
	assert_refused("a.dump", STEP("1") BOX "ITEM: ATOMS element x y z\nH 0 0 NaN\n",
		       ":10: z = 'NaN' is not a finite");
	assert_refused("a.dump", STEP("1") BOX "ITEM: ATOMS mass x y z\n1.5 0 0 0\n",
		       ":10: no element has the mass 1.5");
	assert_refused("a.dump", STEP("99999999999999") BOX "ITEM: ATOMS element x y z\nH 0 0 0\n",
		       "the file ends after 1 of 9999");
	assert_refused("a.dump", STEP("2") BOX "ITEM: ATOMS element x y z\nH 0 0 0\nITEM: TIMESTEP\n",
		       "the frame ends after 1 of 2");
	assert_refused("a.dump", STEP("1") BOX "ITEM: ATOMS element x y z\nH 0 0 0\nH 0 0 0\n",
		       ":11: ITEM: is needed here");
	assert_refused("a.dump", STEP("2") BOX "ITEM: ATOMS id element x y z\n7 H 0 0 0\n7 H 0 0 0\n",
		       ":11: atom 7 occurs twice: also in line 10");
}

static sonde_status ignore_atom(void *user, const char *label, const double position[3])
{
	(void)user;
	(void)label;
	(void)position;
	return SONDE_OK;
}

static bool cancel(void *user)
{
	++*(int *)user;
	return true;
}

/* Frames before the chosen one, too. */
static void test_reading_is_cancelled(void **unused)
{
	int asked = 0;
	const struct atom_sink sink = {.user = &asked, .atom = ignore_atom, .cancelled = cancel};
	struct text text = {0};

	(void)unused;
	text_append(&text, "%s", STEP("20000") BOX "ITEM: ATOMS element x y z\n");
	for (int k = 0; k < 20000; ++k)
		text_append(&text, "H 0 0 %d\n", k);
	const char *path = test_write("long.dump", text.bytes, text.size);
	for (int64_t frame = 1; frame <= 2; ++frame) {
		assert_status(SONDE_CANCELLED, lammps_dump_read(path, frame, &sink));
		assert_message("stopped while reading");
		assert_int_equal(asked, frame);
	}
	text_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_kinds_of_positions),
	    cmocka_unit_test(test_negative_tilt),
	    cmocka_unit_test(test_frames),
	    cmocka_unit_test(test_what_is_refused),
	    cmocka_unit_test(test_reading_is_cancelled),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
