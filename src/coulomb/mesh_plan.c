/* The cut-off with which a mesh sum is least work. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
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
#define SURVEYED 32768 /* charges, and points, that stand for all: they tell numbers of pairs within some percent */
#define PARTS 64

/* Nanoseconds of one core with AVX2 at 3 GHz, about. The choice does not depend on the machine, lest results do. */
#define OF_MULTIPLY 0.09
#define OF_PAIR_SINGLE 0.45 /* and of a term of its polynomial */
#define OF_TERM_SINGLE 0.035
#define OF_PAIR_DOUBLE 2.0
#define OF_TERM_DOUBLE 0.09
#define OF_EXPONENTIAL 12.0
#define OF_CHARGE 120.0
#define OF_DIRECT_SINGLE 0.25

/* And of a GPU with 132 multiprocessors of 128 units for float32 and 64 for float64 at 1.8 GHz, two thirds of which are
 * busy: a test of the distance is ten instructions, a pair within reach twenty more and two for each term with the field, of which
 * a reciprocal square root in float64 has sixteen. A charge is sorted and copied on the way, by the host's threads, too. */
#define GPU_MULTIPLY 1e-4
#define GPU_TEST_SINGLE 5e-4
#define GPU_PAIR_SINGLE 8e-4
#define GPU_TERM_SINGLE 5e-5
#define GPU_TEST_DOUBLE 1e-3
#define GPU_PAIR_DOUBLE 4e-3
#define GPU_TERM_DOUBLE 1e-4
#define GPU_EXPONENTIAL 6e-3
#define GPU_CHARGE 15.0
#define GPU_BRICK 3e-4 /* a charge at a mesh point of a brick that it may reach */
#define GPU_START 8e6  /* kernels, buffers, the waves */
#define GPU_CELLS 1.4  /* charges of whole cells, to those within the cut-off of a tile */
#define GPU_MEMORY 0.5 /* what a mesh may take of a GPU's memory */
#define GPU_DIRECT_SINGLE 3e-4
#define GPU_DIRECT_DOUBLE 1.2e-3

double mesh_direct_seconds(const struct mesh_place *place, const struct charges *charges,
			   const struct targets *targets, const struct coulomb_plan *plan)
{
	double pair = plan->single ? OF_DIRECT_SINGLE : OF_PAIR_DOUBLE * 0.7, exponential = OF_EXPONENTIAL;

	if (place->gpu) {
		pair = plan->single ? GPU_DIRECT_SINGLE : GPU_DIRECT_DOUBLE;
		exponential = GPU_EXPONENTIAL;
	}
	pair += plan->form != CHARGE_POINT ? exponential : 0.0;
	pair *= plan->field ? 1.6 : 1.0;
	return 1e-9 * pair * (double)charges->count * (double)targets->count;
}

