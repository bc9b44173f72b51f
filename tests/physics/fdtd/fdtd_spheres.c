/* sonde fdtd compared with Mie's series: scattering of spheres of glass and of a perfect conductor, from the power
 * through a box in the scattered field. Limits are those of an independent implementation of the same equations,
 * dominated by the staircase of the sphere's surface. */
#include "physics/fields_helper.h"
#include "physics/optics.h"

#include "fdtd/media/paint.h"
#include "fdtd/media/paint_conductors.h"
#include "fdtd/simulation/simulation.h"
#include "fdtd/media/smooth.h"

#define MOST_SIZES 81

struct sphere_case {
	int radius; /* cells */
	bool conducting, single, smooth;
	double first, step; /* size parameters */
	int count;
};

/* Scattering efficiencies of a sphere in the middle of the grid. */
static void scatter(const struct sphere_case *c, double *efficiencies)
{
	const double courant = 0.5;
	/* a box of total field 5 cells around the sphere, one of monitors 3 around that, an absorbing layer 4 further out */
	const int layer = 11, total = c->radius + 5, monitor = total + 3, half = monitor + 4 + layer, all = 2 * half;
	struct fdtd_grid grid = open_grid(all, all, all, courant, layer);
	struct total_field_box box;
	struct flux_plane planes[6];
	struct simulation simulation;
	struct incident_wave wave;
	double omegas[MOST_SIZES], power[MOST_SIZES];
	int low[3], high[3];
	uint16_t number;

	for (int f = 0; f < c->count; ++f)
		omegas[f] = (c->first + f * c->step) * courant / c->radius;
	struct pulse pulse = pulse_of_band(omegas[0], omegas[c->count - 1], 2.0);
	struct media media = media_of(&grid, 1);
	struct medium medium = {.permittivity = 4.0, .permeability = 1.0, .conductor = c->conducting};
	succeed(media_add(&media, &medium, &number));
	const double center[3] = {half, half, half};
	const struct paint_frame frame = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
	struct shape *shape;
	succeed(shape_create_sphere(center, c->radius, &shape));
	const struct body body = {.shape = shape, .medium = number};
	const struct scene scene = {.grid = &grid, .frame = frame, .bodies = &body, .count = 1};
	succeed(paint_scene(&scene, &media));
	size_t cut;
	if (c->smooth)
		succeed(paint_conductors(&scene, &media, &cut));
	if (c->smooth)
		succeed(paint_smooth(&scene, &media));
	shape_free(&shape);
	for (int a = 0; a < 3; ++a) {
		box.low[a] = half - total;
		box.high[a] = half + total;
		box.faces[a][0] = box.faces[a][1] = true;
		low[a] = half - monitor;
		high[a] = half + monitor;
	}
	succeed(simulation_make(test_device(), &grid, &media, c->single, &simulation));
	succeed(incident_make((const int[3]){1, 0, 0}, grid.courant, (const double[3]){0.0, 0.0, 1.0}, box.low,
			      box.high, pulse_at, &pulse, &wave));
	succeed(simulation_add_total_field(&simulation, &media, &box, &wave));
	int count = flux_planes_of_box(&grid, low, high, planes);
	succeed(simulation_add_spectrum(&simulation, planes, count, omegas, (uint32_t)c->count,
					spectrum_interval(omegas[c->count - 1], 2.0 * omegas[c->count - 1])));
	uint64_t steps = (uint64_t)(2.0 * pulse.middle + 80.0 * c->radius / courant);
	succeed(simulation_run(&simulation, steps, NULL));
	succeed(spectrum_power(&simulation.fields, &simulation.spectrum[0], power));
	for (int f = 0; f < c->count; ++f) {
		double complex incident = 0.0;
		for (uint64_t n = 0; n < steps; ++n)
			incident += pulse_at(&pulse, (double)n) * cexp(I * omegas[f] * (double)n);
		double intensity = 0.5 * creal(incident * conj(incident));
		efficiencies[f] = power[f] * courant * courant / (intensity * PI * c->radius * c->radius);
	}
	simulation_release(&simulation);
	media_free(&media);
}

/* Root mean squares of relative errors of sizes up to `split`, and of all. */
static void check_spheres(const struct sphere_case *c, double split, double some_limit, double all_limit)
{
	double efficiencies[MOST_SIZES], some = 0.0, all = 0.0;
	int some_count = 0;

	scatter(c, efficiencies);
	for (int f = 0; f < c->count; ++f) {
		double size = c->first + f * c->step;
		struct mie_sphere sphere = c->conducting ? sphere_conducting(size) : sphere_of_index(2.0, size);
		double error = efficiencies[f] / sphere_efficiencies(&sphere).scattering - 1.0;
		sphere_free(&sphere);
		all += error * error;
		if (size <= split + 1e-9) {
			some += error * error;
			++some_count;
		}
	}
	some = sqrt(some / some_count);
	all = sqrt(all / c->count);
	print_message("%s sphere, %s, %d cells per radius, %s: off by %.2f %% up to size %g, %.2f %% up to %g\n",
		      c->conducting ? "conducting" : "glass", c->smooth ? "smooth" : "stairs", c->radius,
		      c->single ? "float32" : "float64", 100.0 * some, split, 100.0 * all,
		      c->first + (c->count - 1) * c->step);
	assert_true(some <= some_limit && all <= all_limit);
}

static void test_glass_scatters_by_mies_series(void **state)
{
	(void)state;
	check_spheres(&(const struct sphere_case){10, false, true, false, 2.0, 0.05, 81}, 3.0, 0.020, 0.15);
	if (is_thorough())
		check_spheres(&(const struct sphere_case){20, false, true, false, 2.0, 0.05, 81}, 3.0, 0.009, 0.040);
}

/* Tensors at the surface: Meep's, with 10 cells, are off by 3.3 and 14.6 %; with 20, 1.0 and 4.25 %, where these are by 0.95 and 4.49 %. What is left are shifts of
 * resonances by the grid's dispersion, which stairs happen to undo in part. */
static void test_smooth_glass_scatters_by_mies_series(void **state)
{
	(void)state;
	check_spheres(&(const struct sphere_case){10, false, true, true, 2.0, 0.05, 81}, 3.0, 0.042, 0.17);
}

static void test_conductor_scatters_by_mies_series(void **state)
{
	(void)state;
	check_spheres(&(const struct sphere_case){10, true, true, false, 0.5, 0.03125, 81}, 3.0, 0.19, 0.19);
	check_spheres(&(const struct sphere_case){10, true, true, true, 0.5, 0.03125, 81}, 3.0, 0.01, 0.01);
	if (is_thorough())
		check_spheres(&(const struct sphere_case){20, true, true, true, 0.5, 0.03125, 81}, 3.0, 0.006, 0.006);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_glass_scatters_by_mies_series),
					   cmocka_unit_test(test_smooth_glass_scatters_by_mies_series),
					   cmocka_unit_test(test_conductor_scatters_by_mies_series)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
