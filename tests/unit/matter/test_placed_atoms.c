/* Ensembles by placements: all their atoms, their files, damaged ones, and lists of places with names. */
#include "unit/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "matter/atoms/placed_atoms.h"
#include "matter/files/compact_file.h"
#include "matter/generate/placing.h"

static sonde_context *context;

static sonde_atoms *make_structure(const char *label, int count)
{
	sonde_atoms *atoms;
	double occupancies[8], charges[8];

	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	for (int k = 0; k < count; ++k) {
		const double position[3] = {1.0 + k, 0.5 * k * k, -0.25 * k};
		assert_status(SONDE_OK, sonde_atoms_add(atoms, k % 2 == 0 ? "C" : label, position));
		occupancies[k] = 1.0 - 0.0625 * k;
		charges[k] = 0.5 * k - 1.0;
	}
	assert_status(SONDE_OK, sonde_atoms_set_occupancies(atoms, occupancies));
	assert_status(SONDE_OK, sonde_atoms_set_charges(atoms, charges));
	return atoms;
}

/* Four copies of two structures, in turn, each a quarter turn about z further. */
static sonde_atoms *make_compact(void)
{
	sonde_atoms *structures[2] = {make_structure("O", 3), make_structure("Fe", 5)}, *atoms;
	struct ensemble ensemble;

	assert_status(SONDE_OK, ensemble_begin(4, &ensemble));
	ensemble.structure_of = malloc(4 * sizeof *ensemble.structure_of);
	assert_non_null(ensemble.structure_of);
	for (int n = 0; n < 4; ++n) {
		ensemble.structure_of[n] = (n + 1) % 2;
		ensemble.placements[n].position[2] = 10.0 * n;
		rotation_of_euler_angles((const double[3]){0.0, 0.0, 90.0 * n}, ensemble.placements[n].rotation);
	}
	assert_status(SONDE_OK, ensemble_compact(2, structures, &ensemble, &atoms));
	ensemble_free(&ensemble);
	for (int s = 0; s < 2; ++s)
		sonde_atoms_free(&structures[s]);
	return atoms;
}

static void assert_position(const sonde_atoms *atoms, int64_t i, double x, double y, double z)
{
	const double *r = sonde_atoms_positions(atoms) + 3 * i;

	assert_within(r[0], x, 1e-12, "x");
	assert_within(r[1], y, 1e-12, "y");
	assert_within(r[2], z, 1e-12, "z");
}

static void copies_have_all_their_atoms(void **state)
{
	sonde_atoms *atoms = make_compact();
	(void)state;

	assert_int_equal(sonde_atoms_count(atoms), 8);
	assert_int_equal(atoms_all(atoms), 16);
	assert_int_equal(atoms_copy_count(atoms), 4);
	assert_int_equal(atoms_all_of(atoms, 0), 10);
	assert_invalid("compact ensemble", atoms_refuse_placements(atoms));
	assert_invalid("is written to an HDF5 file", sonde_atoms_write(NULL, atoms, test_path("compact.xyz"), 1));
	assert_status(SONDE_OK, atoms_expand(context, &atoms));
	assert_status(SONDE_OK, atoms_refuse_placements(atoms));
	assert_int_equal(sonde_atoms_count(atoms), 16);
	/* the copies of the first structure come first: places 1 and 3, turned by one and three quarters */
	assert_position(atoms, 1, -0.5, 2.0, 9.75);
	assert_position(atoms, 4, 0.5, -2.0, 29.75);
	/* then places 0 and 2 of the second one */
	assert_position(atoms, 6 + 4, 5.0, 8.0, -1.0);
	assert_position(atoms, 11 + 4, -5.0, -8.0, 19.0);
	assert_int_equal(sonde_atoms_species_atoms(atoms, 0), 10);
	assert_string_equal(sonde_atoms_species_label(atoms, sonde_atoms_species(atoms)[12]), "Fe");
	assert_true(sonde_atoms_occupancies(atoms)[4] == 0.9375 && sonde_atoms_occupancies(atoms)[15] == 0.75);
	assert_true(sonde_atoms_charges(atoms)[5] == 0.0 && sonde_atoms_charges(atoms)[14] == 0.5);
	sonde_atoms_free(&atoms);
}

