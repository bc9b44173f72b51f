/* The matrix: with the step h of the nodes r_n and D(u) = 1/integral of phi(z) cos(u h z) dz,
 *
 *     cos(u r) = sum_n phi((r - r_n)/h) cos(u r_n) D(u) + aliases,
 *
 * which are below 1e-9 for u h <= pi/2.5 and this phi, and therefore, since sin(qr)/(qr) is the mean of cos(u r) over u from 0 to q,
 *
 *     sin(qr)/(qr) = sum_n phi((r - r_n)/h) M_n(q),   M_n(q) = 1/q integral from 0 to q of cos(u r_n) D(u) du.
 *
 * The transform of phi is W sinh(sqrt(beta^2 - x^2))/(I0(beta) sqrt(beta^2 - x^2)), x = u h W/2. */
#include "debye/sums/many_nodes.h"

#include <math.h>
#include <stdlib.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/threads.h"
#include "debye/kernels/spread_weights.h"
#include "device/kernel.h"
#include "device/kernel_math.h"

#define ABSCISSAS 8
#define LARGEST_PHASE 3.0 /* of a cosine across a panel of the integral */
#define LEAST_Q 0.1       /* the nodes of smaller ranges of q would be far apart */

/* Gauss and Legendre's rule on (-1, 1), of which the other half is symmetric. */
static const double rule_at[ABSCISSAS / 2] = {0.18343464249564980494, 0.52553240991632898582, 0.79666647741362673959,
					      0.96028985649753623168};
static const double rule_weight[ABSCISSAS / 2] = {0.36268378337836198297, 0.31370664587788728734,
						  0.22238103445337447054, 0.10122853629037625915};

/* A panel of the integral that ends at point `point` of q, or -1 before it. */
struct panel {
	double u[ABSCISSAS], weight[ABSCISSAS]; /* with D(u) */
	int64_t point;
};

struct integral {
	struct many_nodes *nodes;
	const double *q;
	const struct panel *panels;
	size_t panel_count;
};

/* I0 by its power series. */
static double bessel_i0(double x)
{
	double sum = 1.0, term = 1.0;

	for (int k = 1; term > 1e-17 * sum; ++k) {
		term *= x * x / (4.0 * k * k);
		sum += term;
	}
	return sum;
}

/* The functions of kernel_math.h, since those of the C library depend on the processor. */
static double exponential(double x)
{
	return LANES_FIRST(lanes_exp(LANES_SPLAT(x), 0));
}

static void set_panel(double from, double to, double step, struct panel *panel)
{
	const double top = bessel_i0(SPREAD_SHAPE) / SPREAD_WIDTH;

	for (int k = 0; k < ABSCISSAS; ++k) {
		const int at = k < ABSCISSAS / 2 ? ABSCISSAS / 2 - 1 - k : k - ABSCISSAS / 2;
		const double side = k < ABSCISSAS / 2 ? -1.0 : 1.0;
		const double u = 0.5 * (from + to) + 0.5 * (to - from) * side * rule_at[at];
		const double x = 0.5 * u * step * SPREAD_WIDTH, root = sqrt(SPREAD_SHAPE * SPREAD_SHAPE - x * x);
		panel->u[k] = u;
		panel->weight[k] = 0.5 * (to - from) * rule_weight[at] * top * root /
				   (0.5 * (exponential(root) - exponential(-root)));
	}
}

static sonde_status make_panels(const double *q, int64_t points, double step, double reach, struct panel **panels,
				size_t *count)
{
	size_t capacity = 0;
	double from = 0.0;

	for (int64_t k = 0; k < points; ++k) {
		const double parts = fmax(1.0, ceil((q[k] - from) * reach / LARGEST_PHASE));
		for (double part = 0.0; part < parts && q[k] > from; ++part) {
			CHECK(memory_grow(panels, &capacity, *count + 1, sizeof **panels, "the matrix"));
			struct panel *panel = &(*panels)[(*count)++];
			set_panel(from + (q[k] - from) * (part / parts),
				  from + (q[k] - from) * ((part + 1.0) / parts), step, panel);
			panel->point = part + 1.0 == parts ? k : -1;
		}
		from = q[k];
	}
	return SONDE_OK;
}

