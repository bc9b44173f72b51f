#include "fdtd/fields/walls.h"

/* Places of a wall in `count` planes. */
static uint32_t places_of(const struct fields *fields, int axis, uint32_t count)
{
	const struct fdtd_step *layout = &fields->layout;
	uint64_t places = axis == 0   ? layout->plane
			  : axis == 1 ? count * layout->row
				      : count * (layout->plane / layout->row);

	return (uint32_t)places;
}

/* Copies one place to another, beyond a wall, counted from -1. */
static sonde_status fill(struct fields *fields, enum field field, uint32_t axis, int from, int to, uint32_t negate,
			 uint32_t first, uint32_t count)
{
	uint32_t from_place = (uint32_t)(from + 1), to_place = (uint32_t)(to + 1),
		 places = places_of(fields, (int)axis, count);
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(fields->step.memory),
						    DEVICE_ARGUMENT(fields->buffers[field].memory),
						    DEVICE_ARGUMENT(axis),
						    DEVICE_ARGUMENT(from_place),
						    DEVICE_ARGUMENT(to_place),
						    DEVICE_ARGUMENT(negate),
						    DEVICE_ARGUMENT(first),
						    DEVICE_ARGUMENT(places)};

	return device_launch(fields->device, &fields->fill_walls, fields->layout.groups_of_plane, arguments, 8);
}

/* The same in both parts, multiplied by the axis's phase factor: E beyond the last node comes from the first side, H
 * before the first node from the last side. */
static sonde_status turn(struct fields *fields, enum field field, uint32_t axis, uint32_t first, uint32_t count)
{
	uint32_t last = (uint32_t)fields->grid.cells[axis], backwards = field == FIELD_H ? 1 : 0,
		 from_place = backwards ? last : 1, to_place = backwards ? 0 : last + 1,
		 places = places_of(fields, (int)axis, count);
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(fields->step.memory),
						    DEVICE_ARGUMENT(fields->buffers[field].memory),
						    DEVICE_ARGUMENT(fields->imaginary->buffers[field].memory),
						    DEVICE_ARGUMENT(fields->turns.memory),
						    DEVICE_ARGUMENT(axis),
						    DEVICE_ARGUMENT(from_place),
						    DEVICE_ARGUMENT(to_place),
						    DEVICE_ARGUMENT(backwards),
						    DEVICE_ARGUMENT(first),
						    DEVICE_ARGUMENT(places)};

	return device_launch(fields->device, &fields->turn_walls, fields->layout.groups_of_plane, arguments, 10);
}

/* Fills the places beyond the walls of one axis, in one part of the fields. E is needed after the last node, H before
 * the first one; a magnetic wall mirrors H with opposite sign. */
static sonde_status fill_axis(struct fields *fields, enum field field, int axis, uint32_t first, uint32_t count)
{
	const enum fdtd_wall *walls = fields->grid.walls[axis];
	const int last = fields->grid.cells[axis];
	const bool low = axis != 0 || first == 0, high = axis != 0 || first + count == fields->layout.end[0];

	if (walls[0] == WALL_PERIODIC && field == FIELD_E && low)
		CHECK(fill(fields, field, (uint32_t)axis, 0, last, 0, first, count));
	if (walls[0] == WALL_PERIODIC && field == FIELD_H && high)
		CHECK(fill(fields, field, (uint32_t)axis, last - 1, -1, 0, first, count));
	if (walls[0] == WALL_MAGNETIC && field == FIELD_H && low)
		CHECK(fill(fields, field, (uint32_t)axis, 0, -1, 1, first, count));
	if (walls[1] == WALL_MAGNETIC && field == FIELD_H && high)
		CHECK(fill(fields, field, (uint32_t)axis, last - 1, last, 1, first, count));
	return SONDE_OK;
}

sonde_status walls_fill(struct fields *fields, enum field field, uint32_t first, uint32_t count)
{
	/* x first: places of its planes include those before the first rows of the next ones, which y and z have to fill */
	for (int a = 0; a < 3; ++a) {
		if (grid_is_uniform(&fields->grid, a))
			continue; /* a uniform axis */
		if (fields->grid.phase[a] != 0.0) {
			CHECK(turn(fields, field, (uint32_t)a, first, count));
			continue;
		}
		CHECK(fill_axis(fields, field, a, first, count));
		if (fields->imaginary != NULL)
			CHECK(fill_axis(fields->imaginary, field, a, first, count));
	}
	return SONDE_OK;
}
