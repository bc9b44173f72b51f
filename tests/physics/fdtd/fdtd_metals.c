/* Surfaces of metals without staircases: absorption of spheres of gold and silver compared with Mie's series, and
 * stability for any bodies. */
#include "physics/fields_helper.h"
#include "physics/optics.h"

#include "fdtd/media/answers.h"
#include "matter/materials/optical_library.h"
#include "fdtd/media/paint.h"
#include "fdtd/simulation/simulation.h"
#include "fdtd/media/smooth.h"

#define SPEED_OF_LIGHT 299792458.0

/* A medium of the library; dt: step of time in seconds. */
static struct medium medium_of_library(const char *name, double dt, struct optical_material *material)
{
	succeed(optical_library_find(name, material));
	struct medium medium = {.permittivity = material->eps_inf, .permeability = 1.0};
	for (int p = 0; p < material->count; ++p) {
		const struct optical_pole *pole = &material->pole[p];
		medium.pole[medium.poles++] =
		    pole->kind == OPTICAL_LORENTZ
			? medium_pole_lorentz(pole->strength, pole->resonance * dt, pole->damping * dt)
			: medium_pole_drude(sqrt(pole->strength) * pole->resonance * dt, pole->damping * dt);
	}
	return medium;
}

/* Spheres --------------------------------------------------------------------------------- */

enum { WAVELENGTHS = 16 };

/* Absorption of a sphere in a wave along z, E along x, from a quarter of it: planes of symmetry are a conductor and a magnetic wall. `flux`: by planes about it. */
static void absorb(const struct medium *metal, int radius, double cell, const double wavelengths[WAVELENGTHS],
		   bool single, double *absorbed, double *flux)
{
	const double courant = 0.5, dt = courant * cell / SPEED_OF_LIGHT;
	const int layer = 11, total = radius + 5, space = total + 5, side = space + layer, all = 2 * side;
	const struct absorbing_layer one = absorbing_layer_of(layer), none = {0};
	struct fdtd_grid grid = {.cells = {side, side, all},
				 .courant = {courant, courant, courant},
				 .walls = {{WALL_CONDUCTOR}, {WALL_MAGNETIC, WALL_CONDUCTOR}},
				 .layers = {{none, one}, {none, one}, {one, one}}};
	const struct total_field_box box = {.low = {0, 0, side - total},
					    .high = {total, total, side + total},
					    .faces = {{false, true}, {false, true}, {true, true}}};
	const int low[3] = {0, 0, side - radius - 3}, high[3] = {radius + 3, radius + 3, side + radius + 3};
	double omegas[WAVELENGTHS];
	struct simulation simulation;
	struct incident_wave wave;
	struct mixtures_count mixed;
	struct flux_plane planes[6];
	struct shape *shape;
	uint16_t number;

	for (int f = 0; f < WAVELENGTHS; ++f)
		omegas[f] = 2.0 * PI * SPEED_OF_LIGHT * dt / wavelengths[f];
	struct pulse pulse = pulse_of_band(omegas[WAVELENGTHS - 1], omegas[0], 1.5);
	pulse.middle = single ? pulse.middle : 8.0 * pulse.width;
	struct media media = media_of(&grid, 1);
	succeed(media_add(&media, metal, &number));
	succeed(shape_create_sphere((const double[3]){0.0, 0.0, side}, radius, &shape));
	const struct body body = {.shape = shape, .medium = number};
	const struct scene scene = {
	    .grid = &grid, .frame = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, .bodies = &body, .count = 1, .threads = 1};
	succeed(paint_scene(&scene, &media));
	succeed(paint_means(&scene, &media, &mixed));
	succeed(paint_answers(&scene, &media));
	shape_free(&shape);
	succeed(simulation_make(test_device(), &grid, &media, single, &simulation));
	succeed(incident_make((const int[3]){0, 0, 1}, grid.courant, (const double[3]){1.0, 0.0, 0.0}, box.low,
			      box.high, pulse_at, &pulse, &wave));
	succeed(simulation_add_total_field(&simulation, &media, &box, &wave));
	const uint32_t every = single ? spectrum_interval(omegas[0], 2.0 * omegas[0]) : 1;
	succeed(simulation_add_spectrum(&simulation, planes, flux_planes_of_box(&grid, low, high, planes), omegas,
					WAVELENGTHS, every));
	succeed(simulation_add_absorption(&simulation, &media, low, high, omegas, WAVELENGTHS, every));
	const uint64_t steps = (uint64_t)(2.0 * pulse.middle + (single ? 30e-15 : 45e-15) / dt);
	succeed(simulation_run(&simulation, steps, NULL));
	succeed(absorption_power(&simulation.fields, &simulation.absorption[0], absorbed));
	succeed(spectrum_power(&simulation.fields, &simulation.spectrum[0], flux));
	for (int f = 0; f < WAVELENGTHS; ++f) {
		double complex incident = 0.0;
		for (uint64_t n = 0; n < steps; ++n)
			incident += pulse_at(&pulse, (double)n) * cexp(I * omegas[f] * (double)n);
		const double unit =
		    0.5 * creal(incident * conj(incident)) * PI * radius * radius / (courant * courant);
		absorbed[f] *= 4.0 / unit;
		flux[f] *= -4.0 / unit;
	}
	simulation_release(&simulation);
	media_free(&media);
}

