/* Screened Coulomb scattering: exact values, closed forms, and the integral that gives the nuclear stopping. */
#include "unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "ions/scattering/scattering_table.h"
#define SONDE_ISA host
#include "ions/kernels/scattering_lookup.h"

SCATTERING_LOG2_TAN2(GLOBAL)

#define REFERENCE TEST_DATA "/ions/"

/* 1/(1 + (2 epsilon s)^2). The potential that falls slowest is the hardest for the quadrature. */
static void bare_charges_follow_rutherford(void **unused)
{
	(void)unused;
	for (int e = -14; e <= 10; e += 2) {
		for (int b = -7; b <= 5; b += 2) {
			double energy = ldexp(1.0, e), impact = ldexp(1.0, b);
			double exact = 1.0 / (1.0 + 4.0 * energy * energy * impact * impact),
			       found = scattering_sin2(screening_of(SCREENING_NONE), energy, impact, 800);
			assert_close(found, exact, 1e-6, "found");
		}
	}
}

static void apsis_is_a_root(void **unused)
{
	(void)unused;
	for (int kind = SCREENING_ZBL; kind <= SCREENING_LENZ_JENSEN; ++kind) {
		const struct screening *screening = screening_of(kind);
		assert_within(screening_value(screening, 0.0, NULL), 1.0, 1e-4, "screening value");
		for (double energy = 1e-5; energy < 2e3; energy *= 3.7) {
			for (double impact = 0.0; impact < 40.0; impact = 1.9 * impact + 0.01) {
				double x = scattering_apsis(screening, energy, impact);
				double off = 1.0 - screening_value(screening, x, NULL) / (x * energy) -
					     impact * impact / (x * x);
				assert_within(off, 0.0, 1e-12, "off");
				assert_true(x >= impact);
			}
		}
	}
}

/* Values by 800 points of another program. */
static void zbl_angles_agree_with_reference(void **unused)
{
	FILE *file = fopen(REFERENCE "zbl_scattering_reference.csv", "r");
	char line[256];
	int rows = 0;
	(void)unused;

	assert_non_null(file);
	while (fgets(line, sizeof line, file) != NULL) {
		double energy, impact, apsis, sin2, theta;
		if (sscanf(line, "%lf,%lf,%lf,%lf,%lf", &energy, &impact, &apsis, &sin2, &theta) != 5)
			continue;
		const struct screening *zbl = screening_of(SCREENING_ZBL);
		assert_close(scattering_apsis(zbl, energy, impact), apsis, 1e-8, "scattering apsis");
		double found = scattering_sin2(zbl, energy, impact, 400);
		if (fabs(found / sin2 - 1.0) > 1e-6)
			fail_msg("epsilon %g, s %g: %.9g instead of %.9g", energy, impact, found, sin2);
		/* and fewer points do nearly as well */
		assert_close(scattering_sin2(zbl, energy, impact, 100), sin2, 1e-5, "scattering sin2");
		++rows;
	}
	fclose(file);
	assert_int_equal(rows, 42);
}

/* s_n = epsilon integral of sin^2(theta/2) d(s^2), by Simpson's rule in ln s. */
static double reduced_stopping(double energy)
{
	const double low = log(1e-5), high = log(120.0);
	const int steps = 1000;
	double sum = 0.0;

	for (int n = 0; n <= steps; ++n) {
		double s = exp(low + (high - low) * n / steps), weight = n == 0 || n == steps ? 1.0
									 : n % 2 == 1         ? 4.0
											      : 2.0;
		sum += weight * 2.0 * s * s * scattering_sin2(screening_of(SCREENING_ZBL), energy, s, 100);
	}
	return energy * sum * (high - low) / (3.0 * steps);
}

static void nuclear_stopping_is_the_integral_of_transfers(void **unused)
{
	FILE *file = fopen(REFERENCE "zbl_reduced_nuclear_stopping.csv", "r");
	char line[256];
	int rows = 0;
	(void)unused;

	assert_non_null(file);
	while (fgets(line, sizeof line, file) != NULL) {
		double energy, exact, fit;
		if (sscanf(line, "%lf,%lf,%lf", &energy, &exact, &fit) != 3)
			continue;
		double found = reduced_stopping(energy);
		if (fabs(found / exact - 1.0) > 1e-4)
			fail_msg("epsilon %g: %.7g instead of %.7g", energy, found, exact);
		++rows;
	}
	fclose(file);
	assert_int_equal(rows, 12);
}

