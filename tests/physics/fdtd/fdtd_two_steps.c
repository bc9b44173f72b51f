/* Two steps of both fields with one passage through memory: bit-identical to stepping one field after the other, in
 * layers, media and on conductors, by tiles and work-groups of all sizes. */
#include "physics/fdtd_ways.h"
#include "thorough.h"

#include <string.h>

#include "fdtd/fields/fields_gpu.h"
#include "fdtd/fields/two_steps.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const devices[] = {"opencl:0", "cuda:0"};

enum layers { NO_LAYERS, SOME_LAYERS, ALL_LAYERS };

static struct fdtd_grid grid_of(const int cells[3], enum layers layers)
{
	struct fdtd_grid grid = {.courant = {0.5, 0.57, 0.6}};

	for (int a = 0; a < 3; ++a) {
		grid.cells[a] = cells[a];
		for (int side = 0; side < 2; ++side)
			if (layers == ALL_LAYERS || (layers == SOME_LAYERS && (a + side) % 2 == 0))
				grid.layers[a][side] = absorbing_layer_of(3 + a);
		for (int side = 0; side < 2; ++side)
			if (layers == SOME_LAYERS)
				grid.layers[a][side].kappa = 3.0; /* other scales in the layers */
	}
	return grid;
}

/* Random media in a part of the grid that begins in a layer, so that segments of rows have one or many. */
static void set_media(const struct fdtd_grid *grid, struct media *media)
{
	uint16_t numbers[3] = {0};
	const struct medium lossy = {.permittivity = 3.0, .conductivity = 0.1, .permeability = 1.0},
			    magnetic = {.permittivity = 1.5, .permeability = 1.5, .magnetic_conductivity = 0.4};

	succeed(media_make(grid, 1, 1, media));
	succeed(media_add(media, &lossy, &numbers[1]));
	succeed(media_add(media, &magnetic, &numbers[2]));
	for (int a = 0; a < 3; ++a)
		for (int i = 1; i < 2 * grid->cells[0] / 3; ++i)
			for (int j = 2; j < grid->cells[1] - 1; ++j)
				for (int k = 1; k < grid->cells[2] / 2; ++k) {
					const size_t at = media_at(grid, i, j, k);
					const uint16_t number =
					    numbers[j < 7 ? 2 : (size_t)(3.0 * golden_number(3 * at + (size_t)a))];
					succeed(media_set_number(media->edges[a], at, number));
					succeed(media_set_number(media->faces[a], at, number));
				}
}

/* Both fields are random except on the walls, where E is 0. */
static void begin(struct fields *fields)
{
	const int *cells = fields->grid.cells;
	double *values = calloc(media_at(&fields->grid, cells[0], cells[1], cells[2]) + 1, sizeof *values);

	assert_non_null(values);
	for (int field = 0; field < 2; ++field)
		for (int a = 0; a < 3; ++a) {
			for (int i = 0; i < cells[0]; ++i)
				for (int j = 0; j < cells[1]; ++j)
					for (int k = 0; k < cells[2]; ++k) {
						const size_t at = media_at(&fields->grid, i, j, k);
						const bool wall =
						    (a != 0 && i == 0) || (a != 1 && j == 0) || (a != 2 && k == 0);
						values[at] =
						    field == FIELD_E && wall
							? 0.0
							: golden_number(7 * at + (size_t)(3 * field + a)) - 0.5;
					}
			succeed(fields_write(fields, (enum field)field, a, values));
		}
	free(values);
}

static int differences_of_fields(struct fields *a, struct fields *b)
{
	const int *cells = a->grid.cells;
	const size_t count = media_at(&a->grid, cells[0], cells[1], cells[2]) + 1;
	int found = 0;

	for (int field = 0; field < 2; ++field)
		for (int c = 0; c < 3; ++c) {
			double *x = component_of(a, (enum field)field, c), *y = component_of(b, (enum field)field, c),
			       largest = 0.0;
			for (size_t n = 0; n < count; ++n) {
				found += memcmp(&x[n], &y[n], sizeof *x) != 0;
				largest = fmax(largest, fabs(x[n]));
			}
			assert_true(largest > 0.01 && largest < 10.0);
			free(x);
			free(y);
		}
	return found;
}