/* Root mean square of relative errors. */
static double check_sphere(const char *name, int radius, double shortest, double longest)
{
	const double cell = 50e-9 / radius;
	double wavelengths[WAVELENGTHS], absorbed[WAVELENGTHS], flux[WAVELENGTHS], sum = 0.0, apart = 0.0;
	struct optical_material material;

	for (int f = 0; f < WAVELENGTHS; ++f)
		wavelengths[f] = shortest + (longest - shortest) * f / (WAVELENGTHS - 1);
	const struct medium metal = medium_of_library(name, 0.5 * cell / SPEED_OF_LIGHT, &material);
	absorb(&metal, radius, cell, wavelengths, true, absorbed, flux);
	for (int f = 0; f < WAVELENGTHS; ++f) {
		const double k = 2.0 * PI / wavelengths[f];
		struct mie_sphere sphere = sphere_of_index(optical_index(&material, k * SPEED_OF_LIGHT), 50e-9 * k);
		const double error = absorbed[f] / sphere.absorption - 1.0;
		sphere_free(&sphere);
		sum += error * error / WAVELENGTHS;
		apart = fmax(apart, fabs(flux[f] / absorbed[f] - 1.0));
	}
	print_message("sphere of %s, 50 nm, cells of %g nm: absorption off by %.2f %%, both ways %.1e apart\n", name,
		      1e9 * cell, 100.0 * sqrt(sum), apart);
	return sqrt(sum);
}

static void test_spheres_of_metal_absorb_by_mies_series(void **state)
{
	(void)state;
	/* stairs: 31 % and 160 % */
	assert_true(check_sphere("Au-JC", 10, 400e-9, 700e-9) < 0.02);
	assert_true(check_sphere("Ag-JC", 10, 330e-9, 620e-9) < 0.09);
	assert_true(check_sphere("Au-JC", 5, 400e-9, 700e-9) < 0.06);
}

/* Power that enters a box is the loss at edges of the media in it. */
static void test_energy_into_a_box_is_what_it_loses(void **state)
{
	double wavelengths[WAVELENGTHS], absorbed[WAVELENGTHS], flux[WAVELENGTHS], apart = 0.0;
	struct medium metal = {.permittivity = 2.0, .conductivity = 0.3, .permeability = 1.0};
	(void)state;

	metal.pole[metal.poles++] = medium_pole_drude(0.5, 0.15);
	metal.pole[metal.poles++] = medium_pole_debye(2.0, 5.0);
	for (int f = 0; f < WAVELENGTHS; ++f)
		wavelengths[f] = 200e-9 + 20e-9 * f;
	absorb(&metal, 4, 10e-9, wavelengths, false, absorbed, flux);
	for (int f = 0; f < WAVELENGTHS; ++f)
		apart = fmax(apart, fabs(flux[f] / absorbed[f] - 1.0));
	print_message("a sphere with losses of every kind: both ways %.1e apart\n", apart);
	assert_true(apart < 2e-7);
}

/* Growth ---------------------------------------------------------------------------------- */

enum metal { GOLD, SILVER, DAMPED, LOSSLESS, SEVERAL, SEVERAL_DAMPED, CHARGES, RELAXING };
enum form { BALL, EGG, ROD, BLOCK, SHELL, TIP, PAIR, ON_GLASS, FOIL, FORMS };
enum sides { CLOSED, OPEN, THROUGH, PERIODIC, BLOCH, MIRRORS };

