/* G(r), the sine transform of F(q): sums over q at each r, by the processor's kernel where it is loaded anyway. */
#include <math.h>
#include <stdlib.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/threads.h"
#include "debye/debye.h"
#include "debye/kernels/distribution_layout.h"
#include "debye/kernels/distribution_sum.h"
#include "device/kernel.h"
#include "device/kernel_math.h"

/* The exponential function of kernel_math.h, like sine(). */
static double exponential(double x)
{
	return LANES_FIRST(lanes_exp(LANES_SPLAT(x), 0));
}

/* The sine of kernel_math.h, since that of the C library depends on the processor. */
static double sine(double x)
{
	lanes_f64 s, c;

	lanes_sincos(LANES_SPLAT(x), &s, &c, 0);
	return LANES_FIRST(s);
}

/* W(q) of the transform to G(r). */
static double window_at(const sonde_debye_options *options, double q)
{
	double x = PI * q / options->q.last;

	return options->window == SONDE_DEBYE_WINDOW_LORCH && x != 0.0 ? sine(x) / x : 1.0;
}

/* The factors of sin(q_k r), 2/pi F(q_k) W(q_k) dq, halved at both ends. The arrays have DISTRIBUTION_PADDING spare elements, which
 * are 0. */
static void fill_weights(const sonde_debye_result *result, const double *reduced, double *q, double *weights)
{
	int64_t last = result->q_count - 1;
	const bool uniform = points_are_uniform(result->options);
	double step = (result->q[last] - result->q[0]) / (double)last;

	for (int64_t k = 0; k <= last; ++k) {
		q[k] = result->q[k];
		if (!uniform && k > 0 && k < last)
			step = 0.5 * (result->q[k + 1] - result->q[k - 1]);
		else if (!uniform)
			step = k == 0 ? result->q[1] - result->q[0] : result->q[last] - result->q[last - 1];
		weights[k] = 2.0 / PI * step * (k == 0 || k == last ? 0.5 : 1.0) * reduced[k] *
			     window_at(result->options, q[k]);
	}
}

/* `sines`: of all q at this r, or null. */
static double sum_at(const double *q, const double *weights, int64_t q_count, const double *sines, double r)
{
	double sums[2] = {0.0, 0.0};
	lanes_f64 s, c;

	for (int64_t k = 0; k < q_count; k += LANES) {
		if (sines != NULL)
			s = LANES_LOAD(sines + k);
		else
			lanes_sincos(LANES_LOAD(q + k) * r, &s, &c, 0);
		distribution_add(sums, LANES_LOAD(weights + k), s);
	}
	return sums[0] + sums[1];
}

static double damping_at(const sonde_debye_result *result, double r)
{
	const double damping = r * result->options->qdamp;

	return exponential(-0.5 * damping * damping);
}

struct distribution {
	sonde_debye_result *result;
	double *q, *weights; /* with DISTRIBUTION_PADDING zeros */
	const double *sines;
	int64_t first;
	struct device *processor; /* with the kernel; null: none */
	struct device_kernel kernel;
	struct device_buffer q_there, weights_there, r_there, sums_there;
};

/* Values at a point of r in a table of sines. */
static size_t sines_of_point(int64_t q_count)
{
	return ((size_t)q_count + LANES - 1) / LANES * LANES;
}

struct sine_table {
	const double *q;
	double *sines;
	sonde_grid r;
	int64_t q_count;
};

static void fill_sines(void *state, int64_t first, int64_t end, int worker)
{
	const struct sine_table *table = state;
	const size_t stride = sines_of_point(table->q_count);

	(void)worker;
	for (int64_t k = first; k < end; ++k)
		for (int64_t n = 0; n < table->q_count; ++n)
			table->sines[(size_t)k * stride + (size_t)n] = sine(table->q[n] * grid_value(&table->r, k));
}

sonde_status debye_sines(const sonde_context *context, const double *q, int64_t q_count, const sonde_grid *r,
			 double **sines)
{
	struct sine_table table = {.q = q, .r = *r, .q_count = q_count};

	CHECK(memory_allocate(sines, (size_t)r->points * sines_of_point(q_count), sizeof **sines, "G(r)"));
	table.sines = *sines;
	threads_for(context_threads(context), r->points, 8, fill_sines, &table);
	return SONDE_OK;
}

static void fill_points(void *state, int64_t first, int64_t end, int worker)
{
	const struct distribution *distribution = state;
	sonde_debye_result *result = distribution->result;

	(void)worker;
	for (int64_t k = distribution->first + first; k < distribution->first + end; ++k) {
		const double *sines = distribution->sines != NULL
					  ? distribution->sines + (size_t)k * sines_of_point(result->q_count)
					  : NULL;
		result->pair_distribution[k] =
		    sum_at(distribution->q, distribution->weights, result->q_count, sines, result->r[k]);
	}
}

/* By the kernel ------------------------------------------------------------------------------------------------- */

