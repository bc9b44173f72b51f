#include "fdtd/geometry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/options.h"
#include "fdtd/job/painting.h"
#include "fdtd/job/prepared.h"
#include "matter/shape/body.h"
#include "matter/shape/shape.h"

#define PIXELS 600  /* along the longest edge */
#define WITHIN 1e-6 /* cells: an absorbing layer shows the structure at its inner side */

/* Materials ------------------------------------------------------------------------------------ */

/* The number of a name, from 1. */
static sonde_status number_of(struct fdtd_geometry *geometry, size_t *capacity, const char *name, uint16_t *number)
{
	*number = 0;
	if (strcmp(name, "vacuum") == 0 || strcmp(name, "none") == 0)
		return SONDE_OK;
	for (size_t n = 0; n < geometry->material_count; ++n)
		if (strncmp(geometry->materials[n], name, sizeof *geometry->materials - 1) == 0) {
			*number = (uint16_t)(n + 1);
			return SONDE_OK;
		}
	if (geometry->material_count >= UINT16_MAX - 1)
		return status_fail_option(SONDE_RESOURCE, "plot", "too many materials to draw");
	CHECK(memory_grow(&geometry->materials, capacity, geometry->material_count + 1, sizeof *geometry->materials,
			  "the picture"));
	snprintf(geometry->materials[geometry->material_count], sizeof *geometry->materials, "%.63s", name);
	*number = (uint16_t)++geometry->material_count;
	return SONDE_OK;
}

/* Numbers of the materials of voxels: from their list, or a single one for permittivities. */
struct voxel_numbers {
	uint16_t *numbers;
	int count;
};

static sonde_status numbers_of_voxels(struct fdtd_geometry *geometry, size_t *capacity,
				      const sonde_body_options *body, struct voxel_numbers *found)
{
	char name[OPTION_TEXT_SIZE];

	while (body_list_name(body->materials, found->count, name, sizeof name)) {
		size_t room = (size_t)found->count;
		CHECK(memory_grow(&found->numbers, &room, (size_t)found->count + 1, sizeof(uint16_t), "the picture"));
		CHECK(number_of(geometry, capacity, name, &found->numbers[found->count]));
		++found->count;
	}
	return SONDE_OK;
}

/* Sections ---------------------------------------------------------------------------------------- */

/* Coordinates of a pixel along the engine's axes, or of its projection onto the layer's inner side. */
static void place_of(const struct job_space *space, const struct geometry_section *section, int64_t i, int64_t j,
		     double point[3])
{
	const struct fdtd_frame *frame = &space->frame;
	const int64_t pixel[2] = {i, j};

	for (int a = 0; a < 3; ++a)
		point[a] = 0.0;
	for (int k = 0; k < 2 && section->axes[k] >= 0; ++k) {
		const int a = frame_engine_axis(frame, section->axes[k]);
		const double low = frame_place(frame, a, frame->inner[a][0] + WITHIN),
			     high = frame_place(frame, a, frame->inner[a][1] - WITHIN);
		point[a] = fmin(fmax(section->low[k] + (double)pixel[k] * section->step[k], low), high);
	}
}

/* The first pixel within a body's bounds and the one after the last; unbounded at sides, where the body continues. */
static void reach_of(const struct job_space *space, const struct geometry_section *section, const double low[3],
		     const double high[3], int64_t begin[2], int64_t end[2])
{
	const struct fdtd_frame *frame = &space->frame;

	for (int k = 0; k < 2; ++k) {
		begin[k] = 0;
		end[k] = section->count[k];
		if (section->axes[k] < 0)
			continue;
		const int a = frame_engine_axis(frame, section->axes[k]);
		const double first = (low[a] - section->low[k]) / section->step[k],
			     last = (high[a] - section->low[k]) / section->step[k];
		if (low[a] > frame_place(frame, a, frame->inner[a][0] + WITHIN))
			begin[k] = (int64_t)fmin(fmax(floor(first), 0.0), (double)section->count[k]);
		if (high[a] < frame_place(frame, a, frame->inner[a][1] - WITHIN))
			end[k] = (int64_t)fmin(fmax(ceil(last) + 1.0, 0.0), (double)section->count[k]);
	}
}

/* The material of a body at a point; NO_MEDIUM outside the body. */
static uint16_t material_at(const struct painted_body *body, uint16_t number, const struct voxel_numbers *voxels,
			    const double point[3])
{
	const struct voxels *map = body->voxels;
	int64_t at[3];

	if (map == NULL)
		return shape_contains(body->shape, point) ? number : NO_MEDIUM;
	for (int a = 0; a < 3; ++a) {
		const double place = floor((point[a] - map->origin[a]) / map->spacing[a]);
		if (!(place >= 0.0 && place < (double)map->counts[a]))
			return NO_MEDIUM;
		at[a] = (int64_t)place;
	}
	const uint16_t material = map->materials[(at[2] * map->counts[1] + at[1]) * map->counts[0] + at[0]];
	if (body->voxel_media[0][material] == NO_MEDIUM)
		return NO_MEDIUM;
	return material < voxels->count ? voxels->numbers[material] : number;
}

