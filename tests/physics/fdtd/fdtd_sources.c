/* Sources of sonde fdtd: magnetic currents as mirror images of electric ones, in free space and in media; sheets of
 * current and the plane waves that they emit. */
#include "physics/fields_helper.h"
#include "physics/optics.h"

#include "fdtd/simulation/plane_currents.h"
#include "fdtd/sources/sheet.h"
#include "fdtd/simulation/simulation.h"
#include "fdtd/sources/waveform.h"

/* Currents --------------------------------------------------------------------------------- */

/* One component at a place for all steps, of a current at another. */
static void shine(const struct fdtd_grid *grid, const struct media *media, bool single, enum field current,
		  const struct current_signal *signal, int source, const int from[3], enum field field, int probe,
		  const int to[3], int steps, double *seen)
{
	struct injection_terms terms = {0};
	struct simulation simulation;

	succeed(simulation_make(test_device(), grid, media, single, &simulation));
	succeed(injection_add(&terms, fields_place(&simulation.fields, source, from[0], from[1], from[2]), 0, 1.0));
	succeed(simulation_add_current(&simulation, media, current, &terms, signal, 1));
	uint64_t place = fields_place(&simulation.fields, probe, to[0], to[1], to[2]);
	succeed(simulation_add_trace(&simulation, field, &place, 1));
	succeed(simulation_run(&simulation, (uint64_t)steps, NULL));
	memcpy(seen, simulation.trace[0].values, (size_t)steps * sizeof *seen);
	free(terms.terms);
	simulation_release(&simulation);
}

static double difference(const double *a, const double *b, double sign, int count)
{
	double off = 0.0, most = 0.0;

	for (int n = 0; n < count; ++n) {
		off = fmax(off, fabs(a[n] - sign * b[n]));
		most = fmax(most, fabs(a[n]));
	}
	assert_true(most > 1e-5);
	return off / most;
}

/* In empty space E(r) of J is H(-r) of M half a step earlier: turned round, the scheme's equations for E are those for H. */
static void test_magnetic_currents_mirror_electric_ones(void **state)
{
	enum { STEPS = 120 };
	const double courant[3] = {0.5, 0.45, 0.6};
	const struct waveform form = {.kind = WAVEFORM_PULSE, .amplitude = 1.0, .omega = 0.3, .bandwidth = 0.3};
	const struct current_signal now = {waveform_value, &form, 3.0}, earlier = {waveform_value, &form, 2.5};
	static double e[STEPS], h[STEPS];
	struct fdtd_grid grid = {.cells = {14, 12, 10}};
	(void)state;

	for (int a = 0; a < 3; ++a) {
		grid.courant[a] = courant[a];
		grid.walls[a][0] = grid.walls[a][1] = WALL_PERIODIC;
	}
	struct media media = media_of(&grid, 0);
	for (int source = 0; source < 3; ++source)
		for (int probe = 0; probe < 3; ++probe) {
			shine(&grid, &media, false, FIELD_E, &now, source, (const int[3]){6, 6, 5}, FIELD_E, probe,
			      (const int[3]){8, 5, 8}, STEPS, e);
			shine(&grid, &media, false, FIELD_H, &earlier, source, (const int[3]){6, 6, 5}, FIELD_H,
			      probe, (const int[3]){4, 7, 2}, STEPS, h);
			double off = difference(e, h, 1.0, STEPS);
			print_message("E%c of J%c is H%c of M%c: off by %.2g\n", "xyz"[probe], "xyz"[source],
				      "xyz"[probe], "xyz"[source], off);
			assert_true(off < 1e-12);
		}
	media_free(&media);
}

static double one(const void *user, double time)
{
	(void)user;
	(void)time;
	return 1.0;
}

