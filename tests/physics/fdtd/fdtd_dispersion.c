/* Waves of sonde fdtd compared with the exact solutions of Yee's scheme: phase velocity along axes and diagonals,
 * decay in lossy media, waveguides above and below their cutoff; planes of symmetry, and periodic sides. */
#include "physics/fields_helper.h"
#include "physics/optics.h"

#include "fdtd/simulation/simulation.h"

/* Fourier sum of a place of the first trace. */
static double complex transform(const struct simulation *simulation, int place, double omega)
{
	const struct trace *trace = &simulation->trace[0];
	double complex sum = 0.0;

	for (size_t n = 0; n < trace->steps; ++n)
		sum +=
		    trace->values[n * trace->observation.count + (size_t)place] * cexp(I * omega * (double)(n + 1));
	return sum;
}

/* exp(i k distance) of E between two places, as a wavenumber; `about` tells how many whole waves there are. */
static double complex wavenumber(const struct simulation *simulation, double omega, double distance, double about)
{
	double complex k = -I * clog(transform(simulation, 1, omega) / transform(simulation, 0, omega)) / distance;

	return k + 2.0 * PI / distance * round((about - creal(k)) * distance / (2.0 * PI));
}

/* Runs a current that leaves no charge; records E at two places over the steps. */
static void shine(const struct fdtd_grid *grid, const struct media *media, const struct pulse *pulse, int component,
		  const int (*sources)[3], int source_count, const double *weights, const int (*probes)[3],
		  uint64_t steps, struct simulation *simulation)
{
	struct injection_terms terms = {0};
	const struct current_signal signal = {pulse_at, pulse, 0.0};
	uint64_t places[2];

	succeed(simulation_make(test_device(), grid, media, false, simulation));
	for (int n = 0; n < source_count; ++n)
		succeed(injection_add(
		    &terms, fields_place(&simulation->fields, component, sources[n][0], sources[n][1], sources[n][2]),
		    0, weights != NULL ? weights[n] : 1.0));
	succeed(simulation_add_current(simulation, media, FIELD_E, &terms, &signal, 1));
	free(terms.terms);
	for (int p = 0; p < 2; ++p)
		places[p] = fields_place(&simulation->fields, component, probes[p][0], probes[p][1], probes[p][2]);
	succeed(simulation_add_trace(simulation, FIELD_E, places, 2));
	succeed(simulation_run(simulation, steps, NULL));
}

/* Free waves ------------------------------------------------------------------------------- */

static void check_speed(const int m[3], const double polarization[3], int component, int cells_a_wavelength)
{
	const double courant = 0.5, omega = 2.0 * PI * courant / cells_a_wavelength;
	struct fdtd_grid grid = open_grid(46, 46, 46, courant, 8);
	const struct total_field_box box = {
	    .low = {11, 11, 11}, .high = {35, 35, 35}, .faces = {{1, 1}, {1, 1}, {1, 1}}};
	const struct pulse pulse = {omega, 3.0 * 2.0 * PI / omega, 18.0 * 2.0 * PI / omega};
	struct media media = media_of(&grid, 0);
	struct simulation simulation;
	struct incident_wave wave;
	uint64_t places[2];
	int at[2][3];

	succeed(simulation_make(test_device(), &grid, &media, false, &simulation));
	succeed(incident_make(m, grid.courant, polarization, box.low, box.high, pulse_at, &pulse, &wave));
	succeed(simulation_add_total_field(&simulation, &media, &box, &wave));
	double norm = sqrt((double)(m[0] * m[0] + m[1] * m[1] + m[2] * m[2])), distance = 20.0 * norm;
	for (int p = 0; p < 2; ++p) {
		for (int a = 0; a < 3; ++a)
			at[p][a] = 23 + (p == 0 ? -10 : 10) * m[a];
		places[p] = fields_place(&simulation.fields, component, at[p][0], at[p][1], at[p][2]);
	}
	succeed(simulation_add_trace(&simulation, FIELD_E, places, 2));
	succeed(simulation_run(&simulation, (uint64_t)(2.0 * pulse.middle + 600.0), NULL));
	const struct optical_medium air = {1.0, 1.0, 0.0};
	const struct yee_lattice lattice = {{1.0, 1.0, 1.0}, courant};
	const double direction[3] = {m[0] / norm, m[1] / norm, m[2] / norm};
	double expected = creal(plane_wavenumber_yee(&air, omega / courant, &lattice, direction));
	double complex found = wavenumber(&simulation, omega, distance, expected);
	print_message("wave along %d %d %d, %d cells: k %.9f, should be %.9f, in vacuum %.6f\n", m[0], m[1], m[2],
		      cells_a_wavelength, creal(found), expected, omega / courant);
	assert_true(cabs(found / expected - 1.0) < 1e-6);
	simulation_release(&simulation);
	media_free(&media);
}