static void bounds_of(const struct painted_body *body, double low[3], double high[3])
{
	if (body->voxels != NULL)
		voxels_bounds(body->voxels, low, high);
	else
		shape_bounds(body->shape, low, high);
}

static void draw_body(const struct job_space *space, const struct painted_body *body, uint16_t number,
		      const struct voxel_numbers *voxels, struct geometry_section *section)
{
	double low[3], high[3], point[3];
	int64_t begin[2], end[2];

	bounds_of(body, low, high);
	reach_of(space, section, low, high, begin, end);
	for (int64_t j = begin[1]; j < end[1]; ++j)
		for (int64_t i = begin[0]; i < end[0]; ++i) {
			place_of(space, section, i, j, point);
			const uint16_t material = material_at(body, number, voxels, point);
			if (material != NO_MEDIUM)
				section->materials[j * section->count[0] + i] = material;
		}
}

static sonde_status draw_item(const struct job_space *space, const struct painting *painting, size_t first,
			      const sonde_body_options *body, size_t *capacity, struct fdtd_geometry *geometry)
{
	struct voxel_numbers voxels = {NULL, 0};
	uint16_t number = 0;
	sonde_status status;

	CHECK_GOTO(status, numbers_of_voxels(geometry, capacity, body, &voxels), done);
	if (voxels.count == 0)
		CHECK_GOTO(
		    status,
		    number_of(geometry, capacity, body->material[0] != '\0' ? body->material : body->file, &number),
		    done);
	for (size_t n = first; n < painting->count; ++n)
		for (int k = 0; k < geometry->section_count; ++k)
			draw_body(space, &painting->bodies[n], number, &voxels, &geometry->sections[k]);
done:
	free(voxels.numbers);
	return status;
}

static sonde_status add_section(const struct job_space *space, int across, int right, int up,
				struct fdtd_geometry *geometry)
{
	struct geometry_section *section = &geometry->sections[geometry->section_count++];
	double longest = 0.0;

	for (int u = 0; u < 3; ++u)
		longest = fmax(longest, geometry->high[u] - geometry->low[u]);
	*section = (struct geometry_section){.axes = {right, up}, .across = across, .count = {1, 1}};
	for (int k = 0; k < 2 && section->axes[k] >= 0; ++k) {
		const int a = frame_engine_axis(&space->frame, section->axes[k]);
		const double low = frame_place(&space->frame, a, 0.0),
			     high = frame_place(&space->frame, a, space->grid.cells[a]);
		section->count[k] = (int64_t)fmax(1.0, round(PIXELS * (high - low) / longest));
		section->step[k] = (high - low) / (double)section->count[k];
		section->low[k] = low + 0.5 * section->step[k];
	}
	return memory_allocate(&section->materials, (size_t)(section->count[0] * section->count[1]),
			       sizeof *section->materials, "the picture");
}

/* Adds sections across z, y and x through the middle; in two dimensions one section, in one dimension a line. */
static sonde_status add_sections(const struct job_space *space, struct fdtd_geometry *geometry)
{
	static const int views[3][3] = {{2, 0, 1}, {1, 0, 2}, {0, 1, 2}};
	bool flat[3];
	int flat_count = 0;

	for (int u = 0; u < 3; ++u) {
		flat[u] = space->frame.flat[frame_engine_axis(&space->frame, u)];
		flat_count += flat[u];
	}
	for (int n = 0; n < 3; ++n) {
		const int *view = views[n];
		if (flat_count == 0)
			CHECK(add_section(space, view[0], view[1], view[2], geometry));
		else if (flat_count == 1 && flat[view[0]])
			CHECK(add_section(space, -1, view[1], view[2], geometry));
	}
	for (int u = 0; u < 3 && flat_count == 2; ++u)
		if (!flat[u])
			CHECK(add_section(space, -1, u, -1, geometry));
	return SONDE_OK;
}

/* Marks ------------------------------------------------------------------------------------------------ */

/* Converts nodes of the engine to positions in the job. */
static void mark_nodes(const struct job_space *space, const double low[3], const double high[3],
		       struct geometry_mark *mark)
{
	for (int u = 0; u < 3; ++u) {
		const int a = frame_engine_axis(&space->frame, u);
		mark->low[u] = frame_place(&space->frame, a, low[a]);
		mark->high[u] = frame_place(&space->frame, a, high[a]);
	}
}

