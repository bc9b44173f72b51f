/* The oracle: the Debye sum pair by pair and q by q, in float64 with compensated sums and the C
 * library's sine. Slow and simple. Threads share the points of q: each sum is made by one of them, over all pairs in their
 * order, and does not depend on their number. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
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

#define LINE_SUMS 4    /* sums in a line of the cache */
#define PART_TERMS 1e7 /* of a loop shared by threads: a tenth of a second of one thread */

/* Rows of pairs, each of one atom with the others, to be added to the sums. */
struct reference_rows {
	sonde_context *context;
	const sonde_atoms *atoms;
	const struct pair_sums *sums;
	struct ordered_sum *totals; /* q, pair of species: those of a q share no line of the cache with others */
	int64_t stride;             /* from a q to the next */
	int64_t first, end;         /* rows */
};

/* The points of q of a thread. */
struct reference_part {
	const struct reference_rows *rows;
	int64_t first, end;
};

static void add_pair(const struct reference_part *part, int64_t i, int64_t j, struct pair_width width, double weight)
{
	const struct reference_rows *rows = part->rows;
	const int a = rows->atoms->species_of[i], b = rows->atoms->species_of[j];
	struct ordered_sum *totals =
	    rows->totals + species_pair_index(rows->sums->species, a < b ? a : b, a < b ? b : a);

	for (int64_t k = part->first; k < part->end; ++k) {
		const double q = pair_sums_q(rows->sums, k), term = weight * sinc(q * width.r);
		ordered_sum_add(&totals[k * rows->stride], width.s > 0.0 ? term * exp(-0.5 * q * q * width.s) : term);
	}
}

/* Atom i and the image of atom j that is at `there`. */
static void add_image(const struct reference_part *part, int64_t i, int64_t j, const double *there)
{
	const sonde_atoms *atoms = part->rows->atoms;
	const struct pair_sums *sums = part->rows->sums;
	const double *here = atoms->positions + 3 * i, r = distance(here, there);
	const double d[3] = {there[0] - here[0], there[1] - here[1], there[2] - here[2]};
	const double weight = periodic_weight(sums->periodic, r);
	const struct pair_width width =
	    sums->motion != NULL ? motion_along(sums->motion, atoms, i, j, d) : (struct pair_width){r, 0.0};

	if (weight != 0.0)
		add_pair(part, i, j, width, weight);
}

/* The pair of atoms i and j of a periodic sample, at all distances up to the cut-off; of an atom with its own images,
 * every second one. */
static void add_images(const struct reference_part *part, int64_t i, int64_t j)
{
	const struct periodic *periodic = part->rows->sums->periodic;
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
					there[k] += part->rows->atoms->positions[3 * j + k];
				add_image(part, i, j, there);
			}
}

/* The distance of two atoms in the sine, and the mean square in the Gaussian; 0 for atoms at rest. */
static struct pair_width width_of(const sonde_atoms *atoms, const struct pair_motion *motion, int64_t i, int64_t j)
{
	if (motion != NULL)
		return motion_of_pair(motion, atoms, i, j);
	return (struct pair_width){distance(atoms->positions + 3 * i, atoms->positions + 3 * j), 0.0};
}

/* Of a periodic sample, the pairs of an atom with itself belong to its row. */
static void add_rows(void *state, int64_t first, int64_t end, int worker)
{
	const struct reference_rows *rows = state;
	const struct reference_part part = {rows, first, end};
	const bool periodic = rows->sums->periodic != NULL;

	(void)worker;
	for (int64_t i = rows->first; i < rows->end; ++i)
		for (int64_t j = periodic ? i : i + 1; j < rows->atoms->count; ++j) {
			if (periodic)
				add_images(&part, i, j);
			else
				add_pair(&part, i, j, width_of(rows->atoms, rows->sums->motion, i, j), 1.0);
			if (context_cancelled(rows->context))
				return;
		}
}

static sonde_status add_all(struct reference_rows *rows)
{
	const int64_t points = rows->sums->q.points, count = rows->atoms->count;
	const int threads = context_threads(rows->context), own = rows->sums->periodic != NULL;
	/* as few parts as threads, since each finds all distances */
	const int64_t grain = points > threads ? (points + threads - 1) / threads : 1;
	struct stage stage;
	double done = 0.0;

	stage_begin(&stage, rows->context, "pairs (reference)", "pairs",
		    0.5 * (double)count * (double)(count - 1 + 2 * own));
	while (rows->end < count) {
		const double before = done;
		rows->first = rows->end;
		do
			done += (double)(count - 1 - rows->end++ + own);
		while (rows->end < count && (done - before) * (double)points < PART_TERMS);
		threads_for(threads, points, grain, add_rows, rows);
		CHECK(stage_advance(&stage, done));
	}
	return SONDE_OK;
}

sonde_status reference_pair_sums(sonde_context *context, const sonde_atoms *atoms, struct pair_sums *sums)
{
	const int64_t pairs = species_pair_count(sums->species), points = sums->q.points,
		      stride = (pairs + LINE_SUMS - 1) / LINE_SUMS * LINE_SUMS;
	struct reference_rows rows = {.context = context, .atoms = atoms, .sums = sums, .stride = stride};

	CHECK(memory_allocate(&rows.totals, (size_t)(stride * points), sizeof *rows.totals, "the reference sums"));
	const sonde_status status = add_all(&rows);
	for (int64_t pair = 0; pair < pairs; ++pair)
		for (int64_t k = 0; k < points; ++k)
			sums->sums[pair * points + k] = ordered_sum_value(&rows.totals[k * stride + pair]);
	free(rows.totals);
	CHECK(status);
	return sums->undamped != NULL ? reference_pair_sums(context, atoms, sums->undamped) : SONDE_OK;
}
