/* Solids of bodies. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "matter/shape/body.h"
#include "matter/shape/orientation.h"
#include "matter/shape/polygon.h"
#include "matter/shape/polyhedron.h"
#include "matter/shape/wulff.h"

const struct body_frame body_frame_in_angstrom = {.unit = "A", .meter = 1e10, .job_axis = {0, 1, 2}};

/* Along the engine's axes. */
static void turn(const struct body_frame *frame, sonde_vector vector, double turned[3])
{
	for (int k = 0; k < 3; ++k)
		turned[k] = vector_part(vector, frame->job_axis[k]);
}

static int engine_axis(const struct body_frame *frame, int job_axis)
{
	int k = 0;

	while (k < 2 && frame->job_axis[k] != job_axis)
		++k;
	return k;
}

static double end_of(const struct body_frame *frame, int axis, double place, double direction)
{
	return frame->end != NULL ? frame->end(frame->user, axis, place, direction) : place;
}

/* Whether a rotation leaves one of the job's axes unchanged. */
static bool keeps_axis(sonde_vector rotation, int axis)
{
	for (int u = 0; u < 3; ++u)
		if (u != axis && vector_part(rotation, u) != 0.0)
			return false;
	return true;
}

/* A body's own axes along the engine's. */
static sonde_status engine_axes(const struct body_frame *frame, sonde_vector rotation, struct shape_axes *axes)
{
	const double degrees[3] = {rotation.x, rotation.y, rotation.z};
	struct shape_axes job;

	CHECK(shape_axes_turn(degrees, &job));
	for (int k = 0; k < 3; ++k)
		turn(frame, (sonde_vector){job.of[k][0], job.of[k][1], job.of[k][2]}, axes->of[k]);
	return SONDE_OK;
}

static sonde_status make_box(const struct body_frame *frame, const sonde_body_options *body, const double center[3],
			     struct shape **shape)
{
	bool turned = body_is_turned(body);
	struct shape_axes axes;
	double low[3], high[3];

	for (int k = 0; k < 3; ++k) {
		/* a rotated box has its own axes, in the job's order; it may be infinite only along an axis about which it is rotated */
		const int u = turned ? k : frame->job_axis[k];
		double size = vector_part(body->size, u);
		if (size == 0.0 && frame->endless[engine_axis(frame, u)] &&
		    (!turned || keeps_axis(body->rotation, u)))
			size = frame->far_away;
		if (!(size > 0.0))
			return status_fail_option(SONDE_INVALID, "size", "a box must have edges longer than 0");
		low[k] = center[k] - 0.5 * size;
		high[k] = center[k] + 0.5 * size;
		if (turned)
			continue;
		low[k] = end_of(frame, k, low[k], -1.0);
		high[k] = end_of(frame, k, high[k], 1.0);
	}
	if (turned)
		CHECK(engine_axes(frame, body->rotation, &axes));
	return shape_create_box(low, high, turned ? &axes : NULL, shape);
}

static sonde_status make_ellipsoid(const struct body_frame *frame, const sonde_body_options *body,
				   const double center[3], struct shape **shape)
{
	const double radii[3] = {body->radii.x, body->radii.y, body->radii.z};
	struct shape_axes axes;

	CHECK(engine_axes(frame, body->rotation, &axes));
	return shape_create_ellipsoid(center, radii, &axes, shape);
}

/* The height, or infinity along an axis without ends: then a cylinder is infinite. */
static sonde_status height_of(const struct body_frame *frame, const sonde_body_options *body,
			      const double direction[3], double *height)
{
	int along = -1, parts = 0;

	for (int a = 0; a < 3; ++a)
		if (direction[a] != 0.0) {
			along = a;
			++parts;
		}
	*height = body->height;
	if (parts == 0)
		return status_fail_option(SONDE_INVALID, "axis", "0,0,0 is not a direction");
	if (*height == 0.0 && parts == 1 && frame->endless[along])
		*height = frame->far_away;
	if (!(*height > 0.0))
		return status_fail_option(SONDE_INVALID, "height", "it must be more than 0");
	return SONDE_OK;
}

static sonde_status make_cylinder(const struct body_frame *frame, const sonde_body_options *body,
				  const double center[3], struct shape **shape)
{
	bool cone = body->shape == SONDE_BODY_SHAPE_CONE;
	const double radii[2] = {body->radius, cone ? body->radius_top : body->radius};
	double direction[3], height;

	turn(frame, body->axis, direction);
	CHECK(height_of(frame, body, direction, &height));
	return shape_create_cylinder(center, direction, height, radii, shape);
}

