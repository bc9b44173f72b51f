/* Jobs of sonde fdtd by the public interface: resonances of a box compared with the closed form, slabs with Airy's
 * formula, invalid input, and fields that grow without limit. */
#include "physics/fields_helper.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "physics/fdtd_job.h"

#define LIGHT 299792458.0

static sonde_context *context;

static int open_context(void **state)
{
	const char *device = getenv("SONDE_TEST_DEVICE");

	(void)state;
	if (sonde_context_create(&context) != SONDE_OK)
		return 1;
	return sonde_context_set_device(context, device != NULL ? device : "cpu") != SONDE_OK;
}

static int close_context(void **state)
{
	(void)state;
	sonde_context_free(&context);
	return 0;
}

/* Cavity ------------------------------------------------------------------------------------- */

static const double edges[3] = {1.0, 0.8, 0.6}; /* m */

/* How far a frequency is from the nearest mode of the box, as part of it: f = c/2 sqrt(sum (m/L)^2), of the numbers at most one 0. */
static double off_modes(double frequency)
{
	double best = INFINITY;

	for (int m = 0; m < 6; ++m)
		for (int n = 0; n < 6; ++n)
			for (int p = 0; p < 6; ++p) {
				if ((m == 0) + (n == 0) + (p == 0) > 1)
					continue;
				double x = m / edges[0], y = n / edges[1], z = p / edges[2];
				double exact = 0.5 * LIGHT * sqrt(x * x + y * y + z * z);
				best = fabs(frequency / exact - 1.0) < fabs(best) ? frequency / exact - 1.0 : best;
			}
	return fabs(best);
}

/* The largest error of the modes that are found below 1.5 c; *found counts them. */
static double cavity_error(double cells_of_meter, int *found)
{
	struct fdtd_job made;
	double worst = 0.0;

	fdtd_job_begin(&made, edges[0], edges[1], edges[2], 1.0 / cells_of_meter);
	made.job.options.time = 150.0 / LIGHT;
	made.job.options.precision = SONDE_FDTD_PRECISION_FLOAT64;
	fdtd_job_add_boundary(&made, SONDE_FDTD_BOUNDARY_KIND_CONDUCTOR);
	sonde_fdtd_source_options *dipole = fdtd_job_add_source(&made, SONDE_FDTD_SOURCE_KIND_DIPOLE);
	dipole->center = (sonde_vector){0.17, 0.11, -0.07};
	dipole->polarization = (sonde_vector){1.0, 1.0, 1.0};
	dipole->frequency = 1.2 * LIGHT;
	dipole->bandwidth = 0.8 * LIGHT;
	sonde_fdtd_monitor_options *point = fdtd_job_add_monitor(&made, SONDE_FDTD_MONITOR_KIND_RESONANCES);
	point->center = (sonde_vector){-0.23, 0.19, 0.13};
	snprintf(point->components, sizeof point->components, "Ez");
	point->frequencies = (sonde_grid){0.75 * LIGHT, 1.5 * LIGHT, 2};
	sonde_fdtd_result *result = fdtd_job_run(context, &made);
	const sonde_fdtd_array *frequency = fdtd_array_of(result, 0, "frequency");
	*found = (int)frequency->sizes[0];
	for (int n = 0; n < *found; ++n)
		worst = fmax(worst, off_modes(frequency->values[n]));
	sonde_fdtd_result_free(&result);
	return worst;
}

static void test_resonances_of_a_box_are_the_closed_form(void **state)
{
	int coarse_count, fine_count;

	(void)state;
	double coarse = cavity_error(10.0, &coarse_count), fine = cavity_error(20.0, &fine_count);
	print_message("cavity: %d and %d modes, off by %.2e at 10 cells a metre, %.2e at 20: order %.2f\n",
		      coarse_count, fine_count, coarse, fine, log2(coarse / fine));
	/* those with Ez: 110 111 210 120 211 310 121 and others */
	assert_true(coarse_count >= 5 && fine_count == coarse_count);
	assert_true(coarse <= 2e-2 && fine <= 5e-3);
	assert_true(log2(coarse / fine) > 1.9 && log2(coarse / fine) < 2.1);
}

/* Slab ---------------------------------------------------------------------------------------- */

