/* The error of a pattern, by some pixels that are computed again (exact_sums.h). */
#include "pattern/check.h"

#include <math.h>
#include <stdlib.h>

#include "base/background.h"
#include "base/memory.h"
#include "parallel/parallel.h"
#include "pattern/exact_sums.h"

/* Atoms times pixels that are computed again, each at the cost of ten terms: so many, or this part of all. */
#define CHECKED_TERMS 5e5
#define CHECKED_PART (1.0 / 4000.0)
#define LEAST_CHECKED 4
#define MOST_TERMS 1e8 /* of few pixels, all of which are computed again: half a second of a core */

int64_t pattern_checked(const struct pattern_plan *plan)
{
	const double atoms = (double)plan->sample.count, pixels = (double)plan->pixels.count;
	const double wanted =
	    pixels <= PATTERN_MOST_CHECKED && pixels * atoms <= MOST_TERMS
		? pixels
		: fmin(PATTERN_MOST_CHECKED, fmax(LEAST_CHECKED, fmax(CHECKED_TERMS / atoms, CHECKED_PART * pixels)));

	return plan->pixels.count < (int64_t)wanted ? plan->pixels.count : (int64_t)wanted;
}

/* Pixels spread over all: multiples of the golden ratio. */
int64_t pattern_checked_pixel(const struct pattern_plan *plan, int64_t k)
{
	const double part = 0.6180339887498949 * (double)(k + 1);

	return pattern_checked(plan) == plan->pixels.count
		   ? k
		   : (int64_t)((part - floor(part)) * (double)plan->pixels.count);
}

/* F at a pixel, and sum |f|^2. */
struct reference {
	double real, imaginary, squares;
};
#define REFERENCE_NUMBERS (sizeof(struct reference) / sizeof(double))

struct pattern_check {
	sonde_context *context;
	const struct pattern_plan *plan;
	int threads;
	bool on_gpus; /* which compute the sums, and leave the processors idle */
	int64_t count;
	int64_t first, step; /* the pixels of this rank */
	struct reference references[PATTERN_MOST_CHECKED];
	struct background_job job;
};

static void find_points(const struct pattern_check *check, struct exact_point *points)
{
	for (int64_t k = check->first; k < check->count; k += check->step, ++points)
		points->q =
		    pattern_pixel(&check->plan->pixels, pattern_checked_pixel(check->plan, k), points->vector);
}

static void keep(struct pattern_check *check, const struct exact_point *points)
{
	for (int64_t k = check->first; k < check->count; k += check->step, ++points)
		check->references[k] = (struct reference){points->real, points->imaginary, points->squares};
}

static sonde_status compute(void *user)
{
	struct pattern_check *check = user;
	struct exact_point points[PATTERN_MOST_CHECKED];

	if (check->first < check->count) {
		find_points(check, points);
		CHECK(pattern_exact_sums(check->context, &check->plan->sample, check->threads, points,
					 (int)((check->count - check->first + check->step - 1) / check->step)));
		keep(check, points);
	}
	return context_cancelled(check->context)
		   ? status_fail(SONDE_CANCELLED, "stopped on request while checking the pattern")
		   : SONDE_OK;
}

/* Relative to sqrt(sum |f|^2). */
static double error_of(const struct pattern_check *check, const struct pattern_values *values, int64_t k)
{
	const struct pattern_plan *plan = check->plan;
	const struct reference *reference = &check->references[k];
	const int64_t n = pattern_checked_pixel(plan, k);
	double vector[3], dr = values->real[n], di = values->imaginary[n];

	(void)pattern_pixel(&plan->pixels, n, vector);
	pattern_place(&plan->sample, vector, &dr, &di);
	dr -= reference->real;
	di -= reference->imaginary;
	return reference->squares > 0.0 ? sqrt((dr * dr + di * di) / reference->squares) : 0.0;
}

static void compare(const struct pattern_check *check, const struct pattern_values *values, double *largest,
		    int64_t *checked)
{
	*largest = 0.0;
	for (int64_t k = 0; k < check->count; ++k)
		*largest = fmax(*largest, error_of(check, values, k));
	*checked = check->count;
}

sonde_status pattern_error(sonde_context *context, const struct pattern_plan *plan,
			   const struct pattern_values *values, double *largest, int64_t *checked)
{
	struct pattern_check check = {.context = context,
				      .plan = plan,
				      .threads = context_threads(context),
				      .count = pattern_checked(plan),
				      .step = 1};

	CHECK(compute(&check));
	compare(&check, values, largest, checked);
	return SONDE_OK;
}

/* Several ranks, and during the sums -------------------------------------------------------------------------- */

sonde_status pattern_check_begin(sonde_context *context, const struct pattern_plan *plan,
				 struct pattern_check **check)
{
	const struct parallel *ranks = context_ranks(context);
	struct device_count devices;

	*check = NULL;
	CHECK(context_count_devices(context, &devices));
	CHECK(parallel_agree(context_ranks(context), memory_allocate(check, 1, sizeof **check, "the check")));
	(*check)->context = context;
	(*check)->plan = plan;
	(*check)->count = pattern_checked(plan);
	(*check)->first = parallel_rank(ranks);
	(*check)->step = parallel_size(ranks);
	(*check)->threads = context_threads(context);
	(*check)->on_gpus = devices.gpus == devices.all;
	return SONDE_OK;
}

void pattern_check_start(struct pattern_check *check)
{
	if (check == NULL || !check->on_gpus || check->job.running)
		return;
	/* the others prepare the pixels of the GPUs */
	check->threads = (check->threads + 1) / 2;
	background_start(&check->job, compute, check);
}

/* What the ranks have computed, on all of them. */
static sonde_status finish(struct pattern_check *check, bool in_background)
{
	struct parallel *ranks = context_ranks(check->context);

	CHECK(parallel_agree(ranks, in_background ? background_wait(&check->job) : compute(check)));
	return parallel_sum_in_order(ranks, (double *)check->references, REFERENCE_NUMBERS * (size_t)check->count);
}

sonde_status pattern_check_end(struct pattern_check **check, sonde_status status, const struct pattern_values *values,
			       double *largest, int64_t *checked)
{
	struct pattern_check *of = *check;

	if (of == NULL)
		return status;
	const bool in_background = of->job.running;
	if (status != SONDE_OK)
		status = background_finish(&of->job, status);
	else
		status = finish(of, in_background);
	if (status == SONDE_OK && context_writes(of->context))
		compare(of, values, largest, checked);
	free(of);
	*check = NULL;
	return status;
}