/* The first step of H by M alone, whatever a medium keeps of H in a step: nothing, too. */
static void test_magnetic_losses_do_not_change_the_first_step(void **state)
{
	static const double losses[] = {0.0, 0.3, 3.0, 4.5};
	const struct fdtd_grid grid = {.cells = {5, 5, 5}, .courant = {0.5, 0.5, 0.5}};
	const struct current_signal signal = {one, NULL, 0.0};
	(void)state;

	for (int n = 0; n < 8; ++n) {
		const struct medium medium = {
		    .permittivity = 1.0, .permeability = 1.5, .magnetic_conductivity = losses[n / 2]};
		struct media media;
		uint16_t number;
		double seen;
		succeed(media_make(&grid, 0, 1, &media));
		succeed(media_add(&media, &medium, &number));
		succeed(media_set_number(media.faces[1], media_at(&grid, 2, 2, 2), number));
		shine(&grid, &media, n % 2 != 0, FIELD_H, &signal, 1, (const int[3]){2, 2, 2}, FIELD_H, 1,
		      (const int[3]){2, 2, 2}, 1, &seen);
		double off = seen * (1.5 + 0.5 * losses[n / 2]) + 1.0;
		print_message("M in losses of %g: H off by %.2g\n", losses[n / 2], off);
		assert_within(off, 0.0, (n % 2 != 0 ? 1e-6 : 1e-14), "off");
		media_free(&media);
	}
}

static void fill_at_random(const struct fdtd_grid *grid, struct media *media)
{
	for (int a = 0; a < 3; ++a)
		for (size_t n = 0; n <= media_at(grid, grid->cells[0], grid->cells[1], grid->cells[2]); ++n) {
			struct medium medium = vacuum;
			uint16_t number;
			medium.permittivity = 1.0 + 0.5 * floor(8.0 * golden_number(3 * n + (size_t)a));
			medium.conductivity = 0.05 * floor(2.0 * golden_number(7 * n + (size_t)a));
			succeed(media_add(media, &medium, &number));
			succeed(media_set_number(media->edges[a], n, number));
			medium = vacuum;
			medium.permeability = 1.0 + 0.25 * floor(8.0 * golden_number(5 * n + (size_t)a));
			medium.magnetic_conductivity = 0.04 * floor(2.0 * golden_number(11 * n + (size_t)a));
			succeed(media_add(media, &medium, &number));
			succeed(media_set_number(media->faces[a], n, number));
		}
}

/* H there of J here is -E here of M there half a step later (Lorentz), in media of both kinds. */
static void check_reciprocity(bool single, double tolerance)
{
	enum { STEPS = 160 };
	const struct waveform form = {.kind = WAVEFORM_PULSE, .amplitude = 1.0, .omega = 0.35, .bandwidth = 0.3};
	const struct current_signal now = {waveform_value, &form, 3.0}, later = {waveform_value, &form, 3.5};
	struct fdtd_grid grid = open_grid(30, 28, 26, 0.55, 8);
	const int here[3] = {11, 12, 13}, there[3] = {18, 15, 11};
	static double h[STEPS], e[STEPS];
	struct media media;

	succeed(media_make(&grid, 1, 1, &media));
	fill_at_random(&grid, &media);
	shine(&grid, &media, single, FIELD_E, &now, 2, here, FIELD_H, 1, there, STEPS, h);
	shine(&grid, &media, single, FIELD_H, &later, 1, there, FIELD_E, 2, here, STEPS, e);
	double off = difference(h, e, -1.0, STEPS);
	print_message("reciprocity of J and M, %s: off by %.2g\n", single ? "float32" : "float64", off);
	assert_true(off < tolerance);
	media_free(&media);
}

static void test_electric_and_magnetic_currents_are_reciprocal(void **state)
{
	(void)state;
	check_reciprocity(false, 1e-12);
	check_reciprocity(true, 2e-5);
}

