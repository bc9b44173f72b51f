/* Monitors of fields of sonde fdtd: Fourier sums compared with sums of the fields' traces, snapshots with whole
 * fields, and absorbed power from the flux into a box and from the losses of its media. */
#include "physics/fields_helper.h"
#include "physics/optics.h"

#include "fdtd/monitors/far_field.h"
#include "fdtd/media/paint.h"
#include "fdtd/simulation/simulation.h"

/* Losses of every kind. */
static struct medium lossy_medium(void)
{
	struct medium medium = {.permittivity = 2.5, .conductivity = 0.02, .permeability = 1.0};

	medium.pole[medium.poles++] = medium_pole_lorentz(0.8, 0.4, 0.1);
	medium.pole[medium.poles++] = medium_pole_drude(0.2, 0.05);
	medium.pole[medium.poles++] = medium_pole_debye(0.5, 4.0);
	return medium;
}

static void fill_box(const struct fdtd_grid *grid, const int low[3], const int high[3], uint16_t number,
		     struct media_numbers *const numbers[3])
{
	for (int a = 0; a < 3; ++a)
		for (int i = low[0]; i < high[0]; ++i)
			for (int j = low[1]; j < high[1]; ++j)
				for (int k = low[2]; k < high[2]; ++k)
					succeed(media_set_number(numbers[a], media_at(grid, i, j, k), number));
}

/* A grid with a wall of every kind, a block of a lossy medium that reaches some, and two currents. */
static struct fdtd_grid walled_grid(void)
{
	struct fdtd_grid grid = {.cells = {14, 12, 10}, .courant = {0.5, 0.55, 0.6}};

	grid.walls[1][0] = WALL_MAGNETIC;
	grid.walls[2][0] = grid.walls[2][1] = WALL_PERIODIC;
	grid.layers[0][0] = absorbing_layer_of(4);
	return grid;
}

static void make_walled(bool single, struct simulation *simulation)
{
	static const struct pulse pulse = {0.35, 8.0, 20.0};
	struct fdtd_grid grid = walled_grid();
	struct media media = media_of(&grid, 1);
	struct medium medium = lossy_medium();
	struct injection_terms terms = {0};
	const struct current_signal signals[2] = {{pulse_at, &pulse, 0.0}, {pulse_at, &pulse, 3.0}};
	uint16_t number;

	succeed(media_add(&media, &medium, &number));
	fill_box(&grid, (const int[3]){6, 0, 2}, (const int[3]){12, 7, 8}, number, media.edges);
	succeed(simulation_make(test_device(), &grid, &media, single, simulation));
	for (int c = 0; c < 3; ++c)
		succeed(injection_add(&terms, fields_place(&simulation->fields, c, 8 - c, 5 + c, 4), (uint32_t)c % 2,
				      1.0));
	succeed(simulation_add_current(simulation, &media, FIELD_E, &terms, signals, 2));
	free(terms.terms);
	media_free(&media);
}

/* The monitor's sums are those of the traces at its edges and faces. */
static void test_fourier_sums_are_those_of_traces(void **state)
{
	enum { STEPS = 75, FREQUENCIES = 3 };
	static const double omegas[FREQUENCIES] = {0.2, 0.35, 0.5};
	static const uint32_t every[2] = {1, 4};
	const struct field_region region = {.low = {3, 0, 1},
					    .high = {13, 11, 9},
					    .stride = {4, 3, 2},
					    .placement = PLACED_AS_STEPPED,
					    .components = ALL_OF_E | FIELD_COMPONENT(FIELD_H, 1)};
	(void)state;

	for (int single = 0; single < 2; ++single) {
		struct simulation simulation;
		double worst = 0.0, most = 0.0;
		make_walled(single != 0, &simulation);
		for (int n = 0; n < 2; ++n)
			succeed(simulation_add_field_monitor(&simulation, &region, omegas, FREQUENCIES, every[n]));
		const struct field_sampling *sampling = &simulation.field_monitor[0].sampling;
		assert_int_equal(sampling->component_count, 4);
		assert_int_equal(sampling->points, 3 * 4 * 5);
		for (int field = FIELD_E; field <= FIELD_H; ++field) {
			uint64_t *places;
			succeed(sampling_places(sampling, (enum field)field, &places));
			succeed(simulation_add_trace(&simulation, (enum field)field, places,
						     sampling->place_count[field]));
			free(places);
		}
		/* in two pieces of unequal length */
		succeed(simulation_run(&simulation, 18, NULL));
		succeed(simulation_run(&simulation, STEPS - 18, NULL));
		size_t count = 4 * sampling->points;
		double complex *values = malloc(FREQUENCIES * count * sizeof *values);
		assert_non_null(values);
		for (int n = 0; n < 2; ++n) {
			succeed(field_monitor_read(&simulation.fields, &simulation.field_monitor[n], values));
			for (size_t at = 0; at < FREQUENCIES * count; ++at) {
				size_t f = at / count, point = at % sampling->points;
				int which = (int)(at % count / sampling->points), field = sampling->field_of[which];
				struct sampling_term terms[MOST_SAMPLING_TERMS];
				assert_int_equal(sampling_terms(sampling, which, point, terms), 1);
				const struct trace *trace = &simulation.trace[field];
				double complex sum = 0.0;
				for (uint32_t t = 0; t < STEPS; t += every[n])
					sum += every[n] *
					       trace->values[t * sampling->place_count[field] + terms[0].number] *
					       cexp(I * omegas[f] * (t + (field == FIELD_E ? 1.0 : 0.5)));
				worst = fmax(worst, cabs(values[at] - terms[0].weight * sum));
				most = fmax(most, cabs(sum));
			}
		}
		print_message("float%d: sums of a monitor off by %.2g of the largest\n", single ? 32 : 64,
			      worst / most);
		assert_true(most > 0.1 && worst <= (single ? 1e-6 : 1e-14) * most);
		free(values);
		simulation_release(&simulation);
	}
}

