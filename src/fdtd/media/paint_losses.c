/* Losses of bodies in absorbing layers, where layers alone would create energy. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "fdtd/media/paint.h"

/* The layers that get losses, and the index of the depth of each position along an axis, in half cells; 0: none. */
struct lossy_layers {
	bool wanted[3][2];
	double *losses;      /* of each depth, conductivity for a permittivity of 1 */
	uint16_t *depths[3]; /* for half cells 0 to 2 cells + 1 */
	uint16_t count;
	uint16_t *numbers; /* of media with losses, for each medium and depth; 0: not made yet */
	size_t media;
};

/* Whether media vary along an axis in the plane of a layer's inner side. */
static bool changes_along(const struct fdtd_grid *grid, const struct media *media, int layer_axis, int plane,
			  int along)
{
	const int across = 3 - layer_axis - along;
	const struct plane_span known = media_part_inner(grid, &media->part);
	int node[3], next[3], begin[3], end[3];

	for (int a = 0; a < 3; ++a) {
		begin[a] = grid_first_node(grid, a);
		end[a] = grid->cells[a];
	}
	begin[0] = begin[0] > known.begin ? begin[0] : known.begin;
	end[0] = end[0] < known.end ? end[0] : known.end;
	if (layer_axis == 0 && (plane < known.begin || plane >= known.end))
		return false;
	for (int a = 0; a < 3; ++a)
		for (int v = begin[across]; v < end[across]; ++v)
			for (int u = begin[along]; u + 1 < end[along]; ++u) {
				node[layer_axis] = next[layer_axis] = plane;
				node[across] = next[across] = v;
				node[along] = u;
				next[along] = u + 1;
				if (media_number(media->edges[a], media_at(grid, node[0], node[1], node[2])) !=
				    media_number(media->edges[a], media_at(grid, next[0], next[1], next[2])))
					return true;
			}
	return false;
}

/* The same if any rank finds that they do, along the one axis and along the other. */
static sonde_status is_wanted(const struct fdtd_grid *grid, const struct media *media, int axis, int side,
			      bool *wanted)
{
	const struct absorbing_layer *layer = &grid->layers[axis][side];
	const int plane = side == 0 ? layer->cells : grid->cells[axis] - layer->cells - 1;

	*wanted = layer->cells > 0 && layer->losses > 0.0;
	for (int n = 1; n < 3 && *wanted; ++n) {
		*wanted = changes_along(grid, media, axis, plane, (axis + n) % 3);
		CHECK(media_agree_any(media, wanted));
	}
	return SONDE_OK;
}

static sonde_status list_depths(const struct fdtd_grid *grid, struct lossy_layers *layers)
{
	size_t most = 1;

	for (int a = 0; a < 3; ++a)
		most += 2 * (size_t)(grid->layers[a][0].cells + grid->layers[a][1].cells) + 2;
	CHECK(memory_allocate(&layers->losses, most, sizeof *layers->losses, "the absorbing layers"));
	layers->count = 1;
	for (int a = 0; a < 3; ++a) {
		const int last = 2 * grid->cells[a] + 1;
		CHECK(memory_allocate(&layers->depths[a], (size_t)last + 1, sizeof **layers->depths,
				      "the absorbing layers"));
		for (int half = 0; half <= last; ++half)
			for (int side = 0; side < 2; ++side) {
				const struct absorbing_layer *layer = &grid->layers[a][side];
				const double from_wall = side == 0 ? 0.5 * half : grid->cells[a] - 0.5 * half,
					     depth = layer->cells - fmax(from_wall, 0.0);
				if (!layers->wanted[a][side] || depth <= 0.0)
					continue;
				layers->losses[layers->count] =
				    layer->losses * absorbing_layer_sigma(layer, grid->courant[a], depth);
				layers->depths[a][half] = layers->count++;
			}
	}
	return SONDE_OK;
}

/* The depth in the layer with the largest losses there. */
static uint16_t depth_of(const struct lossy_layers *layers, int component, const int node[3])
{
	uint16_t most = 0;

	for (int a = 0; a < 3; ++a) {
		const uint16_t depth = layers->depths[a][2 * node[a] + (a == component)];
		most = layers->losses[depth] > layers->losses[most] ? depth : most;
	}
	return most;
}

static bool takes_losses(const struct medium *medium)
{
	return !medium->conductor && !(medium->outside > 0.0) && medium->permittivity > 1.0;
}

