/* Form factors from files of users. */
#include "unit/support.h"

#include <math.h>

#include "matter/scattering/form_factors.h"

static struct form_factors *read(const char *text)
{
	struct form_factors *factors;

	assert_status(SONDE_OK, form_factors_read(test_write_text("factors.txt", text), &factors));
	return factors;
}

static double amplitude(const struct form_factors *factors, const char *label, double q)
{
	struct scatterer scatterer;
	double real, imaginary;
	bool found;

	assert_status(SONDE_OK, form_factors_find(factors, label, q, q, &scatterer, &found));
	assert_true(found);
	scatterer_amplitude(&scatterer, q, &real, &imaginary);
	assert_true(imaginary == 0.0);
	return real;
}

/* A cubic is met by the interpolation, and numbers of the table exactly. */
static void test_tables_are_interpolated_by_cubics(void **unused)
{
	struct form_factors *factors = read("# two labels\n"
					    "q, Au, Cl-\n"
					    "0.1, 79, 0.001\n0.7, 70.25, 0.343\n1.1, 66.125, 1.331\n\n"
					    "1.6, 60.1, 4.096 # uneven steps\n2, 50.3, 8\n3.5, 40.7, 42.875\n");

	(void)unused;
	assert_true(amplitude(factors, "Au", 0.1) == 79 && amplitude(factors, "Au", 0.7) == 70.25);
	assert_true(amplitude(factors, "Au", 1.6) == 60.1 && amplitude(factors, "Au", 3.5) == 40.7);
	for (double q = 0.1; q < 3.5; q += 0.07)
		assert_within(amplitude(factors, "Cl-", q), q * q * q, 1e-13, "Cl-");
	form_factors_free(&factors);
	assert_null(factors);
}

static void test_short_tables(void **unused)
{
	struct form_factors *factors = read("q Au\n1 5\n2 7\n");

	(void)unused;
	assert_within(amplitude(factors, "Au", 1.25), 5.5, 1e-15, "a line");
	form_factors_free(&factors);
	factors = read("q Au\n1 5\n");
	assert_true(amplitude(factors, "Au", 1) == 5);
	form_factors_free(&factors);
}

/* The coefficients of a compiled-in row give the same bits. */
static void test_coefficients_are_those_of_the_formula(void **unused)
{
	struct form_factors *factors =
	    read("label;a1;b1;a2;b2;a3;b3;a4;b4;a5;b5;c\n"
		 "H;0.413048;15.569946;0.294953;32.398468;0.187491;5.711404;0.080701;61.889874;0.023736;1.334118;"
		 "0.000049\n"
		 "X1;2.5\nHe;1;4;0.5\n");
	struct scatterer table;
	double real, imaginary;

	(void)unused;
	assert_status(SONDE_OK, scatterer_find(SCATTERING_WAASMAIER_KIRFEL, "H", &table));
	for (double q = 0; q < 30; q += 0.37) {
		scatterer_amplitude(&table, q, &real, &imaginary);
		assert_true(amplitude(factors, "H", q) == real);
		assert_true(amplitude(factors, "X1", q) == 2.5);
		assert_close(amplitude(factors, "He", q), 0.5 + exp(-4 * pow(q / (4 * 3.14159265358979), 2)), 1e-14,
			     "He");
	}
	form_factors_free(&factors);
}

static void test_labels_and_ranges(void **unused)
{
	struct form_factors *factors = read("q Au\n1 5\n2 7\n3 9\n");
	struct scatterer scatterer;
	bool found;

	(void)unused;
	assert_status(SONDE_OK, form_factors_find(factors, "Ag", 0, 100, &scatterer, &found));
	assert_false(found);
	assert_status(SONDE_OK, form_factors_find(factors, "Au", 1, 3, &scatterer, &found));
	assert_true(found && scatterer.atomic_number == 79);
	assert_invalid("q from 0.5 to 2 1/Angstrom is not within the table, from 1 to 3",
		       form_factors_find(factors, "Au", 0.5, 2, &scatterer, &found));
	assert_invalid("q from 1 to 3.1 1/Angstrom is not within the table, from 1 to 3",
		       form_factors_find(factors, "Au", 1, 3.1, &scatterer, &found));
	form_factors_free(&factors);
}

static void test_bad_files_are_refused(void **unused)
{
	static const struct {
		const char *text, *words;
	} cases[] = {{"", "has no form factors"},
		     {"q Au\n", "has no form factors"},
		     {"0 79\n1 78\n", "txt:1: the first row names the columns"},
		     {"s Au\n0 79\n", "txt:1: the first row names the columns"},
		     {"q Au Au\n0 1 2\n", "txt:1: Au is given twice"},
		     {"q Au\n0 79 1\n", "txt:2: has 3 columns, the row of names has 2"},
		     {"q Au\n0 79\n0 78\n", "txt:3: q must increase"},
		     {"q Au\n-1 79\n", "txt:2: q is negative"},
		     {"q Au\n0 x\n", "txt:2: Au = 'x' is not a finite number"},
		     {"q Au\n0 1e9\n", "txt:2: Au = 1e+09 is out of range"},
		     {"label a b c\nAu 1 2\n", "txt:2: has 2 numbers"},
		     {"label a b c\nAu 1 -2 3\n", "txt:2: b = -2 is negative"},
		     {"label c\nAu 1\nAu 2\n", "txt:3: Au is given twice"},
		     {"label c\nAu1234567890123456 1\n", "txt:2: a label has 1 to 15 characters"}};
	struct form_factors *factors;

	(void)unused;
	for (size_t k = 0; k < COUNT(cases); ++k) {
		assert_invalid(cases[k].words,
			       form_factors_read(test_write_text("bad.txt", cases[k].text), &factors));
		assert_null(factors);
	}
	assert_true(form_factors_read(test_path("missing"), &factors) != SONDE_OK);
	assert_null(factors);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_tables_are_interpolated_by_cubics),
	    cmocka_unit_test(test_short_tables),
	    cmocka_unit_test(test_coefficients_are_those_of_the_formula),
	    cmocka_unit_test(test_labels_and_ranges),
	    cmocka_unit_test(test_bad_files_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
