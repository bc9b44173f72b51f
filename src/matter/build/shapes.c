#include "matter/build/shapes.h"

#include <math.h>
#include <stdbool.h>

#include "base/option_spelling.h"
#include "matter/shape/polyhedron.h"
#include "matter/build/supercell.h"
#include "matter/shape/wulff.h"

struct request {
	const sonde_build_options *options;
	const struct crystal *crystal;
};

static bool given(const sonde_vector *vector)
{
	return vector->x != 0.0 || vector->y != 0.0 || vector->z != 0.0;
}

static struct build_solid solid_of(enum build_kind kind, const sonde_vector *size)
{
	return (struct build_solid){.kind = kind, .size = {size->x, size->y, size->z}};
}

/* Shapes of one or three numbers -------------------------------------------------------------- */

static sonde_status make_sphere(const struct request *request, struct build_solid *solid)
{
	*solid = (struct build_solid){.kind = BUILD_SPHERE, .size = {request->options->sphere}};
	return SONDE_OK;
}

static sonde_status make_box(const struct request *request, struct build_solid *solid)
{
	const sonde_vector *box = &request->options->box;

	if (box->x <= 0.0 || box->y <= 0.0 || box->z <= 0.0)
		return status_fail_option(SONDE_INVALID, "box", "every edge must be longer than 0");
	*solid = solid_of(BUILD_BOX, box);
	return SONDE_OK;
}

static sonde_status make_cylinder(const struct request *request, struct build_solid *solid)
{
	const sonde_vector *cylinder = &request->options->cylinder;

	if (cylinder->x <= 0.0 || cylinder->y <= 0.0 || cylinder->z >= cylinder->x)
		return status_fail_option(SONDE_INVALID, "cylinder",
					  "radius and length must be above 0, and the inner radius below "
					  "the radius");
	*solid = solid_of(BUILD_CYLINDER, cylinder);
	return SONDE_OK;
}

static sonde_status make_ellipsoid(const struct request *request, struct build_solid *solid)
{
	const sonde_vector *ellipsoid = &request->options->ellipsoid;

	if (ellipsoid->x <= 0.0 || ellipsoid->y <= 0.0 || ellipsoid->z <= 0.0)
		return status_fail_option(SONDE_INVALID, "ellipsoid", "every semi-axis must be longer than 0");
	*solid = solid_of(BUILD_ELLIPSOID, ellipsoid);
	return SONDE_OK;
}

static sonde_status make_cone(const struct request *request, struct build_solid *solid)
{
	const sonde_vector *cone = &request->options->cone;

	if ((cone->x <= 0.0 && cone->y <= 0.0) || cone->z <= 0.0)
		return status_fail_option(SONDE_INVALID, "cone",
					  "the height, the third number, and one radius must be above 0");
	*solid = solid_of(BUILD_CONE, cone);
	return SONDE_OK;
}

/* Polyhedra ---------------------------------------------------------------------------------- */

static sonde_status make_hexagonal_prism(const struct request *request, struct build_solid *solid)
{
	const sonde_vector *prism = &request->options->hexagonal_prism;

	if (prism->x <= 0.0 || prism->y <= 0.0 || prism->z != 0.0)
		return status_fail_option(SONDE_INVALID, "hexagonal_prism",
					  "edge and height must be above 0, and the third number 0");
	*solid = solid_of(BUILD_PRISM, prism);
	polyhedron_hexagonal_prism(prism->x, prism->y, &solid->faces);
	return SONDE_OK;
}

#define MAKE_POLYHEDRON(name)                                                                     \
	static sonde_status make_##name(const struct request *request, struct build_solid *solid) \
	{                                                                                         \
		*solid = (struct build_solid){.kind = BUILD_POLYHEDRON};                          \
		polyhedron_##name(request->options->name, &solid->faces);                         \
		return SONDE_OK;                                                                  \
	}
MAKE_POLYHEDRON(octahedron)
MAKE_POLYHEDRON(cuboctahedron)
MAKE_POLYHEDRON(truncated_octahedron)
MAKE_POLYHEDRON(tetrahedron)
MAKE_POLYHEDRON(rhombic_dodecahedron)
MAKE_POLYHEDRON(truncated_cube)

static sonde_status make_wulff(const struct request *request, struct build_solid *solid)
{
	const sonde_build_options *options = request->options;

	*solid = (struct build_solid){.kind = BUILD_POLYHEDRON};
	return wulff_make(options->wulff, options->wulff_radius, request->crystal->vectors, &solid->faces);
}

static sonde_status make_stl(const struct request *request, struct build_solid *solid)
{
	const sonde_build_options *options = request->options;

	*solid = (struct build_solid){.kind = BUILD_STL, .stl = options->stl, .stl_scale = options->stl_scale};
	return SONDE_OK;
}

/* Whole cells -------------------------------------------------------------------------------- */

static void set_edges(const struct crystal *crystal, struct build_solid *solid)
{
	for (int k = 0; k < 3; ++k)
		for (int m = 0; m < 3; ++m) {
			solid->edges[k][m] = 0.0;
			for (int j = 0; j < 3; ++j)
				if (solid->matrix[k][j] != 0)
					solid->edges[k][m] += (double)solid->matrix[k][j] * crystal->vectors[j][m];
		}
}