/* A value of a component next to a node, mirrored or gone round where there is none. */
static double value_at(const struct fdtd_grid *grid, double *const values[2][3], int field, int component,
		       const int node[3])
{
	int at[3];
	double sign = 1.0;

	for (int a = 0; a < 3; ++a) {
		bool half = (field == FIELD_E) == (a == component);
		int cells = grid->cells[a];
		at[a] = node[a];
		if (grid->walls[a][0] == WALL_PERIODIC) {
			at[a] = (node[a] + cells) % cells;
		} else if (half && (node[a] < 0 || node[a] == cells)) {
			at[a] = node[a] < 0 ? 0 : cells - 1;
			sign *= grid->walls[a][node[a] < 0 ? 0 : 1] == WALL_CONDUCTOR ? 1.0 : -1.0;
		}
	}
	return sign * values[field][component][media_at(grid, at[0], at[1], at[2])];
}

static double mean_round(const struct fdtd_grid *grid, double *const values[2][3], enum field_placement placement,
			 int field, int component, const int node[3])
{
	double sum = 0.0;

	for (int n = 0; n < 8; ++n) {
		int at[3];
		for (int a = 0; a < 3; ++a) {
			bool half = (field == FIELD_E) == (a == component);
			int other = n >> a & 1;
			at[a] = node[a];
			if (placement == PLACED_AT_NODES && half)
				at[a] -= other;
			if (placement == PLACED_AT_CENTERS && !half)
				at[a] += other;
		}
		sum += 0.125 * value_at(grid, values, field, component, at);
	}
	return sum;
}

static void check_snapshot(struct simulation *simulation, enum field_placement placement, double *const values[2][3])
{
	const struct fdtd_grid *grid = &simulation->fields.grid;
	int less = placement == PLACED_AT_CENTERS;
	struct field_region region = {.stride = {1, 1, 1},
				      .placement = placement,
				      .components = ALL_OF_E | ALL_OF_H,
				      .high = {grid->cells[0] - less, grid->cells[1] - less, grid->cells[2] - less}};
	struct snapshot snapshot;
	double worst = 0.0, most = 0.0;

	succeed(snapshot_make(&simulation->fields, &region, &snapshot));
	const struct field_sampling *sampling = &snapshot.sampling;
	double *found = malloc(6 * sampling->points * sizeof *found);
	assert_non_null(found);
	succeed(snapshot_gather(&simulation->fields, &snapshot, 0, simulation->fields.layout.end[0]));
	succeed(snapshot_read(&simulation->fields, &snapshot, found));
	for (size_t n = 0; n < 6 * sampling->points; ++n) {
		int which = (int)(n / sampling->points), field = which / 3, component = which % 3;
		double position[3], exact;
		sampling_position(sampling, which, n % sampling->points, position);
		const int node[3] = {(int)floor(position[0]), (int)floor(position[1]), (int)floor(position[2])};
		for (int a = 0; a < 3; ++a) {
			bool half = placement == PLACED_AT_CENTERS ||
				    (placement == PLACED_AS_STEPPED && (field == FIELD_E) == (a == component));
			assert_true(position[a] == node[a] + (half ? 0.5 : 0.0));
		}
		exact = mean_round(grid, values, placement, field, component, node);
		worst = fmax(worst, fabs(found[n] - exact));
		most = fmax(most, fabs(exact));
	}
	print_message("snapshot: off by %.2g of the largest\n", worst / most);
	assert_true(most > 1e-3 && worst <= 1e-15 * most);
	free(found);
	snapshot_release(&simulation->fields, &snapshot);
}

