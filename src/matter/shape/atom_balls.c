#include "matter/shape/atom_balls.h"

#include <math.h>

#include "base/memory.h"

#define MOST_VOXELS 1073741824.0

/* Voxels around all atoms with their balls, in the atoms' unit. */
static sonde_status surround(const double *positions, int64_t count, double radius, double size,
			     struct atom_balls *balls)
{
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, all = 1.0;

	for (int64_t n = 0; n < 3 * count; ++n) {
		low[n % 3] = fmin(low[n % 3], positions[n]);
		high[n % 3] = fmax(high[n % 3], positions[n]);
	}
	for (int a = 0; a < 3; ++a) {
		const double extent = high[a] - low[a] + 2.0 * radius, voxels_along = ceil(extent / size);
		if (!isfinite(extent) || !(voxels_along >= 1.0 && voxels_along <= MOST_VOXELS))
			return status_fail(SONDE_INVALID,
					   "atoms: there are none, or too many voxels of %g around them", size);
		all *= voxels_along;
		balls->counts[a] = (int64_t)voxels_along;
		balls->origin[a] = 0.5 * (low[a] + high[a]) - 0.5 * size * voxels_along;
	}
	if (all > MOST_VOXELS)
		return status_fail(SONDE_INVALID, "atoms: %.2g voxels of %g around them; at most 2^30 are possible",
				   all, size);
	return memory_allocate(&balls->filled, (size_t)all, sizeof *balls->filled, "the balls of atoms");
}

static void fill_ball(struct atom_balls *balls, const double center[3], double radius)
{
	int64_t begin[3], end[3];

	for (int a = 0; a < 3; ++a) {
		double from = ceil((center[a] - radius - balls->origin[a]) / balls->size - 0.5),
		       to = floor((center[a] + radius - balls->origin[a]) / balls->size - 0.5);
		begin[a] = from > 0.0 ? (int64_t)from : 0;
		end[a] = to < (double)balls->counts[a] ? (int64_t)to + 1 : balls->counts[a];
	}
	for (int64_t k = begin[2]; k < end[2]; ++k)
		for (int64_t j = begin[1]; j < end[1]; ++j)
			for (int64_t i = begin[0]; i < end[0]; ++i) {
				const double x = balls->origin[0] + ((double)i + 0.5) * balls->size - center[0],
					     y = balls->origin[1] + ((double)j + 0.5) * balls->size - center[1],
					     z = balls->origin[2] + ((double)k + 0.5) * balls->size - center[2];
				if (x * x + y * y + z * z <= radius * radius)
					balls->filled[(k * balls->counts[1] + j) * balls->counts[0] + i] = 1;
			}
}

sonde_status atom_balls_make(const double *positions, int64_t count, double radius, double size,
			     struct atom_balls *balls)
{
	*balls = (struct atom_balls){.size = size};
	CHECK(surround(positions, count, radius, size, balls));
	for (int64_t n = 0; n < count; ++n)
		fill_ball(balls, &positions[3 * n], radius);
	return SONDE_OK;
}
