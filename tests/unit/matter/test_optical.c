/* The built-in media of optics: refractive indices as published, passive at all frequencies, found by their names. */
#include "unit/support.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>

#include "matter/materials/optical_library.h"
#include "unit/table_file.h"

#define TWO_PI_C (6.28318530717958647692 * 299792458.0)

static struct optical_material find(const char *name)
{
	struct optical_material material;

	assert_status(SONDE_OK, optical_library_find(name, &material));
	return material;
}

/* n + i k at a wavelength in micrometers */
static double complex index_at(const char *name, double wavelength)
{
	struct optical_material material = find(name);

	return optical_index(&material, TWO_PI_C / (wavelength * 1e-6));
}

struct published {
	const char *name;
	double wavelength, n, k, tolerance;
};

static void check(const struct published *list, size_t count)
{
	for (size_t k = 0; k < count; ++k) {
		double complex is = index_at(list[k].name, list[k].wavelength);
		struct optical_material material = find(list[k].name);
		if (!(fabs(creal(is) - list[k].n) <= list[k].tolerance &&
		      fabs(cimag(is) - list[k].k) <= list[k].tolerance))
			fail_msg("%s at %g um: %.6f + %.6f i, not %g + %g i", list[k].name, list[k].wavelength,
				 creal(is), cimag(is), list[k].n, list[k].k);
		assert_true(list[k].wavelength * 1e-6 >= material.shortest * (1.0 - 1e-12) &&
			    list[k].wavelength * 1e-6 <= material.longest * (1.0 + 1e-12));
	}
}

/* Formulas of their sources: the sodium line (589.3 nm), telecommunication (1550 nm), carbon dioxide's laser (10.6 um). */
static void formulas_give_published_indices(void **unused)
{
	const struct published list[] = {
	    {"vacuum", 0.5, 1.0, 0.0, 0.0},         {"SiO2", 0.5893, 1.45840, 0.0, 1e-5},
	    {"SiO2", 1.55, 1.44402, 0.0, 1e-5},     {"Si", 1.55, 3.4757, 0.0, 1e-3},
	    {"Si", 10.0, 3.4150, 0.0, 1e-3},        {"Si-Salzberg", 1.55, 3.4777, 0.0, 2e-4},
	    {"Si3N4", 1.55, 1.9963, 0.0, 1e-4},     {"Si3N4-Philipp", 0.5876, 2.0167, 0.0, 1e-4},
	    {"TiO2", 0.5893, 2.6130, 0.0, 2e-3},    {"Al2O3", 0.5893, 1.7681, 0.0, 1e-4},
	    {"CaF2", 0.5876, 1.43385, 0.0, 2e-5},   {"MgF2", 0.5893, 1.3777, 0.0, 1e-4},
	    {"BK7", 0.5876, 1.51680, 0.0, 1e-5},    {"ZnSe", 10.6, 2.4028, 0.0, 2e-4},
	    {"GaAs", 10.6, 3.270, 0.0, 2e-3},       {"GaAs", 1.55, 3.370, 0.0, 1e-3},
	    {"diamond", 0.5893, 2.4175, 0.0, 5e-4}, {"water", 0.5893, 1.33335, 0.0, 2e-5},
	    {"PMMA", 0.5893, 1.4914, 0.0, 2e-3},    {"polystyrene", 0.5893, 1.5916, 0.0, 2e-3},
	    {"air", 0.5893, 1.00027716, 0.0, 1e-7}, {"Ge", 10.6, 4.0037, 0.0, 1e-3},
	    {"YAG", 1.064, 1.8147, 0.0, 2e-4},      {"quartz", 0.5893, 1.54424, 0.0, 1e-4},
	    {"LiNbO3", 1.064, 2.2322, 0.0, 1e-3}};

	(void)unused;
	check(list, COUNT(list));
}

/* n and k of Rakic's Lorentz-Drude models as refractiveindex.info prints them */
static void metals_have_published_indices(void **unused)
{
	const struct published list[] = {{"Au", 0.63363, 0.31127, 3.1534, 5e-4},
					 {"Au", 0.48130, 0.95396, 1.7625, 5e-4},
					 {"Au", 1.0129, 0.25970, 6.0788, 5e-4},
					 {"Au", 6.0997, 4.9477, 37.527, 5e-3}};

	(void)unused;
	check(list, COUNT(list));
}

/* fits against the tables that they were made from, within about the spread of the points */
static void fits_agree_with_their_data(void **unused)
{
	const struct published list[] = {
	    {"Au-JC", 0.6595, 0.14, 3.697, 0.07},         {"Au-JC", 0.5209, 0.62, 2.081, 0.15},
	    {"Ag-JC", 0.4959, 0.05, 3.093, 0.05},         {"Ag-JC", 1.0880, 0.04, 7.795, 0.1},
	    {"Cu-JC", 0.6595, 0.22, 3.747, 0.12},         {"Si-visible", 0.63, 3.879, 0.0164, 0.008},
	    {"Si-visible", 0.45, 4.691, 0.0863, 0.01},    {"GaAs-visible", 0.6199, 3.878, 0.211, 0.03},
	    {"Ge-visible", 0.6199, 5.588, 0.933, 0.05},   {"ITO", 0.55067, 1.86297, 0.00322, 0.003},
	    {"water-infrared", 10.0, 1.218, 0.0508, 0.03}};

	(void)unused;
	check(list, COUNT(list));
}