static const struct setup {
	const char *name;
	enum metal metal;
	enum form form;
	enum sides sides;
} setups[] = {{"gold ball, closed", GOLD, BALL, CLOSED},
	      {"silver ball, closed", SILVER, BALL, CLOSED},
	      {"Drude ball without losses, closed", LOSSLESS, BALL, CLOSED},
	      {"ball of several poles, closed", SEVERAL, BALL, CLOSED},
	      {"conducting ball, closed", CHARGES, BALL, CLOSED},
	      {"relaxing ball, closed", RELAXING, BALL, CLOSED},
	      {"gold ball, open", GOLD, BALL, OPEN},
	      {"silver ellipsoid, open", SILVER, EGG, OPEN},
	      {"Drude ellipsoid without losses, closed", LOSSLESS, EGG, CLOSED},
	      {"ellipsoid of several poles, periodic", SEVERAL, EGG, PERIODIC},
	      {"gold rod, periodic", GOLD, ROD, PERIODIC},
	      {"Drude rod without losses, periodic", LOSSLESS, ROD, PERIODIC},
	      {"rod of several poles, Bloch", SEVERAL, ROD, BLOCH},
	      {"gold rod through layers", GOLD, ROD, THROUGH},
	      {"Drude rod through layers", DAMPED, ROD, THROUGH},
	      {"silver block, turned, closed", SILVER, BLOCK, CLOSED},
	      {"Drude block without losses, turned, periodic", LOSSLESS, BLOCK, PERIODIC},
	      {"block of several poles through layers", SEVERAL_DAMPED, BLOCK, THROUGH},
	      {"gold shell, closed", GOLD, SHELL, CLOSED},
	      {"Drude shell without losses, mirrors", LOSSLESS, SHELL, MIRRORS},
	      {"silver tip, closed", SILVER, TIP, CLOSED},
	      {"Drude tip without losses, Bloch", LOSSLESS, TIP, BLOCH},
	      {"silver balls that touch, mirrors", SILVER, PAIR, MIRRORS},
	      {"Drude ball without losses on slanting glass, closed", LOSSLESS, ON_GLASS, CLOSED},
	      {"gold ball on slanting glass through layers", GOLD, ON_GLASS, THROUGH},
	      {"silver foil, slanting, Bloch", SILVER, FOIL, BLOCH}};

static struct medium medium_of(enum metal metal)
{
	struct optical_material material;
	struct medium medium = {.permittivity = 1.0, .permeability = 1.0};
	const double dt = 0.5 * 5e-9 / SPEED_OF_LIGHT;

	switch (metal) {
	case GOLD:
		return medium_of_library("Au-JC", dt, &material);
	case SILVER:
		return medium_of_library("Ag-JC", dt, &material);
	case DAMPED:
	case LOSSLESS:
		medium.pole[medium.poles++] = medium_pole_drude(0.25, metal == DAMPED ? 0.05 : 0.0);
		break;
	case SEVERAL:
	case SEVERAL_DAMPED:
		medium.permittivity = 4.0;
		medium.pole[medium.poles++] = medium_pole_drude(0.6, metal == SEVERAL ? 0.003 : 0.1);
		medium.pole[medium.poles++] = medium_pole_lorentz(1.5, 0.3, metal == SEVERAL ? 0.01 : 0.1);
		medium.pole[medium.poles++] = medium_pole_lorentz(0.8, 0.8, metal == SEVERAL ? 0.0 : 0.1);
		break;
	case CHARGES:
		medium.permittivity = 3.0;
		medium.conductivity = 0.4;
		break;
	case RELAXING:
		medium.permittivity = 2.0;
		medium.pole[medium.poles++] = medium_pole_debye(5.0, 20.0);
		break;
	}
	return medium;
}

static void make_grid(enum sides sides, struct fdtd_grid *grid)
{
	*grid = (struct fdtd_grid){.cells = {24, 22, 23}, .courant = {0.5, 0.5, 0.5}};
	for (int a = 0; a < 3; ++a)
		for (int side = 0; side < 2; ++side)
			switch (sides) {
			case CLOSED: /* nearly the longest step */
				grid->courant[a] = 0.57;
				break;
			case OPEN:
			case THROUGH:
				grid->layers[a][side] = absorbing_layer_of(6);
				break;
			case PERIODIC:
			case BLOCH:
				grid->walls[a][side] = a == 1 ? WALL_CONDUCTOR : WALL_PERIODIC;
				break;
			case MIRRORS:
				grid->walls[a][side] = side == 0 ? WALL_MAGNETIC : WALL_CONDUCTOR;
			}
	grid->bloch = sides == BLOCH;
	grid->phase[0] = sides == BLOCH ? 0.9 : 0.0;
}

