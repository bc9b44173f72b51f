#include "pattern/atom_boxes.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "base/vectors.h"

#define BLOCK 512 /* atoms: next to each other in most samples, which are made or written row by row */

struct boxing {
	const double *positions;
	int64_t atoms;
	double *boxes;
};

static int64_t end_of_block(int64_t block, int64_t atoms)
{
	return (block + 1) * BLOCK < atoms ? (block + 1) * BLOCK : atoms;
}

static void box_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct boxing *boxing = state;

	(void)worker;
	for (int64_t block = first; block < end; ++block) {
		double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
		for (int64_t i = block * BLOCK; i < end_of_block(block, boxing->atoms); ++i)
			for (int k = 0; k < 3; ++k) {
				const double r = boxing->positions[3 * i + k];
				low[k] = r < low[k] ? r : low[k];
				high[k] = r > high[k] ? r : high[k];
			}
		for (int k = 0; k < 3; ++k) {
			boxing->boxes[6 * block + k] = low[k];
			boxing->boxes[6 * block + 3 + k] = high[k];
		}
	}
}

sonde_status atom_boxes_make(const double *positions, int64_t atoms, int threads, struct atom_boxes *boxes,
			     double low[3], double high[3])
{
	struct boxing boxing = {positions, atoms, NULL};

	boxes->count = (atoms + BLOCK - 1) / BLOCK;
	CHECK(memory_allocate(&boxes->boxes, 6 * (size_t)boxes->count, sizeof(double), "the atoms"));
	boxing.boxes = boxes->boxes;
	threads_for(threads, boxes->count, threads_grain(threads, boxes->count), box_some, &boxing);
	for (int k = 0; k < 3; ++k) {
		low[k] = INFINITY;
		high[k] = -INFINITY;
		for (int64_t block = 0; block < boxes->count; ++block) {
			low[k] = fmin(low[k], boxes->boxes[6 * block + k]);
			high[k] = fmax(high[k], boxes->boxes[6 * block + 3 + k]);
		}
	}
	return SONDE_OK;
}

void atom_boxes_free(struct atom_boxes *boxes)
{
	free(boxes->boxes);
	*boxes = (struct atom_boxes){.count = 0};
}

/* A limit on the coordinates of a block's atoms. It is exact: rounded operations in the same order as those of an atom
 * never decrease where their operands increase. */
static double limit_of(const double *box, const double origin[3], const double e[3])
{
	double corner[3];

	for (int k = 0; k < 3; ++k)
		corner[k] = (e[k] >= 0.0 ? box[3 + k] : box[k]) - origin[k];
	return vector_dot(e, corner);
}

/* The atom with the largest e.(r - origin). */
struct climbing {
	const double *positions, *origin, *e;
	int64_t atoms;
	struct outermost best;
};

static void look_at_block(struct climbing *climbing, int64_t block)
{
	const double *o = climbing->origin;

	for (int64_t i = block * BLOCK; i < end_of_block(block, climbing->atoms); ++i) {
		const double *r = climbing->positions + 3 * i, apart[3] = {r[0] - o[0], r[1] - o[1], r[2] - o[2]},
			     t = vector_dot(climbing->e, apart);
		if (t > climbing->best.t || (t == climbing->best.t && i < climbing->best.atom))
			climbing->best = (struct outermost){t, i};
	}
}

static struct outermost climb(const struct atom_boxes *boxes, const double *positions, int64_t atoms,
			      const double origin[3], const double e[3])
{
	struct climbing climbing = {positions, origin, e, atoms, {-INFINITY, INT64_MAX}};
	double highest = -INFINITY;
	int64_t first = 0;

	for (int64_t block = 0; block < boxes->count; ++block) {
		const double limit = limit_of(boxes->boxes + 6 * block, origin, e);
		first = limit > highest ? block : first;
		highest = fmax(highest, limit);
	}
	look_at_block(&climbing, first);
	for (int64_t block = 0; block < boxes->count; ++block)
		if (limit_of(boxes->boxes + 6 * block, origin, e) >= climbing.best.t && block != first)
			look_at_block(&climbing, block);
	return climbing.best;
}

void atom_boxes_search(const struct atom_boxes *boxes, const double *positions, int64_t atoms, const double origin[3],
		       const double e[3], struct outermost *lowest, struct outermost *highest)
{
	const double opposite[3] = {-e[0], -e[1], -e[2]};

	*highest = climb(boxes, positions, atoms, origin, e);
	*lowest = climb(boxes, positions, atoms, origin, opposite);
	lowest->t = -lowest->t; /* signs do not change the rounding */
}