static void files_are_read_in_both_forms(void **state)
{
	sonde_atoms *atoms = make_compact(), *compact, *all;
	(void)state;

	assert_status(SONDE_OK, sonde_atoms_write(NULL, atoms, test_path("compact.h5"), 1));
	assert_status(SONDE_OK, atoms_read_compact(context, test_path("compact.h5"), 0, &compact));
	assert_int_equal(sonde_atoms_count(compact), 8);
	assert_int_equal(compact->group_count, 2);
	assert_memory_equal(compact->placements, atoms->placements, 4 * sizeof *atoms->placements);
	assert_status(SONDE_OK, sonde_atoms_read(context, test_path("compact.h5"), 0, &all));
	assert_status(SONDE_OK, atoms_expand(context, &atoms));
	assert_int_equal(sonde_atoms_count(all), 16);
	assert_memory_equal(sonde_atoms_positions(all), sonde_atoms_positions(atoms), 48 * sizeof(double));
	sonde_atoms_free(&all);
	sonde_atoms_free(&compact);
	sonde_atoms_free(&atoms);
}

static void damaged_files_are_refused(void **state)
{
	static const struct {
		int number;
		double value;
		const char *message;
	} wrong[] = {{12 + 2, NAN, "copy 2: coordinate nan is not within"},
		     {24, 1e9, "copy 3: coordinate 1e+09 is not within"},
		     {3, 0.5, "copy 1: its matrix is not a rotation"},
		     {36 + 11, NAN, "copy 4: its matrix is not a rotation"}};
	(void)state;

	for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
		sonde_atoms *atoms = make_compact();
		((double *)(uintptr_t)atoms->placements)[wrong[k].number] = wrong[k].value;
		assert_status(SONDE_OK, sonde_atoms_write(NULL, atoms, test_path("damaged.h5"), 1));
		sonde_atoms_free(&atoms);
		assert_invalid(wrong[k].message, sonde_atoms_read(context, test_path("damaged.h5"), 0, &atoms));
		assert_null(atoms);
	}
}

static void wrong_groups_are_refused(void **state)
{
	const struct copy_group groups[] = {{2, 3}, {2, 5}}, few[] = {{2, 3}, {2, 4}}, many[] = {{2, 3}, {2, 6}},
				none[] = {{0, 8}};
	sonde_atoms *atoms = make_compact();
	struct placement *placements;
	(void)state;

	assert_invalid("1 to 64", atoms_set_placements(atoms, groups, 0, NULL));
	assert_invalid("have 7 of the 8 atoms", atoms_set_placements(atoms, few, 2, NULL));
	assert_invalid("more atoms than the sample, or none", atoms_set_placements(atoms, many, 2, NULL));
	assert_invalid("more atoms than the sample, or none", atoms_set_placements(atoms, none, 1, NULL));
	placements = calloc(4, sizeof *placements);
	assert_non_null(placements);
	for (int n = 0; n < 4; ++n)
		placements[n].position[0] = 9e6;
	assert_status(SONDE_OK, atoms_set_placements(atoms, groups, 2, placements));
	for (int k = 0; k < 3; ++k)
		placements[3].rotation[k][k] = 1e7; /* as no rotation does */
	assert_invalid("of copy 2 is not within", atoms_expand(context, &atoms));
	assert_non_null(atoms);
	sonde_atoms_free(&atoms);
}

/* Places ------------------------------------------------------------------------------------------------------- */

