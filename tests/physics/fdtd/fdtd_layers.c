/* Automatically chosen absorbing layers: their reflection for any mesh, and results that improve with smaller cells,
 * down to hundreds of cells per wavelength: a slab, a film of a metal, dipoles, a sphere. */
#include "physics/fdtd_job.h"
#include "physics/fields_helper.h"
#include "physics/optics.h"

#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

#include "fdtd/job/domain.h"
#include "fdtd/grid/absorbing_layer.h"
#include "fdtd/job/space.h"
#include "sonde/sonde.h"

#define LIGHT 299792458.0

static sonde_context *context;

static int open_context(void **state)
{
	const char *device = getenv("SONDE_TEST_DEVICE");

	(void)state;
	if (sonde_context_create(&context) != SONDE_OK)
		return 1;
	/* small grids: threads only wait for one another */
	return sonde_context_set_threads(context, 1) != SONDE_OK ||
	       sonde_context_set_device(context, device != NULL ? device : "cpu") != SONDE_OK;
}

static int close_context(void **state)
{
	(void)state;
	sonde_context_free(&context);
	return 0;
}

/* A job in float64. */
static void make_job(struct fdtd_job *small, double x, double y, double z, double cell)
{
	fdtd_job_begin(small, x, y, z, cell);
	small->job.options.courant = 0.5;
	small->job.options.precision = SONDE_FDTD_PRECISION_FLOAT64;
}

/* A plane wave of a band along z. */
static void add_wave(struct fdtd_job *small, double low, double high)
{
	sonde_fdtd_source_options *wave = fdtd_job_add_source(small, SONDE_FDTD_SOURCE_KIND_PLANE_WAVE);

	wave->direction = (sonde_vector){0.0, 0.0, 1.0};
	wave->polarization = (sonde_vector){1.0, 0.0, 0.0};
	wave->frequency = 0.5 * (low + high);
	wave->bandwidth = high - low;
}

/* A plane wave of a band along z through `length`, and fluxes behind it and before it. */
static void make_line(struct fdtd_job *small, double length, double cell, double low, double high, int frequencies)
{
	static const int normalize[2] = {SONDE_FDTD_MONITOR_NORMALIZE_REFERENCE,
					 SONDE_FDTD_MONITOR_NORMALIZE_REFLECTION};
	const double places[2] = {0.25 * length, -0.5 * length + 2.0 * cell};

	make_job(small, 0.0, 0.0, length, cell);
	add_wave(small, low, high);
	for (int n = 0; n < 2; ++n) {
		sonde_fdtd_monitor_options *flux = fdtd_job_add_monitor(small, SONDE_FDTD_MONITOR_KIND_FLUX);
		flux->frequencies = (sonde_grid){low, high, frequencies};
		flux->normalize = normalize[n];
		flux->center = (sonde_vector){0.0, 0.0, places[n]};
	}
}

static const double *values_of(const sonde_fdtd_result *result, int monitor, const char *name)
{
	return fdtd_array_of(result, monitor, name)->values;
}

/* Reflection of layers by themselves --------------------------------------------------------- */

/* The largest part of the amplitude that the layer at the end of z reflects from the lowest to the highest frequency. */
static double most_reflected(const struct fdtd_job *small, double low, double high)
{
	struct job_space space;
	double most = 0.0;

	succeed(job_space_make(&small->job, 1, false, &space));
	for (int n = 0; n <= 10; ++n)
		most =
		    fmax(most, absorbing_layer_reflection(&space.grid.layers[2][1], space.grid.courant[2],
							  frame_angular(&space.frame, low + 0.1 * n * (high - low))));
	job_space_free(&space);
	return most;
}

