/* The net of an icosahedron whose belt is stretched: D. L. D. Caspar and A. Klug, Cold Spring Harb. Symp. Quant. Biol. 27, 1
 * (1962), for the equal triangles of fullerenes; M. F. Moody, J. Mol. Biol. 293, 401 (1999), for stretched ones. Its twenty
 * triangles have corners on the lattice of hexagons; atoms are the centers of the lattice's small triangles. */
#include "matter/generate/cage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"

#define FACES 20
#define MOST_FACES_CROSSED 8
#define SQRT3 1.73205080756887729353

/* Integers; those of atoms in thirds of a1 and a2. */
struct point {
	int64_t x, y;
};

enum part { TOP, BELT, BOTTOM };

/* A triangle of the net, counterclockwise from outside, in a frame of its own. */
struct face {
	int corner[3];         /* numbers of the icosahedron's corners */
	struct point place[3]; /* in thirds, as everything from here on */
	enum part part;
	int sector;            /* of a cap with five triangles: from 0 */
	int next[3];           /* the face across the edge opposite of a corner */
	int turn[3];           /* from this face's frame to that one: by this many times 60 degrees, */
	struct point shift[3]; /* then by this */
	/* the atoms, by rows of equal i, where an atom is at (3 i + kind, 3 j + kind), kind 1 or 2 */
	int64_t first_row[2], row_count[2];
	struct row {
		int64_t low, count, first; /* j of the first, atoms, number of the first atom */
	} * rows[2];
};

struct net {
	const struct cage_caps *caps;
	struct point around, down; /* W around the tube, and D from a ring of pentagons to the other one */
	struct face faces[FACES];
	int count;
};

/* The lattice -------------------------------------------------------------------------------- */

static struct point add(struct point a, struct point b)
{
	return (struct point){a.x + b.x, a.y + b.y};
}

static struct point subtract(struct point a, struct point b)
{
	return (struct point){a.x - b.x, a.y - b.y};
}

static struct point times(int64_t n, struct point a)
{
	return (struct point){n * a.x, n * a.y};
}

static int64_t cross(struct point a, struct point b)
{
	return a.x * b.y - a.y * b.x;
}

/* Twice the scalar product, for vectors of length 1. */
static int64_t dot2(struct point a, struct point b)
{
	return 2 * (a.x * b.x + a.y * b.y) + a.x * b.y + a.y * b.x;
}

/* By `n` times 60 degrees. */
static struct point turned(struct point a, int n)
{
	for (; n > 0; --n)
		a = (struct point){-a.y, a.x + a.y};
	return a;
}

