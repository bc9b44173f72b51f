/* X-ray form factors, compared with the rows of the tables. */
#include "unit/support.h"

#include <math.h>

#include "matter/scattering/scatterer.h"
#include "unit/table_file.h"

#define PI 3.14159265358979323846

static double amplitude(enum scattering_table table, const char *label, double q)
{
	struct scatterer scatterer;
	double real, imaginary;

	assert_status(SONDE_OK, scatterer_find(table, label, &scatterer));
	scatterer_amplitude(&scatterer, q, &real, &imaginary);
	assert_true(imaginary == 0.0);
	return real;
}

/* f(s) = c + sum_i a_i exp(-b_i s^2), summed in long double. */
static double evaluate(const struct table_row *row, int gaussians, double s)
{
	long double f = strtold(row->field[4 + 2 * gaussians], NULL);

	for (int i = 0; i < gaussians; ++i)
		f += strtold(row->field[4 + i], NULL) * expl(-strtold(row->field[4 + gaussians + i], NULL) * s * s);
	return (double)f;
}

static void check_row(enum scattering_table table, const struct table_row *row, int gaussians, double largest_s,
		      double tolerance)
{
	const char *label = row->field[0];
	int electrons = atoi(row->field[1]) - atoi(row->field[2]);

	/* a sum in double of terms of up to a few hundred electrons */
	for (int k = 0; k <= 48; ++k) {
		double s = largest_s * k / 48, expected = evaluate(row, gaussians, s);
		if (fabs(amplitude(table, label, 4 * PI * s) - expected) > 1e-13 * (electrons + 30))
			fail_msg("%s at s = %g: %.17g instead of %.17g", label, s,
				 amplitude(table, label, 4 * PI * s), expected);
	}
	if (fabs(amplitude(table, label, 0) - electrons) > tolerance)
		fail_msg("%s: f(0) = %g, but it has %d electrons", label, amplitude(table, label, 0), electrons);
}

static void check_waasmaier_kirfel(const struct table_row *row)
{
	check_row(SCATTERING_WAASMAIER_KIRFEL, row, 5, 6, 0.04);
}

static int misprints;

static void check_it1992(const struct table_row *row)
{
	struct scatterer scatterer;

	if (strcmp(row->field[3], "misprint") == 0) {
		assert_invalid("this table's entry is a misprint",
			       scatterer_find(SCATTERING_IT1992, row->field[0], &scatterer));
		++misprints;
	} else {
		check_row(SCATTERING_IT1992, row, 4, 2, 0.06);
	}
}

static void test_factors_are_those_of_waasmaier_kirfel(void **unused)
{
	(void)unused;
	assert_int_equal(table_visit("f0_waasmaier_kirfel_1995.csv", check_waasmaier_kirfel), 212);
}

static void test_factors_are_those_of_it1992(void **unused)
{
	(void)unused;
	assert_int_equal(table_visit("f0_it1992_cromer_mann.csv", check_it1992), 212);
	assert_int_equal(misprints, 2); /* Ru4+, Bi5+ */
}

static int compared, outliers;
static double largest;

/* The two tables were fitted apart from each other: they must agree about every atom that both have. */
static void compare_tables(const struct table_row *row)
{
	struct scatterer scatterer;

	if (row->field[3][0] != '\0' || scatterer_find(SCATTERING_IT1992, row->field[0], &scatterer) != SONDE_OK)
		return;
	double worst = 0;
	for (double s = 0; s <= 1.5; s += 0.1) {
		double q = 4 * PI * s, off = amplitude(SCATTERING_WAASMAIER_KIRFEL, row->field[0], q) -
					     amplitude(SCATTERING_IT1992, row->field[0], q);
		worst = fmax(worst, fabs(off));
	}
	if (!(worst < 0.3)) { /* electrons; O2- in a crystal is a matter of taste by 0.22 */
		print_error("%s: the tables differ by %g electrons\n", row->field[0], worst);
		++outliers;
	}
	largest = fmax(largest, worst);
	++compared;
}

static void test_both_tables_agree(void **unused)
{
	(void)unused;
	assert_int_equal(table_visit("f0_waasmaier_kirfel_1995.csv", compare_tables), 212);
	print_message("%d entries in both tables, largest difference %.3g electrons\n", compared, largest);
	assert_true(compared > 200);
	assert_int_equal(outliers, 0);
	assert_true(largest > 0); /* they are two tables indeed */
}

/* International Tables C, table 6.1.1.1. */
static void test_factors_are_the_printed_ones(void **unused)
{
	(void)unused;
	assert_within(amplitude(SCATTERING_WAASMAIER_KIRFEL, "C", 4 * PI * 0.1), 5.108, 0.03, "amplitude");
	assert_within(amplitude(SCATTERING_WAASMAIER_KIRFEL, "C", 4 * PI * 0.5), 1.685, 0.01, "amplitude");
	assert_within(amplitude(SCATTERING_WAASMAIER_KIRFEL, "O", 4 * PI * 0.2), 5.623, 0.03, "amplitude");
}

static void assert_same(const char *a, const char *b)
{
	for (double q = 0; q < 20; q += 0.7)
		assert_true(amplitude(SCATTERING_WAASMAIER_KIRFEL, a, q) ==
			    amplitude(SCATTERING_WAASMAIER_KIRFEL, b, q));
}