static void test_chosen_layers_reflect_little_on_any_mesh(void **state)
{
	static const double cells[] = {10.0, 20.0, 40.0, 80.0, 180.0, 360.0, 720.0, 2880.0};
	struct fdtd_job small;
	(void)state;

	for (int axes = 1; axes <= 3; axes += 2)
		for (int medium = 0; medium < 2; ++medium)
			for (size_t k = 0; k < sizeof cells / sizeof *cells; ++k) {
				const double index = medium == 0 ? 1.0 : 1.5,
					     cell = 1e-6 / (1.4 * cells[k] * index); /* at 1.4 c/1 um */
				make_line(&small, 200.0 * cell, cell, 0.6e6 * LIGHT, 1.4e6 * LIGHT, 11);
				small.job.options.background = index;
				if (axes == 3)
					small.job.options.size.x = small.job.options.size.y = 200.0 * cell;
				const double most = most_reflected(&small, 0.6e6 * LIGHT, 1.4e6 * LIGHT);
				print_message("%d axes, index %g, %4g cells per wavelength: %.1e reflected\n", axes,
					      index, cells[k], most);
				assert_true(most <= 2e-5);
				/* given values are kept */
				fdtd_job_add_boundary(&small, SONDE_FDTD_BOUNDARY_KIND_ABSORBING)->alpha = 0.1;
				if (cells[k] == 720.0)
					assert_true(most_reflected(&small, 0.6e6 * LIGHT, 1.4e6 * LIGHT) > 1e-2);
			}
}

/* That number is what a run finds: between two planes before a layer, with nothing else that could reflect, and a layer that is bad enough to be seen. */
static void test_predicted_reflection_is_that_of_a_run(void **state)
{
	struct fdtd_job small;
	sonde_fdtd_result *result;
	struct job_space space;

	(void)state;
	make_line(&small, 1e-6, 5e-9, 0.8e6 * LIGHT, 1.2e6 * LIGHT, 5);
	small.job.options.time = 40e-6 / LIGHT;
	sonde_fdtd_boundary_options *side = fdtd_job_add_boundary(&small, SONDE_FDTD_BOUNDARY_KIND_ABSORBING);
	side->face = SONDE_FDTD_BOUNDARY_FACE_Z_HIGH;
	side->alpha = 0.2;
	small.sources[0].kind = SONDE_FDTD_SOURCE_KIND_SHEET;
	small.sources[0].sides = SONDE_FDTD_SOURCE_SIDES_FORWARD;
	/* behind the one-way sheet is what comes back, before it all */
	small.sources[0].center = (sonde_vector){0.0, 0.0, -0.25e-6};
	small.monitors[0].normalize = small.monitors[1].normalize = SONDE_FDTD_MONITOR_NORMALIZE_NONE;
	succeed(sonde_fdtd_run(context, &small.job, &result));
	succeed(job_space_make(&small.job, 1, false, &space));
	const double *through = values_of(result, 0, "power"), *back = values_of(result, 1, "power");
	for (int f = 0; f < 5; ++f) {
		const double part = -back[f] / (through[f] - back[f]),
			     expected = absorbing_layer_reflection(
				 &space.grid.layers[2][1], space.grid.courant[2],
				 frame_angular(&space.frame, (0.8 + 0.1 * f) * 1e6 * LIGHT));
		print_message("%.1f c/um: reflected %.6f of the amplitude, expected %.6f\n", 0.8 + 0.1 * f,
			      sqrt(part), expected);
		assert_true(expected > 1e-2);
		assert_close(sqrt(part), expected, 2e-3, "amplitude reflected");
	}
	job_space_free(&space);
	sonde_fdtd_result_free(&result);
}

/* Slab and film ----------------------------------------------------------------------------------- */

/* Glass of index 2, 1 um thick: the largest errors of R and of R + T. */
static double slab_error(double cell, double *lost)
{
	struct fdtd_job small;
	double worst = 0.0;

	make_line(&small, 3e-6, cell, 120e12, 240e12, 25);
	small.job.options.time = 200e-15;
	fdtd_job_add_material(&small, "glass")->index = 2.0;
	fdtd_job_add_body(&small, SONDE_BODY_SHAPE_BOX, "glass")->size = (sonde_vector){0.0, 0.0, 1e-6};
	sonde_fdtd_result *result = fdtd_job_run(context, &small);
	const double *transmission = values_of(result, 0, "transmission"),
		     *reflection = values_of(result, 1, "reflection");
	*lost = 0.0;
	for (int f = 0; f < 25; ++f) {
		const double s = sin(2.0 * PI * (120e12 + 5e12 * f) * 2e-6 / LIGHT),
			     exact = 0.5625 * s * s / (1.0 + 0.5625 * s * s);
		worst = fmax(worst, fabs(reflection[f] - exact));
		*lost = fmax(*lost, fabs(reflection[f] + transmission[f] - 1.0));
	}
	sonde_fdtd_result_free(&result);
	return worst;
}

