#include "physics/fdtd_job.h"

#include <stdio.h>

#include "physics/fields_helper.h"

#define ROOM(array) ((int64_t)(sizeof(array) / sizeof *(array)))

void fdtd_job_begin(struct fdtd_job *made, double x, double y, double z, double cell)
{
	sonde_fdtd_job_init(&made->job);
	made->job.options.size = (sonde_vector){x, y, z};
	made->job.options.cell = (sonde_vector){cell, cell, cell};
	made->job.boundaries.items = made->boundaries;
	made->job.materials.items = made->materials;
	made->job.bodies.items = made->bodies;
	made->job.sources.items = made->sources;
	made->job.monitors.items = made->monitors;
}

sonde_fdtd_boundary_options *fdtd_job_add_boundary(struct fdtd_job *made, int kind)
{
	assert_true(made->job.boundaries.count < ROOM(made->boundaries));
	sonde_fdtd_boundary_options *added = &made->boundaries[made->job.boundaries.count++];
	sonde_fdtd_boundary_init(added);
	added->kind = kind;
	return added;
}

sonde_fdtd_material_options *fdtd_job_add_material(struct fdtd_job *made, const char *name)
{
	assert_true(made->job.materials.count < ROOM(made->materials));
	sonde_fdtd_material_options *added = &made->materials[made->job.materials.count++];
	sonde_fdtd_material_init(added);
	snprintf(added->name, sizeof added->name, "%s", name);
	return added;
}

sonde_body_options *fdtd_job_add_body(struct fdtd_job *made, int shape, const char *material)
{
	assert_true(made->job.bodies.count < ROOM(made->bodies));
	sonde_body_options *added = &made->bodies[made->job.bodies.count++];
	sonde_body_init(added);
	added->shape = shape;
	snprintf(added->material, sizeof added->material, "%s", material);
	return added;
}

sonde_fdtd_source_options *fdtd_job_add_source(struct fdtd_job *made, int kind)
{
	assert_true(made->job.sources.count < ROOM(made->sources));
	sonde_fdtd_source_options *added = &made->sources[made->job.sources.count++];
	sonde_fdtd_source_init(added);
	added->kind = kind;
	return added;
}

sonde_fdtd_monitor_options *fdtd_job_add_monitor(struct fdtd_job *made, int kind)
{
	assert_true(made->job.monitors.count < ROOM(made->monitors));
	sonde_fdtd_monitor_options *added = &made->monitors[made->job.monitors.count++];
	sonde_fdtd_monitor_init(added);
	added->kind = kind;
	return added;
}

sonde_fdtd_result *fdtd_job_run(sonde_context *context, const struct fdtd_job *made)
{
	sonde_fdtd_result *result;

	succeed(sonde_fdtd_run(context, &made->job, &result));
	return result;
}

const sonde_fdtd_array *fdtd_array_of(const sonde_fdtd_result *result, int monitor, const char *name)
{
	const sonde_fdtd_array *array = sonde_fdtd_find_array(&result->monitors[monitor], name);

	assert_non_null(array);
	return array;
}
