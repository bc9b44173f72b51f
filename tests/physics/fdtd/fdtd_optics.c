/* sonde fdtd compared with closed forms: slabs, also lossy; field and power of a point current; spheres of glass and
 * metal in a plane wave. Limits are those of an independent implementation of the same equations with the same number
 * of cells. */
#include "physics/fields_helper.h"
#include "physics/optics.h"

#include "fdtd/simulation/simulation.h"

/* Slab ------------------------------------------------------------------------------------- */

#define FREQUENCIES 41

/* Medium of a slab; frequencies for c = thickness = 1. */
struct glass {
	double permittivity, conductivity;
	double lorentz[3]; /* strength, resonance, damping; strength 0: none */
	double drude[2];   /* plasma frequency, damping */
	double debye[2];   /* strength, relaxation time */
};

static double complex permittivity_of(const struct glass *glass, double omega)
{
	double complex found = glass->permittivity + I * glass->conductivity / omega;
	const double *l = glass->lorentz, *d = glass->drude, *r = glass->debye;

	if (l[0] > 0.0)
		found += l[0] * l[1] * l[1] / (l[1] * l[1] - omega * omega - I * omega * l[2]);
	if (d[0] > 0.0)
		found -= d[0] * d[0] / (omega * omega + I * omega * d[1]);
	if (r[0] > 0.0)
		found += r[0] / (1.0 - I * omega * r[1]);
	return found;
}

/* `share` of what it is, the rest vacuum: for the edges of its faces. */
static struct medium medium_of(const struct glass *glass, double step, double share)
{
	struct medium medium = {.permittivity = 1.0 + share * (glass->permittivity - 1.0),
				.conductivity = share * glass->conductivity * step,
				.permeability = 1.0};

	if (glass->lorentz[0] > 0.0)
		medium.pole[medium.poles++] = medium_pole_lorentz(share * glass->lorentz[0], glass->lorentz[1] * step,
								  glass->lorentz[2] * step);
	if (glass->drude[0] > 0.0)
		medium.pole[medium.poles++] =
		    medium_pole_drude(sqrt(share) * glass->drude[0] * step, glass->drude[1] * step);
	if (glass->debye[0] > 0.0)
		medium.pole[medium.poles++] = medium_pole_debye(share * glass->debye[0], glass->debye[1] / step);
	return medium;
}

struct slab_errors {
	double reflected, transmitted, sum; /* largest errors; of R + T - 1 */
};

/* A slab of thickness 1 across z, divided into `cells`, or none; frequencies from 0.4 to 0.8 (c = 1). The wave enters before it. */
static void run_slab(int cells, const struct glass *glass, bool single, double *reflected, double *transmitted)
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
	struct pulse pulse = pulse_of_band(omegas[0], omegas[FREQUENCIES - 1], 2.8);
	struct media media = media_of(&grid, 1);
	const struct glass none = {.permittivity = 1.0};
	struct medium inside = medium_of(glass != NULL ? glass : &none, courant / cells, 1.0),
		      rim = medium_of(glass != NULL ? glass : &none, courant / cells, 0.5);
	uint16_t numbers[2];
	succeed(media_add(&media, &inside, &numbers[0]));
	succeed(media_add(&media, &rim, &numbers[1]));
	for (int k = first; k <= first + cells; ++k)
		for (int a = 0; a < 2; ++a)
			succeed(media_set_number(media.edges[a], media_at(&grid, 0, 0, k),
						 numbers[k == first || k == first + cells]));
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
	succeed(simulation_run(&simulation, (uint64_t)(2.0 * pulse.middle + 60.0 * cells / courant), NULL));
	succeed(spectrum_power(&simulation.fields, &simulation.spectrum[0], reflected));
	succeed(spectrum_power(&simulation.fields, &simulation.spectrum[1], transmitted));
	simulation_release(&simulation);
	media_free(&media);
}

static struct slab_errors check_slab(const char *what, int cells, const struct glass *glass, bool single)
{
	double incident[FREQUENCIES], reflected[FREQUENCIES], transmitted[FREQUENCIES], none[FREQUENCIES];
	struct slab_errors worst = {0.0, 0.0, 0.0};

