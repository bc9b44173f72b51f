/* Far fields of sonde fdtd compared with closed forms: currents in three and two dimensions, also away from the
 * origin; differential scattering and extinction of a glass sphere. */
#include "physics/fields_helper.h"
#include "physics/optics.h"

#include "fdtd/monitors/far_field.h"
#include "fdtd/media/paint.h"
#include "fdtd/simulation/simulation.h"

/* Currents --------------------------------------------------------------------------------- */

struct element {
	int component, node[3];
	double strength;
};

/* Some currents with one form of time, and far fields from boxes round them. */
struct radiator {
	struct fdtd_grid grid;
	bool single;
	double omega;
	int count;
	struct element elements[4];
	int low[3], high[3], further;      /* of a second box, beyond the first one on all sides */
	double permittivity, permeability; /* of what is everywhere; 0: vacuum */
	double origin[3];
};

struct radiated {
	struct far_field far[2];
	double power; /* through the first box */
	double complex source;
};

/* Numbers are 0 everywhere: the only medium. */
static struct media media_everywhere(const struct radiator *radiator)
{
	struct media media;

	succeed(media_make(&radiator->grid, radiator->permittivity > 0.0, radiator->permeability > 0.0, &media));
	if (radiator->permittivity > 0.0)
		media.media[0].permittivity = radiator->permittivity;
	if (radiator->permeability > 0.0)
		media.media[0].permeability = radiator->permeability;
	return media;
}

static void radiate(const struct radiator *radiator, struct radiated *radiated)
{
	const struct pulse pulse = {radiator->omega, 10.0 / radiator->omega, 80.0 / radiator->omega};
	struct media media = media_everywhere(radiator);
	struct injection_terms terms = {0};
	struct simulation simulation;
	struct flux_plane planes[6];
	uint64_t steps = (uint64_t)(2.0 * pulse.middle + 120.0 / radiator->omega);

	succeed(simulation_make(test_device(), &radiator->grid, &media, radiator->single, &simulation));
	for (int n = 0; n < radiator->count; ++n) {
		const struct element *element = &radiator->elements[n];
		succeed(injection_add(&terms,
				      fields_place(&simulation.fields, element->component, element->node[0],
						   element->node[1], element->node[2]),
				      0, element->strength));
	}
	const struct current_signal signal = {pulse_at, &pulse, 0.0};
	succeed(simulation_add_current(&simulation, &media, FIELD_E, &terms, &signal, 1));
	free(terms.terms);
	for (int box = 0; box < 2; ++box) {
		int low[3], high[3];
		for (int a = 0; a < 3; ++a) {
			int more = radiator->grid.courant[a] > 0.0 ? box * radiator->further : 0;
			low[a] = radiator->low[a] - more;
			high[a] = radiator->high[a] + more;
		}
		int count = flux_planes_of_box(&radiator->grid, low, high, planes);
		succeed(simulation_add_spectrum(&simulation, planes, count, &radiator->omega, 1, 1 + (uint32_t)box));
	}
	succeed(simulation_run(&simulation, steps, NULL));
	for (int box = 0; box < 2; ++box)
		succeed(far_field_make(&simulation.fields, &simulation.spectrum[box], radiator->origin,
				       radiator->permittivity > 0.0 ? radiator->permittivity : 1.0,
				       radiator->permeability > 0.0 ? radiator->permeability : 1.0,
				       &radiated->far[box]));
	succeed(spectrum_power(&simulation.fields, &simulation.spectrum[0], &radiated->power));
	radiated->source = 0.0;
	for (uint64_t n = 0; n < steps; ++n)
		radiated->source += pulse_at(&pulse, (double)n + 0.5) * cexp(I * radiator->omega * ((double)n + 0.5));
	simulation_release(&simulation);
	media_free(&media);
}

static void radiated_free(struct radiated *radiated)
{
	far_field_free(&radiated->far[0]);
	far_field_free(&radiated->far[1]);
}

/* i omega exp(ikr)/(4 pi r) of the currents across the direction, each with its phase: by the continuum's
 * wave or by the grid's with 2 S sin(k/(2 S)) = 2 sin(omega/2) along the direction. c = eta_0 = 1, lengths
 * in c dt. */
