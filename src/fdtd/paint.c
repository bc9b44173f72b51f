#include "fdtd/paint.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* Cells that all places are moved by: those on a face are then behind it, whatever rounding makes of either. Less than conductors are larger by. */
#define TIE 2e-8

/* The nodes of an axis whose middle, `shift` cells on, is in an interval. */
static void nodes_of(const struct paint_frame *frame, int axis, double shift, int last,
		     const struct interval *interval, int *begin, int *end)
{
	const double from = (interval->begin - frame->origin[axis]) / frame->spacing[axis] - shift - TIE,
		     to = (interval->end - frame->origin[axis]) / frame->spacing[axis] - shift - TIE;

	*begin = from <= 0.0 ? 0 : from > last ? last + 1 : (int)ceil(from);
	*end = to <= 0.0 ? 0 : to > last ? last + 1 : (int)ceil(to);
}

void paint_shift(int component, double shift[3])
{
	for (int a = 0; a < 3; ++a)
		shift[a] = (component < 3) == (a == component % 3) ? 0.5 : 0.0;
}

/* A component of the media that is painted. */
struct canvas {
	const struct scene *scene;
	const struct body *body;
	double shift[3];
	uint16_t *numbers;
};

static void paint_row(const struct canvas *canvas, struct scene_view *view, const double point[3], uint16_t *row)
{
	int count = scene_body_line(view, canvas->body, 2, point);

	for (int n = 0; n < count; ++n) {
		int begin, behind;
		nodes_of(&canvas->scene->frame, 2, canvas->shift[2], canvas->scene->grid->cells[2],
			 &view->intervals[n], &begin, &behind);
		for (int k = begin; k < behind; ++k)
			row[k] = canvas->body->medium;
	}
}

/* Voxels have what lies on their lower faces. */
static void paint_row_of_voxels(const struct canvas *canvas, const struct voxels *voxels, const double point[3],
				uint16_t *row)
{
	const struct paint_frame *frame = &canvas->scene->frame;
	const int64_t *counts = voxels->counts;
	double place[3];

	for (int a = 0; a < 2; ++a) {
		place[a] = floor((point[a] - voxels->origin[a]) / voxels->spacing[a]);
		if (!(place[a] >= 0.0 && place[a] < (double)counts[a]))
			return;
	}
	for (int k = 0; k <= canvas->scene->grid->cells[2]; ++k) {
		double z = frame->origin[2] + (k + canvas->shift[2] + TIE) * frame->spacing[2];
		double layer = floor((z - voxels->origin[2]) / voxels->spacing[2]);
		if (!(layer >= 0.0 && layer < (double)counts[2]))
			continue;
		size_t at =
		    ((size_t)layer * (size_t)counts[1] + (size_t)place[1]) * (size_t)counts[0] + (size_t)place[0];
		uint16_t number = canvas->body->voxel_media[voxels->materials[at]];
		if (number != NO_MEDIUM)
			row[k] = number;
	}
}

/* Rows of x and y that a body may reach into. */
static void find_rows(const struct canvas *canvas, int first[2], int end[2])
{
	const struct scene *scene = canvas->scene;
	double low[3], high[3];

	if (canvas->body->voxels != NULL)
		voxels_bounds(canvas->body->voxels, low, high);
	else
		shape_bounds(canvas->body->shape, low, high);
	for (int a = 0; a < 2; ++a) {
		/* and one for rounding */
		const struct interval whole = {low[a] - scene->frame.spacing[a], high[a] + scene->frame.spacing[a]};
		nodes_of(&scene->frame, a, canvas->shift[a], scene->grid->cells[a], &whole, &first[a], &end[a]);
	}
}

static sonde_status paint_component(const struct canvas *canvas)
{
	const struct scene *scene = canvas->scene;
	const struct scene one = scene_of_body(scene, canvas->body);
	const struct paint_frame *frame = &scene->frame;
	int first[2], end[2], failed = 0;

	find_rows(canvas, first, end);
#pragma omp parallel
	{
		struct scene_view view;
		bool ready = scene_view_make(&one, &view) == SONDE_OK;
		if (!ready) {
#pragma omp atomic write
			failed = 1;
		}
#pragma omp for schedule(dynamic, 8)
		for (int i = first[0]; i < end[0]; ++i)
			for (int j = first[1]; j < end[1] && ready; ++j) {
				const double point[3] = {
				    frame->origin[0] + (i + canvas->shift[0] + TIE) * frame->spacing[0],
				    frame->origin[1] + (j + canvas->shift[1] + TIE) * frame->spacing[1],
				    frame->origin[2]};
				uint16_t *row = canvas->numbers + media_at(scene->grid, i, j, 0);
				if (canvas->body->voxels != NULL)
					paint_row_of_voxels(canvas, canvas->body->voxels, point, row);
				else
					paint_row(canvas, &view, point, row);
			}
		scene_view_release(&view);
	}
	return failed ? status_fail(SONDE_RESOURCE, "not enough memory to paint a body") : SONDE_OK;
}

sonde_status paint_scene(const struct scene *scene, struct media *media)
{
	for (int n = 0; n < scene->count; ++n)
		for (int component = 0; component < 6; ++component) {
			struct canvas canvas = {.scene = scene, .body = &scene->bodies[n]};
			canvas.numbers = (component < 3 ? media->edges : media->faces)[component % 3];
			paint_shift(component, canvas.shift);
			if (canvas.numbers != NULL)
				CHECK(paint_component(&canvas));
		}
	return SONDE_OK;
}

sonde_status paint_shape(const struct fdtd_grid *grid, const struct paint_frame *frame, const struct shape *shape,
			 uint16_t number, struct media *media)
{
	const struct body body = {.shape = shape, .medium = number};
	const struct scene scene = {.grid = grid, .frame = *frame, .bodies = &body, .count = 1};

	return paint_scene(&scene, media);
}
