/* Boxes, spheres, ellipsoids, cylinders and cones. */
#include <math.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/vectors.h"
#include "matter/shape/shape.h"
#include "matter/shape/shape_common.h"

/* Sine and cosine; exact for multiples of 90 degrees. */
static void turn(double degrees, double *sine, double *cosine)
{
	double within = fmod(degrees, 360.0), quarters = round(within / 90.0);
	double angle = (within - 90.0 * quarters) * (PI / 180.0), s = sin(angle), c = cos(angle);

	switch (((int)quarters + 4) % 4) {
	case 0:
		*sine = s;
		*cosine = c;
		break;
	case 1:
		*sine = c;
		*cosine = -s;
		break;
	case 2:
		*sine = -s;
		*cosine = -c;
		break;
	default:
		*sine = -c;
		*cosine = s;
	}
}

sonde_status shape_axes_turn(const double degrees[3], struct shape_axes *axes)
{
	*axes = (struct shape_axes){{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
	CHECK(shape_check_place("angle about", degrees));
	for (int about = 0; about < 3; ++about) {
		int u = (about + 1) % 3, v = (about + 2) % 3;
		double sine, cosine;
		turn(degrees[about], &sine, &cosine);
		for (int k = 0; k < 3; ++k) {
			double *axis = axes->of[k], x = axis[u], y = axis[v];
			axis[u] = cosine * x - sine * y;
			axis[v] = sine * x + cosine * y;
		}
	}
	return SONDE_OK;
}

/* Normalizes, or fails with a message. */
static sonde_status make_unit(const char *what, const double direction[3], double unit[3])
{
	double largest = 0.0;

	CHECK(shape_check_place(what, direction));
	for (int k = 0; k < 3; ++k)
		largest = fmax(largest, fabs(direction[k]));
	if (largest < SHAPE_LEAST)
		return status_fail(SONDE_INVALID, "%s: has no length", what);
	for (int k = 0; k < 3; ++k)
		unit[k] = direction[k] / largest;
	double length = sqrt(vector_dot(unit, unit));
	for (int k = 0; k < 3; ++k)
		unit[k] /= length;
	return SONDE_OK;
}

/* Perpendicular axes of length 1; x, y and z if `axes` is null. */
static sonde_status make_axes(const struct shape_axes *axes, struct shape_axes *units)
{
	*units = (struct shape_axes){{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
	if (axes == NULL)
		return SONDE_OK;
	double(*unit)[3] = units->of;
	CHECK(make_unit("first axis", axes->of[0], unit[0]));
	CHECK(make_unit("second axis", axes->of[1], unit[1]));
	CHECK(make_unit("third axis", axes->of[2], unit[2]));
	if (!(fabs(vector_dot(unit[0], unit[1])) < 1e-5 && fabs(vector_dot(unit[0], unit[2])) < 1e-5 &&
	      fabs(vector_dot(unit[1], unit[2])) < 1e-5))
		return status_fail(SONDE_INVALID, "axes: are not perpendicular to each other");
	double along = vector_dot(unit[0], unit[1]), upwards = 0.0;
	for (int k = 0; k < 3; ++k)
		unit[1][k] -= along * unit[0][k];
	CHECK(make_unit("second axis", unit[1], unit[1]));
	for (int k = 0; k < 3; ++k) {
		int u = (k + 1) % 3, v = (k + 2) % 3;
		double across = unit[0][u] * unit[1][v] - unit[0][v] * unit[1][u];
		upwards += across * unit[2][k];
		unit[2][k] = across;
	}
	for (int k = 0; k < 3; ++k)
		unit[2][k] = upwards < 0.0 ? -unit[2][k] : unit[2][k];
	return SONDE_OK;
}

/* The slab of a half thickness around a center. */
static struct slab make_slab(const double center[3], const double normal[3], double half)
{
	struct slab slab = {.normal = {normal[0], normal[1], normal[2]}, .along = -1, .begin = -half, .end = half};

	for (int k = 0; k < 3; ++k)
		if (fabs(normal[k]) == 1.0) {
			slab.along = k;
			slab.begin = center[k] - half;
			slab.end = center[k] + half;
		}
	return slab;
}

/* Narrows an interval to the region between the planes; false if nothing remains. */
static bool slab_cut(const struct slab *slab, const double center[3], int axis, const double point[3],
		     struct interval *interval)
{
	double begin, end;

	if (slab->along >= 0 && slab->along != axis)
		return point[slab->along] >= slab->begin && point[slab->along] < slab->end;
	if (slab->along == axis) {
		begin = slab->begin;
		end = slab->end;
	} else {
		double height = 0.0, slope = slab->normal[axis];
		for (int k = 0; k < 3; ++k)
			if (k != axis)
				height += slab->normal[k] * (point[k] - center[k]);
		if (slope == 0.0)
			return height >= slab->begin && height < slab->end;
		begin = center[axis] + ((slope > 0.0 ? slab->begin : slab->end) - height) / slope;
		end = center[axis] + ((slope > 0.0 ? slab->end : slab->begin) - height) / slope;
	}
	interval->begin = fmax(interval->begin, begin);
	interval->end = fmin(interval->end, end);
	return interval->begin < interval->end;
}

static bool box_line(const struct shape *shape, int axis, const double point[3], struct interval *interval)
{
	for (int k = 0; k < 3; ++k)
		if (!slab_cut(&shape->slabs[k], shape->center, axis, point, interval))
			return false;
	return true;
}

static inline bool sphere_line(const struct shape *shape, int axis, const double point[3], struct interval *interval)
{
	int u = (axis + 1) % 3, v = (axis + 2) % 3;
	double x = point[u] - shape->center[u], y = point[v] - shape->center[v];
	double square = shape->radius * shape->radius - (x * x + y * y);

	if (!(square > 0.0))
		return false;
	double half = sqrt(square);
	interval->begin = shape->center[axis] - half;
	interval->end = shape->center[axis] + half;
	return true;
}

/* In units of the semi-axes, seen from the center, a point of the line is start + t step: |start + t step| < 1. */
static bool ellipsoid_line(const struct shape *shape, int axis, const double point[3], struct interval *interval)
{
	double start[3], step[3], foot[3];

	for (int k = 0; k < 3; ++k) {
		const double *along = shape->ellipsoid.axes.of[k];
		double sum = 0.0;
		for (int i = 0; i < 3; ++i)
			if (i != axis)
				sum += along[i] * (point[i] - shape->center[i]);
		start[k] = sum / shape->ellipsoid.semi_axes[k];
		step[k] = along[axis] / shape->ellipsoid.semi_axes[k];
	}
	double square = vector_dot(step, step), nearest = -vector_dot(start, step) / square;
	for (int k = 0; k < 3; ++k)
		foot[k] = start[k] + nearest * step[k];
	double inside = 1.0 - vector_dot(foot, foot);
	if (!(inside > 0.0))
		return false;
	double half = sqrt(inside / square);
	interval->begin = shape->center[axis] + nearest - half;
	interval->end = shape->center[axis] + nearest + half;
	return interval->begin < interval->end;
}

/* Keeps the longer part of `interval`, before `first` or after `last`. */
static bool keep_outer(double first, double last, struct interval *interval)
{
	struct interval before = {interval->begin, fmin(interval->end, first)},
			behind = {fmax(interval->begin, last), interval->end};

	*interval = before.end - before.begin > behind.end - behind.begin ? before : behind;
	return interval->begin < interval->end;
}

/* Seen from the center, a point of the line is `height` + t slope along the cylinder's axis and across + t step off
 * it; with the radius there, radius + t widening, it is inside where
 *     a t^2 + 2 b t + c = |across + t step|^2 - (radius + t widening)^2 < 0
 * and between the ends, where the radius is not negative. That is convex: one interval. */
static bool cylinder_line(const struct shape *shape, int axis, const double point[3], struct interval *interval)
{
	const struct slab *slab = &shape->cylinder.slab;
	double across[3], step[3], height = 0.0, slope = slab->normal[axis], origin = shape->center[axis];

	if (!slab_cut(slab, shape->center, axis, point, interval))
		return false;
	for (int k = 0; k < 3; ++k) {
		across[k] = k != axis ? point[k] - shape->center[k] : 0.0;
		height += across[k] * slab->normal[k];
	}
	for (int k = 0; k < 3; ++k) {
		across[k] -= height * slab->normal[k];
		step[k] = (k == axis ? 1.0 : 0.0) - slope * slab->normal[k];
	}
	double square = vector_dot(step, step);
	if (square > 1e-6) { /* from the point of the line nearest to the axis: no cancellation */
		double nearest = -vector_dot(across, step) / square;
		for (int k = 0; k < 3; ++k)
			across[k] += nearest * step[k];
		height += nearest * slope;
		origin += nearest;
	}
	double radius = shape->cylinder.radius + shape->cylinder.slope * height,
	       widening = shape->cylinder.slope * slope;
	double a = square - widening * widening, b = vector_dot(across, step) - radius * widening,
	       c = vector_dot(across, across) - radius * radius;
	double discriminant = b * b - a * c;
	if (a == 0.0 && b == 0.0)
		return c < 0.0;
	if (a < 0.0)
		discriminant = fmax(discriminant, 0.0); /* the line passes from one half of the cone to the other */
	if (!(discriminant > 0.0) && a >= 0.0)
		return false;
	double sum = -(b + copysign(sqrt(discriminant), b)), one = sum / a, other = sum != 0.0 ? c / sum : one;
	if (a == 0.0)
		one = sum > 0.0 ? INFINITY : -INFINITY;
	double first = origin + fmin(one, other), last = origin + fmax(one, other);
	if (a < 0.0)
		return keep_outer(first, last, interval);
	interval->begin = fmax(interval->begin, first);
	interval->end = fmin(interval->end, last);
	return interval->begin < interval->end;
}

/* fmin() and fmax() of numbers, of which there are many here, without their calls. */
static inline double lesser(double a, double b)
{
	return a < b ? a : b;
}

static inline double greater(double a, double b)
{
	return a > b ? a : b;
}

/* Narrows the single interval of a convex shape, if there is one, to the bounds. */
static inline bool within_bounds(const struct shape *shape, int axis, struct interval *interval)
{
	interval->begin = greater(interval->begin, shape->low[axis]);
	interval->end = lesser(interval->end, shape->high[axis]);
	return interval->begin < interval->end;
}

/* Whether a line along an axis meets the bounds. */
static inline bool meets_bounds(const struct shape *shape, int axis, const double point[3])
{
	const int u = (axis + 1) % 3, v = (axis + 2) % 3;

	return point[u] >= shape->low[u] && point[u] < shape->high[u] && point[v] >= shape->low[v] &&
	       point[v] < shape->high[v];
}

static bool convex_contains(const struct shape *shape, const double point[3])
{
	struct interval interval;

	return shape->kind->line(shape, 0, point, &interval, 1) == 1 && point[0] >= interval.begin &&
	       point[0] < interval.end;
}

/* Sides of boxes ---------------------------------------------------------------------------- */

/* A box as a ball around its middle. */
struct ball {
	double middle[3], radius;
};

static struct ball ball_around(const struct shape *shape, const double low[3], const double high[3])
{
	struct ball ball;
	double half[3];

	for (int k = 0; k < 3; ++k) {
		ball.middle[k] = 0.5 * (low[k] + high[k]) - shape->center[k];
		half[k] = 0.5 * (high[k] - low[k]);
	}
	ball.radius = vector_length(half);
	return ball;
}

/* Of a distance along a direction, between two limits. */
static enum shape_side side_between(double place, double reach, double low, double high)
{
	const double margin = SHAPE_MARGIN * (high - low);

	if (place + reach < low - margin || place - reach > high + margin)
		return SHAPE_OUTSIDE;
	return place - reach > low + margin && place + reach < high - margin ? SHAPE_INSIDE : SHAPE_PERHAPS_ACROSS;
}

/* Lines are compared with planes across an axis without rounding. */
static enum shape_side side_of_slab(const struct slab *slab, const struct ball *ball, const double low[3],
				    const double high[3])
{
	const int a = slab->along;

	if (a < 0)
		return side_between(vector_dot(slab->normal, ball->middle), ball->radius, slab->begin, slab->end);
	if (high[a] < slab->begin || low[a] > slab->end)
		return SHAPE_OUTSIDE;
	return low[a] > slab->begin && high[a] < slab->end ? SHAPE_INSIDE : SHAPE_PERHAPS_ACROSS;
}

static enum shape_side box_side(const struct shape *shape, const double low[3], const double high[3])
{
	const struct ball ball = ball_around(shape, low, high);
	bool inside = true;

	for (int k = 0; k < 3; ++k) {
		const enum shape_side side = side_of_slab(&shape->slabs[k], &ball, low, high);
		if (side == SHAPE_OUTSIDE)
			return side;
		inside &= side == SHAPE_INSIDE;
	}
	return inside ? SHAPE_INSIDE : SHAPE_PERHAPS_ACROSS;
}

/* The nearest and the farthest point of the box. */
static enum shape_side sphere_side(const struct shape *shape, const double low[3], const double high[3])
{
	const double radius = shape->radius, least = radius * (1.0 - SHAPE_MARGIN),
		     most = radius * (1.0 + SHAPE_MARGIN);
	double nearest = 0.0, farthest = 0.0;

	for (int k = 0; k < 3; ++k) {
		const double from = low[k] - shape->center[k], to = high[k] - shape->center[k],
			     near = from > 0.0 ? from
				    : to < 0.0 ? to
					       : 0.0,
			     far = fabs(from) > fabs(to) ? from : to;
		nearest += near * near;
		farthest += far * far;
	}
	if (nearest > most * most)
		return SHAPE_OUTSIDE;
	return farthest < least * least ? SHAPE_INSIDE : SHAPE_PERHAPS_ACROSS;
}

/* In units of the semi-axes the shape is a ball, and the box is within a ball as well. */
static enum shape_side ellipsoid_side(const struct shape *shape, const double low[3], const double high[3])
{
	const struct ball ball = ball_around(shape, low, high);
	const double *semi_axes = shape->ellipsoid.semi_axes;
	double square = 0.0;

	for (int k = 0; k < 3; ++k) {
		const double along = vector_dot(shape->ellipsoid.axes.of[k], ball.middle) / semi_axes[k];
		square += along * along;
	}
	const double distance = sqrt(square),
		     reach = ball.radius / fmin(fmin(semi_axes[0], semi_axes[1]), semi_axes[2]);
	if (distance - reach > 1.0 + SHAPE_MARGIN)
		return SHAPE_OUTSIDE;
	return distance + reach < 1.0 - SHAPE_MARGIN ? SHAPE_INSIDE : SHAPE_PERHAPS_ACROSS;
}

static enum shape_side cylinder_side(const struct shape *shape, const double low[3], const double high[3])
{
	const struct ball ball = ball_around(shape, low, high);
	const double *normal = shape->cylinder.slab.normal;
	const double height = vector_dot(normal, ball.middle), slope = fabs(shape->cylinder.slope),
		     reach = ball.radius * (1.0 + slope),
		     radius = shape->cylinder.radius + shape->cylinder.slope * height,
		     margin = SHAPE_MARGIN * (shape->cylinder.radius + ball.radius + fabs(height));
	double off[3];

	const enum shape_side side = side_of_slab(&shape->cylinder.slab, &ball, low, high);
	if (side == SHAPE_OUTSIDE)
		return side;
	for (int k = 0; k < 3; ++k)
		off[k] = ball.middle[k] - height * normal[k];
	const double distance = vector_length(off);
	if (distance - reach > fmax(radius, 0.0) + margin)
		return SHAPE_OUTSIDE;
	return side == SHAPE_INSIDE && distance + reach < radius - margin ? SHAPE_INSIDE : SHAPE_PERHAPS_ACROSS;
}

/* All but the bounds of a line is found by name_line(). */
#define CONVEX_KIND(name)                                                                                           \
	static int name##_intervals(const struct shape *shape, int axis, const double point[3],                     \
				    struct interval *intervals, int most)                                           \
	{                                                                                                           \
		if (most < 1)                                                                                       \
			return -1;                                                                                  \
		*intervals = (struct interval){-INFINITY, INFINITY};                                                \
		return name##_line(shape, axis, point, intervals) && within_bounds(shape, axis, intervals);         \
	}                                                                                                           \
	static void name##_lines(const struct shape *shape, int axis, int count, const double *u, const double *v,  \
				 struct interval *intervals)                                                        \
	{                                                                                                           \
		double point[3] = {0.0};                                                                            \
		for (int n = 0; n < count; ++n) {                                                                   \
			point[(axis + 1) % 3] = u[n];                                                               \
			point[(axis + 2) % 3] = v[n];                                                               \
			intervals[n] = (struct interval){-INFINITY, INFINITY};                                      \
			if (!(meets_bounds(shape, axis, point) && name##_line(shape, axis, point, &intervals[n]) && \
			      within_bounds(shape, axis, &intervals[n])))                                           \
				intervals[n] = (struct interval){0.0, 0.0};                                         \
		}                                                                                                   \
	}                                                                                                           \
	static const struct shape_kind name = {name##_intervals, convex_contains, NULL, name##_side, name##_lines};

CONVEX_KIND(box)
CONVEX_KIND(sphere)
CONVEX_KIND(ellipsoid)
CONVEX_KIND(cylinder)

static sonde_status create(const struct shape_kind *kind, const double center[3], const double half[3], double volume,
			   struct shape **shape)
{
	CHECK(memory_allocate(shape, 1, sizeof **shape, "a shape"));
	(*shape)->kind = kind;
	(*shape)->room = 1;
	(*shape)->volume = volume;
	for (int k = 0; k < 3; ++k) {
		(*shape)->center[k] = center[k];
		(*shape)->low[k] = center[k] - half[k];
		(*shape)->high[k] = center[k] + half[k];
	}
	return SONDE_OK;
}

sonde_status shape_create_box(const double low[3], const double high[3], const struct shape_axes *axes,
			      struct shape **shape)
{
	static const char *const names[3] = {"size x", "size y", "size z"};
	struct shape_axes units;
	double center[3], half[3], reach[3] = {0.0};

	*shape = NULL;
	CHECK(shape_check_place("corner", low));
	CHECK(shape_check_place("corner", high));
	CHECK(make_axes(axes, &units));
	for (int k = 0; k < 3; ++k) {
		CHECK(shape_check_size(names[k], high[k] - low[k]));
		center[k] = 0.5 * (low[k] + high[k]);
		half[k] = 0.5 * (high[k] - low[k]);
	}
	for (int k = 0; k < 3; ++k)
		for (int i = 0; i < 3; ++i)
			reach[i] += fabs(units.of[k][i]) * half[k];
	CHECK(create(&box, center, reach, 8.0 * half[0] * half[1] * half[2], shape));
	for (int k = 0; k < 3; ++k)
		(*shape)->slabs[k] = make_slab(center, units.of[k], half[k]);
	for (int k = 0; axes == NULL && k < 3; ++k) { /* as given, to the last bit */
		(*shape)->slabs[k].begin = (*shape)->low[k] = low[k];
		(*shape)->slabs[k].end = (*shape)->high[k] = high[k];
	}
	return SONDE_OK;
}

sonde_status shape_create_sphere(const double center[3], double radius, struct shape **shape)
{
	double half[3] = {radius, radius, radius};

	*shape = NULL;
	CHECK(shape_check_place("center", center));
	CHECK(shape_check_size("radius", radius));
	CHECK(create(&sphere, center, half, 4.0 / 3.0 * PI * radius * radius * radius, shape));
	(*shape)->radius = radius;
	return SONDE_OK;
}

sonde_status shape_create_ellipsoid(const double center[3], const double semi_axes[3], const struct shape_axes *axes,
				    struct shape **shape)
{
	static const char *const names[3] = {"first semi-axis", "second semi-axis", "third semi-axis"};
	struct shape_axes units;
	double reach[3], volume = 4.0 / 3.0 * PI;

	*shape = NULL;
	CHECK(shape_check_place("center", center));
	CHECK(make_axes(axes, &units));
	for (int k = 0; k < 3; ++k) {
		CHECK(shape_check_size(names[k], semi_axes[k]));
		volume *= semi_axes[k];
	}
	for (int i = 0; i < 3; ++i)
		reach[i] = hypot(hypot(units.of[0][i] * semi_axes[0], units.of[1][i] * semi_axes[1]),
				 units.of[2][i] * semi_axes[2]);
	CHECK(create(&ellipsoid, center, reach, volume, shape));
	(*shape)->ellipsoid.axes = units;
	for (int k = 0; k < 3; ++k)
		(*shape)->ellipsoid.semi_axes[k] = semi_axes[k];
	return SONDE_OK;
}

sonde_status shape_create_cylinder(const double center[3], const double direction[3], double height,
				   const double radii[2], struct shape **shape)
{
	double unit[3], half[3] = {0.0}, r = radii[0], s = radii[1];

	*shape = NULL;
	CHECK(shape_check_place("center", center));
	CHECK(make_unit("direction", direction, unit));
	CHECK(shape_check_size("height", height));
	if (r != 0.0 || s == 0.0)
		CHECK(shape_check_size("radius", r));
	if (s != 0.0)
		CHECK(shape_check_size("radius", s));
	CHECK(create(&cylinder, center, half, PI / 3.0 * height * (r * r + r * s + s * s), shape));
	(*shape)->cylinder.slab = make_slab(center, unit, 0.5 * height);
	(*shape)->cylinder.radius = 0.5 * (r + s);
	(*shape)->cylinder.slope = (s - r) / height;
	for (int k = 0; k < 3; ++k) { /* two discs */
		double up = 0.5 * height * unit[k], aside = hypot(unit[(k + 1) % 3], unit[(k + 2) % 3]);
		(*shape)->low[k] = fmin(center[k] - up - r * aside, center[k] + up - s * aside);
		(*shape)->high[k] = fmax(center[k] - up + r * aside, center[k] + up + s * aside);
	}
	return SONDE_OK;
}
