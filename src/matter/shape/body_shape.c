/* Solids of bodies. */
#include <math.h>
#include <stdlib.h>

#include "matter/shape/body.h"
#include "matter/shape/polygon.h"

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

/* Moves its sides outward by `more`. */
static sonde_status make_prism(const struct body_frame *frame, const sonde_body_options *body, const double center[3],
			       double more, struct shape **shape)
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
		double first = vertices[2 * n] + center[(axis + 1) % 3],
		       second = vertices[2 * n + 1] + center[(axis + 2) % 3];
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

sonde_status body_make_shape(const struct body_frame *frame, const sonde_body_options *body, const double center[3],
			     double more, struct shape **shape)
{
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
		return make_prism(frame, body, center, more, shape);
	case SONDE_BODY_SHAPE_STL:
		if (body->file[0] == '\0')
			return status_fail_option(SONDE_INVALID, "file", "required, an STL file");
		return shape_create_stl(body->file, body->scale > 0.0 ? body->scale : frame->meter, center, more,
					shape);
	default:
		return status_fail(SONDE_INTERNAL, "unknown shape");
	}
}
