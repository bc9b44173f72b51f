/* An engine of one equation: y(x) = sum over n of cos(n x)/n^2, whose limit is pi^2/6 - pi x/2 + x^2/4 for 0 <= x <=
 * 2 pi. It has the required parts of an engine, and nothing else; scripts/check_new_engine.sh adds it to a copy of
 * the source. */
#include <math.h>
#include <stdio.h>

#include "run/pieces.h"
#include "sonde/toy_options.h"

#define PI 3.14159265358979323846
#define POINTS_AT_ONCE 64
#define WORK_ITEMS 128
#define TERMS_A_SECOND 5e8 /* of a thread */

/* Options ------------------------------------------------------------------------------------------------ */

#define OPTION_STRUCT sonde_toy_options
#include "base/option_table.h"
static const struct option_row rows[] = {
#include "toy/options.def"
};
static const struct option_table options = {"toy", rows, sizeof rows / sizeof *rows, sizeof(sonde_toy_options), true};

/* The kernel --------------------------------------------------------------------------------------------- */

#define KERNELS_DEF "toy/kernels.def"
#include "device/kernel_table.h"

static sonde_status self_test(struct device *device);
static const struct device_program program = {"toy", kernels, self_test};

struct on_device {
	struct device *device;
	struct device_kernel kernel;
	struct device_buffer cosines, sums;
};

/* Kernels for SIMD registers have work-groups of one. */
static uint32_t work_items(const struct device *device)
{
	const struct device_properties *has = device_properties(device);

	return has->gpu_kernels && has->most_work_items > 1 ? WORK_ITEMS : 1;
}

static void release(void *of)
{
	struct on_device *state = of;

	device_release(state->device, &state->cosines);
	device_release(state->device, &state->sums);
	*state = (struct on_device){.device = NULL};
}

static sonde_status prepare(const void *plan, struct device *device, void *of)
{
	struct on_device *state = of;
	const size_t bytes = POINTS_AT_ONCE * sizeof(double);

	(void)plan;
	state->device = device;
	CHECK(device_kernel(device, &program, "cosine_sum", work_items(device), 0, NULL, 0, &state->kernel));
	CHECK(device_allocate(device, bytes, "the points", &state->cosines));
	return device_allocate(device, bytes, "the sums", &state->sums);
}

static sonde_status sum(struct on_device *state, const double *x, uint32_t points, uint32_t terms, double *sums)
{
	const uint32_t items = work_items(state->device);
	double cosines[POINTS_AT_ONCE];

	for (uint32_t k = 0; k < points; ++k)
		cosines[k] = cos(x[k]);
	CHECK(device_write(state->device, &state->cosines, 0, cosines, points * sizeof(double)));
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(state->cosines.memory), DEVICE_ARGUMENT(points),
						    DEVICE_ARGUMENT(terms), DEVICE_ARGUMENT(state->sums.memory)};
	CHECK(device_launch(state->device, &state->kernel, (points + items - 1) / items, arguments, 4));
	return device_read(state->device, &state->sums, 0, sums, points * sizeof(double));
}

static sonde_status self_test(struct device *device)
{
	struct on_device state = {.device = NULL};
	const double x = 1.0;
	double found = 0.0;

	sonde_status status = prepare(NULL, device, &state);
	if (status == SONDE_OK)
		status = sum(&state, &x, 1, 3, &found);
	release(&state);
	CHECK(status);
	const double expected = cos(x) + cos(2.0 * x) / 4.0 + cos(3.0 * x) / 9.0;
	return fabs(found - expected) < 1e-14
		   ? SONDE_OK
		   : status_fail(SONDE_RESOURCE, "self-test: a sum is %.17g instead of %.17g", found, expected);
}

/* Pieces: a point each ----------------------------------------------------------------------------------- */

struct plan {
	sonde_grid x;
	uint32_t terms;
};

static double point(const struct plan *plan, uint64_t k)
{
	return plan->x.points > 1
		   ? plan->x.first + (plan->x.last - plan->x.first) * (double)k / (double)(plan->x.points - 1)
		   : plan->x.first;
}

static sonde_status make_plan(sonde_context *context, const struct engine_request *request, void *of,
			      struct pieces_work *work, struct engine_estimate *estimate, struct report *report)
{
	const sonde_toy_options *given = request->options;
	struct plan *plan = of;

	plan->x = given->x;
	plan->terms = (uint32_t)given->terms;
	*work = (struct pieces_work){.count = (uint64_t)given->x.points,
				     .values = 1,
				     .unit = "terms",
				     .amount_of_piece = (double)given->terms,
				     .definition = "y(x) = sum from n = 1 of cos(n x)/n^2"};
	estimate->seconds = work->amount_of_piece * (double)work->count / TERMS_A_SECOND / context_threads(context);
	report_line(report, "points", "%lld", (long long)given->x.points);
	report_integer(report, "points", given->x.points);
	return context_expect(context, estimate->seconds);
}

static sonde_status run(const void *of, void *state, uint64_t first, uint64_t count, double *values)
{
	const struct plan *plan = of;
	double x[POINTS_AT_ONCE];

	for (uint64_t k = 0; k < count; ++k)
		x[k] = point(plan, first + k);
	return sum(state, x, (uint32_t)count, plan->terms, values);
}

static uint64_t at_once(const void *plan, const struct device *device)
{
	(void)plan;
	(void)device;
	return POINTS_AT_ONCE;
}

static sonde_status tables(const void *of, const double *values, struct pieces_result *result)
{
	const struct plan *plan = of;
	struct pieces_table *table;
	double *x, *y;

	CHECK(pieces_add_table(result, "series", "sums of the series", plan->x.points, &table));
	CHECK(pieces_add_column(table, "x", "", &x));
	CHECK(pieces_add_column(table, "y", "", &y));
	result->error = 0.0;
	snprintf(result->error_origin, sizeof result->error_origin, "distance from the limit");
	for (int64_t k = 0; k < plan->x.points; ++k) {
		x[k] = point(plan, (uint64_t)k);
		y[k] = values[k];
		const double limit = PI * PI / 6.0 - 0.5 * PI * x[k] + 0.25 * x[k] * x[k];
		result->error = fmax(result->error, fabs(y[k] - limit) / (PI * PI / 6.0));
	}
	return SONDE_OK;
}

static const struct pieces_of_engine pieces = {.plan_size = sizeof(struct plan),
					       .state_size = sizeof(struct on_device),
					       .plan = make_plan,
					       .prepare = prepare,
					       .release = release,
					       .run = run,
					       .at_once = at_once,
					       .tables = tables};

const struct engine toy_engine = {.name = "toy",
				  .summary = "sums of cos(n x)/n^2",
				  .usage = "sonde toy [options] [-o FILE]",
				  .description = "Computes y(x) = sum from n = 1 to --terms of cos(n x)/n^2.",
				  .examples = "sonde toy --x 1:2:3\nsonde toy --terms 1000000 -o toy.h5",
				  .options = &options,
				  .abilities = ENGINE_DEVICES | ENGINE_PICTURE,
				  .inputs = ENGINE_JOB_FILES,
				  .outputs = ENGINE_RESULT_FILES,
				  .stream = "txt",
				  .pieces = &pieces};