static void expect_dipoles(const struct radiator *radiator, double complex source, bool of_grid,
			   const struct far_direction *direction, double complex expected[2])
{
	const double s = radiator->grid.courant[0], tilde = 2.0 * sin(0.5 * radiator->omega);
	double vector[3];

	far_direction_vector(direction, vector);
	const double polar[3] = {cos(direction->polar) * cos(direction->azimuth),
				 cos(direction->polar) * sin(direction->azimuth), -sin(direction->polar)},
		     azimuth[3] = {-sin(direction->azimuth), cos(direction->azimuth), 0.0};
	expected[0] = expected[1] = 0.0;
	for (int n = 0; n < radiator->count; ++n) {
		const struct element *element = &radiator->elements[n];
		double phase = 0.0;
		for (int a = 0; a < 3; ++a) {
			double k = of_grid ? 2.0 * s * asin(0.5 * tilde * vector[a] / s)
					   : radiator->omega * vector[a],
			       place = element->node[a] + (a == element->component ? 0.5 : 0.0);
			phase += k * (place - radiator->origin[a]) / s;
		}
		double complex one =
		    I * radiator->omega / (4.0 * PI) * source * element->strength / (s * s * s) * cexp(-I * phase);
		expected[0] += one * polar[element->component];
		expected[1] += one * azimuth[element->component];
	}
}

#define DIRECTIONS 91
static void spread_directions(struct far_direction *directions)
{
	for (int n = 0; n < DIRECTIONS; ++n)
		directions[n] = (struct far_direction){acos(1.0 - (2.0 * n + 1.0) / DIRECTIONS), 2.399963 * n};
}

/* Largest difference from what is expected, over the largest amplitude. */
static double worst_of_dipoles(const struct radiator *radiator, const struct radiated *radiated, int box,
			       bool of_grid)
{
	struct far_direction directions[DIRECTIONS];
	struct far_amplitude found[DIRECTIONS];
	double worst = 0.0, most = 0.0;

	spread_directions(directions);
	succeed(far_field_at(&radiated->far[box], directions, DIRECTIONS, found));
	for (int n = 0; n < DIRECTIONS; ++n) {
		double complex expected[2];
		expect_dipoles(radiator, radiated->source, of_grid, &directions[n], expected);
		most = fmax(most, hypot(cabs(expected[0]), cabs(expected[1])));
		worst = fmax(worst, hypot(cabs(found[n].polar - expected[0]), cabs(found[n].azimuth - expected[1])));
	}
	return worst / most;
}

/* A current along each axis, in the middle of the phases: to rounding that of the continuum, whatever the
 * cells. */
static void test_far_field_of_a_dipole_is_the_closed_form(void **state)
{
	(void)state;
	for (int single = 0; single < 2; ++single)
		for (int axis = 0; axis < 3; ++axis) {
			struct radiator radiator = {.grid = open_grid(36, 36, 36, 0.5, 8),
						    .single = single != 0,
						    .omega = 2.0 * PI * 0.5 / 10.0,
						    .count = 1,
						    .elements = {{axis, {18, 17, 19}, 1.0}},
						    .low = {13, 12, 11},
						    .high = {22, 23, 21},
						    .further = 2};
			struct radiated radiated;
			double power, of_grid;
			for (int a = 0; a < 3; ++a)
				radiator.origin[a] = radiator.elements[0].node[a] + (a == axis ? 0.5 : 0.0);
			radiate(&radiator, &radiated);
			double worst[2] = {worst_of_dipoles(&radiator, &radiated, 0, false),
					   worst_of_dipoles(&radiator, &radiated, 1, false)};
			succeed(far_field_power(&radiated.far[0], false, &power));
			succeed(far_field_power(&radiated.far[0], true, &of_grid));
			const struct optical_medium air = {1.0, 1.0, 0.0};
			double complex moment[3] = {0.0};
			moment[axis] = radiated.source * 8.0; /* cells of (2 c dt)^3 */
			double exact = dipole_power(&air, radiator.omega, moment);
			const struct far_direction across = {axis == 2 ? 0.5 * PI : 0.0, axis == 2 ? 0.3 : 0.0};
			struct far_amplitude amplitude;
			succeed(far_field_at(&radiated.far[0], &across, 1, &amplitude));
			double directivity = far_field_directivity(&radiated.far[0], &amplitude, power);
			print_message(
			    "dipole along %c, float%d: off by %.2g and %.2g in two boxes, its power by %.2g, "
			    "that of the grid by %.2g (%.4f of it), directivity %.12f\n",
			    "xyz"[axis], single ? 32 : 64, worst[0], worst[1], power / exact - 1.0,
			    of_grid / radiated.power - 1.0, radiated.power / exact, directivity);
			double tolerance = single ? 1e-6 : 1e-12;
			assert_true(worst[0] < tolerance && worst[1] < tolerance);
			assert_close(power, exact, tolerance, "power");
			assert_within(directivity, 1.5, tolerance, "directivity");
			assert_close(of_grid, radiated.power, 1e-4, "of grid");
			radiated_free(&radiated);
		}
}

