#include "fdtd/medium.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

const struct medium vacuum = {.permittivity = 1.0, .permeability = 1.0};

struct medium_step medium_step_of_e(const struct medium *medium)
{
	double loss = 0.5 * medium->conductivity / medium->permittivity;

	if (medium->conductor)
		return (struct medium_step){0.0, 0.0};
	return (struct medium_step){(1.0 - loss) / (1.0 + loss), 1.0 / (medium->permittivity * (1.0 + loss))};
}

struct medium_step medium_step_of_h(const struct medium *medium)
{
	double loss = 0.5 * medium->magnetic_conductivity / medium->permeability;

	return (struct medium_step){(1.0 - loss) / (1.0 + loss), -1.0 / (medium->permeability * (1.0 + loss))};
}

size_t media_at(const struct fdtd_grid *grid, int i, int j, int k)
{
	return ((size_t)i * ((size_t)grid->cells[1] + 1) + (size_t)j) * ((size_t)grid->cells[2] + 1) + (size_t)k;
}

sonde_status media_make(const struct fdtd_grid *grid, int edges, int faces, struct media *media)
{
	size_t count = media_at(grid, grid->cells[0], grid->cells[1], grid->cells[2]) + 1;
	uint16_t number;

	*media = (struct media){0};
	CHECK(media_add(media, &vacuum, &number));
	for (int a = 0; a < 3; ++a) {
		if (edges)
			CHECK(memory_allocate(&media->edges[a], count, sizeof **media->edges, "the media"));
		if (faces)
			CHECK(memory_allocate(&media->faces[a], count, sizeof **media->faces, "the media"));
	}
	return SONDE_OK;
}

void media_free(struct media *media)
{
	for (int a = 0; a < 3; ++a) {
		free(media->edges[a]);
		free(media->faces[a]);
	}
	free(media->media);
	*media = (struct media){0};
}

static int same(const struct medium *a, const struct medium *b)
{
	return a->permittivity == b->permittivity && a->conductivity == b->conductivity &&
	       a->permeability == b->permeability && a->magnetic_conductivity == b->magnetic_conductivity &&
	       a->conductor == b->conductor;
}

sonde_status media_add(struct media *media, const struct medium *medium, uint16_t *number)
{
	size_t k = 0, capacity = media->count;

	while (k < media->count && !same(&media->media[k], medium))
		++k;
	*number = (uint16_t)k;
	if (k < media->count)
		return SONDE_OK;
	if (k == MOST_MEDIA)
		return status_fail(SONDE_INVALID, "more than %d different media on the grid", MOST_MEDIA);
	CHECK(memory_grow(&media->media, &capacity, k + 1, sizeof *media->media, "the media"));
	media->media[k] = *medium;
	media->count = k + 1;
	return SONDE_OK;
}
