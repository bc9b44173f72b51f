/* sonde fdtd against closed forms: the slab, also lossy; a point current's field and power; spheres of glass and metal in a plane wave. Limits are
 * those of an independent implementation of the same equations at the same number of cells. */
#include "physics/fields_helper.h"
#include "physics/optics.h"

#include "fdtd/simulation.h"

/* Forms of time --------------------------------------------------------------------------- */

/* A Gaussian pulse about a frequency. */
struct pulse {
	double angular_frequency, width, begin; /* radians a step, steps */
};

static double pulse_at(const void *user, double time)
{
	const struct pulse *pulse = user;
	double t = (time - pulse->begin) / pulse->width;

	return sin(pulse->angular_frequency * (time - pulse->begin)) * exp(-0.5 * t * t);
}

/* The band from low to high: 1/50 of the largest at its ends. */
static struct pulse pulse_of_band(double low, double high)
{
	double width = 2.8 / (0.5 * (high - low));

	return (struct pulse){0.5 * (low + high), width, 5.5 * width};
}

static double pulse_end(const struct pulse *pulse)
{
	return 2.0 * pulse->begin;
}

/* Slab ------------------------------------------------------------------------------------- */

#define FREQUENCIES 41

struct slab {
	double reflected, transmitted, sum; /* largest errors; of R + T - 1 */
};

/* A slab of thickness 1, so many cells, across z; frequencies from 0.4 to 0.8 (c = 1). The incident wave enters before it. `incident` gets the
 * power of the wave alone where there is no slab, and is used where there is one. */
static void run_slab(int cells, double permittivity, double conductivity, bool there, bool single, double *reflected,
		     double *transmitted)
{
	const double courant = 0.5;
	const int layer = 60, before = 30, space = cells, first = layer + before + space, all = 2 * first + cells;
	struct fdtd_grid grid = {.cells = {1, 1, all}, .courant = {0.0, 0.0, courant}};
	struct total_field_box box = {.low = {0, 0, layer + before}, .high = {1, 1, all}};
	double omegas[FREQUENCIES];
	struct simulation simulation;
	struct incident_wave wave;

	for (int a = 0; a < 3; ++a)
		grid.walls[a][0] = grid.walls[a][1] = a == 2 ? WALL_CONDUCTOR : WALL_PERIODIC;
	grid.layers[2][0] = grid.layers[2][1] = absorbing_layer_of(layer);
	box.faces[2][0] = true;
	for (int f = 0; f < FREQUENCIES; ++f)
		omegas[f] = 2.0 * PI * (0.4 + 0.01 * f) * courant / cells;
	struct pulse pulse = pulse_of_band(omegas[0], omegas[FREQUENCIES - 1]);
	struct media media = media_of(&grid, 1);
	/* losses: sigma in epsilon_0 c/thickness */
	struct medium glass = {permittivity, conductivity * courant / cells, 1.0, 0.0, 0},
		      rim = {0.5 * (1.0 + permittivity), 0.5 * glass.conductivity, 1.0, 0.0, 0};
	uint16_t numbers[2];
	succeed(media_add(&media, &glass, &numbers[0]));
	succeed(media_add(&media, &rim, &numbers[1]));
	for (int k = first; k <= first + cells && there; ++k)
		for (int a = 0; a < 2; ++a)
			media.edges[a][media_at(&grid, 0, 0, k)] = numbers[k == first || k == first + cells];
	succeed(simulation_make(test_device(), &grid, &media, single, &simulation));
	succeed(incident_make((const int[3]){0, 0, 1}, grid.courant, (const double[3]){1.0, 0.0, 0.0}, box.low,
			      box.high, pulse_at, &pulse, &wave));
	succeed(simulation_add_total_field(&simulation, &media, &box, &wave));
	for (int side = 0; side < 2; ++side) {
		struct flux_plane plane = {.axis = 2,
					   .node = side == 0 ? layer + before / 2 : first + cells + space / 2,
					   .high = {1, 1, 0},
					   .sign = side == 0 ? -1.0 : 1.0};
		succeed(simulation_add_spectrum(&simulation, &plane, 1, omegas, FREQUENCIES, 1));
	}
	succeed(simulation_run(&simulation, (uint64_t)(pulse_end(&pulse) + 60.0 * cells / courant), NULL));
	succeed(spectrum_power(&simulation.fields, &simulation.spectrum[0], reflected));
	succeed(spectrum_power(&simulation.fields, &simulation.spectrum[1], transmitted));
	simulation_release(&simulation);
	media_free(&media);
}

static struct slab check_slab(int cells, double conductivity, bool single)
{
	double incident[FREQUENCIES], reflected[FREQUENCIES], transmitted[FREQUENCIES], none[FREQUENCIES];
	struct slab worst = {0.0, 0.0, 0.0};

