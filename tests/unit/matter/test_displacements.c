/* Mean square displacements and groups as data of a sample: read, written, and carried along by build. */
#include "unit/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "matter/atoms/atoms.h"
#include "sonde/build.h"
#include "sonde/context.h"

#define PI 3.14159265358979323846

static sonde_atoms *read_text(const char *name, const char *text)
{
	sonde_atoms *atoms;

	assert_status(SONDE_OK, sonde_atoms_read(NULL, test_write_text(name, text), 0, &atoms));
	return atoms;
}

/* `expected`: six numbers of the tensor, or null for an atom without. */
static void assert_tensor(const sonde_atoms *atoms, int64_t atom, const double *expected, double tolerance)
{
	double u[6];
	const bool known = atoms_displacement(atoms, atom, u);

	if (known != (expected != NULL))
		fail_msg("atom %d: its displacement is %s", (int)atom, known ? "known" : "unknown");
	for (int k = 0; known && k < 6; ++k)
		if (!(fabs(u[k] - expected[k]) <= tolerance))
			fail_msg("atom %d: number %d of the tensor is %.17g, not %.17g", (int)atom, k, u[k],
				 expected[k]);
}

static const double tensor[6] = {0.01, 0.02, 0.03, 0.004, 0.005, 0.006},
		    number[6] = {0.0125, 0.0125, 0.0125, 0, 0, 0};

static void test_columns_of_extended_xyz(void **unused)
{
	const double b = 8.0 * PI * PI;
	char text[400];
	int each;
	(void)unused;

	sonde_atoms *atoms =
	    read_text("u.xyz", "2\nProperties=species:S:1:pos:R:3:U_iso:R:1\nCo 0 0 0 0.0125\nO 2 0 0 nan\n");
	assert_tensor(atoms, 0, number, 0.0);
	assert_tensor(atoms, 1, NULL, 0.0);
	assert_non_null(sonde_atoms_displacements(atoms, &each));
	assert_int_equal(each, 1);
	sonde_atoms_free(&atoms);
	snprintf(text, sizeof text, "1\nProperties=B_iso:R:1:species:S:1:pos:R:3\n%.17g O 2 0 0\n", b * 0.0125);
	atoms = read_text("b.xyz", text);
	assert_tensor(atoms, 0, number, 1e-16);
	sonde_atoms_free(&atoms);
	atoms = read_text("six.xyz", "1\nProperties=species:S:1:U_iso:R:1:pos:R:3:U_aniso:R:6\n"
				     "O 0.5 2 0 0 0.01 0.02 0.03 0.004 0.005 0.006\n");
	assert_tensor(atoms, 0, tensor, 0.0);
	sonde_atoms_free(&atoms);
	atoms = read_text("nine.xyz", "2\nProperties=species:S:1:pos:R:3:U_aniso:R:9:U_iso:R:1\n"
				      "O 2 0 0 0.01 0.006 0.005 0.006 0.02 0.003 0.005 0.005 0.03 0.5\n"
				      "O 4 0 0 nan 0 0 0 0 0 0 0 0 0.5\n");
	assert_tensor(atoms, 0, tensor, 1e-17);
	assert_tensor(atoms, 1, NULL, 0.0);
	sonde_atoms_free(&atoms);
	atoms = read_text("none.xyz", "1\n\nO 2 0 0\n");
	assert_null(sonde_atoms_displacements(atoms, &each));
	assert_int_equal(each, 0);
	sonde_atoms_free(&atoms);
}

static void assert_not_read(const char *text, const char *message)
{
	sonde_atoms *atoms;

	assert_invalid(message, sonde_atoms_read(NULL, test_write_text("wrong.xyz", text), 0, &atoms));
	assert_null(atoms);
}

static void test_wrong_columns_are_refused(void **unused)
{
	(void)unused;
	assert_not_read("1\nProperties=species:S:1:pos:R:3:U_aniso:R:3\nO 2 0 0 1 2 3\n",
			"wrong.xyz:2: U_aniso has 3 columns: a tensor has 6");
	assert_not_read("1\nProperties=species:S:1:pos:R:3:U_iso:R:2\nO 2 0 0 1 2\n",
			"wrong.xyz:2: U_iso has 2 columns");
	assert_not_read("1\nProperties=species:S:1:pos:R:3:U_iso:R:1\nO 2 0 0 x\n",
			"wrong.xyz:3: mean square displacement = 'x'");
	assert_not_read("1\nProperties=species:S:1:pos:R:3:U_iso:R:1\nO 2 0 0 -0.1\n",
			"wrong.xyz:3: atom 1: a mean square displacement of -0.1 is not within 0 and 10");
	assert_not_read("1\nProperties=species:S:1:pos:R:3:U_aniso:R:6\nO 2 0 0 1 1 1 11 0 0\n",
			"a mean square displacement of 11 is not within -10 and 10");
}

