/* Shapes from STL files: an accepted surface is closed, and lines through it do not contradict themselves. */
#include "fuzz/fuzz.h"

#include <math.h>

#include "matter/shape/shape.h"
#include "io/mesh/stl.h"

static void check_line(const struct shape *shape, int axis, const double point[3], struct interval *intervals)
{
	int room = shape_room(shape), count = shape_line(shape, axis, point, intervals, room);
	double low[3], high[3];
	bool inside = false;

	shape_bounds(shape, low, high);
	REQUIRE(count >= 0 && count <= room);
	for (int k = 0; k < count; ++k) {
		REQUIRE(intervals[k].begin < intervals[k].end);
		REQUIRE(k == 0 || intervals[k].begin > intervals[k - 1].end);
		REQUIRE(intervals[k].begin >= low[axis] && intervals[k].end <= high[axis]);
		inside = inside || (point[axis] >= intervals[k].begin && point[axis] < intervals[k].end);
	}
	REQUIRE(axis != 0 || inside == shape_contains(shape, point));
}

/* Lines through the first corners, and on a grid. */
static void check_shape(const struct shape *shape, const char *path)
{
	struct interval *intervals = calloc((size_t)shape_room(shape), sizeof *intervals);
	double low[3], high[3], point[3];
	struct stl stl;

	REQUIRE(intervals != NULL && stl_read(path, &stl) == SONDE_OK);
	shape_bounds(shape, low, high);
	REQUIRE(isfinite(shape_volume(shape)) && shape_volume(shape) > 0.0);
	for (int k = 0; k < 3; ++k)
		REQUIRE(isfinite(low[k]) && isfinite(high[k]) && low[k] < high[k]);
	for (int64_t n = 0; n < 3 * stl.count && n < 48; ++n)
		for (int axis = 0; axis < 3; ++axis)
			check_line(shape, axis, &stl.corners[3 * n], intervals);
	for (int n = 0; n < 64; ++n)
		for (int axis = 0; axis < 3; ++axis) {
			point[0] = low[0] + (high[0] - low[0]) * (n % 4) / 4.0;
			point[1] = low[1] + (high[1] - low[1]) * (n / 4 % 4) / 4.0;
			point[2] = low[2] + (high[2] - low[2]) * (n / 16) / 4.0;
			check_line(shape, axis, point, intervals);
		}
	stl_free(&stl);
	free(intervals);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const double shift[3] = {0.0, 0.0, 0.0};
	struct shape *shape;

	if (size > 1 << 16)
		return 0;
	const char *path = memory_file(data, size);
	if (shape_create_stl(path, 1.0, shift, 0.0, &shape) != SONDE_OK) {
		REQUIRE_MESSAGE();
		REQUIRE(shape == NULL);
		return 0;
	}
	check_shape(shape, path);
	shape_free(&shape);
	return 0;
}
