/* The oracle: the Debye sum pair by pair and q by q, in float64 with compensated sums and the C
 * library's sine. Slow and simple. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "debye/motion/motion.h"
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

static void add_pair(const struct pair_sums *sums, struct pair_width width, double weight, struct ordered_sum *totals)
{
	for (int64_t k = 0; k < sums->q.points; ++k) {
		const double q = pair_sums_q(sums, k), term = weight * sinc(q * width.r);
		ordered_sum_add(&totals[k], width.s > 0.0 ? term * exp(-0.5 * q * q * width.s) : term);
	}
}

/* Atom i and the image of atom j that is at `there`. */
static void add_image(const sonde_atoms *atoms, int64_t i, int64_t j, const double *there,
		      const struct pair_sums *sums, struct ordered_sum *totals)
{
	const double *here = atoms->positions + 3 * i, r = distance(here, there);
	const double d[3] = {there[0] - here[0], there[1] - here[1], there[2] - here[2]};
	const double weight = periodic_weight(sums->periodic, r);
	const struct pair_width width =
	    sums->motion != NULL ? motion_along(sums->motion, atoms, i, j, d) : (struct pair_width){r, 0.0};

	if (weight != 0.0)
		add_pair(sums, width, weight, totals);
}

/* The pair of atoms i and j of a periodic sample, at all distances up to the cut-off; of an atom with its own images,
 * every second one. */
static void add_images(const sonde_atoms *atoms, int64_t i, int64_t j, const struct pair_sums *sums,
		       struct ordered_sum *totals)
{
	const struct periodic *periodic = sums->periodic;
	int most[3], n[3];

	periodic_images(periodic, most);
	for (n[0] = i == j ? 0 : -most[0]; n[0] <= most[0]; ++n[0])
		for (n[1] = -most[1]; n[1] <= most[1]; ++n[1])
			for (n[2] = -most[2]; n[2] <= most[2]; ++n[2]) {
				double there[3];
				if (i == j && n[0] == 0 && (n[1] < 0 || (n[1] == 0 && n[2] <= 0)))
					continue;
				periodic_vector(periodic, n, there);
				for (int k = 0; k < 3; ++k)
					there[k] += atoms->positions[3 * j + k];
				add_image(atoms, i, j, there, sums, totals);
			}
}

static sonde_status periodic_sums(sonde_context *context, const sonde_atoms *atoms, const struct pair_sums *sums,
				  struct ordered_sum *totals)
{
	struct stage stage;

	stage_begin(&stage, context, "pairs (reference)", "pairs",
		    0.5 * (double)atoms->count * (double)(atoms->count + 1));
	for (int64_t i = 0, done = 0; i < atoms->count; ++i) {
		for (int64_t j = i; j < atoms->count; ++j) {
			int a = atoms->species_of[i], b = atoms->species_of[j];
			int pair = species_pair_index(sums->species, a < b ? a : b, a < b ? b : a);
			add_images(atoms, i, j, sums, totals + pair * sums->q.points);
			++done;
			if (context_cancelled(context))
				break;
		}
		CHECK(stage_advance(&stage, (double)done));
	}
	return SONDE_OK;
}

/* The distance of two atoms in the sine, and the mean square in the Gaussian; 0 for atoms at rest. */
static struct pair_width width_of(const sonde_atoms *atoms, const struct pair_motion *motion, int64_t i, int64_t j)
{
	if (motion != NULL)
		return motion_of_pair(motion, atoms, i, j);
	return (struct pair_width){distance(atoms->positions + 3 * i, atoms->positions + 3 * j), 0.0};
}

static sonde_status cluster_sums(sonde_context *context, const sonde_atoms *atoms, const struct pair_sums *sums,
				 struct ordered_sum *totals)
{
	struct stage stage;
	double done = 0.0;

	stage_begin(&stage, context, "pairs (reference)", "pairs",
		    0.5 * (double)atoms->count * (double)(atoms->count - 1));
	for (int64_t i = 0; i < atoms->count; ++i) {
		for (int64_t j = i + 1; j < atoms->count; ++j) {
			int a = atoms->species_of[i], b = atoms->species_of[j];
			int pair = species_pair_index(sums->species, a < b ? a : b, a < b ? b : a);
			add_pair(sums, width_of(atoms, sums->motion, i, j), 1.0, totals + pair * sums->q.points);
			if (++done, context_cancelled(context))
				break;
		}
		CHECK(stage_advance(&stage, done));
	}
	return SONDE_OK;
}

sonde_status reference_pair_sums(sonde_context *context, const sonde_atoms *atoms, struct pair_sums *sums)
{
	size_t size = (size_t)species_pair_count(sums->species) * (size_t)sums->q.points;
	struct ordered_sum *totals;

	CHECK(memory_allocate(&totals, size, sizeof *totals, "the reference sums"));
	const sonde_status status = sums->periodic != NULL ? periodic_sums(context, atoms, sums, totals)
							   : cluster_sums(context, atoms, sums, totals);
	for (size_t k = 0; k < size; ++k)
		sums->sums[k] = ordered_sum_value(&totals[k]);
	free(totals);
	CHECK(status);
	return sums->undamped != NULL ? reference_pair_sums(context, atoms, sums->undamped) : SONDE_OK;
}
