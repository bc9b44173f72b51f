/* Time and memory of a run. */
#include <math.h>

#include "pattern/fast/fast.h"
#include "pattern/pattern.h"
#include "run/speed.h"

/* An atom at a pixel, by `sonde pattern --device cpu --threads 1` and SONDE_ISA=sse2, avx2, avx512; on GPUs, operations of the
 * kernel at its peak rate. [float32] */
static const struct speed_cost term[2] = {{{11.3, 3.7, 1.8}, SPEED_F64, 50.0}, {{4.1, 1.45, 0.7}, SPEED_F32, 24.0}};
/* of the fast method, relative to those with AVX2 */
static const double fast_cycles[DEVICE_MOST_INSTRUCTION_SETS] = {1.3, 1.0, 0.95};
#define CHECKED_CYCLES 160.0 /* of the reference */
#define SORTED_CYCLES 400.0  /* per atom */
#define PIXEL_CYCLES 250.0   /* vector, phase of the sample, and copies, */
#define CLASS_CYCLES 100.0   /* amplitude of a class at a pixel of a list */
#define BYTES_OF_ATOM 50.0
#define BYTES_OF_PIXEL 24.0

sonde_status pattern_expect(sonde_context *context, const struct pattern_plan *plan)
{
	const bool single = plan->options.precision == SONDE_PATTERN_PRECISION_FLOAT32;

	if (plan->fast.chosen) /* as was reported when it was chosen */
		return SONDE_OK;
	return context_expect(context, plan->repeats * (double)plan->sample.view.count * (double)plan->pixels.count *
					   term[single].cycles[1] / 3e9 / context_threads(context));
}

static double host_bytes(const struct pattern_plan *plan)
{
	const double counts = plan->options.fluence > 0.0 ? sizeof(int64_t) : 0.0,
		     mask = plan->pixels.masked != NULL ? 1.0 : 0.0;

	return BYTES_OF_ATOM * (double)plan->sample.view.count +
	       (BYTES_OF_PIXEL + counts + mask) * (double)plan->pixels.count;
}

sonde_status pattern_check_memory(const sonde_context *context, const struct pattern_plan *plan)
{
	const double needed = host_bytes(plan), allowed = (double)context_host_memory(context);

	return needed <= allowed ? SONDE_OK
				 : status_fail(SONDE_RESOURCE,
					       "%lld atoms and %lld points need about %.3g MB of main memory, but "
					       "%.3g MB are allowed or free",
					       (long long)plan->sample.view.count, (long long)plan->pixels.count,
					       1e-6 * needed, 1e-6 * allowed);
}

sonde_status pattern_estimate(sonde_context *context, const struct pattern_plan *plan,
			      struct engine_estimate *estimate)
{
	const double atoms = (double)plan->sample.view.count, pixels = (double)plan->pixels.count,
		     classes = plan->sample.class_count;
	const bool single = plan->options.precision == SONDE_PATTERN_PRECISION_FLOAT32;
	struct speed speed;

	CHECK(pattern_expect(context, plan));
	CHECK(speed_find(context, &speed));
	const double sums =
	    plan->fast.chosen && plan->fast.on_gpu ? speed.start + plan->repeats * fast_seconds(context, plan)
	    : plan->fast.chosen
		? speed_host_seconds(&speed, plan->repeats * plan->fast.cycles * fast_cycles[speed.instructions],
				     speed.threads)
		: speed.start + speed_seconds(&speed, &term[single], plan->repeats * atoms * pixels);
	estimate->seconds =
	    sums + speed_host_seconds(&speed, CHECKED_CYCLES * atoms * (double)pattern_checked(plan), speed.threads) +
	    speed_host_seconds(&speed, SORTED_CYCLES * atoms, 1) +
	    speed_host_seconds(
		&speed,
		(PIXEL_CYCLES + (plan->pixels.geometry != SONDE_PATTERN_POLAR ? CLASS_CYCLES * classes : 0.0)) *
		    pixels * plan->repeats,
		speed.threads);
	estimate->host_memory = host_bytes(plan);
	if (plan->fast.chosen) {
		struct device *gpu = NULL;
		struct fast_memory memory;
		int index;
		if (plan->fast.on_gpu)
			CHECK(fast_find_gpu(context, &index, &gpu));
		fast_find_memory(context, plan, gpu, &memory);
		estimate->host_memory = memory.host + (gpu == NULL ? plan->fast.bytes : 0.0);
		if (gpu != NULL)
			estimate->device_memory = memory.device + plan->fast.bytes;
	} else if (speed.gpu_workers > 0.0)
		estimate->device_memory =
		    (single ? 12.0 : 24.0) * atoms + (16.0 * classes + 40.0) * fmin(pixels, 1 << 20);
	return SONDE_OK;
}
