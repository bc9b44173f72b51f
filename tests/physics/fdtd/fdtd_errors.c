/* The errors stated by sonde fdtd: those of a companion run compared with the true ones of spheres, by Mie's series;
 * the estimate; and the independence of all other results from the option. */
#include "physics/fields_helper.h"
#include "physics/optics.h"

#include <stdio.h>
#include <stdlib.h>

#include "sonde/sonde.h"

#define LIGHT 299792458.0
#define SIZES 21
#define FIRST 2.0
#define LAST 3.0

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

/* A sphere of index 2 and radius 1 m. */
static sonde_fdtd_result *scatter(int cells, int average, int error)
{
	sonde_fdtd_material_options glass;
	sonde_body_options sphere;
	sonde_fdtd_source_options wave;
	sonde_fdtd_monitor_options monitor;
	sonde_fdtd_result *result;
	sonde_fdtd_job job;
	const double of_size = LIGHT / (2.0 * PI);

	sonde_fdtd_job_init(&job);
	sonde_fdtd_material_init(&glass);
	sonde_body_init(&sphere);
	sonde_fdtd_source_init(&wave);
	sonde_fdtd_monitor_init(&monitor);
	job.options.size = (sonde_vector){3.8, 3.8, 3.8};
	job.options.cell = (sonde_vector){1.0 / cells, 1.0 / cells, 1.0 / cells};
	job.options.time = 120.0 / LIGHT;
	job.options.until = 1e-3;
	job.options.average = average;
	job.options.error = error;
	snprintf(glass.name, sizeof glass.name, "glass");
	glass.index = 2.0;
	snprintf(sphere.material, sizeof sphere.material, "glass");
	sphere.shape = SONDE_BODY_SHAPE_SPHERE;
	sphere.radius = 1.0;
	wave.kind = SONDE_FDTD_SOURCE_KIND_PLANE_WAVE;
	wave.direction = (sonde_vector){0.0, 0.0, 1.0};
	wave.polarization = (sonde_vector){1.0, 0.0, 0.0};
	wave.frequency = 0.5 * (FIRST + LAST) * of_size;
	wave.bandwidth = (LAST - FIRST) * of_size;
	monitor.kind = SONDE_FDTD_MONITOR_KIND_CROSS_SECTION;
	monitor.frequencies = (sonde_grid){FIRST * of_size, LAST * of_size, SIZES};
	job.materials.count = job.bodies.count = job.sources.count = job.monitors.count = 1;
	job.materials.items = &glass;
	job.bodies.items = &sphere;
	job.sources.items = &wave;
	job.monitors.items = &monitor;
	succeed(sonde_fdtd_run(context, &job, &result));
	return result;
}

static const double *values_of(const sonde_fdtd_result *result, const char *name)
{
	const sonde_fdtd_array *array = sonde_fdtd_find_array(&result->monitors[0], name);

	assert_non_null(array);
	assert_int_equal(array->sizes[0], SIZES);
	return array->values;
}

/* Root mean squares of the errors of the cross-section, true and stated. */
static void compare(int cells, int average)
{
	sonde_fdtd_result *result = scatter(cells, average, SONDE_FDTD_ERROR_COMPANION);
	const double *sections = values_of(result, "scattering"), *errors = values_of(result, "scattering-error");
	double was = 0.0, stated = 0.0, largest = 0.0;

	for (int n = 0; n < SIZES; ++n) {
		struct mie_sphere sphere = sphere_of_index(2.0, FIRST + n * (LAST - FIRST) / (SIZES - 1));
		const double exact = PI * sphere_efficiencies(&sphere).scattering;
		sphere_free(&sphere);
		was += (sections[n] - exact) * (sections[n] - exact);
		stated += errors[n] * errors[n];
		largest = fmax(largest, errors[n] / exact);
	}
	print_message(
	    "sphere of %d cells per radius, average %d: error stated %.3g times the true one, %.2g at most; by "
	    "estimate %.2g\n",
	    cells, average, sqrt(stated / was), result->companion_error, result->grid_error);
	assert_true(stated >= was / 9.0 && stated <= 9.0 * was);
	assert_true(result->companion_error > 0.0 && result->companion_error <= 1.5 * largest);
	assert_true(result->grid_error >= sqrt(was / SIZES) / (10.0 * PI));
	sonde_fdtd_result_free(&result);
}

