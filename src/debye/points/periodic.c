#include "debye/points/periodic.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/constants.h"
#include "base/file.h"
#include "base/threads.h"
#include "device/kernel.h"
#include "device/kernel_math.h"
#include "matter/crystal/crystal.h"

#define LEAST_CUTOFF 20.0 /* Angstrom: of the default */
#define MOST_CUTOFF 50.0
#define LEAST_HEIGHT 1.0 /* Angstrom: a smaller cell holds no atom */
#define FLAT 1e-6        /* volume over the product of the edges */
#define MOST_IMAGES 1e6  /* of a cell within the cut-off */
#define MOST_PAIRS 1e15
#define AT_CUTOFF 1e-5 /* Angstrom: more than the rounding of distances, by any method and in files of six decimals */

/* Sine and cosine of kernel_math.h, since those of the C library depend on the processor. */
static double sine_cosine(double x, double *cosine)
{
	lanes_f64 s, c;

	lanes_sincos(LANES_SPLAT(x), &s, &c, 0);
	*cosine = LANES_FIRST(c);
	return LANES_FIRST(s);
}

static double sinc(double x)
{
	double cosine;

	return x == 0.0 ? 1.0 : sine_cosine(x, &cosine) / x;
}

/* 3 (sin y - y cos y)/y^3, the amplitude of a ball; near 0 its series. */
static double ball_amplitude(double y)
{
	const double square = y * y;
	double cosine;

	if (y < 0.3)
		return 1.0 - square / 10.0 * (1.0 - square / 28.0 * (1.0 - square / 54.0 * (1.0 - square / 88.0)));
	const double sine = sine_cosine(y, &cosine);
	return 3.0 * (sine - y * cosine) / (y * square);
}

double periodic_end(double cutoff)
{
	return fmax(0.5 * cutoff, cutoff - AT_CUTOFF);
}

double periodic_factor(const struct periodic *periodic, double r)
{
	if (periodic == NULL)
		return 1.0;
	const double x = fmin(1.0, r / periodic->cutoff);
	switch (periodic->damping) {
	case SONDE_DEBYE_DAMPING_BALL:
		return 1.0 - x * (1.5 - 0.5 * x * x);
	case SONDE_DEBYE_DAMPING_LORCH:
		return sinc(PI * x);
	default:
		return 1.0;
	}
}

double periodic_weight(const struct periodic *periodic, double r)
{
	return periodic == NULL || r < periodic->end ? periodic_factor(periodic, r) : 0.0;
}

/* ball: w is the autocorrelation of a ball of diameter r_c over its volume V, and J that volume times the square of
 * the ball's amplitude. lorch, with t = q r_c: 4 pi r_c^3 sin(t)/(t (pi^2 - t^2)). none: the amplitude of a ball whose
 * radius is the end of the distances. */
double periodic_mean(const struct periodic *periodic, double q)
{
	const double cutoff = periodic->cutoff, cube = cutoff * cutoff * cutoff, t = q * cutoff;

	if (periodic->damping == SONDE_DEBYE_DAMPING_BALL) {
		const double amplitude = ball_amplitude(0.5 * t);
		return PI / 6.0 * cube * amplitude * amplitude;
	}
	if (periodic->damping == SONDE_DEBYE_DAMPING_LORCH)
		return t < 1.0 ? 4.0 * PI * cube * sinc(t) / ((PI - t) * (PI + t))
			       : 4.0 * PI * cube * sinc(t - PI) / (t * (t + PI));
	const double end = periodic->end;
	return 4.0 / 3.0 * PI * end * end * end * ball_amplitude(q * end);
}

void periodic_wrap(const struct periodic *periodic, double r[3])
{
	double cells[3];

	for (int k = 0; k < 3; ++k)
		cells[k] = periodic->open[k] ? 0.0
					     : floor(periodic->inverse[k][0] * r[0] + periodic->inverse[k][1] * r[1] +
						     periodic->inverse[k][2] * r[2]);
	for (int m = 0; m < 3; ++m) {
		for (int k = 0; k < 3; ++k)
			r[m] -= cells[k] * periodic->edges[k][m];
		r[m] -= periodic->low[m];
	}
}

