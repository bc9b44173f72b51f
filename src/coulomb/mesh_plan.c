/* The cut-off with which a mesh sum is least work. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "coulomb/mesh.h"

#define PI 3.14159265358979323846
#define OVERSAMPLING 1.1 /* mesh points that there are more of than the smooth part needs */
#define LEAST_NODES 6.0
#define MORE_NODES 1.12  /* from one try to the next */
#define MOST_NODES 700.0 /* along an edge */
#define SHARE_OF_MEMORY 0.3
#define MOST_SCREENING 10.0 /* exp of it is the weight of the prolate function */
#define MOST_CELLS 4e6
#define CUBE_TO_TILE 0.45 /* charges that a tile of points takes, of those in 27 cubes of the cut-off */

/* Nanoseconds of one core with AVX2 at 3 GHz, about. The choice does not depend on the machine, lest results do. */
#define OF_MULTIPLY 0.09
#define OF_PAIR_SINGLE 0.45 /* and of a term of its polynomial */
#define OF_TERM_SINGLE 0.035
#define OF_PAIR_DOUBLE 2.0
#define OF_TERM_DOUBLE 0.09
#define OF_EXPONENTIAL 12.0
#define OF_CHARGE 120.0
#define OF_DIRECT_SINGLE 0.25

double mesh_direct_seconds(const struct charges *charges, const struct targets *targets,
			   const struct coulomb_plan *plan)
{
	double pair = plan->single ? OF_DIRECT_SINGLE : OF_PAIR_DOUBLE * 0.7;

	pair += plan->form != CHARGE_POINT ? OF_EXPONENTIAL : 0.0;
	pair *= plan->field ? 1.6 : 1.0;
	return 1e-9 * pair * (double)charges->count * (double)targets->count;
}

static void take_into(struct mesh_box *box, const double point[3])
{
	for (int k = 0; k < 3; ++k) {
		box->low[k] = fmin(box->low[k], point[k]);
		box->high[k] = fmax(box->high[k], point[k]);
	}
}