static void companion_errors_match_true_errors_of_spheres(void **state)
{
	(void)state;
	compare(10, SONDE_FDTD_AVERAGE_TENSOR);
	if (is_thorough())
		compare(20, SONDE_FDTD_AVERAGE_TENSOR);
}

/* The option changes what is stated, and nothing else. */
static void error_option_changes_no_other_number(void **state)
{
	sonde_fdtd_result *results[3];

	(void)state;
	for (int k = 0; k < 3; ++k)
		results[k] =
		    scatter(6, SONDE_FDTD_AVERAGE_TENSOR,
			    (int[]){SONDE_FDTD_ERROR_NONE, SONDE_FDTD_ERROR_ESTIMATE, SONDE_FDTD_ERROR_COMPANION}[k]);
	for (int k = 1; k < 3; ++k) {
		assert_int_equal(results[0]->steps, results[k]->steps);
		assert_memory_equal(values_of(results[0], "scattering"), values_of(results[k], "scattering"),
				    SIZES * sizeof(double));
	}
	assert_int_equal(results[0]->monitors[0].array_count, results[1]->monitors[0].array_count);
	assert_true(results[2]->monitors[0].array_count > results[1]->monitors[0].array_count);
	assert_true(isnan(results[0]->grid_error) && isnan(results[0]->truncation_error));
	assert_true(isnan(results[1]->companion_error) && isfinite(results[2]->companion_error));
	for (int k = 1; k < 3; ++k) {
		assert_true(results[k]->grid_error > 0.0 && results[k]->grid_error < 1.0);
		assert_true(results[k]->truncation_error > 0.0 && results[k]->truncation_error < 0.1);
		assert_true(results[k]->rounding_error > 1e-7 && results[k]->rounding_error < 1e-4);
	}
	for (int k = 0; k < 3; ++k)
		sonde_fdtd_result_free(&results[k]);
}

/* Signals ------------------------------------------------------------------------------------------------ */

#define HUNDRED_TERAHERTZ 1e14
#define POINTS 2

/* A pulse along z through 20 um of vacuum, in which there is a plate of index 2, or none: fields before and behind it. */
static sonde_fdtd_result *send_pulse(double cell, bool plate, int error)
{
	sonde_fdtd_material_options glass;
	sonde_body_options box;
	sonde_fdtd_source_options sheet;
	sonde_fdtd_monitor_options monitors[POINTS + 1];
	sonde_fdtd_result *result;
	sonde_fdtd_job job;

	sonde_fdtd_job_init(&job);
	sonde_fdtd_material_init(&glass);
	sonde_body_init(&box);
	sonde_fdtd_source_init(&sheet);
	job.options.size = (sonde_vector){0.0, 0.0, 20e-6};
	job.options.cell = (sonde_vector){cell, cell, cell};
	job.options.time = 160e-15;
	job.options.courant = 0.6;
	job.options.error = error;
	snprintf(glass.name, sizeof glass.name, "glass");
	glass.index = 2.0;
	snprintf(box.material, sizeof box.material, "glass");
	box.shape = SONDE_BODY_SHAPE_BOX;
	box.center = (sonde_vector){0.0, 0.0, 1.013e-6};
	box.size = (sonde_vector){1e-6, 1e-6, 3.01e-6};
	sheet.kind = SONDE_FDTD_SOURCE_KIND_SHEET;
	sheet.direction = (sonde_vector){0.0, 0.0, 1.0};
	sheet.polarization = (sonde_vector){1.0, 0.0, 0.0};
	sheet.center = (sonde_vector){0.0, 0.0, -8e-6};
	sheet.frequency = 3.0 * HUNDRED_TERAHERTZ;
	sheet.bandwidth = 2.0 * HUNDRED_TERAHERTZ;
	for (int n = 0; n <= POINTS; ++n) {
		sonde_fdtd_monitor_init(&monitors[n]);
		monitors[n].kind = SONDE_FDTD_MONITOR_KIND_POINT;
		monitors[n].center = (sonde_vector){0.0, 0.0, n == 0 ? -6e-6 : 8e-6};
		snprintf(monitors[n].components, sizeof monitors[n].components, "Ex");
	}
	monitors[POINTS].kind = SONDE_FDTD_MONITOR_KIND_SNAPSHOT;
	monitors[POINTS].center = (sonde_vector){0.0, 0.0, 0.0};
	monitors[POINTS].size = (sonde_vector){0.0, 0.0, 20e-6};
	monitors[POINTS].every = 40e-15;
	job.materials.count = job.bodies.count = plate ? 1 : 0;
	job.sources.count = 1;
	job.monitors.count = POINTS + 1;
	job.materials.items = &glass;
	job.bodies.items = &box;
	job.sources.items = &sheet;
	job.monitors.items = monitors;
	succeed(sonde_fdtd_run(context, &job, &result));
	return result;
}