#define WRAPPED_AT_ONCE 8192 /* positions of a part of the work of threads */

struct wrapping {
	const struct periodic *periodic;
	const double *from;
	double *to;
};

static void wrap_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct wrapping *wrapping = state;

	(void)worker;
	for (int64_t i = first; i < end; ++i) {
		double r[3];
		memcpy(r, wrapping->from + 3 * i, sizeof r);
		if (wrapping->periodic != NULL)
			periodic_wrap(wrapping->periodic, r);
		memcpy(wrapping->to + 3 * i, r, sizeof r);
	}
}

void periodic_wrap_all(const struct periodic *periodic, int threads, int64_t count, const double *from, double *to)
{
	struct wrapping wrapping = {periodic, from, to};

	threads_for(threads, count, WRAPPED_AT_ONCE, wrap_some, &wrapping);
}

/* Atoms in the cells 0 and n are farther apart than n - 1 heights; a fraction may be rounded to 1. */
void periodic_images(const struct periodic *periodic, int most[3])
{
	for (int k = 0; k < 3; ++k)
		most[k] = periodic->open[k] ? 0 : 1 + (int)floor(periodic->cutoff / periodic->height[k] + 1e-6);
}

void periodic_vector(const struct periodic *periodic, const int n[3], double vector[3])
{
	for (int m = 0; m < 3; ++m)
		vector[m] =
		    n[0] * periodic->edges[0][m] + n[1] * periodic->edges[1][m] + n[2] * periodic->edges[2][m];
}

double periodic_reach(const struct periodic *periodic)
{
	double sum = periodic->cutoff;

	for (int k = 0; k < 3; ++k)
		sum += 3.0 * sqrt(periodic->edges[k][0] * periodic->edges[k][0] +
				  periodic->edges[k][1] * periodic->edges[k][1] +
				  periodic->edges[k][2] * periodic->edges[k][2]);
	return sum;
}

double periodic_neighbors(const struct periodic *periodic, double atoms)
{
	const double cutoff = periodic->cutoff;

	/* at most: all in a cylinder around a slab, or in a length of a rod */
	if (periodic->open_count > 0)
		return atoms / periodic->content * (periodic->open_count == 1 ? PI * cutoff * cutoff : 2.0 * cutoff);
	return 4.0 / 3.0 * PI * cutoff * cutoff * cutoff * (atoms / periodic->volume);
}

double periodic_inverse_distance(const struct periodic *periodic)
{
	const double cutoff = periodic->cutoff;

	return periodic->open_count == 0   ? 1.5 / cutoff
	       : periodic->open_count == 1 ? 2.0 / cutoff
					   : log(2.0 + cutoff) / cutoff;
}

static const char *name_of(const sonde_atoms *atoms)
{
	return atoms->source.bytes != NULL ? atoms->source.bytes : "sample";
}

static sonde_status check_edges(const sonde_atoms *atoms, const sonde_debye_options *options)
{
	if (!atoms->has_lattice)
		return status_fail_option(
		    SONDE_INVALID, "boundary",
		    "%.300s: has no cell, which periodic sums need; extended XYZ gives it by Lattice=\"...\"",
		    name_of(atoms));
	if (options->copies != SONDE_DEBYE_COPIES_EXACT)
		return status_fail_option(
		    SONDE_INVALID, "copies",
		    "copies are those of a cluster: use `copies exact` for a periodic sample, or "
		    "`boundary open`");
	return SONDE_OK;
}

static double length_of(const double edge[3])
{
	return sqrt(edge[0] * edge[0] + edge[1] * edge[1] + edge[2] * edge[2]);
}

