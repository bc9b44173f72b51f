/* Stopping and straggling of ions in materials, users' tables, and lists of energies. */
#include "unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stopping/energies.h"
#include "stopping/scattering.h"
#include "stopping/stopping.h"
#include "stopping/file.h"
#include "stopping/table.h"

#define PI 3.14159265358979323846
#define E2 1.43996454784255

static const struct material silica = {.name = "SiO2",
				       .count = 2,
				       .atomic_number = {14, 8},
				       .mass = {28.086, 15.999},
				       .fraction = {1.0 / 3.0, 2.0 / 3.0},
				       .density = 2.2,
				       .atoms = 66.15};
static const struct material silicon = {
    .name = "Si", .count = 1, .atomic_number = {14}, .mass = {28.086}, .fraction = {1.0}, .atoms = 49.77};

static struct stopping *open_stopping(enum stopping_source source, enum straggling_source straggling)
{
	struct stopping *stopping;

	assert_int_equal(setenv("SONDE_DATA", TABLES, 1), 0);
	assert_status(SONDE_OK, stopping_open(source, straggling, &stopping));
	return stopping;
}

static void electronic_stopping_follows_bragg(void **unused)
{
	struct stopping *srim = open_stopping(STOPPING_SRIM13, STRAGGLING_NONE);
	struct stopping_table *table;
	(void)unused;

	/* Bragg's rule; 0.1 eV nm^2 in a unit of the table */
	assert_status(SONDE_OK, stopping_table_read(TABLES "/noncommercial/stopping_srim13.i16", &table));
	double sum = stopping_table_value(table, 2, 14, 25.0) / 3.0 + stopping_table_value(table, 2, 8, 25.0) / 1.5;
	assert_within(stopping_electronic(srim, 2, 4.0, &silica, 100e3), 0.1 * silica.atoms * sum, 1e-12 * sum,
		      "stopping electronic");
	stopping_table_free(&table);
	/* isotopes as their velocities */
	assert_within(stopping_electronic(srim, 1, 2.0, &silica, 2e5),
		      stopping_electronic(srim, 1, 1.0, &silica, 1e5), 1e-9, "stopping electronic");
	assert_true(stopping_electronic(srim, 1, 1.0, &silica, 0.0) == 0.0);
	const struct material vacuum = {.name = "vacuum"};
	assert_true(stopping_electronic(srim, 1, 1.0, &vacuum, 1e5) == 0.0);
	assert_within(stopping_last_energy(srim, 4.0), 4e9, 1.0, "stopping last energy");
	/* beyond it as there */
	assert_within(stopping_electronic(srim, 2, 4.0, &silica, 5e9),
		      stopping_electronic(srim, 2, 4.0, &silica, 4e9), 1e-12, "stopping electronic");
	stopping_free(&srim);
	assert_null(srim);

	struct stopping *lindhard = open_stopping(STOPPING_LINDHARD, STRAGGLING_NONE);
	/* in eV Angstrom^2 */
	double expected = 1.212 * pow(5, 7.0 / 6.0) * 14.0 /
			  (pow(pow(5, 2.0 / 3.0) + pow(14, 2.0 / 3.0), 1.5) * sqrt(11.0)) * sqrt(1e5);
	assert_within(stopping_electronic(lindhard, 5, 11.0, &silicon, 1e5), 0.01 * 49.77 * expected, 1e-9,
		      "stopping electronic");
	stopping_free(&lindhard);

	struct stopping *none = open_stopping(STOPPING_NONE, STRAGGLING_YANG);
	assert_true(stopping_electronic(none, 5, 11.0, &silicon, 1e5) == 0.0);
	assert_true(stopping_straggling(none, 5, 11.0, &silicon, 1e5) == 0.0);
	stopping_free(&none);
}