/* By duality, the field of an electric dipole with E for H, and -H for E (c = epsilon_0 = mu_0 = 1, cells of 1). */
static void check_magnetic_dipole(int cells_a_wavelength, double tolerance)
{
	enum { PLACES = 4 };
	const double courant = 0.5, omega = 2.0 * PI * courant / cells_a_wavelength;
	const int layer = 11, half = (int)(1.6 * cells_a_wavelength), all = 2 * (half + layer), middle = half + layer;
	const struct waveform form = {
	    .kind = WAVEFORM_PULSE, .amplitude = 1.0, .omega = omega, .bandwidth = 0.4 * omega};
	const struct current_signal signal = {waveform_value, &form, 0.0};
	const struct optical_medium air = {1.0, 1.0, 0.0};
	struct fdtd_grid grid = open_grid(all, all, all, courant, layer);
	struct media media = media_of(&grid, 0);
	int steps = (int)(waveform_end(&form) + 8.0 * half / courant);
	double worst[2] = {0.0, 0.0}, *seen = malloc((size_t)steps * sizeof *seen);

	assert_non_null(seen);
	for (int p = 0; p < PLACES; ++p) {
		int away = (int)lround((0.5 + 0.3 * p) * cells_a_wavelength);
		for (int field = FIELD_E; field <= FIELD_H; ++field) {
			/* Hz on the equator; Ey there, half a cell nearer along x */
			const int from[3] = {middle, middle, middle}, to[3] = {middle + away, middle, middle};
			double complex found = 0.0;
			shine(&grid, &media, false, FIELD_H, &signal, 2, from, (enum field)field,
			      field == FIELD_H ? 2 : 1, to, steps, seen);
			for (int n = 0; n < steps; ++n)
				found += seen[n] * cexp(I * omega * (n + (field == FIELD_H ? 0.5 : 1.0)));
			const double complex moment[3] = {0.0, 0.0, waveform_spectrum(&form, omega)};
			const double separation[3] = {field == FIELD_H ? away : away - 0.5, 0.0, 0.0};
			struct optical_field exact = dipole_field(&air, omega / courant, moment, separation);
			double complex expected = field == FIELD_H ? exact.e[2] : -exact.h[1];
			worst[field] = fmax(worst[field], cabs(found * courant - expected) / cabs(expected));
		}
	}
	print_message("magnetic dipole, %d cells per wavelength: H off by %.3g, E by %.3g\n", cells_a_wavelength,
		      worst[FIELD_H], worst[FIELD_E]);
	assert_true(worst[0] <= tolerance && worst[1] <= tolerance);
	free(seen);
	media_free(&media);
}

static void test_magnetic_dipole_has_its_power(void **state)
{
	(void)state;
	check_magnetic_dipole(10, 0.105);
}

/* Two forms at one place are added up. */
static void test_signals_at_one_place_add_up(void **state)
{
	enum { STEPS = 100 };
	const struct waveform form = {.kind = WAVEFORM_PULSE, .amplitude = 1.0, .omega = 0.3, .bandwidth = 0.1};
	struct waveform turned = form;
	const double c = cos(0.7), s = sin(0.7);
	struct fdtd_grid grid = {.cells = {1, 1, 60}, .courant = {0.0, 0.0, 0.5}};
	double values[2][STEPS];
	(void)state;

	/* cos(omega t - 0.7) */
	turned.phase = -0.7;
	for (int a = 0; a < 2; ++a)
		grid.walls[a][0] = grid.walls[a][1] = WALL_PERIODIC;
	struct media media = media_of(&grid, 0);
	for (int two = 0; two < 2; ++two) {
		const struct current_signal both[2] = {{waveform_value, two ? &form : &turned, 1.0},
						       {waveform_quadrature, &form, 1.0}};
		struct injection_terms terms = {0};
		struct simulation simulation;
		succeed(simulation_make(test_device(), &grid, &media, false, &simulation));
		uint64_t from = fields_place(&simulation.fields, 0, 0, 0, 30),
			 to = fields_place(&simulation.fields, 0, 0, 0, 40);
		succeed(injection_add(&terms, from, 0, two ? c : 1.0));
		if (two)
			succeed(injection_add(&terms, from, 1, s));
		succeed(simulation_add_current(&simulation, &media, FIELD_E, &terms, both, two ? 2 : 1));
		succeed(simulation_add_trace(&simulation, FIELD_E, &to, 1));
		succeed(simulation_run(&simulation, STEPS, NULL));
		memcpy(values[two], simulation.trace[0].values, sizeof values[two]);
		free(terms.terms);
		simulation_release(&simulation);
	}
	assert_true(difference(values[0], values[1], 1.0, STEPS) < 1e-13);
	media_free(&media);
}

/* Sheets ----------------------------------------------------------------------------------- */

struct sheet_case {
	enum sheet_kind kind;
	double index, ahead, behind; /* amplitudes, along the axis and against it */
	double tolerance;
};

