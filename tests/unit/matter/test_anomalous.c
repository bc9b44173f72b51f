/* f' and f'' of X-rays, compared with the rows of the tables, with each other, and with absorption. */
#include "unit/support.h"

#include <math.h>

#include "matter/scattering/anomalous.h"
#include "unit/table_file.h"

static double imaginary_at(enum anomalous_table table, int z, double energy)
{
	double real, imaginary;

	assert_status(SONDE_OK, anomalous_find(table, z, energy, &real, &imaginary));
	return imaginary;
}

static double real_at(enum anomalous_table table, int z, double energy)
{
	double real, imaginary;

	assert_status(SONDE_OK, anomalous_find(table, z, energy, &real, &imaginary));
	return real;
}

static enum anomalous_table table;
static int visited, compared;

static double field(const struct table_row *row, int k)
{
	return strtod(row->field[k], NULL);
}

/* f' as the notes of each file define it. */
static double real_of(const struct table_row *row)
{
	switch (table) {
	case ANOMALOUS_HENKE:
		return field(row, 2) - field(row, 0);
	case ANOMALOUS_CHANTLER:
		return field(row, 2) - field(row, 0) + field(row, 4) + field(row, 5);
	default:
		return field(row, 2);
	}
}

/* A sample of the rows, since each is searched from the beginning. */
static void check_row(const struct table_row *row)
{
	if (++visited % 241 != 0)
		return;
	double energy = field(row, 1) * (table == ANOMALOUS_HENKE ? 1.0 : 1e3);
	assert_within(real_at(table, atoi(row->field[0]), energy), real_of(row), 1e-12, "f'");
	assert_true(imaginary_at(table, atoi(row->field[0]), energy) == field(row, 3));
	++compared;
}

static void test_rows_of_the_tables_are_met_exactly(void **unused)
{
	static const char *const files[] = {[ANOMALOUS_HENKE] = "anomalous_henke.csv",
					    [ANOMALOUS_EPDL97] = "anomalous_epdl97.csv",
					    [ANOMALOUS_CHANTLER] = "anomalous_chantler.csv"};

	(void)unused;
	for (table = ANOMALOUS_HENKE; table <= ANOMALOUS_CHANTLER; ++table)
		assert_true(table_visit(files[table], check_row) > 19000);
	assert_true(compared > 340);
}

/* Between rows f'' follows E^-2, and f' lies between those of the rows. */
static void test_values_between_rows(void **unused)
{
	(void)unused;
	for (table = ANOMALOUS_HENKE; table <= ANOMALOUS_CHANTLER; ++table) {
		double a = imaginary_at(table, 26, 20000), b = imaginary_at(table, 26, 20200);
		assert_close(b / a, pow(20000.0 / 20200.0, 1.9), 0.01, "f''");
		assert_true(fabs(real_at(table, 26, 20000) - real_at(table, 26, 20200)) < 0.01);
	}
	/* halfway between two rows of Chantler's, 7076.44 and 7104.888 eV */
	assert_close(imaginary_at(ANOMALOUS_CHANTLER, 26, 7104.888 - 14.224),
		     (7076.44 * 7076.44 * 0.4579 * 0.5 + 7104.888 * 7104.888 * 0.45477 * 0.5) / pow(7090.664, 2),
		     1e-9, "f'' of Fe");
}

/* Four calculations at laboratory lines; they differ most for heavy atoms and near edges. */
static void test_tables_agree(void **unused)
{
	static const double lines[] = {17479.797, 22163.485}; /* Mo, Ag */
	int count = 0;

	(void)unused;
	for (int z = 6; z <= 92; ++z) {
		for (size_t k = 0; k < COUNT(lines); ++k) {
			double f1[5], f2[5];
			bool all = true;
			for (table = ANOMALOUS_HENKE; table <= ANOMALOUS_CROMER_LIBERMAN; ++table)
				all &= anomalous_find(table, z, lines[k], &f1[table], &f2[table]) == SONDE_OK;
			if (!all)
				continue;
			for (table = ANOMALOUS_HENKE; table <= ANOMALOUS_CHANTLER; ++table) {
				/* a large f' is that of a nearby edge */
				double near = fabs(f1[4]) > 2.5 ? 1.0 : 0.35;
				if (!(fabs(f1[table] - f1[4]) < near) ||
				    !(fabs(f2[table] - f2[4]) < 0.08 * f2[4] + 0.02))
					print_message("Z = %d, %g eV, table %d: %g %+gi instead of %g %+gi\n", z,
						      lines[k], (int)table, f1[table], f2[table], f1[4], f2[4]);
				else
					++count;
			}
		}
	}
	print_message("%d of 522 agree\n", count);
	assert_true(count > 480);
}