/* Reflection and transmission of a slab of index 2, 1 m thick, along an axis, sheets or plane waves; largest errors. */
static void slab_errors(int axis, bool plane_wave, double errors[3])
{
	struct fdtd_job made;
	double size[3] = {0.0, 0.0, 0.0}, up[3] = {0.0, 0.0, 0.0}, across[3] = {0.0, 0.0, 0.0};

	size[axis] = 7.0;
	up[axis] = 1.0;
	across[(axis + 1) % 3] = 1.0;
	fdtd_job_begin(&made, size[0], size[1], size[2], 0.025);
	made.job.options.time = 150.0 / LIGHT;
	made.job.options.precision = SONDE_FDTD_PRECISION_FLOAT64;
	fdtd_job_add_boundary(&made, SONDE_FDTD_BOUNDARY_KIND_ABSORBING)->alpha = 0.0;
	fdtd_job_add_material(&made, "glass")->index = 2.0;
	fdtd_job_add_body(&made, SONDE_BODY_SHAPE_BOX, "glass")->size =
	    (sonde_vector){axis == 0, axis == 1, axis == 2};
	sonde_fdtd_source_options *source =
	    fdtd_job_add_source(&made, plane_wave ? SONDE_FDTD_SOURCE_KIND_PLANE_WAVE : SONDE_FDTD_SOURCE_KIND_SHEET);
	source->direction = (sonde_vector){up[0], up[1], up[2]};
	source->polarization = (sonde_vector){across[0], across[1], across[2]};
	if (!plane_wave)
		source->center = (sonde_vector){-2.0 * up[0], -2.0 * up[1], -2.0 * up[2]};
	source->frequency = 0.6 * LIGHT;
	source->bandwidth = 0.3 * LIGHT;
	for (int n = 0; n < 2; ++n) {
		double place = n == 0 ? 2.0 : plane_wave ? -3.45 : -1.0;
		sonde_fdtd_monitor_options *flux = fdtd_job_add_monitor(&made, SONDE_FDTD_MONITOR_KIND_FLUX);
		flux->center = (sonde_vector){place * up[0], place * up[1], place * up[2]};
		flux->frequencies = (sonde_grid){0.4 * LIGHT, 0.8 * LIGHT, 21};
		flux->normalize =
		    n == 0 ? SONDE_FDTD_MONITOR_NORMALIZE_REFERENCE : SONDE_FDTD_MONITOR_NORMALIZE_REFLECTION;
	}
	sonde_fdtd_result *result = fdtd_job_run(context, &made);
	const sonde_fdtd_array *transmission = fdtd_array_of(result, 0, "transmission"),
			       *reflection = fdtd_array_of(result, 1, "reflection");
	errors[0] = errors[1] = errors[2] = 0.0;
	for (int f = 0; f < 21; ++f) {
		double phase = 2.0 * PI * (0.4 + 0.02 * f) * 2.0, s = sin(phase),
		       exact = 1.0 / (1.0 + 0.5625 * s * s);
		errors[0] = fmax(errors[0], fabs(transmission->values[f] - exact));
		errors[1] = fmax(errors[1], fabs(reflection->values[f] - 1.0 + exact));
		errors[2] = fmax(errors[2], fabs(transmission->values[f] + reflection->values[f] - 1.0));
	}
	sonde_fdtd_result_free(&result);
}

static void test_slab_follows_airy(void **state)
{
	double errors[3];

	(void)state;
	for (int n = 0; n < 6; ++n) {
		slab_errors(n % 3, n < 3, errors);
		print_message("slab along %c by a %s: T off by %.2e, R by %.2e, R + T - 1 %.1e\n", "xyz"[n % 3],
			      n < 3 ? "plane wave" : "sheet", errors[0], errors[1], errors[2]);
		assert_true(errors[0] <= 8.8e-3 && errors[1] <= 8.8e-3 && errors[2] <= (n < 3 ? 1e-6 : 1e-5));
	}
}

/* Stopping and resuming -------------------------------------------------------------------------- */

