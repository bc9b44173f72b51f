/* Atoms cut into compact tiles: every cut is one of the right numbers of atoms across the longest edge, also for samples so large
 * that threads cut them together, and the order does not depend on the number of threads. */
#include "unit/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "matter/atoms/compact_atoms.h"

#define ATOMS 300000 /* above the size from which threads cut a piece together, also in halves */
#define TILE 32
#define UNIT 128

/* A slab, as a crystal with planes of many atoms or at random; two species. */
static sonde_atoms *make_slab(bool crystal)
{
	static const double edge[3] = {300.0, 200.0, 40.0};
	uint64_t state = 7;
	sonde_atoms *atoms;

	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	for (int i = 0; i < ATOMS; ++i) {
		double r[3];
		for (int k = 0; k < 3; ++k) {
			state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			r[k] = edge[k] * (double)(state >> 40) / (double)(1 << 24);
			r[k] = crystal ? 2.0 * floor(r[k] / 2.0) : r[k];
		}
		assert_status(SONDE_OK, sonde_atoms_add(atoms, i % 50 == 0 ? "Cu" : "Au", r));
	}
	return atoms;
}

static struct compact_atom *sort_on(int threads, const sonde_atoms *atoms)
{
	struct compact_atom *entries;
	sonde_context *context;

	assert_status(SONDE_OK, sonde_context_create(&context));
	assert_status(SONDE_OK, sonde_context_set_threads(context, threads));
	assert_status(SONDE_OK, compact_atoms_sort(context, atoms, TILE, UNIT / TILE, &entries));
	sonde_context_free(&context);
	return entries;
}

/* Whether the first `middle` entries precede the others across the longest edge; then the same for both parts. */
static void check_cuts(const struct compact_atom *entries, size_t count, size_t part)
{
	double low[3], high[3], left = -INFINITY, right = INFINITY;
	int axis = 0;

	if (count <= part)
		return;
	for (int k = 0; k < 3; ++k) {
		low[k] = INFINITY;
		high[k] = -INFINITY;
		for (size_t i = 0; i < count; ++i) {
			low[k] = fmin(low[k], entries[i].r[k]);
			high[k] = fmax(high[k], entries[i].r[k]);
		}
		axis = high[k] - low[k] > high[axis] - low[axis] ? k : axis;
	}
	const size_t middle = (count + part - 1) / part / 2 * part;
	for (size_t i = 0; i < count; ++i)
		if (i < middle)
			left = fmax(left, entries[i].r[axis]);
		else
			right = fmin(right, entries[i].r[axis]);
	assert_true(left <= right);
	check_cuts(entries, middle, part);
	check_cuts(entries + middle, count - middle, part);
}

static void check_sorted(const sonde_atoms *atoms, const struct compact_atom *entries)
{
	unsigned char *seen = calloc(ATOMS, 1);
	size_t first = 0;

	assert_non_null(seen);
	for (size_t i = 0; i < ATOMS; ++i) {
		const double *r = sonde_atoms_positions(atoms) + 3 * (size_t)entries[i].atom;
		assert_true(entries[i].atom < ATOMS && !seen[entries[i].atom]);
		assert_memory_equal(r, entries[i].r, sizeof entries[i].r);
		seen[entries[i].atom] = 1;
	}
	for (int s = 0; s < atoms->species_count; ++s) {
		const size_t own = (size_t)atoms->species[s].atoms;
		for (size_t i = first; i < first + own; ++i)
			assert_int_equal(s, atoms->species_of[entries[i].atom]);
		check_cuts(entries + first, own, UNIT);
		first += own;
	}
	free(seen);
}

/* The order is part of the results' last bits, which are to be the same from version to version. */
static uint64_t hash_of(const struct compact_atom *entries)
{
	uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a, of numbers in place of bytes */

	for (size_t i = 0; i < ATOMS; ++i)
		hash = (hash ^ entries[i].atom) * UINT64_C(1099511628211);
	return hash;
}

static void test_cuts_are_those_of_halves(void **state)
{
	static const uint64_t known[] = {UINT64_C(0xd534530f656184fd), UINT64_C(0x82d3b5cb6d11fb85)};

	(void)state;
	for (int crystal = 0; crystal < 2; ++crystal) {
		sonde_atoms *atoms = make_slab(crystal != 0);
		struct compact_atom *alone = sort_on(1, atoms), *together = sort_on(3, atoms);
		check_sorted(atoms, alone);
		assert_int_equal(known[crystal], hash_of(alone));
		for (size_t i = 0; i < ATOMS; ++i)
			assert_int_equal(alone[i].atom, together[i].atom);
		free(alone);
		free(together);
		sonde_atoms_free(&atoms);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_cuts_are_those_of_halves)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
