#include "device/measure.h"

#include <math.h>

#include "base/clock.h"
#include "base/memory.h"
#include "device/device.h"
#include "device/link.h"
#include "device/matrix_layout.h"

#define KERNELS_DEF "device/kernels.def"
#include "device/kernel_table.h"

static const struct device_program measure_program = {"measure", kernels, NULL};

#define WORK_ITEMS 256u
#define MATRIX_FLOPS 2048.0         /* of a product of 16 x 8 and 8 x 8 */
#define MATRIX_GROUPS_PER_WORKER 32 /* groups of one warp */
#define CHAINS 8.0                  /* per lane: kernels/measure_f64.k */
#define GROUPS_PER_WORKER 8         /* as many as a multiprocessor holds at once */
#define CHUNK_OF_CPU 16384u         /* numbers of 16 bytes that a work-group copies; on GPUs one per work-item */
#define MANY_BYTES (1u << 30)       /* many times any cache */
#define FEW_BYTES (64u << 20)
#define SHORT_COPY 1e-3  /* seconds */
#define LONG_ENOUGH 0.01 /* seconds of a launch */
#define TRIALS 3

/* Launches increasing amounts of work until a launch takes long enough; *rate is the best of several such launches,
 * in units of work per second. `amount` is a constant of the kernel; if null, the work is repeated. */
static sonde_status best_rate(struct device *device, const struct device_kernel *kernel, uint32_t groups,
			      const struct device_argument *arguments, size_t count, double work, uint32_t *amount,
			      double *rate)
{
	uint32_t repeats = 1;

	*rate = 0.0;
	for (int trial = 0; trial < TRIALS;) {
		uint32_t launches = amount != NULL ? 1 : repeats;
		CHECK(device_wait(device));
		double began = clock_seconds();
		for (uint32_t k = 0; k < launches; ++k)
			CHECK(device_launch(device, kernel, groups, arguments, count));
		CHECK(device_wait(device));
		double seconds = clock_seconds() - began;
		if (device_is_stopped(device))
			return status_fail(SONDE_CANCELLED, "stopped on request while measuring %s",
					   device_name(device));
		if (seconds < LONG_ENOUGH && repeats < (1u << 20)) {
			const uint32_t factor = (uint32_t)fmin(16.0, fmax(2.0, ceil(1.1 * LONG_ENOUGH / seconds)));
			repeats *= factor;
			if (amount != NULL)
				*amount *= factor;
			continue;
		}
		double now = work * repeats / seconds;
		*rate = now > *rate ? now : *rate;
		++trial;
	}
	return SONDE_OK;
}

static sonde_status measure_flops(struct device *device, const char *name, double numbers_per_lane, double *flops)
{
	const struct device_properties *has = device_properties(device);
	uint32_t items = has->most_work_items < WORK_ITEMS ? has->most_work_items : WORK_ITEMS;
	uint32_t groups = device_launch_groups(device, GROUPS_PER_WORKER), steps = 256;
	struct device_kernel kernel;
	struct device_buffer sums = {0};

	CHECK(device_kernel(device, &measure_program, name, items, 0, NULL, 0, &kernel));
	CHECK(device_allocate(device, (size_t)groups * items * sizeof(double), "the measurement", &sums));
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(steps), DEVICE_ARGUMENT(sums.memory)};
	double work = 2.0 * CHAINS * (double)has->lanes * numbers_per_lane * items * groups * steps;
	sonde_status status = best_rate(device, &kernel, groups, arguments, 2, work, &steps, flops);
	device_release(device, &sums);
	return status;
}

static sonde_status measure_matrix(struct device *device, double *flops)
{
	uint32_t groups = device_launch_groups(device, MATRIX_GROUPS_PER_WORKER), steps = 256;
	struct device_kernel kernel;
	struct device_buffer sums = {0};

	CHECK(device_kernel(device, &measure_program, "measure_matrix", MATRIX_ITEMS, 8u * MATRIX_SCRATCH, NULL, 0,
			    &kernel));
	CHECK(device_allocate(device, (size_t)groups * MATRIX_ITEMS * sizeof(double), "the measurement", &sums));
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(steps), DEVICE_ARGUMENT(sums.memory)};
	double work = MATRIX_FLOPS * CHAINS * groups * steps;
	sonde_status status = best_rate(device, &kernel, groups, arguments, 2, work, &steps, flops);
	device_release(device, &sums);
	return status;
}

/* With two buffers of that size. */
static sonde_status measure_copies(struct device *device, uint64_t bytes, double *bandwidth)
{
	const struct device_properties *has = device_properties(device);
	const uint32_t items = has->most_work_items < WORK_ITEMS ? has->most_work_items : WORK_ITEMS,
		       chunk = has->most_work_items > 1 ? items : CHUNK_OF_CPU;
	struct device_kernel kernel;
	struct device_buffer from = {0}, to = {0};
	sonde_status status;

	bytes = bytes / (16 * (uint64_t)chunk) * (16 * (uint64_t)chunk);
	CHECK(device_kernel(device, &measure_program, "measure_copy", items, 0, NULL, 0, &kernel));
	CHECK_GOTO(status, device_allocate(device, bytes, "the measurement", &from), done);
	CHECK_GOTO(status, device_allocate(device, bytes, "the measurement", &to), done);
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(from.memory), DEVICE_ARGUMENT(to.memory),
						    DEVICE_ARGUMENT(chunk)};
	status = best_rate(device, &kernel, (uint32_t)(bytes / (16 * (uint64_t)chunk)), arguments, 3,
			   2.0 * (double)bytes, NULL, bandwidth);
done:
	device_release(device, &from);
	device_release(device, &to);
	return status;
}

/* The buffers of fast memory are larger, since it also has larger caches; a driver may take long to provide them. */
static sonde_status measure_bandwidth(struct device *device, double *bandwidth)
{
	const uint64_t most = device_properties(device)->memory / 4, few = most < FEW_BYTES ? most : FEW_BYTES,
		       many = most < MANY_BYTES ? most : MANY_BYTES;

	CHECK(measure_copies(device, few, bandwidth));
	const bool is_fast = 2.0 * (double)few < SHORT_COPY * *bandwidth;
	return is_fast && device_properties(device)->most_work_items > 1 ? measure_copies(device, many, bandwidth)
									 : SONDE_OK;
}

static sonde_status measure_link(struct device *device, sonde_device_speed *speed)
{
	sonde_device_description description;
	struct device_link link;

	device_identify(device, &description);
	if (description.is_cpu)
		return SONDE_OK;
	CHECK(device_measure_link(device, true, &link));
	speed->to_device = link.to_device;
	speed->to_host = link.to_host;
	speed->both_ways = link.both;
	return SONDE_OK;
}

sonde_status device_measure(const char *name, const struct device_settings *settings, sonde_device_speed *speed)
{
	struct device *device;

	CHECK(device_open(name, settings, &device));
	sonde_status status = measure_flops(device, "measure_f64", 1.0, &speed->f64);
	if (status == SONDE_OK)
		status = measure_flops(device, "measure_f32", device_properties(device)->gpu_kernels ? 1.0 : 2.0,
				       &speed->f32);
	if (status == SONDE_OK && device_properties(device)->matrix_f64)
		status = measure_matrix(device, &speed->matrix_f64);
	if (status == SONDE_OK)
		status = measure_bandwidth(device, &speed->bandwidth);
	if (status == SONDE_OK)
		status = measure_link(device, speed);
	device_close(&device);
	return status;
}