/* In a medium with permittivity and permeability. */
static void test_far_field_in_a_medium_is_the_closed_form(void **state)
{
	struct radiator radiator = {.grid = open_grid(36, 36, 36, 0.5, 8),
				    .omega = 2.0 * PI * 0.5 / 20.0,
				    .count = 1,
				    .elements = {{1, {18, 17, 19}, 1.0}},
				    .low = {13, 12, 11},
				    .high = {22, 23, 21},
				    .further = 2,
				    .origin = {18.0, 17.5, 19.0},
				    .permittivity = 2.25,
				    .permeability = 1.3};
	const struct optical_medium glass = {2.25, 1.3, 0.0};
	struct far_direction directions[DIRECTIONS];
	struct far_amplitude found[DIRECTIONS];
	struct radiated radiated;
	double power, worst = 0.0;

	(void)state;
	radiate(&radiator, &radiated);
	const double complex moment[3] = {0.0, radiated.source * 8.0, 0.0};
	double exact = dipole_power(&glass, radiator.omega, moment);
	succeed(far_field_power(&radiated.far[0], false, &power));
	spread_directions(directions);
	succeed(far_field_at(&radiated.far[1], directions, DIRECTIONS, found));
	for (int n = 0; n < DIRECTIONS; ++n) {
		double vector[3];
		far_direction_vector(&directions[n], vector);
		worst = fmax(worst, fabs(far_field_intensity(&radiated.far[1], &found[n]) -
					 dipole_pattern(&glass, radiator.omega, moment, vector)));
	}
	print_message("dipole in glass: pattern off by %.2g, power by %.2g\n", worst / exact, power / exact - 1.0);
	assert_true(worst < 1e-12 * exact);
	assert_close(power, exact, 1e-12, "power");
	radiated_free(&radiated);
}

/* Away from the middle phases are those of the grid's wavenumber: second order in the cells. */
static void test_displaced_currents_have_the_phases_of_the_grid(void **state)
{
	double worst[2];

	(void)state;
	for (int fine = 0; fine < 2; ++fine) {
		int f = fine + 1, half = 14 * f, all = 2 * half + 8;
		struct radiator radiator = {
		    .grid = open_grid(all + 8, all + 8, all + 8, 0.5, 8),
		    .omega = 2.0 * PI * 0.5 / (12.0 * f),
		    .count = 3,
		    .elements = {{2, {half + 8 + 5 * f, half + 8, half + 8}, 1.0},
				 {0, {half + 8 - 3 * f, half + 8 + 4 * f, half + 8 - 4 * f}, -0.7},
				 {1, {half + 8, half + 8 - 5 * f, half + 8 + 3 * f}, 0.4}},
		    .low = {10, 10, 10},
		    .high = {all - 2, all - 2, all - 2},
		    .further = 1,
		    .origin = {half + 8, half + 8, half + 8}};
		struct radiated radiated;
		radiate(&radiator, &radiated);
		worst[fine] = worst_of_dipoles(&radiator, &radiated, 0, false);
		double of_grid = worst_of_dipoles(&radiator, &radiated, 1, true);
		print_message(
		    "three currents up to half a wavelength apart, %d cells per wavelength: off by %.3g, with the "
		    "grid's phases by %.2g\n",
		    12 * f, worst[fine], of_grid);
		assert_true(of_grid < 1e-12);
		radiated_free(&radiated);
	}
	assert_true(worst[0] < 0.03 && worst[1] < 0.26 * worst[0]);
}

