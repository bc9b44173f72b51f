/* The direct sum: every atom at every pixel. Pieces of consecutive pixels are shared by the devices. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "pattern/pattern.h"
#include "pattern/sums_device.h"
#include "run/share.h"

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
	uint64_t count, *pieces; /* those that are to be computed; null: all */
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

static uint64_t piece_number(const struct sums_run *run, uint64_t k)
{
	return run->pieces != NULL ? run->pieces[k] : k;
}

/* Consecutive pieces together. */
static sonde_status run_pieces(void *user, void *state, uint64_t first, uint64_t count, double *work)
{
	struct sums_run *run = user;
	const struct pattern_pieces *kept = run->plan->pieces;
	const int64_t all = run->plan->pixels.count;
	int64_t pixels = 0;

	for (uint64_t k = first, next; k < first + count; k = next) {
		const uint64_t piece = piece_number(run, k);
		for (next = k + 1; next < first + count && piece_number(run, next) == piece + (next - k);)
			++next;
		const int64_t begin = (int64_t)piece * PATTERN_PIECE,
			      end = begin + (int64_t)(next - k) * PATTERN_PIECE,
			      part = (end < all ? end : all) - begin;
		CHECK(sums_device_run(state, begin, part, run->values));
		pixels += part;
	}
	*work = (double)pixels * (double)run->plan->sample.view.count;
	return kept != NULL ? kept->after(kept->user, run->pieces + first, count) : SONDE_OK;
}

/* The pieces that are not finished. */
static sonde_status find_pieces(struct sums_run *run)
{
	const struct pattern_pieces *kept = run->plan->pieces;
	const int64_t all = run->plan->pixels.count;

	run->count = ((uint64_t)all + PATTERN_PIECE - 1) / PATTERN_PIECE;
	if (kept == NULL)
		return SONDE_OK;
	CHECK(memory_allocate(&run->pieces, run->count, sizeof *run->pieces, "the sums"));
	run->count = 0;
	for (uint64_t piece = 0; piece < kept->count; ++piece) {
		const int64_t left = all - (int64_t)piece * PATTERN_PIECE;
		if (kept->finished[piece] == 0)
			run->pieces[run->count++] = piece;
		else
			run->done += (double)(left < PATTERN_PIECE ? left : PATTERN_PIECE) *
				     (double)run->plan->sample.view.count;
	}
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
		     least = fmin(gpu ? LEAST_OF_GPU : PATTERN_PIECE, share);

	const double most =
	    fmin(fmin(fmax(pixels, least), share), (double)sums_device_most(state, device, run->plan));
	return most > 2.0 * PATTERN_PIECE ? (uint64_t)(most / PATTERN_PIECE) : 1;
}

static sonde_status share(struct sums_run *run)
{
	const struct shared_work work = {.pieces = run->count,
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
	sonde_status status = find_pieces(run);
	if (status == SONDE_OK && run->count > 0)
		status = pattern_tiles_make(context, &plan->sample, &run->tiles);
	if (status == SONDE_OK && run->count > 0)
		status = share(run);
	pattern_tiles_free(&run->tiles);
	free(run->pieces);
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
