/* Cubes whose points have many near charges, grouped into boxes with one mesh each. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "coulomb/mesh/mesh_run.h"

#define LARGEST_FULL 8u /* cubes along an edge, up to which a full box is not divided */

struct grouping {
	struct mesh_cubes *cubes;
	const struct mesh_order *order;
	struct mesh_costs costs;
	uint64_t *sums;                    /* charges in all preceding cubes along x, y and z */
	struct mesh_block *before, *after; /* contents in front of and beyond a plane, for the planes of one axis */
	struct mesh_block *blocks;
	size_t capacity;
	uint32_t count;
	sonde_status status;
};

static const struct mesh_block nowhere = {{UINT32_MAX, UINT32_MAX, UINT32_MAX}, {0, 0, 0}};

static void take_into(struct mesh_block *block, const struct mesh_block *other)
{
	for (int k = 0; k < 3; ++k) {
		block->first[k] = other->first[k] < block->first[k] ? other->first[k] : block->first[k];
		block->end[k] = other->end[k] > block->end[k] ? other->end[k] : block->end[k];
	}
}

static struct mesh_block block_of(const uint32_t cube[3])
{
	return (struct mesh_block){{cube[0], cube[1], cube[2]}, {cube[0] + 1, cube[1] + 1, cube[2] + 1}};
}

/* Cumulative sums over cubes, so that the sum over a box is a difference of eight of them. */
static sonde_status add_up(struct grouping *grouping)
{
	const uint32_t *size = grouping->cubes->size;
	const size_t row = size[0] + 1, plane = row * (size[1] + 1);

	CHECK(memory_allocate(&grouping->sums, plane * (size[2] + 1), sizeof(uint64_t), "the cells"));
	for (size_t z = 0; z < size[2]; ++z)
		for (size_t y = 0; y < size[1]; ++y) {
			uint64_t along = 0;
			for (size_t x = 0; x < size[0]; ++x) {
				uint64_t *to = grouping->sums + (z + 1) * plane + (y + 1) * row + x + 1;
				along += grouping->cubes->charges[(z * size[1] + y) * size[0] + x];
				*to = along + *(to - plane) + *(to - row) - *(to - plane - row);
			}
		}
	return SONDE_OK;
}

/* Charges in a box and a layer of one cube around it. */
static double charges_near(const struct grouping *grouping, const struct mesh_block *block)
{
	const uint32_t *size = grouping->cubes->size;
	const size_t row = size[0] + 1, plane = row * (size[1] + 1);
	size_t edges[3][2];
	uint64_t sum = 0;

	for (int k = 0; k < 3; ++k) {
		edges[k][0] = block->first[k] > 0 ? block->first[k] - 1 : 0;
		edges[k][1] = block->end[k] < size[k] ? block->end[k] + 1 : size[k];
	}
	for (int corner = 0; corner < 8; ++corner) {
		uint64_t at = grouping->sums[edges[2][corner >> 2] * plane + edges[1][corner >> 1 & 1] * row +
					     edges[0][corner & 1]];
		bool odd = ((corner & 1) + (corner >> 1 & 1) + (corner >> 2)) % 2 == 0;
		sum = odd ? sum - at : sum + at;
	}
	return (double)sum;
}

static double seconds_of(const struct grouping *grouping, const struct mesh_block *block)
{
	uint32_t cubes[3];

	for (int k = 0; k < 3; ++k)
		cubes[k] = block->end[k] - block->first[k];
	return mesh_block_seconds(grouping->order, &grouping->costs, cubes, charges_near(grouping, block));
}

static void append(struct grouping *grouping, const struct mesh_block *block)
{
	if (grouping->status == SONDE_OK)
		grouping->status = memory_grow(&grouping->blocks, &grouping->capacity, grouping->count + (size_t)1,
					       sizeof *block, "the parts");
	if (grouping->status == SONDE_OK)
		grouping->blocks[grouping->count++] = *block;
}

