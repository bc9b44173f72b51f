#include "fdtd/field_sampling.h"

#include <stdlib.h>

#include "base/memory.h"

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
			    "a field monitor has %s %d to %d of %c by strides of %d: there are 0 to %d",
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

/* E along a conductor's wall is odd across it, E normal to it is even; H the other way round; all turned at a magnetic wall. What lies half a
 * cell from walls is what is even at conductors. */
static double mirror(const struct fdtd_grid *grid, int axis, int half, int *index)
{
	int cells = grid->cells[axis], last = half ? cells - 1 : cells;
	enum fdtd_wall wall = grid->walls[axis][*index < 0 ? 0 : 1];

	if (grid->walls[axis][0] == WALL_PERIODIC) {
		*index = (*index + cells) % cells;
		return 1.0;
	}
	if (*index >= 0 && *index <= last)
		return 1.0;
	*index = *index < 0 ? -*index - half : 2 * last - *index + half;
	return (wall == WALL_CONDUCTOR) == (half != 0) ? 1.0 : -1.0;
}

struct axis_terms {
	int count, index[2];
	double weight[2];
};

static struct axis_terms terms_of_axis(const struct field_sampling *sampling, int which, int axis, int node)
{
	const struct fdtd_grid *grid = &sampling->grid;
	int half = is_half(sampling->field_of[which], sampling->component_of[which], axis),
	    wanted = wanted_half(sampling, which, axis);
	/* a node's neighbours are the halves before and behind it; a half's are its node and the next */
	struct axis_terms terms = {.count = half == wanted ? 1 : 2, .index = {node, node}};

	if (terms.count == 2)
		terms.index[half ? 0 : 1] += half ? -1 : 1;
	if (grid->courant[axis] == 0.0)
		terms = (struct axis_terms){.count = 1};
	for (int n = 0; n < terms.count; ++n)
		terms.weight[n] = mirror(grid, axis, half, &terms.index[n]) / terms.count;
	return terms;
}

/* Places in the order of planes, components, rows: as the key's numbers are. */
static uint64_t key_of(const struct fdtd_step *layout, int component, const int node[3])
{
	return ((uint64_t)(node[0] + 1) * 3 + (uint64_t)component) * layout->plane + (uint64_t)node[1] * layout->row +
	       (uint64_t)node[2];
}

static void nodes_of_point(const struct field_sampling *sampling, size_t point, int node[3])
{
	for (int a = 2; a >= 0; --a) {
		size_t count = (size_t)sampling->shape[a];
		node[a] = sampling->region.low[a] + sampling->region.stride[a] * (int)(point % count);
		point /= count;
	}
}

/* Keys of the places of a component of a point, and the weights. */
static int find_terms(const struct field_sampling *sampling, int which, size_t point,
		      uint64_t keys[MOST_SAMPLING_TERMS], double weights[MOST_SAMPLING_TERMS])
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
		keys[count] = key_of(&sampling->layout, sampling->component_of[which], at);
		weights[count++] = axes[0].weight[x] * axes[1].weight[y] * axes[2].weight[z];
	}
	return count;
}

static int compare_keys(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static size_t sort_keys(uint64_t *keys, size_t count)
{
	size_t kept = 0;

	qsort(keys, count, sizeof *keys, compare_keys);
	for (size_t n = 0; n < count; ++n)
		if (kept == 0 || keys[n] != keys[kept - 1])
			keys[kept++] = keys[n];
	return kept;
}

/* Sorted whenever repeated keys would be most of them, so that memory stays near what is needed. */
static sonde_status find_places(struct field_sampling *sampling, int field)
{
	uint64_t **keys = &sampling->keys[field];
	size_t capacity = 0, count = 0, sorted = 0;

	for (size_t point = 0; point < sampling->points; ++point)
		for (int which = 0; which < sampling->component_count; ++which) {
			double weights[MOST_SAMPLING_TERMS];
			if (sampling->field_of[which] != field)
				continue;
			if (count + MOST_SAMPLING_TERMS > capacity && count > 2 * sorted)
				sorted = count = sort_keys(*keys, count);
			CHECK(memory_grow(keys, &capacity, count + MOST_SAMPLING_TERMS, sizeof **keys,
					  "the places of a monitor"));
			count += (size_t)find_terms(sampling, which, point, *keys + count, weights);
		}
	count = sort_keys(*keys, count);
	if (count > UINT32_MAX)
		return status_fail(SONDE_INVALID, "a field monitor looks at %zu places: take a stride", count);
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
	CHECK(find_places(sampling, FIELD_E));
	return find_places(sampling, FIELD_H);
}

void sampling_release(struct field_sampling *sampling)
{
	free(sampling->keys[FIELD_E]);
	free(sampling->keys[FIELD_H]);
	*sampling = (struct field_sampling){0};
}

sonde_status sampling_places(const struct field_sampling *sampling, enum field field, uint64_t **places)
{
	const struct fdtd_step *layout = &sampling->layout;

	CHECK(memory_allocate(places, sampling->place_count[field], sizeof **places, "the places of a monitor"));
	for (uint32_t n = 0; n < sampling->place_count[field]; ++n) {
		uint64_t key = sampling->keys[field][n], plane = key / layout->plane;
		(*places)[n] = plane % 3 * layout->volume + plane / 3 * layout->plane + key % layout->plane;
	}
	return SONDE_OK;
}

int sampling_terms(const struct field_sampling *sampling, int which, size_t point,
		   struct sampling_term terms[MOST_SAMPLING_TERMS])
{
	uint64_t keys[MOST_SAMPLING_TERMS];
	double weights[MOST_SAMPLING_TERMS];
	int count = find_terms(sampling, which, point, keys, weights), field = sampling->field_of[which];

	for (int n = 0; n < count; ++n) {
		const uint64_t *found = bsearch(&keys[n], sampling->keys[field], sampling->place_count[field],
						sizeof *found, compare_keys);
		terms[n] = (struct sampling_term){(uint32_t)(found - sampling->keys[field]), weights[n]};
	}
	return count;
}

void sampling_position(const struct field_sampling *sampling, int which, size_t point, double position[3])
{
	int node[3];

	nodes_of_point(sampling, point, node);
	for (int a = 0; a < 3; ++a)
		position[a] =
		    node[a] + (sampling->grid.courant[a] > 0.0 ? 0.5 * wanted_half(sampling, which, a) : 0.0);
}
