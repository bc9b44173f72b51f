/* Bodies of a job from files: maps of voxels, samples of sonde build, and the solids they are built from. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/options.h"
#include "matter/shape/body.h"
#include "matter/build/built_body.h"
#include "fdtd/job/painting.h"
#include "fdtd/media/voxels.h"

#define ANGSTROM 1e-10
#define VOXELS_OF_CELL 2.0 /* along an edge, of samples of atoms */

static double scale_of(const sonde_body_options *body)
{
	return body->scale > 0.0 ? body->scale : ANGSTROM;
}

/* From the job's axes to the engine's. */
static sonde_status turn_voxels(const struct job_space *space, struct voxels *voxels)
{
	const struct voxels from = *voxels;
	uint16_t *materials;
	int64_t at[3];

	if (space->frame.turn == 0)
		return SONDE_OK;
	CHECK(memory_allocate(&materials, (size_t)(from.counts[0] * from.counts[1] * from.counts[2]),
			      sizeof *materials, "the voxels"));
	for (int a = 0; a < 3; ++a) {
		int u = frame_job_axis(&space->frame, a);
		voxels->counts[a] = from.counts[u];
		voxels->origin[a] = from.origin[u];
		voxels->spacing[a] = from.spacing[u];
	}
	const uint16_t *next = from.materials;
	for (at[2] = 0; at[2] < from.counts[2]; ++at[2])
		for (at[1] = 0; at[1] < from.counts[1]; ++at[1])
			for (at[0] = 0; at[0] < from.counts[0]; ++at[0]) {
				const int64_t x = at[frame_job_axis(&space->frame, 0)],
					      y = at[frame_job_axis(&space->frame, 1)],
					      z = at[frame_job_axis(&space->frame, 2)];
				materials[(z * voxels->counts[1] + y) * voxels->counts[0] + x] = *next++;
			}
	free(voxels->materials);
	voxels->materials = materials;
	return SONDE_OK;
}

/* The center along the job's axes. */
static void job_place(const struct job_space *space, const double center[3], double place[3])
{
	for (int u = 0; u < 3; ++u)
		place[u] = center[frame_engine_axis(&space->frame, u)];
}

/* Finds the media of a list such as "vacuum;Au;none". */
static sonde_status list_media(struct job_space *space, const char *text, struct painted_body *made, int *count,
			       bool *anisotropic)
{
	size_t capacity[3] = {0, 0, 0};
	char name[OPTION_TEXT_SIZE];

	for (*count = 0; body_list_name(text, *count, name, sizeof name);) {
		struct job_material material;
		const bool none = strcmp(name, "none") == 0;
		if (!none)
			CHECK(job_find_material(space, name, &material));
		for (int a = 0; a < 3; ++a) {
			CHECK(memory_grow(&made->voxel_media[a], &capacity[a], (size_t)*count + 1, sizeof(uint16_t),
					  "the voxels' materials"));
			made->voxel_media[a][*count] = NO_MEDIUM;
			if (!none)
				CHECK(media_add(&space->media, &material.along[a], &made->voxel_media[a][*count]));
		}
		*anisotropic |= made->voxel_media[0][*count] != made->voxel_media[1][*count] ||
				made->voxel_media[0][*count] != made->voxel_media[2][*count];
		++*count;
	}
	return SONDE_OK;
}

/* The same for all three axes. */
static sonde_status share_media(struct painted_body *made, size_t count)
{
	for (int a = 1; a < 3; ++a) {
		CHECK(memory_allocate(&made->voxel_media[a], count, sizeof(uint16_t), "the voxels' materials"));
		memcpy(made->voxel_media[a], made->voxel_media[0], count * sizeof(uint16_t));
	}
	return SONDE_OK;
}

static size_t materials_of(const struct voxels *voxels)
{
	size_t most = 0, count = (size_t)(voxels->counts[0] * voxels->counts[1] * voxels->counts[2]);

	for (size_t n = 0; n < count; ++n)
		most = voxels->materials[n] > most ? voxels->materials[n] : most;
	return most + 1;
}

static sonde_status take_map(struct job_space *space, const sonde_body_options *body, const struct voxel_map *map,
			     const double place[3], struct painted_body *made, bool *anisotropic)
{
	int count;

	if (map->permittivities != NULL) {
		if (space->frame.index != 1.0)
			return status_fail_option(SONDE_INVALID, "file", "maps of permittivities need background: 1");
		CHECK(voxels_of_permittivities(map, scale_of(body), place, &space->media, made->voxels,
					       &made->voxel_media[0]));
		return share_media(made, materials_of(made->voxels));
	}
	if (body->materials[0] == '\0')
		return status_fail_option(
		    SONDE_INVALID, "materials",
		    "required, the list that the voxels' numbers stand for, as in [none, glass, Au]");
	CHECK(list_media(space, body->materials, made, &count, anisotropic));
	return voxels_of_materials(map, count, scale_of(body), place, made->voxels);
}