/* The processor, if its kernels have been loaded and tested for the sums over pairs, or over lists of distances. */
static sonde_status find_processor(sonde_context *context, struct distribution *distribution)
{
	const int method = distribution->result->options->method;
	struct device *device;

	if (distribution->sines != NULL)
		return SONDE_OK;
	CHECK(context_device(context, &device));
	if (device_properties(device)->gpu_kernels) {
		if (method != SONDE_DEBYE_METHOD_HISTOGRAM && method != SONDE_DEBYE_METHOD_LATTICE)
			return SONDE_OK;
		CHECK(context_host_device(context, &device));
	}
	distribution->processor = device;
	return device_kernel(device, &debye_program, "distribution_points", 1, 0, NULL, 0, &distribution->kernel);
}

static sonde_status upload(struct distribution *distribution)
{
	struct device *processor = distribution->processor;
	const sonde_debye_result *result = distribution->result;
	const size_t q = ((size_t)result->q_count + DISTRIBUTION_PADDING) * sizeof(double),
		     r = (size_t)result->r_count * sizeof(double);

	if (processor == NULL)
		return SONDE_OK;
	CHECK(device_upload(processor, distribution->q, q, "G(r)", &distribution->q_there));
	CHECK(device_upload(processor, distribution->weights, q, "G(r)", &distribution->weights_there));
	CHECK(device_upload(processor, result->r, r, "G(r)", &distribution->r_there));
	return device_allocate(processor, r, "G(r)", &distribution->sums_there);
}

static void release(struct distribution *distribution)
{
	struct device_buffer *const all[] = {&distribution->q_there, &distribution->weights_there,
					     &distribution->r_there, &distribution->sums_there};

	for (size_t k = 0; distribution->processor != NULL && k < sizeof all / sizeof *all; ++k)
		device_release(distribution->processor, all[k]);
	free(distribution->q);
	free(distribution->weights);
}

static sonde_status launch(const struct distribution *distribution, int64_t end)
{
	const uint32_t q_count = (uint32_t)distribution->result->q_count, first = (uint32_t)distribution->first,
		       last = (uint32_t)end, groups = (last - first + DISTRIBUTION_POINTS - 1) / DISTRIBUTION_POINTS;
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(distribution->q_there.memory),
						    DEVICE_ARGUMENT(distribution->weights_there.memory),
						    DEVICE_ARGUMENT(q_count),
						    DEVICE_ARGUMENT(distribution->r_there.memory),
						    DEVICE_ARGUMENT(first),
						    DEVICE_ARGUMENT(last),
						    DEVICE_ARGUMENT(distribution->sums_there.memory)};

	CHECK(device_launch(distribution->processor, &distribution->kernel, groups, arguments, 7));
	return device_read(distribution->processor, &distribution->sums_there, 0,
			   distribution->result->pair_distribution + first, (last - first) * sizeof(double));
}

/* The transform ------------------------------------------------------------------------------------------------- */

static sonde_status prepare(sonde_context *context, const double *reduced, struct distribution *distribution)
{
	sonde_debye_result *result = distribution->result;
	const size_t room = (size_t)result->q_count + DISTRIBUTION_PADDING;

	CHECK(memory_allocate(&distribution->q, room, sizeof(double), "G(r)"));
	CHECK(memory_allocate(&distribution->weights, room, sizeof(double), "G(r)"));
	fill_weights(result, reduced, distribution->q, distribution->weights);
	for (int64_t k = 0; k < result->r_count; ++k)
		result->r[k] = grid_value(&result->options->r, k);
	CHECK(find_processor(context, distribution));
	return upload(distribution);
}

/* Points up to end - 1, before the damping. */
static sonde_status sum_points(sonde_context *context, struct distribution *distribution, int64_t end)
{
	const int threads = context_threads(context);
	const int64_t count = end - distribution->first;

	if (distribution->processor != NULL)
		return launch(distribution, end);
	threads_for(threads, count, threads_grain(threads, count), fill_points, distribution);
	return SONDE_OK;
}

sonde_status debye_distribution(sonde_context *context, const double *reduced, const double *sines,
				sonde_debye_result *result)
{
	/* some 10^7 sines between checks of the clock and for Ctrl-C */
	const int64_t block = 1 + (int64_t)(1e7 * context_threads(context) / (double)result->q_count);
	struct distribution distribution = {.result = result, .sines = sines};
	struct stage stage;

	if (result->r_count == 0)
		return SONDE_OK;
	sonde_status status =
	    prepare(context, reduced != NULL ? reduced : result->reduced_structure_factor, &distribution);
	stage_begin(&stage, context, "G(r)", "points", (double)result->r_count);
	for (int64_t end; distribution.first < result->r_count && status == SONDE_OK; distribution.first = end) {
		end = distribution.first + block < result->r_count ? distribution.first + block : result->r_count;
		status = sum_points(context, &distribution, end);
		if (status == SONDE_OK)
			status = stage_advance(&stage, (double)end);
	}
	for (int64_t k = 0; k < result->r_count && status == SONDE_OK; ++k)
		result->pair_distribution[k] *= damping_at(result, result->r[k]);
	release(&distribution);
	return status;
}