/* Two bodies at most, the glass below the metal. Returns how many. */
static int make_bodies(const struct setup *setup, const uint16_t numbers[2], struct shape *shapes[2],
		       struct body bodies[2])
{
	const double middle[3] = {12.3, 10.9, 11.6}, slant[3] = {0.3, 1.0, 0.45}, far = 60.0;
	const double reach = setup->sides == THROUGH ? 100.0 : setup->sides == CLOSED ? 16.0 : 100.0;
	struct shape_axes axes;
	struct shape *shell;
	int count = 1;

	succeed(shape_axes_turn((const double[3]){25.0, 40.0, 10.0}, &axes));
	bodies[0] = (struct body){.medium = numbers[0]};
	switch (setup->form) {
	case BALL:
		succeed(shape_create_sphere(middle, 4.3, &shapes[0]));
		break;
	case EGG:
		succeed(shape_create_ellipsoid(middle, (const double[3]){2.2, 3.4, 5.3}, &axes, &shapes[0]));
		break;
	case ROD:
		succeed(shape_create_cylinder(middle, slant, reach, (const double[2]){3.3, 3.3}, &shapes[0]));
		break;
	case BLOCK:
		succeed(shape_create_box((const double[3]){8.0, 5.0, setup->sides == THROUGH ? -far : 7.5},
					 (const double[3]){15.0, 15.5, setup->sides == THROUGH ? far : 14.0}, &axes,
					 &shapes[0]));
		break;
	case SHELL:
		succeed(shape_create_sphere(middle, 5.4, &shapes[0]));
		succeed(shape_create_sphere(middle, 4.7, &shapes[1]));
		succeed(shape_create_shell(&shapes[0], &shapes[1], 0.0, &shell));
		shapes[0] = shell;
		break;
	case TIP:
		succeed(shape_create_cylinder(middle, slant, 13.0, (const double[2]){4.5, 0.0}, &shapes[0]));
		break;
	case PAIR:
		succeed(shape_create_sphere((const double[3]){8.0, 10.9, 11.6}, 3.7, &shapes[0]));
		succeed(shape_create_sphere((const double[3]){15.4, 10.9, 11.6}, 3.7, &shapes[1]));
		bodies[1] = (struct body){.medium = numbers[0]};
		count = 2;
		break;
	case ON_GLASS:
		succeed(shape_create_box((const double[3]){-far, -far, -far}, (const double[3]){far, far, 9.0}, &axes,
					 &shapes[0]));
		succeed(shape_create_sphere(middle, 4.3, &shapes[1]));
		bodies[0].medium = numbers[1];
		bodies[1] = (struct body){.medium = numbers[0]};
		count = 2;
		break;
	case FOIL:
		succeed(shape_create_box((const double[3]){4.0, 5.0, 11.0}, (const double[3]){19.0, 17.0, 11.9},
					 &axes, &shapes[0]));
		break;
	case FORMS:
		break;
	}
	for (int n = 0; n < count; ++n)
		bodies[n].shape = shapes[n];
	return count;
}

static void paint(const struct setup *setup, bool smooth, const struct fdtd_grid *grid, struct media *media)
{
	const struct medium glass = {.permittivity = 2.25, .permeability = 1.0}, metal = medium_of(setup->metal);
	struct shape *shapes[2] = {NULL, NULL};
	struct body bodies[2];
	struct mixtures_count mixed;
	uint16_t numbers[2];

	*media = media_of(grid, 1);
	succeed(media_add(media, &metal, &numbers[0]));
	succeed(media_add(media, &glass, &numbers[1]));
	const struct scene scene = {.grid = grid,
				    .frame = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}},
				    .bodies = bodies,
				    .count = make_bodies(setup, numbers, shapes, bodies),
				    .threads = 1};
	succeed(paint_scene(&scene, media));
	succeed(paint_means(&scene, media, &mixed));
	if (smooth)
		succeed(paint_answers(&scene, media));
	succeed(paint_smooth(&scene, media));
	for (int n = 0; n < 2; ++n)
		shape_free(&shapes[n]);
}

