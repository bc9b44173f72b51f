#include "physics/fdtd_ways.h"

#include "fdtd/fields/fields_gpu.h"
#include "fdtd/media/answers.h"
#include "fdtd/media/smooth.h"

/* Mirrors at one side of x and of y, and at both of z; or z is periodic, and the other sides mirror. */
static void set_mirrors(bool ring, struct fdtd_grid *grid)
{
	grid->layers[0][ring ? 1 : 0] = absorbing_layer_of(6);
	grid->walls[0][ring ? 0 : 1] = WALL_MAGNETIC;
	grid->layers[1][ring ? 0 : 1] = absorbing_layer_of(5);
	grid->walls[1][ring ? 1 : 0] = WALL_MAGNETIC;
	grid->walls[2][0] = grid->walls[2][1] = ring ? WALL_PERIODIC : WALL_MAGNETIC;
}

/* Layers, but for a periodic axis and a wall that mirrors; or the other way round. */
static void set_walls(const struct way *way, struct fdtd_grid *grid)
{
	if (way->walls == MIRRORS || way->walls == RING_ALONG_Z) {
		set_mirrors(way->walls == RING_ALONG_Z, grid);
		return;
	}
	if (way->walls == ALL_PERIODIC || way->walls == ALL_BLOCH) {
		for (int a = 0; a < 3; ++a)
			grid->walls[a][0] = grid->walls[a][1] = WALL_PERIODIC;
		grid->bloch = way->walls == ALL_BLOCH;
		grid->phase[0] = grid->bloch ? 0.7 : 0.0;
		grid->phase[2] = grid->bloch ? -1.1 : 0.0;
		return;
	}
	const bool others = way->walls == OTHERS_MIRROR;
	const int periodic = others ? 0 : 1, mirrors = others ? 1 : 2;

	for (int a = 0; a < 3; ++a)
		for (int side = 0; side < 2; ++side)
			if (way->walls == ALL_ABSORB || (a != periodic && (a != mirrors || side == others)))
				grid->layers[a][side] = absorbing_layer_of(6 - a);
	if (way->walls == ALL_ABSORB)
		return;
	grid->walls[periodic][0] = grid->walls[periodic][1] = WALL_PERIODIC;
	grid->walls[mirrors][others ? 0 : 1] = WALL_MAGNETIC;
	grid->bloch = way->walls == SOME_ARE_BLOCH;
	grid->phase[1] = grid->bloch ? 0.7 : 0.0;
}

/* Beside all the others, across planes: of a medium with poles, or of one without losses. */
static void add_ball(const struct fdtd_grid *grid, double x, double y, uint16_t number, struct media *media)
{
	struct shape *shape;

	succeed(shape_create_sphere((const double[3]){x, y, 10.4}, 3.6, &shape));
	const struct body body = {.shape = shape, .medium = number};
	const struct scene scene = {
	    .grid = grid, .frame = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, .bodies = &body, .count = 1, .threads = 1};
	if (media->media[number].poles > 0)
		succeed(paint_answers(&scene, media));
	else
		succeed(paint_smooth(&scene, media));
	shape_free(&shape);
}