static void mark_source(const struct job_space *space, const struct job_sources *sources, int64_t number,
			struct geometry_mark *mark)
{
	static const char *const kinds[] = {"dipole", "magnetic dipole", "plane wave", "beam", "sheet"};
	const sonde_fdtd_source_options *source = &space->job->sources.items[number];
	const bool dipole =
	    source->kind == SONDE_FDTD_SOURCE_KIND_DIPOLE || source->kind == SONDE_FDTD_SOURCE_KIND_MAGNETIC_DIPOLE;
	const sonde_vector along = dipole ? source->polarization : source->direction;
	double low[3], high[3], length = sqrt(along.x * along.x + along.y * along.y + along.z * along.z);

	mark->kind = GEOMETRY_SOURCE;
	snprintf(mark->label, sizeof mark->label, "%s", kinds[source->kind]);
	for (int a = 0; a < 3; ++a) {
		const int u = frame_job_axis(&space->frame, a);
		const double center = vector_part(source->center, u), half = 0.5 * vector_part(source->size, u);
		low[a] = frame_node(&space->frame, a, center - (dipole ? 0.0 : half));
		high[a] = frame_node(&space->frame, a, center + (dipole ? 0.0 : half));
		if (source->kind == SONDE_FDTD_SOURCE_KIND_PLANE_WAVE && number == sources->wave.number) {
			low[a] = sources->wave.box.low[a];
			high[a] = sources->wave.box.high[a];
		}
		mark->direction[u] = length > 0.0 ? vector_part(along, u) / length : 0.0;
	}
	mark_nodes(space, low, high, mark);
}

static void mark_monitor(const struct job_space *space, const struct job_monitors *monitors, int64_t number,
			 struct geometry_mark *mark)
{
	const struct job_monitor *monitor = &monitors->monitors[number];
	double low[3], high[3];

	mark->kind = GEOMETRY_MONITOR;
	job_monitor_name(monitor->options, number, mark->label);
	for (int a = 0; a < 3; ++a) {
		low[a] = monitor->low[a];
		high[a] = monitor->high[a];
	}
	mark_nodes(space, low, high, mark);
}

static sonde_status add_marks(const struct fdtd_run *run, struct fdtd_geometry *geometry)
{
	CHECK(memory_allocate(&geometry->marks, (size_t)(run->sources.count + run->monitors.count),
			      sizeof *geometry->marks, "the picture"));
	for (int64_t n = 0; n < run->sources.count; ++n)
		mark_source(&run->space, &run->sources, n, &geometry->marks[geometry->mark_count++]);
	for (int64_t n = 0; n < run->monitors.count; ++n)
		mark_monitor(&run->space, &run->monitors, n, &geometry->marks[geometry->mark_count++]);
	return SONDE_OK;
}

/* All ------------------------------------------------------------------------------------------------------ */

static void find_sides(const struct job_space *space, struct fdtd_geometry *geometry)
{
	for (int u = 0; u < 3; ++u) {
		const int a = frame_engine_axis(&space->frame, u);
		geometry->low[u] = frame_place(&space->frame, a, 0.0);
		geometry->high[u] = frame_place(&space->frame, a, space->grid.cells[a]);
		geometry->inner_low[u] = frame_place(&space->frame, a, space->frame.inner[a][0]);
		geometry->inner_high[u] = frame_place(&space->frame, a, space->frame.inner[a][1]);
	}
}

static sonde_status draw_bodies(const sonde_context *context, struct job_space *space, struct fdtd_geometry *geometry)
{
	const sonde_fdtd_job *job = space->job;
	struct painting painting = {.count = 0};
	sonde_status status = SONDE_OK;
	size_t capacity = 0;

	for (int64_t n = 0; n < job->bodies.count && status == SONDE_OK; ++n) {
		const size_t first = painting.count;
		if (!job_body_is_in(space, n, PASS_BODIES))
			continue;
		status = job_add_body(space, n, &painting);
		if (status == SONDE_OK && context_cancelled(context))
			status = status_fail(SONDE_CANCELLED, "stopped on request at the picture");
		if (status == SONDE_OK)
			status = draw_item(space, &painting, first, &job->bodies.items[n], &capacity, geometry);
	}
	painting_free(&painting);
	media_free(&space->media);
	return status;
}

sonde_status fdtd_geometry_make(sonde_context *context, const sonde_fdtd_job *job, struct fdtd_geometry *geometry)
{
	struct fdtd_run run;
	sonde_status status;

	*geometry = (struct fdtd_geometry){.section_count = 0};
	CHECK_GOTO(status, fdtd_run_lay_out(context, job, &run), done);
	find_sides(&run.space, geometry);
	CHECK_GOTO(status, add_sections(&run.space, geometry), done);
	CHECK_GOTO(status, add_marks(&run, geometry), done);
	status = draw_bodies(context, &run.space, geometry);
done:
	fdtd_run_free(&run);
	return status;
}

void fdtd_geometry_free(struct fdtd_geometry *geometry)
{
	for (int k = 0; k < geometry->section_count; ++k)
		free(geometry->sections[k].materials);
	free(geometry->materials);
	free(geometry->marks);
	*geometry = (struct fdtd_geometry){.section_count = 0};
}
