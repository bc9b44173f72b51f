#include "matter/build/inside.h"

#include <math.h>

#include "matter/shape/polyhedron.h"

static bool ellipsoid_contains(const double *semi_axes, const double *r, double scale, double grow)
{
	double sum = 0.0;

	for (int k = 0; k < 3; ++k) {
		const double part = r[k] / (scale * semi_axes[k]);
		sum += part * part;
	}
	return sum <= grow;
}

static bool cone_contains(const double *size, const double *r, double scale, double grow)
{
	const double height = scale * size[2], bottom = scale * size[0], top = scale * size[1];

	if (!(2.0 * fabs(r[2]) <= height * grow))
		return false;
	const double radius =
	    bottom + (top - bottom) * (r[2] / height + 0.5) + (grow - 1.0) * fmax(fmax(bottom, top), height);
	return radius >= 0.0 && r[0] * r[0] + r[1] * r[1] <= radius * radius;
}

static bool polyhedron_contains(const struct build_solid *solid, const double *r, double scale, double grow)
{
	const double inscribed = scale * solid->inscribed;

	if (r[0] * r[0] + r[1] * r[1] + r[2] * r[2] < inscribed * inscribed)
		return true;
	for (int n = 0; n < solid->faces.count; ++n) {
		const struct polyhedron_plane *plane = &solid->faces.planes[n];
		if (!(plane->normal[0] * r[0] + plane->normal[1] * r[1] + plane->normal[2] * r[2] <=
		      plane->distance * scale * grow))
			return false;
	}
	return true;
}

bool solid_contains(const struct build_solid *solid, const double *r, double scale, double grow)
{
	const double s[3] = {scale * solid->size[0], scale * solid->size[1], scale * solid->size[2]};
	double rho2 = r[0] * r[0] + r[1] * r[1];

	switch (solid->kind) {
	case BUILD_SPHERE:
		return rho2 + r[2] * r[2] <= s[0] * s[0] * grow;
	case BUILD_BOX:
		return 2.0 * fabs(r[0]) <= s[0] * grow && 2.0 * fabs(r[1]) <= s[1] * grow &&
		       2.0 * fabs(r[2]) <= s[2] * grow;
	case BUILD_CYLINDER:
		return rho2 <= s[0] * s[0] * grow && rho2 * grow >= s[2] * s[2] && 2.0 * fabs(r[2]) <= s[1] * grow;
	case BUILD_ELLIPSOID:
		return ellipsoid_contains(solid->size, r, scale, grow);
	case BUILD_CONE:
		return cone_contains(solid->size, r, scale, grow);
	case BUILD_PRISM:
	case BUILD_POLYHEDRON:
		return polyhedron_contains(solid, r, scale, grow);
	default:
		return solid->kind == BUILD_SUPERCELL;
	}
}

void solid_bounds(const struct build_solid *solid, double low[3], double high[3])
{
	const double *s = solid->size;
	double half[3] = {0.5 * s[0], 0.5 * s[1], 0.5 * s[2]};

	if (solid->kind == BUILD_POLYHEDRON || solid->kind == BUILD_PRISM) {
		polyhedron_measure(&solid->faces, low, high);
		return;
	}
	if (solid->kind == BUILD_SPHERE)
		half[0] = half[1] = half[2] = s[0];
	if (solid->kind == BUILD_CYLINDER) {
		half[0] = half[1] = s[0];
		half[2] = 0.5 * s[1];
	}
	if (solid->kind == BUILD_ELLIPSOID)
		for (int k = 0; k < 3; ++k)
			half[k] = s[k];
	if (solid->kind == BUILD_CONE)
		half[0] = half[1] = fmax(s[0], s[1]);
	for (int k = 0; k < 3; ++k) {
		low[k] = -half[k];
		high[k] = half[k];
	}
}
