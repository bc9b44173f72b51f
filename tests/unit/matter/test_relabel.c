/* Other labels for the atoms of a sample. */
#include "unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "matter/atoms/joint_sites.h"
#include "matter/atoms/relabel.h"

/* H O H D, with occupancies, tensors, and blocks. */
static sonde_atoms *sample(void)
{
	static const char *const labels[4] = {"H", "O", "H", "D"};
	static const double occupancies[4] = {1.0, 0.5, 0.8, 1.0}, displacements[4] = {0.01, 0.02, 0.03, NAN};
	static const int64_t blocks[4] = {7, 7, 9, 9};
	sonde_atoms *atoms;

	assert_int_equal(sonde_atoms_create(&atoms), SONDE_OK);
	for (int i = 0; i < 4; ++i)
		assert_int_equal(sonde_atoms_add(atoms, labels[i], (double[3]){i, 2.0 * i, 0.0}), SONDE_OK);
	assert_int_equal(sonde_atoms_set_occupancies(atoms, occupancies), SONDE_OK);
	assert_int_equal(sonde_atoms_set_displacements(atoms, displacements, 1), SONDE_OK);
	assert_int_equal(sonde_atoms_set_blocks(atoms, blocks), SONDE_OK);
	return atoms;
}

static void assert_label(const sonde_atoms *atoms, int64_t i, const char *label)
{
	assert_string_equal(atoms->species[atoms->species_of[i]].label, label);
}

static void test_labels_are_exchanged_at_once(void **state)
{
	sonde_atoms *atoms = sample();
	struct relabeled_atoms relabeled;
	(void)state;

	assert_int_equal(relabel_atoms(atoms, "labels", "H=D,D=18O", &relabeled), SONDE_OK);
	assert_true(relabeled.renamed && !relabeled.mixed && relabeled.atoms.count == 4);
	assert_label(&relabeled.atoms, 0, "D");
	assert_label(&relabeled.atoms, 1, "O");
	assert_label(&relabeled.atoms, 2, "D");
	assert_label(&relabeled.atoms, 3, "18O");
	assert_ptr_equal(relabeled.atoms.positions, atoms->positions);
	relabeled_atoms_free(&relabeled);
	/* into one that the sample has */
	assert_int_equal(relabel_atoms(atoms, "labels", "H=D", &relabeled), SONDE_OK);
	assert_int_equal(relabeled.atoms.species_count, 2);
	const int heavy = atoms_find_species(&relabeled.atoms, "D");
	assert_true(heavy >= 0 && relabeled.atoms.species[heavy].atoms == 3);
	relabeled_atoms_free(&relabeled);
	assert_int_equal(relabel_atoms(atoms, "labels", "", &relabeled), SONDE_OK);
	assert_true(!relabeled.renamed && relabeled.atoms.species == atoms->species);
	relabeled_atoms_free(&relabeled);
	assert_label(atoms, 0, "H");
	sonde_atoms_free(&atoms);
}

static void test_mixtures_are_sites(void **state)
{
	static const char *const labels[6] = {"1H", "2H", "O", "1H", "2H", "D"};
	static const double occupancies[6] = {0.25, 0.75, 0.5, 0.2, 0.6, 1.0};
	static const int from[6] = {0, 0, 1, 2, 2, 3};
	sonde_atoms *atoms = sample();
	struct relabeled_atoms relabeled;
	double u[6];
	(void)state;

	assert_int_equal(relabel_atoms(atoms, "labels", "H=0.25*1H+0.75*2H", &relabeled), SONDE_OK);
	const sonde_atoms *mixed = &relabeled.atoms;
	const struct atom_groups *groups = atoms_groups(mixed, ATOM_BLOCK);
	assert_true(relabeled.mixed && mixed->count == 6 && groups != NULL);
	for (int64_t n = 0; n < 6; ++n) {
		assert_label(mixed, n, labels[n]);
		assert_close(sonde_atoms_occupancies(mixed)[n], occupancies[n], 1e-15, labels[n]);
		for (int k = 0; k < 3; ++k)
			assert_true(mixed->positions[3 * n + k] == atoms->positions[3 * from[n] + k]);
		assert_string_equal(groups->names[groups->of[n]], from[n] < 2 ? "7" : "9");
		assert_true(atoms_displacement(mixed, n, u) == (from[n] != 3));
		assert_true(from[n] == 3 || u[0] == 0.01 * (from[n] + 1));
	}
	relabeled_atoms_free(&relabeled);
	/* ions, whose signs end a label, and fractions of 0 */
	assert_int_equal(relabel_atoms(atoms, "labels", "H=.5*Na++0.5*Fe3+,O=0*16O+1*O2-", &relabeled), SONDE_OK);
	assert_label(&relabeled.atoms, 0, "Na+");
	assert_label(&relabeled.atoms, 1, "Fe3+");
	assert_label(&relabeled.atoms, 2, "O2-");
	relabeled_atoms_free(&relabeled);
	sonde_atoms_free(&atoms);
}