/* Steps: by two, by two, one, by two. Later steps use the convolutions of earlier ones. */
static void compare(struct device *device, const struct fdtd_grid *grid, const struct media *media, bool single,
		    const struct tile_shape *shape)
{
	struct fields one = {0}, both = {0};
	struct tile_shape tile;
	struct two_steps two;

	succeed(fields_make(device, grid, media, single, &one));
	succeed(fields_make(device, grid, media, single, &both));
	begin(&one);
	begin(&both);
	assert_true(two_steps_are_possible(&both));
	const struct tile_shape best = two_steps_shape(&both);
	tile = shape != NULL ? *shape : best;
	tile.items_along_z =
	    shape != NULL && shape->work_items > 1 ? two_steps_items_along_z(&both) : tile.items_along_z;
	if (tile.rows == 0 || two_steps_local_memory(&both, &tile) > device_properties(device)->local_memory) {
		print_message("%s lacks the local memory for a tile\n", device_name(device));
		fields_release(&both);
		fields_release(&one);
		return;
	}
	succeed(two_steps_make(&both, &tile, &two));
	for (int n = 0; n < 7; ++n)
		step_fields(&one);
	succeed(two_steps_take(&both, &two));
	succeed(two_steps_take(&both, &two));
	step_fields(&both);
	succeed(two_steps_take(&both, &two));
	const int found = differences_of_fields(&one, &both);
	if (found != 0)
		fail_msg("%s, %d x %d x %d, float%d, tile of %u x %u, %u work-items: %d numbers differ",
			 device_name(device), grid->cells[0], grid->cells[1], grid->cells[2],
			 grid->in_words ? 16
			 : single       ? 32
					: 64,
			 two.shape.rows, two.shape.items, two.shape.work_items, found);
	two_steps_release(&both, &two);
	fields_release(&both);
	fields_release(&one);
}

static struct device *open_gpu(const char *name)
{
	const struct device_settings settings = {.kernel_cache = ""};
	struct device *device;

	if (device_open(name, &settings, &device) != SONDE_OK) {
		print_message("%s: %s\n", name, sonde_status_message());
		return NULL;
	}
	if (device_properties(device)->fixed_kernels) /* none of two steps */
		device_close(&device);
	return device;
}

/* OpenCL's drivers for processors compile each shape for seconds: there only the fullest cases, unless all are wanted. */
static bool few_shapes(const char *name)
{
	return strncmp(name, "opencl", 6) == 0 && !is_thorough();
}

static void two_steps_at_once_are_two_steps(void **state)
{
	static const int narrow[3] = {17, 22, 30}, wide[3] = {14, 29, 157};
	(void)state;

	for (size_t d = 0; d < COUNT(devices); ++d) {
		struct device *device = open_gpu(devices[d]);
		const int first = few_shapes(devices[d]) ? ALL_LAYERS : NO_LAYERS;
		for (int layers = first; device != NULL && layers <= ALL_LAYERS; ++layers) {
			const struct fdtd_grid small = grid_of(narrow, (enum layers)layers),
					       large = grid_of(wide, (enum layers)layers);
			struct media none, many;
			succeed(media_make(&small, 0, 0, &none));
			if (layers != SOME_LAYERS && !few_shapes(devices[d]))
				compare(device, &small, &none, true, NULL);
			media_free(&none);
			set_media(&large, &many);
			if (!few_shapes(devices[d])) /* there as a tile of any size, below */
				compare(device, &large, &many, true, NULL);
			if (layers == ALL_LAYERS)
				compare(device, &large, &many, false, NULL);
			struct fdtd_grid in_words = large;
			in_words.in_words = true;
			if (layers != SOME_LAYERS)
				compare(device, &in_words, &many, true, NULL);
			media_free(&many);
		}
		device_close(&device);
	}
}

static void tiles_and_work_groups_may_have_any_size(void **state)
{
	/* words go with other shapes than numbers, except for the smallest one: drivers compile each of them, for seconds */
	static const struct {
		struct tile_shape shape;
		bool in_words;
	} cases[] = {{{8, 32, 64, 0}, true}, {{7, 6, 16, 0}, false}, {{6, 5, 1, 0}, false}, {{6, 5, 1, 0}, true}};
	static const int cells[3] = {12, 17, 70};
	(void)state;

	for (size_t d = 0; d < COUNT(devices); ++d) {
		struct device *device = open_gpu(devices[d]);
		struct fdtd_grid grid = grid_of(cells, ALL_LAYERS);
		struct media media;
		set_media(&grid, &media);
		const size_t first = few_shapes(devices[d]) ? 2 : 0, end = few_shapes(devices[d]) ? 3 : COUNT(cases);
		for (size_t n = first; device != NULL && n < end; ++n) {
			grid.in_words = cases[n].in_words;
			compare(device, &grid, &media, true, &cases[n].shape);
		}
		media_free(&media);
		device_close(&device);
	}
}