void simulate(const struct way *way, struct simulation *simulation)
{
	enum { STEPS = 21 };
	struct fdtd_grid grid = {.cells = {57, 22, way->cells_along_z}, .courant = {0.5, 0.55, 0.6}};
	const struct total_field_box box = {
	    .low = {9, 7, 6}, .high = {48, 16, 14}, .faces = {{1, 1}, {1, 1}, {1, 1}}};
	static const struct pulse pulse = {2.0 * PI / 20.0, 14.0, 20.0};
	const double omegas[2] = {0.2, 0.4};
	const struct current_signal signals[2] = {{pulse_at, &pulse, 0.0}, {pulse_at, &pulse, 2.5}};
	struct flux_plane planes[6];
	struct injection_terms terms = {0};
	struct incident_wave wave;
	uint16_t numbers[4] = {0}, magnetic_number, glass_number;

	grid.in_words = way->in_words;
	set_walls(way, &grid);
	struct media media;
	struct medium lossy = {.permittivity = 3.0, .conductivity = 0.1, .permeability = 1.0}, pole = lossy,
		      magnetic = {.permittivity = 1.0, .permeability = 1.5, .magnetic_conductivity = 0.4};
	const struct medium glass = {.permittivity = 2.3, .permeability = 1.0};
	pole.pole[pole.poles++] = medium_pole_lorentz(1.0, 0.4, 0.1);
	succeed(media_make(&grid, 1, 1, &media));
	succeed(media_add(&media, &lossy, &numbers[1]));
	succeed(media_add(&media, &pole, &numbers[2]));
	succeed(media_add(&media, &magnetic, &magnetic_number));
	for (int a = 0; a < 3; ++a)
		for (int i = 15; i < 40; ++i)
			for (int j = 9; j < 14; ++j)
				for (int k = 8; k < 12; ++k) {
					size_t at = media_at(&grid, i, j, k);
					succeed(media_set_number(
					    media.edges[a], at,
					    numbers[(size_t)(3.0 * golden_number(3 * at + (size_t)a))]));
				}
	for (int a = 0; a < 3; ++a)
		for (int i = 18; i < 42; ++i)
			for (int j = 6; j < 17; ++j)
				for (int k = 5; k < 15; ++k) {
					size_t at = media_at(&grid, i, j, k);
					if (golden_number(5 * at + (size_t)a) < 0.5)
						succeed(media_set_number(media.faces[a], at, magnetic_number));
				}
	if (way->balls != NO_BALLS)
		succeed(media_add(&media, &glass, &glass_number));
	if (way->balls == METAL_BALL || way->balls == GLASS_AS_WELL) {
		add_ball(&grid, way->at_corner ? 0.6 : 27.3, way->at_corner ? 21.4 : 11.2, numbers[2], &media);
		assert_true(media.answers->edge_count > 200);
	}
	if (way->balls == GLASS_AS_WELL || way->balls == GLASS_BALL) {
		add_ball(&grid, way->at_corner ? 56.4 : 44.6, way->at_corner ? 0.7 : 11.2, glass_number, &media);
		assert_true(media.smooth->count > 200);
	}
	succeed(way->on != NULL
		    ? simulation_make_on(way->on, &grid, &media, way->single, simulation)
		    : simulation_make_streamed(test_device(), &grid, &media, way->single, way->schedule, simulation));
	simulation->in_place |= way->in_place;
	simulation->both_in_place &= !way->apart;
	simulation->pairing = way->pairing;
	if (way->planes_log > 0 && fields_can_step_both(&simulation->fields))
		fields_go_through_planes(&simulation->fields, way->planes_log);
	if (way->slab > 0) {
		simulation->slab = way->slab;
		simulation->at_once = way->at_once;
		simulation->tiling = TILING_OFF;
	}
	if (way->tile.planes > 0) {
		simulation->tile = way->tile;
		simulation->tiling = TILING_GIVEN;
	}
	succeed(incident_make((const int[3]){1, -1, 2}, grid.courant, (const double[3]){1.0, 0.2, 0.3}, box.low,
			      box.high, pulse_at, &pulse, &wave));
	succeed(simulation_add_total_field(simulation, &media, &box, &wave));
	for (int k = 0; k < 4; ++k)
		succeed(injection_add(&terms, fields_place(&simulation->fields, k % 3, 12 + 10 * k, 10, 9 + k),
				      (uint32_t)k % 2, 1.0 + k));
	succeed(simulation_add_current(simulation, &media, FIELD_E, &terms, signals, 2));
	terms.count = 0;
	for (int k = 0; k < 3; ++k)
		succeed(injection_add(&terms, fields_place(&simulation->fields, k, 20 + 10 * k, 11, 10), 0, 2.0));
	succeed(simulation_add_current(simulation, &media, FIELD_H, &terms, signals, 1));
	if (grid.bloch)
		succeed(simulation_add_imaginary_current(simulation, &media, FIELD_H, &terms, signals, 1));
	free(terms.terms);
	int count = flux_planes_of_box(&grid, (const int[3]){8, 6, 6}, (const int[3]){50, 17, 15}, planes);
	succeed(simulation_add_spectrum(simulation, planes, count, omegas, 2, 1));
	succeed(simulation_add_spectrum(simulation, planes, count, omegas, 2, 4));
	const uint64_t places[3] = {fields_place(&simulation->fields, 0, 7, 11, 10),
				    fields_place(&simulation->fields, 2, 30, 11, 10),
				    fields_place(&simulation->fields, 1, 51, 11, 10)};
	/* and at the surfaces of both balls */
	const uint64_t at_balls[6] = {
	    fields_place(&simulation->fields, 1, 27, 10, 14), fields_place(&simulation->fields, 1, 27, 12, 13),
	    fields_place(&simulation->fields, 0, 30, 12, 12), fields_place(&simulation->fields, 1, 44, 10, 14),
	    fields_place(&simulation->fields, 1, 44, 12, 13), fields_place(&simulation->fields, 0, 47, 12, 12)};
	succeed(simulation_add_trace(simulation, FIELD_E, places, 3));
	succeed(simulation_add_trace(simulation, FIELD_H, places, 3));
	succeed(simulation_add_trace(simulation, FIELD_E, at_balls, 6));
	for (int n = 0; n < 3; ++n)
		succeed(simulation_run(simulation, STEPS, NULL));
	media_free(&media);
}

