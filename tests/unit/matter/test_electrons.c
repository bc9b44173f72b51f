/* Electron scattering factors, compared with the rows of the tables, with each other, and with Mott and Bethe's formula. */
#include "unit/support.h"

#include <math.h>

#include "matter/scattering/scatterer.h"
#include "unit/table_file.h"

#define PI 3.14159265358979323846
#define MOTT_BETHE (1 / (8 * PI * PI * 0.529177210903)) /* 0.02393 1/Angstrom */

static double amplitude(enum scattering_table table, const char *label, double s)
{
	struct scatterer scatterer;
	double real, imaginary;

	assert_status(SONDE_OK, scatterer_find(table, label, &scatterer));
	scatterer_amplitude(&scatterer, 4 * PI * s, &real, &imaginary);
	assert_true(imaginary == 0.0);
	return real;
}

static long double field(const struct table_row *row, int k)
{
	return strtold(row->field[k], NULL);
}

static long double gaussians(const struct table_row *row, double s)
{
	long double f = 0;

	for (int i = 0; i < 5; ++i)
		f += field(row, 3 + i) * expl(-field(row, 8 + i) * s * s);
	return f;
}

static long double lobato(const struct table_row *row, double s)
{
	long double f = 0, g = 2 * s;

	for (int i = 0; i < 5; ++i) {
		long double b = field(row, 8 + i);
		f += field(row, 3 + i) * (2 + b * g * g) / powl(1 + b * g * g, 2);
	}
	return f;
}

static long double kirkland(const struct table_row *row, double s)
{
	long double f = 0, g = 2 * s;

	for (int i = 0; i < 3; ++i)
		f += field(row, 3 + i) / (g * g + field(row, 6 + i)) +
		     field(row, 9 + i) * expl(-field(row, 12 + i) * g * g);
	return f;
}

/* Sums whose terms are far larger than f: the fits of Lobato and Van Dyck have coefficients up to 10^5. */
static void compare(enum scattering_table table, const struct table_row *row,
		    long double (*evaluate)(const struct table_row *row, double s), double coulomb, double last)
{
	double largest = 10;

	for (int k = 3; k < 15; ++k)
		largest = fmax(largest, fabs((double)field(row, k)));
	for (int k = coulomb != 0.0; k <= 24; ++k) {
		double s = last * k / 24, expected = (double)evaluate(row, s) + (k > 0 ? coulomb / (s * s) : 0.0);
		assert_within(amplitude(table, row->field[0], s), expected,
			      1e-14 * largest + 1e-13 * fabs(coulomb) / (s * s + 1e-30), row->field[0]);
	}
}

static void check_lobato(const struct table_row *row)
{
	compare(SCATTERING_LOBATO, row, lobato, 0, 8);
}

static void check_kirkland(const struct table_row *row)
{
	compare(SCATTERING_KIRKLAND, row, kirkland, 0, 6);
}

static void check_high(const struct table_row *row)
{
	compare(SCATTERING_PENG, row, gaussians, 0, 6);
}

static void check_low(const struct table_row *row)
{
	compare(SCATTERING_PENG_LOW, row, gaussians, 0, 2);
}

static void check_ions(const struct table_row *row)
{
	compare(SCATTERING_PENG, row, gaussians, MOTT_BETHE * atoi(row->field[2]), 6);
}

static void test_factors_are_those_of_the_tables(void **unused)
{
	(void)unused;
	assert_int_equal(table_visit("fe_lobato_2014.csv", check_lobato), 103);
	assert_int_equal(table_visit("fe_kirkland_2010.csv", check_kirkland), 103);
	assert_int_equal(table_visit("fe_peng_high_0_6.csv", check_high), 98);
	assert_int_equal(table_visit("fe_peng_low_0_2.csv", check_low), 98);
	assert_int_equal(table_visit("fe_peng_ionic_1998.csv", check_ions), 106);
}

/* The largest deviation from (Z - f_X(s))/(8 pi^2 a_B s^2), with X-ray factors from other calculations. */
static double largest_deviation(enum scattering_table table, const char *label, int atomic_number, double last)
{
	static const double values[] = {0.2, 0.3, 0.5, 0.7, 1, 1.5, 1.9, 3, 4, 5.9};
	double largest = 0;

	for (size_t k = 0; k < COUNT(values) && values[k] <= last; ++k) {
		double s = values[k], expected = MOTT_BETHE / (s * s) *
						 (atomic_number - amplitude(SCATTERING_WAASMAIER_KIRFEL, label, s));
		largest = fmax(largest, fabs(amplitude(table, label, s) / expected - 1));
	}
	return largest;
}

static int beyond; /* atoms that deviate by more than a percent */

static void check_neutral(const struct table_row *row)
{
	static const struct {
		enum scattering_table table;
		double last, tolerance;
	} tables[] = {{SCATTERING_LOBATO, 6, 0.03}, {SCATTERING_KIRKLAND, 6, 0.03}, {SCATTERING_PENG_LOW, 1, 0.035}};
	const char *label = row->field[0];

	for (size_t t = 0; t < COUNT(tables) && atoi(row->field[1]) <= 98; ++t) {
		double deviation = largest_deviation(tables[t].table, label, atoi(row->field[1]), tables[t].last);
		if (deviation > tables[t].tolerance)
			fail_msg("%s, table %d: %g from Mott and Bethe", label, (int)tables[t].table, deviation);
		beyond += deviation > 0.01;
	}
}