/* The optical theorem: f'' = sigma E/(2 r_e h c). Photoabsorption coefficients in cm^2/g of Chantler's tables (not among the
 * columns that are read). */
static void test_imaginary_part_is_absorption(void **unused)
{
	static const struct {
		int z;
		double energy, absorption, mass;
	} known[] = {{26, 7147.56, 411.05, 55.845}, {26, 7104.888, 48.23, 55.845}, {79, 11978.29, 179.11, 196.96657}};
	const double classical_radius = 2.8179403e-13, product = 1.23984198e-4, avogadro = 6.02214076e23;

	(void)unused;
	for (size_t k = 0; k < COUNT(known); ++k) {
		double section = known[k].absorption * known[k].mass / avogadro;
		double expected = section * known[k].energy / (2.0 * classical_radius * product);
		assert_close(imaginary_at(ANOMALOUS_CHANTLER, known[k].z, known[k].energy), expected, 0.001, "f''");
	}
}

/* The two rows at an edge are its sides; Fe: 7111.9 and 7112.1 eV, f'' = 0.48177 and 3.85592. */
static void test_edges_are_not_interpolated(void **unused)
{
	double real, imaginary;

	(void)unused;
	assert_true(imaginary_at(ANOMALOUS_HENKE, 26, 7111.99) == 0.48177);
	assert_true(imaginary_at(ANOMALOUS_HENKE, 26, 7112.01) == 3.85592);
	assert_true(imaginary_at(ANOMALOUS_HENKE, 26, 7111.5) < 0.483);
	assert_invalid("7.12 keV is too close to an absorption edge of Fe: the table has no values between 7.104888 "
		       "and 7.14756 keV",
		       anomalous_find(ANOMALOUS_CHANTLER, 26, 7120, &real, &imaginary));
	assert_status(SONDE_OK, anomalous_find(ANOMALOUS_EPDL97, 26, 7120, &real, &imaginary));
	assert_true(imaginary > 2.8 && imaginary < 3.3);
}

static void test_values_that_are_missing(void **unused)
{
	double real, imaginary;

	(void)unused;
	assert_invalid("31 keV is outside the table of anomalous scattering of Cl, 0.0293 to 30 keV",
		       anomalous_find(ANOMALOUS_HENKE, 17, 31000, &real, &imaginary));
	assert_invalid("0.01 keV is outside the table of anomalous scattering of Cl, 0.0293 to 30 keV",
		       anomalous_find(ANOMALOUS_HENKE, 17, 10, &real, &imaginary));
	assert_invalid("this table lacks Pu (Z = 94)", anomalous_find(ANOMALOUS_HENKE, 94, 8000, &real, &imaginary));
	assert_invalid(
	    "8 keV is not one of the lines of cromer-liberman: AgKa1 22.1635, MoKa1 17.4798, CuKa1 8.04782",
	    anomalous_find(ANOMALOUS_CROMER_LIBERMAN, 26, 8000, &real, &imaginary));
	assert_invalid("this table lacks H (Z = 1)",
		       anomalous_find(ANOMALOUS_CROMER_LIBERMAN, 1, 8047.823, &real, &imaginary));
	assert_status(SONDE_OK, anomalous_find(ANOMALOUS_NONE, 26, 0, &real, &imaginary));
	assert_true(real == 0.0 && imaginary == 0.0);
	assert_true(real_at(ANOMALOUS_CROMER_LIBERMAN, 26, 12398.42 / 1.5406) == -1.1308);
}

/* f' contains the relativistic correction in every table: at high energies it is all that remains. */
static void test_relativistic_correction_is_included(void **unused)
{
	(void)unused;
	assert_within(real_at(ANOMALOUS_EPDL97, 79, 1e6), -0.88, 0.03, "Au, 1 MeV");
	assert_within(real_at(ANOMALOUS_CHANTLER, 79, 432945), -0.90, 0.03, "Au, 433 keV");
	assert_within(real_at(ANOMALOUS_HENKE, 79, 17479.797), -1.83, 0.03, "Au, Mo");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_rows_of_the_tables_are_met_exactly),
	    cmocka_unit_test(test_values_between_rows),
	    cmocka_unit_test(test_tables_agree),
	    cmocka_unit_test(test_imaginary_part_is_absorption),
	    cmocka_unit_test(test_edges_are_not_interpolated),
	    cmocka_unit_test(test_values_that_are_missing),
	    cmocka_unit_test(test_relativistic_correction_is_included),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