/* Two dimensions ---------------------------------------------------------------------------- */

/* A line of current along the uniform axis, and one across it, on flat cells. */
static void test_far_field_of_a_line_is_the_closed_form(void **state)
{
	(void)state;
	for (int axis = 0; axis < 3; ++axis)
		for (int along = 0; along < 2; ++along) {
			const double s[2] = {0.6, 0.7}, omega = 0.3;
			int b = (axis + 1) % 3, c = (axis + 2) % 3, component = along ? axis : b;
			struct radiator radiator = {.omega = omega, .count = 1, .further = 2};
			struct radiated radiated;
			const struct optical_medium air = {1.0, 1.0, 0.0};
			double worst = 0.0, most = 0.0, power;
			radiator.elements[0] = (struct element){component, {0, 0, 0}, 1.0};
			for (int a = 0; a < 3; ++a) {
				bool open = a != axis;
				radiator.grid.cells[a] = open ? 40 : 1;
				radiator.grid.courant[a] = a == b ? s[0] : a == c ? s[1] : 0.0;
				for (int side = 0; side < 2; ++side) {
					radiator.grid.walls[a][side] = open ? WALL_CONDUCTOR : WALL_PERIODIC;
					if (open)
						radiator.grid.layers[a][side] = absorbing_layer_of(8);
				}
				radiator.low[a] = open ? 14 : 0;
				radiator.high[a] = open ? 26 : 1;
				radiator.elements[0].node[a] = open ? 20 : 0;
				radiator.origin[a] = open ? 20.0 + (a == component ? 0.5 : 0.0) : 0.0;
			}
			radiate(&radiator, &radiated);
			/* far away: E of the line, times sqrt(r) and without its phase */
			double complex moment = radiated.source / (s[0] * s[1]), e_z, h_phi;
			line_field(&air, omega, moment, 1e9, &e_z, &h_phi);
			double complex line = e_z * sqrt(1e9) * cexp(-I * omega * 1e9);
			for (int n = 0; n < 24; ++n) {
				double angle = 2.0 * PI * (n + 0.3) / 24.0, vector[3] = {0.0};
				struct far_amplitude found;
				vector[b] = cos(angle);
				vector[c] = sin(angle);
				const struct far_direction direction = {atan2(hypot(vector[0], vector[1]), vector[2]),
									atan2(vector[1], vector[0])};
				succeed(far_field_at(&radiated.far[n % 2], &direction, 1, &found));
				double size = cabs(line) * (along ? 1.0 : fabs(sin(angle)));
				worst = fmax(worst, fabs(hypot(cabs(found.polar), cabs(found.azimuth)) - size));
				if (axis == 2 && along) /* then the polar angle falls along z */
					worst = fmax(worst, cabs(found.polar + line));
				most = fmax(most, size);
			}
			succeed(far_field_power(&radiated.far[0], true, &power));
			print_message("line of current %s %c: off by %.2g, power of the grid by %.2g\n",
				      along ? "along" : "across", "xyz"[axis], worst / most,
				      power / radiated.power - 1.0);
			assert_true(worst < 1e-7 * most);
			assert_close(power, radiated.power, 1e-4, "power");
			radiated_free(&radiated);
		}
}