/* B factors, and tensors in the order 11, 22, 33, 12, 13, 23. */
static void test_records_of_pdb(void **unused)
{
	static const double from_b[6] = {0.5 / PI / PI, 0.5 / PI / PI, 0.5 / PI / PI, 0, 0, 0};
	(void)unused;
	sonde_atoms *atoms =
	    read_text("u.pdb", "ATOM      1  O   HOH A   1       1.000   2.000   3.000  1.00  4.00           O\n"
			       "ATOM      2  O   HOH A   2       4.000   2.000   3.000  1.00 80.00           O\n"
			       "ANISOU    2  O   HOH A   2      100    200    300     60     50     40       O\n"
			       "ATOM      3  O   HOH A   3       7.000   2.000   3.000  1.00                 O\n"
			       "ATOM      4  O   HOH A   4       9.000   2.000   3.000  1.00 80.00           O\n"
			       "ANISOU    4  O   HOH A   4      1**    200    300     60     50     40       O\n");
	assert_tensor(atoms, 0, from_b, 1e-16);
	assert_tensor(atoms, 1, tensor, 1e-16);
	assert_tensor(atoms, 2, NULL, 0.0);
	assert_tensor(atoms, 3, NULL, 0.0);
	sonde_atoms_free(&atoms);
}

/* Every bit survives files; atoms added later have none. */
static void test_displacements_are_kept(void **unused)
{
	static const char *const names[] = {"kept.xyz", "kept.h5"};
	static const double u[12] = {1.0 / 3.0, 0.2, 0.3, -0.01, 0.1 / 3.0, 0.02, NAN, 0, 0, 0, 0, 0},
			    one[2] = {1.0 / 7.0, NAN};
	sonde_atoms *atoms, *back;
	(void)unused;

	for (int each = 1; each <= 6; each += 5) {
		const double *given = each == 1 ? one : u, expected[6] = {given[0],
									  each == 1 ? given[0] : given[1],
									  each == 1 ? given[0] : given[2],
									  each == 1 ? 0.0 : given[3],
									  each == 1 ? 0.0 : given[4],
									  each == 1 ? 0.0 : given[5]};
		assert_status(SONDE_OK, sonde_atoms_create(&atoms));
		assert_status(SONDE_OK, sonde_atoms_add(atoms, "Co", (const double[]){0, 0, 0}));
		assert_status(SONDE_OK, sonde_atoms_add(atoms, "O", (const double[]){2, 0, 0}));
		assert_status(SONDE_OK, sonde_atoms_set_occupancies(atoms, (const double[]){0.5, 1.0}));
		assert_status(SONDE_OK, sonde_atoms_set_displacements(atoms, given, each));
		assert_status(SONDE_OK, sonde_atoms_add(atoms, "O", (const double[]){4, 0, 0}));
		for (int k = 0; k < 2; ++k) {
			assert_status(SONDE_OK, sonde_atoms_write(NULL, atoms, test_path(names[k]), 1));
			assert_status(SONDE_OK, sonde_atoms_read(NULL, test_path(names[k]), 0, &back));
			assert_tensor(back, 0, expected, 0.0);
			assert_tensor(back, 1, NULL, 0.0);
			assert_tensor(back, 2, NULL, 0.0);
			assert_true(sonde_atoms_occupancies(back)[0] == 0.5);
			sonde_atoms_free(&back);
		}
		sonde_atoms_free(&atoms);
	}
}

static sonde_atoms *build(sonde_build_options *options)
{
	sonde_context *context;
	sonde_atoms *atoms;

	assert_status(SONDE_OK, sonde_context_create(&context));
	assert_status(SONDE_OK, sonde_build_run(context, options, &atoms));
	sonde_context_free(&context);
	return atoms;
}

/* An orthorhombic cell with a tensor for cobalt, a number in the form of a tensor for nickel, none for oxygen. */
static sonde_build_options cell_options(void)
{
	sonde_build_options options;
	const char *path = test_write_text(
	    "cell.xyz", "3\nLattice=\"4 0 0 0 5 0 0 0 6\" Properties=species:S:1:pos:R:3:U_aniso:R:6\n"
			"Co 0 0 0 0.01 0.02 0.03 0.004 0.005 0.006\n"
			"Ni 2 2.5 3 0.0125 0.0125 0.0125 0 0 0\n"
			"O 2 0 0 nan 0 0 0 0 0\n");

	sonde_build_options_init(&options);
	snprintf(options.cell_file, sizeof options.cell_file, "%s", path);
	options.sphere = 15.0;
	return options;
}