static sonde_status make_supercell(const struct request *request, struct build_solid *solid)
{
	*solid = solid_of(BUILD_SUPERCELL, &request->options->supercell);
	for (int k = 0; k < 3; ++k) {
		if (solid->size[k] < 1.0 || solid->size[k] != floor(solid->size[k]))
			return status_fail_option(SONDE_INVALID, "supercell",
						  "the numbers of cells must be integers of at least 1, not %g",
						  solid->size[k]);
		solid->matrix[k][k] = (int64_t)solid->size[k];
	}
	set_edges(request->crystal, solid);
	return SONDE_OK;
}

static sonde_status make_supercell_matrix(const struct request *request, struct build_solid *solid)
{
	*solid = (struct build_solid){.kind = BUILD_SUPERCELL};
	CHECK(supercell_parse(request->options->supercell_matrix, solid->matrix));
	set_edges(request->crystal, solid);
	return SONDE_OK;
}

/* Clusters ----------------------------------------------------------------------------------- */

static sonde_status check_cluster(const sonde_build_options *options, const char *name)
{
	if (options->cell != SONDE_BUILD_CELL_FCC)
		return status_fail_option(SONDE_INVALID, name, "consists of twins of fcc; the cell must be fcc");
	if (given(&options->center))
		return status_fail_option(SONDE_INVALID, "center",
					  "not used by " OPTION_NAME("%s") ", whose center is its own", name);
	return SONDE_OK;
}

static sonde_status make_icosahedron(const struct request *request, struct build_solid *solid)
{
	*solid = (struct build_solid){.kind = BUILD_CLUSTER, .size = {(double)request->options->icosahedron}};
	return check_cluster(request->options, "icosahedron");
}

static sonde_status make_decahedron(const struct request *request, struct build_solid *solid)
{
	*solid = solid_of(BUILD_CLUSTER, &request->options->decahedron);
	for (int k = 0; k < 3; ++k)
		if (solid->size[k] != floor(solid->size[k]) || (k < 2 && solid->size[k] < 1.0))
			return status_fail_option(SONDE_INVALID, "decahedron",
						  "p,q,r must be integers, p and q at least 1, r at least 0; not %g",
						  solid->size[k]);
	return check_cluster(request->options, "decahedron");
}

/* -------------------------------------------------------------------------------------------- */

struct shape_row {
	const char *name;
	bool given;
	sonde_status (*make)(const struct request *request, struct build_solid *solid);
};

static sonde_status find_row(const struct shape_row *shapes, int count, const struct shape_row **found)
{
	*found = NULL;
	for (int k = 0; k < count; ++k) {
		if (shapes[k].given && *found != NULL)
			return status_fail(SONDE_INVALID,
					   "more than one shape is given, " OPTION_NAME("%s") " and " OPTION_NAME(
					       "%s") "; give one of `sphere`, `box`, "
						     "`cylinder`, `supercell`, or another shape",
					   (*found)->name, shapes[k].name);
		if (shapes[k].given)
			*found = &shapes[k];
	}
	return SONDE_OK;
}

static sonde_status no_shape(void)
{
	return status_fail(SONDE_INVALID,
			   "no shape is given; give one of `sphere`, `box`, `cylinder`, `supercell`, `ellipsoid`, "
			   "`octahedron`, `wulff`, `stl`, or another shape of the help; a size of 0, or 0,0,0, "
			   "means that this shape is not given");
}

#define SHAPE(name, given)                \
	{                                 \
#name, given, make_##name \
	}

sonde_status shapes_find(const sonde_build_options *options, const struct crystal *crystal, struct build_solid *solid)
{
	const struct shape_row *found, shapes[] = {
					   SHAPE(sphere, options->sphere != 0.0),
					   SHAPE(box, given(&options->box)),
					   SHAPE(cylinder, given(&options->cylinder)),
					   SHAPE(supercell, given(&options->supercell)),
					   SHAPE(ellipsoid, given(&options->ellipsoid)),
					   SHAPE(cone, given(&options->cone)),
					   SHAPE(hexagonal_prism, given(&options->hexagonal_prism)),
					   SHAPE(octahedron, options->octahedron != 0.0),
					   SHAPE(cuboctahedron, options->cuboctahedron != 0.0),
					   SHAPE(truncated_octahedron, options->truncated_octahedron != 0.0),
					   SHAPE(tetrahedron, options->tetrahedron != 0.0),
					   SHAPE(rhombic_dodecahedron, options->rhombic_dodecahedron != 0.0),
					   SHAPE(truncated_cube, options->truncated_cube != 0.0),
					   SHAPE(wulff, options->wulff[0] != '\0'),
					   SHAPE(stl, options->stl[0] != '\0'),
					   SHAPE(icosahedron, options->icosahedron != 0),
					   SHAPE(decahedron, given(&options->decahedron)),
					   SHAPE(supercell_matrix, options->supercell_matrix[0] != '\0'),
				       };
	const struct request request = {options, crystal};

	*solid = (struct build_solid){.kind = BUILD_NOTHING};
	CHECK(find_row(shapes, (int)(sizeof shapes / sizeof *shapes), &found));
	if (found == NULL && options->bodies[0] == '\0')
		return no_shape();
	CHECK(found != NULL ? found->make(&request, solid) : SONDE_OK);
	if (options->wulff_radius != 0.0 && options->wulff[0] == '\0')
		return status_fail_option(SONDE_INVALID, "wulff_radius", "only the shape `wulff` has it");
	if (options->stl_scale != 1.0 && options->stl[0] == '\0')
		return status_fail_option(SONDE_INVALID, "stl_scale", "only the shape `stl` has it");
	solid->hollow = options->hollow;
	solid->inscribed = polyhedron_inscribed(&solid->faces);
	return SONDE_OK;
}
