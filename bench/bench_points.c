/* Potential and field at scattered points: the time of each stage of the mesh sum, and that of the whole call
 * compared with the direct sum. */
#include "bench_points.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "coulomb/check/errors.h"
#include "coulomb/method/choose.h"
#include "coulomb/method/sums.h"
#include "coulomb/plan.h"
#include "coulomb/values.h"
#include "run/context.h"
#include "coulomb/mesh/mesh.h"

#define TOLERANCE 1e-6
#define RUNS 5
#define MOST_DIRECT 2.0 /* seconds, by the estimate of the choice; longer ones are not done for comparison */
/* Instructions of a pair within the cut-off with the field: ten for the distance, twenty for the sums, and two for each
 * term of the smooth part, about; multiply-adds of a charge or point at a mesh point */
#define OF_PAIR 30.0
#define OF_TERM 2.0
#define TERMS(c) (0.7 * (c) + 2.0)

static void must(sonde_status status)
{
	if (status == SONDE_OK)
		return;
	fprintf(stderr, "bench_coulomb: %s\n", sonde_status_message());
	exit(1);
}

static double uniform(void)
{
	static uint64_t state = 88172645463325252U;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (double)(state >> 11) / 9007199254740992.0;
}

struct points_work {
	struct charges charges;
	struct targets targets;
	struct values values;
	struct checked_points *checked;
	sonde_coulomb_options options;
};

/* Arrangements of charges and points. */
enum shape { CUBE, TWO_CLUSTERS, TEN_CLUSTERS, POWER, LINE, SPHERE, SHAPES };
static const char *const shapes[SHAPES] = {
    "a cube", "two clusters 100 diameters apart", "ten clusters", "density 1/r^2", "a thin line", "a sphere"};

/* Number n of `count`: in a cube of that edge, or of another shape, which has its own size. */
static void place(enum shape shape, size_t n, double edge, double at[3])
{
	double along = uniform(), normal[3], length;

	do { /* in the ball of radius 1, and from there onto the sphere */
		length = 0.0;
		for (int k = 0; k < 3; ++k) {
			normal[k] = 2.0 * uniform() - 1.0;
			length += normal[k] * normal[k];
		}
	} while (length > 1.0 || length < 1e-6);
	for (size_t k = 0; k < 3; ++k) {
		const double ball = normal[k], sphere = normal[k] / sqrt(length);
		if (shape == CUBE)
			at[k] = edge * uniform();
		else if (shape == TWO_CLUSTERS)
			at[k] = 10.0 * ball + (n % 2 == 0 ? 0.0 : 1150.0);
		else if (shape == TEN_CLUSTERS)
			at[k] =
			    pow(70.0, (double)(n % 10) / 9.0) * ball + (double)((n % 10 * (3 + 2 * k)) % 10) * 100.0;
		else if (shape == POWER)
			at[k] = 100.0 * along * sphere;
		else if (shape == LINE)
			at[k] = 100.0 * (1.0 + (double)k) * along + 0.3 * ball;
		else
			at[k] = 30.0 * sphere;
	}
}

static void make_work(enum shape shape, int count, double tolerance, bool field, struct points_work *work)
{
	size_t n = (size_t)count;
	double edge = cbrt(0.5 * count), *numbers;

	*work = (struct points_work){0};
	must(memory_allocate(&numbers, 4 * n, sizeof(double), "charges"));
	must(memory_allocate(&work->targets.points, 3 * n, sizeof(double), "points"));
	must(memory_allocate(&work->values.potential, n, sizeof(double), "values"));
	if (field)
		must(memory_allocate(&work->values.field, 3 * n, sizeof(double), "values"));
	must(memory_allocate(&work->checked, 1, sizeof *work->checked, "points"));
	work->charges = (struct charges){.count = (uint32_t)count,
					 .x = numbers,
					 .y = numbers + n,
					 .z = numbers + 2 * n,
					 .q = numbers + 3 * n,
					 .sets = 1};
	for (size_t k = 0; k < n; ++k) {
		double at[3];
		place(shape, k, edge, at);
		for (size_t c = 0; c < 3; ++c)
			numbers[c * n + k] = at[c];
		place(shape, k, edge, work->targets.points + 3 * k);
	}
	for (size_t k = 0; k < n; ++k) {
		work->charges.q[k] = 2.0 * uniform() - 1.0;
		work->charges.total += work->charges.q[k];
		work->charges.absolute += fabs(work->charges.q[k]);
	}
	work->targets.count = work->targets.size[0] = count;
	work->targets.size[1] = work->targets.size[2] = 1;
	work->values.factor = 1.0;
	work->values.sets = 1;
	work->values.stride = count;
	sonde_coulomb_options_init(&work->options);
	work->options.units = SONDE_COULOMB_UNITS_E_A;
	work->options.quantity = field ? SONDE_COULOMB_QUANTITY_BOTH : SONDE_COULOMB_QUANTITY_POTENTIAL;
	work->options.tolerance = tolerance;
}

static void free_work(struct points_work *work)
{
	free(work->charges.x);
	free(work->targets.points);
	free(work->values.potential);
	free(work->values.field);
	free(work->checked);
}

/* A whole call except reading and writing: plan, sum, error estimate. Returns the seconds of all and of each. */
static double call(sonde_context *context, struct points_work *work, int method, double seconds[3],
		   struct coulomb_errors *errors)
{
	struct coulomb_plan plan;
	uint64_t coincident = 0;
	double began = clock_seconds(), planned, summed;

