#include "fdtd/job/space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/option_items.h"
#include "fdtd/option_tables.h"
#include "matter/sample/sample.h"

sonde_status job_prefix(const sonde_fdtd_job *job, sonde_status status, const char *what, const size_t *lines,
			int64_t number)
{
	const sonde_sample *sample = job->joined;
	const bool material = strcmp(what, material_item_table.name) == 0;

	if (sample == NULL || (!material && strcmp(what, body_table_in_meters.name) != 0))
		return option_item_prefix(status, job->file, lines, what, number);
	const struct material_list materials = {
	    job->materials.count,   NULL, job->file, lines, sample->materials.count, sample->path,
	    sample->materials.lines};
	const struct body_list bodies = {job->bodies.count,    NULL,         job->file,           lines,
					 sample->bodies.count, sample->path, sample->bodies.lines};
	return material ? material_list_prefix(&materials, status, number)
			: body_list_prefix(&bodies, status, number);
}

sonde_status job_prefix_option(const sonde_fdtd_job *job, sonde_status status)
{
	const struct status_place *place = status_place();

	if (status == SONDE_OK || job->file == NULL || place->line > 0)
		return status;
	const struct option_row *row = options_find(&fdtd_option_table, place->key);
	const size_t line =
	    row != NULL && job->option_lines != NULL ? job->option_lines[row - fdtd_option_table.rows] : 0;
	status_name_keys();
	status = status_prefix(status, "fdtd");
	if (line > 0)
		return status_prefix_line(status, job->file, (long long)line);
	status = status_prefix(status, "%s", job->file);
	status_locate(job->file, 0, 0, NULL);
	return status;
}

void job_space_free(struct job_space *space)
{
	media_free(&space->media);
	if (space->keeps)
		media_free(&space->kept);
	space->keeps = false;
	free(space->carriers);
	space->carriers = NULL;
}

sonde_status job_unit_vector(const struct job_space *space, sonde_vector vector, const char *key, double unit[3])
{
	frame_turn(&space->frame, vector, unit);
	double length = sqrt(unit[0] * unit[0] + unit[1] * unit[1] + unit[2] * unit[2]);
	if (!(length > 0.0))
		return status_fail_option(SONDE_INVALID, key, "0,0,0 is not a direction");
	for (int a = 0; a < 3; ++a)
		unit[a] /= length;
	return SONDE_OK;
}

sonde_status job_box_along(const struct job_space *space, const sonde_fdtd_source_options *source, int axis,
			   int margin, int *low, int *high)
{
	const struct fdtd_frame *frame = &space->frame;
	const struct fdtd_grid *grid = &space->grid;
	int u = frame_job_axis(frame, axis);
	double center = vector_part(source->center, u), size = vector_part(source->size, u);

	*low = frame->inner[axis][0] + (grid->layers[axis][0].cells > 0 ? margin : 0);
	*high = frame->inner[axis][1] - (grid->layers[axis][1].cells > 0 ? margin : 0);
	if (size == 0.0 || grid->walls[axis][0] == WALL_PERIODIC)
		return SONDE_OK;
	*low = (int)lround(frame_node(frame, axis, center - 0.5 * size));
	*high = (int)lround(frame_node(frame, axis, center + 0.5 * size));
	if (*low < frame->inner[axis][0] || *high > frame->inner[axis][1])
		return status_fail_option(
		    SONDE_INVALID, "size", "along %c it extends from %g to %g m, beyond the sides (%g to %g m)",
		    "xyz"[u], center - 0.5 * size, center + 0.5 * size,
		    frame_place(frame, axis, frame->inner[axis][0]), frame_place(frame, axis, frame->inner[axis][1]));
	return SONDE_OK;
}

double job_size_error(const struct job_space *space, int *axis)
{
	const struct fdtd_frame *frame = &space->frame;
	double most = 0.0;

	for (int a = 0; a < 3; ++a) {
		const double size = 2.0 * frame->side[a],
			     off = (frame->inner[a][1] - frame->inner[a][0]) * frame->cell[a] - size;
		const bool is_open = space->grid.layers[a][0].cells > 0 || space->grid.layers[a][1].cells > 0;
		if (frame->flat[a] || is_open || !(fabs(off) > 1e-9 * size) || fabs(off) <= most * size)
			continue;
		most = fabs(off) / size;
		if (axis != NULL)
			*axis = a;
	}
	return most;
}