static void cross(const double a[3], const double b[3], double product[3])
{
	for (int k = 0; k < 3; ++k)
		product[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Turns an edge along which the sample does not repeat into a unit vector times the width of the sample, and moves the
 * corner there. */
static void span(const sonde_atoms *atoms, double edge[3], double corner[3])
{
	const double length = length_of(edge);
	double low = INFINITY, high = -INFINITY;

	for (int64_t i = 0; i < atoms->count; ++i) {
		const double *r = atoms->positions + 3 * i,
			     place = (edge[0] * r[0] + edge[1] * r[1] + edge[2] * r[2]) / length;
		low = fmin(low, place);
		high = fmax(high, place);
	}
	for (int m = 0; m < 3; ++m) {
		corner[m] += low * edge[m] / length;
		edge[m] *= fmax(high - low, LEAST_HEIGHT) * 1.000001 / length;
	}
}

/* The edges of a slab or a rod. */
static sonde_status replace_edges(const sonde_atoms *atoms, struct periodic *periodic)
{
	double(*edges)[3] = periodic->edges;

	for (int k = 0; k < 3; ++k) {
		periodic->open[k] = !atoms->periodic[k];
		periodic->open_count += periodic->open[k];
	}
	const int only = !periodic->open[0] ? 0 : !periodic->open[1] ? 1 : 2; /* the first that repeats */
	periodic->content = length_of(edges[only]);
	if (periodic->open_count == 2) {
		/* across the rod, first the axis that is farthest from it */
		int axis = 0;
		double unit[3] = {0.0};
		for (int k = 1; k < 3; ++k)
			axis = fabs(edges[only][k]) < fabs(edges[only][axis]) ? k : axis;
		unit[axis] = 1.0;
		cross(edges[only], unit, edges[(only + 1) % 3]);
		cross(edges[only], edges[(only + 1) % 3], edges[(only + 2) % 3]);
	} else {
		const int open = periodic->open[0] ? 0 : periodic->open[1] ? 1 : 2;
		cross(edges[(open + 1) % 3], edges[(open + 2) % 3], edges[open]);
		periodic->content = length_of(edges[open]);
	}
	if (!(periodic->content > 0.0))
		return status_fail_file(SONDE_INVALID, name_of(atoms),
					"the edges along which the sample is periodic are 0 or parallel");
	for (int k = 0; k < 3; ++k)
		if (periodic->open[k])
			span(atoms, edges[k], periodic->low);
	return SONDE_OK;
}

static sonde_status measure_cell(const sonde_atoms *atoms, struct periodic *periodic)
{
	double lengths = 1.0;

	memcpy(periodic->edges, atoms->lattice, sizeof periodic->edges);
	if (atoms_are_periodic(atoms) && !(atoms->periodic[0] && atoms->periodic[1] && atoms->periodic[2]))
		CHECK(replace_edges(atoms, periodic));
	const double volume = crystal_reciprocal((const double(*)[3])periodic->edges, periodic->inverse);
	for (int k = 0; k < 3; ++k)
		lengths *= length_of(periodic->edges[k]);
	periodic->volume = fabs(volume);
	if (!(periodic->volume > FLAT * lengths))
		return status_fail_file(SONDE_INVALID, name_of(atoms),
					"the cell has no volume: its edges lie in a plane, or one of them is 0");
	for (int k = 0; k < 3; ++k) {
		const double *reciprocal = periodic->inverse[k];
		periodic->height[k] = 1.0 / sqrt(reciprocal[0] * reciprocal[0] + reciprocal[1] * reciprocal[1] +
						 reciprocal[2] * reciprocal[2]);
		if (periodic->height[k] < LEAST_HEIGHT)
			return status_fail_file(SONDE_INVALID, name_of(atoms),
						"the cell is %.3g Angstrom high along edge %c, less than an atom; "
						"are its edges in Angstrom?",
						periodic->height[k], "abc"[k]);
	}
	return SONDE_OK;
}

/* A ball of this diameter has each atom once at most. */
static double lowest(const struct periodic *periodic)
{
	double least = INFINITY;

	for (int k = 0; k < 3; ++k)
		least = periodic->open[k] ? least : fmin(least, periodic->height[k]);
	return least;
}

static sonde_status check_cutoff(const sonde_atoms *atoms, const struct periodic *periodic)
{
	int most[3];
	const double images = periodic_neighbors(periodic, 1.0),
		     pairs = 0.5 * (double)atoms->count * periodic_neighbors(periodic, (double)atoms->count);

	periodic_images(periodic, most);
	if (images > MOST_IMAGES ||
	    (2.0 * most[0] + 1.0) * (2.0 * most[1] + 1.0) * (2.0 * most[2] + 1.0) > 20.0 * MOST_IMAGES)
		return status_fail_option(
		    SONDE_INVALID, "cutoff",
		    "%g Angstrom reach %.2g images of the cell, more than %g; use a smaller one, "
		    "or a larger cell of the same crystal",
		    periodic->cutoff, images, MOST_IMAGES);
	if (pairs > MOST_PAIRS)
		return status_fail_option(SONDE_INVALID, "cutoff", "%.2g pairs are within %g Angstrom, more than %g",
					  pairs, periodic->cutoff, MOST_PAIRS);
	return SONDE_OK;
}

static void note_open(sonde_context *context, const sonde_atoms *atoms)
{
	const char *name = name_of(atoms);
	const bool is_pdb = file_has_suffix(name, ".pdb") || file_has_suffix(name, ".pdb.gz") ||
			    file_has_suffix(name, ".ent") || file_has_suffix(name, ".ent.gz");

	context_notef(context,
		      "%.300s: has a cell%s, which is not used: the atoms are treated as a cluster in a "
		      "vacuum; confirm by `boundary open`, or repeat the cell by `boundary periodic`",
		      name, is_pdb ? " (CRYST1)" : "");
}

/* A cluster: its options are those of no use. */
static sonde_status plan_open(sonde_debye_options *options)
{
	options->boundary = SONDE_DEBYE_BOUNDARY_OPEN;
	if (options->cutoff > 0.0)
		return status_fail_option(SONDE_INVALID, "cutoff",
					  "applies to periodic samples, and this one is a cluster: see `boundary`");
	return options->damping == SONDE_DEBYE_DAMPING_BALL
		   ? SONDE_OK
		   : status_fail_option(SONDE_INVALID, "damping",
					"applies to periodic samples, and this one is a cluster: see `boundary`");
}

bool periodic_is_wanted(const sonde_atoms *atoms, const sonde_debye_options *options)
{
	return options->boundary == SONDE_DEBYE_BOUNDARY_PERIODIC ||
	       (options->boundary == SONDE_DEBYE_BOUNDARY_AUTO && atoms_are_periodic(atoms));
}

sonde_status periodic_plan(sonde_context *context, const sonde_atoms *atoms, sonde_debye_options *options,
			   struct periodic *periodic)
{
	*periodic = (struct periodic){0};
	if (!periodic_is_wanted(atoms, options)) {
		if (options->boundary == SONDE_DEBYE_BOUNDARY_AUTO && atoms->maybe_periodic)
			note_open(context, atoms);
		return plan_open(options);
	}
	CHECK(check_edges(atoms, options));
	CHECK(measure_cell(atoms, periodic));
	options->boundary = SONDE_DEBYE_BOUNDARY_PERIODIC;
	if (options->cutoff == 0.0) {
		/* a slab has fewer neighbors, and layers that are farther apart belong together */
		const double factor = periodic->open_count > 0 ? 2.0 : 1.0;
		options->cutoff = fmax(factor * LEAST_CUTOFF, fmin(factor * MOST_CUTOFF, lowest(periodic)));
		context_notef(context,
			      "%.300s is periodic%s: distances up to %.6g Angstrom are counted (`cutoff`); its atoms "
			      "alone would be a cluster (`boundary open`)",
			      name_of(atoms),
			      periodic->open_count == 0   ? ""
			      : periodic->open_count == 1 ? " along two edges, a slab"
							  : " along one edge, a rod",
			      options->cutoff);
	}
	periodic->cutoff = options->cutoff;
	periodic->end = periodic_end(options->cutoff);
	periodic->damping = options->damping;
	CHECK(check_cutoff(atoms, periodic));
	/* slabs and rods have no density */
	periodic->density_of_cell = options->density == 0.0 && periodic->open_count == 0;
	if (periodic->density_of_cell)
		options->density = (double)atoms->count / periodic->volume;
	periodic->on = true;
	return SONDE_OK;
}