static void float32_functions_are_within_bounds(void **unused)
{
	double worst_log = 0.0, worst_exp = 0.0, worst_root = 0.0, worst_reciprocal = 0.0;
	(void)unused;

	for (uint32_t bits = 0x00800000; bits < 0x7f800000; bits += 4099) {
		float x = U32_AS_F32(bits);
		double exact = log2((double)x), off = fabs((double)exact_log2(x) - exact);
		worst_log = fmax(worst_log, off / fmax(1.0, fabs(exact)));
	}
	assert_true(exact_log2(1.0F) == 0.0F && exact_log2(8.0F) == 3.0F && exact_log2(0.25F) == -2.0F);
	for (float x = -126.0F; x < 127.0F; x += 0.00173F)
		worst_exp = fmax(worst_exp, fabs((double)exact_exp2(x) / exp2((double)x) - 1.0));
	assert_true(exact_exp2(0.0F) == 1.0F && exact_exp2(-3.0F) == 0.125F && exact_exp2(-200.5F) < 0x1p-125F);
	for (float x = 1e-30F; x < 1e30F; x *= 1.00137F) {
		worst_root = fmax(worst_root, fabs((double)exact_rsqrt(x) * sqrt((double)x) - 1.0));
		worst_reciprocal = fmax(worst_reciprocal, fabs((double)exact_reciprocal(x) * (double)x - 1.0));
		worst_reciprocal = fmax(worst_reciprocal, fabs((double)exact_reciprocal(-x) * -(double)x - 1.0));
	}
	print_message("1/sqrt(x) within %.1e, 1/x within %.1e\n", worst_root, worst_reciprocal);
	assert_true(worst_root < 1.2e-7);
	assert_true(worst_reciprocal < 1.2e-7);
	print_message("log2 within %.1e, 2^x within %.1e\n", worst_log, worst_exp);
	assert_true(worst_log < 2e-7);
	assert_true(worst_exp < 3e-7);
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The table against the quadrature, at random places in it and beyond it. */
static void table_agrees_with_quadrature(void **unused)
{
	enum { PLACES = 6000 };
	static float numbers[TABLE_NUMBERS];
	static double errors[PLACES];
	uint64_t state = 88172645463325252U;
	(void)unused;

	for (int kind = SCREENING_ZBL; kind <= SCREENING_NONE; ++kind) {
		const struct screening *screening = screening_of(kind);
		scattering_table_fill(screening, 2, numbers);
		for (int n = 0; n < PLACES; ++n) {
			double place[2];
			for (int k = 0; k < 2; ++k) {
				state ^= state << 13;
				state ^= state >> 7;
				state ^= state << 17;
				place[k] = (double)(state >> 11) / 9007199254740992.0;
			}
			float log_energy = (float)(-27.0 + 45.0 * place[0]),
			      log_impact = (float)(-12.0 + 18.7 * place[1]);
			double energy = exp2((double)log_energy), impact = exp2((double)log_impact);
			double tan2 = exp2((double)scattering_log2_tan2(numbers, log_energy, log_impact));
			double exact = kind == SCREENING_NONE ? 1.0 / (1.0 + 4.0 * energy * energy * impact * impact)
							      : scattering_sin2(screening, energy, impact, 200);
			/* less than that is lost in the quadrature's cancellation */
			errors[n] = exact > 1e-12 ? fabs(tan2 / (1.0 + tan2) / exact - 1.0) : 0.0;
			assert_true(exact > 1e-12 || tan2 < 2e-12);
		}
		qsort(errors, PLACES, sizeof *errors, ascending);
		print_message("%-12s sin^2(theta/2) from the table: median %.1e, 99 %% %.1e, at most %.1e\n",
			      screening->name, errors[PLACES / 2], errors[PLACES * 99 / 100], errors[PLACES - 1]);
		assert_true(errors[PLACES / 2] < 1e-5);
		assert_true(errors[PLACES * 99 / 100] < 1e-3);
		/* where nearly hard spheres end, at a few hundredths of an electronvolt */
		assert_true(errors[PLACES - 1] < 2e-2);
	}
	assert_true(scattering_log2_tan2(numbers, 3.0F, 6.75F) < -200.0F);
	assert_true(scattering_log2_tan2(numbers, 3.0F, 7.0F) < -200.0F);
}

/* Heavy and light pairs down to the lowest energies that --cutoff allows, within the discs of layers of atoms: the mean of
 * sin^2(theta/2), which is the mean transfer, and each by itself, against the quadrature. Gold of 2 eV transfers less than half of what
 * it does at 128 eV. */
static void transfers_of_slow_atoms_agree_with_quadrature(void **unused)
{
	static const struct {
		int z1, z2;
		double mass1, mass2, atoms; /* atoms of the target in nm^3 */
	} pairs[] = {{79, 79, 196.967, 196.967, 59.0}, {92, 92, 238.051, 238.029, 48.3},
		     {82, 82, 207.2, 207.2, 33.0},     {55, 55, 132.905, 132.905, 8.5},
		     {92, 1, 238.051, 1.008, 42.0},    {54, 6, 131.904, 12.011, 113.0},
		     {14, 14, 28.086, 28.086, 49.9},   {1, 79, 1.008, 196.967, 59.0}};
	static const double energies[] = {0.1, 0.5, 2.0, 8.0, 30.0, 128.0, 300.0, 1000.0};
	static float numbers[TABLE_NUMBERS];
	double worst_mean = 0.0, worst = 0.0, at_2_ev = 0.0, at_128_ev = 0.0;
	(void)unused;

	for (int kind = SCREENING_ZBL; kind <= SCREENING_LENZ_JENSEN; ++kind) {
		const struct screening *screening = screening_of(kind);
		scattering_table_fill(screening, 2, numbers);
		for (size_t n = 0; n < sizeof pairs / sizeof *pairs * 8; ++n) {
			const int pair = (int)n / 8, steps = 2000;
			double energy = energies[n % 8],
			       length = screening_length(kind, pairs[pair].z1, pairs[pair].z2);
			double reduced = energy * length * pairs[pair].mass2 /
					 (pairs[pair].z1 * pairs[pair].z2 * 1.43996454784255 *
					  (pairs[pair].mass1 + pairs[pair].mass2));
			double most = pow(pairs[pair].atoms, -1.0 / 3.0) / sqrt(0.62035 * 3.14159265358979) / length,
			       exact_mean = 0.0, mean = 0.0;
			for (int k = 0; k < steps; ++k) {
				double s = most * sqrt((k + 0.5) / steps);
				double tan2 =
				    exp2((double)scattering_log2_tan2(numbers, (float)log2(reduced), (float)log2(s)));
				double sin2 = tan2 / (1.0 + tan2),
				       exact = scattering_sin2(screening, reduced, s, 100);
				mean += sin2 / steps;
				exact_mean += exact / steps;
				worst = fmax(worst, fabs(sin2 - exact));
			}
			worst_mean = fmax(worst_mean, fabs(mean / exact_mean - 1.0));
			if (fabs(mean / exact_mean - 1.0) > 5e-4)
				fail_msg("%s, %d on %d, %g eV: mean sin^2(theta/2) %.5g instead of %.5g",
					 screening->name, pairs[pair].z1, pairs[pair].z2, energy, mean, exact_mean);
			if (kind == SCREENING_ZBL && pair == 0 && energy == 2.0)
				at_2_ev = exact_mean;
			if (kind == SCREENING_ZBL && pair == 0 && energy == 128.0)
				at_128_ev = exact_mean;
		}
	}
	print_message("slow atoms: mean sin^2(theta/2) within %.1e of itself, each within %.1e; gold %.3f at 128 eV, "
		      "%.3f at 2 eV\n",
		      worst_mean, worst, at_128_ev, at_2_ev);
	assert_true(worst < 5e-4);
	assert_true(at_2_ev > 1.5 * at_128_ev);
}

static void screening_lengths_are_the_published_ones(void **unused)
{
	(void)unused;
	/* H on C: 0.8854 a0/(1 + 6^0.23), and Firsov's */
	assert_within(screening_length(SCREENING_ZBL, 1, 6), 0.8854 * 0.0529177210903 / (1.0 + pow(6.0, 0.23)), 1e-15,
		      "screening length");
	assert_within(screening_length(SCREENING_KR_C, 1, 6),
		      0.8854 * 0.0529177210903 / pow(1.0 + sqrt(6.0), 2.0 / 3.0), 1e-15, "screening length");
	assert_true(screening_length(SCREENING_ZBL, 6, 1) == screening_length(SCREENING_ZBL, 1, 6));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(bare_charges_follow_rutherford),
	    cmocka_unit_test(apsis_is_a_root),
	    cmocka_unit_test(zbl_angles_agree_with_reference),
	    cmocka_unit_test(float32_functions_are_within_bounds),
	    cmocka_unit_test(table_agrees_with_quadrature),
	    cmocka_unit_test(transfers_of_slow_atoms_agree_with_quadrature),
	    cmocka_unit_test(nuclear_stopping_is_the_integral_of_transfers),
	    cmocka_unit_test(screening_lengths_are_the_published_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
