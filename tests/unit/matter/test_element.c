/* The table of elements. */
#include "unit/support.h"

#include "matter/elements/element.h"

static void elements_have_the_values_of_the_table(void **unused)
{
	(void)unused;
	struct element carbon = element_of(6), iron = element_of(26), uranium = element_of(92),
		       rubidium = element_of(37);

	assert_true(carbon.mass == 12.011 && carbon.isotope_mass == 12.0 && carbon.density == 2.253);
	assert_true(carbon.sublimation == 7.41 && carbon.displacement == 28.0);
	assert_true(iron.mass == 55.847 && iron.density == 7.8658);
	assert_true(uranium.mass == 238.03 && uranium.sublimation == 5.42 && uranium.displacement == 0.0);
	assert_true(rubidium.displacement == 0.0 && rubidium.sublimation == 0.86);
	assert_true(element_of(0).mass == 0.0 && element_of(93).mass == 0.0);
}

static void all_elements_are_plausible(void **unused)
{
	double before = 0.0;
	(void)unused;

	for (int z = 1; z <= TABULATED_ELEMENTS; ++z) {
		struct element element = element_of(z);
		/* masses rise, but for Ar and K, Co and Ni, Te and I, Th and Pa */
		assert_true(element.mass > before - 1.7);
		assert_true(element.isotope_mass > element.mass - 4.0 && element.isotope_mass < element.mass + 4.0);
		assert_true(element.density > 0.0 && element.density < 25.0);
		assert_true(element.sublimation >= 0.0 && element.sublimation < 10.0);
		assert_true(element.displacement >= 0.0 && element.displacement < 100.0);
		before = element.mass;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(elements_have_the_values_of_the_table),
					   cmocka_unit_test(all_elements_are_plausible)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