double job_densest_voxels(const sonde_fdtd_job *job)
{
	double most = 0.0;

	for (int64_t n = 0; n < job->bodies.count; ++n) {
		const sonde_body_options *body = &job->bodies.items[n];
		struct voxel_map map = {.materials = NULL};
		if (body->shape != SONDE_BODY_SHAPE_VOXELS || body->file[0] == '\0' || body->materials[0] != '\0')
			continue;
		if (voxel_map_read(body->file, true, true, &map) == SONDE_OK && map.permittivities != NULL)
			for (int64_t k = 0; k < map.counts[0] * map.counts[1] * map.counts[2]; ++k)
				most = fmax(most, map.permittivities[k]);
		voxel_map_free(&map);
	}
	return sqrt(most);
}

static void is_inside(const struct job_space *space, const struct voxels *voxels, bool *inside)
{
	double low[3], high[3];

	voxels_bounds(voxels, low, high);
	*inside |= job_box_is_inside(space, low, high);
}

sonde_status job_add_voxels(struct job_space *space, const sonde_body_options *body, const double center[3],
			    bool *inside, struct painting *painting)
{
	struct painted_body made = {.shape = NULL};
	struct voxel_map map = {.materials = NULL};
	double place[3];
	sonde_status status;

	if (body->file[0] == '\0')
		return status_fail_option(SONDE_INVALID, "file", "required, with the voxels");
	job_place(space, center, place);
	CHECK_GOTO(status, memory_allocate(&made.voxels, 1, sizeof *made.voxels, "the voxels"), failed);
	CHECK_GOTO(status, voxel_map_read(body->file, true, true, &map), failed);
	CHECK_GOTO(status, take_map(space, body, &map, place, &made, &painting->anisotropic), failed);
	CHECK_GOTO(status, turn_voxels(space, made.voxels), failed);
	is_inside(space, made.voxels, inside);
	voxel_map_free(&map);
	return painting_add(painting, &made);
failed:
	voxel_map_free(&map);
	painted_body_free(&made);
	return status;
}

/* Samples ------------------------------------------------------------------------------------ */

static sonde_status set_numbers(struct job_space *space, const struct job_material *material,
				struct painted_body *made, bool *anisotropic)
{
	for (int a = 0; a < 3; ++a)
		CHECK(media_add(&space->media, &material->along[a], &made->numbers[a]));
	*anisotropic |= made->numbers[0] != made->numbers[1] || made->numbers[0] != made->numbers[2];
	return SONDE_OK;
}

/* The balls around a sample's atoms. */
static sonde_status add_atoms(struct job_space *space, const sonde_body_options *body, const double place[3],
			      struct painted_body *made)
{
	const double scale = scale_of(body);
	double cell = INFINITY;
	struct atom_balls balls;

	for (int a = 0; a < 3; ++a)
		if (!space->frame.flat[a])
			cell = fmin(cell, space->frame.cell[a]);
	CHECK(memory_allocate(&made->voxels, 1, sizeof *made->voxels, "the voxels"));
	const sonde_status status =
	    atom_balls_read(body->file, body->radius / scale, cell / (VOXELS_OF_CELL * scale), &balls);
	voxels_of_balls(&balls, scale, place, made->voxels);
	CHECK(status);
	for (int a = 0; a < 3; ++a) {
		CHECK(memory_allocate(&made->voxel_media[a], 2, sizeof(uint16_t), "the voxels' materials"));
		made->voxel_media[a][0] = NO_MEDIUM;
		made->voxel_media[a][1] = made->numbers[a];
	}
	return turn_voxels(space, made->voxels);
}

/* The solid of the job's `build` block. */
static sonde_status add_solid(const struct job_space *space, const sonde_body_options *body, const double place[3],
			      struct painted_body *made)
{
	if (space->frame.turn != 0)
		return status_fail_option(SONDE_INVALID, "shape",
					  "a solid of sonde build needs a grid in three dimensions");
	return built_body(space->job->build, scale_of(body), place, &made->shape);
}

sonde_status job_add_built(struct job_space *space, const sonde_body_options *body, const double center[3],
			   const struct job_material *material, bool *inside, struct painting *painting)
{
	struct painted_body made = {.shape = NULL};
	double place[3], low[3], high[3];
	bool solid = body->file[0] == '\0';
	sonde_status status;

	job_place(space, center, place);
	CHECK_GOTO(status, set_numbers(space, material, &made, &painting->anisotropic), failed);
	CHECK_GOTO(status, solid ? add_solid(space, body, place, &made) : add_atoms(space, body, place, &made),
		   failed);
	if (made.shape != NULL) {
		shape_bounds(made.shape, low, high);
		*inside |= job_box_is_inside(space, low, high);
	} else {
		is_inside(space, made.voxels, inside);
	}
	return painting_add(painting, &made);
failed:
	painted_body_free(&made);
	return status;
}
