#include "fdtd/media/voxels.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

#define MOST_LEVELS 1024
#define MOST_VOXELS 1073741824.0

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

/* Voxels around all atoms with their balls, in the atoms' unit. */
static sonde_status surround(const double *positions, int64_t count, double radius, double size,
			     struct voxels *voxels)
{
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, all = 1.0;

	for (int64_t n = 0; n < 3 * count; ++n) {
		low[n % 3] = fmin(low[n % 3], positions[n]);
		high[n % 3] = fmax(high[n % 3], positions[n]);
	}
	for (int a = 0; a < 3; ++a) {
		const double extent = high[a] - low[a] + 2.0 * radius, voxels_along = ceil(extent / size);
		if (!isfinite(extent) || !(voxels_along >= 1.0 && voxels_along <= MOST_VOXELS))
			return status_fail(SONDE_INVALID,
					   "atoms: there are none, or too many voxels of %g around them", size);
		all *= voxels_along;
		voxels->counts[a] = (int64_t)voxels_along;
		voxels->spacing[a] = size;
		voxels->origin[a] = 0.5 * (low[a] + high[a]) - 0.5 * size * voxels_along;
	}
	if (all > MOST_VOXELS)
		return status_fail(SONDE_INVALID, "atoms: %.2g voxels of %g around them; at most 2^30 are possible",
				   all, size);
	return memory_allocate(&voxels->materials, count_of(voxels), sizeof *voxels->materials, "voxels");
}

static void fill_ball(struct voxels *voxels, const double center[3], double radius)
{
	int64_t begin[3], end[3];

	for (int a = 0; a < 3; ++a) {
		double from = ceil((center[a] - radius - voxels->origin[a]) / voxels->spacing[a] - 0.5),
		       to = floor((center[a] + radius - voxels->origin[a]) / voxels->spacing[a] - 0.5);
		begin[a] = from > 0.0 ? (int64_t)from : 0;
		end[a] = to < (double)voxels->counts[a] ? (int64_t)to + 1 : voxels->counts[a];
	}
	for (int64_t k = begin[2]; k < end[2]; ++k)
		for (int64_t j = begin[1]; j < end[1]; ++j)
			for (int64_t i = begin[0]; i < end[0]; ++i) {
				const double x = voxels->origin[0] + ((double)i + 0.5) * voxels->spacing[0] -
						 center[0],
					     y = voxels->origin[1] + ((double)j + 0.5) * voxels->spacing[1] -
						 center[1],
					     z = voxels->origin[2] + ((double)k + 0.5) * voxels->spacing[2] -
						 center[2];
				if (x * x + y * y + z * z <= radius * radius)
					voxels->materials[(k * voxels->counts[1] + j) * voxels->counts[0] + i] = 1;
			}
}

sonde_status voxels_of_atoms(const double *positions, int64_t count, double radius, double size, double scale,
			     const double shift[3], struct voxels *voxels)
{
	*voxels = (struct voxels){.counts = {0}};
	if (!(isfinite(radius) && radius > 0.0 && isfinite(size) && size > 0.0 && isfinite(scale) && scale > 0.0))
		return status_fail(SONDE_INVALID,
				   "atoms: radius %g, voxels of %g, scale %g: must be finite numbers above 0", radius,
				   size, scale);
	CHECK(surround(positions, count, radius, size, voxels));
	for (int64_t n = 0; n < count; ++n)
		fill_ball(voxels, &positions[3 * n], radius);
	for (int a = 0; a < 3; ++a) {
		voxels->origin[a] = scale * voxels->origin[a] + shift[a];
		voxels->spacing[a] *= scale;
	}
	return SONDE_OK;
}