/* Debye's relaxation of water: the static value, and half of the fall at the relaxation frequency. */
static void water_relaxes_at_its_frequency(void **unused)
{
	struct optical_material water = find("water-microwave");

	(void)unused;
	assert_within(creal(optical_permittivity(&water, 1e6)), 78.36, 1e-4, "creal");
	double complex eps = optical_permittivity(&water, 1.0 / 8.27e-12);
	assert_within(creal(eps), 0.5 * (78.36 + 5.2), 1e-9, "creal");
	assert_within(cimag(eps), 0.5 * (78.36 - 5.2), 1e-9, "cimag");
}

static void conductivity_is_an_imaginary_permittivity(void **unused)
{
	struct optical_material material = {.eps_inf = 2.0, .conductivity = 3.0};

	(void)unused;
	assert_within(cimag(optical_permittivity(&material, 1e12)), 3.0 / (8.8541878128e-12 * 1e12), 1e-9, "cimag");
	assert_within(creal(optical_permittivity(&material, 1e12)), 2.0, 0.0, "creal");
}

/* No gain at any frequency from microwaves to X-rays; what an explicit scheme needs; ranges and sources are given. */
static void all_media_are_passive(void **unused)
{
	const char *name;
	int media = 0;

	(void)unused;
	for (; (name = optical_library_name(media)) != NULL; ++media) {
		struct optical_material material = find(name);
		assert_string_equal(material.name, name);
		assert_true(material.eps_inf >= 1.0 && material.conductivity >= 0.0);
		assert_true(material.error >= 0.0 && material.error < 0.2);
		assert_true(material.shortest >= 0.0 && material.shortest < material.longest);
		assert_true(strlen(material.source) > 10 || strcmp(name, "vacuum") == 0);
		assert_true(material.count <= OPTICAL_MOST_POLES);
		for (int k = 0; k < material.count; ++k) {
			const struct optical_pole *pole = &material.pole[k];
			assert_true(pole->strength > 0.0 && pole->damping >= 0.0);
			assert_true((pole->resonance > 0.0) == (pole->kind != OPTICAL_DEBYE));
			assert_true(pole->kind != OPTICAL_DEBYE || pole->damping > 0.0);
		}
		for (double w = 1e9; w < 1e19; w *= 1.01) {
			assert_true(cimag(optical_permittivity(&material, w)) >= 0.0);
			assert_true(cimag(optical_index(&material, w)) >= 0.0);
		}
		/* and causal: the vacuum-like end */
		assert_within(creal(optical_permittivity(&material, 1e20)), material.eps_inf, 1e-4, "creal");
	}
	assert_true(media >= 35);
	assert_null(optical_library_name(-1));
}

static int poles;

/* Every pole belongs to a medium. */
static void check_pole(const struct table_row *row)
{
	struct optical_material material = find(row->field[0]);

	assert_string_equal(material.name, row->field[0]);
	assert_true(strlen(row->line) < 500);
	++poles;
}

static void check_medium(const struct table_row *row)
{
	char others[256], *rest = others, *name;

	assert_true(strlen(row->line) < 500);
	poles -= find(row->field[0]).count;
	snprintf(others, sizeof others, "%s", row->field[6]);
	while ((name = strsep(&rest, ";")) != NULL && name[0] != '\0')
		assert_string_equal(find(name).name, row->field[0]);
}

static void all_rows_of_the_tables_are_found(void **unused)
{
	(void)unused;
	assert_true(table_visit("optical_poles.csv", check_pole) > 100);
	assert_true(table_visit("optical_materials.csv", check_medium) >= 35);
	assert_int_equal(poles, 0);
}

static void media_are_found_by_alternative_names(void **unused)
{
	struct optical_material material;

	(void)unused;
	assert_string_equal(find("gold").name, "Au");
	assert_string_equal(find("GOLD").name, "Au");
	assert_string_equal(find("fused silica").name, "SiO2");
	assert_string_equal(find("Fused_Silica").name, "SiO2");
	assert_invalid("unknown optical material 'glod', did you mean 'gold'?",
		       optical_library_find("glod", &material));
	assert_true(material.count == 0 && material.name[0] == '\0');
	assert_invalid("did you mean 'polystyrene'?", optical_library_find("polystirene", &material));
	assert_invalid("unknown optical material 'unobtainium'", optical_library_find("unobtainium", &material));
	assert_invalid("unknown optical material ''", optical_library_find("", &material));
	assert_invalid("unknown optical material 'SiO'", optical_library_find("SiO", &material));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(formulas_give_published_indices),
					   cmocka_unit_test(metals_have_published_indices),
					   cmocka_unit_test(fits_agree_with_their_data),
					   cmocka_unit_test(water_relaxes_at_its_frequency),
					   cmocka_unit_test(conductivity_is_an_imaginary_permittivity),
					   cmocka_unit_test(all_media_are_passive),
					   cmocka_unit_test(all_rows_of_the_tables_are_found),
					   cmocka_unit_test(media_are_found_by_alternative_names)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