static void test_copies_stay_copies(void **state)
{
	static const struct copy_group groups[2] = {{1, 1}, {1, 3}};
	sonde_atoms *atoms = sample();
	struct relabeled_atoms relabeled;
	(void)state;

	memcpy(atoms->groups, groups, sizeof groups);
	atoms->group_count = 2;
	assert_int_equal(relabel_atoms(atoms, "labels", "H=0.5*H+0.5*D", &relabeled), SONDE_OK);
	assert_true(relabeled.atoms.groups[0].atoms == 2 && relabeled.atoms.groups[1].atoms == 4);
	relabeled_atoms_free(&relabeled);
	sonde_atoms_free(&atoms);
}

static void test_what_is_refused(void **state)
{
	static const char *const lists[][2] = {
	    {"G=D", "the sample has no 'G'"},
	    {"h=D", "the sample has no 'h', did you mean 'H'?"},
	    {"averyverylonglabel=D", "the sample has no"},
	    {"H", "not LABEL=LABEL"},
	    {"H=D,", "an item is missing"},
	    {"H=", "not a label"},
	    {"H=Dx", "unknown species 'Dx'"},
	    {"H=D,H=T", "'H' is given twice"},
	    {"H=0.5*D+0.5*D", "'D' is in a mixture twice"},
	    {"H=0.5*D+0.4*T", "add up to 0.9"},
	    {"H=D+0.5*T", "add up to 1.5"},
	    {"H=-0.5*D+1.5*T", "'-0.5' is not a fraction"},
	    {"H=nan*D", "'nan' is not a fraction"},
	    {"H=1e400*D", "is not a fraction"},
	};
	sonde_atoms *atoms = sample();
	struct relabeled_atoms relabeled;
	(void)state;

	for (size_t n = 0; n < sizeof lists / sizeof *lists; ++n) {
		assert_int_equal(relabel_atoms(atoms, "labels", lists[n][0], &relabeled), SONDE_INVALID);
		assert_non_null(strstr(sonde_status_message(), lists[n][1]));
		relabeled_atoms_free(&relabeled);
	}
	/* alternative locations */
	assert_int_equal(atoms_location_last(atoms, 1, 'A'), SONDE_OK);
	assert_int_equal(relabel_atoms(atoms, "labels", "D=0.5*H+0.5*D", &relabeled), SONDE_INVALID);
	assert_non_null(strstr(sonde_status_message(), "atom 4, 'D', has alternative locations"));
	relabeled_atoms_free(&relabeled);
	assert_int_equal(relabel_atoms(atoms, "labels", "H=0.5*H+0.5*T", &relabeled), SONDE_OK);
	assert_true(atoms_location(&relabeled.atoms, 5) != 0 && atoms_location(&relabeled.atoms, 4) == 0);
	relabeled_atoms_free(&relabeled);
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_labels_are_exchanged_at_once),
	    cmocka_unit_test(test_mixtures_are_sites),
	    cmocka_unit_test(test_copies_stay_copies),
	    cmocka_unit_test(test_what_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