/* One dimension: a sheet of current, whose field is -eta/2 J on both sides. */
static void test_far_field_of_a_sheet_is_the_closed_form(void **state)
{
	(void)state;
	for (int axis = 0; axis < 3; ++axis) {
		int across = (axis + 1) % 3;
		struct radiator radiator = {.omega = 0.3, .count = 1, .further = 2};
		struct radiated radiated;
		const struct far_direction directions[2] = {
		    axis == 2 ? (struct far_direction){0.0, 0.0} : (struct far_direction){0.5 * PI, 0.5 * PI * axis},
		    axis == 2 ? (struct far_direction){PI, 0.0}
			      : (struct far_direction){0.5 * PI, PI + 0.5 * PI * axis}};
		struct far_amplitude found[2];
		double power;
		radiator.elements[0] = (struct element){across, {0, 0, 0}, 1.0};
		for (int a = 0; a < 3; ++a) {
			bool open = a == axis;
			radiator.grid.cells[a] = open ? 80 : 1;
			radiator.grid.courant[a] = open ? 0.8 : 0.0;
			for (int side = 0; side < 2; ++side) {
				radiator.grid.walls[a][side] = open ? WALL_CONDUCTOR : WALL_PERIODIC;
				if (open)
					radiator.grid.layers[a][side] = absorbing_layer_of(20);
			}
			radiator.low[a] = open ? 35 : 0;
			radiator.high[a] = open ? 46 : 1;
			radiator.elements[0].node[a] = radiator.origin[a] = open ? 40 : 0;
		}
		radiate(&radiator, &radiated);
		double complex exact = 0.5 * radiated.source / 0.8;
		for (int box = 0; box < 2; ++box) {
			succeed(far_field_at(&radiated.far[box], directions, 2, found));
			for (int n = 0; n < 2; ++n) {
				double off = fabs(hypot(cabs(found[n].polar), cabs(found[n].azimuth)) - cabs(exact));
				assert_true(off < 1e-12 * cabs(exact));
			}
		}
		succeed(far_field_power(&radiated.far[0], true, &power));
		assert_close(power, radiated.power, 1e-6, "power");
		radiated_free(&radiated);
	}
}

/* Sphere ------------------------------------------------------------------------------------ */

#define ANGLES 37
/* In the plane of E, then across it. */
static double angle_of(int n)
{
	return PI * (n % ANGLES) / (ANGLES - 1);
}

static void test_sphere_scatters_by_mies_series(void **state)
{
	enum { RADIUS = 15, SIZES = 5 };
	const double courant = 0.5;
	const int layer = 10, total = RADIUS + 3, monitor = total + 2, half = monitor + 2 + layer, all = 2 * half;
	struct fdtd_grid grid = open_grid(all, all, all, courant, layer);
	struct total_field_box box;
	struct flux_plane planes[6];
	struct simulation simulation;
	struct incident_wave wave, again;
	double omegas[SIZES], power[SIZES], radiated[SIZES], extinguished[SIZES];
	const double center[3] = {half, half, half};
	const struct paint_frame frame = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
	const struct medium glass = {.permittivity = 4.0, .permeability = 1.0};
	int low[3], high[3];
	struct shape *shape;
	uint16_t number;

	(void)state;
	for (int f = 0; f < SIZES; ++f)
		omegas[f] = (1.5 + 0.25 * f) * courant / RADIUS;
	struct pulse pulse = pulse_of_band(0.6 * omegas[0], 1.4 * omegas[SIZES - 1], 2.5);
	struct media media = media_of(&grid, 1);
	succeed(media_add(&media, &glass, &number));
	succeed(shape_create_sphere(center, RADIUS, &shape));
	succeed(paint_shape(&grid, &frame, shape, number, &media));
	shape_free(&shape);
	for (int a = 0; a < 3; ++a) {
		box.low[a] = half - total;
		box.high[a] = half + total;
		box.faces[a][0] = box.faces[a][1] = true;
		low[a] = half - monitor;
		high[a] = half + monitor;
	}
	succeed(simulation_make(test_device(), &grid, &media, true, &simulation));
	for (int copy = 0; copy < 2; ++copy)
		succeed(incident_make((const int[3]){1, 0, 0}, grid.courant, (const double[3]){0.0, 0.0, 1.0},
				      box.low, box.high, pulse_at, &pulse, copy ? &again : &wave));
	succeed(simulation_add_total_field(&simulation, &media, &box, &wave));
	int count = flux_planes_of_box(&grid, low, high, planes);
	succeed(simulation_add_spectrum(&simulation, planes, count, omegas, SIZES,
					spectrum_interval(omegas[SIZES - 1], 3.0 * omegas[SIZES - 1])));
	uint64_t steps = (uint64_t)(2.0 * pulse.middle + 70.0 * RADIUS / courant);
	succeed(simulation_run(&simulation, steps, NULL));
	succeed(spectrum_power(&simulation.fields, &simulation.spectrum[0], power));
	struct far_field far;
	succeed(far_field_make(&simulation.fields, &simulation.spectrum[0], center, 1.0, 1.0, &far));
	double complex incident[SIZES][3];
	struct far_direction directions[2 * ANGLES];
	struct far_amplitude amplitudes[SIZES * 2 * ANGLES];
	for (int n = 0; n < 2 * ANGLES; ++n)
		directions[n] =
		    n < ANGLES ? (struct far_direction){acos(sin(angle_of(n))), cos(angle_of(n)) < 0.0 ? PI : 0.0}
			       : (struct far_direction){0.5 * PI, angle_of(n)};
	succeed(far_field_at(&far, directions, (size_t)2 * ANGLES, amplitudes));
	succeed(incident_sums(&again, center, omegas, SIZES, steps, incident));
	succeed(far_field_power(&far, true, radiated));
	succeed(
	    far_field_extinction(&far, (const int[3]){1, 0, 0}, (const double complex(*)[3])incident, extinguished));
	for (int f = 0; f < SIZES; ++f) {
		struct mie_sphere mie = sphere_of_index(2.0, 1.5 + 0.25 * f);
		double worst = 0.0, most = 0.0;
		for (int n = 0; n < 2 * ANGLES; ++n) {
			double found = far_field_cross_section(&amplitudes[2 * ANGLES * f + n], incident[f]) *
				       courant * courant / (PI * RADIUS * RADIUS),
			       exact = sphere_pattern(&mie, angle_of(n), n < ANGLES ? 0.0 : 0.5 * PI);
			worst = fmax(worst, fabs(found - exact));
			most = fmax(most, exact);
		}
		double area = PI * RADIUS * RADIUS / (courant * courant),
		       intensity = far_field_incident_intensity(&far, incident[f]),
		       exact = sphere_efficiencies(&mie).scattering;
		print_message(
		    "glass sphere of size %.2f: pattern off by %.2f %% of its largest; efficiency %.5f (Mie "
		    "%.5f), by the far field %.5f, by the forward amplitude %.5f\n",
		    1.5 + 0.25 * f, 100.0 * worst / most, power[f] / (intensity * area), exact,
		    radiated[f] / (intensity * area), extinguished[f] / (intensity * area));
		assert_true(worst < 0.03 * most);
		assert_close(radiated[f], power[f], 2e-4, "radiated");
		assert_close(extinguished[f], power[f], 2e-4, "extinguished");
		sphere_free(&mie);
	}
	far_field_free(&far);
	incident_free(&again);
	simulation_release(&simulation);
	media_free(&media);
}