static void grids_that_need_something_between_steps_are_refused(void **state)
{
	struct fdtd_grid grid = {.cells = {8, 8, 70}, .courant = {0.5, 0.5, 0.5}};
	struct media media;
	struct fields fields;
	(void)state;

	grid.walls[1][0] = grid.walls[1][1] = WALL_PERIODIC;
	succeed(media_make(&grid, 0, 0, &media));
	succeed(fields_make(test_device(), &grid, &media, true, &fields));
	assert_false(two_steps_are_possible(&fields));
	fields_release(&fields);
	media_free(&media);
}

/* With sources and monitors, some of which act between the two steps; layers of all thicknesses, losses, poles, magnetic
 * media, a smooth surface. */
static void steps_in_pairs_have_the_same_bits(void **state)
{
	(void)state;

	if (!fields_suit_gpu(test_device()))
		skip();
	for (int n = 0; n < 3; ++n) {
		struct simulation pairs, single;
		struct way way = {.single = n != 1,
				  .in_words = n == 2,
				  .cells_along_z = 182,
				  .balls = n == 0 ? GLASS_BALL : NO_BALLS,
				  .pairing = PAIRING_OFF};
		simulate(&way, &single);
		assert_null(single.pairs);
		way.pairing = PAIRING_ON;
		simulate(&way, &pairs);
		assert_non_null(pairs.pairs);
		assert_true(step_pairs_take_next(pairs.pairs, &pairs.fields, 0));
		assert_true(pairs.pairs->apart.count > 0);
		assert_int_equal(differences(&single, &pairs, false), 0);
		simulation_release(&pairs);
		simulation_release(&single);
	}
}

/* A plane wave enters a box whose inside is free of sources; monitors sample every third step and every step. */
static void run_with_wave(enum pairing pairing, struct simulation *simulation)
{
	static const int cells[3] = {38, 44, 70}, low[3] = {6, 8, 9}, high[3] = {31, 36, 59};
	static const struct pulse pulse = {2.0 * PI / 20.0, 8.0, 10.0};
	const struct fdtd_grid grid = grid_of(cells, ALL_LAYERS);
	struct total_field_box box = {.faces = {{1, 1}, {1, 1}, {1, 1}}};
	const double omegas[2] = {0.2, 0.4};
	struct flux_plane planes[6];
	struct incident_wave wave;
	struct media media;

	memcpy(box.low, low, sizeof low);
	memcpy(box.high, high, sizeof high);
	set_media(&grid, &media);
	succeed(simulation_make(test_device(), &grid, &media, true, simulation));
	simulation->pairing = pairing;
	succeed(incident_make((const int[3]){1, -1, 2}, grid.courant, (const double[3]){1.0, 0.2, 0.3}, low, high,
			      pulse_at, &pulse, &wave));
	succeed(simulation_add_total_field(simulation, &media, &box, &wave));
	for (int n = 0; n < 2; ++n) {
		const int count =
		    flux_planes_of_box(&grid, (const int[3]){4, 6, 7}, (const int[3]){34, 40, 64}, planes);
		succeed(simulation_add_spectrum(simulation, planes, count, omegas, 2, n == 0 ? 1 : 3));
	}
	const uint64_t places[3] = {fields_place(&simulation->fields, 0, 3, 11, 10),
				    fields_place(&simulation->fields, 2, 20, 20, 30),
				    fields_place(&simulation->fields, 1, 37, 40, 69)};
	succeed(simulation_add_trace(simulation, FIELD_E, places, 3));
	succeed(simulation_add_trace(simulation, FIELD_H, places, 3));
	succeed(simulation_run(simulation, 21, NULL));
	succeed(simulation_run(simulation, 18, NULL));
	media_free(&media);
}

static void surroundings_of_faces_are_stepped_alone(void **state)
{
	struct simulation pairs, single;
	(void)state;

	if (!fields_suit_gpu(test_device()))
		skip();
	run_with_wave(PAIRING_OFF, &single);
	run_with_wave(PAIRING_ON, &pairs);
	assert_null(single.pairs);
	assert_non_null(pairs.pairs);
	assert_int_equal(pairs.pairs->apart.count, 6);
	assert_true(step_pairs_take_next(pairs.pairs, &pairs.fields, 0));
	assert_int_equal(differences(&single, &pairs, false), 0);
	simulation_release(&pairs);
	simulation_release(&single);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(two_steps_at_once_are_two_steps),
	    cmocka_unit_test(tiles_and_work_groups_may_have_any_size),
	    cmocka_unit_test(steps_in_pairs_have_the_same_bits),
	    cmocka_unit_test(surroundings_of_faces_are_stepped_alone),
	    cmocka_unit_test(grids_that_need_something_between_steps_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
