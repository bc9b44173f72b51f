#include "fdtd_scene.h"

#include <stdio.h>
#include <stdlib.h>

#include "sonde/sonde.h"

void scene_must(sonde_status status)
{
	if (status == SONDE_OK)
		return;
	fprintf(stderr, "bench: %s\n", sonde_status_message());
	exit(1);
}

void scene_make_grid(int x, int y, int z, struct fdtd_grid *grid)
{
	*grid = (struct fdtd_grid){.cells = {x, y, z}, .courant = {0.5, 0.5, 0.5}};
	for (int a = 0; a < 3; ++a)
		for (int side = 0; side < 2; ++side)
			grid->layers[a][side] = absorbing_layer_of(SCENE_LAYER);
}

void scene_make_media(const struct fdtd_grid *grid, struct media *media)
{
	const struct medium glass = {.permittivity = 2.0, .permeability = 1.0};
	const int first = grid->cells[0] / 2, end = first + grid->cells[0] / 10;
	uint16_t number;

	scene_must(media_make(grid, 1, 0, media));
	scene_must(media_add(media, &glass, &number));
	for (int a = 0; a < 3; ++a)
		for (size_t row = media_at(grid, first, 0, 0); row < media_at(grid, end, 0, 0);
		     row += (size_t)grid->cells[2] + 1)
			scene_must(media_fill(media->edges[a], row, 0, (size_t)grid->cells[2] + 1, number));
}

static double constant_one(const void *user, double time)
{
	(void)user;
	(void)time;
	return 1.0;
}

void scene_add_dipole(struct simulation *simulation, const struct media *media)
{
	const int *cells = simulation->fields.grid.cells;
	const struct current_signal signal = {constant_one, NULL, 0.0};
	struct injection_terms terms = {0};

	scene_must(injection_add(
	    &terms, fields_place(&simulation->fields, 1, cells[0] / 2, cells[1] / 2, cells[2] / 2), 0, 1.0));
	scene_must(simulation_add_current(simulation, media, FIELD_E, &terms, &signal, 1));
	free(terms.terms);
}