/* The largest eigenvalue of the sum of weights b b over all answers, by powers. */
static double largest_sum(const struct answers *answers)
{
	double *x = malloc(answers->edge_count * sizeof *x), *y = malloc(answers->edge_count * sizeof *y),
	       length = 0.0;

	assert_true(x != NULL && y != NULL);
	for (size_t n = 0; n < answers->edge_count; ++n)
		x[n] = golden_number(n + 3);
	for (int times = 0; times < 200; ++times) {
		length = 0.0;
		memset(y, 0, answers->edge_count * sizeof *y);
		for (size_t n = 0; n < answers->count; ++n) {
			const struct answer *answer = &answers->answers[n];
			double sum = 0.0;
			assert_true(answer->weight > 0.0);
			for (size_t m = 0; m < EDGES_OF_ANSWER; ++m)
				sum += answer->parts[m] * x[answer->edges[m]];
			for (size_t m = 0; m < EDGES_OF_ANSWER; ++m)
				y[answer->edges[m]] += answer->weight * answer->parts[m] * sum;
		}
		for (size_t n = 0; n < answers->edge_count; ++n)
			length += y[n] * y[n];
		length = sqrt(length);
		for (size_t n = 0; n < answers->edge_count; ++n)
			x[n] = y[n] / length;
	}
	free(x);
	free(y);
	return length;
}

/* Squares of H at times of the third and the last quarter of a run: how much larger those are, as a field. */
static double growth_of(const struct fdtd_grid *grid, const struct media *media, uint64_t steps)
{
	enum { LOOKS = 12 };
	const size_t count = media_at(grid, grid->cells[0], grid->cells[1], grid->cells[2]) + 1;
	struct simulation simulation;
	double sums[2] = {0.0, 0.0};

	succeed(simulation_make(test_device(), grid, media, false, &simulation));
	for (int c = 0; c < 3; ++c) { /* round the faces of a cube, so that there are no charges */
		const int a = (c + 1) % 3, b = (c + 2) % 3;
		double *values = component_of(&simulation.fields, FIELD_E, c);
		for (int n = 0; n < 4; ++n) {
			int node[3] = {8, 7, 14};
			node[a] += n % 2;
			node[b] += n / 2;
			values[media_at(grid, node[0], node[1], node[2])] =
			    (n % 2 == 0 ? 1.0 : -1.0) - (n / 2 == 0 ? 1.0 : -1.0);
		}
		succeed(fields_write(&simulation.fields, FIELD_E, c, values));
		free(values);
	}
	succeed(simulation_run(&simulation, steps / 2, NULL));
	for (int look = 0; look < 2 * LOOKS; ++look) {
		succeed(simulation_run(&simulation, steps / (4 * LOOKS), NULL));
		for (int c = 0; c < 3; ++c) {
			double *values = component_of(&simulation.fields, FIELD_H, c);
			for (size_t n = 0; n < count; ++n)
				sums[look / LOOKS] += values[n] * values[n];
			free(values);
		}
	}
	simulation_release(&simulation);
	return sqrt(sums[1] / fmax(sums[0], 1e-300));
}

static void test_nothing_grows_at_metals(void **state)
{
	const char *wanted = getenv("SONDE_TEST_STEPS");
	const uint64_t steps = wanted != NULL ? strtoull(wanted, NULL, 10) : 960;
	(void)state;

	for (size_t n = 0; n < sizeof setups / sizeof *setups; ++n) {
		struct fdtd_grid grid;
		struct media media, stairs;
		make_grid(setups[n].sides, &grid);
		paint(&setups[n], true, &grid, &media);
		assert_non_null(media.answers);
		assert_true(largest_sum(media.answers) < 1.0 + 1e-12);
		const double growth = growth_of(&grid, &media, steps);
		if (wanted != NULL && growth > 1.005) {
			paint(&setups[n], false, &grid, &stairs);
			print_message("stairs %.4g: ", growth_of(&grid, &stairs, steps));
			media_free(&stairs);
		}
		print_message("%s: %zu edges, %zu answers, %u terms, times %.4f\n", setups[n].name,
			      media.answers->edge_count, media.answers->count,
			      media.answers->first_terms[media.answers->edge_count], growth);
		assert_true(wanted != NULL || growth < 1.1);
		media_free(&media);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_spheres_of_metal_absorb_by_mies_series),
					   cmocka_unit_test(test_energy_into_a_box_is_what_it_loses),
					   cmocka_unit_test(test_nothing_grows_at_metals)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
