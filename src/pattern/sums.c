/* The direct sum: every atom at every pixel. Pieces of consecutive pixels are shared by the devices. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "pattern/pattern.h"
#include "pattern/sums_device.h"
#include "run/share.h"

#define PIECE_PIXELS 1024 /* sums of pixels do not depend on how they are cut */
/* Work of a device at a time, after which progress is reported: atoms at pixels, about a second. */
#define TERMS_OF_CPU 2e9
#define TERMS_OF_GPU 1e12
#define LEAST_OF_GPU 65536 /* pixels, which keep it busy */

struct sums_run {
	sonde_context *context;
	const struct pattern_plan *plan;
	const struct pattern_values *values;
	struct pattern_tiles tiles;
	struct sums_device devices[CONTEXT_MOST_DEVICES];
	struct stage stage;
	double done; /* atoms at pixels */
	int64_t device_count;
};

static sonde_status prepare(void *user, struct device *device, void *state)
{
	const struct sums_run *run = user;

	return sums_device_prepare(run->context, device, run->plan, &run->tiles,
				   run->plan->options.precision == SONDE_PATTERN_PRECISION_FLOAT32, state);
}

static void release(void *state)
{
	sums_device_release(state);
}

static sonde_status run_pieces(void *user, void *state, uint64_t piece, uint64_t count, double *work)
{
	struct sums_run *run = user;
	const int64_t first = (int64_t)piece * PIECE_PIXELS, all = run->plan->pixels.count,
		      end = first + (int64_t)count * PIECE_PIXELS;
	const int64_t pixels = (end < all ? end : all) - first;

	CHECK(sums_device_run(state, first, pixels, run->values));
	*work = (double)pixels * (double)run->plan->sample.view.count;
	return SONDE_OK;
}

static uint64_t at_once(void *user, struct device *device, const void *state)
{
	const struct sums_run *run = user;
	const bool gpu = device_properties(device)->gpu_kernels;
	const double pixels = (gpu ? TERMS_OF_GPU : TERMS_OF_CPU) / (double)run->plan->sample.view.count,
		     /* several devices take several turns each */
	    share = run->device_count > 1 ? (double)run->plan->pixels.count / (4.0 * (double)run->device_count)
					  : INFINITY,
		     least = fmin(gpu ? LEAST_OF_GPU : PIECE_PIXELS, share);

	const double most =
	    fmin(fmin(fmax(pixels, least), share), (double)sums_device_most(state, device, run->plan));
	return most > 2.0 * PIECE_PIXELS ? (uint64_t)(most / PIECE_PIXELS) : 1;
}

static sonde_status share(struct sums_run *run)
{
	const struct shared_work work = {.pieces =
					     ((uint64_t)run->plan->pixels.count + PIECE_PIXELS - 1) / PIECE_PIXELS,
					 .user = run,
					 .states = run->devices,
					 .state_size = sizeof *run->devices,
					 .prepare = prepare,
					 .release = release,
					 .run = run_pieces,
					 .at_once = at_once};

	stage_begin(&run->stage, run->context, "pattern", "atoms at points",
		    (double)run->plan->sample.view.count * (double)run->plan->pixels.count);
	const sonde_status status = share_work(run->context, &work, &run->stage, &run->done);
	share_release(&work);
	return status;
}

sonde_status pattern_sums(sonde_context *context, const struct pattern_plan *plan,
			  const struct pattern_values *values)
{
	struct device_count present;
	struct sums_run *run;

	CHECK(context_count_devices(context, &present));
	CHECK(memory_allocate(&run, 1, sizeof *run, "the sums"));
	*run = (struct sums_run){.context = context, .plan = plan, .values = values, .device_count = present.all};
	sonde_status status = pattern_tiles_make(context, &plan->sample, &run->tiles);
	if (status == SONDE_OK)
		status = share(run);
	pattern_tiles_free(&run->tiles);
	free(run);
	return status;
}

sonde_status pattern_sums_of_device(struct device *device, const struct pattern_plan *plan, bool single,
				    const struct pattern_values *values)
{
	struct pattern_tiles tiles;
	struct sums_device run = {.device = device};

	sonde_status status = pattern_tiles_make(NULL, &plan->sample, &tiles);
	if (status == SONDE_OK)
		status = sums_device_prepare(NULL, device, plan, &tiles, single, &run);
	if (status == SONDE_OK)
		status = sums_device_run(&run, 0, plan->pixels.count, values);
	sums_device_release(&run);
	pattern_tiles_free(&tiles);
	return status;
}
