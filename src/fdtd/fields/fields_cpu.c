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

static bool is_periodic(const struct fields *fields, int axis)
{
	return fields->grid.walls[axis][0] == WALL_PERIODIC && !grid_is_uniform(&fields->grid, axis);
}

/* Beyond walls that are not of a period, fields follow from others of the same tile, or of the one before it. Words of four cells
 * (stored.h) are rounded with what is beyond the wall, so that it matters when that is filled. */
bool fields_can_step_tiles(const struct fields *fields)
{
	const bool rings = is_periodic(fields, 0) || is_periodic(fields, 1) || fields->imaginary != NULL;

	return !fields->on_gpu && fields->streaming == NULL && fields->beside == NULL &&
	       !grid_is_uniform(&fields->grid, 1) && !(rings && fields->grid.in_words);
}

/* Those that the kernel fills itself. */
static uint32_t walls_of_tiles(const struct fields *fields)
{
	uint32_t walls = is_periodic(fields, 2) && fields->grid.phase[2] == 0.0 ? TILE_PERIODIC_ALONG_Z : 0;

	for (uint32_t a = 0; a < 3; ++a)
		for (uint32_t side = 0; side < 2; ++side)
			if (fields->grid.walls[a][side] == WALL_MAGNETIC)
				walls |= TILE_MIRRORS(a, side);
	return walls;
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
	CHECK(fields_find_kernel(fields, "fill_rows", &fields->fill_rows));
	if (fields->imaginary != NULL)
		CHECK(fields_find_kernel(fields, "turn_rows", &fields->turn_rows));
	return fields_find_kernel(fields, "step_tile", &fields->tile);
}

sonde_status fields_step_tile(struct fields *fields, const struct field_tile *tile, enum tile_fields stepped)
{
	const uint32_t walls = walls_of_tiles(fields) | (stepped == TILE_E ? TILE_WITHOUT_H : 0) |
			       (stepped == TILE_H ? TILE_WITHOUT_E : 0);

	for (struct fields *part = fields; part != NULL; part = part->imaginary) {
		const struct device_argument arguments[] = {
		    ARGUMENTS_OF_STEP(part),           DEVICE_ARGUMENT(tile->planes.begin),
		    DEVICE_ARGUMENT(tile->planes.end), DEVICE_ARGUMENT(tile->rows.begin),
		    DEVICE_ARGUMENT(tile->rows.end),   DEVICE_ARGUMENT(walls)};
		CHECK(device_launch(fields->device, &fields->tile, 1, arguments, 16));
	}
	return SONDE_OK;
}

/* As in walls.c. */
sonde_status fields_fill_tile(struct fields *fields, enum field field, uint32_t axis, const struct field_tile *tile)
{
	const uint32_t last = (uint32_t)fields->grid.cells[axis], backwards = field == FIELD_H ? 1 : 0,
		       from = backwards ? last : 1, to = backwards ? 0 : last + 1;
	const bool turned = fields->grid.phase[axis] != 0.0;

	for (struct fields *part = fields; part != NULL && !turned; part = part->imaginary) {
		const struct device_argument arguments[] = {DEVICE_ARGUMENT(fields->step.memory),
							    DEVICE_ARGUMENT(part->buffers[field].memory),
							    DEVICE_ARGUMENT(axis),
							    DEVICE_ARGUMENT(from),
							    DEVICE_ARGUMENT(to),
							    DEVICE_ARGUMENT(tile->planes.begin),
							    DEVICE_ARGUMENT(tile->planes.end),
							    DEVICE_ARGUMENT(tile->rows.begin),
							    DEVICE_ARGUMENT(tile->rows.end)};
		CHECK(device_launch(fields->device, &fields->fill_rows, 1, arguments, 9));
	}
	if (!turned)
		return SONDE_OK;
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(fields->step.memory),
						    DEVICE_ARGUMENT(fields->buffers[field].memory),
						    DEVICE_ARGUMENT(fields->imaginary->buffers[field].memory),
						    DEVICE_ARGUMENT(fields->turns.memory),
						    DEVICE_ARGUMENT(axis),
						    DEVICE_ARGUMENT(from),
						    DEVICE_ARGUMENT(to),
						    DEVICE_ARGUMENT(backwards),
						    DEVICE_ARGUMENT(tile->planes.begin),
						    DEVICE_ARGUMENT(tile->planes.end),
						    DEVICE_ARGUMENT(tile->rows.begin),
						    DEVICE_ARGUMENT(tile->rows.end)};
	return device_launch(fields->device, &fields->turn_rows, 1, arguments, 12);
}