/* A sphere in a plane wave, with a run for reference and all kinds of sums and samples. */
static void make_whole_job(struct fdtd_job *whole)
{
	fdtd_job_begin(whole, 1e-6, 1e-6, 1e-6, 25e-9);
	whole->job.options.courant = 0.3; /* metals in cells as large as these need it */
	whole->job.options.steps = 900;
	fdtd_job_add_body(whole, SONDE_BODY_SHAPE_SPHERE, "Au")->radius = 200e-9;
	fdtd_job_add_source(whole, SONDE_FDTD_SOURCE_KIND_PLANE_WAVE)->wavelength = 700e-9;
	sonde_fdtd_monitor_options *flux = fdtd_job_add_monitor(whole, SONDE_FDTD_MONITOR_KIND_FLUX);
	flux->normalize = SONDE_FDTD_MONITOR_NORMALIZE_REFERENCE;
	flux->center = (sonde_vector){300e-9, 0.0, 0.0};
	flux->size = (sonde_vector){0.0, 500e-9, 500e-9};
	sonde_fdtd_monitor_options *sections = fdtd_job_add_monitor(whole, SONDE_FDTD_MONITOR_KIND_CROSS_SECTION);
	flux->wavelengths = sections->wavelengths = (sonde_grid){600e-9, 800e-9, 3};
	sonde_fdtd_monitor_options *pictures = fdtd_job_add_monitor(whole, SONDE_FDTD_MONITOR_KIND_SNAPSHOT);
	pictures->size = (sonde_vector){800e-9, 800e-9, 0.0};
	pictures->every = 2e-15;
	fdtd_job_add_monitor(whole, SONDE_FDTD_MONITOR_KIND_POINT);
}

/* Stops a run at the first progress report of this stage. */
static void stop_in(const sonde_progress *progress, void *stage)
{
	if (strcmp(progress->stage, stage) == 0)
		sonde_context_cancel(context);
}

static void same_results(const sonde_fdtd_result *a, const sonde_fdtd_result *b)
{
	assert_int_equal(a->monitor_count, b->monitor_count);
	for (int m = 0; m < a->monitor_count; ++m) {
		assert_int_equal(a->monitors[m].array_count, b->monitors[m].array_count);
		for (int n = 0; n < a->monitors[m].array_count; ++n) {
			const sonde_fdtd_array *one = &a->monitors[m].arrays[n], *other = &b->monitors[m].arrays[n];
			size_t count = 1;
			for (int r = 0; r < one->rank; ++r) {
				assert_int_equal(one->sizes[r], other->sizes[r]);
				count *= (size_t)one->sizes[r];
			}
			assert_memory_equal(one->values, other->values, count * sizeof(double));
		}
	}
}

/* Stopped in the run for reference and in the run with bodies, wherever that is, it comes to the same bits. */
static void test_resumed_runs_have_the_same_bits(void **state)
{
	static const char *const stages[] = {"reference", "steps"};
	char folder[] = "/tmp/sonde-fdtd-XXXXXX", path[64], checkpoint[80];
	sonde_fdtd_result *whole, *parts;
	struct fdtd_job job;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/x.h5", folder);
	snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", path);
	make_whole_job(&job);
	succeed(sonde_fdtd_run(context, &job.job, &whole));
	assert_true(whole->plan->device_memory > 1e6 && whole->plan->memory_of_cell > 20.0);
	for (int n = 0; n < 2; ++n) {
		sonde_context_set_progress(context, stop_in, (void *)stages[n]);
		sonde_status status = sonde_fdtd_run_to_file(context, &job.job, path, 0, &parts);
		sonde_context_set_progress(context, NULL, NULL);
		sonde_context_reset(context);
		assert_int_equal(status, SONDE_SUSPENDED);
		assert_null(parts);
		assert_int_equal(access(path, F_OK), -1);
		job.job.options.resume = 1;
	}
	/* another job is refused */
	job.bodies[0].radius = 210e-9;
	assert_int_equal(sonde_fdtd_run_to_file(context, &job.job, path, 0, &parts), SONDE_INVALID);
	assert_non_null(strstr(sonde_status_message(), "radius"));
	job.bodies[0].radius = 200e-9;
	succeed(sonde_fdtd_run_to_file(context, &job.job, path, 0, &parts));
	assert_true(parts->resumed > 0 && parts->steps == 900);
	same_results(whole, parts);
	assert_int_equal(access(checkpoint, F_OK), -1);
	sonde_fdtd_result_free(&whole);
	sonde_fdtd_result_free(&parts);
	unlink(path);
	rmdir(folder);
}

