/* Polygons extruded along an axis. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matter/shape/shape_bins.h"
#include "matter/shape/shape.h"
#include "matter/shape/shape_common.h"

#define MOST_VERTICES 10000000
#define MOST_BINS 65536

struct prism {
	int axis, plane[2]; /* the vertices' two coordinates are plane[0] < plane[1] */
	uint32_t count;
	double *vertices;    /* two numbers each */
	struct bins bins[2]; /* of edges, for lines along plane[k]: rows of the other coordinate */
};

const double *shape_prism_outline(const struct shape *shape, int *axis, uint32_t *count)
{
	*axis = shape->prism->axis;
	*count = shape->prism->count;
	return shape->prism->vertices;
}

/* Increase of the winding number at an edge of the polygon for a line along plane[along], whose other coordinate is
 * v: 1, -1, or 0 where they do not meet. Each edge includes its lower end, but not its upper one. */
static int edge_crosses(const struct prism *prism, uint32_t edge, int along, double v, double *where)
{
	const double *a = &prism->vertices[2 * (size_t)edge],
		     *b = &prism->vertices[2 * (size_t)(edge + 1 < prism->count ? edge + 1 : 0)];
	bool a_above = a[1 - along] > v, b_above = b[1 - along] > v;

	if (a_above == b_above)
		return 0;
	const double *low = a_above ? b : a, *high = a_above ? a : b;
	*where = low[along] + (high[along] - low[along]) * edge_fraction(low[1 - along], high[1 - along], v);
	return b_above ? 1 : -1;
}

/* Whether a point of the plane is in the polygon: the winding number of the edges after it. */
static bool in_polygon(const struct prism *prism, double u, double v)
{
	uint32_t count;
	const uint32_t *edges = bins_at(&prism->bins[0], 0.0, v, &count);
	double where = 0.0;
	int around = 0;

	for (uint32_t k = 0; k < count; ++k) {
		int sense = edge_crosses(prism, edges[k], 0, v, &where);
		around += sense != 0 && where > u ? sense : 0;
	}
	return around != 0;
}

static bool prism_contains(const struct shape *shape, const double point[3])
{
	const struct prism *prism = shape->prism;

	return in_polygon(prism, point[prism->plane[0]], point[prism->plane[1]]); /* plane[0] is x unless axis is */
}

static int prism_line(const struct shape *shape, int axis, const double point[3], struct interval *intervals,
		      int most)
{
	const struct prism *prism = shape->prism;
	const int *plane = prism->plane;
	int along = axis == plane[0] ? 0 : 1, crossings = 0;

	if (axis == prism->axis) {
		if (!in_polygon(prism, point[plane[0]], point[plane[1]]))
			return 0;
		if (most < 1)
			return -1;
		*intervals = (struct interval){shape->low[axis], shape->high[axis]};
		return 1;
	}
	double v = point[plane[1 - along]];
	uint32_t count;
	const uint32_t *edges = bins_at(&prism->bins[along], 0.0, v, &count);
	for (uint32_t k = 0; k < count; ++k) {
		double where = 0.0;
		int sense = edge_crosses(prism, edges[k], along, v, &where);
		if (sense == 0)
			continue;
		if (crossings == most)
			return -1;
		intervals[crossings++] = (struct interval){where, sense};
	}
	return crossings_to_intervals(intervals, crossings);
}

/* Twice the signed area of a triangle, or 0 if its sign is lost in rounding. */
static double turning(const double *a, const double *b, const double *c)
{
	double one = (b[0] - a[0]) * (c[1] - a[1]), other = (b[1] - a[1]) * (c[0] - a[0]);
	double twice = one - other;

	return fabs(twice) > 4.0 * DBL_EPSILON * (fabs(one) + fabs(other)) ? twice : 0.0;
}

static bool apart(const double *a, const double *b, const double *c, const double *d)
{
	for (int k = 0; k < 2; ++k)
		if (fmax(a[k], b[k]) < fmin(c[k], d[k]) || fmax(c[k], d[k]) < fmin(a[k], b[k]))
			return true;
	return false;
}

