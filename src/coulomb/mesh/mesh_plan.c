/* The cut-off with the least work for a mesh sum. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/threads.h"
#include "coulomb/charges.h"
#include "coulomb/mesh/mesh.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "device/device.h"
#include "run/context.h"

#define OVERSAMPLING 1.1 /* ratio of the mesh points to those needed by the smooth part */
#define LEAST_NODES 6.0
#define MORE_NODES 1.12  /* from one try to the next */
#define MOST_NODES 700.0 /* along an edge */
#define SHARE_OF_MEMORY 0.3
#define MOST_SCREENING 10.0 /* its exponential is the weight of the prolate function */
#define MOST_CELLS 4e6
#define CUBE_TO_TILE 0.6               /* charges of a tile of points, relative to those in 27 cubes of the cut-off */
#define LESS_CUTOFF 1.4142135623730951 /* from one try to the next, for a part */
#define BLOCK_NODES 32.0
#define MOST_LEVELS 12

/* Approximate nanoseconds on one core with AVX2 at 3 GHz. Constants, so that choice and results do not depend on
 * the machine. */
#define OF_MULTIPLY 0.09
#define OF_PAIR_SINGLE 1.1 /* for a tile that is not full, and for a term of its polynomial */
#define OF_TERM_SINGLE 0.065
#define OF_PAIR_DOUBLE 1.5
#define OF_TERM_DOUBLE 0.065
#define OF_EXPONENTIAL 12.0
#define OF_CHARGE 140.0
#define OF_DIRECT_SINGLE 0.25
#define OF_DIRECT_DOUBLE 1.4
#define OF_PART 1e6 /* a separate mesh: buffers, launches */

/* The same for a GPU with 132 multiprocessors of 128 units for float32 and 64 for float64 at 1.8 GHz, two thirds
 * of which are busy: a test of the distance takes ten instructions, a pair within reach twenty more and two for
 * each term with the field, and a reciprocal square root in float64 sixteen. A charge is also sorted and copied by
 * the threads of the host. */
#define GPU_MULTIPLY 1e-4
#define GPU_TEST_SINGLE 5e-4
#define GPU_PAIR_SINGLE 8e-4
#define GPU_TERM_SINGLE 5e-5
#define GPU_TEST_DOUBLE 1e-3
#define GPU_PAIR_DOUBLE 4e-3
#define GPU_TERM_DOUBLE 1e-4
#define GPU_EXPONENTIAL 6e-3
#define GPU_CHARGE 15.0
#define GPU_BRICK 3e-4 /* a charge at a mesh point of a brick within its reach */
#define GPU_START 8e6  /* kernels, buffers, the waves */
#define GPU_CELLS 1.4  /* ratio of the charges of whole cells to those within the cut-off of a tile */
#define GPU_MEMORY 0.5 /* fraction of a GPU's memory available to a mesh */
#define GPU_DIRECT_SINGLE 3e-4
#define GPU_DIRECT_DOUBLE 1.2e-3

double mesh_direct_seconds(const struct mesh_place *place, const struct charges *charges,
			   const struct targets *targets, const struct coulomb_plan *plan)
{
	double pair = plan->single ? OF_DIRECT_SINGLE : OF_DIRECT_DOUBLE, exponential = OF_EXPONENTIAL;

	if (place->gpu) {
		pair = plan->single ? GPU_DIRECT_SINGLE : GPU_DIRECT_DOUBLE;
		exponential = GPU_EXPONENTIAL;
	}
	pair += plan->form != CHARGE_POINT ? exponential : 0.0;
	pair *= plan->field ? 1.6 : 1.0;
	return 1e-9 * pair * (double)charges->count * (double)targets->count;
}

struct mesh_place mesh_place_cpu(const sonde_context *context)
{
	return (struct mesh_place){false, SHARE_OF_MEMORY * (double)context_host_memory(context)};
}

sonde_status mesh_find_place(sonde_context *context, struct mesh_place *place)
{
	struct device *device;

	CHECK(context_device(context, &device));
	*place = mesh_place_cpu(context);
	if (mesh_has_groups(device))
		*place = (struct mesh_place){true, GPU_MEMORY * (double)device_properties(device)->memory};
	return SONDE_OK;
}

