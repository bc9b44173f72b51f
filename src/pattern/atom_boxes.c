#include "pattern/atom_boxes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "base/vectors.h"

#define BLOCK 512 /* atoms: next to each other in most samples, which are made or written row by row */
#define GROUP 64  /* blocks */

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

static void include(const double *box, double *in)
{
	for (int k = 0; k < 3; ++k) {
		in[k] = fmin(in[k], box[k]);
		in[3 + k] = fmax(in[3 + k], box[3 + k]);
	}
}

static const double nothing[6] = {INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY};

sonde_status atom_boxes_make(const double *positions, int64_t atoms, int threads, struct atom_boxes *boxes,
			     double low[3], double high[3])
{
	struct boxing boxing = {positions, atoms, NULL};

	double all[6];

	boxes->count = (atoms + BLOCK - 1) / BLOCK;
	boxes->group_count = (boxes->count + GROUP - 1) / GROUP;
	CHECK(memory_allocate(&boxes->boxes, 6 * (size_t)boxes->count, sizeof(double), "the atoms"));
	CHECK(memory_allocate(&boxes->groups, 6 * (size_t)boxes->group_count, sizeof(double), "the atoms"));
	boxing.boxes = boxes->boxes;
	threads_for(threads, boxes->count, threads_grain(threads, boxes->count), box_some, &boxing);
	memcpy(all, nothing, sizeof all);
	for (int64_t block = 0; block < boxes->count; ++block) {
		double *group = boxes->groups + 6 * (block / GROUP);
		if (block % GROUP == 0)
			memcpy(group, nothing, sizeof nothing);
		include(boxes->boxes + 6 * block, group);
	}
	for (int64_t group = 0; group < boxes->group_count; ++group)
		include(boxes->groups + 6 * group, all);
	memcpy(low, all, 3 * sizeof *low);
	memcpy(high, all + 3, 3 * sizeof *high);
	return SONDE_OK;
}

void atom_boxes_free(struct atom_boxes *boxes)
{
	free(boxes->boxes);
	free(boxes->groups);
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

/* Of `count` boxes the one that goes farthest. */
static int64_t farthest(const double *boxes, int64_t count, const double origin[3], const double e[3])
{
	double highest = -INFINITY;
	int64_t first = 0;

	for (int64_t k = 0; k < count; ++k) {
		const double limit = limit_of(boxes + 6 * k, origin, e);
		first = limit > highest ? k : first;
		highest = fmax(highest, limit);
	}
	return first;
}

static int64_t blocks_of_group(const struct atom_boxes *boxes, int64_t group)
{
	const int64_t left = boxes->count - group * GROUP;

	return left < GROUP ? left : GROUP;
}

static struct outermost climb(const struct atom_boxes *boxes, const double *positions, int64_t atoms,
			      const double origin[3], const double e[3])
{
	struct climbing climbing = {positions, origin, e, atoms, {-INFINITY, INT64_MAX}};
	const int64_t group = farthest(boxes->groups, boxes->group_count, origin, e),
		      first = group * GROUP +
			      farthest(boxes->boxes + 6 * group * GROUP, blocks_of_group(boxes, group), origin, e);

	if (boxes->count > 0)
		look_at_block(&climbing, first);
	for (int64_t g = 0; g < boxes->group_count; ++g) {
		if (limit_of(boxes->groups + 6 * g, origin, e) < climbing.best.t)
			continue;
		for (int64_t block = g * GROUP; block < g * GROUP + blocks_of_group(boxes, g); ++block)
			if (block != first && limit_of(boxes->boxes + 6 * block, origin, e) >= climbing.best.t)
				look_at_block(&climbing, block);
	}
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