	work->options.method = method;
	must(coulomb_plan_make(context, &work->options, &work->charges, &work->targets, NULL, &plan));
	plan.most_of_slab = INFINITY;
	planned = clock_seconds();
	must(sums_all(context, &work->charges, &work->targets, &plan, &work->values, &coincident));
	summed = clock_seconds();
	checked_choose(&work->charges, &work->targets, &plan, work->checked);
	checked_take(&work->values, work->targets.count, work->checked);
	must(checked_compare(context, &work->charges, 1, &work->targets, &plan, work->checked, errors));
	coulomb_plan_free(&plan);
	seconds[0] = planned - began;
	seconds[1] = summed - planned;
	seconds[2] = clock_seconds() - summed;
	return clock_seconds() - began;
}

/* The stages, each waited for. */
static void print_stages(sonde_context *context, struct points_work *work, double f32, double f64)
{
	struct mesh_times best = {.parts = 0.0};
	struct coulomb_plan plan;
	struct device *device;
	uint64_t coincident = 0;

	work->options.method = SONDE_COULOMB_METHOD_FAST;
	must(coulomb_plan_make(context, &work->options, &work->charges, &work->targets, NULL, &plan));
	must(context_device(context, &device));
	for (int run = 0; run < RUNS; ++run) {
		struct mesh_times times = {.parts = 0.0};
		must(mesh_sum_on(context, device, &work->charges, &work->targets, &plan, &work->values, &coincident,
				 &times));
		for (int stage = 0; stage < MESH_STAGES; ++stage)
			best.seconds[stage] =
			    run == 0 ? times.seconds[stage] : fmin(best.seconds[stage], times.seconds[stage]);
	}
	const struct mesh_order *order = &mesh_orders[plan.order];
	const double count = (double)work->targets.count,
		     edge = cbrt(0.5 * count) / plan.mesh->step + order->width + 1.0;
	double pairs = 4.189 * plan.mesh->near_charges * count / best.seconds[MESH_NEAR];
	double waves = 2.0 * edge + 2.0 * order->width;
	double products =
	    2.0 * edge * waves * (edge * edge + edge * waves + waves * waves) / best.seconds[MESH_CONVOLVE];
	printf("          mesh of %.0f points along an edge, cut-off %.2f Angstrom, float%d:", edge,
	       plan.mesh->cutoff, plan.single ? 32 : 64);
	for (int stage = 0; stage < MESH_STAGES; ++stage)
		printf(" %s %.4f", mesh_stage_names[stage], best.seconds[stage]);
	printf(" s\n          near pairs %.3g /s", pairs);
	if (f32 > 0.0)
		printf(" (%.0f %% of the ceiling)",
		       100.0 * pairs * (OF_PAIR + OF_TERM * TERMS(order->c)) / (0.5 * (plan.single ? f32 : f64)));
	printf(", multiply-adds of the convolution %.3g /s", products);
	if (f64 > 0.0)
		printf(" (%.0f %% of the ceiling)", 100.0 * products / (0.5 * f64));
	printf("\n");
	coulomb_plan_free(&plan);
}

static double direct_seconds(sonde_context *context, const struct points_work *work)
{
	const struct coulomb_plan plan = {.single = true, .field = true};
	struct mesh_place place;

	must(mesh_find_place(context, &place));
	return mesh_direct_seconds(&place, &work->charges, &work->targets, &plan);
}

void bench_points(sonde_context *context, const char *device, int count, double f32, double f64)
{
	struct coulomb_errors errors = {0};
	struct points_work work;
	double best = INFINITY, seconds[3], parts[3] = {0.0, 0.0, 0.0};

	make_work(CUBE, count, TOLERANCE, true, &work);
	for (int run = 0; run < RUNS; ++run) {
		double now = call(context, &work, SONDE_COULOMB_METHOD_FAST, seconds, &errors);
		for (int k = 0; k < 3 && now < best; ++k)
			parts[k] = seconds[k];
		best = fmin(best, now);
	}
	printf("%-9s points, both, %.0e             %7d x %7d  call %.4f s: plan %.4f, sum %.4f, check %.4f  error "
	       "%.1e, "
	       "of the field %.1e\n",
	       device, TOLERANCE, count, count, best, parts[0], parts[1], parts[2], errors.potential, errors.field);
	print_stages(context, &work, f32, f64);
	if (direct_seconds(context, &work) <= MOST_DIRECT) {
		(void)call(context, &work, SONDE_COULOMB_METHOD_DIRECT, seconds, &errors);
		printf("          the direct sum %.4f s, %.1f times\n", seconds[1], seconds[1] / parts[1]);
	}
	fflush(stdout);
	free_work(&work);
}

/* The potential for various arrangements of charges and points, at a low and a high accuracy. */
void bench_uneven_points(sonde_context *context, const char *device, int count)
{
	static const double tolerances[] = {3e-5, 4e-8};

	for (enum shape shape = CUBE; shape < SHAPES; ++shape)
		for (int t = 0; t < 2; ++t) {
			struct coulomb_errors errors = {0};
			double best = INFINITY, now, seconds[3];
			struct points_work work;
			make_work(shape, count, tolerances[t], false, &work);
			for (int run = 0; run < RUNS; ++run) {
				(void)call(context, &work, SONDE_COULOMB_METHOD_AUTO, seconds, &errors);
				now = seconds[0] + seconds[1];
				best = fmin(best, now);
			}
			printf("%-9s points, phi, %.0e              %7d x %7d  %s: %.4f s without the check, error "
			       "%.1e\n",
			       device, tolerances[t], count, count, shapes[shape], best, errors.potential);
			fflush(stdout);
			free_work(&work);
		}
}