static void test_snapshots_are_the_fields(void **state)
{
	struct simulation simulation;
	double *values[2][3];

	(void)state;
	make_walled(true, &simulation);
	succeed(simulation_run(&simulation, 40, NULL));
	for (int n = 0; n < 6; ++n)
		values[n / 3][n % 3] = component_of(&simulation.fields, (enum field)(n / 3), n % 3);
	check_snapshot(&simulation, PLACED_AS_STEPPED, values);
	check_snapshot(&simulation, PLACED_AT_NODES, values);
	check_snapshot(&simulation, PLACED_AT_CENTERS, values);
	for (int n = 0; n < 6; ++n)
		free(values[n / 3][n % 3]);
	simulation_release(&simulation);
}

static void test_monitors_without_meaning_are_refused(void **state)
{
	const struct field_region empty = {.high = {3, 3, 3}, .stride = {1, 1, 1}},
				  beyond = {.high = {15, 3, 3}, .stride = {1, 1, 1}, .components = ALL_OF_E},
				  cells = {.high = {14, 3, 3},
					   .stride = {1, 1, 1},
					   .placement = PLACED_AT_CENTERS,
					   .components = ALL_OF_E},
				  no_stride = {.high = {3, 3, 3}, .stride = {1, 0, 1}, .components = ALL_OF_E},
				  all = {.high = {14, 12, 10}, .stride = {1, 1, 1}, .components = ALL_OF_E};
	const struct field_region *const invalid[] = {&empty, &beyond, &cells, &no_stride};
	const double omega = 0.3;
	struct simulation simulation;
	struct fdtd_grid grid = walled_grid();
	struct media media = media_of(&grid, 1);
	uint32_t many = 1u << 30;

	(void)state;
	make_walled(true, &simulation);
	for (size_t n = 0; n < sizeof invalid / sizeof *invalid; ++n)
		assert_int_equal(simulation_add_field_monitor(&simulation, invalid[n], &omega, 1, 1), SONDE_INVALID);
	assert_int_equal(simulation_add_field_monitor(&simulation, &all, &omega, 0, 1), SONDE_INVALID);
	assert_int_equal(simulation_add_field_monitor(&simulation, &all, &omega, many, 1), SONDE_RESOURCE);
	assert_non_null(strstr(sonde_status_message(), "GB"));
	/* into an absorbing layer */
	assert_int_equal(simulation_add_absorption(&simulation, &media, (const int[3]){3, 1, 1},
						   (const int[3]){10, 5, 5}, &omega, 1, 1),
			 SONDE_INVALID);
	media_free(&media);
	simulation_release(&simulation);
}

/* Absorption -------------------------------------------------------------------------------- */