/* Two dimensions ------------------------------------------------------------------------------ */

/* Ez against time behind a rod, of a current along z and, if `both`, one across it too. */
static void look_behind_rod(bool both, double *values, int64_t count)
{
	struct fdtd_job made;

	fdtd_job_begin(&made, 4.0, 3.0, 0.0, 0.05);
	made.job.options.steps = count;
	for (int n = 0; n < (both ? 2 : 1); ++n) {
		sonde_fdtd_source_options *current = fdtd_job_add_source(&made, SONDE_FDTD_SOURCE_KIND_DIPOLE);
		current->center = (sonde_vector){-1.0, 0.3, 0.0};
		current->polarization = (sonde_vector){0.0, n, 1 - n};
		current->frequency = 0.8 * LIGHT;
	}
	for (int n = 0; n < 2; ++n) {
		const char *name = n == 0 ? "resonant" : "glass";
		sonde_body_options *rod = fdtd_job_add_body(&made, SONDE_BODY_SHAPE_CYLINDER, name);
		fdtd_job_add_material(&made, name);
		rod->radius = 0.4;
		rod->center.y = -0.9 * n;
	}
	snprintf(made.materials[0].lorentz, sizeof made.materials[0].lorentz, "1,3e8,1e7");
	made.materials[1].index = 1.5; /* a smooth surface */
	fdtd_job_add_monitor(&made, SONDE_FDTD_MONITOR_KIND_POINT)->center = (sonde_vector){1.0, 0.1, 0.0};
	sonde_fdtd_result *result = fdtd_job_run(context, &made);
	const sonde_fdtd_array *field = fdtd_array_of(result, 0, "Ez");
	assert_int_equal(field->sizes[0], count);
	memcpy(values, field->values, (size_t)count * sizeof *values);
	if (!both)
		for (int64_t n = 0; n < count; ++n)
			assert_true(fdtd_array_of(result, 0, "Ex")->values[n] == 0.0);
	sonde_fdtd_result_free(&result);
}

/* E along the uniform axis, with H across it, is independent of the other three components; components that stay 0
 * are not stepped. */
static void test_polarizations_do_not_mix_in_two_dimensions(void **state)
{
	enum { STEPS = 300 };
	double alone[STEPS], beside[STEPS], largest = 0.0;

	(void)state;
	look_behind_rod(false, alone, STEPS);
	look_behind_rod(true, beside, STEPS);
	for (int n = 0; n < STEPS; ++n)
		largest = fmax(largest, fabs(alone[n]));
	assert_true(largest > 0.0);
	assert_memory_equal(alone, beside, sizeof alone);
}

/* Steps that are not stable ------------------------------------------------------------------- */

static sonde_status run_courant(double courant, sonde_fdtd_result **result)
{
	struct fdtd_job made;

	fdtd_job_begin(&made, 12.0, 10.0, 11.0, 1.0);
	made.job.options.courant = courant;
	made.job.options.steps = 3000;
	fdtd_job_add_source(&made, SONDE_FDTD_SOURCE_KIND_DIPOLE)->frequency = 0.05 * LIGHT;
	fdtd_job_add_monitor(&made, SONDE_FDTD_MONITOR_KIND_POINT);
	return sonde_fdtd_run(context, &made.job, result);
}

static void test_steps_beyond_the_limit_are_refused(void **state)
{
	sonde_fdtd_result *result;

	(void)state;
	succeed(run_courant(0.999 / sqrt(3.0), &result));
	print_message("at 0.999 of the limit, after 3000 steps: %.1e of the largest field\n", result->left);
	assert_true(result->left < 1e-2);
	sonde_fdtd_result_free(&result);
	assert_int_equal(run_courant(1.005 / sqrt(3.0), &result), SONDE_INVALID);
	assert_null(result);
	assert_non_null(strstr(sonde_status_message(), "courant"));
	assert_non_null(strstr(sonde_status_message(), "0.577"));
}

#if defined(SONDE_SANITIZED)
#define METAL_STEPS 900 /* a third takes them long enough */
#else
#define METAL_STEPS 3000
#endif

/* Metals need shorter steps in large cells: just below the reported limit a run is stable, above it the job is
 * refused. */
