/* Incoherent scattering functions. */
#include "unit/support.h"

#include <math.h>

#include "base/constants.h"
#include "matter/incoherent.h"
#include "matter/label.h"
#include "matter/scatterer.h"

/* S = 1 - f^2 of the single electron of hydrogen, f = 1/(1 + (q a/2)^2)^2. */
static void test_hydrogen_is_known_exactly(void **unused)
{
	struct incoherent incoherent;

	(void)unused;
	assert_status(SONDE_OK, incoherent_find(1, &incoherent));
	for (double q = 0.0; q < 30.0; q += 0.13) {
		const double x = 0.5 * q * BOHR_RADIUS_ANGSTROM, f = 1.0 / pow(1.0 + x * x, 2);
		assert_within(incoherent_at(&incoherent, q), 1.0 - f * f, 5e-4, "S of H");
	}
}

/* With electrons in orbitals, S = Z - sum over pairs of electrons of |f_jk|^2 (I. Waller & D. R. Hartree, Proc. R. Soc. A
 * 124 (1929) 119), which is at most Z - f^2/Z, and 0 at q = 0. */
static void test_all_elements_are_between_the_limits(void **unused)
{
	struct incoherent incoherent;
	struct scatterer scatterer;

	(void)unused;
	for (int z = 1; z <= 98; ++z) {
		double before = 0.0;
		assert_status(SONDE_OK, incoherent_find(z, &incoherent));
		assert_true(incoherent.count > 40 && incoherent_at(&incoherent, 0.0) == 0.0);
		assert_status(SONDE_OK, scatterer_find(SCATTERING_WAASMAIER_KIRFEL, element_symbol(z), &scatterer));
		for (double q = 0.1; q < 75.0; q *= 1.15) {
			const double s = incoherent_at(&incoherent, q);
			double real, imaginary;
			scatterer_amplitude(&scatterer, q, &real, &imaginary);
			assert_true(s > before - 1e-3 * z && s <= (double)z * 1.001);
			assert_true(s <= z - real * real / z + 0.02 * z);
			before = s;
		}
		assert_true(before > 0.8 * z);
		assert_true(incoherent_at(&incoherent, 500.0) == incoherent.s[incoherent.count - 1]);
	}
	assert_status(SONDE_INVALID, incoherent_find(99, &incoherent));
	assert_status(SONDE_INVALID, incoherent_find(0, &incoherent));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_hydrogen_is_known_exactly),
	    cmocka_unit_test(test_all_elements_are_between_the_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