/* A sheet across a periodic grid of one axis. */
static void check_sheet(const struct sheet_case *test, int axis, bool single)
{
	enum { CELLS = 16, MIDDLE = 80 };
	const double courant = 0.5, omega = 2.0 * PI * courant / (CELLS * test->index);
	const struct waveform form = {
	    .kind = WAVEFORM_PULSE, .amplitude = 1.0, .omega = omega, .bandwidth = 0.4 * omega};
	struct medium glass = {.permittivity = test->index * test->index, .permeability = 1.0};
	struct sheet sheet = {.kind = test->kind, .amplitude = 1.5, .omega = omega};
	struct fdtd_grid grid = {.cells = {3, 3, 3}};
	struct flux_plane planes[2] = {{.sign = 1.0}, {.sign = -1.0}};
	struct plane_source source;
	struct simulation simulation;
	double found[2], power;
	uint16_t number;

	for (int a = 0; a < 3; ++a) {
		grid.walls[a][0] = grid.walls[a][1] = a == axis ? WALL_CONDUCTOR : WALL_PERIODIC;
		grid.cells[a] = a == axis ? 2 * MIDDLE : 3;
		grid.courant[a] = a == axis ? courant : 0.6;
	}
	grid.layers[axis][0] = grid.layers[axis][1] = absorbing_layer_of(40);
	struct media media = media_of(&grid, 1);
	succeed(media_add(&media, &glass, &number));
	for (int a = 0; a < 3; ++a)
		for (size_t n = 0; n <= media_at(&grid, grid.cells[0], grid.cells[1], grid.cells[2]); ++n)
			succeed(media_set_number(media.edges[a], n, number));
	succeed(simulation_make(test_device(), &grid, &media, single, &simulation));
	sheet.plane = (struct source_plane){.axis = axis, .node = MIDDLE, .high = {3, 3, 3}};
	sheet.polarization[(axis + 1) % 3] = 0.6;
	sheet.polarization[(axis + 2) % 3] = -0.8;
	succeed(source_plane_index(&simulation.fields, &media, &sheet.plane, &sheet.index));
	assert_within(sheet.index, test->index, 1e-12, "index");
	succeed(sheet_make(&simulation.fields, &sheet, &source));
	power = source.power * 9.0 / (0.6 * 0.6);
	succeed(plane_source_add(&simulation, &media, &source, waveform_value, NULL, &form, 4.0));
	plane_source_free(&source);
	int component = (axis + 2) % 3, node[2][3] = {{1, 1, 1}, {1, 1, 1}};
	uint64_t places[2];
	for (int p = 0; p < 2; ++p) {
		planes[p].axis = axis;
		planes[p].node = node[p][axis] = MIDDLE + (p == 0 ? 20 : -20);
		for (int a = 0; a < 3; ++a)
			planes[p].high[a] = 3;
		places[p] = fields_place(&simulation.fields, component, node[p][0], node[p][1], node[p][2]);
	}
	/* places must be in the order of planes */
	const uint64_t sorted[2] = {places[1], places[0]};
	succeed(simulation_add_trace(&simulation, FIELD_E, sorted, 2));
	for (int p = 0; p < 2; ++p)
		succeed(simulation_add_spectrum(&simulation, &planes[p], 1, &omega, 1, 1));
	int steps = (int)(waveform_end(&form) + 600.0 * test->index);
	succeed(simulation_run(&simulation, (uint64_t)steps, NULL));
	double complex spectrum = waveform_spectrum(&form, omega);
	for (int p = 0; p < 2; ++p) {
		double complex sum = 0.0;
		double through;
		for (int n = 0; n < steps; ++n)
			sum += simulation.trace[0].values[2 * n + 1 - p] * cexp(I * omega * (n + 1.0));
		/* 20 cells further, or from the plane's middle face back */
		double k = 2.0 * asin(test->index * sin(0.5 * omega) / courant),
		       way = 20.0 + (test->kind == SHEET_MAGNETIC ? (p == 0 ? 0.5 : -0.5) : 0.0);
		found[p] = creal(sum / (spectrum * cexp(I * (k * way + 4.0 * omega)))) / (-0.8 * 1.5);
		double should = p == 0 ? test->ahead : test->behind;
		succeed(spectrum_power(&simulation.fields, &simulation.spectrum[p], &through));
		double part = through / (power * creal(spectrum * conj(spectrum)));
		assert_within(part, should * should, 3.0 * test->tolerance, "part");
	}
	print_message("sheet %d across %c, index %g, %s: %.7f ahead, %.7f behind\n", (int)test->kind, "xyz"[axis],
		      test -> index, single ? "float32" : "float64", found[0], found[1]);
	assert_within(found[0], test->ahead, test->tolerance, "found 0");
	assert_within(found[1], test->behind, test->tolerance, "found 1");
	simulation_release(&simulation);
	media_free(&media);
}

