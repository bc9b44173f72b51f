/* A map of materials from an HDF5 file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/voxel_map.h"
#include "ions/target/target.h"

#define NM_PER_ANGSTROM 0.1

static sonde_status parse_materials(const char *text, struct target *target)
{
	int first = target->region_count;

	if (text[0] == '\0')
		return status_fail(SONDE_INVALID,
				   "voxel-materials: what are the voxels made of? For example vacuum/Au");
	for (const char *start = text; *start != '\0';) {
		const char *end = start + strcspn(start, "/");
		char name[MATERIAL_NAME_SIZE + 32];
		if (target->region_count - first == TARGET_MOST_VOXEL_MATERIALS)
			return status_fail(SONDE_INVALID, "voxel-materials: more than %d",
					   TARGET_MOST_VOXEL_MATERIALS);
		if ((size_t)(end - start) >= sizeof name)
			return status_fail(SONDE_INVALID, "voxel-materials: too long a name");
		snprintf(name, sizeof name, "%.*s", (int)(end - start), start);
		sonde_status status = material_parse(name, &target->layers[target->region_count].material);
		if (status != SONDE_OK)
			return status_prefix(status, "voxel-materials");
		++target->region_count;
		start = *end == '/' ? end + 1 : end;
	}
	return SONDE_OK;
}

/* The map begins at the surface and is centred in y and z, unless it says where it is. */
static void take_place(const struct voxel_map *map, struct target *target)
{
	for (int k = 0; k < 3; ++k) {
		target->voxels[k] = map->counts[k];
		target->voxel_nm[k] = NM_PER_ANGSTROM * map->spacing[k];
		target->voxel_first[k] = k == 0 ? 0.0 : -0.5 * target->voxel_nm[k] * (double)target->voxels[k];
		if (map->has_origin)
			target->voxel_first[k] = NM_PER_ANGSTROM * map->origin[k];
	}
}

static sonde_status take_materials(const struct voxel_map *map, const char *path, int materials,
				   struct target *target)
{
	const int64_t count = map->counts[0] * map->counts[1] * map->counts[2], *numbers = map->materials;

	target->voxel_word_count = ((size_t)count + 3) / 4;
	CHECK(memory_allocate(&target->voxel_words, target->voxel_word_count, sizeof(uint32_t), "the voxels"));
	for (int64_t n = 0; n < count; ++n) {
		if (numbers[n] < 0 || numbers[n] >= materials)
			return status_fail(SONDE_INVALID,
					   "voxels: %s: voxel %lld has material %lld, but --voxel-materials names "
					   "%d, from 0",
					   path, (long long)n, (long long)numbers[n], materials);
		target->voxel_words[n / 4] |= (uint32_t)numbers[n] << (8 * (n % 4));
	}
	return SONDE_OK;
}

sonde_status target_read_voxels(const char *path, const char *materials, struct target *target)
{
	struct voxel_map map;
	int first = target->region_count;

	if (path[0] == '\0')
		return materials[0] == '\0' ? SONDE_OK
					    : status_fail(SONDE_INVALID, "voxel-materials: there are no --voxels");
	CHECK(parse_materials(materials, target));
	sonde_status status = voxel_map_read(path, false, false, &map);
	if (status == SONDE_OK) {
		take_place(&map, target);
		status = take_materials(&map, path, target->region_count - first, target);
	}
	voxel_map_free(&map);
	for (int k = first; k < target->region_count; ++k) {
		target->layers[k].begin = target->voxel_first[0];
		target->layers[k].end = target->voxel_first[0] + target->voxel_nm[0] * (double)target->voxels[0];
	}
	return status;
}
