/* Electronic stopping by Ziegler, Biersack and Littmark's formulas: values of an independent program, continuity,
 * limits, published stopping, and the difference from SRIM-2013. */
#include "unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stopping/difference.h"
#include "stopping/table.h"
#include "stopping/zbl.h"

static struct stopping_zbl zbl;

static int read(void **unused)
{
	(void)unused;
	stopping_zbl_read(&zbl);
	return 0;
}

static double stopping(int z1, int z2, double energy)
{
	return stopping_zbl_value(&zbl, z1, z2, energy);
}

/* tests/oracles/zbl.py wrote the file from the coefficients. */
static void as_the_oracle_has_it(void **unused)
{
	FILE *file = fopen(TEST_DATA "/ions/zbl_stopping_reference.csv", "r");
	char line[256];
	double worst = 0.0;
	int rows = 0;
	(void)unused;

	assert_non_null(file);
	while (fgets(line, sizeof line, file) != NULL) {
		int z1, z2;
		double energy, expected;
		if (sscanf(line, "%d,%d,%lf,%lf", &z1, &z2, &energy, &expected) != 4)
			continue;
		worst = fmax(worst, fabs(stopping(z1, z2, energy) / expected - 1.0));
		++rows;
	}
	fclose(file);
	print_message("%d values, within %.2g\n", rows, worst);
	assert_true(rows > 100);
	assert_true(worst < 1e-6);
}

/* NIST's PSTAR (ICRU 49), by Bragg's rule; 1 eV/(10^15 atoms/cm^2) is 602.214/A MeV cm^2/g. The mean excitation
 * energy of liquid water is above that of its elements, H as a gas, so that Bragg's sum is some percent more. */
static void protons_agree_with_published_stopping(void **unused)
{
	static const struct {
		const char *name;
		int z1, z2[2];
		double atoms[2], mass;          /* of the target, amu */
		double energy, expected, share; /* MeV, MeV cm^2/g */
	} cases[] = {
	    {"H in water", 1, {1, 8}, {2, 1}, 18.015, 1.0, 260.8, 0.04},
	    {"H in water", 1, {1, 8}, {2, 1}, 18.015, 10.0, 45.67, 0.03},
	    {"H in water", 1, {1, 8}, {2, 1}, 18.015, 100.0, 7.289, 0.02},
	    {"H in water", 1, {1, 8}, {2, 1}, 18.015, 1000.0, 2.211, 0.02},
	    {"H in Al", 1, {13, 13}, {1, 0}, 26.982, 10.0, 33.76, 0.02},
	    {"H in Al", 1, {13, 13}, {1, 0}, 26.982, 100.0, 5.678, 0.01},
	};
	(void)unused;

	for (size_t k = 0; k < COUNT(cases); ++k) {
		double speed = 1e3 * cases[k].energy / (cases[k].z1 == 1 ? 1.00728 : 4.00151), found = 0.0;
		for (int n = 0; n < 2; ++n)
			found += cases[k].atoms[n] * stopping(cases[k].z1, cases[k].z2[n], speed);
		found *= 602.214 / cases[k].mass;
		print_message("%s, %g MeV: %.4g, published %.4g, %+.1f %%\n", cases[k].name, cases[k].energy, found,
			      cases[k].expected, 100.0 * (found / cases[k].expected - 1.0));
		assert_close(found, cases[k].expected, cases[k].share, "found");
	}
}

/* No step where one formula ends and the next begins: of ions, of protons, of Bethe's. */
static void stopping_is_continuous(void **unused)
{
	static const int ions[] = {1, 2, 3, 4, 8, 18, 36, 79, 92};
	const double ratio = 1.002;
	double worst = 0.0;
	(void)unused;

	for (size_t k = 0; k < COUNT(ions); ++k)
		for (int z2 = 1; z2 <= 92; z2 += 3) {
			double before = stopping(ions[k], z2, 0.01);
			for (double energy = 0.01 * ratio; energy < 1e6; energy *= ratio) {
				double here = stopping(ions[k], z2, energy),
				       power = fabs(log(here / before)) / log(ratio);
				/* a step of 0.1 % would be a power of 0.5 more; S goes at most as E^2.2 */
				if (!(power < 2.25))
					fail_msg("%d in %d goes as the power %g at %g keV/u", ions[k], z2, power,
						 energy);
				worst = fmax(worst, power);
				before = here;
			}
		}
	print_message("steepest: the power %.2f\n", worst);
	for (int z2 = 1; z2 <= 92; ++z2)
		for (size_t k = 0; k < 3; ++k) {
			double end = (double[]){1.0, 25.0, 1e4}[k];
			for (int z1 = 1; z1 <= 2; ++z1)
				assert_within(stopping(z1, z2, end * (1.0 + 1e-12)) / stopping(z1, z2, end), 1.0,
					      1e-10, "stopping z1 z2 end");
		}
}