static sonde_status add_losses(struct lossy_layers *layers, uint16_t depth, uint64_t place, struct media *media,
			       uint16_t *number)
{
	struct medium medium = media->media[*number];

	if (!takes_losses(&medium))
		return SONDE_OK;
	uint16_t *const known = &layers->numbers[(size_t)*number * layers->count + depth];
	if (*known == 0 && media->count < MOST_MEDIA) {
		media->place = place;
		medium.conductivity += layers->losses[depth] * (medium.permittivity - 1.0);
		CHECK(media_add(media, &medium, known));
	}
	*number = *known != 0 ? *known : *number;
	return SONDE_OK;
}

/* The range of z in which depths along z are 0. */
static void find_middle(const struct fdtd_grid *grid, const struct lossy_layers *layers, int component, int middle[2])
{
	const int half = component == 2, last = grid->cells[2];

	for (middle[0] = 0; middle[0] <= last && layers->depths[2][2 * middle[0] + half] != 0; ++middle[0])
		;
	for (middle[1] = middle[0]; middle[1] <= last && layers->depths[2][2 * middle[1] + half] == 0; ++middle[1])
		;
}

/* Whether a whole segment of a row, from its node `at` on, has a medium without losses in layers. */
static bool is_free(const struct media *media, int component, size_t at, int k)
{
	uint16_t number;

	return k % (int)SEGMENT == 0 && media_segment(media->edges[component], at, (size_t)k / SEGMENT, &number) &&
	       !takes_losses(&media->media[number]);
}

static sonde_status paint_row(const struct fdtd_grid *grid, struct lossy_layers *layers, struct media *media, int a,
			      const int row[2], const int middle[2])
{
	const bool inner =
	    layers->depths[0][2 * row[0] + (a == 0)] == 0 && layers->depths[1][2 * row[1] + (a == 1)] == 0;
	const size_t first = media_at(grid, row[0], row[1], 0);
	int node[3] = {row[0], row[1], 0};

	for (; node[2] <= grid->cells[2]; ++node[2]) {
		if (inner && node[2] >= middle[0] && node[2] < middle[1]) {
			node[2] = middle[1] - 1;
			continue;
		}
		if (is_free(media, a, first, node[2])) {
			node[2] += (int)SEGMENT - 1;
			continue;
		}
		const uint16_t depth = depth_of(layers, a, node);
		if (depth == 0)
			continue;
		uint16_t number = media_number(media->edges[a], first + (size_t)node[2]);
		const uint64_t place = media_place(PAINTING_LOSSES, a, first + (size_t)node[2]);
		CHECK(add_losses(layers, depth, place, media, &number));
		CHECK(media_set_number(media->edges[a], first + (size_t)node[2], number));
	}
	return SONDE_OK;
}

static sonde_status paint(const struct fdtd_grid *grid, struct lossy_layers *layers, struct media *media)
{
	const struct plane_span span = media_part_inner(grid, &media->part);
	int row[2], middle[2];

	for (int a = 0; a < 3; ++a) {
		find_middle(grid, layers, a, middle);
		for (row[0] = span.begin; row[0] < span.end; ++row[0])
			for (row[1] = 0; row[1] <= grid->cells[1]; ++row[1])
				CHECK(paint_row(grid, layers, media, a, row, middle));
	}
	return SONDE_OK;
}

sonde_status paint_losses(const struct fdtd_grid *grid, struct media *media)
{
	struct lossy_layers layers = {.media = media->count};
	sonde_status status;
	bool any = false;

	for (int n = 0; n < 6 && media->edges[0] != NULL; ++n) {
		CHECK(is_wanted(grid, media, n / 2, n % 2, &layers.wanted[n / 2][n % 2]));
		any |= layers.wanted[n / 2][n % 2];
	}
	if (!any)
		return SONDE_OK;
	CHECK_GOTO(status, list_depths(grid, &layers), done);
	CHECK_GOTO(status,
		   memory_allocate(&layers.numbers, layers.media * layers.count, sizeof *layers.numbers,
				   "media of absorbing layers"),
		   done);
	status = paint(grid, &layers, media);
done:
	for (int a = 0; a < 3; ++a)
		free(layers.depths[a]);
	free(layers.losses);
	free(layers.numbers);
	return status;
}