static void assert_by_label(const sonde_atoms *atoms, const double *cobalt)
{
	for (int64_t i = 0; i < sonde_atoms_count(atoms); ++i) {
		const char *label = sonde_atoms_species_label(atoms, sonde_atoms_species(atoms)[i]);
		assert_tensor(atoms, i,
			      strcmp(label, "Co") == 0   ? cobalt
			      : strcmp(label, "Ni") == 0 ? number
							 : NULL,
			      1e-15);
	}
}

/* Atoms of a cell keep theirs, in the orientation of the cell, when others are removed, and as copies, which turn. */
static void test_build_carries_displacements(void **unused)
{
	/* a quarter turn about z: x to y */
	static const double turned[6] = {0.02, 0.01, 0.03, 0.005, -0.004, -0.006};
	sonde_build_options options = cell_options();
	(void)unused;

	sonde_atoms *atoms = build(&options);
	assert_true(sonde_atoms_count(atoms) > 200);
	assert_by_label(atoms, tensor);
	sonde_atoms_free(&atoms);
	snprintf(options.orient, sizeof options.orient, "z-x-z:90,0,0");
	snprintf(options.vacancies, sizeof options.vacancies, "0.3");
	snprintf(options.substitute, sizeof options.substitute, "Ni:Fe=0");
	atoms = build(&options);
	assert_by_label(atoms, turned);
	sonde_atoms_free(&atoms);
	options = cell_options();
	options.sphere = 6.0;
	snprintf(options.copy_file, sizeof options.copy_file, "%s",
		 test_write_text("places.txt", "0 0 0 90 0 0\n60 0 0 90 0 0\n"));
	atoms = build(&options);
	assert_by_label(atoms, turned);
	sonde_atoms_free(&atoms);
}

static void assert_group(const sonde_atoms *atoms, enum atom_grouping grouping, int64_t atom, const char *name)
{
	const struct atom_groups *groups = atoms_groups(atoms, grouping);

	assert_non_null(groups);
	assert_string_equal(groups->names[groups->of[atom]], name);
}

/* Blocks of extended XYZ, which are written again; chains and residues of PDB. */
static void test_groups(void **unused)
{
	sonde_atoms *back;
	(void)unused;
	sonde_atoms *atoms = read_text("block.xyz", "3\nProperties=species:S:1:block:I:1:pos:R:3:U_iso:R:1\n"
						    "Co 12 0 0 0 0.01\nO 7 2 0 0 0.02\nO 12 4 0 0 nan\n");
	assert_status(SONDE_OK, sonde_atoms_write(NULL, atoms, test_path("again.xyz"), 1));
	assert_status(SONDE_OK, sonde_atoms_read(NULL, test_path("again.xyz"), 0, &back));
	for (int k = 0; k < 3; ++k)
		assert_group(back, ATOM_BLOCK, k, k == 1 ? "7" : "12");
	assert_int_equal(atoms_groups(back, ATOM_BLOCK)->count, 2);
	assert_null(atoms_groups(back, ATOM_CHAIN));
	assert_status(SONDE_OK, sonde_atoms_add(back, "O", (const double[]){9, 0, 0}));
	assert_null(atoms_groups(back, ATOM_BLOCK));
	assert_invalid("atom 2: the number of a block must be 0",
		       sonde_atoms_set_blocks(back, (const int64_t[]){1, -1, 1, 1}));
	sonde_atoms_free(&back);
	sonde_atoms_free(&atoms);
	atoms =
	    read_text("g.pdb", "ATOM      1  O   GLY A   1       1.000   2.000   3.000  1.00  4.00           O\n"
			       "ATOM      2  O   GLY A   1B      4.000   2.000   3.000  1.00 80.00           O\n"
			       "ATOM      3  O   HOH     3       7.000   2.000   3.000  1.00                 O\n");
	assert_group(atoms, ATOM_CHAIN, 1, "A");
	assert_group(atoms, ATOM_CHAIN, 2, "-");
	assert_group(atoms, ATOM_RESIDUE, 0, "GLY1:A");
	assert_group(atoms, ATOM_RESIDUE, 1, "GLY1B:A");
	assert_group(atoms, ATOM_RESIDUE, 2, "HOH3:-");
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_columns_of_extended_xyz),
	    cmocka_unit_test(test_wrong_columns_are_refused),
	    cmocka_unit_test(test_records_of_pdb),
	    cmocka_unit_test(test_displacements_are_kept),
	    cmocka_unit_test(test_build_carries_displacements),
	    cmocka_unit_test(test_groups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