static int only_axis(const double direction[3])
{
	int only = -1;

	for (int a = 0; a < 3; ++a)
		if (direction[a] != 0.0)
			only = only < 0 ? a : 3;
	return only;
}

/* The vertices are scaled about the center, and the sides then moved outward. */
static sonde_status make_prism(const struct body_frame *frame, const sonde_body_options *body, const double center[3],
			       double scale, double more, struct shape **shape)
{
	double direction[3], height, *vertices = NULL;
	int64_t count;
	sonde_status status;

	turn(frame, body->axis, direction);
	int axis = only_axis(direction);
	if (axis < 0 || axis > 2)
		return status_fail_option(SONDE_INVALID, "axis", "of a prism it must be x, y or z");
	CHECK(height_of(frame, body, direction, &height));
	CHECK_GOTO(status, polygon_parse(body->vertices, frame->unit, &vertices, &count), done);
	/* of the job, in cyclic order: y z, z x, x y; the shape needs x z along y */
	for (int64_t n = 0; n < count; ++n) {
		double first = scale * vertices[2 * n] + center[(axis + 1) % 3],
		       second = scale * vertices[2 * n + 1] + center[(axis + 2) % 3];
		vertices[2 * n] = axis == 1 ? second : first;
		vertices[2 * n + 1] = axis == 1 ? first : second;
	}
	if (more != 0.0)
		CHECK_GOTO(status, polygon_grow(vertices, count, more), done);
	status = shape_create_prism(axis, vertices, count, end_of(frame, axis, center[axis] - 0.5 * height, -1.0),
				    end_of(frame, axis, center[axis] + 0.5 * height, 1.0), shape);
done:
	free(vertices);
	return status;
}

/* Polyhedra ------------------------------------------------------------------------------------------ */

static bool is_polyhedron(int shape)
{
	return shape >= SONDE_BODY_SHAPE_OCTAHEDRON && shape <= SONDE_BODY_SHAPE_PARALLELEPIPED;
}

