#include "fdtd/media/paint.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"

/* Cells by which all positions are shifted: points on a face are then after it, whatever the rounding of either. Less
 * than the enlargement of conductors. */
#define PLANES_OF_PART 2
#define TIE 2e-8

/* The nodes of an axis whose midpoint, shifted by `shift` cells, is in an interval. */
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

/* The component of the media that is painted. */
struct canvas {
	const struct scene *scene;
	struct plane_span planes;
	const struct body *body;
	double shift[3];
	struct media_numbers *numbers;
};

/* A position along an axis, in the shapes' unit. */
static double place_at(const struct canvas *canvas, int axis, int node)
{
	const struct paint_frame *frame = &canvas->scene->frame;
	bool in_layer;

	return frame->origin[axis] +
	       (paint_place(canvas->scene->grid, axis, node, canvas->shift[axis], &in_layer) + TIE) *
		   frame->spacing[axis];
}

/* Nodes of the axis at which the low layer ends, and at which the high one begins. */
static void find_layers(const struct canvas *canvas, int axis, int *low, int *high)
{
	const struct absorbing_layer *layers = canvas->scene->grid->layers[axis];
	const int cells = canvas->scene->grid->cells[axis];

	*low = layers[0].cells == 0 ? 0 : layers[0].cells + (canvas->shift[axis] == 0.0);
	*high = layers[1].cells == 0 ? cells + 1 : cells - layers[1].cells;
}

static bool holds(const struct interval *interval, double place)
{
	return place >= interval->begin && place < interval->end;
}

static sonde_status fill(const struct canvas *canvas, size_t at, int begin, int end)
{
	return begin < end ? media_fill(canvas->numbers, at, (size_t)begin, (size_t)end, canvas->body->medium)
			   : SONDE_OK;
}

/* `at`: the first node of the row. */
static sonde_status paint_row(const struct canvas *canvas, struct scene_view *view, const double point[3], size_t at)
{
	const int count = scene_body_line(view, canvas->body, 2, point), last = canvas->scene->grid->cells[2];
	int low, high;

	find_layers(canvas, 2, &low, &high);
	for (int n = 0; n < count; ++n) {
		const struct interval *interval = &view->intervals[n];
		int begin, behind;
		nodes_of(&canvas->scene->frame, 2, canvas->shift[2], last, interval, &begin, &behind);
		CHECK(fill(canvas, at, begin > low ? begin : low, behind < high ? behind : high));
		if (holds(interval, place_at(canvas, 2, 0)))
			CHECK(fill(canvas, at, 0, low));
		if (holds(interval, place_at(canvas, 2, last)))
			CHECK(fill(canvas, at, high, last + 1));
	}
	return SONDE_OK;
}

/* Voxels include their lower faces. */
static sonde_status paint_row_of_voxels(const struct canvas *canvas, const struct voxels *voxels,
					const double point[3], size_t row)
{
	const int64_t *counts = voxels->counts;
	double place[3];

	for (int a = 0; a < 2; ++a) {
		place[a] = floor((point[a] - voxels->origin[a]) / voxels->spacing[a]);
		if (!(place[a] >= 0.0 && place[a] < (double)counts[a]))
			return SONDE_OK;
	}
	for (int k = 0; k <= canvas->scene->grid->cells[2]; ++k) {
		double layer = floor((place_at(canvas, 2, k) - voxels->origin[2]) / voxels->spacing[2]);
		if (!(layer >= 0.0 && layer < (double)counts[2]))
			continue;
		size_t at =
		    ((size_t)layer * (size_t)counts[1] + (size_t)place[1]) * (size_t)counts[0] + (size_t)place[0];
		uint16_t number = canvas->body->voxel_media[voxels->materials[at]];
		if (number != NO_MEDIUM)
			CHECK(media_set_number(canvas->numbers, row + (size_t)k, number));
	}
	return SONDE_OK;
}

/* Rows of x and y that a body may reach. */
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
		int before, behind;
		nodes_of(&scene->frame, a, canvas->shift[a], scene->grid->cells[a], &whole, &first[a], &end[a]);
		find_layers(canvas, a, &before, &behind);
		first[a] = first[a] <= before + 1 ? 0 : first[a];
		end[a] = end[a] >= behind ? scene->grid->cells[a] + 1 : end[a];
	}
	first[0] = first[0] > canvas->planes.begin ? first[0] : canvas->planes.begin;
	end[0] = end[0] < canvas->planes.end ? end[0] : canvas->planes.end;
}

struct painter {
	const struct canvas *canvas;
	struct scene_views views;
	int first[2], end[2];
	atomic_bool failed; /* memory is lacking */
};

static void paint_planes(void *state, int64_t begin, int64_t finish, int worker)
{
	struct painter *painter = state;
	const struct canvas *canvas = painter->canvas;
	struct scene_view *view = scene_views_of(&painter->views, worker);

	if (view == NULL)
		return;
	for (int i = painter->first[0] + (int)begin; i < painter->first[0] + (int)finish; ++i)
		for (int j = painter->first[1]; j < painter->end[1]; ++j) {
			const double point[3] = {place_at(canvas, 0, i), place_at(canvas, 1, j),
						 canvas->scene->frame.origin[2]};
			const size_t row = media_at(canvas->scene->grid, i, j, 0);
			if ((canvas->body->voxels != NULL
				 ? paint_row_of_voxels(canvas, canvas->body->voxels, point, row)
				 : paint_row(canvas, view, point, row)) != SONDE_OK)
				atomic_store(&painter->failed, true);
		}
}

static sonde_status paint_component(const struct canvas *canvas)
{
	const struct scene one = scene_of_body(canvas->scene, canvas->body);
	struct painter painter = {.canvas = canvas};

	find_rows(canvas, painter.first, painter.end);
	if (painter.first[0] >= painter.end[0])
		return SONDE_OK;
	CHECK(scene_views_make(&one, &painter.views));
	threads_for(one.threads, painter.end[0] - painter.first[0], PLANES_OF_PART, paint_planes, &painter);
	CHECK(scene_views_end(&painter.views, "paint a body"));
	return atomic_load(&painter.failed) ? memory_missing("the media") : SONDE_OK;
}

sonde_status paint_scene(const struct scene *scene, struct media *media)
{
	for (int n = 0; n < scene->count; ++n)
		for (int component = 0; component < 6; ++component) {
			struct canvas canvas = {.scene = scene,
						.planes = media_part_painted(scene->grid, &media->part),
						.body = &scene->bodies[n]};
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