/* Whether edges a-b and c-d have a point in common. */
static bool edges_meet(const double *a, const double *b, const double *c, const double *d)
{
	if (apart(a, b, c, d))
		return false;
	double c_side = turning(a, b, c), d_side = turning(a, b, d), a_side = turning(c, d, a),
	       b_side = turning(c, d, b);
	return !(c_side > 0.0 && d_side > 0.0) && !(c_side < 0.0 && d_side < 0.0) &&
	       !(a_side > 0.0 && b_side > 0.0) && !(a_side < 0.0 && b_side < 0.0);
}

/* Whether the path from a to b to c goes back on itself. */
static bool folds(const double *a, const double *b, const double *c)
{
	return turning(a, b, c) == 0.0 && (a[0] - b[0]) * (c[0] - b[0]) + (a[1] - b[1]) * (c[1] - b[1]) > 0.0;
}

/* An edge with its smallest first coordinate. */
struct sorted_edge {
	double low, high;
	uint32_t edge;
};

static int compare_edges(const void *a, const void *b)
{
	double one = ((const struct sorted_edge *)a)->low, other = ((const struct sorted_edge *)b)->low;

	return (one > other) - (one < other);
}

static sonde_status check_pair(const struct prism *prism, uint32_t e, uint32_t f)
{
	uint32_t n = prism->count, e_end = e + 1 < n ? e + 1 : 0, f_end = f + 1 < n ? f + 1 : 0;
	const double *a = &prism->vertices[2 * (size_t)e], *b = &prism->vertices[2 * (size_t)e_end],
		     *c = &prism->vertices[2 * (size_t)f], *d = &prism->vertices[2 * (size_t)f_end];
	bool wrong;

	if (e_end == f || f_end == e)
		wrong = (e_end == f && folds(a, b, d)) || (f_end == e && folds(c, d, b));
	else
		wrong = edges_meet(a, b, c, d);
	if (!wrong)
		return SONDE_OK;
	return status_fail(
	    SONDE_INVALID,
	    "polygon: its edges touch or cross: the one from (%g, %g) to (%g, %g) and the one from (%g, "
	    "%g) to (%g, %g)",
	    a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]);
}

/* Checks that no two edges meet. Sorted by their first coordinate, few are close to each other. */
static sonde_status check_simple(const struct prism *prism)
{
	struct sorted_edge *edges;
	sonde_status status = SONDE_OK;
	uint32_t n = prism->count;

	CHECK(memory_allocate(&edges, n, sizeof *edges, "edges of a polygon"));
	for (uint32_t e = 0; e < n; ++e) {
		double a = prism->vertices[2 * (size_t)e], b = prism->vertices[2 * (size_t)(e + 1 < n ? e + 1 : 0)];
		edges[e] = (struct sorted_edge){fmin(a, b), fmax(a, b), e};
	}
	qsort(edges, n, sizeof *edges, compare_edges);
	for (uint32_t k = 0; status == SONDE_OK && k < n; ++k)
		for (uint32_t m = k + 1; m < n && edges[m].low <= edges[k].high; ++m)
			CHECK_GOTO(status, check_pair(prism, edges[k].edge, edges[m].edge), end);
end:
	free(edges);
	return status;
}

/* The vertices without repetitions of the previous one. */
static sonde_status take_vertices(struct prism *prism, const double *vertices, int64_t count)
{
	if (count > MOST_VERTICES)
		return status_fail(SONDE_INVALID, "polygon: more than %d vertices", MOST_VERTICES);
	CHECK(memory_allocate(&prism->vertices, count > 0 ? (size_t)count : 0, 2 * sizeof(double),
			      "vertices of a polygon"));
	double *to = prism->vertices;
	for (int64_t k = 0; k < count; ++k) {
		const double *from = &vertices[2 * k];
		if (!(fabs(from[0]) <= SHAPE_MOST && fabs(from[1]) <= SHAPE_MOST))
			return status_fail(SONDE_INVALID,
					   "polygon: vertex %lld (%g, %g) must have finite numbers within %g",
					   (long long)k + 1, from[0], from[1], SHAPE_MOST);
		if (prism->count > 0 && from[0] == to[2 * prism->count - 2] && from[1] == to[2 * prism->count - 1])
			continue;
		memcpy(&to[2 * prism->count++], from, 2 * sizeof *to);
	}
	while (prism->count > 1 && to[0] == to[2 * prism->count - 2] && to[1] == to[2 * prism->count - 1])
		--prism->count;
	if (prism->count < 3)
		return status_fail(SONDE_INVALID, "polygon: has %u different vertices, needs at least 3",
				   (unsigned)prism->count);
	return SONDE_OK;
}

