/* Neutron scattering lengths, compared with the rows of the tables. */
#include "unit/support.h"

#include <math.h>

#include "matter/elements/label.h"
#include "matter/scattering/scatterer.h"
#include "unit/table_file.h"

static void assert_length(enum scattering_table table, const char *label, double real, double imaginary)
{
	struct scatterer scatterer;

	assert_status(SONDE_OK, scatterer_find(table, label, &scatterer));
	for (double q = 0; q < 100; q += 33) {
		double re, im;
		scatterer_amplitude(&scatterer, q, &re, &im);
		if (re != real || im != imaginary)
			fail_msg("%s: %g %+g i instead of %g %+g i", label, re, im, real, imaginary);
	}
}

/* -sigma/(2 lambda) in fm, sigma in barn at 1.798 Angstrom */
static double absorbed(const char *barns)
{
	return -100.0 * strtod(barns, NULL) / (2.0 * 1.798e5);
}

/* Required imaginary part: the row's own where it is exact, else what the row absorbs, unless that is slight. */
static double imaginary_part(const char *real, const char *own, const char *barns, int exact)
{
	double given = strtod(own, NULL), b = fabs(strtod(real, NULL));

	if (given != 0 && exact)
		return given;
	return given != 0 || -absorbed(barns) > 0.01 * b ? absorbed(barns) : 0;
}

static void check_sears(const struct table_row *row)
{
	assert_length(SCATTERING_SEARS1992, row->field[0], strtod(row->field[2], NULL),
		      imaginary_part(row->field[2], row->field[3], row->field[4], 1));
	/* the list's own imaginary parts follow that law */
	double own = strtod(row->field[3], NULL);
	if (own != 0)
		assert_within(own, absorbed(row->field[4]), 0.006, "own");
}

static void test_lengths_are_those_of_sears(void **unused)
{
	(void)unused;
	assert_true(table_visit("neutron_sears1992_nist.csv", check_sears) > 80);
}

static int compared, natural_rows;
static char natural[ELEMENTS + 1]; /* whether the table has a row of the natural element */

static void check_rauch(const struct table_row *row)
{
	char label[32];

	if (row->field[6][0] == '\0' || atoi(row->field[1]) == 0)
		return;
	snprintf(label, sizeof label, "%s%s", row->field[2], row->field[0]);
	assert_length(SCATTERING_RAUCH2003, label, strtod(row->field[6], NULL),
		      imaginary_part(row->field[6], row->field[8], row->field[15], 0));
	++compared;
	if (row->field[2][0] == '\0') {
		++natural_rows;
		natural[atoi(row->field[1])] = 1;
	}
}

static void test_lengths_are_those_of_rauch(void **unused)
{
	(void)unused;
	assert_true(table_visit("neutron_scattering_lengths.csv", check_rauch) > 300);
	assert_true(compared > 300);
	assert_true(natural_rows > 50);
}

/* Elements with one stable isotope have a row of that isotope only: it is the natural element. */
static void check_sole_isotope(const struct table_row *row)
{
	if (strtod(row->field[3], NULL) == 100 && !natural[atoi(row->field[1])])
		assert_length(SCATTERING_RAUCH2003, row->field[0], strtod(row->field[6], NULL),
			      imaginary_part(row->field[6], row->field[8], row->field[15], 0));
}

/* Complex lengths of strong absorbers as V. F. Sears, Neutron News 3 (1992) 29, prints them for isotopes: another source than the
 * tables here. 157Gd: |b|^2 of 5,200 fm^2, 10B of 1.18. */
static void test_strong_absorbers_have_published_lengths(void **unused)
{
	static const struct {
		const char *label;
		double imaginary;
		int depends;
	} known[] = {{"3He", -1.483, 1},    {"6Li", -0.261, 0},   {"10B", -1.066, 0},  {"113Cd", -5.73, 1},
		     {"115In", -0.0562, 0}, {"123Te", -0.116, 0}, {"149Sm", -11.7, 1}, {"155Gd", -17.0, 1},
		     {"157Gd", -71.9, 1},   {"164Dy", -0.79, 0},  {"168Yb", -0.62, 1}, {"176Lu", -0.57, 0},
		     {"Cd", -0.70, 1},      {"Gd", -13.82, 1},    {"Sm", -1.65, 1},    {"Eu", -1.26, 1},
		     {"11B", 0, 0},         {"O", 0, 0}};
	struct scatterer scatterer;

	(void)unused;
	for (enum scattering_table table = SCATTERING_SEARS1992; table <= SCATTERING_RAUCH2003; ++table) {
		for (size_t k = 0; k < COUNT(known); ++k) {
			assert_status(SONDE_OK, scatterer_find(table, known[k].label, &scatterer));
			if (fabs(scatterer.c_imaginary - known[k].imaginary) > 0.009 * fabs(known[k].imaginary) ||
			    scatterer.depends_on_energy != known[k].depends)
				fail_msg("%s: %g %+gi fm, depends on the energy: %d", known[k].label, scatterer.c,
					 scatterer.c_imaginary, scatterer.depends_on_energy);
		}
		assert_status(SONDE_OK, scatterer_find(table, "157Gd", &scatterer));
		double square = scatterer.c * scatterer.c + scatterer.c_imaginary * scatterer.c_imaginary;
		assert_within(square, 5200, 20, "square");
		assert_status(SONDE_OK, scatterer_find(table, "10B", &scatterer));
		square = scatterer.c * scatterer.c + scatterer.c_imaginary * scatterer.c_imaginary;
		assert_within(square, 1.18, 0.005, "square");
	}
}

