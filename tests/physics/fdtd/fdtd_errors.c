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

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(companion_errors_match_true_errors_of_spheres),
					   cmocka_unit_test(error_option_changes_no_other_number)};

	return cmocka_run_group_tests(tests, open_context, close_context);
}