static void test_factors_of_ions_begin_at_their_electrons(void **unused)
{
	(void)unused;
	assert_within(amplitude(SCATTERING_WAASMAIER_KIRFEL, "Co2+", 0), 25, 0.04, "amplitude");
	assert_within(amplitude(SCATTERING_WAASMAIER_KIRFEL, "Na+", 0), 10, 0.04, "amplitude");
	assert_within(amplitude(SCATTERING_WAASMAIER_KIRFEL, "O2-", 0), 10, 0.04, "amplitude");
	assert_within(amplitude(SCATTERING_WAASMAIER_KIRFEL, "Co", 0), 27, 0.04, "amplitude");
	assert_same("Na+", "Na1+");
	assert_same("Cl-", "Cl1-");
	assert_same("H-", "H1-");
}

/* Electrons do not see the nucleus's neutrons. */
static void test_isotopes_have_the_factor_of_the_element(void **unused)
{
	(void)unused;
	assert_same("58Ni", "Ni");
	assert_same("D", "H");
	assert_same("2H", "H");
	assert_same("58Ni2+", "Ni2+");
}

static void test_valence_entries_are_found_by_name_only(void **unused)
{
	(void)unused;
	assert_within(amplitude(SCATTERING_WAASMAIER_KIRFEL, "Cval", 0), 6, 0.04, "amplitude");
	assert_within(amplitude(SCATTERING_WAASMAIER_KIRFEL, "Siva", 0), 14, 0.04, "amplitude");
	assert_true(amplitude(SCATTERING_WAASMAIER_KIRFEL, "Cval", 3) !=
		    amplitude(SCATTERING_WAASMAIER_KIRFEL, "C", 3));
	assert_true(amplitude(SCATTERING_IT1992, "Hiso", 3) != amplitude(SCATTERING_IT1992, "H", 3));
}

static void test_labels_without_form_factor(void **unused)
{
	struct scatterer scatterer;

	(void)unused;
	assert_invalid("no form factor for 'Co4+'; the table has Co, Co2+, Co3+",
		       scatterer_find(SCATTERING_WAASMAIER_KIRFEL, "Co4+", &scatterer));
	assert_invalid("no form factor for 'O+'; the table has O2-, O1-, O",
		       scatterer_find(SCATTERING_WAASMAIER_KIRFEL, "O+", &scatterer));
	assert_invalid("no form factor for 'Fm': the table ends at Z = 98",
		       scatterer_find(SCATTERING_IT1992, "Fm", &scatterer));
	assert_invalid("unknown species 'co', did you mean 'Co'?",
		       scatterer_find(SCATTERING_WAASMAIER_KIRFEL, "co", &scatterer));
	assert_invalid("unknown species 'Qq'", scatterer_find(SCATTERING_IT1992, "Qq", &scatterer));
	assert_invalid("unknown species ''", scatterer_find(SCATTERING_IT1992, "", &scatterer));
}

/* Every entry that can be requested must be listed in messages. */
static void test_valence_entries_are_told(void **unused)
{
	struct scatterer scatterer;

	(void)unused;
	assert_within(amplitude(SCATTERING_IT1992, "Sival", 0), 14, 0.04, "amplitude");
	assert_invalid("no form factor for 'Si'; the table has Sival, Si4+",
		       scatterer_find(SCATTERING_IT1992, "Si", &scatterer));
}

static void test_unit_amplitudes_are_one(void **unused)
{
	static const char *const labels[] = {"Co", "O2-", "58Ni", "D", "Og"};
	struct scatterer scatterer;

	(void)unused;
	for (size_t k = 0; k < COUNT(labels); ++k)
		for (double q = 0; q < 50; q += 9)
			assert_true(amplitude(SCATTERING_UNIT, labels[k], q) == 1.0);
	assert_invalid("unknown species 'Qq'", scatterer_find(SCATTERING_UNIT, "Qq", &scatterer));
}

static void test_limits_and_sources(void **unused)
{
	(void)unused;
	assert_within(scattering_table_limit(SCATTERING_WAASMAIER_KIRFEL), 75.398223686155, 1e-9,
		      "scattering table limit");
	assert_within(scattering_table_limit(SCATTERING_IT1992), 25.132741228718, 1e-9, "scattering table limit");
	assert_true(isinf(scattering_table_limit(SCATTERING_SEARS1992)) &&
		    isinf(scattering_table_limit(SCATTERING_RAUCH2003)));
	assert_true(isinf(scattering_table_limit(SCATTERING_UNIT)));
	assert_non_null(strstr(scattering_table_source(SCATTERING_WAASMAIER_KIRFEL), "Waasmaier"));
	assert_non_null(strstr(scattering_table_source(SCATTERING_IT1992), "1992"));
	assert_non_null(strstr(scattering_table_source(SCATTERING_SEARS1992), "Sears"));
	assert_non_null(strstr(scattering_table_source(SCATTERING_RAUCH2003), "Rauch"));
	assert_non_null(strstr(scattering_table_source(SCATTERING_UNIT), "1"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_factors_are_those_of_waasmaier_kirfel),
	    cmocka_unit_test(test_factors_are_those_of_it1992),
	    cmocka_unit_test(test_both_tables_agree),
	    cmocka_unit_test(test_factors_are_the_printed_ones),
	    cmocka_unit_test(test_factors_of_ions_begin_at_their_electrons),
	    cmocka_unit_test(test_isotopes_have_the_factor_of_the_element),
	    cmocka_unit_test(test_valence_entries_are_found_by_name_only),
	    cmocka_unit_test(test_labels_without_form_factor),
	    cmocka_unit_test(test_valence_entries_are_told),
	    cmocka_unit_test(test_unit_amplitudes_are_one),
	    cmocka_unit_test(test_limits_and_sources),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
