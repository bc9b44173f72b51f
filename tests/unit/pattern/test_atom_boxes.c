/* The outermost atoms along a direction, by boxes around blocks of them: the same bits and the same atoms as from all of them. */
#include "unit/support.h"

#include <math.h>
#include <stdlib.h>

#include "base/vectors.h"
#include "pattern/atom_boxes.h"

#define ATOMS 20011

static double random_number(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (double)(*state >> 11) * 0x1p-53;
}

/* In rows, as samples are made; at random; on a lattice, whose atoms are at the same coordinate in large numbers. */
static void place_atoms(int kind, double *positions)
{
	uint64_t random = 7;

	for (int i = 0; i < ATOMS; ++i) {
		const int site[3] = {i % 31, i / 31 % 29, i / (31 * 29)};
		for (int k = 0; k < 3; ++k)
			positions[3 * i + k] =
			    kind == 1 ? 100.0 * random_number(&random)
				      : 2.81 * site[k] - 40.0 + (kind == 0 ? 0.3 * random_number(&random) : 0.0);
	}
}

static void search_all(const double *positions, const double origin[3], const double e[3], struct outermost *lowest,
		       struct outermost *highest)
{
	*lowest = (struct outermost){INFINITY, 0};
	*highest = (struct outermost){-INFINITY, 0};
	for (int i = 0; i < ATOMS; ++i) {
		const double *r = positions + 3 * i,
			     apart[3] = {r[0] - origin[0], r[1] - origin[1], r[2] - origin[2]},
			     t = vector_dot(e, apart);
		if (t < lowest->t)
			*lowest = (struct outermost){t, i};
		if (t > highest->t)
			*highest = (struct outermost){t, i};
	}
}

static void outermost_atoms_are_those_of_all(void **state)
{
	static const double axes[4][3] = {{1, 0, 0}, {0, -1, 0}, {1, 1, 0}, {-1, 1, 1}};
	const double origin[3] = {1.7, -0.3, 12.1};
	double *positions = malloc(3 * ATOMS * sizeof *positions), low[3], high[3];
	uint64_t random = 3;
	(void)state;

	assert_non_null(positions);
	for (int kind = 0; kind < 3; ++kind) {
		struct atom_boxes boxes;
		place_atoms(kind, positions);
		assert_int_equal(atom_boxes_make(positions, ATOMS, 2, &boxes, low, high), SONDE_OK);
		for (int d = 0; d < 40; ++d) {
			struct outermost lowest, highest, first, last;
			double e[3];
			for (int k = 0; k < 3; ++k)
				e[k] = d < 4 ? axes[d][k] : 2.0 * random_number(&random) - 1.0;
			atom_boxes_search(&boxes, positions, ATOMS, origin, e, &lowest, &highest);
			search_all(positions, origin, e, &first, &last);
			assert_true(lowest.t == first.t && lowest.atom == first.atom);
			assert_true(highest.t == last.t && highest.atom == last.atom);
		}
		for (int k = 0; k < 3; ++k) {
			const double e[3] = {k == 0, k == 1, k == 2}, none[3] = {0};
			struct outermost first, last;
			search_all(positions, none, e, &first, &last);
			assert_true(low[k] == first.t && high[k] == last.t);
		}
		atom_boxes_free(&boxes);
	}
	free(positions);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(outermost_atoms_are_those_of_all)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