/* Bounds in the plane, and the area. */
static sonde_status measure(const struct prism *prism, struct shape *shape, double *area)
{
	const double *start = prism->vertices;
	double twice = 0.0;

	for (int k = 0; k < 2; ++k)
		shape->low[prism->plane[k]] = shape->high[prism->plane[k]] = start[k];
	for (uint32_t n = 0; n < prism->count; ++n) {
		const double *a = &start[2 * (size_t)n], *b = n + 1 < prism->count ? a + 2 : start;
		twice += (a[0] - start[0]) * (b[1] - start[1]) - (a[1] - start[1]) * (b[0] - start[0]);
		for (int k = 0; k < 2; ++k) {
			int axis = prism->plane[k];
			shape->low[axis] = fmin(shape->low[axis], a[k]);
			shape->high[axis] = fmax(shape->high[axis], a[k]);
		}
	}
	double box = (shape->high[prism->plane[0]] - shape->low[prism->plane[0]]) *
		     (shape->high[prism->plane[1]] - shape->low[prism->plane[1]]);
	if (!(fabs(twice) > 1e-12 * box))
		return status_fail(SONDE_INVALID, "polygon: has no area");
	*area = 0.5 * fabs(twice);
	return SONDE_OK;
}

/* An edge for the bins: only its range across the lines matters, along plane[0] or plane[1]. */
static int outline_edge(const struct prism *prism, uint32_t edge, int across, double corners[3][2])
{
	for (uint32_t k = 0; k < 2; ++k) {
		uint32_t n = edge + k < prism->count ? edge + k : 0;
		corners[k][0] = 0.0;
		corners[k][1] = prism->vertices[2 * (size_t)n + (size_t)across];
	}
	return 2;
}

static int outline_along_first(const void *user, uint32_t edge, double corners[3][2])
{
	return outline_edge(user, edge, 1, corners);
}

static int outline_along_second(const void *user, uint32_t edge, double corners[3][2])
{
	return outline_edge(user, edge, 0, corners);
}

static sonde_status sort_edges(struct prism *prism, const struct shape *shape)
{
	const int counts[2] = {1, prism->count < MOST_BINS ? (int)prism->count : MOST_BINS};

	for (int along = 0; along < 2; ++along) {
		int across = prism->plane[1 - along];
		const double low[2] = {0.0, shape->low[across]}, high[2] = {0.0, shape->high[across]};
		CHECK(bins_create(&prism->bins[along], counts, low, high,
				  along == 0 ? outline_along_first : outline_along_second, prism, prism->count));
	}
	return SONDE_OK;
}

static void prism_free(struct shape *shape)
{
	if (shape->prism == NULL)
		return;
	free(shape->prism->vertices);
	bins_free(&shape->prism->bins[0]);
	bins_free(&shape->prism->bins[1]);
	free(shape->prism);
}

/* A rectangle of the plane around its middle. */
struct rectangle {
	const struct prism *prism;
	double middle[2], half[2];
};

