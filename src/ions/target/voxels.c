/* A map of materials from an HDF5 file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/option_items.h"
#include "io/volume/voxel_map.h"
#include "ions/target/target.h"
#include "matter/shape/atom_balls.h"

#define NM_PER_ANGSTROM 0.1

/* Meaning of the numbers of a map: materials of voxels, or VOXEL_NONE. */
struct voxel_codes {
	int64_t count;
	uint8_t codes[TARGET_MOST_VOXEL_MATERIALS + 32];
};
#define MOST_CODES ((int64_t)sizeof((struct voxel_codes *)0)->codes)

/* Adds a material with the name [start, end). */
static sonde_status add_material(const char *start, const char *end, int first, struct voxel_codes *codes,
				 struct target *target)
{
	char name[MATERIAL_NAME_SIZE + 32];

	if (target->region_count - first == TARGET_MOST_VOXEL_MATERIALS || codes->count == MOST_CODES)
		return status_fail(SONDE_INVALID, "more than %d", TARGET_MOST_VOXEL_MATERIALS);
	if ((size_t)(end - start) >= sizeof name)
		return status_fail(SONDE_INVALID, "a name is too long");
	snprintf(name, sizeof name, "%.*s", (int)(end - start), start);
	CHECK(material_parse(name, &target->layers[target->region_count].material));
	codes->codes[codes->count++] = (uint8_t)(target->region_count++ - first);
	return SONDE_OK;
}

static sonde_status parse_materials(const char *text, struct voxel_codes *codes, struct target *target)
{
	int first = target->region_count;

	if (text[0] == '\0')
		return status_fail_option(SONDE_INVALID, "voxel_materials", "not given; for example vacuum/Au");
	for (const char *start = text; *start != '\0';) {
		const char *end = start + strcspn(start, "/");
		sonde_status status = add_material(start, end, first, codes, target);
		if (status != SONDE_OK)
			return status_prefix_option(status, "voxel_materials");
		start = *end == '/' ? end + 1 : end;
	}
	return SONDE_OK;
}

/* The map begins at the surface and is centered in y and z, unless it has an origin. */
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

/* `named`: the option with the materials. */
static sonde_status take_materials(const struct voxel_map *map, const char *path, const struct voxel_codes *codes,
				   const char *named, struct target *target)
{
	const int64_t count = map->counts[0] * map->counts[1] * map->counts[2], *numbers = map->materials;

	target->voxel_word_count = ((size_t)count + 3) / 4;
	CHECK(memory_allocate(&target->voxel_words, target->voxel_word_count, sizeof(uint32_t), "the voxels"));
	for (int64_t n = 0; n < count; ++n) {
		if (numbers[n] < 0 || numbers[n] >= codes->count)
			return status_fail_option(SONDE_INVALID, "voxels",
						  "%s: voxel %lld has material %lld, but %s names "
						  "%d, from 0",
						  path, (long long)n, (long long)numbers[n], named,
						  (int)codes->count);
		const uint32_t code = codes->codes[numbers[n]];
		target->voxel_gaps = target->voxel_gaps || code == VOXEL_NONE;
		target->voxel_words[n / 4] |= code << (8 * (n % 4));
	}
	return SONDE_OK;
}

/* Ranges of depth of the materials of voxels, from region `first` on. */
static void set_depths(int first, struct target *target)
{
	for (int k = first; k < target->region_count; ++k) {
		target->layers[k].begin = target->voxel_first[0];
		target->layers[k].end = target->voxel_first[0] + target->voxel_nm[0] * (double)target->voxels[0];
	}
}

sonde_status target_read_voxels(const char *path, const char *materials, struct target *target)
{
	struct voxel_map map;
	struct voxel_codes codes = {0};
	int first = target->region_count;

	if (path[0] == '\0')
		return materials[0] == '\0' ? SONDE_OK
					    : status_fail_option(SONDE_INVALID, "voxel_materials", "needs `voxels`");
	CHECK(parse_materials(materials, &codes, target));
	sonde_status status = voxel_map_read(path, false, false, &map);
	if (status == SONDE_OK) {
		take_place(&map, target);
		status = take_materials(&map, path, &codes, OPTION_NAME("voxel_materials"), target);
	}
	voxel_map_free(&map);
	set_depths(first, target);
	return status;
}

/* Of a job's list ----------------------------------------------------------------------------- */

