#include "fdtd/monitors/field_sampling.h"

#include <stdlib.h>

#include "base/memory.h"
#include "fdtd/grid/layout.h"

static sonde_status check_region(const struct fdtd_grid *grid, const struct field_region *region)
{
	int most = region->placement == PLACED_AT_CENTERS ? -1 : 0;

	if (region->components == 0 || region->components > (ALL_OF_E | ALL_OF_H))
		return status_fail(SONDE_INVALID, "a field monitor has no components of the field");
	for (int a = 0; a < 3; ++a)
		if (region->stride[a] < 1 || region->low[a] < 0 || region->high[a] < region->low[a] ||
		    region->high[a] > grid->cells[a] + most)
			return status_fail(
			    SONDE_INVALID,
			    "a field monitor has %s %d to %d of %c with a stride of %d: the grid has 0 to %d",
			    most < 0 ? "cells" : "nodes", region->low[a], region->high[a], "xyz"[a],
			    region -> stride[a], grid -> cells[a] + most);
	return SONDE_OK;
}

/* Whether a component lies half a cell from its node along an axis. */
static int is_half(int field, int component, int axis)
{
	return field == FIELD_E ? axis == component : axis != component;
}

static int wanted_half(const struct field_sampling *sampling, int which, int axis)
{
	switch (sampling->region.placement) {
	case PLACED_AT_NODES:
		return 0;
	case PLACED_AT_CENTERS:
		return 1;
	default:
		return is_half(sampling->field_of[which], sampling->component_of[which], axis);
	}
}

/* E along a conductor's wall is odd across it, E normal to it is even; H the opposite; all reversed at a magnetic
 * wall. Components half a cell from walls are those that are even at conductors. Beyond periodic walls is the other
 * side again, with the Bloch phase. */
static double complex mirror(const struct fdtd_grid *grid, int axis, int half, int *index)
{
	int cells = grid->cells[axis], last = half ? cells - 1 : cells;
	enum fdtd_wall wall = grid->walls[axis][*index < 0 ? 0 : 1];

	if (grid->walls[axis][0] == WALL_PERIODIC) {
		double phase = *index < 0 ? -grid->phase[axis] : *index >= cells ? grid->phase[axis] : 0.0;
		*index = (*index + cells) % cells;
		return phase != 0.0 ? cexp(I * phase) : 1.0;
	}
	if (*index >= 0 && *index <= last)
		return 1.0;
	*index = *index < 0 ? -*index - half : 2 * last - *index + half;
	return (wall == WALL_CONDUCTOR) == (half != 0) ? 1.0 : -1.0;
}

struct axis_terms {
	int count, index[2];
	double complex weight[2];
};

static struct axis_terms terms_of_axis(const struct field_sampling *sampling, int which, int axis, int node)
{
	const struct fdtd_grid *grid = &sampling->grid;
	int half = is_half(sampling->field_of[which], sampling->component_of[which], axis),
	    wanted = wanted_half(sampling, which, axis);
	/* the neighbors of a node are the half places before and after it; those of a half place are its node and the next
	 * one */
	struct axis_terms terms = {.count = half == wanted ? 1 : 2, .index = {node, node}};

	if (terms.count == 2)
		terms.index[half ? 0 : 1] += half ? -1 : 1;
	if (grid_is_uniform(grid, axis))
		terms = (struct axis_terms){.count = 1};
	for (int n = 0; n < terms.count; ++n)
		terms.weight[n] = mirror(grid, axis, half, &terms.index[n]) / terms.count;
	return terms;
}

/* The index of a place's bit: in the order of planes, components, rows. */
static size_t bit_of(const struct field_sampling *sampling, int component, const int node[3])
{
	const int *low = sampling->box_low, *size = sampling->box_size;

	return (((size_t)(node[0] - low[0]) * 3 + (size_t)component) * (size_t)size[1] + (size_t)(node[1] - low[1])) *
		   (size_t)size[2] +
	       (size_t)(node[2] - low[2]);
}

static void nodes_of_point(const struct field_sampling *sampling, size_t point, int node[3])
{
	for (int a = 2; a >= 0; --a) {
		size_t count = (size_t)sampling->shape[a];
		node[a] = sampling->region.low[a] + sampling->region.stride[a] * (int)(point % count);
		point /= count;
	}
}

/* Bits of the places of a component of a point, and the weights. */
static int find_terms(const struct field_sampling *sampling, int which, size_t point,
		      size_t bits[MOST_SAMPLING_TERMS], double complex weights[MOST_SAMPLING_TERMS])
{
	struct axis_terms axes[3];
	int node[3], count = 0;

	nodes_of_point(sampling, point, node);
	for (int a = 0; a < 3; ++a)
		axes[a] = terms_of_axis(sampling, which, a, node[a]);
	for (int n = 0; n < axes[0].count * axes[1].count * axes[2].count; ++n) {
		int x = n % axes[0].count, y = n / axes[0].count % axes[1].count,
		    z = n / axes[0].count / axes[1].count;
		const int at[3] = {axes[0].index[x], axes[1].index[y], axes[2].index[z]};
		bits[count] = bit_of(sampling, sampling->component_of[which], at);
		weights[count++] = axes[0].weight[x] * axes[1].weight[y] * axes[2].weight[z];
	}
	return count;
}

