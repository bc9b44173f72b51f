/* Points on the surface of a molecule: of balls of the van der Waals radius, or at the closest approach of a
 * probe's center (Shrake and Rupley, J. Mol. Biol. 79 (1973) 351). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "coulomb/targets/spheres.h"
#include "coulomb/targets/targets.h"
#include "matter/atoms/radius.h"

#define GOLDEN_ANGLE 2.39996322972865332 /* pi (3 - sqrt(5)) */
#define MOST_POINTS 1e9

/* Point n of `count` on a ball, spread evenly on a spiral. */
static void spiral_point(int64_t n, int64_t count, const double middle[3], double radius, double point[3])
{
	double z = 1.0 - (2.0 * (double)n + 1.0) / (double)count, across = sqrt(1.0 - z * z),
	       angle = GOLDEN_ANGLE * (double)n;

	point[0] = middle[0] + radius * across * cos(angle);
	point[1] = middle[1] + radius * across * sin(angle);
	point[2] = middle[2] + radius * z;
}

static sonde_status add_points(const sonde_atoms *atoms, const double *radii, const struct spheres *spheres,
			       double density, struct targets *targets)
{
	size_t capacity = 0;

	for (int64_t i = 0; i < atoms->count; ++i) {
		if (radii[i] <= 0.0)
			continue;
		int64_t count = (int64_t)ceil(density * 4.0 * PI * radii[i] * radii[i]);
		for (int64_t n = 0; n < count; ++n) {
			double point[3];
			spiral_point(n, count, atoms->positions + 3 * i, radii[i], point);
			if (spheres_distance(spheres, point, 0.0, i) < 0.0)
				continue;
			CHECK(memory_grow(&targets->points, &capacity, 3 * (size_t)(targets->count + 1),
					  sizeof(double), "the surface"));
			memcpy(targets->points + 3 * targets->count++, point, sizeof point);
		}
	}
	return targets->count > 0
		   ? SONDE_OK
		   : status_fail_option(SONDE_INVALID, "surface", "no point of it is exposed; use a larger density");
}

sonde_status targets_on_surface(const sonde_atoms *atoms, double density, double probe, struct targets *targets)
{
	struct spheres spheres = {0};
	double *radii, wanted = 0.0;
	sonde_status status;

	CHECK(atoms_radii(atoms, &radii));
	for (int64_t i = 0; i < atoms->count; ++i) {
		radii[i] += radii[i] > 0.0 ? probe : 0.0;
		wanted += density * 4.0 * PI * radii[i] * radii[i];
	}
	if (wanted > MOST_POINTS)
		status = status_fail_option(SONDE_INVALID, "surface",
					    "%.3g points are too many, at most %g; use a smaller density", wanted,
					    MOST_POINTS);
	else
		status = spheres_make(atoms->count, atoms->positions, radii, 0.0, &spheres);
	if (status == SONDE_OK)
		status = add_points(atoms, radii, &spheres, density, targets);
	spheres_free(&spheres);
	free(radii);
	targets->size[0] = targets->count;
	targets->size[1] = targets->size[2] = 1;
	return status;
}