static void test_far_fields_without_meaning_are_refused(void **state)
{
	const double omega = 0.3, origin[3] = {10.0, 10.0, 10.0};
	struct fdtd_grid grid = open_grid(20, 20, 20, 0.5, 4);
	struct media media = media_of(&grid, 0);
	struct simulation simulation;
	struct flux_plane planes[6];
	struct far_field far;

	(void)state;
	succeed(simulation_make(test_device(), &grid, &media, false, &simulation));
	int count = flux_planes_of_box(&grid, (const int[3]){6, 6, 6}, (const int[3]){14, 14, 14}, planes);
	succeed(simulation_add_spectrum(&simulation, planes, count - 1, &omega, 1, 1));
	assert_int_equal(far_field_make(&simulation.fields, &simulation.spectrum[0], origin, 1.0, 1.0, &far),
			 SONDE_INVALID);
	far_field_free(&far);
	planes[3].node = 13;
	succeed(simulation_add_spectrum(&simulation, planes, count, &omega, 1, 1));
	assert_int_equal(far_field_make(&simulation.fields, &simulation.spectrum[1], origin, 1.0, 1.0, &far),
			 SONDE_INVALID);
	far_field_free(&far);
	simulation_release(&simulation);
	media_free(&media);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_far_field_of_a_dipole_is_the_closed_form),
					   cmocka_unit_test(test_displaced_currents_have_the_phases_of_the_grid),
					   cmocka_unit_test(test_far_field_in_a_medium_is_the_closed_form),
					   cmocka_unit_test(test_far_field_of_a_line_is_the_closed_form),
					   cmocka_unit_test(test_far_field_of_a_sheet_is_the_closed_form),
					   cmocka_unit_test(test_sphere_scatters_by_mies_series),
					   cmocka_unit_test(test_far_fields_without_meaning_are_refused)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