/* The plane along an axis that gives the least work: cubes below *at are on one side. */
static double best_plane(const struct grouping *grouping, uint32_t begin, uint32_t end,
			 const struct mesh_block *block, int k, uint32_t *at)
{
	uint32_t planes = block->end[k] - block->first[k];
	struct mesh_block *before = grouping->before, *after = grouping->after;
	double best = INFINITY;

	for (uint32_t p = 0; p < planes; ++p)
		before[p] = after[p] = nowhere;
	for (uint32_t n = begin; n < end; ++n) {
		const uint32_t *cube = grouping->cubes->many[n];
		const struct mesh_block one = block_of(cube);
		take_into(&before[cube[k] - block->first[k]], &one);
		take_into(&after[cube[k] - block->first[k]], &one);
	}
	for (uint32_t p = 1; p < planes; ++p) {
		take_into(&before[p], &before[p - 1]);
		take_into(&after[planes - 1 - p], &after[planes - p]);
	}
	for (uint32_t p = 1; p < planes; ++p) {
		double seconds = seconds_of(grouping, &before[p - 1]) + seconds_of(grouping, &after[p]);
		if (seconds < best) {
			best = seconds;
			*at = block->first[k] + p;
		}
	}
	return best;
}

/* Moves cubes below the plane to the front. Returns the index of their end. */
static uint32_t divide(struct grouping *grouping, uint32_t begin, uint32_t end, int k, uint32_t at)
{
	uint32_t(*many)[3] = grouping->cubes->many, middle = begin;

	for (uint32_t n = begin; n < end; ++n) {
		uint32_t cube[3];
		if (many[n][k] >= at)
			continue;
		memcpy(cube, many[n], sizeof cube);
		memcpy(many[n], many[middle], sizeof cube);
		memcpy(many[middle++], cube, sizeof cube);
	}
	return middle;
}

/* Boxes for a range of cubes: one, or those of the two sides of a plane if these are less work. Returns the
 * seconds. */
static double group(struct grouping *grouping, uint32_t begin, uint32_t end)
{
	struct mesh_block block = nowhere;
	double best = INFINITY, volume = 1.0;
	uint32_t plane = 0, longest = 0, count = grouping->count;
	int axis = 0;

	for (uint32_t n = begin; n < end; ++n) {
		const struct mesh_block one = block_of(grouping->cubes->many[n]);
		take_into(&block, &one);
	}
	for (int k = 0; k < 3; ++k) {
		uint32_t edge = block.end[k] - block.first[k];
		longest = edge > longest ? edge : longest;
		volume *= edge;
	}
	const double own = seconds_of(grouping, &block);
	if (grouping->status != SONDE_OK || longest == 1 || (volume == end - begin && longest <= LARGEST_FULL)) {
		append(grouping, &block);
		return own;
	}
	for (int k = 0; k < 3; ++k) {
		uint32_t at = 0;
		double seconds = best_plane(grouping, begin, end, &block, k, &at);
		if (seconds < best) {
			best = seconds;
			axis = k;
			plane = at;
		}
	}
	uint32_t middle = divide(grouping, begin, end, axis, plane);
	double both = group(grouping, begin, middle);
	both += group(grouping, middle, end);
	if (both < own)
		return both;
	grouping->count = count;
	append(grouping, &block);
	return own;
}

sonde_status mesh_cubes_group(const struct mesh_run *run, struct mesh_cubes *cubes, struct mesh_block **blocks,
			      uint32_t *count)
{
	struct grouping grouping = {
	    .cubes = cubes, .order = run->order, .costs = mesh_find_costs(run->charges, run->plan, run->order)};
	uint32_t longest = 0;

	*blocks = NULL;
	*count = 0;
	for (int k = 0; k < 3; ++k)
		longest = cubes->size[k] > longest ? cubes->size[k] : longest;
	CHECK_GOTO(grouping.status, add_up(&grouping), done);
	CHECK_GOTO(grouping.status,
		   memory_allocate(&grouping.before, 2 * (size_t)longest, sizeof *grouping.before, "the cells"),
		   done);
	grouping.after = grouping.before + longest;
	(void)group(&grouping, 0, cubes->many_count);
	*blocks = grouping.blocks;
	*count = grouping.count;
done:
	free(grouping.sums);
	free(grouping.before);
	if (grouping.status != SONDE_OK) {
		free(grouping.blocks);
		*blocks = NULL;
	}
	return grouping.status;
}
