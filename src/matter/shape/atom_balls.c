#include "matter/shape/atom_balls.h"

#include <math.h>

#include "base/memory.h"
#include "sonde/atoms.h"

#define MOST_VOXELS 1073741824.0
#define USUAL_VOXELS 268435456.0
#define USUAL_CUBES 8.0 /* along a radius */
#define LEAST_CUBES 3.0

static void find_extent(const double *positions, int64_t count, double low[3], double high[3])
{
	for (int a = 0; a < 3; ++a) {
		low[a] = INFINITY;
		high[a] = -INFINITY;
	}
	for (int64_t n = 0; n < 3 * count; ++n) {
		low[n % 3] = fmin(low[n % 3], positions[n]);
		high[n % 3] = fmax(high[n % 3], positions[n]);
	}
}

/* Voxels around all atoms with their balls, in the atoms' unit. */
static sonde_status surround(const double *positions, int64_t count, double radius, double size,
			     struct atom_balls *balls)
{
	double low[3], high[3], all = 1.0;

	find_extent(positions, count, low, high);
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

/* A fraction of the radius, unless too many cubes would be needed for the box around the atoms. */
static double usual_size(const double *positions, int64_t count, double radius)
{
	double low[3], high[3], volume = 1.0;

	find_extent(positions, count, low, high);
	for (int a = 0; a < 3; ++a)
		volume *= high[a] - low[a] + 2.0 * radius;
	return fmin(fmax(radius / USUAL_CUBES, cbrt(volume / USUAL_VOXELS)), radius / LEAST_CUBES);
}

sonde_status atom_balls_make(const double *positions, int64_t count, double radius, double size,
			     struct atom_balls *balls)
{
	*balls = (struct atom_balls){.filled = NULL};
	if (!(isfinite(radius) && radius > 0.0 && isfinite(size) && size >= 0.0))
		return status_fail(SONDE_INVALID, "atoms: radius %g, voxels of %g: must be finite numbers above 0",
				   radius, size);
	balls->size = size > 0.0 ? size : usual_size(positions, count, radius);
	CHECK(surround(positions, count, radius, balls->size, balls));
	for (int64_t n = 0; n < count; ++n)
		fill_ball(balls, &positions[3 * n], radius);
	return SONDE_OK;
}

sonde_status atom_balls_read(const char *path, double radius, double size, struct atom_balls *balls)
{
	sonde_atoms *atoms = NULL;

	*balls = (struct atom_balls){.filled = NULL};
	if (path[0] == '\0')
		return status_fail_option(SONDE_INVALID, "file", "required, the atoms of a sample (XYZ)");
	if (!(radius > 0.0))
		return status_fail_option(
		    SONDE_INVALID, "radius",
		    "required, of the balls that atoms fill; somewhat more than half the distance "
		    "between neighbors makes a solid");
	CHECK(sonde_atoms_read(NULL, path, 0, &atoms));
	const sonde_status status =
	    sonde_atoms_occupancies(atoms) != NULL
		? status_fail_option(
		      SONDE_INVALID, "file",
		      "atoms have occupancies below 1, but a ball is present or not; remove the vacant "
		      "atoms")
		: atom_balls_make(sonde_atoms_positions(atoms), sonde_atoms_count(atoms), radius, size, balls);
	sonde_atoms_free(&atoms);
	return status;
}