	run_slab(cells, 4.0, conductivity, false, single, none, incident);
	run_slab(cells, 4.0, conductivity, true, single, reflected, transmitted);
	for (int f = 0; f < FREQUENCIES; ++f) {
		double k = 2.0 * PI * (0.4 + 0.01 * f), r = reflected[f] / incident[f],
		       t = transmitted[f] / incident[f];
		struct optical_layer layers[3] = {
		    {1.0, 1.0, 0.0}, {4.0 + I * conductivity / k, 1.0, 1.0}, {1.0, 1.0, 0.0}};
		struct stack_response exact = stack_response(layers, 3, k, 0.0, POLARIZATION_S);
		worst.reflected = fmax(worst.reflected, fabs(r - exact.reflectance));
		worst.transmitted = fmax(worst.transmitted, fabs(t - exact.transmittance));
		worst.sum = fmax(worst.sum, fabs(r + t - 1.0));
		assert_true(fabs(none[f]) < 1e-6 * incident[f]);
	}
	print_message("slab, %d cells, sigma %g, %s: R off by %.3g, T by %.3g, R + T by %.2g\n", cells, conductivity,
		      single ? "float32" : "float64", worst.reflected, worst.transmitted, worst.sum);
	return worst;
}

static void slab(void **state)
{
	(void)state;
	struct slab found = check_slab(20, 0.0, false);
	assert_true(found.reflected <= 3.5e-2 && found.sum <= 1e-6);
	found = check_slab(40, 0.0, false);
	assert_true(found.reflected <= 8.8e-3 && found.sum <= 1e-6);
	found = check_slab(80, 0.0, false);
	assert_true(found.reflected <= 2.2e-3 && found.sum <= 1e-6);
	found = check_slab(40, 0.0, true);
	assert_true(found.reflected <= 8.8e-3 && found.sum <= 1e-5);
	found = check_slab(40, 0.5, false);
	assert_true(found.reflected <= 7.5e-3 && found.transmitted <= 7.5e-3);
}

/* Dipole ----------------------------------------------------------------------------------- */

static void check_dipole(int cells_a_wavelength, double tolerance, double power_ratio, double power_tolerance)
{
	enum { PLACES = 4 };
	const double courant = 0.5, omega = 2.0 * PI * courant / cells_a_wavelength;
	const int layer = 11, half = (int)(1.6 * cells_a_wavelength), all = 2 * (half + layer), middle = half + layer;
	struct fdtd_grid grid = open_grid(all, all, all, courant, layer);
	struct media media = media_of(&grid, 0);
	struct pulse pulse = {omega, 1.5 * cells_a_wavelength / courant, 8.0 * cells_a_wavelength / courant};
	struct injection_terms terms = {0};
	struct simulation simulation;
	struct flux_plane planes[6];
	const double no_delay = 0.0;
	double worst = 0.0, power;
	uint64_t places[PLACES];
	int steps = (int)(pulse_end(&pulse) + 8.0 * half / courant), nodes[PLACES];
	double complex sums[PLACES] = {0}, source = 0.0;

	succeed(simulation_make(test_device(), &grid, &media, false, &simulation));
	succeed(injection_add(&terms, fields_place(&simulation.fields, 2, middle, middle, middle), 0, 1.0));
	succeed(simulation_add_current(&simulation, &media, &terms, &no_delay, 1, pulse_at, &pulse));
	for (int p = 0; p < PLACES; ++p) {
		nodes[p] = (int)lround((0.5 + 0.3 * p) * cells_a_wavelength);
		places[p] = fields_place(&simulation.fields, 2, middle + nodes[p], middle, middle);
	}
	succeed(simulation_add_trace(&simulation, FIELD_E, places, PLACES));
	int low = middle - half + 4, high = middle + half - 4;
	int count =
	    flux_planes_of_box(&grid, (const int[3]){low, low, low}, (const int[3]){high, high, high}, planes);
	succeed(simulation_add_spectrum(&simulation, planes, count, &omega, 1, 1));
	succeed(simulation_run(&simulation, (uint64_t)steps, NULL));
	for (int n = 0; n < steps; ++n) {
		for (int p = 0; p < PLACES; ++p)
			sums[p] += simulation.trace[0].values[n * PLACES + p] * cexp(I * omega * (n + 1.0));
		source += pulse_at(&pulse, n + 0.5) * cexp(I * omega * (n + 0.5));
	}
	/* c = epsilon_0 = mu_0 = 1 and cells of 1: E grows by -S J a step, so that J is the current through a cell */
	const struct optical_medium air = {1.0, 1.0, 0.0};
	const double complex moment[3] = {0.0, 0.0, source};
	for (int p = 0; p < PLACES; ++p) {
		double separation[3] = {nodes[p], 0.0, 0.0};
		/* a step is S: the sums over steps of E and of J have the same */
		struct optical_field exact = dipole_field(&air, omega / courant, moment, separation);
		double complex found = sums[p] * courant;
		worst = fmax(worst, cabs(found - exact.e[2]) / cabs(exact.e[2]));
	}
	succeed(spectrum_power(&simulation.fields, &simulation.spectrum[0], &power));
	/* areas are in (c dt)^2 */
	power *= courant * courant * courant * courant;
	double ratio = power / dipole_power(&air, omega / courant, moment);
	print_message("dipole, %d cells a wavelength: field off by %.3g, power %.5f of the exact\n",
		      cells_a_wavelength, worst, ratio);
	assert_true(worst <= tolerance);
	assert_true(fabs(ratio - power_ratio) < power_tolerance);
	free(terms.terms);
	simulation_release(&simulation);
	media_free(&media);
}

static void dipole(void **state)
{
	(void)state;
	check_dipole(10, 0.105, 1.028, 0.005);
	check_dipole(20, 0.026, 1.0067, 0.002);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(slab), cmocka_unit_test(dipole)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