static void test_slab_converges_with_smaller_cells(void **state)
{
	double before = 0.0;

	(void)state;
	for (int turn = 0; turn < 4; ++turn) {
		double lost;
		const double cells = 20.0 * (1 << turn), worst = slab_error(1e-6 / cells, &lost);
		print_message("slab, %g cells: R off by %.2e, R + T - 1 %.1e\n", cells, worst, lost);
		assert_true(lost < 1e-5 && (turn == 0 || (worst < 0.27 * before && worst > 0.22 * before)));
		before = worst;
	}
}

/* Absorption of a film of silver, 40 nm thick, at this many frequencies. */
#define FILM_FREQUENCIES 9
static void film_absorbs(double cell, double absorbed[FILM_FREQUENCIES])
{
	struct fdtd_job small;

	make_line(&small, 0.64e-6, cell, 375e12, 750e12, FILM_FREQUENCIES);
	small.job.options.time = 60e-15;
	fdtd_job_add_body(&small, SONDE_BODY_SHAPE_BOX, "Ag-JC")->size = (sonde_vector){0.0, 0.0, 40e-9};
	sonde_fdtd_result *result = fdtd_job_run(context, &small);
	const double *transmission = values_of(result, 0, "transmission"),
		     *reflection = values_of(result, 1, "reflection");
	for (int f = 0; f < FILM_FREQUENCIES; ++f)
		absorbed[f] = 1.0 - transmission[f] - reflection[f];
	sonde_fdtd_result_free(&result);
}

/* 0.5 to 1 % of the power: what layers reflect is seen there first. */
static void test_film_absorbs_alike_with_smaller_cells(void **state)
{
	double absorbed[3][FILM_FREQUENCIES];

	(void)state;
	for (int turn = 0; turn < 3; ++turn)
		film_absorbs(8e-9 / (1 << turn), absorbed[turn]);
	for (int f = 0; f < FILM_FREQUENCIES; ++f) {
		print_message("film, %g THz: absorbs %.6f %.6f %.6f\n", 375.0 + 46.875 * f, absorbed[0][f],
			      absorbed[1][f], absorbed[2][f]);
		for (int turn = 1; turn < 3; ++turn)
			assert_close(absorbed[turn][f], absorbed[turn - 1][f], (turn == 1 ? 0.035 : 0.012),
				     "absorbed");
	}
}

/* Dipoles ------------------------------------------------------------------------------------------ */

/* The power of a current across a plane, or in space, that a box around it finds. */
static void dipole_sends(int axes, double cell, double power[5])
{
	struct fdtd_job small;

	make_job(&small, 480e-9, 480e-9, axes == 3 ? 480e-9 : 0.0, cell);
	small.job.options.time = 60e-15;
	sonde_fdtd_source_options *dipole = fdtd_job_add_source(&small, SONDE_FDTD_SOURCE_KIND_DIPOLE);
	dipole->wavelength = 800e-9;
	dipole->bandwidth = 150e12;
	sonde_fdtd_monitor_options *box = fdtd_job_add_monitor(&small, SONDE_FDTD_MONITOR_KIND_FLUX);
	box->size = (sonde_vector){320e-9, 320e-9, axes == 3 ? 320e-9 : 0.0};
	box->wavelengths = (sonde_grid){600e-9, 1000e-9, 5};
	sonde_fdtd_result *result = fdtd_job_run(context, &small);
	for (int f = 0; f < 5; ++f)
		power[f] = values_of(result, 0, "power")[f];
	sonde_fdtd_result_free(&result);
}

/* In layers that fade-away waves reach at a quarter of a wavelength. */
static void test_line_of_current_converges(void **state)
{
	double power[4][5];

	(void)state;
	for (int turn = 0; turn < 4; ++turn)
		dipole_sends(2, 40e-9 / (1 << turn), power[turn]);
	for (int f = 0; f < 5; ++f) {
		const double first = power[0][f] - power[1][f], second = power[1][f] - power[2][f],
			     third = power[2][f] - power[3][f];
		print_message("line of current, %d nm: %.6e, halved cells change it by %.2e, %.2e, %.2e\n",
			      600 + 100 * f, power[3][f], first / power[3][f], second / power[3][f],
			      third / power[3][f]);
		assert_true(second / first > 0.23 && second / first < 0.27 && third / second > 0.22 &&
			    third / second < 0.28);
	}
}