/* A slab of conducting glass across z: what it absorbs over what comes in, against Airy's formula. */
static void test_slab_absorbs_by_airy(void **state)
{
	enum { CELLS = 40, FREQUENCIES = 9 };
	const double courant = 0.5, sigma = 0.5;
	const int layer = 60, first = layer + 40, all = 2 * first + CELLS;
	struct fdtd_grid grid = {.cells = {1, 1, all}, .courant = {0.0, 0.0, courant}};
	const int low[3] = {0, 0, first - 3}, high[3] = {1, 1, first + CELLS + 3};
	struct total_field_box box = {.low = {0, 0, layer + 30}, .high = {1, 1, all}};
	double omegas[FREQUENCIES], flux[FREQUENCIES], lost[FREQUENCIES], worst = 0.0, difference = 0.0;
	struct flux_plane planes[6];
	struct simulation simulation;
	struct incident_wave wave, again;
	uint16_t numbers[2];

	(void)state;
	for (int a = 0; a < 3; ++a)
		grid.walls[a][0] = grid.walls[a][1] = a == 2 ? WALL_CONDUCTOR : WALL_PERIODIC;
	grid.layers[2][0] = grid.layers[2][1] = absorbing_layer_of(layer);
	box.faces[2][0] = true;
	for (int f = 0; f < FREQUENCIES; ++f)
		omegas[f] = 2.0 * PI * (0.4 + 0.05 * f) * courant / CELLS;
	struct pulse pulse = pulse_of_band(omegas[0], omegas[FREQUENCIES - 1], 1.5);
	pulse.middle = 8.0 * pulse.width;
	struct media media = media_of(&grid, 1);
	for (int n = 0; n < 2; ++n) {
		double share = n == 0 ? 1.0 : 0.5;
		const struct medium medium = {.permittivity = 1.0 + 3.0 * share,
					      .conductivity = share * sigma * courant / CELLS,
					      .permeability = 1.0};
		succeed(media_add(&media, &medium, &numbers[n]));
	}
	for (int k = first; k <= first + CELLS; ++k)
		for (int a = 0; a < 2; ++a)
			succeed(media_set_number(media.edges[a], media_at(&grid, 0, 0, k),
						 numbers[k == first || k == first + CELLS]));
	succeed(simulation_make(test_device(), &grid, &media, false, &simulation));
	for (int copy = 0; copy < 2; ++copy)
		succeed(incident_make((const int[3]){0, 0, 1}, grid.courant, (const double[3]){1.0, 0.0, 0.0},
				      box.low, box.high, pulse_at, &pulse, copy ? &again : &wave));
	succeed(simulation_add_total_field(&simulation, &media, &box, &wave));
	int count = flux_planes_of_box(&grid, low, high, planes);
	succeed(simulation_add_spectrum(&simulation, planes, count, omegas, FREQUENCIES, 1));
	succeed(simulation_add_absorption(&simulation, &media, low, high, omegas, FREQUENCIES, 1));
	uint64_t steps = (uint64_t)(2.0 * pulse.middle + 60.0 * CELLS / courant);
	succeed(simulation_run(&simulation, steps, NULL));
	succeed(spectrum_power(&simulation.fields, &simulation.spectrum[0], flux));
	succeed(absorption_power(&simulation.fields, &simulation.absorption[0], lost));
	double complex incident[FREQUENCIES][3];
	succeed(incident_sums(&again, (const double[3]){0.0, 0.0, first}, omegas, FREQUENCIES, steps, incident));
	for (int f = 0; f < FREQUENCIES; ++f) {
		double k = 2.0 * PI * (0.4 + 0.05 * f);
		struct optical_layer layers[3] = {{1.0, 1.0, 0.0}, {4.0 + I * sigma / k, 1.0, 1.0}, {1.0, 1.0, 0.0}};
		struct stack_response exact = stack_response(layers, 3, k, 0.0, POLARIZATION_S);
		double absorbed = lost[f] / (0.5 * creal(incident[f][0] * conj(incident[f][0])));
		difference = fmax(difference, fabs(flux[f] / lost[f] + 1.0));
		worst = fmax(worst, fabs(absorbed - (1.0 - exact.reflectance - exact.transmittance)));
	}
	print_message("slab: absorbed power both ways: %.2g apart; off Airy's by %.2g\n", difference, worst);
	assert_true(difference < 1e-10 && worst < 0.01);
	incident_free(&again);
	simulation_release(&simulation);
	media_free(&media);
}

/* A sphere with losses of every kind in a wave that slants, and a box that cuts it: what comes in by the
 * planes is what its media lose, and with what is scattered it is what the wave loses. */