static void straggling_follows_its_formulas(void **unused)
{
	struct stopping *bohr = open_stopping(STOPPING_SRIM13, STRAGGLING_BOHR);
	struct stopping *chu = open_stopping(STOPPING_SRIM13, STRAGGLING_CHU);
	struct stopping *yang = open_stopping(STOPPING_SRIM13, STRAGGLING_YANG);
	const struct material hydrogen = {
	    .name = "H", .count = 1, .atomic_number = {1}, .mass = {1.008}, .fraction = {1.0}, .atoms = 42.7};
	(void)unused;

	double of_bohr = 4.0 * PI * 4.0 * 14.0 * E2 * E2 * 49.77;
	assert_within(stopping_straggling(bohr, 2, 4.0, &silicon, 1e5), of_bohr, 1e-9 * of_bohr,
		      "stopping straggling");
	/* Chu's factor of Si at 1 MeV/u: 1/(1 - 0.5587 + 0.7835) */
	assert_within(stopping_straggling(chu, 2, 4.0, &silicon, 4e6), of_bohr / 1.2248, 1e-9 * of_bohr,
		      "stopping straggling");
	/* bare and fast, all are Bohr's */
	assert_within(stopping_straggling(yang, 2, 4.0, &silicon, 4e9) / of_bohr, 1.0, 0.01,
		      "stopping straggling yang silicon e9 of bohr");
	/* hydrogen has no row in Chu's table */
	assert_within(stopping_straggling(chu, 1, 1.0, &hydrogen, 1e4) /
			  stopping_straggling(bohr, 1, 1.0, &hydrogen, 1e4),
		      1.0, 1e-12, "stopping straggling chu hydrogen e4 bohr");
	for (int z1 = 1; z1 <= 92; ++z1)
		for (int z2 = 1; z2 <= 92; ++z2) {
			const struct material element = {
			    .count = 1, .atomic_number = {z2}, .mass = {2.0 * z2}, .fraction = {1.0}, .atoms = 50.0};
			for (double energy = 1e-3; energy < 2e6; energy *= 10.0) {
				double found = stopping_straggling(yang, z1, 2.0 * z1, &element, 2e3 * z1 * energy);
				double ratio = found / (4.0 * PI * z1 * z1 * z2 * E2 * E2 * 50.0);
				if (!(ratio >= 0.0 && ratio < 120.0))
					fail_msg("Z1 %d in Z2 %d at %g keV/u: %g times Bohr's", z1, z2, energy,
						 ratio);
			}
		}
	stopping_free(&bohr);
	stopping_free(&chu);
	stopping_free(&yang);
}

/* Reduced nuclear stopping from that of an ion in silicon. */
static double reduced_stopping(enum screening_kind kind, double reduced)
{
	double length = screening_length(kind, 18, 14), both = 39.962 + 28.086, mass = 28.086;
	double energy = reduced * 18.0 * 14.0 * E2 * both / (length * mass);

	return stopping_nuclear(kind, 18, 39.962, &silicon, energy) * reduced /
	       (PI * length * length * 4.0 * 39.962 * mass / (both * both) * energy * silicon.atoms);
}

/* epsilon times the integral of sin^2 d(s^2), in even steps of s. */
static double integral(enum screening_kind kind, double reduced, double last, int steps)
{
	double sum = 0.0;

	for (int k = 0; k < steps; ++k) {
		double s = last * (k + 0.5) / steps;
		sum += 2.0 * s * last / steps * scattering_sin2(screening_of(kind), reduced, s, 50);
	}
	return reduced * sum;
}

static void nuclear_stopping_agrees_with_reference(void **unused)
{
	char line[128];
	int rows = 0;
	(void)unused;

	/* the fit has been computed before, apart from this; beyond 30 by another formula */
	FILE *file = fopen(TEST_DATA "/ions/zbl_reduced_nuclear_stopping.csv", "r");
	assert_non_null(file);
	while (fgets(line, sizeof line, file) != NULL) {
		double reduced, exact, fit;
		if (sscanf(line, "%lf,%lf,%lf", &reduced, &exact, &fit) != 3)
			continue;
		double found = reduced_stopping(SCREENING_ZBL, reduced);
		assert_within(found / fit, 1.0, reduced < 30.0 ? 1e-5 : 0.015, "found fit");
		assert_within(found / exact, 1.0, 0.05, "found exact");
		++rows;
	}
	fclose(file);
	assert_int_equal(rows, 12);
	for (double reduced = 1e-3; reduced < 20.0; reduced *= 10.0) {
		assert_within(reduced_stopping(SCREENING_KR_C, reduced) /
				  integral(SCREENING_KR_C, reduced, 40.0, 8000),
			      1.0, 1e-3, "reduced stopping SCREENING KR C reduced integral");
		assert_within(reduced_stopping(SCREENING_MOLIERE, reduced) /
				  integral(SCREENING_MOLIERE, reduced, 40.0, 8000),
			      1.0, 1e-3, "reduced stopping SCREENING MOLIERE reduced integral");
	}
	/* bare charges up to s: sin^2 = 1/(1 + (2 epsilon s)^2), s_n = ln(1 + (2 epsilon s)^2)/(4 epsilon) */
	double s = 1.0 / (sqrt(PI) * cbrt(silicon.atoms)) / screening_length(SCREENING_NONE, 18, 14);
	assert_within(reduced_stopping(SCREENING_NONE, 0.5) * 2.0 / log(1.0 + s * s), 1.0, 1e-3,
		      "reduced stopping SCREENING NONE s");
}