static void test_dipole_power_converges_with_smaller_cells(void **state)
{
	double coarse[5], middle[5], fine[5];

	(void)state;
	dipole_sends(3, 40e-9, coarse);
	dipole_sends(3, 80e-9 / 3.0, middle);
	dipole_sends(3, 20e-9, fine);
	for (int f = 0; f < 5; ++f) {
		const double first = coarse[f] - middle[f], second = middle[f] - fine[f],
			     squares = (1.0 - 4.0 / 9.0) / (4.0 / 9.0 - 1.0 / 4.0);
		print_message("dipole, %d nm: smaller cells change its power by %.2e, %.2e\n", 600 + 100 * f,
			      first / fine[f], second / fine[f]);
		assert_close(first / second, squares, 0.1, "ratio of the changes");
	}
}

/* Sphere ----------------------------------------------------------------------------------------- */

#define SPHERE_RADIUS 100e-9
#define SPHERE_FREQUENCIES 5

/* Error of the scattering cross section of a sphere of permittivity 4, over its shadow, against Mie's series; root of the
 * mean square over wavelengths from 450 to 700 nm. A quarter of it, between walls that mirror. */
static double sphere_error(double cells)
{
	const double cell = SPHERE_RADIUS / cells, low = LIGHT / 700e-9, high = LIGHT / 450e-9;
	struct fdtd_job small;
	double sum = 0.0;

	make_job(&small, 1.6 * SPHERE_RADIUS, 1.6 * SPHERE_RADIUS, 3.2 * SPHERE_RADIUS, cell);
	small.job.options.precision = SONDE_FDTD_PRECISION_FLOAT32;
	small.job.options.time = 200e-15;
	small.job.options.until = 1e-3;
	fdtd_job_add_boundary(&small, SONDE_FDTD_BOUNDARY_KIND_CONDUCTOR)->face = SONDE_FDTD_BOUNDARY_FACE_X_LOW;
	fdtd_job_add_boundary(&small, SONDE_FDTD_BOUNDARY_KIND_MAGNETIC)->face = SONDE_FDTD_BOUNDARY_FACE_Y_LOW;
	fdtd_job_add_material(&small, "glass")->index = 2.0;
	sonde_body_options *ball = fdtd_job_add_body(&small, SONDE_BODY_SHAPE_SPHERE, "glass");
	ball->radius = SPHERE_RADIUS;
	ball->center = (sonde_vector){-0.8 * SPHERE_RADIUS, -0.8 * SPHERE_RADIUS, 0.0};
	add_wave(&small, low, high);
	fdtd_job_add_monitor(&small, SONDE_FDTD_MONITOR_KIND_CROSS_SECTION)->frequencies =
	    (sonde_grid){low, high, SPHERE_FREQUENCIES};
	sonde_fdtd_result *result = fdtd_job_run(context, &small);
	const double *scattering = values_of(result, 0, "scattering"), *hertz = values_of(result, 0, "frequency");
	for (int f = 0; f < SPHERE_FREQUENCIES; ++f) {
		struct mie_sphere sphere = sphere_of_index(2.0, 2.0 * M_PI * hertz[f] * SPHERE_RADIUS / LIGHT);
		const double exact = sphere_efficiencies(&sphere).scattering,
			     off = scattering[f] / (M_PI * SPHERE_RADIUS * SPHERE_RADIUS) / exact - 1.0;
		sphere_free(&sphere);
		sum += off * off;
	}
	sonde_fdtd_result_free(&result);
	return sqrt(sum / SPHERE_FREQUENCIES);
}

static void test_sphere_converges_to_mies_series(void **state)
{
	static const double cells[] = {6.0, 9.0, 13.5, 20.25};
	double before = INFINITY;

	(void)state;
	for (int n = 0; n < 4; ++n) {
		const double error = sphere_error(cells[n]);
		print_message("sphere: %.4g cells per radius: scattering off by %.2e\n", cells[n], error);
		assert_true(error < before && error < 1.5 / (cells[n] * cells[n]));
		before = error;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_chosen_layers_reflect_little_on_any_mesh),
					   cmocka_unit_test(test_predicted_reflection_is_that_of_a_run),
					   cmocka_unit_test(test_slab_converges_with_smaller_cells),
					   cmocka_unit_test(test_film_absorbs_alike_with_smaller_cells),
					   cmocka_unit_test(test_line_of_current_converges),
					   cmocka_unit_test(test_dipole_power_converges_with_smaller_cells),
					   cmocka_unit_test(test_sphere_converges_to_mies_series)};

	return cmocka_run_group_tests(tests, open_context, close_context);
}
