/* Incoherent scattering functions. */
#include "unit/support.h"

#include <math.h>

#include "base/constants.h"
#include "matter/scattering/incoherent.h"
#include "matter/elements/label.h"
#include "matter/scattering/scatterer.h"

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

/* Values of J. H. Hubbell et al., J. Phys. Chem. Ref. Data 4 (1975) 471, at x = sin(theta)/lambda. */
static void test_values_are_those_of_hubbell(void **unused)
{
	static const struct {
		int z;
		double x, s;
	} published[] = {{2, 0.1, 0.29575}, {2, 0.5, 1.8175},   {3, 0.05, 0.4998}, {4, 0.2, 2.1207},
			 {5, 1.0, 4.5896},  {26, 0.02, 0.1947}, {26, 0.1, 2.891},  {26, 0.5, 12.687},
			 {26, 1.0, 18.488}, {26, 6.0, 25.585},  {79, 0.05, 1.357}, {79, 0.25, 12.102},
			 {79, 1.0, 38.896}, {79, 2.5, 60.651}};
	struct incoherent incoherent;

	(void)unused;
	for (size_t k = 0; k < sizeof published / sizeof *published; ++k) {
		assert_status(SONDE_OK, incoherent_find(published[k].z, &incoherent));
		assert_close(incoherent_at(&incoherent, 4.0 * PI * published[k].x), published[k].s, 1e-6,
			     "S of Hubbell");
	}
}

/* Fits Z - sum a exp(-b x^2) to Hartree-Fock functions, valid to x = 1.5: H. H. M. Balyuzi, Acta Cryst. A 31 (1975) 600. */
static void test_fits_of_balyuzi_agree(void **unused)
{
	static const struct {
		int z;
		double a[5], b[5], within; /* electrons */
	} fits[] = {
	    {7, {0.9070, 2.8972, 1.1659, 1.5526, 0.4769}, {64.1555, 20.8507, 7.7576, 1.0335, 0.3516}, 0.003},
	    {8, {0.8847, 3.2189, 1.7990, 1.5538, 0.5434}, {52.0063, 16.4487, 6.5958, 0.8143, 0.2815}, 0.003},
	    {13, {2.6790, 1.2336, 5.9358, 1.6622, 1.4835}, {121.363, 16.0728, 3.2632, 0.6616, 0.1586}, 0.03},
	    {26, {2.3141, 3.9729, 9.2624, 7.5083, 2.9404}, {164.104, 18.2898, 3.5861, 0.5155, 0.0597}, 0.03},
	    {29, {1.7532, 4.8167, 11.2836, 8.2460, 2.8943}, {127.251, 16.9194, 2.7458, 0.4076, 0.0454}, 0.04}};
	struct incoherent incoherent;

	(void)unused;
	for (size_t k = 0; k < sizeof fits / sizeof *fits; ++k) {
		assert_status(SONDE_OK, incoherent_find(fits[k].z, &incoherent));
		for (size_t n = 0; n < incoherent.count; ++n) {
			const double x = incoherent.q[n] / (4.0 * PI);
			double s = fits[k].z;
			for (int i = 0; i < 5; ++i)
				s -= fits[k].a[i] * exp(-fits[k].b[i] * x * x);
			if (x < 1.5 + 1e-9)
				assert_within(incoherent.s[n], s, fits[k].within, "S of Balyuzi");
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_hydrogen_is_known_exactly),
	    cmocka_unit_test(test_all_elements_are_between_the_limits),
	    cmocka_unit_test(test_values_are_those_of_hubbell),
	    cmocka_unit_test(test_fits_of_balyuzi_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