static const sonde_fdtd_array *array_of(const sonde_fdtd_result *result, int monitor, const char *name)
{
	const sonde_fdtd_array *array = sonde_fdtd_find_array(&result->monitors[monitor], name);

	assert_non_null(array);
	return array;
}

/* The signal of a finer run at a time, linear between its samples. */
static double signal_at(const sonde_fdtd_array *times, const sonde_fdtd_array *signal, double time)
{
	const double place = (time - times->values[0]) / (times->values[1] - times->values[0]);
	const int64_t n = (int64_t)fmin(fmax(0.0, floor(place)), (double)(signal->sizes[0] - 2));

	return signal->values[n] + (place - (double)n) * (signal->values[n + 1] - signal->values[n]);
}

/* The true error at a point, by a finer run, and the stated one: the largest of each. */
static void compare_signals(const sonde_fdtd_result *result, const sonde_fdtd_result *fine, int point, double *was,
			    double *stated)
{
	const sonde_fdtd_array *times = array_of(result, point, "time"), *signal = array_of(result, point, "Ex"),
			       *errors = array_of(result, point, "Ex-error");

	*was = *stated = 0.0;
	assert_int_equal(errors->sizes[0], signal->sizes[0]);
	assert_string_equal(errors->unit, "V/m");
	assert_string_equal(errors->axes[0], "time");
	for (int64_t n = 0; n < signal->sizes[0]; ++n) {
		const double exact =
		    signal_at(array_of(fine, point, "time"), array_of(fine, point, "Ex"), times->values[n]);
		*was = fmax(*was, fabs(signal->values[n] - exact));
		*stated = fmax(*stated, errors->values[n]);
	}
}

static void errors_of_signals_match_a_finer_run(void **state)
{
	(void)state;
	for (int plate = 0; plate < 2; ++plate) {
		sonde_fdtd_result *fine = send_pulse(5e-9, plate != 0, SONDE_FDTD_ERROR_NONE);
		assert_null(sonde_fdtd_find_array(&fine->monitors[0], "Ex-error"));
		for (int k = 0; k < 4; ++k) {
			const int error = k < 2 ? SONDE_FDTD_ERROR_ESTIMATE : SONDE_FDTD_ERROR_COMPANION;
			const double cell = k % 2 == 0 ? 25e-9 : 12.5e-9;
			sonde_fdtd_result *result = send_pulse(cell, plate != 0, error);
			for (int point = 0; point < POINTS; ++point) {
				double was, stated;
				compare_signals(result, fine, point, &was, &stated);
				print_message(
				    "%s, cells of %g nm, %s, point %d: the signal's error is %.2g, stated %.2g\n",
				    plate ? "plate" : "vacuum", 1e9 * cell,
				    error == SONDE_FDTD_ERROR_ESTIMATE ? "estimate" : "companion", point, was,
				    stated);
				assert_true(stated >= was / 3.0 && stated <= 8.0 * was);
			}
			/* of snapshots one at each time: more, since it is not known which frequencies are where */
			const sonde_fdtd_array *errors = array_of(result, POINTS, "Ex-error");
			assert_int_equal(errors->rank, 1);
			assert_int_equal(errors->sizes[0], array_of(result, POINTS, "time")->sizes[0]);
			for (int64_t n = 0; n < errors->sizes[0]; ++n)
				assert_true(isfinite(errors->values[n]) && errors->values[n] >= 0.0);
			sonde_fdtd_result_free(&result);
		}
		sonde_fdtd_result_free(&fine);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(companion_errors_match_true_errors_of_spheres),
					   cmocka_unit_test(errors_of_signals_match_a_finer_run),
					   cmocka_unit_test(error_option_changes_no_other_number)};

	return cmocka_run_group_tests(tests, open_context, close_context);
}