static void test_elements_of_one_isotope(void **unused)
{
	(void)unused;
	assert_length(SCATTERING_SEARS1992, "Co", 2.49, 0);
	assert_length(SCATTERING_RAUCH2003, "Co", 2.49, 0);
	assert_length(SCATTERING_RAUCH2003, "Na+", 3.63, 0);
	assert_length(SCATTERING_RAUCH2003, "Au", 7.90, 0);
	table_visit("neutron_scattering_lengths.csv", check_sole_isotope);
}

/* Values as Neutron News 3 (1992) 29 prints them. */
static void test_lengths_are_the_printed_ones(void **unused)
{
	(void)unused;
	assert_length(SCATTERING_SEARS1992, "H", -3.7390, 0);
	assert_length(SCATTERING_SEARS1992, "D", 6.671, 0);
	assert_length(SCATTERING_SEARS1992, "2H", 6.671, 0);
	assert_length(SCATTERING_SEARS1992, "O", 5.803, 0);
	assert_length(SCATTERING_SEARS1992, "Ni", 10.3, 0);
	assert_length(SCATTERING_SEARS1992, "V", -0.3824, 0);
	assert_length(SCATTERING_SEARS1992, "B", 5.30, -0.213);
	assert_length(SCATTERING_SEARS1992, "Cd", 4.87, -0.70);
	assert_length(SCATTERING_SEARS1992, "Gd", 6.5, -13.82);
	assert_length(SCATTERING_SEARS1992, "Sm", 0.80, -1.65);
}

static void test_isotopes_have_their_lengths(void **unused)
{
	(void)unused;
	/* those that Sears's list lacks come from the other table */
	for (enum scattering_table table = SCATTERING_SEARS1992; table <= SCATTERING_RAUCH2003; ++table) {
		assert_length(table, "58Ni", 14.4, 0);
		assert_length(table, "62Ni", -8.7, 0);
		assert_length(table, "1H", -3.7423, 0);
		assert_length(table, "59Co", 2.49, 0);
	}
	struct scatterer named, numbered;
	assert_status(SONDE_OK, scatterer_find(SCATTERING_RAUCH2003, "D", &named));
	assert_status(SONDE_OK, scatterer_find(SCATTERING_RAUCH2003, "2H", &numbered));
	assert_true(named.c == numbered.c && named.c > 6.6 && named.c < 6.7);
	assert_status(SONDE_OK, scatterer_find(SCATTERING_RAUCH2003, "T", &named));
	assert_status(SONDE_OK, scatterer_find(SCATTERING_RAUCH2003, "3H", &numbered));
	assert_true(named.c == numbered.c && named.c > 4 && named.c < 5);
}

static void test_charge_does_not_matter(void **unused)
{
	(void)unused;
	assert_length(SCATTERING_SEARS1992, "Co2+", 2.49, 0);
	assert_length(SCATTERING_SEARS1992, "O2-", 5.803, 0);
	assert_length(SCATTERING_SEARS1992, "Co9+", 2.49, 0);
	assert_length(SCATTERING_RAUCH2003, "58Ni2+", 14.4, 0);
}

static void test_labels_without_length(void **unused)
{
	struct scatterer scatterer;

	(void)unused;
	for (enum scattering_table table = SCATTERING_SEARS1992; table <= SCATTERING_RAUCH2003; ++table) {
		assert_invalid(
		    "no neutron scattering length for '59Ni'; the table has Ni, 58Ni, 60Ni, 61Ni, 62Ni, 64Ni",
		    scatterer_find(table, "59Ni", &scatterer));
		assert_invalid("no neutron scattering length for '151Eu'; the table has",
			       scatterer_find(table, "151Eu", &scatterer));
		assert_invalid("no neutron scattering length for 'Pu'; the table has 239Pu, 240Pu, 242Pu",
			       scatterer_find(table, "Pu", &scatterer));
		assert_invalid("no neutron scattering length is known for 'Og'",
			       scatterer_find(table, "Og", &scatterer));
		assert_invalid("unknown species 'ni', did you mean 'Ni'?", scatterer_find(table, "ni", &scatterer));
		assert_invalid("unknown species 'n'", scatterer_find(table, "n", &scatterer));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_lengths_are_those_of_sears),
	    cmocka_unit_test(test_strong_absorbers_have_published_lengths),
	    cmocka_unit_test(test_lengths_are_those_of_rauch),
	    cmocka_unit_test(test_elements_of_one_isotope),
	    cmocka_unit_test(test_lengths_are_the_printed_ones),
	    cmocka_unit_test(test_isotopes_have_their_lengths),
	    cmocka_unit_test(test_charge_does_not_matter),
	    cmocka_unit_test(test_labels_without_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
