#include "matter/build/built_body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "matter/shape/polyhedron.h"

/* The twelve triangles of a supercell, which may be oblique. */
static sonde_status create_supercell(const struct build_solid *solid, double scale, const double shift[3],
				     struct shape **shape)
{
	/* corners of each face, counterclockwise from outside; bits give the edges that lead there */
	static const int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
					{2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
	double corners[8][3], triangles[12][3][3];

	for (int n = 0; n < 8; ++n)
		for (int m = 0; m < 3; ++m) {
			corners[n][m] = solid->corner[m];
			for (int k = 0; k < 3; ++k)
				corners[n][m] += n >> k & 1 ? solid->edges[k][m] : 0.0;
		}
	for (int n = 0; n < 12; ++n) {
		const int *face = faces[n / 2], second = n % 2 == 0 ? 1 : 2;
		memcpy(triangles[n][0], corners[face[0]], sizeof corners[0]);
		memcpy(triangles[n][1], corners[face[second]], sizeof corners[0]);
		memcpy(triangles[n][2], corners[face[second + 1]], sizeof corners[0]);
	}
	return shape_create_mesh(&triangles[0][0][0], 12, scale, shift, shape);
}

/* Edges along x, y and z: a rectangular box. */
static bool is_box(const struct build_solid *solid)
{
	for (int k = 0; k < 9; ++k)
		if (k / 3 == k % 3 ? !(solid->edges[k / 3][k % 3] > 0.0) : solid->edges[k / 3][k % 3] != 0.0)
			return false;
	return true;
}

static sonde_status create_box(const double corner[3], const double edges[3], double scale, const double shift[3],
			       struct shape **shape)
{
	double low[3], high[3];

	for (int k = 0; k < 3; ++k) {
		low[k] = scale * corner[k] + shift[k];
		high[k] = scale * (corner[k] + edges[k]) + shift[k];
	}
	return shape_create_box(low, high, NULL, shape);
}

sonde_status built_solid(const sonde_build_options *options, struct build_solid *solid)
{
	if (options == NULL)
		return status_fail_option(
		    SONDE_INVALID, "file",
		    "required, a sample of sonde build (XYZ); or give the job a 'build:' block, "
		    "whose solid is then used");
	return build_solid_of(options, solid);
}

static sonde_status create_polyhedron(const struct build_solid *solid, double scale, const double shift[3],
				      struct shape **shape)
{
	double *triangles = NULL;
	int64_t count;
	sonde_status status = polyhedron_triangles(&solid->faces, &triangles, &count);

	if (status == SONDE_OK)
		status = shape_create_mesh(triangles, count, scale, shift, shape);
	free(triangles);
	return status;
}

static sonde_status create_solid(const struct build_solid *solid, double scale, const double shift[3],
				 struct shape **shape)
{
	static const double up[3] = {0.0, 0.0, 1.0};
	const double *size = solid->size, lengths[3] = {scale * size[0], scale * size[1], scale * size[2]},
		     radii[2] = {lengths[0], lengths[0]};

	switch (solid->kind) {
	case BUILD_SPHERE:
		return shape_create_sphere(shift, lengths[0], shape);
	case BUILD_BOX:
		return create_box((const double[3]){-0.5 * size[0], -0.5 * size[1], -0.5 * size[2]}, size, scale,
				  shift, shape);
	case BUILD_CYLINDER:
		return shape_create_cylinder(shift, up, lengths[1], radii, shape);
	case BUILD_ELLIPSOID:
		return shape_create_ellipsoid(shift, lengths, NULL, shape);
	case BUILD_CONE:
		return shape_create_cylinder(shift, up, lengths[2], lengths, shape);
	case BUILD_PRISM:
	case BUILD_POLYHEDRON:
		return create_polyhedron(solid, scale, shift, shape);
	case BUILD_STL:
		return shape_create_stl(solid->stl, scale * solid->stl_scale, shift, 0.0, shape);
	case BUILD_CLUSTER:
		if (solid->faces.count > 0)
			return create_polyhedron(solid, scale, shift, shape);
		return status_fail_option(SONDE_INVALID, "shape",
					  "decahedra of build have no smooth surface; give a file of "
					  "atoms, or an STL file");
	case BUILD_NOTHING:
		return status_fail(SONDE_INTERNAL, "a sample of bodies has no shape of its own");
	case BUILD_SUPERCELL:
		break;
	}
	if (!is_box(solid))
		return create_supercell(solid, scale, shift, shape);
	return create_box(solid->corner,
			  (const double[3]){solid->edges[0][0], solid->edges[1][1], solid->edges[2][2]}, scale, shift,
			  shape);
}

/* The fraction of the volume that a tube's bore or a shell's inside leaves. */
static double solid_part(const struct build_solid *solid)
{
	return solid->kind == BUILD_CYLINDER && solid->size[2] > 0.0 ? 1.0 - pow(solid->size[2] / solid->size[0], 2.0)
								     : 1.0 - pow(solid->hollow, 3.0);
}

/* The inside of a tube, longer than it, or of a shell, which is scaled about its center; of a mesh, the middle of the box
 * around it. */
static sonde_status create_hollow(const struct build_solid *solid, double scale, const double shift[3],
				  const struct shape *shape, struct shape **hollow)
{
	static const double up[3] = {0.0, 0.0, 1.0};
	const double inner[2] = {scale * solid->size[2], scale * solid->size[2]};
	double low[3], high[3], place[3];

	if (solid->kind == BUILD_CYLINDER && solid->size[2] > 0.0)
		return shape_create_cylinder(shift, up, 2.0 * scale * solid->size[1], inner, hollow);
	if (solid->hollow == 0.0)
		return SONDE_OK;
	shape_bounds(shape, low, high);
	for (int k = 0; k < 3; ++k) {
		const double middle = solid->kind == BUILD_STL ? 0.5 * (low[k] + high[k]) : shift[k];
		place[k] = middle + solid->hollow * (shift[k] - middle);
	}
	return create_solid(solid, scale * solid->hollow, place, hollow);
}

sonde_status built_body(const sonde_build_options *options, double scale, const double shift[3], struct shape **shape)
{
	struct build_solid solid;
	struct shape *outer = NULL, *inner = NULL;

	*shape = NULL;
	if (!(isfinite(scale) && scale > 0.0))
		return status_fail(SONDE_INVALID, "scale = %g: must be a finite number above 0", scale);
	CHECK(built_solid(options, &solid));
	CHECK(create_solid(&solid, scale, shift, &outer));
	const sonde_status status = create_hollow(&solid, scale, shift, outer, &inner);
	if (status != SONDE_OK) {
		shape_free(&outer);
		return status;
	}
	if (inner != NULL)
		return shape_create_shell(&outer, &inner, shape_volume(outer) * solid_part(&solid), shape);
	*shape = outer;
	return SONDE_OK;
}
