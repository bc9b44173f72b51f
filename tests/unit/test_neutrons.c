/* Neutron scattering lengths, against the rows of the tables themselves. */
#include "unit/support.h"

#include "matter/label.h"
#include "matter/scatterer.h"
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

static void check_sears(const struct table_row *row)
{
	assert_length(SCATTERING_SEARS1992, row->field[0], strtod(row->field[2], NULL), strtod(row->field[3], NULL));
}

static void test_sears(void **unused)
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
	assert_length(SCATTERING_RAUCH2003, label, strtod(row->field[6], NULL), strtod(row->field[8], NULL));
	++compared;
	if (row->field[2][0] == '\0') {
		++natural_rows;
		natural[atoi(row->field[1])] = 1;
	}
}

static void test_rauch(void **unused)
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
			      strtod(row->field[8], NULL));
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
static void test_printed_values(void **unused)
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

static void test_isotopes(void **unused)
{
	(void)unused;
	/* those that Sears's list lacks come from the other table */
	for (enum scattering_table table = SCATTERING_SEARS1992; table <= SCATTERING_RAUCH2003; ++table) {
		assert_length(table, "58Ni", 14.4, 0);
		assert_length(table, "62Ni", -8.7, 0);
		assert_length(table, "3He", 5.74, -1.48);
		assert_length(table, "6Li", 2.0, -0.26);
		assert_length(table, "113Cd", -8.0, -12);
		assert_length(table, "155Gd", 13.8, -10.3);
		assert_length(table, "1H", -3.7423, 0);
		assert_length(table, "59Co", 2.49, 0);
	}
	assert_length(SCATTERING_RAUCH2003, "Cd", 4.83, -1.2);
	assert_length(SCATTERING_RAUCH2003, "Gd", 9.5, -13.6);
	assert_length(SCATTERING_RAUCH2003, "B", 5.30, -0.21);
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
	    cmocka_unit_test(test_sears),
	    cmocka_unit_test(test_rauch),
	    cmocka_unit_test(test_elements_of_one_isotope),
	    cmocka_unit_test(test_printed_values),
	    cmocka_unit_test(test_isotopes),
	    cmocka_unit_test(test_charge_does_not_matter),
	    cmocka_unit_test(test_labels_without_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