static int64_t floor_divide(int64_t a, int64_t b)
{
	return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* Caps --------------------------------------------------------------------------------------- */

static int64_t triangles(const struct cage_caps *caps)
{
	const int64_t h = caps->edge[0], k = caps->edge[1];

	return h * h + h * k + k * k;
}

/* Finds u and v with a u + b v = the greatest common divisor, which is returned, for any signs. */
static int64_t divide(int64_t a, int64_t b, int64_t *u, int64_t *v)
{
	int64_t u0 = 1, v0 = 0, u1 = 0, v1 = 1;

	while (b != 0) {
		const int64_t quotient = a / b, rest = a - quotient * b, u2 = u0 - quotient * u1,
			      v2 = v0 - quotient * v1;
		a = b;
		b = rest;
		u0 = u1;
		v0 = v1;
		u1 = u2;
		v1 = v2;
	}
	*u = a < 0 ? -u0 : u0;
	*v = a < 0 ? -v0 : v0;
	return a < 0 ? -a : a;
}

/* Five edges e around the tube, or three times e and e turned by 60 degrees, (h, k) + (-k, h + k). */
sonde_status cage_find_caps(const int64_t index[2], struct cage_caps *caps)
{
	const int64_t n = index[0], m = index[1];

	if (n % 5 == 0 && m % 5 == 0) {
		*caps = (struct cage_caps){5, {n / 5, m / 5}, {n / 5, m / 5}};
		return SONDE_OK;
	}
	if (n % 3 == 0 && m % 3 == 0 && (m - n) % 9 == 0) {
		const int64_t k = (m - n) / 9;
		*caps = (struct cage_caps){3, {n / 3 + k, k}, {n / 3, m / 3}};
		return SONDE_OK;
	}
	*caps = (struct cage_caps){0, {0, 0}, {0, 0}};
	return status_fail_option(
	    SONDE_INVALID, "caps",
	    "halves of icosahedral fullerenes close tubes (n, m) of which n and m are multiples of 5, or of 3 with n "
	    "- m "
	    "a multiple of 9: (3,3), (5,0), (5,5), (6,6), (9,0), (9,9), (10,0), (10,10), (12,3), (15,0), ...; not "
	    "(%lld,%lld)",
	    (long long)n, (long long)m);
}

static struct point around_of(const struct cage_caps *caps)
{
	return (struct point){caps->around[0], caps->around[1]};
}

int64_t cage_least_atoms(const struct cage_caps *caps)
{
	return 20 * triangles(caps);
}

int64_t cage_step_atoms(const struct cage_caps *caps)
{
	int64_t u, v;

	return 2 * caps->fold * divide(caps->around[0], caps->around[1], &u, &v);
}

/* A unit cell has 4 S/g atoms (generate_tube.c). */
double cage_cell_steps(const struct cage_caps *caps)
{
	const int64_t n = caps->fold * caps->around[0], m = caps->fold * caps->around[1];
	int64_t u, v;
	const int64_t divisor = divide(2 * n + m, 2 * m + n, &u, &v);

	return 4.0 * (double)(n * n + n * m + m * m) / (double)divisor / (double)cage_step_atoms(caps);
}

/* Lengths in units of the bond: sqrt 3 times those in units of a. */
static double around_length(const struct cage_caps *caps)
{
	const struct point w = around_of(caps);

	return SQRT3 * sqrt(0.5 * (double)dot2(w, w));
}

double cage_radius(const struct cage_caps *caps)
{
	return caps->fold * around_length(caps) / (2.0 * PI);
}

/* A step adds a parallelogram of `gcd` cells of area 3 sqrt(3)/2 in each sector. */
double cage_step(const struct cage_caps *caps)
{
	const int64_t cells = cage_step_atoms(caps) / (2 * caps->fold);

	return 1.5 * SQRT3 * (double)cells / around_length(caps);
}

/* Along a meridian: from the middle of a cap to its last corners. In caps of four triangles these are 2/sqrt(3) edges away
 * on the flat net, and its first corners, half an edge higher on the tube, 1/sqrt(3). */
static double cap_arc(const struct cage_caps *caps)
{
	const double edge = SQRT3 * sqrt((double)triangles(caps));

	return caps->fold == 5 ? 0.5 * SQRT3 * edge : (0.5 * SQRT3 + 0.25) * edge;
}

/* Depth of the belt: D is T + gcd * steps cells of the lattice below W. */
static double belt_depth(const struct cage_caps *caps, int64_t steps)
{
	return 1.5 * SQRT3 * (double)triangles(caps) / around_length(caps) + (double)steps * cage_step(caps);
}

double cage_length(const struct cage_caps *caps, int64_t steps)
{
	return 2.0 * cap_arc(caps) + belt_depth(caps, steps) - (PI - 2.0) * cage_radius(caps);
}

/* The net ------------------------------------------------------------------------------------ */

/* D of the icosahedron, of which the edge is turned by -60 degrees from W or, in threefold nets, from W by -30 degrees; and
 * the shortest vector S with W x S = -gcd * steps, so that the caps are twisted by it as little as possible. */
static struct point find_down(const struct cage_caps *caps, int64_t steps)
{
	const struct point w = around_of(caps), edge = {caps->edge[0], caps->edge[1]};
	int64_t u, v;
	const int64_t divisor = divide(w.x, w.y, &u, &v);
	const struct point start = {v * steps, -u * steps}, step = {w.x / divisor, w.y / divisor};
	const int64_t n = floor_divide(2 * dot2(start, step) + dot2(step, step), 2 * dot2(step, step));

	return add(caps->fold == 5 ? turned(edge, 5) : edge, subtract(start, times(n, step)));
}

static void add_face(struct net *net, enum part part, int sector, const int corner[3], struct point a, struct point b,
		     struct point c)
{
	struct face *face = &net->faces[net->count++];

	*face = (struct face){.part = part, .sector = sector, .place = {times(3, a), times(3, b), times(3, c)}};
	memcpy(face->corner, corner, sizeof face->corner);
}

/* Corners: 0 and 11 on the axis, 1 to 5 around the upper cap, 6 to 10 around the lower one. */
static void make_fivefold(struct net *net)
{
	const struct point w = net->around, zero = {0, 0}, back = {-w.x, -w.y};

	for (int j = 0; j < 5; ++j) {
		const int top = 1 + j, next_top = 1 + (j + 1) % 5, low = 6 + j, next_low = 6 + (j + 1) % 5;
		const struct point t = times(j, w), b = add(t, net->down);
		add_face(net, TOP, j, (int[]){top, next_top, 0}, zero, w, turned(w, 1));
		add_face(net, BELT, j, (int[]){top, low, next_top}, t, b, add(t, w));
		add_face(net, BELT, j, (int[]){low, next_low, next_top}, b, add(b, w), add(t, w));
		add_face(net, BOTTOM, j, (int[]){next_low, low, 11}, zero, back, turned(back, 1));
	}
}

/* Corners: 0 to 2 of the upper face, U; 3 to 5 below its edges, V; 6 to 8 above the edges of the lower face, 9 to 11. The
 * caps are large triangles with U in the middles of their edges, in one frame with corner 0, or 9, at 0. */
static void make_threefold(struct net *net)
{
	const struct point e = {net->caps->edge[0], net->caps->edge[1]}, w = net->around, zero = {0, 0};
	const struct point up[3] = {zero, e, turned(e, 1)}, low[3] = {zero, turned(e, 1), e};

	add_face(net, TOP, 0, (int[]){0, 1, 2}, up[0], up[1], up[2]);
	add_face(net, BOTTOM, 0, (int[]){11, 10, 9}, low[2], low[1], low[0]);
	for (int j = 0; j < 3; ++j) {
		const int next = (j + 1) % 3, last = (j + 2) % 3;
		const struct point u = times(j, w), v = add(u, e), b = add(v, net->down);
		add_face(net, TOP, j, (int[]){3 + j, next, j}, add(up[j], turned(subtract(up[next], up[j]), 5)),
			 up[next], up[j]);
		add_face(net, BELT, j, (int[]){j, 3 + last, 3 + j}, u, subtract(v, w), v);
		add_face(net, BELT, j, (int[]){3 + j, 6 + j, 6 + next}, v, b, add(b, w));
		add_face(net, BELT, j, (int[]){3 + j, 6 + next, 3 + next}, v, add(b, w), add(v, w));
		add_face(net, BELT, j, (int[]){6 + j, 9 + j, 6 + next}, b, add(b, e), add(b, w));
		add_face(net, BOTTOM, j, (int[]){6 + next, 9 + j, 9 + next},
			 add(low[j], turned(subtract(low[next], low[j]), 1)), low[j], low[next]);
	}
}

/* Joins edge k of face f, between the two other corners, to the face with the same edge in the other direction. */
static sonde_status join(struct net *net, int f, int k)
{
	struct face *face = &net->faces[f];
	const int a = (k + 1) % 3, b = (k + 2) % 3;

	for (int g = 0; g < FACES; ++g)
		for (int c = 0; c < 3; ++c) {
			const struct face *other = &net->faces[g];
			const int first = (c + 1) % 3, second = (c + 2) % 3;
			if (other->corner[first] != face->corner[b] || other->corner[second] != face->corner[a])
				continue;
			const struct point here = subtract(face->place[b], face->place[a]),
					   there = subtract(other->place[first], other->place[second]);
			for (int n = 0; n < 6; ++n) {
				const struct point same = turned(here, n);
				if (same.x != there.x || same.y != there.y)
					continue;
				face->next[k] = g;
				face->turn[k] = n;
				face->shift[k] = subtract(other->place[second], turned(face->place[a], n));
				return SONDE_OK;
			}
		}
	return status_fail(SONDE_INTERNAL, "the net of a cage is not closed");
}

/* Positive inside the edge opposite of corner k. */
static int64_t weight(const struct face *face, int k, struct point p)
{
	const struct point a = face->place[(k + 1) % 3], b = face->place[(k + 2) % 3];

	return cross(subtract(b, a), subtract(p, a));
}

/* Whether the face has the atom at p; of two faces with an edge through it, the earlier one does. */
static bool owns(const struct net *net, int f, struct point p)
{
	const struct face *face = &net->faces[f];

	for (int k = 0; k < 3; ++k) {
		const int64_t w = weight(face, k, p);
		if (w < 0 || (w == 0 && face->next[k] < f))
			return false;
	}
	return true;
}

/* The atoms of one kind in row i: those of j that are owned, an interval. */
static struct row find_row(const struct net *net, int f, int kind, int64_t i)
{
	const struct face *face = &net->faces[f];
	int64_t low = INT64_MIN / 4, high = INT64_MAX / 4;

	for (int k = 0; k < 3; ++k) {
		/* the weight is linear in j */
		const int64_t at_zero = weight(face, k, (struct point){3 * i + kind, kind}),
			      slope = weight(face, k, (struct point){3 * i + kind, kind + 3}) - at_zero;
		const int64_t least = face->next[k] < f ? 1 : 0;
		if (slope > 0) {
			const int64_t first = -floor_divide(at_zero - least, slope);
			low = first > low ? first : low;
		} else if (slope < 0) {
			const int64_t last = floor_divide(at_zero - least, -slope);
			high = last < high ? last : high;
		} else if (at_zero < least) {
			return (struct row){0, 0, 0};
		}
	}
	return (struct row){low, high >= low ? high - low + 1 : 0, 0};
}

static sonde_status number_face(struct net *net, int f, int64_t *count)
{
	struct face *face = &net->faces[f];
	int64_t low = face->place[0].x, high = low;

	for (int k = 1; k < 3; ++k) {
		low = face->place[k].x < low ? face->place[k].x : low;
		high = face->place[k].x > high ? face->place[k].x : high;
	}
	for (int kind = 1; kind <= 2; ++kind) {
		face->first_row[kind - 1] = floor_divide(low, 3) - 1;
		face->row_count[kind - 1] = floor_divide(high, 3) + 1 - face->first_row[kind - 1];
		CHECK(memory_allocate(&face->rows[kind - 1], (size_t)face->row_count[kind - 1],
				      sizeof *face->rows[kind - 1], "the net of a cage"));
		for (int64_t n = 0; n < face->row_count[kind - 1]; ++n) {
			struct row *row = &face->rows[kind - 1][n];
			*row = find_row(net, f, kind, face->first_row[kind - 1] + n);
			row->first = *count;
			*count += row->count;
		}
	}
	return SONDE_OK;
}

static sonde_status make_net(const struct cage_caps *caps, int64_t steps, struct net *net, int64_t *count)
{
	*net = (struct net){.caps = caps, .around = around_of(caps), .down = find_down(caps, steps)};
	if (caps->fold == 5)
		make_fivefold(net);
	else
		make_threefold(net);
	for (int f = 0; f < FACES; ++f)
		for (int k = 0; k < 3; ++k)
			CHECK(join(net, f, k));
	*count = 0;
	for (int f = 0; f < FACES; ++f)
		CHECK(number_face(net, f, count));
	return SONDE_OK;
}

static void free_net(struct net *net)
{
	for (int f = 0; f < FACES; ++f)
		for (int kind = 0; kind < 2; ++kind)
			free(net->faces[f].rows[kind]);
}

/* Neighbors ---------------------------------------------------------------------------------- */

static int64_t number_of(const struct net *net, int f, struct point p)
{
	const struct face *face = &net->faces[f];
	const int64_t i = floor_divide(p.x, 3), j = floor_divide(p.y, 3);
	const int kind = (int)(p.x - 3 * i) - 1;
	const int64_t n = i - face->first_row[kind];
	const struct row *row = n >= 0 && n < face->row_count[kind] ? &face->rows[kind][n] : NULL;

	return row != NULL && j >= row->low && j < row->low + row->count ? row->first + j - row->low : -1;
}

static struct point across(const struct face *face, int k, struct point p)
{
	return add(turned(p, face->turn[k]), face->shift[k]);
}

/* The edge through which the line from p to q leaves a face; -1 if q is in it. `entered`: the edge of p, or -1. */
static int exit_edge(const struct face *face, struct point p, struct point q, int entered)
{
	int found = -1;
	int64_t at = 0, of = 1; /* the fraction of the line */

	for (int k = 0; k < 3; ++k) {
		const int64_t w = weight(face, k, q), before = weight(face, k, p);
		if (k == entered || w >= 0)
			continue;
		if (found < 0 || before * of < at * (before - w)) {
			found = k;
			at = before;
			of = before - w;
		}
	}
	return found;
}

/* The number of the atom at q, in the frame of face f, next to the one at p. */
static int64_t find_atom(const struct net *net, int f, struct point p, struct point q)
{
	int entered = -1;

	for (int n = 0; n < MOST_FACES_CROSSED; ++n) {
		const struct face *face = &net->faces[f];
		int k = exit_edge(face, p, q, entered);
		if (k < 0) {
			if (owns(net, f, q))
				return number_of(net, f, q);
			/* on an edge of an earlier face */
			for (k = 0; k < 2 && !(weight(face, k, q) == 0 && face->next[k] < f); ++k)
				;
		}
		p = across(face, k, p);
		q = across(face, k, q);
		const int from = f;
		f = face->next[k];
		for (entered = 0; entered < 2 && net->faces[f].next[entered] != from; ++entered)
			;
	}
	return -1;
}

static sonde_status find_neighbors(const struct net *net, int f, struct point p, int64_t neighbors[3])
{
	static const struct point steps[3] = {{1, 1}, {-2, 1}, {1, -2}};
	const int kind = (int)(p.x - 3 * floor_divide(p.x, 3));

	for (int k = 0; k < 3; ++k) {
		neighbors[k] = find_atom(net, f, p, add(p, times(kind == 1 ? 1 : -1, steps[k])));
		if (neighbors[k] < 0)
			return status_fail(SONDE_INTERNAL, "an atom of a cage has no neighbor");
	}
	return SONDE_OK;
}

/* Places ------------------------------------------------------------------------------------- */

/* Around the axis in units of W, and along a meridian from the upper end, in bonds. */
struct place {
	double turn, arc;
};

/* In the belt, from point 0 of its frame. */
static struct place unrolled(const struct net *net, double x, double y)
{
	const struct point w = net->around;
	const double square = 0.5 * (double)dot2(w, w);
	const double along = (double)w.x * x + (double)w.y * y + 0.5 * ((double)w.x * y + (double)w.y * x),
		     rise = (double)w.x * y - (double)w.y * x;

	return (struct place){along / square, -1.5 * SQRT3 * rise / around_length(net->caps)};
}

/* In a cap of five triangles: along lines parallel to its edge. */
static struct place in_fivefold_cap(const struct net *net, const struct face *face, struct point p)
{
	const double whole = (double)cross(subtract(face->place[1], face->place[0]),
					   subtract(face->place[2], face->place[0])),
		     out = 1.0 - (double)weight(face, 2, p) / whole,
		     part = (double)weight(face, face->part == TOP ? 1 : 0, p) / whole / out;

	return (struct place){(double)face->sector + part, out * cap_arc(net->caps)};
}

/* In a cap of four triangles: around the middle of its flat net, clockwise from outside in the lower one. */
static struct place in_threefold_cap(const struct net *net, const struct face *face, struct point p)
{
	const double h = (double)net->caps->edge[0], k = (double)net->caps->edge[1];
	/* the middle is (e + e turned)/3 from 0, here in thirds */
	const double middle[2] = {h - k, h + 2.0 * k}, r[2] = {(double)p.x - middle[0], (double)p.y - middle[1]},
		     first[2] = {-middle[0], -middle[1]};
	const double x = first[0] * r[0] + first[1] * r[1] + 0.5 * (first[0] * r[1] + first[1] * r[0]),
		     y = 0.5 * SQRT3 * (first[0] * r[1] - first[1] * r[0]);
	const double turn = atan2(y, x) * (3.0 / (2.0 * PI)),
		     out = sqrt(r[0] * r[0] + r[1] * r[1] + r[0] * r[1]) / SQRT3;

	return (struct place){face->part == TOP ? turn : -turn, out * (0.5 * SQRT3 + 0.25) / (2.0 / SQRT3)};
}

static void find_place(const struct net *net, const struct face *face, struct point p, double whole,
		       struct place *place)
{
	const struct cage_caps *caps = net->caps;
	const double x = (double)p.x / 3.0, y = (double)p.y / 3.0;
	/* of the ring that the belt begins with, and of the point from which the lower cap is counted */
	const struct point ring = {caps->fold == 3 ? caps->edge[0] : 0, caps->fold == 3 ? caps->edge[1] : 0},
			   low = add(net->down, times(2, ring));

	if (face->part == BELT) {
		*place = unrolled(net, x, y);
		place->arc += cap_arc(caps) - unrolled(net, (double)ring.x, (double)ring.y).arc;
		return;
	}
	*place = caps->fold == 5 ? in_fivefold_cap(net, face, p) : in_threefold_cap(net, face, p);
	if (face->part == BOTTOM) {
		place->turn += unrolled(net, (double)low.x, (double)low.y).turn;
		place->arc = whole - place->arc;
	}
}

/* On a cylinder between hemispheres. The frame of the net has z up as seen from outside with angles to the right; that of
 * open tubes (generate_tube.c) is its mirror image. */
static void set_position(const struct cage_caps *caps, const struct place *place, double whole, double bond,
			 double position[3])
{
	const double radius = cage_radius(caps), quarter = 0.5 * PI * radius, half = 0.5 * whole - quarter,
		     angle = 2.0 * PI * place->turn / caps->fold, from_end = fmin(place->arc, whole - place->arc);
	double z = 0.5 * whole - place->arc, rho = radius;

	if (from_end < quarter) {
		rho = radius * sin(from_end / radius);
		z = copysign(half + radius * cos(from_end / radius), z);
	}
	position[0] = bond * rho * cos(angle);
	position[1] = bond * rho * sin(angle);
	position[2] = -bond * z;
}

/* Atoms farther from the caps than about a diameter keep their places. */
static bool is_far(const struct cage_caps *caps, double arc, double whole)
{
	return fmin(arc, whole - arc) > cap_arc(caps) + 2.0 * cage_radius(caps) + 4.0;
}

static sonde_status fill(const struct net *net, int64_t steps, double bond, struct cage *cage)
{
	const double whole = 2.0 * cap_arc(net->caps) + belt_depth(net->caps, steps);

	for (int f = 0; f < FACES; ++f)
		for (int kind = 1; kind <= 2; ++kind)
			for (int64_t n = 0; n < net->faces[f].row_count[kind - 1]; ++n) {
				const struct row *row = &net->faces[f].rows[kind - 1][n];
				for (int64_t j = 0; j < row->count; ++j) {
					const struct point p = {3 * (net->faces[f].first_row[kind - 1] + n) + kind,
								3 * (row->low + j) + kind};
					const int64_t atom = row->first + j;
					struct place place;
					find_place(net, &net->faces[f], p, whole, &place);
					set_position(net->caps, &place, whole, bond, cage->positions[atom]);
					cage->fixed[atom] = is_far(net->caps, place.arc, whole);
					CHECK(find_neighbors(net, f, p, cage->neighbors[atom]));
				}
			}
	return SONDE_OK;
}

sonde_status cage_make(const struct cage_caps *caps, int64_t steps, double bond, struct cage *cage)
{
	struct net net;
	sonde_status status;

	*cage = (struct cage){0};
	CHECK_GOTO(status, make_net(caps, steps, &net, &cage->count), done);
	CHECK_GOTO(status, memory_allocate(&cage->positions, (size_t)cage->count, sizeof *cage->positions, "a cage"),
		   done);
	CHECK_GOTO(status, memory_allocate(&cage->neighbors, (size_t)cage->count, sizeof *cage->neighbors, "a cage"),
		   done);
	CHECK_GOTO(status, memory_allocate(&cage->fixed, (size_t)cage->count, sizeof *cage->fixed, "a cage"), done);
	status = fill(&net, steps, bond, cage);
done:
	free_net(&net);
	return status;
}

void cage_free(struct cage *cage)
{
	free(cage->positions);
	free(cage->neighbors);
	free(cage->fixed);
	*cage = (struct cage){0};
}
