/* TRIM.IN files as options. */
#include "unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "ions/option_table.h"
#include "ions/source/source.h"
#include "ions/target/target.h"
#include "ions/trim/trim_in.h"
#include "ions/trim/trim_target.h"
#include "matter/elements/element.h"
#include "matter/elements/label.h"

static sonde_ions_options options;

static sonde_status read_file(const char *path)
{
	sonde_ions_options_init(&options);
	return trim_in_read(path, &options);
}

static void read_well(const char *path)
{
	struct target target;
	struct source source;

	assert_status(SONDE_OK, read_file(path));
	assert_status(SONDE_OK, options_check(&ions_option_table, &options));
	assert_status(SONDE_OK, target_make(&options, NULL, &target));
	assert_status(SONDE_OK, source_make(&options, &source));
}

/* The file of carbon with its first `old` replaced; "" for `old` cuts it behind `new`. */
static const char *variant(const char *old, const char *new)
{
	size_t size;
	char *text = test_read(TEST_DATA "/ions/trim_h_c.in", &size), *at;
	const char *path;

	assert_non_null(text);
	if (old[0] == '\0') {
		at = strstr(text, new);
		assert_non_null(at);
		path = test_write("cut.in", text, (size_t)(at - text) + strlen(new));
	} else {
		char *changed = malloc(size + strlen(new) + 1);
		at = strstr(text, old);
		assert_true(at != NULL && changed != NULL);
		int length = sprintf(changed, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
		path = test_write("changed.in", changed, (size_t)length);
		free(changed);
	}
	free(text);
	return path;
}

/* Symbol, atomic number and mass have to belong together. */
static void contradicting_nuclides_are_refused(void **unused)
{
	static const char atom[] = "Atom 1 = C =        6  12.011", ion[] = "     1   1.008         100";
	static const struct {
		const char *old, *new, *message;
	} wrong[] = {
	    {atom, "Atom 1 = C =        7  12.011", ":13: the atom is named C, but atomic number 7 is N"},
	    {atom, "Atom 1 = N =        7  12.011", ":13: atomic number 7 is N, but 12.011 amu is the mass of C"},
	    {atom, "Atom 1 = C =        6  28.086", ":13: atomic number 6 is C, but 28.086 amu is the mass of Si"},
	    {ion, "     7   12.011        100", ":3: atomic number 7 is N, but 12.011 amu"},
	    {ion, "     2   1.008         100", ":3: atomic number 2 is He, but 1.008 amu"}};
	static const struct {
		const char *old, *new;
	} right[] = {{atom, "Atom 1 = C =        6  13.003"}, {atom, "Atom 1 = C =        6  14.003"},
		     {atom, "Atom 1 = Xx =       6  12.011"}, {atom, "Atom 1 = C =        6  12.3"},
		     {ion, "     1   2.014         100"},     {ion, "     6   11.011        100"},
		     {ion, "     2   3.016         100"}};

	(void)unused;
	for (size_t k = 0; k < COUNT(wrong); ++k) {
		sonde_status status = read_file(variant(wrong[k].old, wrong[k].new));
		if (status != SONDE_INVALID || strstr(sonde_status_message(), wrong[k].message) == NULL)
			fail_msg("%s: %s", wrong[k].new, status == SONDE_OK ? "read" : sonde_status_message());
	}
	for (size_t k = 0; k < COUNT(right); ++k)
		if (read_file(variant(right[k].old, right[k].new)) != SONDE_OK)
			fail_msg("%s: %s", right[k].new, sonde_status_message());
}

static void file_of_the_setup_window_is_read(void **unused)
{
	(void)unused;
	read_well(TEST_DATA "/ions/trim_h_c.in");
	assert_string_equal(options.ion, "H");
	assert_true(options.ion_mass == 1.008 && options.angle == 0.0 && options.number == 2000);
	assert_string_equal(options.energy, "100keV");
	assert_string_equal(options.target, "C@2.253:10000A");
	assert_string_equal(options.displacement, "C=28");
	assert_string_equal(options.lattice, "C=3");
	assert_string_equal(options.surface_binding, "C=7.41");
	assert_true(options.cascades == SONDE_IONS_CASCADES_FULL && options.surface == SONDE_IONS_SURFACE_OPEN);
	assert_true(options.flight == SONDE_IONS_FLIGHT_EXPONENTIAL && options.seed == 1);
	assert_true(options.stopping_factor == 1.0 && options.depth == 0.0 && options.bins == 100);
	assert_true(options.trajectories == 0 && options.exits == 100000);
}

/* As scripts write them: decimals, one energy a line, no CR. */
static void file_of_a_script_is_read(void **unused)
{
	(void)unused;
	read_well(TEST_DATA "/ions/trim_fe_fe.in");
	assert_string_equal(options.ion, "Fe");
	assert_string_equal(options.energy, "2000keV");
	assert_string_equal(options.target, "Fe@7.8658:20000A");
	assert_string_equal(options.displacement, "Fe=40");
	assert_true(options.number == 100 && options.seed == 4097 && options.trajectories == 100);
	/* 100 bins from 5000 to 10000 Angstrom */
	assert_true(options.depth == 10000.0 && options.bins == 200);
}

/* Sputtering, three layers with compounds, elements anew in each layer, letters beyond ASCII, quotes in names. */
static void layers_with_compounds_are_read(void **unused)
{
	struct target target;

	(void)unused;
	read_well(TEST_DATA "/ions/trim_layers.in");
	assert_string_equal(options.ion, "15N");
	assert_true(options.ion_mass == 15.0 && options.angle == 7.0);
	assert_true(options.surface == SONDE_IONS_SURFACE_PLANAR && options.flight == SONDE_IONS_FLIGHT_MONOLAYER);
	assert_true(options.cascades == SONDE_IONS_CASCADES_FULL);
	assert_within(options.stopping_factor, 0.9512, 1e-12, "stopping factor");
	assert_string_equal(options.target, "Si.4153N.4847H.1@2.8:300A/SiO2@2.2:900A/Si@2.3212:5000A");
	assert_string_equal(options.displacement, "Si=15,N=28,H=10,O=28");
	assert_string_equal(options.lattice, "Si=2,N=3,H=3,O=3");
	assert_string_equal(options.surface_binding, "Si=4.7,N=2,H=2,O=2");
	assert_true(options.depth == 1600.0 && options.bins == 107);
	assert_status(SONDE_OK, target_make(&options, NULL, &target));
	assert_true(target.layer_count == 3 && target.kind_count == 7);
	assert_within(target.kinds[2].fraction, 0.4847, 1e-12, "fraction");
	assert_within(target.layers[2].begin, 120.0, 1e-9, "begin");
}

/* An older file, which ends behind the phases. */
static void file_of_an_older_version_is_read(void **unused)
{
	(void)unused;
	read_well(TEST_DATA "/ions/trim_quick.in");
	assert_string_equal(options.ion, "B");
	assert_true(options.ion_mass == 11.0 && options.seed == 77 && options.number == 99999);
	assert_true(options.cascades == SONDE_IONS_CASCADES_QUICK && options.depth == 6000.0);
	assert_true(options.stopping_factor == 1.0);
	assert_string_equal(options.displacement, "");
}

static void assert_target(const char *expected, const char *path)
{
	read_well(path);
	assert_string_equal(options.target, expected);
}

static void variants_of_the_format_are_read(void **unused)
{
	(void)unused;
	assert_target("C@2.253:10000A", variant("\"Carbon, amorphous\"", "Carbon, amorphous"));
	assert_target("C@2.253:10000A", variant("10000  2.253       1", "10000,2.253,1"));
	assert_target("C@2.253:10000A", variant("10000  2.253       1", "1E+04\t2.253 100"));
	assert_target("C@2.253:10000A", variant("10000  2.253       1", "10000\r\n  2.253\r\n  1"));
	assert_target("C@2.253:10000A", variant("\r\n 0 \r\n", "\r\n 0 \r\n\x1a\r\n"));
	assert_target("C@2.253:10000A", variant("Individual target", "\r\n\r\nIndividual target"));
	assert_target("C@2.253:10000A", variant("0  Target layer phases (0=Solid, 1=Gas)", ""));
	/* isotopes whose masses are nearly natural: as many atoms as there */
	assert_target("C[11.8615]@2.253:10000A", variant("6  12.011", "6  11.8615"));
	assert_target("C@2.253:10000A", variant("6  12.011", "6  12.0107"));
	read_well(variant("     1   1.008 ", "     1   2.014 "));
	assert_string_equal(options.ion, "2H");
	read_well(variant("     1   1.008 ", "    29  63.546 "));
	assert_string_equal(options.ion, "Cu");
	assert_true(options.ion_mass == 63.546);
	read_well(variant("0    10000\r\n", "\r\n"));
	read_well(variant("0       0           0       0               0                               0",
			  "0       1           1       1               0                             5.5"));
	assert_true(options.exits == 100000 && options.trajectories == 100);
	read_well(variant("0               0\r\nTarget", "0           20000\r\nTarget"));
	assert_true(options.depth == 10000.0 && options.bins == 100);
	read_well(variant(" 1  \r\n", " 0  \r\n"));
	assert_true(options.stopping_factor == 1.0);
	read_well(variant("0    10000\r\n", ".9    10000\r\n"));
	assert_true(options.stopping_factor == 1.0);
}

/* Nothing but the numbers, as some scripts write it. */
static void files_of_numbers_alone_are_read(void **unused)
{
	(void)unused;
	read_well(test_write_text("bare.in",
				  "\n\n6 12 4500 0 99 1 10000\n\n1 0 0\n\n1 1 0 1 2 0\n\n\"\" 2 1\n\n0 0 1000\n"
				  "\nAtom 1 = Si =    14 28.086\nAtom 2 = C =    6 12.011\n\n\n"
				  "1 \"Layer 1\" 1000 3.21 0.5 0.5\n\n0\n\n1  \n\n35 20\n\n2 3\n\n4.7 7.41\n\n0 \n"));
	assert_string_equal(options.target, "SiC@3.21:1000A");
	assert_string_equal(options.displacement, "Si=35,C=20");
	assert_string_equal(options.surface_binding, "Si=4.7,C=7.41");
}

static void assert_wrong(const char *words, const char *path)
{
	sonde_ions_options before;

	sonde_ions_options_init(&before);
	assert_invalid(words, read_file(path));
	assert_memory_equal(&before, &options, sizeof options);
}

static void invalid_files_are_refused(void **unused)
{
	(void)unused;
	assert_wrong("trim_broken.in:16: the density of the layer = 'heavy' is not a finite number",
		     TEST_DATA "/ions/trim_broken.in");
	assert_wrong("nothing.in: cannot be read", test_path("nothing.in"));
	assert_wrong("the file ends before its title", test_write_text("empty.in", ""));
	assert_wrong("poem.in:1: this is not a TRIM.IN", test_write_text("poem.in", "Roses are red\n"));
	assert_wrong("cut.in:3: the file ends before the kind of cascades", variant("", "10000\r\n"));
	assert_wrong("cut.in:15: the file ends before the layers of the target", variant("", "Stoich\r\n"));
	assert_wrong("cut.in:19: the file ends before the correction", variant("", "(Bragg)\r\n"));
	assert_wrong("cut.in:21: the file ends before the displacement",
		     variant("", "displacement energies (eV)\r\n"));
}

static void invalid_numbers_are_refused(void **unused)
{
	(void)unused;
	assert_wrong("changed.in:3: the ion's atomic number = 93 is not from 1 to 92",
		     variant("     1   1.008", "    93   238"));
	assert_wrong("the ion's atomic number = 1.5 is not a whole number",
		     variant("     1   1.008", "   1.5   1.008"));
	assert_wrong("the ion's mass = 0 is not", variant("1.008   ", "0       "));
	assert_wrong("'5' follows the expected numbers; numbers have decimal points",
		     variant("    10000\r\n", "    10000,5\r\n"));
	assert_wrong("changed.in:5: kind 5 of cascades has its beam in TRIM.DAT",
		     variant("                      2", "                      5"));
	assert_wrong("the kind of cascades = 8 is not from 1 to 7",
		     variant("                      2", "                      8"));
	assert_wrong("changed.in:9: the number of layers = 65", variant("1               1\r\n", "1        65\r\n"));
	assert_wrong("the target must be a name in quotes and 2 numbers",
		     variant("\"H (100) into Layer 1                     \"       1               1", "1"));
	assert_wrong("changed.in:13: an element of the target is expected here", variant("Atom 1 = C =", "Carbon"));
	assert_wrong("the width of the layer = 0", variant("10000  2.253", "0  2.253"));
	assert_wrong("changed.in:16: the layer has no atoms", variant("2.253       1", "2.253       0"));
	assert_wrong("an amount of an element = -1", variant("2.253       1", "2.253       -1"));
	assert_wrong("changed.in:22: the displacement energy = 0 is not from 0.1 to 10000",
		     variant("      28\r\n", "       0\r\n"));
}

static const char *two_layers(const char *corrections, const char *displacement, const char *first)
{
	char text[2000];

	snprintf(
	    text, sizeof text,
	    "TRIM\n\n6 12 50 0 10 1 0\n\n2 0 0\n\n0 0 0 0 0 0\n\n\"two\" 2 2\n\n5 0 0\n\nAtom 1 = Si = 14 28.086\n"
	    "Atom 2 = Si = 14 28.086\n\n\n1 \"a\" 100 2.3 %s\n2 \"b\" 100 2.2 0 1\nphases\n0 0\ncorrections\n%s\n"
	    "displacement\n%s\n",
	    first, corrections, displacement);
	return test_write_text("two.in", text);
}

static void features_without_an_option_are_refused(void **unused)
{
	(void)unused;
	assert_target("Si@2.3:100A/Si@2.2:100A", two_layers("1 1", "15 15", "1 0"));
	assert_string_equal(options.displacement, "Si=15");
	assert_target("Si@2.3:100A/Si@2.2*0.9:100A", two_layers("1 .9", "15 20", "1 0"));
	assert_string_equal(options.displacement, "Si@1=15,Si@2=20");
	assert_target("Si@2.3:100A/Si@2.2*0.9:100A", two_layers("0 .9", "15 15", "1 0"));
	assert_wrong("two.in:22: the correction for compounds = 0.05 is not", two_layers("1 .05", "15 15", "1 0"));
	assert_wrong("two.in:24: the displacement energy: 15 and 20 eV for Si in one layer",
		     two_layers("1 1", "15 20", "1 1"));
}

/* Masses that are not the natural ones, and energies of layers, as the run has them. */
static void isotopes_and_energies_reach_the_run(void **unused)
{
	struct target target;

	(void)unused;
	assert_target("C[13.003]@2.253:10000A", variant("12.011", "13.003"));
	assert_target("C[13.0]@2.253:10000A", variant("12.011", "13    "));
	assert_target("C@2.253:10000A", variant("12.011", "12.010"));
	assert_wrong("changed.in:13: the mass = 40.5 is not", variant("12.011", "40.5  "));
	read_well(two_layers("1 .9", "15 20", "1 0"));
	assert_status(SONDE_OK, target_make(&options, NULL, &target));
	assert_true(target.kinds[1].displacement == 15.0 && target.kinds[2].displacement == 20.0);
	assert_within(target.layers[1].material.correction, -0.1, 1e-15, "correction");
	assert_true(target.layers[0].material.correction == 0.0);
	/* two isotopes in one layer have one energy there, which is said once */
	read_well(test_write_text("isotopes.in",
				  "TRIM\n\n6 12 50 0 10 1 0\n\n2 0 0\n\n0 0 0 0 0 0\n\n\"isotopes\" 3 2\n\n5 0 0\n\n"
				  "Atom 1 = Si = 14 28.086\nAtom 2 = Si = 14 28.976\nAtom 3 = Si = 14 28.086\n\n\n"
				  "1 \"a\" 100 2.3 1 1 0\n2 \"b\" 100 2.2 0 0 1\nphases\n0 0\ncorrections\n1 1\n"
				  "displacement\n15 15 20\n"));
	assert_string_equal(options.displacement, "Si@1=15,Si@2=20");
}

/* Atoms in any amounts as a formula that reads back as these. */
static void assert_formula(const char *expected, int count, const int *numbers, const double *amounts)
{
	struct trim_layer layer = {.density = 2.5, .width = 30.0};
	struct text text = {0};

	for (int i = 0; i < count; ++i)
		assert_true(formula_add(&layer.formula, numbers[i], 0.0, amounts[i]));
	assert_status(SONDE_OK, trim_target_append(&layer, &text));
	if (strcmp(text.bytes, expected) != 0)
		fail_msg("%s instead of %s", text.bytes, expected);
	text_free(&text);
}

static void fractions_become_formulas(void **unused)
{
	(void)unused;
	for (int z = 1; z <= TABULATED_ELEMENTS; ++z) {
		char expected[32];
		snprintf(expected, sizeof expected, "%s@2.5:30A", element_symbol(z));
		assert_formula(expected, 1, &z, (double[]){0.3});
	}
	assert_formula("P1V1C1@2.5:30A", 3, (int[]){15, 23, 6}, (double[]){1, 1, 1}); /* PVC is a name */
	assert_formula("Al2O3@2.5:30A", 2, (int[]){13, 8}, (double[]){0.4, 0.6});
	assert_formula("C22H10N2O5@2.5:30A", 4, (int[]){6, 1, 7, 8}, (double[]){.564103, .25641, .051282, .128205});
	assert_formula("Fe7H3@2.5:30A", 2, (int[]){26, 1}, (double[]){0.7, 0.3});
	assert_formula("Si.999999B.000001@2.5:30A", 2, (int[]){14, 5}, (double[]){0.999999, 1e-6});
	assert_formula("H.1111He.1235Li.1234Be.1213B.1301C.1407N.1299O.12@2.5:30A", 8,
		       (int[]){1, 2, 3, 4, 5, 6, 7, 8},
		       (double[]){.1111, .1235, .1234, .1213, .1301, .1407, .1299, .12});
}

static void trim_in_is_recognized_by_its_name(void **unused)
{
	(void)unused;
	assert_true(trim_in_is_named("TRIM.IN") && trim_in_is_named("runs/trim.in") && trim_in_is_named("fe.In"));
	assert_false(trim_in_is_named("trim.inp") || trim_in_is_named("in") || trim_in_is_named("job.yaml"));
	assert_false(trim_in_is_named(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(contradicting_nuclides_are_refused),
					   cmocka_unit_test(file_of_the_setup_window_is_read),
					   cmocka_unit_test(file_of_a_script_is_read),
					   cmocka_unit_test(layers_with_compounds_are_read),
					   cmocka_unit_test(file_of_an_older_version_is_read),
					   cmocka_unit_test(variants_of_the_format_are_read),
					   cmocka_unit_test(files_of_numbers_alone_are_read),
					   cmocka_unit_test(invalid_files_are_refused),
					   cmocka_unit_test(invalid_numbers_are_refused),
					   cmocka_unit_test(features_without_an_option_are_refused),
					   cmocka_unit_test(isotopes_and_energies_reach_the_run),
					   cmocka_unit_test(fractions_become_formulas),
					   cmocka_unit_test(trim_in_is_recognized_by_its_name)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