/* The rows of some nodes. */
static void fill_rows(void *state, int64_t first, int64_t end, int worker)
{
	const struct integral *of = state;
	struct many_nodes *nodes = of->nodes;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		const double r = (double)(n - SPREAD_BEFORE) / nodes->per_angstrom;
		double *row = nodes->matrix + n * nodes->columns;
		double integral = 0.0;
		for (size_t p = 0; p < of->panel_count; ++p) {
			const struct panel *panel = &of->panels[p];
			lanes_f64 sum = LANES_SPLAT(0.0), sine, cosine;
			for (uint32_t k = 0; k < ABSCISSAS; k += LANES) {
				lanes_sincos(LANES_LOAD(panel->u + k) * r, &sine, &cosine, 0);
				sum = sum + LANES_LOAD(panel->weight + k) * cosine;
			}
			integral += LANES_SUM(sum);
			if (panel->point >= 0)
				row[panel->point] = integral / of->q[panel->point];
		}
		if (of->q[0] == 0.0) /* the limit, D(0) */
			row[0] = bessel_i0(SPREAD_SHAPE) / SPREAD_WIDTH * SPREAD_SHAPE /
				 (0.5 * (exponential(SPREAD_SHAPE) - exponential(-SPREAD_SHAPE)));
		nodes->inverse_squares[n] = 1.0 / fmax(r * r, 1.0 / (nodes->per_angstrom * nodes->per_angstrom));
	}
}

#define DISTANCES 400
#define MEASURED_POINTS 24

/* Compares single pairs with sin(qr)/(qr). A contribution is rounded up or down, by unit sqrt(p (1 - p)), at most a half, in the root mean
 * square. */
static void measure_errors(const double *q, int64_t points, struct many_nodes *nodes)
{
	const double unit = ldexp(1.0, -SPREAD_BITS);
	double squares[MEASURED_POINTS] = {0.0}, roundings = 0.0;

	for (int d = 0; d < DISTANCES; ++d) {
		/* fractions of the golden ratio are spread evenly */
		const double r = nodes->reach * fmod(0.5 + d * 0.61803398874989485, 1.0),
			     steps = r * nodes->per_angstrom;
		const int before = (int)steps;
		double weights[SPREAD_WIDTH], all = 0.0, square = 0.0;
		spread_weights(steps - before - 0.5, weights);
		for (uint32_t m = 0; m < SPREAD_WIDTH; ++m) {
			weights[m] *= unit;
			all += weights[m];
			square += weights[m] * weights[m];
		}
		for (int64_t p = 0; p < MEASURED_POINTS; ++p) {
			const int64_t k = points > 1 ? p * (points - 1) / (MEASURED_POINTS - 1) : 0;
			const double x = q[k] * r, wanted = x > 0.0 ? sin(x) / x : 1.0, scale = fmax(1.0, x);
			double value = 0.0, rounding = 0.0, largest = 0.0;
			for (uint32_t m = 0; m < SPREAD_WIDTH; ++m) {
				const double factor =
				    nodes->matrix[((size_t)before + m) * nodes->columns + (size_t)k];
				value += weights[m] * factor;
				/* all are rounded by one random number: the signs may agree */
				rounding += fabs(factor);
				largest += fabs(factor);
			}
			const double error = fabs(value - wanted) * scale;
			rounding *= 0.5 * unit * scale;
			nodes->largest_error = fmax(nodes->largest_error, error + unit * largest * scale);
			squares[p] += error * error / square;
			roundings += rounding * rounding / all;
		}
	}
	for (int p = 0; p < MEASURED_POINTS; ++p) /* it grows toward the largest q */
		nodes->error = fmax(nodes->error, sqrt(squares[p] / DISTANCES));
	nodes->rounding = sqrt(roundings / ((double)DISTANCES * MEASURED_POINTS));
}

uint32_t many_nodes_for(const struct many_nodes *nodes, double extent)
{
	/* a node more for roundings */
	return (uint32_t)(extent * nodes->per_angstrom) + SPREAD_WIDTH + 1u;
}

sonde_status many_nodes_make(const double *q, int64_t points, double extent, int threads, struct many_nodes *nodes)
{
	struct panel *panels = NULL;
	struct integral integral = {.nodes = nodes, .q = q};
	sonde_status status;

	*nodes =
	    (struct many_nodes){.per_angstrom = SPREAD_OVERSAMPLING * fmax(q[points - 1], LEAST_Q) / PI,
				.reach = extent,
				.columns = (uint32_t)((points + MANY_COLUMNS - 1) / MANY_COLUMNS * MANY_COLUMNS)};
	nodes->count = many_nodes_for(nodes, extent);
	CHECK(memory_allocate(&nodes->matrix, (size_t)nodes->count * nodes->columns, sizeof(double), "the matrix"));
	CHECK(memory_allocate(&nodes->inverse_squares, nodes->count, sizeof(double), "the matrix"));
	status = make_panels(q, points, 1.0 / nodes->per_angstrom, extent, &panels, &integral.panel_count);
	integral.panels = panels;
	if (status == SONDE_OK) {
		threads_for(threads, nodes->count, 8, fill_rows, &integral);
		measure_errors(q, points, nodes);
	}
	free(panels);
	return status;
}

void many_nodes_free(struct many_nodes *nodes)
{
	free(nodes->matrix);
	free(nodes->inverse_squares);
	*nodes = (struct many_nodes){0};
}