void mesh_extent(const struct mesh_order *order, const struct mesh_box boxes[2], double step, double outer,
		 struct mesh_shape *shape)
{
	const struct mesh_box all = mesh_box_of_both(boxes);

	for (int k = 0; k < 3; ++k) {
		shape->nodes[k] = (uint32_t)((all.high[k] - all.low[k]) / step) + order->width + 2;
		shape->waves[k] = mesh_open_waves(order, shape->nodes[k]);
		shape->first[k] = 0;
		shape->wanted[k] = shape->nodes[k];
		if (outer == 0.0)
			continue;
		/* a charge's next image must be farther than `outer` from all points, and the kernel must end
		 * before the turning point */
		double apart = fmax(boxes[1].high[k] - boxes[0].low[k], boxes[0].high[k] - boxes[1].low[k]),
		       needed = fmax(apart + outer, 2.0 * outer) / step;
		if (needed + 2.0 < shape->waves[k])
			shape->waves[k] = 2 * (uint32_t)ceil(0.5 * needed);
		/* for the points alone; one more for rounding */
		uint32_t along = (uint32_t)((boxes[1].high[k] - boxes[1].low[k]) / step) + order->width + 3;
		shape->first[k] = (uint32_t)((boxes[1].low[k] - all.low[k]) / step);
		shape->wanted[k] =
		    along < shape->nodes[k] - shape->first[k] ? along : shape->nodes[k] - shape->first[k];
	}
}

/* The element of `all` taken as number n of `count`: spread by the golden ratio, so that the order does not
 * matter. */
static int64_t surveyed(int64_t n, int64_t count, int64_t all)
{
	double at = ((double)n + 0.5) * 0.6180339887498949;

	return count == all ? n : (int64_t)((at - floor(at)) * (double)all);
}

sonde_status mesh_survey_make(int threads, const struct charges *charges, const struct targets *targets,
			      uint32_t most, struct mesh_survey *survey)
{
	const int64_t all[2] = {charges->count, targets->count};

	*survey = (struct mesh_survey){.all = {(double)all[0], (double)all[1]}};
	mesh_find_boxes(threads, charges, targets, survey->boxes);
	for (int kind = 0; kind < 2; ++kind) {
		survey->count[kind] = (uint32_t)(all[kind] < most ? all[kind] : most);
		sonde_status status = memory_allocate(&survey->places[kind], 3 * (size_t)survey->count[kind] + 1,
						      sizeof(double), "the choice of a mesh");
		if (status != SONDE_OK) {
			mesh_survey_free(survey);
			return status;
		}
		for (uint32_t n = 0; n < survey->count[kind]; ++n) {
			int64_t from = surveyed(n, survey->count[kind], all[kind]);
			double *to = survey->places[kind] + 3 * (size_t)n;
			to[0] = kind == 0 ? charges->x[from] : targets->points[3 * from];
			to[1] = kind == 0 ? charges->y[from] : targets->points[3 * from + 1];
			to[2] = kind == 0 ? charges->z[from] : targets->points[3 * from + 2];
		}
	}
	return SONDE_OK;
}

void mesh_survey_free(struct mesh_survey *survey)
{
	free(survey->places[0]);
	free(survey->places[1]);
	*survey = (struct mesh_survey){0};
}

void mesh_add_neighbors(double *numbers, const int64_t size[3], int along)
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

/* Pairs of points and charges, and of points, in adjacent cubes of this edge; without those of cubes that are
 * likely to have a separate mesh, if `costs` is not null. */
static sonde_status count_near(const struct mesh_survey *survey, double edge, const struct mesh_costs *costs,
			       struct mesh_choice *choice)
{
	const struct mesh_box box = mesh_box_of_both(survey->boxes);
	const double of_charges = survey->all[0] / survey->count[0], of_points = survey->all[1] / survey->count[1];
	int64_t size[3], all = 1;
	double *numbers[3], pairs = 0.0, together = 0.0, summed = 0.0;

