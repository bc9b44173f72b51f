#include "fdtd/fields/fields_cpu.h"

#define GROUPS_OF_THREAD 4u /* of a launch, at least: the slowest one ends last */
#define MOST_CHUNK 8u	    /* planes of a group */
#define COUNTERS 2u	    /* of a group in a plane */

bool fields_can_pair(const struct fields *fields)
{
	for (int a = 0; a < 3; ++a)
		for (int side = 0; side < 2; ++side)
			if (!grid_is_uniform(&fields->grid, a) && fields->grid.walls[a][side] != WALL_CONDUCTOR)
				return false;
	return !fields->on_gpu && fields->imaginary == NULL && fields->layout.groups_of_plane > 1;
}

static sonde_status find_pairs(struct fields *fields)
{
	const struct fdtd_step *layout = &fields->layout;

	if (fields->counters.memory != NULL)
		return SONDE_OK;
	CHECK(fields_find_kernel(fields, "step_pairs", &fields->pairs));
	return device_allocate(fields->device,
			       (size_t)layout->planes * layout->groups_of_plane * COUNTERS * sizeof(uint32_t),
			       "the fields", &fields->counters);
}

/* Planes of a group: enough groups for all threads. */
static uint32_t chunk_of(const struct fields *fields, uint32_t planes)
{
	const uint32_t groups = fields->layout.groups_of_plane,
		       wanted = GROUPS_OF_THREAD * device_workers(fields->device);
	uint32_t chunk = planes < MOST_CHUNK ? planes : MOST_CHUNK;

	while (chunk > 1 && (planes + chunk - 1) / chunk * groups < wanted)
		--chunk;
	return chunk;
}

sonde_status fields_step_pairs(struct fields *fields, uint32_t first, uint32_t count)
{
	CHECK(find_pairs(fields));
	const uint32_t end = first + count, chunk = chunk_of(fields, count);
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(fields->step.memory),
						    DEVICE_ARGUMENT(fields->buffers[FIELD_E].memory),
						    DEVICE_ARGUMENT(fields->buffers[FIELD_H].memory),
						    DEVICE_ARGUMENT(fields->psi.memory),
						    DEVICE_ARGUMENT(fields->profile.memory),
						    DEVICE_ARGUMENT(fields->tables[FIELD_E].memory),
						    DEVICE_ARGUMENT(fields->tables[FIELD_H].memory),
						    DEVICE_ARGUMENT(fields->index[FIELD_E].memory),
						    DEVICE_ARGUMENT(fields->index[FIELD_H].memory),
						    DEVICE_ARGUMENT(fields->segments[FIELD_E].memory),
						    DEVICE_ARGUMENT(fields->segments[FIELD_H].memory),
						    DEVICE_ARGUMENT(fields->counters.memory),
						    DEVICE_ARGUMENT(first),
						    DEVICE_ARGUMENT(end),
						    DEVICE_ARGUMENT(chunk)};

	return device_launch(fields->device, &fields->pairs,
			     (count + chunk - 1) / chunk * fields->layout.groups_of_plane, arguments, 15);
}