/* Of a cubic crystal, or a hexagonal one with a along x and c along z, in the orientation of the body's crystal. */
static sonde_status make_wulff(const sonde_body_options *body, struct polyhedron *polyhedron)
{
	const double c = body->c_over_a;
	const double cubic[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		     hexagonal[3][3] = {{1, 0, 0}, {-0.5, sqrt(0.75), 0}, {0, 0, c}},
		     (*const vectors)[3] = c > 0.0 ? hexagonal : cubic;
	double rotation[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, turned[3][3] = {{0}};

	if (body->wulff[0] == '\0')
		return status_fail_option(SONDE_INVALID, "wulff",
					  "required, surface energies such as 111:1.0,100:1.15");
	if (!(body->radius > 0.0))
		return status_fail_option(SONDE_INVALID, "radius", "required, that of a sphere of the same volume");
	if (body->orient[0] != '\0')
		CHECK(orientation_parse(body->orient, vectors, rotation));
	for (int k = 0; k < 3; ++k)
		for (int m = 0; m < 9; ++m)
			turned[k][m / 3] += rotation[m / 3][m % 3] * vectors[k][m % 3];
	return wulff_make(body->wulff, body->radius, (const double(*)[3])turned, polyhedron);
}

#define FLAT 1e-6 /* volume over the product of the edges */

static sonde_status fail_edges(const char *what)
{
	return status_fail_option(SONDE_INVALID, "edges",
				  "%s; write three edges, as in [[20, 0, 0], [5, 18, 0], [0, 0, 30]]", what);
}

/* Nine lengths. */
static sonde_status parse_edges(const struct body_frame *frame, const char *text, double *edges)
{
	for (int k = 0; k < 9; ++k) {
		const size_t length = strcspn(text, ",;");
		const char *start = text + strspn(text, " "), *end = text + length;
		while (end > start && end[-1] == ' ')
			--end;
		if (!unit_parse_real(frame->unit, start, end, &edges[k]) || (text[length] == '\0') != (k == 8))
			return fail_edges("there have to be nine lengths");
		text += length + (text[length] != '\0');
	}
	return SONDE_OK;
}

static sonde_status make_parallelepiped(const struct body_frame *frame, const sonde_body_options *body, double scale,
					struct polyhedron *polyhedron)
{
	double edges[3][3], lengths = 1.0, volume = 0.0;

	CHECK(parse_edges(frame, body->edges, &edges[0][0]));
	for (int k = 0; k < 3; ++k) {
		double square = 0.0;
		for (int m = 0; m < 3; ++m) {
			edges[k][m] *= scale;
			square += edges[k][m] * edges[k][m];
		}
		lengths *= sqrt(square);
	}
	for (int m = 0; m < 3; ++m) {
		const int u = (m + 1) % 3, v = (m + 2) % 3;
		volume += edges[0][m] * (edges[1][u] * edges[2][v] - edges[1][v] * edges[2][u]);
	}
	if (!(fabs(volume) > FLAT * lengths))
		return fail_edges("these have no volume");
	polyhedron_parallelepiped((const double(*)[3])edges, polyhedron);
	return SONDE_OK;
}

static sonde_status make_decahedron(const sonde_body_options *body, struct polyhedron *polyhedron)
{
	if (!(body->radius > 0.0))
		return status_fail_option(SONDE_INVALID, "radius", "required, that of the corners around the axis");
	polyhedron_decahedron(body->radius, body->height, polyhedron);
	return SONDE_OK;
}

static sonde_status set_planes(const struct body_frame *frame, const sonde_body_options *body, double scale,
			       struct polyhedron *polyhedron)
{
	polyhedron->count = 0;
	if (body->shape == SONDE_BODY_SHAPE_WULFF)
		return make_wulff(body, polyhedron);
	if (body->shape == SONDE_BODY_SHAPE_PARALLELEPIPED)
		return make_parallelepiped(frame, body, scale, polyhedron);
	if (body->shape == SONDE_BODY_SHAPE_DECAHEDRON)
		return make_decahedron(body, polyhedron);
	if (!(body->edge > 0.0))
		return status_fail_option(SONDE_INVALID, "edge", "it must be more than 0");
	if (body->shape == SONDE_BODY_SHAPE_HEXAGONAL_PRISM && !(body->height > 0.0))
		return status_fail_option(SONDE_INVALID, "height", "it must be more than 0");
	switch (body->shape) {
	case SONDE_BODY_SHAPE_OCTAHEDRON:
		polyhedron_octahedron(body->edge, polyhedron);
		break;
	case SONDE_BODY_SHAPE_CUBOCTAHEDRON:
		polyhedron_cuboctahedron(body->edge, polyhedron);
		break;
	case SONDE_BODY_SHAPE_TRUNCATED_OCTAHEDRON:
		polyhedron_truncated_octahedron(body->edge, polyhedron);
		break;
	case SONDE_BODY_SHAPE_TETRAHEDRON:
		polyhedron_tetrahedron(body->edge, polyhedron);
		break;
	case SONDE_BODY_SHAPE_RHOMBIC_DODECAHEDRON:
		polyhedron_rhombic_dodecahedron(body->edge, polyhedron);
		break;
	case SONDE_BODY_SHAPE_TRUNCATED_CUBE:
		polyhedron_truncated_cube(body->edge, polyhedron);
		break;
	case SONDE_BODY_SHAPE_ICOSAHEDRON:
		polyhedron_icosahedron(body->edge, polyhedron);
		break;
	default:
		polyhedron_hexagonal_prism(body->edge, body->height, polyhedron);
	}
	return SONDE_OK;
}

/* From the body's own axes to the engine's. */
static void turn_corners(const struct body_frame *frame, const struct shape_axes *axes, int64_t count,
			 double *corners)
{
	for (int64_t n = 0; n < count; ++n) {
		double *corner = corners + 3 * n, place[3] = {0.0, 0.0, 0.0};
		for (int k = 0; k < 9; ++k)
			place[k % 3] += corner[k / 3] * axes->of[k / 3][k % 3];
		turn(frame, (sonde_vector){place[0], place[1], place[2]}, corner);
	}
}

static sonde_status make_polyhedron(const struct body_frame *frame, const sonde_body_options *body,
				    const double center[3], double scale, double more, struct shape **shape)
{
	const double degrees[3] = {body->rotation.x, body->rotation.y, body->rotation.z};
	struct polyhedron polyhedron;
	struct shape_axes axes;
	double *triangles = NULL;
	int64_t count;

	CHECK(set_planes(frame, body, scale, &polyhedron));
	CHECK(shape_axes_turn(degrees, &axes));
	for (int n = 0; n < polyhedron.count; ++n)
		polyhedron.planes[n].distance += more;
	sonde_status status = polyhedron_triangles(&polyhedron, &triangles, &count);
	if (status == SONDE_OK) {
		turn_corners(frame, &axes, 3 * count, triangles);
		status = shape_create_mesh(triangles, count, 1.0, center, shape);
	}
	free(triangles);
	return status;
}

/* Any shape ------------------------------------------------------------------------------------------ */

/* Lengths that determine the surface are increased; those of polyhedra are not, whose planes are moved. */
static sonde_body_options grow(const sonde_body_options *body, double more)
{
	sonde_body_options grown = *body;
	double *const lengths[] = {&grown.radius, &grown.radius_top, &grown.radii.x, &grown.radii.y, &grown.radii.z},
		      *const twice[] = {&grown.size.x, &grown.size.y, &grown.size.z, &grown.height};

	if (more == 0.0 || is_polyhedron(body->shape))
		return grown;
	for (size_t k = 0; k < sizeof lengths / sizeof *lengths; ++k)
		*lengths[k] += *lengths[k] > 0.0 ? more : 0.0;
	for (size_t k = 0; k < sizeof twice / sizeof *twice; ++k)
		*twice[k] += *twice[k] > 0.0 ? 2.0 * more : 0.0;
	return grown;
}

/* `scale` is that of vertices and of the file. */
static sonde_status make_solid(const struct body_frame *frame, const sonde_body_options *given,
			       const double center[3], double scale, double more, struct shape **shape)
{
	const sonde_body_options grown = grow(given, more), *body = &grown;

	if (is_polyhedron(body->shape))
		return make_polyhedron(frame, body, center, scale, more, shape);
	switch (body->shape) {
	case SONDE_BODY_SHAPE_BOX:
		return make_box(frame, body, center, shape);
	case SONDE_BODY_SHAPE_SPHERE:
		return shape_create_sphere(center, body->radius, shape);
	case SONDE_BODY_SHAPE_ELLIPSOID:
		return make_ellipsoid(frame, body, center, shape);
	case SONDE_BODY_SHAPE_CYLINDER:
	case SONDE_BODY_SHAPE_CONE:
		return make_cylinder(frame, body, center, shape);
	case SONDE_BODY_SHAPE_PRISM:
		return make_prism(frame, body, center, scale, more, shape);
	case SONDE_BODY_SHAPE_STL:
		if (body->file[0] == '\0')
			return status_fail_option(SONDE_INVALID, "file", "required, an STL file");
		return shape_create_stl(body->file, scale * (body->scale > 0.0 ? body->scale : frame->meter), center,
					more, shape);
	default:
		return status_fail(SONDE_INTERNAL, "unknown shape");
	}
}

/* The empty part: a longer cylinder in a tube, or the body scaled by `hollow`. */
static sonde_body_options inside_of(const sonde_body_options *body)
{
	sonde_body_options inside = *body;
	double *const lengths[] = {&inside.radius,  &inside.radius_top, &inside.height, &inside.edge,
				   &inside.size.x,  &inside.size.y,     &inside.size.z, &inside.radii.x,
				   &inside.radii.y, &inside.radii.z};

	if (body->inner_radius > 0.0) {
		inside.radius = body->inner_radius;
		inside.height = 2.0 * body->height;
		return inside;
	}
	for (size_t k = 0; k < sizeof lengths / sizeof *lengths; ++k)
		*lengths[k] *= body->hollow;
	return inside;
}

static sonde_status check_hollow(const sonde_body_options *body)
{
	if (body->inner_radius > 0.0 && body->hollow > 0.0)
		return status_fail_option(SONDE_INVALID, "hollow", "not together with the `inner_radius` of a tube");
	if (body->inner_radius > 0.0 && body->inner_radius >= body->radius)
		return status_fail_option(SONDE_INVALID, "inner_radius", "%g is not below the radius, %g",
					  body->inner_radius, body->radius);
	return SONDE_OK;
}

sonde_status body_make_shape(const struct body_frame *frame, const sonde_body_options *body, const double center[3],
			     double more, struct shape **shape)
{
	const bool tube = body->inner_radius > 0.0;
	const double part = tube ? body->inner_radius / body->radius : body->hollow;
	struct shape *outer = NULL, *inner = NULL;
	double low[3], high[3], place[3];

	*shape = NULL;
	CHECK(check_hollow(body));
	if (part == 0.0)
		return make_solid(frame, body, center, 1.0, more, shape);
	const sonde_body_options inside = inside_of(body);
	CHECK(make_solid(frame, body, center, 1.0, more, &outer));
	shape_bounds(outer, low, high);
	for (int k = 0; k < 3; ++k) {
		const double middle = body->shape == SONDE_BODY_SHAPE_STL ? 0.5 * (low[k] + high[k]) : center[k];
		place[k] = middle + part * (center[k] - middle);
	}
	const sonde_status status = make_solid(frame, &inside, place, part, -more, &inner);
	if (status != SONDE_OK) {
		shape_free(&outer);
		return status;
	}
	return shape_create_shell(&outer, &inner, shape_volume(outer) * (1.0 - pow(part, tube ? 2.0 : 3.0)), shape);
}
