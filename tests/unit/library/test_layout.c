/* Structs that callers allocate: their size comes first, and those of an older, shorter version are completed. */
#include "unit/support.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "sonde/sonde.h"

#define SIZE_IS_FIRST(type) \
	_Static_assert(     \
	    offsetof(type, struct_size) == 0 && sizeof((type *)0)->struct_size == 8 && sizeof(type) % 8 == 0, #type)
SIZE_IS_FIRST(sonde_build_options);
SIZE_IS_FIRST(sonde_debye_options);
SIZE_IS_FIRST(sonde_pattern_options);
SIZE_IS_FIRST(sonde_coulomb_options);
SIZE_IS_FIRST(sonde_stopping_options);
SIZE_IS_FIRST(sonde_ions_options);
SIZE_IS_FIRST(sonde_fdtd_options);
SIZE_IS_FIRST(sonde_fdtd_boundary_options);
SIZE_IS_FIRST(sonde_fdtd_material_options);
SIZE_IS_FIRST(sonde_body_options);
SIZE_IS_FIRST(sonde_fdtd_source_options);
SIZE_IS_FIRST(sonde_fdtd_monitor_options);
SIZE_IS_FIRST(sonde_fdtd_job);
SIZE_IS_FIRST(sonde_fdtd_plan);
SIZE_IS_FIRST(sonde_device_description);
SIZE_IS_FIRST(sonde_device_speed);

/* Members of options, which must not change; options grow at the end of a job, after which nothing may stand. */
_Static_assert(sizeof(sonde_grid) == 24 && offsetof(sonde_grid, points) == 16, "sonde_grid");
_Static_assert(sizeof(sonde_vector) == 24, "sonde_vector");
_Static_assert(offsetof(sonde_fdtd_job, options) + sizeof(sonde_fdtd_options) == sizeof(sonde_fdtd_job), "last");

static void test_descriptions_of_older_programs(void **unused)
{
	sonde_device_description whole, part;
	const size_t size = offsetof(sonde_device_description, software);
	sonde_context *context;
	int found;
	(void)unused;

	memset(&part, 0x55, sizeof part);
	assert_status(SONDE_OK, sonde_context_create(&context));
	assert_status(SONDE_OK, sonde_context_set_device(context, "cpu"));
	assert_status(SONDE_OK, sonde_context_describe_device(context, 0, &whole, &found));
	assert_true(found);
	assert_int_equal(whole.struct_size, sizeof whole);
	assert_status(SONDE_OK, sonde_context_describe_device_sized(context, 0, &part, size, &found));
	assert_int_equal(part.struct_size, size);
	assert_memory_equal(part.name, whole.name, size - offsetof(sonde_device_description, name));
	for (size_t k = size; k < sizeof part; ++k)
		assert_int_equal(((const unsigned char *)&part)[k], 0x55);
	sonde_context_free(&context);
}

/* A job of a program that does not know the last option of monitors, nor that of the job. */
#define MONITORS 3
#define SHORT offsetof(sonde_fdtd_monitor_options, source)

static void make_job(sonde_fdtd_job *job, sonde_fdtd_source_options *dipole)
{
	sonde_fdtd_source_init(dipole);
	dipole->kind = SONDE_FDTD_SOURCE_KIND_DIPOLE;
	dipole->polarization = (sonde_vector){0.0, 0.0, 1.0};
	dipole->wavelength = 500e-9;
	job->options.size = (sonde_vector){1e-6, 1e-6, 0.0};
	job->options.cell = (sonde_vector){50e-9, 50e-9, 50e-9};
	job->options.steps = 20;
	job->sources.items = dipole;
	job->sources.count = 1;
	job->monitors.count = MONITORS;
}

static sonde_fdtd_monitor_options make_monitor(int number)
{
	sonde_fdtd_monitor_options monitor;

	sonde_fdtd_monitor_init(&monitor);
	monitor.kind = SONDE_FDTD_MONITOR_KIND_POINT;
	monitor.center = (sonde_vector){1e-7 * number, 1e-7, 0.0};
	return monitor;
}

static void test_jobs_of_older_programs(void **unused)
{
	sonde_fdtd_monitor_options monitors[MONITORS];
	char *shorter = calloc(MONITORS, SHORT);
	sonde_fdtd_source_options dipole;
	sonde_fdtd_result *result, *older;
	sonde_fdtd_job job;
	sonde_context *context;
	(void)unused;

	assert_non_null(shorter);
	assert_status(SONDE_OK, sonde_context_create(&context));
	assert_status(SONDE_OK, sonde_context_set_device(context, "cpu"));
	sonde_fdtd_job_init(&job);
	make_job(&job, &dipole);
	for (int n = 0; n < MONITORS; ++n) {
		const uint64_t size = SHORT;
		monitors[n] = make_monitor(n);
		memcpy(shorter + (size_t)n * SHORT, &monitors[n], SHORT);
		memcpy(shorter + (size_t)n * SHORT, &size, sizeof size);
	}
	job.monitors.items = monitors;
	assert_status(SONDE_OK, sonde_fdtd_run(context, &job, &result));
	memcpy(&job.monitors.items, &shorter, sizeof shorter);
	job.options.struct_size = offsetof(sonde_fdtd_options, checkpoint);
	assert_status(SONDE_OK, sonde_fdtd_run(context, &job, &older));
	assert_int_equal(older->options->struct_size, sizeof job.options);
	assert_int_equal(result->monitor_count, MONITORS);
	for (int n = 0; n < MONITORS; ++n)
		for (int k = 0; k < result->monitors[n].array_count; ++k) {
			const sonde_fdtd_array *a = &result->monitors[n].arrays[k],
					       *b = &older->monitors[n].arrays[k];
			size_t count = 1;
			for (int d = 0; d < a->rank; ++d)
				count *= (size_t)a->sizes[d];
			assert_memory_equal(a->values, b->values, count * sizeof(double));
		}
	sonde_fdtd_result_free(&result);
	sonde_fdtd_result_free(&older);

	/* items of different versions, or without init */
	const uint64_t wrong = sizeof monitors[0];
	memcpy(shorter + SHORT, &wrong, sizeof wrong);
	assert_invalid("monitors 2 was not set up", sonde_fdtd_run(context, &job, &result));
	assert_null(result);
	job.monitors.items = NULL;
	assert_invalid("monitors", sonde_fdtd_run(context, &job, &result));
	memset(&job, 0, sizeof job);
	assert_invalid("sonde_fdtd_job_init", sonde_fdtd_run(context, &job, &result));
	free(shorter);
	sonde_context_free(&context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_descriptions_of_older_programs),
	    cmocka_unit_test(test_jobs_of_older_programs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