static void test_sphere_absorbs_what_goes_into_its_box(void **state)
{
	enum { FREQUENCIES = 4 };
	static const double omegas[FREQUENCIES] = {0.15, 0.22, 0.3, 0.4};
	static const int m[3] = {1, -1, 2};
	const int layer = 8, radius = 5, total = radius + 2, half = total + 4 + layer, all = 2 * half;
	struct fdtd_grid grid = open_grid(all, all, all, 0.5, layer);
	struct pulse pulse = {0.27, 12.0, 100.0};
	struct total_field_box box;
	struct flux_plane planes[6];
	struct simulation simulation;
	struct incident_wave wave, again;
	const double center[3] = {half, half, half};
	const struct paint_frame frame = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
	struct shape *shape;
	uint16_t number;
	int low[2][3], high[2][3], outer_low[3], outer_high[3];

	(void)state;
	grid.courant[0] = 0.45;
	grid.courant[2] = 0.55;
	struct media media;
	succeed(media_make(&grid, 1, 1, &media));
	struct medium medium = lossy_medium(), magnetic = vacuum;
	succeed(media_add(&media, &medium, &number));
	succeed(shape_create_sphere(center, radius, &shape));
	succeed(paint_shape(&grid, &frame, shape, number, &media));
	shape_free(&shape);
	magnetic.permeability = 1.5;
	magnetic.magnetic_conductivity = 0.05;
	succeed(media_add(&media, &magnetic, &number));
	fill_box(&grid, (const int[3]){half - 3, half - 2, half - 1}, (const int[3]){half + 4, half + 3, half + 2},
		 number, media.faces);
	for (int a = 0; a < 3; ++a) {
		box.low[a] = half - total;
		box.high[a] = half + total;
		box.faces[a][0] = box.faces[a][1] = true;
		low[0][a] = half - radius - 1;
		high[0][a] = half + radius + 1;
		low[1][a] = half - 2; /* cuts it */
		high[1][a] = half + radius - 1;
		outer_low[a] = half - total - 2;
		outer_high[a] = half + total + 2;
	}
	succeed(simulation_make(test_device(), &grid, &media, false, &simulation));
	for (int copy = 0; copy < 2; ++copy)
		succeed(incident_make(m, grid.courant, (const double[3]){1.0, 0.4, -0.2}, box.low, box.high, pulse_at,
				      &pulse, copy ? &again : &wave));
	succeed(simulation_add_total_field(&simulation, &media, &box, &wave));
	for (int n = 0; n < 3; ++n) {
		int count =
		    flux_planes_of_box(&grid, n < 2 ? low[n] : outer_low, n < 2 ? high[n] : outer_high, planes);
		succeed(simulation_add_spectrum(&simulation, planes, count, omegas, FREQUENCIES, 1));
		if (n < 2)
			succeed(
			    simulation_add_absorption(&simulation, &media, low[n], high[n], omegas, FREQUENCIES, 1));
	}
	succeed(simulation_run(&simulation, 4000, NULL));
	double flux[3][FREQUENCIES], lost[2][FREQUENCIES], extinguished[FREQUENCIES], apart = 0.0, theorem = 0.0,
										      sums = 0.0;
	for (int n = 0; n < 3; ++n)
		succeed(spectrum_power(&simulation.fields, &simulation.spectrum[n], flux[n]));
	double complex incident[FREQUENCIES][3];
	succeed(incident_sums(&again, center, omegas, FREQUENCIES, 4000, incident));
	struct far_field far;
	succeed(far_field_make(&simulation.fields, &simulation.spectrum[2], center, 1.0, 1.0, &far));
	succeed(far_field_extinction(&far, m, (const double complex(*)[3])incident, extinguished));
	for (int n = 0; n < 2; ++n) {
		size_t cells = 1;
		for (int a = 0; a < 3; ++a)
			cells *= (size_t)(high[n][a] - low[n][a]);
		double *map = malloc(FREQUENCIES * cells * sizeof *map);
		assert_non_null(map);
		succeed(absorption_power(&simulation.fields, &simulation.absorption[n], lost[n]));
		succeed(absorption_map(&simulation.fields, &simulation.absorption[n], map));
		for (int f = 0; f < FREQUENCIES; ++f) {
			double sum = 0.0;
			for (size_t c = 0; c < cells; ++c)
				sum += map[(size_t)f * cells + c];
			sums = fmax(sums, fabs(sum / lost[n][f] - 1.0));
			apart = fmax(apart, fabs(flux[n][f] / lost[n][f] + 1.0));
		}
		free(map);
	}
	for (int f = 0; f < FREQUENCIES; ++f) {
		theorem = fmax(theorem, fabs((flux[2][f] + lost[0][f]) / extinguished[f] - 1.0));
		print_message("sphere: absorbed %.4g, in the half %.4g, scattered %.4g, extinguished %.4g\n",
			      lost[0][f], lost[1][f], flux[2][f], extinguished[f]);
	}
	print_message("sphere: absorbed power both ways: %.2g apart; maps by %.2g; optical theorem by %.2g\n", apart,
		      sums, theorem);
	assert_true(apart < 1e-10 && sums < 1e-12 && theorem < 1e-9);
	far_field_free(&far);
	incident_free(&again);
	simulation_release(&simulation);
	media_free(&media);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_fourier_sums_are_those_of_traces), cmocka_unit_test(test_snapshots_are_the_fields),
	    cmocka_unit_test(test_monitors_without_meaning_are_refused), cmocka_unit_test(test_slab_absorbs_by_airy),
	    cmocka_unit_test(test_sphere_absorbs_what_goes_into_its_box)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
