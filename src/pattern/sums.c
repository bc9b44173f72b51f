/* The direct sum: every atom at every pixel. Pieces of consecutive sets of pixels are shared by the devices. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "pattern/pattern.h"
#include "pattern/products.h"
#include "pattern/ranks.h"
#include "pattern/sums_device.h"
#include "run/share.h"
#include "parallel/parallel.h"

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

/* The points that a piece owns, for other ranks. */
struct piece_points {
	const struct sums_run *run;
	int64_t count;
	int64_t *points;
};

static int64_t point_of(const void *of, int64_t n)
{
	return ((const struct piece_points *)of)->points[n];
}

static sonde_status find_points(const struct sums_run *run, uint64_t piece, struct piece_points *points)
{
	const int64_t of_piece = pixel_sets_of_piece(&run->sets), first = (int64_t)piece * of_piece,
		      end = first + of_piece < run->sets.count ? first + of_piece : run->sets.count;
	int64_t pixels[MOST_SET_PIXELS];
	bool owned[MOST_SET_PIXELS];

	*points = (struct piece_points){.run = run};
	CHECK(memory_allocate(&points->points, (size_t)(of_piece * run->sets.pixels_of_set), sizeof(int64_t),
			      "the pixels of other ranks"));
	for (int64_t set = first; set < end; ++set) {
		pixel_sets_get(&run->sets, set, pixels, owned);
		for (int v = 0; v < run->sets.pixels_of_set; ++v)
			if (owned[v])
				points->points[points->count++] = pixels[v];
	}
	return SONDE_OK;
}

/* After a stop a piece may not be complete. */
static sonde_status pack(void *user, uint64_t k, struct text *packed)
{
	const struct sums_run *run = user;
	const struct pattern_pieces *kept = run->plan->pieces;
	const uint64_t piece = piece_number(run, k);
	struct piece_points points;

	if (kept != NULL && kept->finished[piece] == 0)
		return SONDE_OK;
	CHECK(find_points(run, piece, &points));
	pattern_pack(context_threads(run->context), run->values, false, points.count, point_of, &points, packed);
	free(points.points);
	return SONDE_OK;
}

static sonde_status unpack(void *user, uint64_t k, const char *bytes, size_t size)
{
	const struct sums_run *run = user;
	const struct pattern_pieces *kept = run->plan->pieces;
	const uint64_t piece = piece_number(run, k);
	struct piece_points points;

	CHECK(find_points(run, piece, &points));
	sonde_status status = pattern_unpack(context_threads(run->context), run->values, false, points.count,
					     point_of, &points, bytes, size);
	free(points.points);
	if (status == SONDE_OK && kept != NULL)
		status = kept->after(kept->user, &piece, 1);
	return status;
}

static uint64_t count_pieces(const struct sums_run *run)
{
	const int64_t of_piece = pixel_sets_of_piece(&run->sets);

	return (uint64_t)((run->sets.count + of_piece - 1) / of_piece);
}

/* Those that are not finished. */
static void list_pieces(struct sums_run *run, uint64_t all)
{
	const struct pattern_pieces *kept = run->plan->pieces;
	const int64_t of_piece = pixel_sets_of_piece(&run->sets);

	run->count = 0;
	run->done = 0.0;
	for (uint64_t piece = 0; piece < all; ++piece) {
		const int64_t left = run->sets.count - (int64_t)piece * of_piece;
		if (kept->finished[piece] == 0)
			run->pieces[run->count++] = piece;
		else
			run->done += work_of(run, left < of_piece ? left : of_piece);
	}
}

/* The pieces that are not finished. */
static sonde_status find_pieces(struct sums_run *run)
{
	const struct pattern_pieces *kept = run->plan->pieces;
	const uint64_t all = count_pieces(run);

	run->count = all;
	if (kept == NULL)
		return SONDE_OK;
	CHECK(kept->begin(kept->user, &run->sets, all));
	CHECK(memory_allocate(&run->pieces, all, sizeof *run->pieces, "the sums"));
	list_pieces(run, all);
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

/* Ranks pause for checkpoints, after which they share what is left. */
static sonde_status share_rounds(struct sums_run *run, struct shared_work *work)
{
	const struct pattern_pieces *kept = run->plan->pieces;

	work->pieces = run->count;
	CHECK(share_work(run->context, work, &run->stage, &run->done));
	while (kept != NULL && pattern_has_ranks(run->context)) {
		CHECK(pattern_ranks_finished(run->context, kept->finished, kept->count));
		list_pieces(run, kept->count);
		work->pieces = run->count;
		if (run->count == 0)
			break;
		CHECK(share_work(run->context, work, &run->stage, &run->done));
	}
	return SONDE_OK;
}

static sonde_status share(struct sums_run *run)
{
	struct shared_work work = {.user = run,
				   .states = run->devices,
				   .state_size = sizeof *run->devices,
				   .prepare = prepare,
				   .release = release,
				   .run = run_pieces,
				   .pack = pack,
				   .unpack = unpack,
				   .most_seconds = run->plan->pieces != NULL ? PATTERN_ROUND : 0.0,
				   .at_once = at_once,
				   .equal_ends = true};

	stage_begin(&run->stage, run->context, "pattern", "atoms at points",
		    (double)run->plan->sample.count * (double)run->plan->pixels.count);
	const sonde_status status = share_rounds(run, &work);
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
	status = parallel_agree(context_ranks(context), status); /* all have read a checkpoint */
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