static void stopping_has_the_limits_of_slow_and_fast_ions(void **unused)
{
	(void)unused;
	for (int z2 = 1; z2 <= 92; ++z2)
		for (int z1 = 1; z1 <= 92; ++z1) {
			assert_true(stopping(z1, z2, 0.0) == 0.0);
			/* slow ions are stopped as a power of the velocity, fast ones less and less */
			double slow = log(stopping(z1, z2, 0.02) / stopping(z1, z2, 0.01)) / log(2.0);
			assert_true(slow > 0.24 && slow < 0.501);
			assert_true(stopping(z1, z2, 2e5) < stopping(z1, z2, 1e5));
			/* fast ones by the square of their charge */
			assert_within(stopping(z1, z2, 1e6) / (z1 * z1 * stopping(1, z2, 1e6)), 1.0, 0.02,
				      "stopping z1 z2 e6");
			/* an ion has never more than its charge, but for the effects of odd order */
			assert_true(stopping(z1, z2, 1e3) < 1.25 * z1 * z1 * stopping(1, z2, 1e3));
		}
	assert_within(log(stopping(6, 14, 0.02) / stopping(6, 14, 0.01)) / log(2.0), 0.375, 1e-9, "stopping");
	assert_within(log(stopping(26, 14, 0.02) / stopping(26, 14, 0.01)) / log(2.0), 0.5, 1e-9, "stopping");
	/* Bethe's alone at 1 GeV/u, in Si: shell correction in hundredths */
	double gamma = 1.0 + 1e6 / 931494.1, beta2 = 1.0 - 1.0 / (gamma * gamma);
	double expected = 0.307075 * 28.0855 / 602.214 * 14.0 / 28.0855 / beta2 *
			  (log(2.0 * 510998.95 * beta2 * gamma * gamma / 173.0) - beta2);
	assert_within(stopping(1, 14, 1e6) / expected, 1.0, 0.002, "stopping e6 expected");
}

static int compare_numbers(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* |S(zbl)/S(srim13) - 1| of a class of ions in a range of energies. */
static struct difference find_difference(const struct stopping_table *table, int kind, int range)
{
	static double all[92 * 92 * 21];
	size_t count = 0;

	for (int z1 = difference_ions[kind].first; z1 <= difference_ions[kind].last; ++z1)
		for (int z2 = 1; z2 <= 92; ++z2)
			for (double energy = difference_energies[range];
			     energy < 0.999 * difference_energies[range + 1]; energy *= pow(10.0, 0.1))
				all[count++] = fabs(
				    stopping(z1, z2, energy) / stopping_table_value(table, z1, z2, energy) - 1.0);
	qsort(all, count, sizeof *all, compare_numbers);
	return (struct difference){100.0 * all[count / 2], 100.0 * all[count * 9 / 10]};
}

/* The statements of results and docs/stopping.md. */
static void stated_differences_from_srim_are_the_true_ones(void **unused)
{
	const char *path = TABLES "/noncommercial/stopping_srim13.i16";
	struct stopping_table *table;
	FILE *file = fopen(path, "rb");
	(void)unused;

	if (file == NULL)
		skip();
	fclose(file);
	assert_status(SONDE_OK, stopping_table_read(path, &table));
	for (int kind = 0; kind < DIFFERENCE_ION_CLASSES; ++kind) {
		print_message("    {");
		for (int range = 0; range < DIFFERENCE_ENERGY_RANGES; ++range) {
			const struct difference *said = &difference_zbl_srim13[kind][range];
			struct difference found = find_difference(table, kind, range);
			print_message("%s{%.1f, %.1f}", range > 0 ? ", " : "", found.median, found.most);
			assert_within(said->median, found.median, 0.051, "median");
			assert_within(said->most, found.most, 0.051, "most");
		}
		print_message("},\n");
	}
	stopping_table_free(&table);
}

static void description_names_the_source(void **unused)
{
	struct text text = {0};
	(void)unused;

	stopping_append_source(&text, STOPPING_ZBL, 5, 50.0, 200.0);
	assert_string_equal(text.bytes,
			    "zbl (Ziegler, Biersack and Littmark 1985); differs from SRIM-2013's for such ions, "
			    "median of all elements and bound of nine in ten, by 10 and 32 % 10 to 100 keV/u, 5 and "
			    "13 % 100 to 1000 keV/u");
	text_free(&text);
	stopping_append_source(&text, STOPPING_SRIM13, 5, 50.0, 200.0);
	assert_string_equal(text.bytes, "srim13 (table of SRIM-2013, not for commercial use)");
	text_free(&text);
	assert_string_equal(stopping_source_name(STOPPING_LINDHARD), "lindhard");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(as_the_oracle_has_it),
					   cmocka_unit_test(protons_agree_with_published_stopping),
					   cmocka_unit_test(stopping_is_continuous),
					   cmocka_unit_test(stopping_has_the_limits_of_slow_and_fast_ions),
					   cmocka_unit_test(stated_differences_from_srim_are_the_true_ones),
					   cmocka_unit_test(description_names_the_source)};

	return cmocka_run_group_tests(tests, read, NULL);
}