static void test_factors_agree_with_mott_and_bethe(void **unused)
{
	(void)unused;
	assert_int_equal(table_visit("fe_lobato_2014.csv", check_neutral), 103);
	assert_true(beyond < 40); /* of 294 */
	/* silicon, s = 0.5: four tables and the formula */
	assert_within(amplitude(SCATTERING_LOBATO, "Si", 0.5), 0.7429, 5e-5, "Lobato");
	assert_within(amplitude(SCATTERING_PENG, "Si", 0.5), 0.7413, 5e-5, "Peng");
	assert_within(amplitude(SCATTERING_PENG_LOW, "Si", 0.5), 0.7425, 5e-5, "Peng, low s");
	assert_within(amplitude(SCATTERING_KIRKLAND, "Si", 0.5), 0.7423, 5e-5, "Kirkland");
	assert_true(largest_deviation(SCATTERING_LOBATO, "Si", 14, 6) < 0.01);
}

static int ions;

/* A wrong coefficient shows: other copies of this table have five. */
static void check_ion(const struct table_row *row)
{
	struct scatterer scatterer;
	const int charge = atoi(row->field[2]);

	if (charge < 0 || scatterer_find(SCATTERING_WAASMAIER_KIRFEL, row->field[0], &scatterer) != SONDE_OK)
		return;
	double deviation = largest_deviation(SCATTERING_PENG, row->field[0], atoi(row->field[1]), 1);
	if (deviation > 0.06)
		fail_msg("%s: %g from Mott and Bethe", row->field[0], deviation);
	++ions;
}

static void test_ions_have_the_coulomb_term(void **unused)
{
	(void)unused;
	assert_int_equal(table_visit("fe_peng_ionic_1998.csv", check_ion), 106);
	assert_true(ions > 95);
	/* at small q only the charge counts */
	assert_close(amplitude(SCATTERING_PENG, "Na+", 1e-4), MOTT_BETHE * 1e8, 1e-6, "Na+");
	assert_close(amplitude(SCATTERING_PENG, "O2-", 1e-4), -2 * MOTT_BETHE * 1e8, 1e-6, "O2-");
	assert_true(isinf(amplitude(SCATTERING_PENG, "Na+", 0)));
}

/* At large s an atom scatters like its bare nucleus. */
static void test_limits_at_both_ends(void **unused)
{
	static const char *const labels[] = {"H", "C", "Si", "Au", "U"};
	static const int numbers[] = {1, 6, 14, 79, 92};

	(void)unused;
	for (size_t k = 0; k < COUNT(labels); ++k) {
		double nucleus = MOTT_BETHE * numbers[k] / (100.0 * 100.0);
		assert_close(amplitude(SCATTERING_LOBATO, labels[k], 100), nucleus, 0.01, labels[k]);
		for (enum scattering_table t = SCATTERING_LOBATO; t <= SCATTERING_KIRKLAND; ++t)
			assert_close(amplitude(t, labels[k], 0), amplitude(SCATTERING_LOBATO, labels[k], 0), 0.06,
				     labels[k]);
	}
	assert_true(isinf(scattering_table_limit(SCATTERING_LOBATO)));
	assert_within(scattering_table_limit(SCATTERING_PENG), 75.398223686155, 1e-9, "Peng");
	assert_within(scattering_table_limit(SCATTERING_KIRKLAND), 75.398223686155, 1e-9, "Kirkland");
	assert_within(scattering_table_limit(SCATTERING_PENG_LOW), 25.132741228718, 1e-9, "Peng, low s");
}

static void test_labels_without_factor(void **unused)
{
	struct scatterer scatterer;

	(void)unused;
	assert_invalid("no form factor for 'Na+'; the table has Na, ions are in",
		       scatterer_find(SCATTERING_LOBATO, "Na+", &scatterer));
	assert_invalid("no form factor for 'Na2+'; the table has Na, Na+",
		       scatterer_find(SCATTERING_PENG, "Na2+", &scatterer));
	assert_invalid("no form factor for 'Es': the table ends at Z = 98",
		       scatterer_find(SCATTERING_PENG, "Es", &scatterer));
	assert_invalid("no form factor for 'Og': the table ends at Z = 103",
		       scatterer_find(SCATTERING_KIRKLAND, "Og", &scatterer));
	assert_invalid("did you mean 'Si'?", scatterer_find(SCATTERING_LOBATO, "si", &scatterer));
	assert_true(amplitude(SCATTERING_LOBATO, "D", 0.3) == amplitude(SCATTERING_LOBATO, "H", 0.3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_factors_are_those_of_the_tables),
	    cmocka_unit_test(test_factors_agree_with_mott_and_bethe),
	    cmocka_unit_test(test_ions_have_the_coulomb_term),
	    cmocka_unit_test(test_limits_at_both_ends),
	    cmocka_unit_test(test_labels_without_factor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