	for (int k = 0; k < 3; ++k) {
		size[k] = (int64_t)((box.high[k] - box.low[k]) / edge) + 1;
		all *= size[k];
	}
	CHECK(memory_allocate(&numbers[0], 3 * (size_t)all, sizeof(double), "the cells"));
	numbers[1] = numbers[0] + all;
	numbers[2] = numbers[1] + all;
	for (int kind = 0; kind < 2; ++kind) {
		for (uint32_t n = 0; n < survey->count[kind]; ++n) {
			int64_t cell = 0;
			for (int k = 2; k >= 0; --k)
				cell = cell * size[k] +
				       (int64_t)((survey->places[kind][3 * n + (uint32_t)k] - box.low[k]) / edge);
			numbers[kind][cell] += 1.0;
		}
	}
	memcpy(numbers[2], numbers[0], (size_t)all * sizeof(double));
	for (int k = 0; k < 3; ++k)
		mesh_add_neighbors(numbers[0], size, k);
	for (int64_t c = 0; c < all; ++c) {
		double points = numbers[1][c] * of_points, charges = numbers[0][c] * of_charges;
		if (costs != NULL && mesh_parts_cost(costs, points, numbers[2][c] * of_charges, charges) <
					 mesh_near_cost(costs, points, charges))
			continue;
		pairs += charges * points;
		together += points * (points - of_points);
		summed += points;
	}
	/* each point is itself in its cube */
	choice->near_charges = pairs / 27.0 / fmax(summed, 1.0);
	choice->near_points = 1.0 + together / fmax(summed, 1.0);
	free(numbers[0]);
	return SONDE_OK;
}

/* Bytes of a mesh of this many points: itself, with the zeros along x and y, and the kernel's waves during their
 * computation; on a GPU also with those along z. */
static double mesh_bytes(const struct mesh_place *place, const double nodes[3], const double waves[3])
{
	return 8.0 * (nodes[0] * nodes[1] * nodes[2] + waves[0] * nodes[1] * nodes[2] +
		      waves[0] * waves[1] * nodes[2] + (place->gpu ? 1.6 : 0.6) * waves[0] * waves[1] * waves[2]);
}

double mesh_products(const double nodes[3], const double waves[3])
{
	return nodes[0] * nodes[1] * nodes[2] * waves[0] + waves[0] * nodes[1] * nodes[2] * waves[1] +
	       waves[0] * waves[1] * nodes[2] * waves[2];
}

/* Seconds for a mesh of this many points. */
static double mesh_seconds(const struct mesh_place *place, const struct mesh_survey *survey,
			   const struct charges *charges, const struct coulomb_plan *plan,
			   const struct mesh_order *order, const double nodes[3], const double waves[3],
			   const double wanted[3])
{
	double cube = pow(order->width, 3.0), sets = charges->sets,
	       products = mesh_products(nodes, waves) + mesh_products(wanted, waves);
	const double *all = survey->all, factor = plan->field ? 2.0 : 1.0;

	/* in addition the kernel, with half of the waves along each edge */
	double kernel = waves[0] * waves[1] * waves[2] / 8.0 * (waves[0] + waves[1] + waves[2]) / 2.0;
	double samples = 30.0 * waves[0] * waves[1] * waves[2] / 8.0;
	if (place->gpu) {
		double of_charge = GPU_CHARGE + GPU_BRICK * pow(order->width + (double)MESH_BRICK, 3.0),
		       of_point = GPU_CHARGE + 3.0 * GPU_MULTIPLY * cube * factor;
		return 1e-9 * (GPU_START + GPU_MULTIPLY * (sets * products + kernel + samples) +
			       sets * (of_charge * all[0] + of_point * all[1]));
	}
	const struct mesh_costs costs = mesh_find_costs(charges, plan, order);
	return 1e-9 * OF_MULTIPLY * (sets * products + kernel + samples) + costs.spread * all[0] +
	       costs.read * all[1];
}

/* Ratio of the charges of a tile on a GPU to those in a cube of the cut-off: within the cut-off of the bounding
 * box of its points, whose edge is that of a cube with this many points. */
static double tile_charges(double near_points)
{
	double edge = fmin(1.0, cbrt((double)MESH_TILE_OF_GPU / fmax(near_points, 1e-3)));

	return GPU_CELLS * (edge * edge * edge + 6.0 * edge * edge + 9.425 * edge + 4.189);
}

