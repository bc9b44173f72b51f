/* The direct sum: every atom at every pixel. Pieces of consecutive sets of pixels are shared by the devices. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "pattern/pattern.h"
#include "pattern/products.h"
#include "pattern/sums_device.h"
#include "run/share.h"

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
	struct pixel_nodes nodes;
	bool single;
	uint64_t *pieces; /* numbers of those to be computed, `count` of them; null: all */
	uint64_t count;
	struct sums_device devices[CONTEXT_MOST_DEVICES];
	struct stage stage;
	double done; /* atoms at pixels */
	int64_t device_count;
};

static sonde_status make_sets(const struct pattern_plan *plan, bool single, const struct pattern_tiles *tiles,
			      struct pixel_sets *sets, struct pixel_nodes *nodes)
{
	if (!plan->products || products_axis(&plan->pixels) < 0) /* vectors may be turned after the plan */
		return pixel_nodes_make(&plan->pixels, single, &tiles->reach,
					(double)plan->sample.count / tiles->count, sets, nodes);
	*nodes = (struct pixel_nodes){.along = {.axis = -1}, .across = {.axis = -1}};
	products_make_sets(&plan->pixels, sets);
	return SONDE_OK;
}

static sonde_status prepare(void *user, struct device *device, void *state)
{
	const struct sums_run *run = user;

	return sums_device_prepare(run->context, device, run->plan, &run->tiles, &run->sets, &run->nodes, run->single,
				   state);
}

static void release(void *state)
{
	sums_device_release(state);
}

static uint64_t piece_number(const struct sums_run *run, uint64_t k)
{
	return run->pieces != NULL ? run->pieces[k] : k;
}

/* The atoms at the pixels of some sets; in proportion, as some pixels may be in two sets. */
static double work_of(const struct sums_run *run, int64_t sets)
{
	return (double)sets / (double)run->sets.count * (double)run->plan->pixels.count *
	       (double)run->plan->sample.count;
}

/* Consecutive pieces together. */
static sonde_status run_pieces(void *user, void *state, uint64_t first, uint64_t count, double *work)
{
	struct sums_run *run = user;
	const struct pattern_pieces *kept = run->plan->pieces;
	const int64_t of_piece = pixel_sets_of_piece(&run->sets), all = run->sets.count;
	int64_t sets = 0;

	for (uint64_t k = first, next; k < first + count; k = next) {
		const uint64_t piece = piece_number(run, k);
		for (next = k + 1; next < first + count && piece_number(run, next) == piece + (next - k);)
			++next;
		const int64_t begin = (int64_t)piece * of_piece, end = begin + (int64_t)(next - k) * of_piece,
			      part = (end < all ? end : all) - begin;
		CHECK(sums_device_run(state, begin, part, run->values));
		sets += part;
	}
	*work = work_of(run, sets);
	return kept != NULL ? kept->after(kept->user, run->pieces + first, count) : SONDE_OK;
}

/* The pieces that are not finished. */
static sonde_status find_pieces(struct sums_run *run)
{
	const struct pattern_pieces *kept = run->plan->pieces;
	const int64_t of_piece = pixel_sets_of_piece(&run->sets);
	const uint64_t all = (uint64_t)((run->sets.count + of_piece - 1) / of_piece);

	run->count = all;
	if (kept == NULL)
		return SONDE_OK;
	CHECK(kept->begin(kept->user, &run->sets, all));
	CHECK(memory_allocate(&run->pieces, all, sizeof *run->pieces, "the sums"));
	run->count = 0;
	for (uint64_t piece = 0; piece < all; ++piece) {
		const int64_t left = run->sets.count - (int64_t)piece * of_piece;
		if (kept->finished[piece] == 0)
			run->pieces[run->count++] = piece;
		else
			run->done += work_of(run, left < of_piece ? left : of_piece);
	}
	return SONDE_OK;
}

static uint64_t at_once(void *user, struct device *device, const void *state)
{
	const struct sums_run *run = user;
	const bool gpu = device_properties(device)->gpu_kernels;
	const double pixels = (gpu ? TERMS_OF_GPU : TERMS_OF_CPU) / (double)run->plan->sample.count,
		     /* several devices take several turns each */
	    share = run->device_count > 1 ? (double)run->plan->pixels.count / (4.0 * (double)run->device_count)
					  : INFINITY,
		     least = fmin(gpu ? LEAST_OF_GPU : PIXELS_OF_PIECE, share);

	const double most =
	    fmin(fmin(fmax(pixels, least), share), (double)sums_device_most(state, device, run->plan));
	const double of_piece = (double)(pixel_sets_of_piece(&run->sets) * run->sets.pixels_of_set);
	return most > 2.0 * of_piece ? (uint64_t)(most / of_piece) : 1;
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
		    (double)run->plan->sample.count * (double)run->plan->pixels.count);
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
	*run =
	    (struct sums_run){.context = context,
			      .plan = plan,
			      .values = values,
			      .single = plan->options.precision == SONDE_PATTERN_PRECISION_FLOAT32 && !plan->products,
			      .device_count = present.all};
	sonde_status status = pattern_tiles_make(context, &plan->sample, &run->tiles);
	if (status == SONDE_OK)
		status = make_sets(plan, run->single, &run->tiles, &run->sets, &run->nodes);
	if (status == SONDE_OK)
		status = find_pieces(run);
	if (status == SONDE_OK && run->count > 0)
		status = share(run);
	pattern_tiles_free(&run->tiles);
	pixel_nodes_free(&run->nodes);
	free(run->pieces);
	free(run);
	return status;
}

sonde_status pattern_sums_of_device(struct device *device, const struct pattern_plan *plan, bool single,
				    const struct pattern_values *values)
{
	struct pattern_tiles tiles;
	struct pixel_sets sets;
	struct pixel_nodes nodes = {.along = {.axis = -1}, .across = {.axis = -1}};
	struct sums_device run = {.device = device};

	sonde_status status = pattern_tiles_make(NULL, &plan->sample, &tiles);
	if (status == SONDE_OK)
		status = make_sets(plan, single, &tiles, &sets, &nodes);
	if (status == SONDE_OK)
		status = sums_device_prepare(NULL, device, plan, &tiles, &sets, &nodes, single, &run);
	if (status == SONDE_OK)
		status = sums_device_run(&run, 0, sets.count, values);
	sums_device_release(&run);
	pixel_nodes_free(&nodes);
	pattern_tiles_free(&tiles);
	return status;
}