static void stopping_agrees_with_output_of_srim(void **unused)
{
	static const struct {
		const char *name;
		struct material material;
	} tables[] = {{"srim_H_in_C.csv",
		       {.count = 1, .atomic_number = {6}, .mass = {12.011}, .fraction = {1.0}, .atoms = 112.96}},
		      {"srim_H_in_Fe.csv",
		       {.count = 1, .atomic_number = {26}, .mass = {55.847}, .fraction = {1.0}, .atoms = 84.817}}};
	struct stopping *srim = open_stopping(STOPPING_SRIM13, STRAGGLING_NONE);
	(void)unused;

	for (size_t k = 0; k < COUNT(tables); ++k) {
		char path[256], line[512];
		double worst[2] = {0.0};
		int rows = 0;
		snprintf(path, sizeof path, TEST_DATA "/ions/%s", tables[k].name);
		FILE *file = fopen(path, "r");
		assert_non_null(file);
		while (fgets(line, sizeof line, file) != NULL) {
			double energy, expected[2], unit = 0.1 * tables[k].material.atoms;
			if (sscanf(line, "%lf,%*f,%*f,%lf,%lf", &energy, &expected[0], &expected[1]) != 3)
				continue;
			double found[2] = {
			    stopping_electronic(srim, 1, 1.008, &tables[k].material, 1e3 * energy),
			    stopping_nuclear(SCREENING_ZBL, 1, 1.008, &tables[k].material, 1e3 * energy)};
			for (int n = 0; n < 2; ++n)
				worst[n] = fmax(worst[n], fabs(found[n] / unit / expected[n] - 1.0));
			++rows;
		}
		fclose(file);
		print_message("%s: %d energies, electronic within %.2g %%, nuclear within %.2g %%\n", tables[k].name,
			      rows, 100.0 * worst[0], 100.0 * worst[1]);
		assert_true(rows > 70 && worst[0] < 0.002 && worst[1] < 0.002);
	}
	stopping_free(&srim);
}

static const char of_srim[] = " ==================================================================\r\n"
			      "              Calculation using SRIM-2006 \r\n"
			      "              SRIM version ---> SRIM-2013.00\r\n"
			      " Disk File Name = SRIM Outputs\\Hydrogen in Iron.txt\r\n"
			      "\r\n"
			      " Ion = Hydrogen [1] , Mass = 1.008 amu\r\n"
			      "\r\n"
			      " Target Density =  7.8658E+00 g/cm3 = 8.4817E+22 atoms/cm3\r\n"
			      " ======= Target  Composition ========\r\n"
			      "    Atom   Atom   Atomic    Mass     \r\n"
			      "     Fe     26    100.00    100.00   \r\n"
			      " ====================================\r\n"
			      " Bragg Correction = 0.00%\r\n"
			      " Stopping Units =  MeV / (mg/cm2) \r\n"
			      " See bottom of Table for other Stopping units \r\n"
			      "\r\n"
			      "        Ion        dE/dx      dE/dx     Projected  Longitudinal   Lateral\r\n"
			      "  --------------  ---------- ---------- ----------  ----------  ----------\r\n"
			      "  999.999 eV    4.000E-02  8.900E-03      77 A         80 A         57 A   \r\n"
			      "   10.00 keV    1.170E-01  2.647E-03     686 A        450 A        379 A   \r\n"
			      "  100.00 keV    1.923E-01  4.500E-04    4680 A       1130 A       1250 A   \r\n"
			      "    1.00 MeV    1.100E-01  7.000E-05    6.39 um     2900 A       5700 A   \r\n"
			      "-----------------------------------------------------------\r\n"
			      " Multiply Stopping by        for Stopping Units\r\n"
			      " -------------------        ------------------\r\n"
			      "  7.8656E+01                 eV / Angstrom \r\n"
			      "  7.8656E+02                keV / micron   \r\n"
			      " ==================================================================\r\n";