bool mesh_has_groups(const struct device *device)
{
	const struct device_properties *has = device_properties(device);

	return has->gpu_kernels && has->most_work_items >= MESH_TILE_ITEMS;
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

static void take_into(struct mesh_box *box, const double point[3])
{
	for (int k = 0; k < 3; ++k) {
		box->low[k] = point[k] < box->low[k] ? point[k] : box->low[k];
		box->high[k] = point[k] > box->high[k] ? point[k] : box->high[k];
	}
}

struct boxes {
	const struct charges *charges;
	const struct targets *targets;
	struct mesh_box parts[PARTS];
};

static void find_boxes(void *state, int64_t first, int64_t end, int worker)
{
	struct boxes *boxes = state;
	const struct charges *charges = boxes->charges;

	(void)worker;
	for (int64_t part = first; part < end; ++part) {
		struct mesh_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
		for (int64_t j = charges->count * part / PARTS; j < charges->count * (part + 1) / PARTS; ++j)
			take_into(&box, (const double[]){charges->x[j], charges->y[j], charges->z[j]});
		for (int64_t n = boxes->targets->count * part / PARTS; n < boxes->targets->count * (part + 1) / PARTS;
		     ++n)
			take_into(&box, boxes->targets->points + 3 * n);
		boxes->parts[part] = box;
	}
}

void mesh_find_box(int threads, const struct charges *charges, const struct targets *targets, struct mesh_box *box)
{
	struct boxes boxes = {.charges = charges, .targets = targets};

	threads_for(threads, PARTS, threads_grain(threads, PARTS), find_boxes, &boxes);
	*box = boxes.parts[0];
	for (int part = 1; part < PARTS; ++part) {
		take_into(box, boxes.parts[part].low);
		take_into(box, boxes.parts[part].high);
	}
}

/* Which of `all` is taken as number n of `count`: spread over them by the golden ratio, so that their order does not
 * matter. */
static int64_t surveyed(int64_t n, int64_t count, int64_t all)
{
	double at = ((double)n + 0.5) * 0.6180339887498949;

	return count == all ? n : (int64_t)((at - floor(at)) * (double)all);
}

sonde_status mesh_survey_make(const sonde_context *context, const struct charges *charges,
			      const struct targets *targets, struct mesh_survey *survey)
{
	const int64_t all[2] = {charges->count, targets->count};

	*survey = (struct mesh_survey){.all = {(double)all[0], (double)all[1]}};
	mesh_find_box(context_threads(context), charges, targets, &survey->box);
	for (int kind = 0; kind < 2; ++kind) {
		survey->count[kind] = (uint32_t)(all[kind] < SURVEYED ? all[kind] : SURVEYED);
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
static sonde_status count_near(const struct mesh_survey *survey, double edge, struct mesh_choice *choice)
{
	const struct mesh_box *box = &survey->box;
	int64_t size[3], all = 1;
	double *numbers[2], pairs = 0.0, together = 0.0;

	for (int k = 0; k < 3; ++k) {
		size[k] = (int64_t)((box->high[k] - box->low[k]) / edge) + 1;
		all *= size[k];
	}
	CHECK(memory_allocate(&numbers[0], 2 * (size_t)all, sizeof(double), "the cells"));
	numbers[1] = numbers[0] + all;
	for (int kind = 0; kind < 2; ++kind) {
		for (uint32_t n = 0; n < survey->count[kind]; ++n) {
			int64_t cell = 0;
			for (int k = 2; k >= 0; --k)
				cell = cell * size[k] +
				       (int64_t)((survey->places[kind][3 * n + (uint32_t)k] - box->low[k]) / edge);
			numbers[kind][cell] += 1.0;
		}
	}
	for (int k = 0; k < 3; ++k)
		add_neighbors(numbers[0], size, k);
	for (int64_t c = 0; c < all; ++c) {
		pairs += numbers[0][c] * numbers[1][c];
		together += numbers[1][c] * (numbers[1][c] - 1.0);
	}
	/* of those that were not taken there are as many more; each point is one of those in its own cube */
	const double of_charges = survey->all[0] / survey->count[0], of_points = survey->all[1] / survey->count[1];
	choice->near_charges = pairs / 27.0 / survey->count[1] * of_charges;
	choice->near_points = 1.0 + together / survey->count[1] * of_points;
	free(numbers[0]);
	return SONDE_OK;
}

static void count_waves(const struct mesh_order *order, const double nodes[3], double waves[3])
{
	for (int k = 0; k < 3; ++k)
		waves[k] = 2.0 * nodes[k] + 2.0 * order->width;
}

/* Bytes of a mesh of so many points: itself, with the zeros along x and y, and the kernel's waves while they are made; on a GPU
 * with those along z, too. */
static double mesh_bytes(const struct mesh_place *place, const struct mesh_order *order, const double nodes[3])
{
	double waves[3];

	count_waves(order, nodes, waves);
	return 8.0 * (nodes[0] * nodes[1] * nodes[2] + waves[0] * nodes[1] * nodes[2] +
		      waves[0] * waves[1] * nodes[2] + (place->gpu ? 1.6 : 0.6) * waves[0] * waves[1] * waves[2]);
}

/* Seconds of a mesh of so many points. */
static double mesh_seconds(const struct mesh_place *place, const struct mesh_survey *survey,
			   const struct charges *charges, const struct coulomb_plan *plan,
			   const struct mesh_order *order, const double nodes[3])
{
	double waves[3], cube = pow(order->width, 3.0), sets = charges->sets;
	const double *all = survey->all, factor = plan->field ? 2.0 : 1.0;

	count_waves(order, nodes, waves);
	double products = nodes[0] * nodes[1] * nodes[2] * waves[0] + waves[0] * nodes[1] * nodes[2] * waves[1] +
			  waves[0] * waves[1] * nodes[2] * waves[2];
	/* once more for the kernel, half of the waves along each edge */
	double kernel = waves[0] * waves[1] * waves[2] / 8.0 * (waves[0] + waves[1] + waves[2]) / 2.0;
	double samples = 30.0 * waves[0] * waves[1] * waves[2] / 8.0;
	if (place->gpu) {
		double of_charge = GPU_CHARGE + GPU_BRICK * pow(order->width + (double)MESH_BRICK, 3.0),
		       of_point = GPU_CHARGE + 3.0 * GPU_MULTIPLY * cube * factor;
		return 1e-9 * (GPU_START + GPU_MULTIPLY * (2.0 * sets * products + kernel + samples) +
			       sets * (of_charge * all[0] + of_point * all[1]));
	}
	double of_charge = OF_CHARGE + 3.0 * OF_MULTIPLY * cube,
	       of_point = OF_CHARGE + 2.0 * OF_MULTIPLY * cube * factor;
	return 1e-9 * (OF_MULTIPLY * (2.0 * sets * products + kernel + samples) +
		       sets * (of_charge * all[0] + of_point * all[1]));
}

/* Charges that a tile of a GPU takes, to those in a cube of the cut-off: within the cut-off of a box round its points, whose
 * edge is that of a cube with so many. */
static double tile_charges(double near_points)
{
	double edge = fmin(1.0, cbrt((double)MESH_TILE_OF_GPU / fmax(near_points, 1e-3)));

	return GPU_CELLS * (edge * edge * edge + 6.0 * edge * edge + 9.425 * edge + 4.189);
}

static double near_seconds(const struct mesh_place *place, const struct mesh_survey *survey,
			   const struct charges *charges, const struct coulomb_plan *plan,
			   const struct mesh_order *order, const struct mesh_choice *choice)
{
	double terms = 0.7 * order->c + 2.0, taken = 27.0 * CUBE_TO_TILE, of_point = OF_CHARGE;
	double pair =
	    plan->single ? OF_PAIR_SINGLE + OF_TERM_SINGLE * terms : OF_PAIR_DOUBLE + OF_TERM_DOUBLE * terms;
	double exponential = OF_EXPONENTIAL;

	if (place->gpu) {
		taken = tile_charges(choice->near_points);
		/* work-items without a point wait for those that have one */
		taken *= fmax(1.0, 4.0 / fmax(choice->near_points, 1.0));
		of_point = 0.0;
		exponential = GPU_EXPONENTIAL;
		pair = plan->single ? GPU_TEST_SINGLE + (GPU_PAIR_SINGLE + GPU_TERM_SINGLE * terms) / GPU_CELLS
				    : GPU_TEST_DOUBLE + (GPU_PAIR_DOUBLE + GPU_TERM_DOUBLE * terms) / GPU_CELLS;
	}
	pair += plan->form != CHARGE_POINT ? exponential : 0.0;
	pair *= (plan->field ? 1.7 : 1.0) * (charges->sets > 1 ? 2.0 : 1.0);
	return 1e-9 * (pair * taken * choice->near_charges + of_point) * survey->all[1];
}

sonde_status mesh_choose(const struct mesh_place *place, const struct mesh_survey *survey,
			 const struct charges *charges, const struct coulomb_plan *plan,
			 const struct mesh_order *order, struct mesh_choice *choice)
{
	const struct mesh_box *box = &survey->box;
	double longest = 0.0;

	*choice = (struct mesh_choice){.seconds = INFINITY};
	for (int k = 0; k < 3; ++k)
		longest = fmax(longest, box->high[k] - box->low[k]);
	if (!(longest > 0.0))
		return SONDE_OK;
	for (int times = 0; LEAST_NODES * pow(MORE_NODES, times) <= MOST_NODES; ++times) {
		const double along = LEAST_NODES * pow(MORE_NODES, times);
		struct mesh_choice now = {.step = longest / along};
		double nodes[3], cells = 1.0;
		now.cutoff = now.step * order->c * OVERSAMPLING / PI;
		for (int k = 0; k < 3; ++k) {
			nodes[k] = (box->high[k] - box->low[k]) / now.step + order->width + 1.0;
			cells *= (box->high[k] - box->low[k]) / now.cutoff + 1.0;
		}
		/* Gaussian charges are points from the cut-off on */
		if (plan->form == CHARGE_GAUSSIAN && erfc(plan->kappa * now.cutoff) > 0.1 * order->error)
			break;
		if (plan->form == CHARGE_SCREENED && plan->kappa * now.cutoff > MOST_SCREENING)
			continue;
		now.seconds = mesh_seconds(place, survey, charges, plan, order, nodes);
		if (mesh_bytes(place, order, nodes) > place->memory || now.seconds > choice->seconds ||
		    cells > MOST_CELLS)
			break;
		CHECK(count_near(survey, now.cutoff, &now));
		now.seconds += near_seconds(place, survey, charges, plan, order, &now);
		now.possible = true;
		if (now.seconds < choice->seconds)
			*choice = now;
	}
	return SONDE_OK;
}