	run_slab(cells, NULL, single, none, incident);
	run_slab(cells, glass, single, reflected, transmitted);
	for (int f = 0; f < FREQUENCIES; ++f) {
		double k = 2.0 * PI * (0.4 + 0.01 * f), r = reflected[f] / incident[f],
		       t = transmitted[f] / incident[f];
		struct optical_layer layers[3] = {
		    {1.0, 1.0, 0.0}, {permittivity_of(glass, k), 1.0, 1.0}, {1.0, 1.0, 0.0}};
		struct stack_response exact = stack_response(layers, 3, k, 0.0, POLARIZATION_S);
		worst.reflected = fmax(worst.reflected, fabs(r - exact.reflectance));
		worst.transmitted = fmax(worst.transmitted, fabs(t - exact.transmittance));
		worst.sum = fmax(worst.sum, fabs(r + t - 1.0));
		assert_within(none[f], 0.0, 1e-6 * incident[f], "none");
	}
	print_message("slab of %s, %d cells, %s: R off by %.3g, T by %.3g, R + T by %.2g\n", what, cells,
		      single ? "float32" : "float64", worst.reflected, worst.transmitted, worst.sum);
	return worst;
}

static void test_slab_follows_airy(void **state)
{
	const struct glass glass = {.permittivity = 4.0}, lossy = {.permittivity = 4.0, .conductivity = 0.5};
	(void)state;

	struct slab_errors found = check_slab("glass", 20, &glass, false);
	assert_true(found.reflected <= 3.5e-2 && found.sum <= 1e-6);
	found = check_slab("glass", 40, &glass, false);
	assert_true(found.reflected <= 8.8e-3 && found.sum <= 1e-6);
	found = check_slab("glass", 80, &glass, false);
	assert_true(found.reflected <= 2.2e-3 && found.sum <= 1e-6);
	found = check_slab("glass", 40, &glass, true);
	assert_true(found.reflected <= 8.8e-3 && found.sum <= 1e-5);
	found = check_slab("lossy glass", 40, &lossy, false);
	assert_true(found.reflected <= 7.5e-3 && found.transmitted <= 7.5e-3);
}

/* Errors fall with the square of the cells. */
static void test_errors_of_poles_fall_with_the_square(void **state)
{
	static const struct {
		const char *what;
		struct glass glass;
	} cases[] = {{"a Lorentz medium", {.permittivity = 2.0, .lorentz = {1.0, 5.5, 0.3}}},
		     {"an undamped Lorentz medium", {.permittivity = 1.5, .lorentz = {1.2, 9.0, 0.0}}},
		     {"a Drude metal", {.permittivity = 1.0, .drude = {4.0, 0.2}}},
		     {"a Debye liquid", {.permittivity = 1.8, .debye = {1.5, 0.2}}},
		     {"all of them", {1.5, 0.1, {0.5, 6.0, 0.5}, {2.0, 0.1}, {0.3, 0.1}}}};
	(void)state;

	for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
		struct slab_errors coarse = check_slab(cases[k].what, 40, &cases[k].glass, false),
				   fine = check_slab(cases[k].what, 80, &cases[k].glass, false),
				   single = check_slab(cases[k].what, 80, &cases[k].glass, true);
		assert_true(coarse.reflected < 1e-2 && coarse.transmitted < 1e-2);
		assert_true(fine.reflected < 0.27 * coarse.reflected && fine.transmitted < 0.27 * coarse.transmitted);
		assert_within(single.reflected, fine.reflected, 1e-5, "reflected");
	}
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
	const struct current_signal signal = {pulse_at, &pulse, 0.0};
	double worst = 0.0, power;
	uint64_t places[PLACES];
	int steps = (int)(2.0 * pulse.middle + 8.0 * half / courant), nodes[PLACES];
	double complex sums[PLACES] = {0}, source = 0.0;

	succeed(simulation_make(test_device(), &grid, &media, false, &simulation));
	succeed(injection_add(&terms, fields_place(&simulation.fields, 2, middle, middle, middle), 0, 1.0));
	succeed(simulation_add_current(&simulation, &media, FIELD_E, &terms, &signal, 1));
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
	print_message("dipole, %d cells per wavelength: field off by %.3g, power %.5f of the exact\n",
		      cells_a_wavelength, worst, ratio);
	assert_true(worst <= tolerance);
	assert_within(ratio, power_ratio, power_tolerance, "ratio");
	free(terms.terms);
	simulation_release(&simulation);
	media_free(&media);
}

static void test_dipole_has_its_field_and_power(void **state)
{
	(void)state;
	check_dipole(10, 0.105, 1.028, 0.005);
	check_dipole(20, 0.026, 1.0067, 0.002);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_slab_follows_airy),
					   cmocka_unit_test(test_errors_of_poles_fall_with_the_square),
					   cmocka_unit_test(test_dipole_has_its_field_and_power)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