static void tables_of_srim_are_read_in_all_units(void **unused)
{
	struct stopping *stopping = open_stopping(STOPPING_SRIM13, STRAGGLING_NONE);
	struct material iron = {
	    .name = "Fe", .count = 1, .atomic_number = {26}, .mass = {55.847}, .fraction = {1.0}, .atoms = 84.817};
	(void)unused;

	double before = stopping_electronic(stopping, 1, 1.008, &iron, 10e3);
	double of_helium = stopping_electronic(stopping, 2, 4.003, &iron, 10e3);
	assert_status(SONDE_OK, stopping_use_table(stopping, test_write_text("sr.txt", of_srim), 1, &iron));
	assert_within(stopping_electronic(stopping, 1, 1.008, &iron, 10e3), 786.56 * 0.117, 1e-6,
		      "stopping electronic");
	/* as SRIM-2013 says */
	assert_within(stopping_electronic(stopping, 1, 1.008, &iron, 10e3) / before, 1.0, 0.005,
		      "stopping electronic stopping iron e3 before");
	/* linear in the logarithms, and as the velocity below */
	assert_within(stopping_electronic(stopping, 1, 1.008, &iron, sqrt(10e3 * 100e3)),
		      786.56 * sqrt(0.117 * 0.1923), 1e-6, "stopping electronic");
	assert_within(stopping_electronic(stopping, 1, 1.008, &iron, 999.999 / 4.0), 786.56 * 0.02, 1e-6,
		      "stopping electronic");
	/* of another isotope; of other ions and materials there is nothing new */
	assert_within(stopping_electronic(stopping, 1, 2.016, &iron, 20e3), 786.56 * 0.117, 1e-6,
		      "stopping electronic");
	assert_true(stopping_electronic(stopping, 2, 4.003, &iron, 10e3) == of_helium);
	assert_within(stopping_last_energy(stopping, 2.016), 2.016e6 / 1.008, 1.0, "stopping last energy");
	/* a thinner sort of iron */
	iron.atoms *= 0.5;
	assert_within(stopping_electronic(stopping, 1, 1.008, &iron, 10e3), 786.56 * 0.0585, 1e-6,
		      "stopping electronic");
	strcpy(iron.name, "steel");
	assert_within(stopping_electronic(stopping, 1, 1.008, &iron, 10e3), 0.5 * before, 1e-9,
		      "stopping electronic");
	stopping_free(&stopping);
}

static void read_columns(const char *name, const char *text)
{
	struct stopping_file *file;

	assert_status(SONDE_OK, stopping_file_read(test_write_text(name, text), 2, &file));
	assert_int_equal(file->count, 3);
	/* keV and eV/Angstrom */
	assert_within(stopping_file_value(file, 1e5 / file->mass, 1.0), 120.0, 1e-9, "stopping file value");
	assert_within(4.0026, file->mass, 0.001, "mass");
	stopping_file_free(&file);
	assert_null(file);
}

static void tables_of_users_are_read_or_refused(void **unused)
{
	struct stopping_file *file = (struct stopping_file *)unused;
	char text[sizeof of_srim];
	(void)unused;

	read_columns("blanks.txt", "# my own\n10 5 0.1\n100\t12 # mid\n1e3 9\n");
	read_columns("commas.csv", "energy,electronic\n10,5\n100,12\n1e3,9\n");
	assert_invalid("absent.txt", stopping_file_read(test_path("absent.txt"), 2, &file));
	assert_null(file);
	assert_invalid("a.txt: has 0 rows",
		       stopping_file_read(test_write_text("a.txt", "nothing\nhere\n"), 2, &file));
	assert_invalid("b.txt: has 1 rows", stopping_file_read(test_write_text("b.txt", "10 5\n"), 2, &file));
	assert_invalid("c.txt:2: energies must increase",
		       stopping_file_read(test_write_text("c.txt", "10 5\n9 5\n"), 2, &file));
	assert_invalid("d.txt:2: energy and stopping must be above 0",
		       stopping_file_read(test_write_text("d.txt", "10 5\n11 0\n"), 2, &file));
	assert_invalid("e.txt:2: ", stopping_file_read(test_write_text("e.txt", "10 5\n11 five\n"), 2, &file));
	assert_invalid("f.txt:2: a row has", stopping_file_read(test_write_text("f.txt", "10 5\n11\n"), 2, &file));
	assert_invalid("g.txt:6: the table is for ions of atomic number 1, not 2",
		       stopping_file_read(test_write_text("g.txt", of_srim), 2, &file));
	/* without its last lines nobody knows the unit */
	strcpy(text, of_srim);
	*strstr(text, " Multiply") = '\0';
	assert_invalid("h.txt: has no line 'NUMBER eV / Angstrom'",
		       stopping_file_read(test_write_text("h.txt", text), 1, &file));
	strcpy(text, of_srim);
	memcpy(strstr(text, "10.00 keV"), "10.00 erg", 9);
	assert_invalid("i.txt:20: a row of a SRIM table",
		       stopping_file_read(test_write_text("i.txt", text), 1, &file));
	assert_null(file);
}