static void places_may_have_names(void **state)
{
	struct ensemble ensemble;
	struct ensemble_names names;
	(void)state;

	assert_status(SONDE_OK, ensemble_read_named(context,
						    test_write_text("named.csv",
								    "# copies\nnote,z,structure,y,x,qw,qx,qy,qz\n"
								    "a,3,b.xyz,2,1,1,0,0,1\nb,6,c.xyz,5,4,1,0,0,0\n"
								    "c,9,b.xyz,8,7,1,0,0,0\n"),
						    &names, &ensemble));
	assert_int_equal(ensemble.count, 3);
	assert_int_equal(names.count, 2);
	assert_string_equal(names.names[1], "c.xyz");
	assert_int_equal(ensemble.structure_of[2], 0);
	assert_true(ensemble.placements[1].position[0] == 4.0 && ensemble.placements[1].position[2] == 6.0);
	assert_within(ensemble.placements[0].rotation[1][0], 1.0, 1e-15, "R");
	ensemble_free(&ensemble);
	ensemble_names_free(&names);
	assert_status(
	    SONDE_OK,
	    ensemble_read_mixture(context, test_write_text("named.csv", "x y z structure\n1 2 3 2\n"), 2, &ensemble));
	assert_int_equal(ensemble.structure_of[0], 1);
	ensemble_free(&ensemble);
}

static void wrong_places_are_refused(void **state)
{
	static const struct {
		const char *text, *message;
	} wrong[] = {{"x,y\n1,2\n", ":1: the columns of a list of places are x, y, z"},
		     {"x,y,z,phi\n1,2,3,4\n", ":1: the columns of a list of places"},
		     {"x,y,z,qw,qx,qy,qz,phi,theta,psi\n", ":1: the columns of a list of places"},
		     {"x,y,z,x\n1,2,3,4\n", ":1: two columns have the name x"},
		     {"x,y,z\n1,2\n", ":2: 2 columns, but 3 names"},
		     {"x,y,z,qw,qx,qy,qz\n1,2,3,0,0,0,0\n", ":2: the quaternion has no direction"},
		     {"x,y,z,qw,qx,qy,qz\n1,2,3,0,inf,0,0\n", ":2:"},
		     {"structure,x,y,z\nnone.xyz,1,2,3\n", "structure 'none.xyz': "},
		     {"structure,x,y,z\n,1,2,3\n", ":2: the name of the structure is empty"},
		     {"x,y,z\n", "no place of a copy"}};
	sonde_atoms *sample = make_structure("O", 3), *compact = make_compact(), *placed;
	struct placing placing;
	struct ensemble ensemble;
	(void)state;

	for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
		const sonde_status status =
		    placing_read(context, test_write_text("wrong.csv", wrong[k].text), sample, &placing);
		assert_true(status == SONDE_INVALID || status == SONDE_RESOURCE);
		assert_non_null(strstr(sonde_status_message(), wrong[k].message));
		placing_free(&placing);
	}
	assert_invalid(":1: a column 'structure', but there is a single structure",
		       ensemble_read(context, test_write_text("wrong.csv", "structure,x,y,z\n1,1,2,3\n"), &ensemble));
	assert_invalid(":1: a column 'structure' is missing",
		       ensemble_read_mixture(context, test_write_text("wrong.csv", "x,y,z\n1,2,3\n"), 2, &ensemble));
	assert_status(SONDE_OK, placing_read(context, test_write_text("wrong.csv", "1 2 3\n"), sample, &placing));
	assert_invalid("has placements of its own", placing_apply(&placing, compact, &placed));
	assert_null(placed);
	placing_free(&placing);
	sonde_atoms_free(&compact);
	sonde_atoms_free(&sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(copies_have_all_their_atoms), cmocka_unit_test(files_are_read_in_both_forms),
	    cmocka_unit_test(damaged_files_are_refused),   cmocka_unit_test(wrong_groups_are_refused),
	    cmocka_unit_test(places_may_have_names),       cmocka_unit_test(wrong_places_are_refused),
	};
	assert_int_equal(sonde_context_create(&context), SONDE_OK);
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	sonde_context_free(&context);
	return failed;
}