void mesh_find_box(const struct charges *charges, const struct targets *targets, struct mesh_box *box)
{
	*box = (struct mesh_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
	for (uint32_t j = 0; j < charges->count; ++j) {
		const double at[3] = {charges->x[j], charges->y[j], charges->z[j]};
		take_into(box, at);
	}
	for (int64_t n = 0; n < targets->count; ++n)
		take_into(box, targets->points + 3 * n);
}

/* In each cell the sum over it and its neighbors along one direction. */
static void add_neighbors(double *numbers, const int64_t size[3], int along)
{
	int64_t step = along == 0 ? 1 : along == 1 ? size[0] : size[0] * size[1], all = size[0] * size[1] * size[2];

	for (int64_t line = 0; line < all; ++line) {
		if (line / step % size[along] != 0)
			continue;
		double before = 0.0, here = numbers[line];
		for (int64_t n = 0; n < size[along]; ++n) {
			double after = n + 1 < size[along] ? numbers[line + (n + 1) * step] : 0.0;
			numbers[line + n * step] = before + here + after;
			before = here;
			here = after;
		}
	}
}

/* Pairs of points and charges, and of points, in cubes of that edge that touch. */
static sonde_status count_near(const struct charges *charges, const struct targets *targets,
			       const struct mesh_box *box, double edge, struct mesh_choice *choice)
{
	int64_t size[3], all = 1;
	double *sources, *points, pairs = 0.0, together = 0.0;

	for (int k = 0; k < 3; ++k) {
		size[k] = (int64_t)((box->high[k] - box->low[k]) / edge) + 1;
		all *= size[k];
	}
	CHECK(memory_allocate(&sources, 2 * (size_t)all, sizeof *sources, "the cells"));
	points = sources + all;
	for (uint32_t j = 0; j < charges->count; ++j) {
		int64_t x = (int64_t)((charges->x[j] - box->low[0]) / edge),
			y = (int64_t)((charges->y[j] - box->low[1]) / edge),
			z = (int64_t)((charges->z[j] - box->low[2]) / edge);
		sources[(z * size[1] + y) * size[0] + x] += 1.0;
	}
	for (int64_t n = 0; n < targets->count; ++n) {
		int64_t cell = 0;
		for (int k = 2; k >= 0; --k)
			cell = cell * size[k] + (int64_t)((targets->points[3 * n + k] - box->low[k]) / edge);
		points[cell] += 1.0;
	}
	for (int k = 0; k < 3; ++k)
		add_neighbors(sources, size, k);
	for (int64_t c = 0; c < all; ++c) {
		pairs += sources[c] * points[c];
		together += points[c] * points[c];
	}
	choice->near_charges = pairs / 27.0 / (double)targets->count;
	choice->near_points = together / (double)targets->count;
	free(sources);
	return SONDE_OK;
}

/* Bytes of a mesh of so many points: itself, with the zeros along x and y, and the kernel's waves while they are made. */
static double mesh_bytes(const struct mesh_order *order, const double nodes[3])
{
	double waves[3];

	for (int k = 0; k < 3; ++k)
		waves[k] = 2.0 * nodes[k] + 2.0 * order->width;
	return 8.0 * (nodes[0] * nodes[1] * nodes[2] + waves[0] * nodes[1] * nodes[2] +
		      waves[0] * waves[1] * nodes[2] + 0.6 * waves[0] * waves[1] * waves[2]);
}

/* Seconds of a mesh of so many points. */
static double mesh_seconds(const struct charges *charges, const struct targets *targets,
			   const struct coulomb_plan *plan, const struct mesh_order *order, const double nodes[3])
{
	double waves[3], cube = pow(order->width, 3.0), sets = charges->sets;

	for (int k = 0; k < 3; ++k)
		waves[k] = 2.0 * nodes[k] + 2.0 * order->width;
	double products = nodes[0] * nodes[1] * nodes[2] * waves[0] + waves[0] * nodes[1] * nodes[2] * waves[1] +
			  waves[0] * waves[1] * nodes[2] * waves[2];
	/* once more for the kernel, half of the waves along each edge */
	double kernel = waves[0] * waves[1] * waves[2] / 8.0 * (waves[0] + waves[1] + waves[2]) / 2.0 +
			30.0 * waves[0] * waves[1] * waves[2] / 8.0;
	double of_charge = OF_CHARGE + 3.0 * OF_MULTIPLY * cube,
	       of_point = OF_CHARGE + 2.0 * OF_MULTIPLY * cube * (plan->field ? 2.0 : 1.0);
	return 1e-9 * (OF_MULTIPLY * (2.0 * sets * products + kernel) +
		       sets * (of_charge * charges->count + of_point * (double)targets->count));
}

static double near_seconds(const struct charges *charges, const struct targets *targets,
			   const struct coulomb_plan *plan, const struct mesh_order *order,
			   const struct mesh_choice *choice)
{
	double terms = 0.7 * order->c + 2.0;
	double pair =
	    plan->single ? OF_PAIR_SINGLE + OF_TERM_SINGLE * terms : OF_PAIR_DOUBLE + OF_TERM_DOUBLE * terms;

	pair += plan->form != CHARGE_POINT ? OF_EXPONENTIAL : 0.0;
	pair *= (plan->field ? 1.7 : 1.0) * (charges->sets > 1 ? 2.0 : 1.0);
	return 1e-9 * (pair * 27.0 * CUBE_TO_TILE * choice->near_charges + OF_CHARGE) * (double)targets->count;
}

sonde_status mesh_choose(const sonde_context *context, const struct charges *charges, const struct targets *targets,
			 const struct coulomb_plan *plan, const struct mesh_order *order, struct mesh_choice *choice)
{
	struct mesh_box box;
	double longest = 0.0;

	*choice = (struct mesh_choice){.seconds = INFINITY};
	mesh_find_box(charges, targets, &box);
	for (int k = 0; k < 3; ++k)
		longest = fmax(longest, box.high[k] - box.low[k]);
	if (!(longest > 0.0))
		return SONDE_OK;
	for (int times = 0; LEAST_NODES * pow(MORE_NODES, times) <= MOST_NODES; ++times) {
		const double along = LEAST_NODES * pow(MORE_NODES, times);
		struct mesh_choice now = {.step = longest / along};
		double nodes[3], cells = 1.0;
		now.cutoff = now.step * order->c * OVERSAMPLING / PI;
		for (int k = 0; k < 3; ++k) {
			nodes[k] = (box.high[k] - box.low[k]) / now.step + order->width + 1.0;
			cells *= (box.high[k] - box.low[k]) / now.cutoff + 1.0;
		}
		/* Gaussian charges are points from the cut-off on */
		if (plan->form == CHARGE_GAUSSIAN && erfc(plan->kappa * now.cutoff) > 0.1 * order->error)
			break;
		if (plan->form == CHARGE_SCREENED && plan->kappa * now.cutoff > MOST_SCREENING)
			continue;
		now.seconds = mesh_seconds(charges, targets, plan, order, nodes);
		if (mesh_bytes(order, nodes) > SHARE_OF_MEMORY * (double)context_host_memory(context) ||
		    now.seconds > choice->seconds || cells > MOST_CELLS)
			break;
		CHECK(count_near(charges, targets, &box, now.cutoff, &now));
		now.seconds += near_seconds(charges, targets, plan, order, &now);
		now.possible = true;
		if (now.seconds < choice->seconds)
			*choice = now;
	}
	return SONDE_OK;
}