static void missing_tables_are_reported(void **unused)
{
	struct stopping *stopping = (struct stopping *)unused;

	assert_int_equal(setenv("SONDE_DATA", test_folder(), 1), 0);
	assert_invalid("stopping_srim13.i16: not found in ",
		       stopping_open(STOPPING_SRIM13, STRAGGLING_YANG, &stopping));
	assert_message(test_folder());
	assert_message("install the package sonde-noncommercial-data");
	assert_message("stopping = zbl, which needs no file");
	assert_null(stopping);
	assert_invalid("stopping_dpass21.i16", stopping_open(STOPPING_DPASS21, STRAGGLING_YANG, &stopping));
	assert_status(SONDE_OK, stopping_open(STOPPING_LINDHARD, STRAGGLING_YANG, &stopping));
	stopping_free(&stopping);
	assert_status(SONDE_OK, stopping_open(STOPPING_ZBL, STRAGGLING_YANG, &stopping));
	assert_within(stopping_electronic(stopping, 1, 1.0, &silicon, 1e5), 26.3987308 * 0.1 * silicon.atoms, 1e-5,
		      "stopping electronic");
	stopping_free(&stopping);
	/* without the variable it lies among the sources */
	assert_int_equal(unsetenv("SONDE_DATA"), 0);
	assert_status(SONDE_OK, stopping_open(STOPPING_DPASS21, STRAGGLING_YANG, &stopping));
	stopping_free(&stopping);
}

static void lists_of_energies_are_read_or_refused(void **unused)
{
	static const double ladder[] = {9e3,  10e3, 11e3, 12e3, 13e3,   14e3, 15e3,
					16e3, 17e3, 18e3, 20e3, 22.5e3, 23e3};
	static const char *const wrong[][2] = {
	    {"", "'' is not an energy"},
	    {"1keV,", "'' is not an energy"},
	    {"5keV,4keV", "must be in ascending order"},
	    {"5keV:5keV", "must be above"},
	    {"1foo", "'1foo' is not an energy"},
	    {"1keV:1MeV:1", "'1' is not a number"},
	    {"0", "is not above 0"},
	    {"-1keV", "is not above 0"},
	    {"1keV:2keV:1000000", "is not a number of energies"},
	};
	double *energies;
	int64_t count;
	(void)unused;

	assert_status(SONDE_OK, energies_parse("9keV:23", &energies, &count));
	assert_int_equal(count, COUNT(ladder));
	for (size_t k = 0; k < COUNT(ladder); ++k)
		assert_within(energies[k], ladder[k], 1e-9 * ladder[k], "energies");
	free(energies);
	assert_status(SONDE_OK, energies_parse("1eV:10GeV", &energies, &count));
	assert_int_equal(count, 261);
	assert_true(energies[0] == 1.0 && energies[26] == 10.0 && energies[260] == 1e10);
	free(energies);
	assert_status(SONDE_OK, energies_parse("1 keV:100 keV:3", &energies, &count));
	assert_int_equal(count, 3);
	assert_within(energies[1], 1e4, 1e-8, "energies 1");
	free(energies);
	assert_status(SONDE_OK, energies_parse("500eV,2,3.5MeV", &energies, &count));
	assert_int_equal(count, 3);
	assert_true(energies[0] == 500.0 && energies[1] == 2e3 && energies[2] == 3.5e6);
	free(energies);
	for (size_t k = 0; k < COUNT(wrong); ++k) {
		assert_invalid(wrong[k][1], energies_parse(wrong[k][0], &energies, &count));
		assert_null(energies);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(electronic_stopping_follows_bragg),
					   cmocka_unit_test(straggling_follows_its_formulas),
					   cmocka_unit_test(nuclear_stopping_agrees_with_reference),
					   cmocka_unit_test(stopping_agrees_with_output_of_srim),
					   cmocka_unit_test(tables_of_srim_are_read_in_all_units),
					   cmocka_unit_test(tables_of_users_are_read_or_refused),
					   cmocka_unit_test(missing_tables_are_reported),
					   cmocka_unit_test(lists_of_energies_are_read_or_refused)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