/* Nanoseconds on a GPU. */
static double near_on_gpu(const struct charges *charges, const struct coulomb_plan *plan,
			  const struct mesh_order *order, const struct mesh_choice *choice)
{
	double terms = 0.7 * order->c + 2.0, taken = tile_charges(choice->near_points);
	/* work-items without a point wait for the others */
	taken *= fmax(1.0, 4.0 / fmax(choice->near_points, 1.0));
	double pair = plan->single ? GPU_TEST_SINGLE + (GPU_PAIR_SINGLE + GPU_TERM_SINGLE * terms) / GPU_CELLS
				   : GPU_TEST_DOUBLE + (GPU_PAIR_DOUBLE + GPU_TERM_DOUBLE * terms) / GPU_CELLS;
	pair += plan->form != CHARGE_POINT ? GPU_EXPONENTIAL : 0.0;
	pair *= (plan->field ? 1.7 : 1.0) * (charges->sets > 1 ? 2.0 : 1.0);
	return pair * taken * choice->near_charges;
}

struct mesh_costs mesh_find_costs(const struct charges *charges, const struct coulomb_plan *plan,
				  const struct mesh_order *order)
{
	struct mesh_costs costs = {.point = 1e-9 * OF_CHARGE, .parts = true};
	double terms = 0.7 * order->c + 2.0, cube = pow(order->width, 3.0), sets = charges->sets;
	double pair =
	    plan->single ? OF_PAIR_SINGLE + OF_TERM_SINGLE * terms : OF_PAIR_DOUBLE + OF_TERM_DOUBLE * terms;

	pair += plan->form != CHARGE_POINT ? OF_EXPONENTIAL : 0.0;
	pair *= (plan->field ? 1.7 : 1.0) * (sets > 1.0 ? 2.0 : 1.0);
	costs.sets = sets;
	costs.pair = 1e-9 * CUBE_TO_TILE * pair;
	costs.spread = 1e-9 * sets * (OF_CHARGE + 3.0 * OF_MULTIPLY * cube);
	costs.read = 1e-9 * sets * (OF_CHARGE + 2.0 * OF_MULTIPLY * cube * (plan->field ? 2.0 : 1.0));
	/* cubes of twice the next cut-off, in a block of this many mesh points and its surroundings within reach */
	double cutoff = 2.0 * order->c * OVERSAMPLING / PI, edge = BLOCK_NODES + 2.0 * cutoff;
	const double all[3] = {edge, edge, edge}, wanted[3] = {BLOCK_NODES, BLOCK_NODES, BLOCK_NODES};
	costs.convolve = 1e-9 * OF_MULTIPLY * sets * (mesh_products(all, all) + mesh_products(wanted, all)) *
			 pow(cutoff / BLOCK_NODES, 3.0);
	return costs;
}

double mesh_parts_cost(const struct mesh_costs *costs, double points, double charges, double near_charges)
{
	double least = INFINITY, pairs = points * near_charges * costs->pair, meshes = 0.0, cubes = 1.0;

	/* each level halves the cut-off; surrounding charges within reach are about as many as those inside */
	for (int level = 1; level <= MOST_LEVELS; ++level) {
		meshes += costs->spread * 2.0 * charges + costs->read * points + costs->convolve * cubes;
		cubes *= CUBES_OF_CUBE;
		least = fmin(least, meshes + pairs / cubes + points * costs->point);
	}
	return least;
}

double mesh_block_seconds(const struct mesh_order *order, const struct mesh_costs *costs, const uint32_t cubes[3],
			  double charges)
{
	double nodes[3], waves[3], wanted[3],
	    cutoff = 2.0 * order->c * OVERSAMPLING / PI; /* edge of the cubes, in steps */

	for (int k = 0; k < 3; ++k) {
		nodes[k] = (cubes[k] + 2.0) * cutoff + order->width + 2.0;
		wanted[k] = cubes[k] * cutoff + order->width + 3.0;
		waves[k] = fmin((cubes[k] + 2.0) * cutoff + 2.0, mesh_open_waves(order, (uint32_t)nodes[k]));
	}
	return 1e-9 * (OF_PART +
		       costs->sets * OF_MULTIPLY * (mesh_products(nodes, waves) + mesh_products(wanted, waves))) +
	       costs->spread * charges;
}