/* Whether an edge of the polygon may meet it: neither their ranges nor their distances across the edge are apart. */
static bool edge_is_near(const void *user, uint32_t edge)
{
	const struct rectangle *rectangle = user;
	const struct prism *prism = rectangle->prism;
	const double *a = &prism->vertices[2 * (size_t)edge],
		     *b = &prism->vertices[2 * (size_t)(edge + 1 < prism->count ? edge + 1 : 0)];

	for (int k = 0; k < 2; ++k)
		if (fmin(a[k], b[k]) > rectangle->middle[k] + rectangle->half[k] ||
		    fmax(a[k], b[k]) < rectangle->middle[k] - rectangle->half[k])
			return false;
	const double u = b[0] - a[0], v = b[1] - a[1],
		     off = v * (rectangle->middle[0] - a[0]) - u * (rectangle->middle[1] - a[1]);
	return !(fabs(off) > fabs(v) * rectangle->half[0] + fabs(u) * rectangle->half[1]);
}

/* Lines are compared with the ends without rounding. */
static enum shape_side prism_side(const struct shape *shape, const double low[3], const double high[3])
{
	const struct prism *prism = shape->prism;
	const int axis = prism->axis, *plane = prism->plane;
	const bool within = low[axis] > shape->low[axis] && high[axis] < shape->high[axis];
	struct rectangle rectangle = {.prism = prism};
	double begin[2], end[2];

	for (int k = 0; k < 2; ++k) {
		const double margin = SHAPE_MARGIN * (shape->high[plane[k]] - shape->low[plane[k]]);
		rectangle.middle[k] = 0.5 * (low[plane[k]] + high[plane[k]]);
		rectangle.half[k] = 0.5 * (high[plane[k]] - low[plane[k]]) + margin;
		begin[k] = low[plane[k]] - margin;
		end[k] = high[plane[k]] + margin;
	}
	/* edges along the lines of one list are in the other one */
	if (bins_any_near(&prism->bins[0], (const double[2]){0.0, begin[1]}, (const double[2]){0.0, end[1]},
			  edge_is_near, &rectangle) ||
	    bins_any_near(&prism->bins[1], (const double[2]){0.0, begin[0]}, (const double[2]){0.0, end[0]},
			  edge_is_near, &rectangle))
		return SHAPE_PERHAPS_ACROSS;
	if (!in_polygon(prism, rectangle.middle[0], rectangle.middle[1]))
		return SHAPE_OUTSIDE;
	return within ? SHAPE_INSIDE : SHAPE_PERHAPS_ACROSS;
}

static const struct shape_kind prism_kind = {prism_line, prism_contains, prism_free, prism_side, NULL};

sonde_status shape_create_prism(int axis, const double *vertices, int64_t count, double begin, double end,
				struct shape **result)
{
	struct shape *shape = NULL;
	double area;
	sonde_status status;

	*result = NULL;
	if (axis < 0 || axis > 2)
		return status_fail(SONDE_INVALID, "axis = %d: must be 0, 1 or 2", axis);
	if (!(fabs(begin) <= SHAPE_MOST && fabs(end) <= SHAPE_MOST))
		return status_fail(SONDE_INVALID, "extent from %g to %g: must be finite numbers within %g", begin,
				   end, SHAPE_MOST);
	CHECK(shape_check_size("extent", end - begin));
	CHECK(memory_allocate(&shape, 1, sizeof *shape, "a shape"));
	shape->kind = &prism_kind;
	CHECK_GOTO(status, memory_allocate(&shape->prism, 1, sizeof *shape->prism, "a shape"), failed);
	struct prism *prism = shape->prism;
	prism->axis = axis;
	prism->plane[0] = axis == 0 ? 1 : 0;
	prism->plane[1] = axis == 2 ? 1 : 2;
	shape->low[axis] = begin;
	shape->high[axis] = end;
	CHECK_GOTO(status, take_vertices(prism, vertices, count), failed);
	CHECK_GOTO(status, check_simple(prism), failed);
	CHECK_GOTO(status, measure(prism, shape, &area), failed);
	CHECK_GOTO(status, sort_edges(prism, shape), failed);
	shape->volume = area * (end - begin);
	uint32_t room = prism->bins[0].most > prism->bins[1].most ? prism->bins[0].most : prism->bins[1].most;
	shape->room = (int)room;
	*result = shape;
	return SONDE_OK;
failed:
	shape_free(&shape);
	return status;
}
