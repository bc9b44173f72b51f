#include "fdtd/fields/fields_cpu.h"

#define COUNTERS 2u /* of a group's rows */

/* The arguments that whole steps on CPUs have in common (kernels/both_in_place.h). */
#define ARGUMENTS_OF_STEP(fields)                                                                                  \
	DEVICE_ARGUMENT((fields)->step.memory), DEVICE_ARGUMENT((fields)->buffers[FIELD_E].memory),                \
	    DEVICE_ARGUMENT((fields)->buffers[FIELD_H].memory), DEVICE_ARGUMENT((fields)->psi.memory),             \
	    DEVICE_ARGUMENT((fields)->profile.memory), DEVICE_ARGUMENT((fields)->tables[FIELD_E].memory),          \
	    DEVICE_ARGUMENT((fields)->tables[FIELD_H].memory), DEVICE_ARGUMENT((fields)->index[FIELD_E].memory),   \
	    DEVICE_ARGUMENT((fields)->index[FIELD_H].memory), DEVICE_ARGUMENT((fields)->segments[FIELD_E].memory), \
	    DEVICE_ARGUMENT((fields)->segments[FIELD_H].memory)

/* Whether no field beyond a wall follows from another one, on a CPU. */
static bool is_between_conductors(const struct fields *fields)
{
	for (int a = 0; a < 3; ++a)
		for (int side = 0; side < 2; ++side)
			if (!grid_is_uniform(&fields->grid, a) && fields->grid.walls[a][side] != WALL_CONDUCTOR)
				return false;
	return !fields->on_gpu && fields->imaginary == NULL;
}

bool fields_can_step_in_place(const struct fields *fields)
{
	return is_between_conductors(fields) && fields->layout.groups_of_plane > 1;
}

bool fields_can_step_tiles(const struct fields *fields)
{
	return is_between_conductors(fields) && fields->streaming == NULL && fields->beside == NULL &&
	       !grid_is_uniform(&fields->grid, 0) && !grid_is_uniform(&fields->grid, 1);
}

static sonde_status find_kernel_in_place(struct fields *fields)
{
	const struct fdtd_step *layout = &fields->layout;

	if (fields->counters.memory != NULL)
		return SONDE_OK;
	CHECK(fields_find_kernel(fields, "step_in_place", &fields->both_in_place));
	return device_allocate(fields->device,
			       (size_t)layout->planes * layout->groups_of_plane * COUNTERS * sizeof(uint32_t),
			       "the fields", &fields->counters);
}

sonde_status fields_step_both_in_place(struct fields *fields, uint32_t first, uint32_t count)
{
	CHECK(find_kernel_in_place(fields));
	const uint32_t end = first + count;
	const struct device_argument arguments[] = {ARGUMENTS_OF_STEP(fields),
						    DEVICE_ARGUMENT(fields->counters.memory), DEVICE_ARGUMENT(first),
						    DEVICE_ARGUMENT(end)};

	return device_launch(fields->device, &fields->both_in_place, count * fields->layout.groups_of_plane,
			     arguments, 14);
}

sonde_status fields_prepare_tiles(struct fields *fields)
{
	return fields_find_kernel(fields, "step_tile", &fields->tile);
}

sonde_status fields_step_tile(struct fields *fields, const struct field_tile *tile)
{
	const struct device_argument arguments[] = {
	    ARGUMENTS_OF_STEP(fields), DEVICE_ARGUMENT(tile->planes.begin), DEVICE_ARGUMENT(tile->planes.end),
	    DEVICE_ARGUMENT(tile->rows.begin), DEVICE_ARGUMENT(tile->rows.end)};

	return device_launch(fields->device, &fields->tile, 1, arguments, 15);
}