/* Cost of a mesh with this cut-off. False: it and all smaller cut-offs are impossible or more work than the
 * current choice. */
static sonde_status try_cutoff(const struct mesh_place *place, const struct mesh_survey *survey,
			       const struct charges *charges, const struct coulomb_plan *plan,
			       const struct mesh_order *order, const struct mesh_estimate *estimate,
			       struct mesh_choice *now, struct mesh_choice *choice, bool *more)
{
	const struct mesh_box box = mesh_box_of_both(survey->boxes);
	double nodes[3], waves[3], wanted[3], cells = 1.0;
	struct mesh_shape shape;

	*more = false;
	mesh_extent(order, survey->boxes, now->step, now->outer, &shape);
	for (int k = 0; k < 3; ++k) {
		nodes[k] = shape.nodes[k];
		waves[k] = shape.waves[k];
		wanted[k] = shape.wanted[k];
		cells *= (box.high[k] - box.low[k]) / now->cutoff + 1.0;
		if (shape.waves[k] > MESH_MOST_NODES)
			return SONDE_OK;
	}
	/* Gaussian charges act as point charges from the cut-off on */
	if (plan->form == CHARGE_GAUSSIAN && erfc(plan->kappa * now->cutoff) > 0.1 * order->error)
		return SONDE_OK;
	now->seconds = mesh_seconds(place, survey, charges, plan, order, nodes, waves, wanted);
	if (mesh_bytes(place, nodes, waves) > place->memory || now->seconds > choice->seconds || cells > MOST_CELLS)
		return SONDE_OK;
	*more = true;
	if (plan->form == CHARGE_SCREENED && plan->kappa * now->cutoff > MOST_SCREENING)
		return SONDE_OK;
	if (place->gpu) {
		CHECK(count_near(survey, now->cutoff, NULL, now));
		now->seconds += 1e-9 * near_on_gpu(charges, plan, order, now) * survey->all[1];
	} else {
		now->seconds += mesh_estimate_at(estimate, now->cutoff);
	}
	now->parts = !place->gpu;
	now->possible = true;
	if (now->seconds < choice->seconds)
		*choice = *now;
	return SONDE_OK;
}

sonde_status mesh_choose(const struct mesh_place *place, const struct mesh_survey *survey,
			 const struct charges *charges, const struct coulomb_plan *plan,
			 const struct mesh_order *order, double outer, struct mesh_choice *choice)
{
	const struct mesh_box box = mesh_box_of_both(survey->boxes);
	const double steps_of_cutoff = order->c * OVERSAMPLING / PI;
	const struct mesh_costs costs = mesh_find_costs(charges, plan, order);
	double longest = 0.0, first, ratio = outer > 0.0 ? LESS_CUTOFF : MORE_NODES;
	struct mesh_estimate estimate;
	bool more = true;

	*choice = (struct mesh_choice){.seconds = INFINITY};
	for (int k = 0; k < 3; ++k)
		longest = fmax(longest, box.high[k] - box.low[k]);
	if (!(longest > 0.0))
		return SONDE_OK;
	if (!place->gpu)
		CHECK(mesh_estimate_make(survey, &costs, &estimate));
	/* parts with equal cut-offs share their waves: cut-offs are that of the parent mesh, halved repeatedly,
	 * but not larger than the part */
	first = longest / LEAST_NODES;
	if (outer > 0.0)
		first = outer / 2.0 / steps_of_cutoff *
			pow(ratio, -fmax(0.0, floor(log(outer / 2.0 / steps_of_cutoff / first) / log(ratio))));
	for (int times = 0; more && longest / first * pow(ratio, times) <= MOST_NODES; ++times) {
		struct mesh_choice now = {.step = first * pow(ratio, -times), .outer = outer};
		now.cutoff = now.step * steps_of_cutoff;
		CHECK(try_cutoff(place, survey, charges, plan, order, &estimate, &now, choice, &more));
	}
	return choice->possible && !place->gpu ? count_near(survey, choice->cutoff, &costs, choice) : SONDE_OK;
}
