/* Deviations from a lattice: their spread, and means that vary slowly, against sums by hand. */
#include "unit/support.h"

#include <math.h>

#include "matter/crystal/lattice_residues.h"

#define EDGE 40 /* atoms */
#define SIZE 0.01

typedef void field(const double t[3], uint64_t *random, double deviation[3]);

/* A cube of atoms at -1 ... 1, each on one of the sites in turn. */
static void measure(field *deviation_at, int sites, double *spread, double *slow)
{
	static const double low[3] = {-1.0, -1.0, -1.0}, high[3] = {1.0, 1.0, 1.0};
	struct lattice_residues residues;
	uint64_t random = 5;

	assert_status(SONDE_OK, lattice_residues_make(sites, low, high, &residues));
	for (int n = 0; n < EDGE * EDGE * EDGE; ++n) {
		const int place[3] = {n % EDGE, n / EDGE % EDGE, n / EDGE / EDGE};
		double t[3], deviation[3] = {0.0, 0.0, 0.0};
		for (int k = 0; k < 3; ++k)
			t[k] = (2.0 * place[k] + 1.0) / EDGE - 1.0;
		deviation_at(t, &random, deviation);
		lattice_residues_add(&residues, n % sites, t, deviation);
	}
	*spread = lattice_residues_spread(&residues);
	*slow = lattice_residues_slow(&residues);
	lattice_residues_free(&residues);
}

/* sqrt(7) P_3(x) along y: its mean square is 1. */
static void third(const double t[3], uint64_t *random, double deviation[3])
{
	(void)random;
	deviation[1] = SIZE * sqrt(7.0) * (2.5 * t[0] * t[0] * t[0] - 1.5 * t[0]);
}

/* A product, P_2(x) P_1(y) P_2(z). */
static void product(const double t[3], uint64_t *random, double deviation[3])
{
	(void)random;
	deviation[2] = SIZE * 5.0 * sqrt(3.0) * (1.5 * t[0] * t[0] - 0.5) * t[1] * (1.5 * t[2] * t[2] - 0.5);
}

/* A wave of eight periods along z, as planes that are rounded alike may have. */
static void wave(const double t[3], uint64_t *random, double deviation[3])
{
	(void)random;
	deviation[0] = SIZE * sin(8.0 * M_PI * t[2]);
}

static void independent(const double t[3], uint64_t *random, double deviation[3])
{
	(void)t;
	for (int k = 0; k < 3; ++k)
		deviation[k] = SIZE * (2.0 * test_random_real(random) - 1.0);
}

static void slow_parts_are_found(void **state)
{
	double spread, slow;
	(void)state;

	measure(third, 1, &spread, &slow);
	assert_true(fabs(spread - SIZE / sqrt(3.0)) < 0.02 * SIZE && fabs(slow - SIZE) < 0.02 * SIZE);
	measure(third, 2, &spread, &slow);
	assert_true(fabs(slow - SIZE) < 0.02 * SIZE);
	measure(product, 1, &spread, &slow);
	assert_true(fabs(slow - SIZE) < 0.06 * SIZE);
	measure(wave, 1, &spread, &slow);
	assert_true(slow > 0.2 * SIZE && slow < SIZE);
}

/* The largest of some 400 means of N numbers. */
static void independent_deviations_are_not_slow(void **state)
{
	double spread, slow;
	(void)state;

	measure(independent, 1, &spread, &slow);
	assert_true(fabs(spread - SIZE / sqrt(3.0)) < 0.01 * SIZE);
	assert_true(slow > 2.0 * spread / sqrt(EDGE * EDGE * EDGE) && slow < 6.0 * spread / sqrt(EDGE * EDGE * EDGE));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(slow_parts_are_found),
	    cmocka_unit_test(independent_deviations_are_not_slow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