/* Whether an edge or a face of a component lies at a node: beyond the last one are copies for the steps, which needs none beyond two
 * walls. */
static bool exists(const struct fields *fields, enum field field, int component, size_t at)
{
	const int *cells = fields->grid.cells;
	const size_t row = (size_t)cells[2] + 1, plane = row * ((size_t)cells[1] + 1);
	const int node[3] = {(int)(at / plane), (int)(at / row % ((size_t)cells[1] + 1)), (int)(at % row)};
	bool is_there = true;
	int beyond = 0;

	for (int a = 0; a < 3; ++a) {
		is_there &= node[a] < cells[a] || (field == FIELD_E) != (a == component);
		beyond += node[a] == cells[a] && fields->grid.walls[a][0] == WALL_PERIODIC ? 1 : 0;
	}
	return is_there && beyond < 2;
}

static int differences_of_part(struct fields *a, struct fields *b)
{
	const int *cells = a->grid.cells;
	size_t count = media_at(&a->grid, cells[0], cells[1], cells[2]) + 1;
	int found = 0;

	for (int field = 0; field < 2; ++field)
		for (int c = 0; c < 3; ++c) {
			double *x = component_of(a, (enum field)field, c), *y = component_of(b, (enum field)field, c);
			for (size_t n = 0; n < count; ++n)
				found += exists(a, (enum field)field, c, n) && memcmp(&x[n], &y[n], sizeof *x) != 0;
			free(x);
			free(y);
		}
	return found;
}

int differences(struct simulation *a, struct simulation *b, bool grouped)
{
	int found = differences_of_part(&a->fields, &b->fields);

	if (a->fields.imaginary != NULL)
		found += differences_of_part(a->fields.imaginary, b->fields.imaginary);
	for (int n = 0; n < a->traces; ++n) {
		const size_t values = a->trace[n].observation.count * a->trace[n].steps;
		assert_int_equal(a->trace[n].steps, b->trace[n].steps);
		found += memcmp(a->trace[n].values, b->trace[n].values, values * sizeof(double)) != 0;
		if (a->fields.imaginary != NULL)
			found += memcmp(a->trace[n].imaginary, b->trace[n].imaginary, values * sizeof(double)) != 0;
	}
	for (int n = 0; n < a->spectra; ++n) {
		double power[2][2];
		succeed(spectrum_power(&a->fields, &a->spectrum[n], power[0]));
		succeed(spectrum_power(&b->fields, &b->spectrum[n], power[1]));
		for (int f = 0; f < 2; ++f)
			found += grouped ? !(fabs(power[0][f] - power[1][f]) <= 1e-5 * fabs(power[0][f]))
					 : memcmp(&power[0][f], &power[1][f], sizeof(double)) != 0;
	}
	return found;
}