static void test_metals_are_stable_up_to_the_limit_reported(void **state)
{
	sonde_fdtd_result *result;
	struct fdtd_job whole;

	(void)state;
	make_whole_job(&whole);
	whole.job.options.courant = 0.5;
	assert_int_equal(sonde_fdtd_run(context, &whole.job, &result), SONDE_INVALID);
	const char *told = strstr(sonde_status_message(), "courant must be at most ");
	assert_non_null(told);
	double limit = strtod(told + strlen("courant must be at most "), NULL);
	assert_true(limit > 0.3 && limit < 0.5);
	whole.job.options.courant = limit;
	whole.job.options.steps = METAL_STEPS;
	whole.job.monitors.count = 1;
	whole.monitors[0].normalize = SONDE_FDTD_MONITOR_NORMALIZE_NONE;
	succeed(sonde_fdtd_run(context, &whole.job, &result));
	print_message("gold in cells of 25 nm: courant at most %.4f; %.1e of the largest field is left\n", limit,
		      result->left);
	assert_true(result->left < 1e-2);
	sonde_fdtd_result_free(&result);
}

/* A waveform beyond float32 makes infinite fields. */
static void test_infinite_fields_are_refused(void **state)
{
	char path[] = "/tmp/sonde-waveform-XXXXXX";
	sonde_fdtd_result *result;
	struct fdtd_job made;
	int file = mkstemp(path);

	(void)state;
	assert_true(file >= 0);
	assert_true(dprintf(file, "0 0\n1e-8 1e38\n2e-8 3e38\n3e-8 0\n") > 0);
	close(file);
	fdtd_job_begin(&made, 6.0, 6.0, 6.0, 1.0);
	made.job.options.steps = 400;
	fdtd_job_add_monitor(&made, SONDE_FDTD_MONITOR_KIND_POINT);
	sonde_fdtd_source_options *dipole = fdtd_job_add_source(&made, SONDE_FDTD_SOURCE_KIND_DIPOLE);
	dipole->waveform = SONDE_FDTD_SOURCE_WAVEFORM_FILE;
	snprintf(dipole->file, sizeof dipole->file, "%s", path);
	sonde_status status = sonde_fdtd_run(context, &made.job, &result);
	unlink(path);
	assert_int_equal(status, SONDE_INVALID);
	assert_null(result);
	assert_non_null(strstr(sonde_status_message(), "not finite"));
}

/* Remaining field ------------------------------------------------------------------------ */

/* Of the largest there was, when a dipole's pulse has left its box, in cells of that length. */
static double left_of_dipole(double cell)
{
	struct fdtd_job made;

	fdtd_job_begin(&made, 320e-9, 320e-9, 320e-9, cell);
	made.job.options.time = 25e-15;
	fdtd_job_add_source(&made, SONDE_FDTD_SOURCE_KIND_DIPOLE)->wavelength = 800e-9;
	fdtd_job_add_monitor(&made, SONDE_FDTD_MONITOR_KIND_POINT);
	sonde_fdtd_result *result = fdtd_job_run(context, &made);
	const double left = result->left;
	sonde_fdtd_result_free(&result);
	return left;
}

/* The near field at a dipole grows as the inverse cube of its cells, and does not measure the remaining field. */
static void test_field_left_does_not_depend_on_cells_at_a_dipole(void **state)
{
	const double coarse = left_of_dipole(40e-9), fine = left_of_dipole(20e-9);

	(void)state;
	print_message("dipole in cells of 40 and 20 nm: %.2e and %.2e of the field are left\n", coarse, fine);
	assert_true(fine > 0.4 * coarse && fine < 2.5 * coarse);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_resonances_of_a_box_are_the_closed_form),
					   cmocka_unit_test(test_slab_follows_airy),
					   cmocka_unit_test(test_resumed_runs_have_the_same_bits),
					   cmocka_unit_test(test_polarizations_do_not_mix_in_two_dimensions),
					   cmocka_unit_test(test_steps_beyond_the_limit_are_refused),
					   cmocka_unit_test(test_metals_are_stable_up_to_the_limit_reported),
					   cmocka_unit_test(test_infinite_fields_are_refused),
					   cmocka_unit_test(test_field_left_does_not_depend_on_cells_at_a_dipole)};

	return cmocka_run_group_tests(tests, open_context, close_context);
}