static void test_waves_are_as_fast_as_yees_scheme_says(void **state)
{
	static const double z[3] = {0.0, 0.0, 1.0}, across[3] = {1.0, -1.0, 0.0};
	(void)state;

	for (int cells = 10; cells <= 20; cells += 10) {
		check_speed((const int[3]){1, 0, 0}, z, 2, cells);
		check_speed((const int[3]){1, 1, 1}, across, 0, cells);
	}
}

/* Losses ----------------------------------------------------------------------------------- */

static void test_waves_fade_as_losses_say(void **state)
{
	const double courant = 0.5, omega = 2.0 * PI * courant / 16.0;
	struct fdtd_grid grid = {.cells = {1, 1, 1600}, .courant = {0.0, 0.0, courant}};
	const struct pulse pulse = {omega, 3.0 * 2.0 * PI / omega, 18.0 * 2.0 * PI / omega};
	const int source[1][3] = {{0, 0, 800}}, probes[2][3] = {{0, 0, 810}, {0, 0, 860}};
	uint16_t number;
	(void)state;

	for (int a = 0; a < 2; ++a)
		grid.walls[a][0] = grid.walls[a][1] = WALL_PERIODIC;
	for (int loss = 0; loss < 3; ++loss) {
		struct medium medium = {.permittivity = 2.25, .conductivity = 0.02 * loss, .permeability = 1.0};
		struct media media = media_of(&grid, 1);
		struct simulation simulation;
		succeed(media_add(&media, &medium, &number));
		for (int a = 0; a < 3; ++a)
			for (size_t n = 0; n <= media_at(&grid, 1, 1, 1600); ++n)
				succeed(media_set_number(media.edges[a], n, number));
		/* nothing comes back from the ends before the end */
		shine(&grid, &media, &pulse, 0, source, 1, NULL, probes, 1700, &simulation);
		const struct optical_medium glass = {2.25, 1.0, medium.conductivity / courant};
		const struct yee_lattice lattice = {{1.0, 1.0, 1.0}, courant};
		double complex expected =
		    plane_wavenumber_yee(&glass, omega / courant, &lattice, (const double[3]){0.0, 0.0, 1.0});
		double complex found = wavenumber(&simulation, omega, 50.0, creal(expected));
		print_message("conductivity %g: k %.9f %+.9fi, should be %.9f %+.9fi\n", medium.conductivity,
			      creal(found), cimag(found), creal(expected), cimag(expected));
		assert_true(cabs(found / expected - 1.0) < 1e-6);
		simulation_release(&simulation);
		media_free(&media);
	}
}

/* Wave guide ------------------------------------------------------------------------------- */

static void test_wave_guide_has_its_cutoff(void **state)
{
	enum { WIDTH = 20, LENGTH = 360, SOURCE = 60 };
	const double courant = 0.5;
	struct fdtd_grid grid = {.cells = {LENGTH, WIDTH, 1}, .courant = {courant, courant, 0.0}};
	struct media media = media_of(&grid, 0);
	int sources[WIDTH][3];
	double weights[WIDTH];
	(void)state;

	grid.walls[2][0] = grid.walls[2][1] = WALL_PERIODIC;
	grid.layers[0][0] = grid.layers[0][1] = (struct absorbing_layer){40, 4.0, 0.7, 1.0, 0.02, 1.0, 0.0};
	for (int j = 0; j < WIDTH; ++j) {
		sources[j][0] = SOURCE;
		sources[j][1] = j;
		sources[j][2] = 0;
		weights[j] = sin(PI * j / WIDTH);
	}
	/* cutoff: half a wave is the width */
	for (int below = 0; below < 2; ++below) {
		const double cutoff = courant * PI / WIDTH, omega = (below ? 0.8 : 1.4) * cutoff;
		const struct pulse pulse = {omega, 4.0 * 2.0 * PI / omega, 24.0 * 2.0 * PI / omega};
		const int probes[2][3] = {{SOURCE + 10, WIDTH / 2, 0},
					  {below ? SOURCE + 30 : SOURCE + 110, WIDTH / 2, 0}};
		const struct yee_lattice lattice = {{1.0, 1.0, 1.0}, courant};
		double distance = probes[1][0] - probes[0][0];
		struct simulation simulation;
		shine(&grid, &media, &pulse, 2, (const int(*)[3])sources, WIDTH, weights, probes,
		      (uint64_t)(2.0 * pulse.middle + 6000.0), &simulation);
		double complex expected = guide_wavenumber_yee(1, WIDTH, &lattice, omega / courant, 1.0);
		double complex found = wavenumber(&simulation, omega, distance, creal(expected));
		print_message("guide %s cutoff: %.8f %+.8fi, should be %.8f %+.8fi\n", below ? "below" : "above",
			      creal(found), cimag(found), creal(expected), cimag(expected));
		assert_true(cabs(found / expected - 1.0) < (below ? 1e-3 : 1e-4));
		simulation_release(&simulation);
	}
	media_free(&media);
}