static void test_sheets_send_plane_waves(void **state)
{
	static const struct sheet_case cases[] = {
	    {SHEET_ELECTRIC, 1.0, 1.0, 1.0, 1e-5},  {SHEET_ELECTRIC, 1.5, 1.0, 1.0, 1e-5},
	    {SHEET_MAGNETIC, 1.0, 1.0, -1.0, 1e-5}, {SHEET_MAGNETIC, 1.5, 1.0, -1.0, 1e-5},
	    {SHEET_FORWARD, 1.0, 1.0, 0.0, 2e-4},   {SHEET_FORWARD, 1.5, 1.0, 0.0, 2e-4},
	    {SHEET_BACKWARD, 1.0, 0.0, 1.0, 2e-4}};
	(void)state;

	for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
		check_sheet(&cases[k], (int)(k % 3), false);
	check_sheet(&cases[4], 2, true);
}

static void test_sources_without_meaning_are_refused(void **state)
{
	struct fdtd_grid grid = open_grid(30, 20, 20, 0.5, 5);
	struct sheet sheet = {.plane = {0, 15, {0, 0, 0}, {0, 20, 20}}, .amplitude = 1.0, .index = 1.0};
	struct media media = media_of(&grid, 1);
	struct plane_source source;
	struct simulation simulation;
	double index;
	uint16_t number;
	(void)state;

	succeed(simulation_make(test_device(), &grid, &media, false, &simulation));
	sheet.polarization[0] = 1.0;
	assert_int_equal(sheet_make(&simulation.fields, &sheet, &source), SONDE_INVALID);
	assert_non_null(strstr(sonde_status_message(), "is not across x"));
	plane_source_free(&source);
	sheet.polarization[0] = 0.0;
	sheet.polarization[1] = 1.0;
	sheet.plane.node = 30;
	assert_int_equal(sheet_make(&simulation.fields, &sheet, &source), SONDE_INVALID);
	assert_non_null(strstr(sonde_status_message(), "at node 30 along x"));
	plane_source_free(&source);
	sheet.plane.node = 15;
	sheet.plane.high[1] = 21;
	assert_int_equal(sheet_make(&simulation.fields, &sheet, &source), SONDE_INVALID);
	assert_non_null(strstr(sonde_status_message(), "from node 0 to 21 along y, where the grid has 0 to 20"));
	plane_source_free(&source);
	sheet.plane.high[1] = 20;
	sheet.omega = 1.2;
	assert_int_equal(sheet_make(&simulation.fields, &sheet, &source), SONDE_INVALID);
	assert_non_null(strstr(sonde_status_message(), "too coarse"));
	plane_source_free(&source);
	const struct medium glass = {.permittivity = 4.0, .permeability = 1.0},
			    lossy = {.permittivity = 1.0, .conductivity = 0.1, .permeability = 1.0};
	succeed(media_add(&media, &glass, &number));
	succeed(media_set_number(media.edges[2], media_at(&grid, 15, 7, 9), number));
	assert_int_equal(source_plane_index(&simulation.fields, &media, &sheet.plane, &index), SONDE_INVALID);
	assert_non_null(strstr(sonde_status_message(), "indices 1 and 2"));
	succeed(media_add(&media, &lossy, &number));
	succeed(media_set_number(media.edges[2], media_at(&grid, 15, 7, 9), number));
	assert_int_equal(source_plane_index(&simulation.fields, &media, &sheet.plane, &index), SONDE_INVALID);
	assert_non_null(strstr(sonde_status_message(), "absorbs, conducts or disperses"));
	simulation_release(&simulation);
	media_free(&media);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_magnetic_currents_mirror_electric_ones),
					   cmocka_unit_test(test_magnetic_losses_do_not_change_the_first_step),
					   cmocka_unit_test(test_electric_and_magnetic_currents_are_reciprocal),
					   cmocka_unit_test(test_magnetic_dipole_has_its_power),
					   cmocka_unit_test(test_signals_at_one_place_add_up),
					   cmocka_unit_test(test_sheets_send_plane_waves),
					   cmocka_unit_test(test_sources_without_meaning_are_refused)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
