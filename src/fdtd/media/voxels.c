#include "fdtd/media/voxels.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

#define MOST_LEVELS 1024

void voxels_free(struct voxels *voxels)
{
	free(voxels->materials);
	*voxels = (struct voxels){.counts = {0}};
}

void voxels_bounds(const struct voxels *voxels, double low[3], double high[3])
{
	for (int a = 0; a < 3; ++a) {
		low[a] = voxels->origin[a];
		high[a] = voxels->origin[a] + voxels->spacing[a] * (double)voxels->counts[a];
	}
}

static size_t count_of(const struct voxels *voxels)
{
	return (size_t)voxels->counts[0] * (size_t)voxels->counts[1] * (size_t)voxels->counts[2];
}

/* Memory for the materials of a map, and its position. */
static sonde_status take_place(const struct voxel_map *map, double scale, const double shift[3],
			       struct voxels *voxels)
{
	*voxels = (struct voxels){.counts = {0}};
	if (!(isfinite(scale) && scale > 0.0))
		return status_fail(SONDE_INVALID, "voxels: scale = %g: must be a finite number above 0", scale);
	for (int a = 0; a < 3; ++a)
		voxels->counts[a] = map->counts[a];
	voxel_map_place(map, scale, shift, voxels->origin, voxels->spacing);
	return memory_allocate(&voxels->materials, count_of(voxels), sizeof *voxels->materials, "voxels");
}

sonde_status voxels_of_materials(const struct voxel_map *map, int materials, double scale, const double shift[3],
				 struct voxels *voxels)
{
	CHECK(take_place(map, scale, shift, voxels));
	for (size_t n = 0; n < count_of(voxels); ++n) {
		if (map->materials[n] < 0 || map->materials[n] >= materials)
			return status_fail(SONDE_INVALID,
					   "voxels: voxel %zu has material %lld, but there are %d, from 0", n,
					   (long long)map->materials[n], materials);
		voxels->materials[n] = (uint16_t)map->materials[n];
	}
	return SONDE_OK;
}

/* Allowed permittivities of voxels, in ascending order. */
struct levels {
	int count;
	double values[MOST_LEVELS];
};

/* The first level not below a value, or the end. */
static int find_level(const struct levels *levels, double value)
{
	int low = 0, high = levels->count;

	while (low < high) {
		const int middle = (low + high) / 2;
		if (levels->values[middle] < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static sonde_status find_levels(const struct voxel_map *map, size_t count, struct levels *levels)
{
	double least = INFINITY, most = 0.0;
	bool too_many = false;

	levels->count = 0;
	for (size_t n = 0; n < count; ++n) {
		const double value = map->permittivities[n];
		if (!(value >= 1.0))
			return status_fail(SONDE_INVALID, "voxels: voxel %zu has permittivity %g: must be at least 1",
					   n, value);
		least = fmin(least, value);
		most = fmax(most, value);
		const int at = find_level(levels, value);
		if (too_many || (at < levels->count && levels->values[at] == value))
			continue;
		too_many = levels->count == MOST_LEVELS;
		if (too_many)
			continue;
		for (int k = levels->count++; k > at; --k)
			levels->values[k] = levels->values[k - 1];
		levels->values[at] = value;
	}
	for (int k = 0; too_many && k < MOST_LEVELS; ++k)
		levels->values[k] = least + (most - least) * k / (MOST_LEVELS - 1);
	return SONDE_OK;
}

static uint16_t nearest_level(const struct levels *levels, double value)
{
	const int at = find_level(levels, value);

	if (at == levels->count)
		return (uint16_t)(at - 1);
	return (uint16_t)(at > 0 && value - levels->values[at - 1] < levels->values[at] - value ? at - 1 : at);
}

sonde_status voxels_of_permittivities(const struct voxel_map *map, double scale, const double shift[3],
				      struct media *media, struct voxels *voxels, uint16_t **numbers)
{
	struct levels levels;

	*numbers = NULL;
	CHECK(take_place(map, scale, shift, voxels));
	CHECK(find_levels(map, count_of(voxels), &levels));
	CHECK(memory_allocate(numbers, (size_t)levels.count, sizeof **numbers, "voxels"));
	for (int k = 0; k < levels.count; ++k) {
		const struct medium medium = {.permittivity = levels.values[k], .permeability = 1.0};
		CHECK(media_add(media, &medium, &(*numbers)[k]));
	}
	for (size_t n = 0; n < count_of(voxels); ++n)
		voxels->materials[n] = nearest_level(&levels, map->permittivities[n]);
	return SONDE_OK;
}

void voxels_of_balls(struct atom_balls *balls, double scale, const double shift[3], struct voxels *voxels)
{
	*voxels = (struct voxels){.materials = balls->filled};
	balls->filled = NULL;
	for (int a = 0; a < 3; ++a) {
		voxels->counts[a] = balls->counts[a];
		voxels->origin[a] = scale * balls->origin[a] + shift[a];
		voxels->spacing[a] = scale * balls->size;
	}
}
