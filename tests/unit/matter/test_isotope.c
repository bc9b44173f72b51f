/* Masses of isotopes. */
#include "unit/support.h"

#include <stdio.h>

#include "matter/elements/element.h"
#include "matter/elements/isotope.h"
#include "matter/elements/label.h"
#include "unit/table_file.h"

static double mass_of(int atomic_number, int mass_number)
{
	double mass = -1.0;

	assert_status(SONDE_OK, isotope_mass(atomic_number, mass_number, &mass));
	return mass;
}

/* As the CODATA of particles and the lists of NIST print them. */
static void masses_are_the_published_ones(void **unused)
{
	(void)unused;
	assert_within(mass_of(1, 1), 1.00782503, 1e-8, "mass of");
	assert_within(mass_of(1, 2), 2.01410178, 1e-8, "mass of");
	assert_within(mass_of(1, 3), 3.01604928, 1e-8, "mass of");
	assert_within(mass_of(2, 3), 3.01602932, 1e-8, "mass of");
	assert_within(mass_of(2, 4), 4.00260325, 1e-8, "mass of");
	assert_within(mass_of(6, 12), 12.0, 0.0, "mass of");
	assert_within(mass_of(6, 14), 14.0032420, 1e-7, "mass of");
	assert_within(mass_of(14, 28), 27.9769265, 1e-7, "mass of");
	assert_within(mass_of(26, 56), 55.9349363, 1e-6, "mass of");
	assert_within(mass_of(54, 132), 131.904155, 1e-6, "mass of");
	assert_within(mass_of(79, 197), 196.966570, 2e-6, "mass of");
	assert_within(mass_of(83, 209), 208.980399, 2e-6, "mass of");
	assert_within(mass_of(92, 238), 238.050787, 2e-6, "mass of");
}

static int rows;
static double abundance[TABULATED_ELEMENTS + 1], mean[TABULATED_ELEMENTS + 1];

static void check_row(const struct table_row *row)
{
	int z = atoi(row->field[1]), a = atoi(row->field[2]);
	double mass = strtod(row->field[4], NULL);

	assert_int_equal(element_number(row->field[0]), z);
	assert_true(mass_of(z, a) == mass);
	/* nuclei are bound: 9 MeV a nucleon at most, 0.1 amu off a whole number */
	assert_within(mass, a, 0.11, "mass");
	abundance[z] += strtod(row->field[3], NULL);
	mean[z] += strtod(row->field[3], NULL) * mass / 100.0;
	++rows;
}

/* Every row of the file; abundances are those of a whole element, whose mass is near that of the other table. */
static void all_rows_of_the_table_are_found(void **unused)
{
	(void)unused;
	int visited = table_visit("isotopes.csv", check_row);
	assert_true(visited == rows && rows > 400);
	for (int z = 1; z <= TABULATED_ELEMENTS; ++z) {
		assert_true(mean[z] > 0.0 || abundance[z] == 0.0);
		if (abundance[z] > 0.0) {
			assert_within(abundance[z], 100.0, 0.1, "abundance");
			assert_within(mean[z], element_of(z).mass, 0.004 * mean[z], "mean");
		}
	}
}

static void natural_masses_are_those_of_the_elements(void **unused)
{
	(void)unused;
	for (int z = 1; z <= TABULATED_ELEMENTS; ++z)
		assert_true(mass_of(z, 0) == element_of(z).mass);
}

static void what_is_not_there(void **unused)
{
	double mass = 1.0;

	(void)unused;
	assert_invalid("no mass is known of 5H; the table has 1H, 2H, 3H", isotope_mass(1, 5, &mass));
	assert_true(mass == 0.0);
	assert_invalid("no mass is known of 100Tc; the table has 97Tc, 98Tc, 99Tc", isotope_mass(43, 100, &mass));
	assert_invalid("no mass is known of -1Si; the table has 28Si, 29Si, 30Si, 32Si", isotope_mass(14, -1, &mass));
	assert_invalid("element 0", isotope_mass(0, 1, &mass));
	assert_invalid("element 93: the table ends at uranium, 92", isotope_mass(93, 237, &mass));
	assert_invalid("element -1", isotope_mass(-1, 0, &mass));
	/* the longest list is whole */
	assert_invalid("132Xe, 133Xe, 134Xe, 135Xe, 136Xe", isotope_mass(54, 1000000, &mass));
	for (int z = 1; z <= TABULATED_ELEMENTS; ++z)
		assert_invalid("; the table has ", isotope_mass(z, 999, &mass));
}

static void labels_name_unusual_masses(void **unused)
{
	static const struct {
		int atomic_number;
		double mass; /* 0: natural */
		const char *label;
	} cases[] = {{14, 0.0, "Si"},
		     {1, 2.014101778, "2H"},
		     {5, 10.012937, "10B"},
		     {6, 13.5, "13.5C"},
		     {92, 235.0439, "235U"}};
	char label[16];

	(void)unused;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
		int z = cases[k].atomic_number;
		isotope_label(z, cases[k].mass > 0.0 ? cases[k].mass : element_of(z).mass, label);
		assert_string_equal(label, cases[k].label);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(masses_are_the_published_ones), cmocka_unit_test(all_rows_of_the_table_are_found),
	    cmocka_unit_test(natural_masses_are_those_of_the_elements), cmocka_unit_test(what_is_not_there),
	    cmocka_unit_test(labels_name_unusual_masses)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
