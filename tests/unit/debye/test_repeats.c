/* Samples whose distances repeat: crystals, even if rounded, but neither gases nor crystals in thermal motion. */
#include "unit/support.h"

#include "debye/sums/histogram_device.h"

#define EDGE 16 /* atoms */
#define PER_ANGSTROM 512.0

/* A crystal with displacements of at most `displacement` along each axis, of two species if `salt`. */
static bool repeats(double displacement, bool salt)
{
	sonde_context *context;
	sonde_atoms *atoms;
	struct tiled_atoms tiled = {0};
	uint64_t state = 1;

	assert_status(SONDE_OK, sonde_context_create(&context));
	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	for (int i = 0; i < EDGE * EDGE * EDGE; ++i) {
		const int n[3] = {i % EDGE, i / EDGE % EDGE, i / EDGE / EDGE};
		double r[3];
		for (int k = 0; k < 3; ++k) {
			state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			r[k] = 2.82 * n[k] + displacement * (2.0 * (double)(state >> 40) / (double)(1 << 24) - 1.0);
		}
		assert_status(SONDE_OK,
			      sonde_atoms_add(atoms, salt && (n[0] + n[1] + n[2]) % 2 == 0 ? "Na" : "Cl", r));
	}
	assert_status(SONDE_OK, histogram_tile(context, atoms, TILING_RING, &tiled));
	const bool found = histogram_repeats(&tiled.atoms, salt ? 2 : 1, PER_ANGSTROM);
	arranged_atoms_free(&tiled.atoms);
	sonde_atoms_free(&atoms);
	sonde_context_free(&context);
	return found;
}

static void crystals_repeat(void **state)
{
	(void)state;
	assert_true(repeats(0.0, false));
	assert_true(repeats(0.0, true));
	assert_true(repeats(5e-5, false)); /* coordinates of four decimals */
}

static void displaced_atoms_do_not(void **state)
{
	(void)state;
	assert_false(repeats(0.1, false));
	assert_false(repeats(0.1, true));
	assert_false(repeats(1.4, true));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(crystals_repeat),
					   cmocka_unit_test(displaced_atoms_do_not)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