/* The nodes that may have places. */
static void find_box(struct field_sampling *sampling)
{
	const struct field_region *region = &sampling->region;

	for (int a = 0; a < 3; ++a) {
		int low = sampling->grid.cells[a], high = 0;
		for (int n = 0; n < sampling->shape[a] * sampling->component_count; ++n) {
			struct axis_terms terms =
			    terms_of_axis(sampling, n % sampling->component_count, a,
					  region->low[a] + region->stride[a] * (n / sampling->component_count));
			for (int t = 0; t < terms.count; ++t) {
				low = terms.index[t] < low ? terms.index[t] : low;
				high = terms.index[t] > high ? terms.index[t] : high;
			}
		}
		sampling->box_low[a] = low;
		sampling->box_size[a] = high - low + 1;
	}
}

static size_t words_of(const struct field_sampling *sampling)
{
	const int *size = sampling->box_size;

	return (3 * (size_t)size[0] * (size_t)size[1] * (size_t)size[2] + 63) / 64;
}

static sonde_status find_places(struct field_sampling *sampling, int field)
{
	size_t words = words_of(sampling);
	uint64_t *marks, count = 0;

	CHECK(memory_allocate(&sampling->marks[field], words, sizeof *marks, "the places of a monitor"));
	CHECK(memory_allocate(&sampling->before[field], words, sizeof **sampling->before, "the places of a monitor"));
	marks = sampling->marks[field];
	for (size_t point = 0; point < sampling->points; ++point)
		for (int which = 0; which < sampling->component_count; ++which) {
			double complex weights[MOST_SAMPLING_TERMS];
			size_t bits[MOST_SAMPLING_TERMS];
			if (sampling->field_of[which] != field)
				continue;
			int terms = find_terms(sampling, which, point, bits, weights);
			for (int t = 0; t < terms; ++t)
				marks[bits[t] / 64] |= (uint64_t)1 << bits[t] % 64;
		}
	for (size_t word = 0; word < words; ++word) {
		sampling->before[field][word] = (uint32_t)count;
		count += (uint64_t)__builtin_popcountll(marks[word]);
		if (count > UINT32_MAX)
			return status_fail(SONDE_INVALID, "a field monitor has more than %u places; use a stride",
					   UINT32_MAX);
	}
	sampling->place_count[field] = (uint32_t)count;
	return SONDE_OK;
}

sonde_status sampling_make(const struct fields *fields, const struct field_region *region,
			   struct field_sampling *sampling)
{
	*sampling =
	    (struct field_sampling){.grid = fields->grid, .layout = fields->layout, .region = *region, .points = 1};
	CHECK(check_region(&fields->grid, region));
	for (int a = 0; a < 3; ++a) {
		sampling->shape[a] = (region->high[a] - region->low[a]) / region->stride[a] + 1;
		sampling->points *= (size_t)sampling->shape[a];
	}
	for (int k = 0; k < 6; ++k)
		if (region->components >> k & 1u) {
			sampling->field_of[sampling->component_count] = k / 3;
			sampling->component_of[sampling->component_count++] = k % 3;
		}
	find_box(sampling);
	CHECK(find_places(sampling, FIELD_E));
	return find_places(sampling, FIELD_H);
}

void sampling_release(struct field_sampling *sampling)
{
	for (int field = FIELD_E; field <= FIELD_H; ++field) {
		free(sampling->marks[field]);
		free(sampling->before[field]);
	}
	*sampling = (struct field_sampling){0};
}

sonde_status sampling_places(const struct field_sampling *sampling, enum field field, uint64_t **places)
{
	const size_t rows = (size_t)sampling->box_size[1], row = (size_t)sampling->box_size[2];
	uint32_t count = 0;

	CHECK(memory_allocate(places, sampling->place_count[field], sizeof **places, "the places of a monitor"));
	for (size_t word = 0; word < words_of(sampling); ++word)
		for (uint64_t marks = sampling->marks[field][word]; marks != 0; marks &= marks - 1) {
			size_t bit = 64 * word + (size_t)__builtin_ctzll(marks);
			int k = (int)(bit % row) + sampling->box_low[2],
			    j = (int)(bit / row % rows) + sampling->box_low[1],
			    component = (int)(bit / (row * rows) % 3),
			    i = (int)(bit / (row * rows * 3)) + sampling->box_low[0];
			(*places)[count++] = layout_place(&sampling->layout, component, i, j, k);
		}
	return SONDE_OK;
}

int sampling_terms(const struct field_sampling *sampling, int which, size_t point,
		   struct sampling_term terms[MOST_SAMPLING_TERMS])
{
	size_t bits[MOST_SAMPLING_TERMS];
	double complex weights[MOST_SAMPLING_TERMS];
	int count = find_terms(sampling, which, point, bits, weights), field = sampling->field_of[which];

	for (int n = 0; n < count; ++n) {
		size_t word = bits[n] / 64;
		uint64_t lower = sampling->marks[field][word] & (((uint64_t)1 << bits[n] % 64) - 1);
		terms[n] = (struct sampling_term){
		    sampling->before[field][word] + (uint32_t)__builtin_popcountll(lower), weights[n]};
	}
	return count;
}

void sampling_position(const struct field_sampling *sampling, int which, size_t point, double position[3])
{
	int node[3];

	nodes_of_point(sampling, point, node);
	for (int a = 0; a < 3; ++a)
		position[a] =
		    node[a] + (!grid_is_uniform(&sampling->grid, a) ? 0.5 * wanted_half(sampling, which, a) : 0.0);
}