static sonde_status list_materials(const char *list, struct voxel_codes *codes, struct target *target)
{
	char name[MATERIAL_NAME_SIZE + 32];
	int first = target->region_count;

	if (list[0] == '\0')
		return status_fail_option(
		    SONDE_INVALID, "materials",
		    "not given; list those of the voxels' numbers, for example [none, glass, Au]");
	for (int n = 0; body_list_name(list, n, name, sizeof name); ++n) {
		if (strcmp(name, "none") == 0 && codes->count < MOST_CODES) {
			codes->codes[codes->count++] = VOXEL_NONE;
			continue;
		}
		sonde_status status = add_material(name, name + strlen(name), first, codes, target);
		if (status != SONDE_OK)
			return status_prefix_option(status, "materials");
	}
	return target->region_count > first
		   ? SONDE_OK
		   : status_fail_option(SONDE_INVALID, "materials", "all are none; give at least one material");
}

static sonde_status add_voxels(const sonde_body_options *body, struct target *target)
{
	const double center[3] = {body->center.x, body->center.y, body->center.z};
	struct voxel_codes codes = {0};
	struct voxel_map map;
	int first = target->region_count;

	if (body->file[0] == '\0')
		return status_fail_option(SONDE_INVALID, "file", "not given; name the file of the voxels");
	CHECK(list_materials(body->materials, &codes, target));
	sonde_status status = voxel_map_read(body->file, false, true, &map);
	if (status == SONDE_OK) {
		double origin[3], spacing[3];
		voxel_map_place(&map, body->scale > 0.0 ? body->scale : 1.0, center, origin, spacing);
		for (int k = 0; k < 3; ++k) {
			target->voxels[k] = map.counts[k];
			target->voxel_nm[k] = NM_PER_ANGSTROM * spacing[k];
			target->voxel_first[k] = NM_PER_ANGSTROM * origin[k];
		}
		status = take_materials(&map, body->file, &codes, "the list of materials", target);
	}
	voxel_map_free(&map);
	set_depths(first, target);
	return status;
}

/* Balls around the atoms of a sample ---------------------------------------------------------- */

/* Cubes in Angstrom, after scaling, to voxels. */
static sonde_status take_balls(const struct atom_balls *balls, double scale, const double center[3],
			       struct target *target)
{
	const size_t count = (size_t)(balls->counts[0] * balls->counts[1] * balls->counts[2]);

	for (int k = 0; k < 3; ++k) {
		target->voxels[k] = balls->counts[k];
		target->voxel_nm[k] = NM_PER_ANGSTROM * scale * balls->size;
		target->voxel_first[k] = NM_PER_ANGSTROM * (scale * balls->origin[k] + center[k]);
	}
	target->voxel_word_count = (count + 3) / 4;
	CHECK(memory_allocate(&target->voxel_words, target->voxel_word_count, sizeof(uint32_t), "the voxels"));
	for (size_t n = 0; n < count; ++n)
		target->voxel_words[n / 4] |= (balls->filled[n] != 0 ? 0u : VOXEL_NONE) << (8 * (n % 4));
	target->voxel_gaps = true;
	return SONDE_OK;
}

static sonde_status add_atoms(const sonde_body_options *body, struct target *target)
{
	const double center[3] = {body->center.x, body->center.y, body->center.z},
		     scale = body->scale > 0.0 ? body->scale : 1.0, radius = body->radius / scale;
	struct atom_balls balls;
	struct voxel_codes codes = {0};
	const int first = target->region_count;
	sonde_status status =
	    add_material(body->material, body->material + strlen(body->material), first, &codes, target);

	if (status != SONDE_OK)
		return status_prefix_option(status, "material");
	status = atom_balls_read(body->file, radius, 0.0, &balls);
	if (status == SONDE_OK)
		status = take_balls(&balls, scale, center, target);
	free(balls.filled);
	set_depths(first, target);
	return status;
}

bool target_is_map(const sonde_body_options *body)
{
	return !body_is_solid(body);
}

static sonde_status add_map(const sonde_body_options *body, struct target *target)
{
	return body->shape == SONDE_BODY_SHAPE_VOXELS ? add_voxels(body, target) : add_atoms(body, target);
}

sonde_status target_add_voxels(const struct body_list *bodies, struct target *target)
{
	for (int64_t n = 0; n < bodies->count; ++n)
		if (target_is_map(&bodies->items[n]))
			CHECK(body_list_prefix(bodies, add_map(&bodies->items[n], target), n));
	return SONDE_OK;
}
