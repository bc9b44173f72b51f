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
#define TERMS_OF_GPU 4e12
#define LEAST_OF_GPU 524288 /* pixels, which keep a large one busy without sharing their atoms among its groups */

struct sums_run {
	sonde_context *context;
	const struct pattern_plan *plan;
	const struct pattern_values *values;
	struct pattern_tiles tiles;
	struct pixel_sets sets;
	bool single;
	struct sums_device devices[CONTEXT_MOST_DEVICES];
	struct stage stage;
	double done; /* atoms at pixels */
	int64_t device_count;
};

static sonde_status prepare(void *user, struct device *device, void *state)
{
	const struct sums_run *run = user;

	return sums_device_prepare(run->context, device, run->plan, &run->tiles, &run->sets, run->single, state);
}

static void release(void *state)
{
	sums_device_release(state);
}

static int64_t sets_of_piece(const struct sums_run *run)
{
	return PIECE_PIXELS / run->sets.pixels_of_set;
}

static sonde_status run_pieces(void *user, void *state, uint64_t piece, uint64_t count, double *work)
{
	struct sums_run *run = user;
	const int64_t sets = sets_of_piece(run), first = (int64_t)piece * sets, all = run->sets.count,
		      end = first + (int64_t)count * sets, last = end < all ? end : all;

	CHECK(sums_device_run(state, first, last - first, run->values));
	/* in proportion, as some pixels may be in two sets */
	*work = (double)(last - first) / (double)all * (double)run->plan->pixels.count *
		(double)run->plan->sample.view.count;
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

	(void)state;
	const double most = fmin(fmin(fmax(pixels, least), share), (double)sums_device_most(device, run->plan));
	return most > 2.0 * PIECE_PIXELS ? (uint64_t)(most / PIECE_PIXELS) : 1;
}

static sonde_status share(struct sums_run *run)
{
	const int64_t sets = sets_of_piece(run);
	const struct shared_work work = {.pieces = (uint64_t)((run->sets.count + sets - 1) / sets),
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
	*run = (struct sums_run){.context = context,
				 .plan = plan,
				 .values = values,
				 .single = plan->options.precision == SONDE_PATTERN_PRECISION_FLOAT32,
				 .device_count = present.all};
	sonde_status status = pattern_tiles_make(context, &plan->sample, &run->tiles);
	if (status == SONDE_OK) {
		pixel_sets_make(&plan->pixels, run->single, run->tiles.reach, &run->sets);
		status = share(run);
	}
	pattern_tiles_free(&run->tiles);
	free(run);
	return status;
}

sonde_status pattern_sums_of_device(struct device *device, const struct pattern_plan *plan, bool single,
				    const struct pattern_values *values)
{
	struct pattern_tiles tiles;
	struct pixel_sets sets;
	struct sums_device run = {.device = device};

	sonde_status status = pattern_tiles_make(NULL, &plan->sample, &tiles);
	pixel_sets_make(&plan->pixels, single, tiles.reach, &sets);
	if (status == SONDE_OK)
		status = sums_device_prepare(NULL, device, plan, &tiles, &sets, single, &run);
	if (status == SONDE_OK)
		status = sums_device_run(&run, 0, sets.count, values);
	sums_device_release(&run);
	pattern_tiles_free(&tiles);
	return status;
}