/* Symmetry --------------------------------------------------------------------------------- */

/* A current on a plane of symmetry of E sees the same with half of the grid and a magnetic wall there; two currents with unlike signs the same as
 * one with a conductor between; a periodic grid the same as one with several periods and as many currents. */
static void test_half_with_a_mirror_is_the_whole(void **state)
{
	enum { HALF = 14, STEPS = 150 };
	const double courant = 0.5;
	const struct pulse pulse = {2.0 * PI / 18.0, 8.0, 40.0};
	struct simulation whole, part;
	(void)state;

	for (int kind = 0; kind < 3; ++kind)
		for (int axis = 0; axis < 3; ++axis) {
			/* E along `component`, not across the wall */
			const int component = (axis + 1) % 3;
			struct fdtd_grid full = {.cells = {16, 16, 16}, .courant = {courant, courant, courant}},
					 cut = full;
			int sources[2][3], probes[2][3], cut_sources[1][3], cut_probes[2][3];
			double weights[2] = {1.0, kind == 0 ? 1.0 : kind == 1 ? -1.0 : 1.0};
			full.cells[axis] = 2 * HALF;
			cut.cells[axis] = HALF;
			if (kind == 0)
				cut.walls[axis][0] = WALL_MAGNETIC;
			if (kind == 2)
				for (int side = 0; side < 2; ++side)
					full.walls[axis][side] = cut.walls[axis][side] = WALL_PERIODIC;
			for (int a = 0; a < 3; ++a) {
				cut_sources[0][a] = a == axis ? 3 : 7;
				for (int p = 0; p < 2; ++p) {
					cut_probes[p][a] = a == axis ? 1 + 8 * p : 5 + 4 * p;
					probes[p][a] = a == axis ? HALF + cut_probes[p][a] : cut_probes[p][a];
					sources[p][a] = a != axis   ? 7
							: kind == 2 ? 3 + HALF * p
							: p == 0    ? HALF + 3
								    : HALF - 3;
				}
			}
			struct media media = media_of(&full, 0), cut_media = media_of(&cut, 0);
			shine(&full, &media, &pulse, component, (const int(*)[3])sources, 2, weights,
			      (const int(*)[3])probes, STEPS, &whole);
			shine(&cut, &cut_media, &pulse, component, (const int(*)[3])cut_sources, 1, NULL,
			      (const int(*)[3])cut_probes, STEPS, &part);
			double off = 0.0, most = 0.0;
			for (int n = 0; n < 2 * STEPS; ++n) {
				off = fmax(off, fabs(whole.trace[0].values[n] - part.trace[0].values[n]));
				most = fmax(most, fabs(whole.trace[0].values[n]));
			}
			print_message("%s across %c: off by %.2g of %.3g\n",
				      kind == 0   ? "magnetic wall"
				      : kind == 1 ? "conductor"
						  : "periods",
				      "xyz"[axis], off, most);
			assert_true(most > 1e-3 && off <= 1e-13 * most);
			simulation_release(&whole);
			simulation_release(&part);
			media_free(&media);
			media_free(&cut_media);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_waves_are_as_fast_as_yees_scheme_says),
					   cmocka_unit_test(test_waves_fade_as_losses_say),
					   cmocka_unit_test(test_wave_guide_has_its_cutoff),
					   cmocka_unit_test(test_half_with_a_mirror_is_the_whole)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
