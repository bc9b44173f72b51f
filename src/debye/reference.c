/* The oracle: the Debye sum pair by pair and q by q, in float64 with compensated sums and the C
 * library's sine. Slow and simple. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "debye/motion.h"
#include "run/ordered_sum.h"

static double distance(const double *a, const double *b)
{
	double dx = a[0] - b[0], dy = a[1] - b[1], dz = a[2] - b[2];

	return sqrt(dx * dx + dy * dy + dz * dz);
}

static double sinc(double x)
{
	return x == 0.0 ? 1.0 : sin(x) / x;
}

/* The distance of two atoms in the sine, and the mean square in the Gaussian; 0 for atoms at rest. */
static struct pair_width width_of(const sonde_atoms *atoms, const struct pair_motion *motion, int64_t i, int64_t j)
{
	if (motion != NULL)
		return motion_of_pair(motion, atoms, i, j);
	return (struct pair_width){distance(atoms->positions + 3 * i, atoms->positions + 3 * j), 0.0};
}

static void add_pair(const struct pair_sums *sums, struct pair_width width, struct ordered_sum *totals)
{
	for (int64_t k = 0; k < sums->q.points; ++k) {
		const double q = pair_sums_q(sums, k), term = sinc(q * width.r);
		ordered_sum_add(&totals[k], width.s > 0.0 ? term * exp(-0.5 * q * q * width.s) : term);
	}
}

sonde_status reference_pair_sums(sonde_context *context, const sonde_atoms *atoms, struct pair_sums *sums)
{
	size_t size = (size_t)species_pair_count(sums->species) * (size_t)sums->q.points;
	struct ordered_sum *totals;
	struct stage stage;
	double done = 0.0;
	sonde_status status = SONDE_OK;

	CHECK(memory_allocate(&totals, size, sizeof *totals, "the reference sums"));
	stage_begin(&stage, context, "pairs (reference)", "pairs",
		    0.5 * (double)atoms->count * (double)(atoms->count - 1));
	for (int64_t i = 0; i < atoms->count && status == SONDE_OK; ++i) {
		for (int64_t j = i + 1; j < atoms->count; ++j) {
			int a = atoms->species_of[i], b = atoms->species_of[j];
			int pair = species_pair_index(sums->species, a < b ? a : b, a < b ? b : a);
			add_pair(sums, width_of(atoms, sums->motion, i, j), totals + pair * sums->q.points);
			if (++done, context_cancelled(context))
				break;
		}
		status = stage_advance(&stage, done);
	}
	for (size_t k = 0; k < size; ++k)
		sums->sums[k] = ordered_sum_value(&totals[k]);
	free(totals);
	return status;
}
