/* The direct sum: every atom at every pixel. Pieces of consecutive sets of pixels are shared by the devices. */
#include <math.h>
#include <stdlib.h>

#include "base/background.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/room.h"
#include "base/threads.h"
#include "pattern/check.h"
#include "pattern/pattern.h"
#include "pattern/products.h"
#include "pattern/ranks.h"
#include "pattern/resident/resident.h"
#include "pattern/sums_device.h"
#include "run/share.h"
#include "parallel/parallel.h"

/* Work of a device at a time, after which progress is reported: atoms at pixels, about a second. */
#define TERMS_OF_CPU 2e9
#define TERMS_OF_GPU 4e12
#define LEAST_OF_GPU 524288 /* pixels, which keep a large one busy without sharing their atoms among its groups */

/* The points that a piece owns, for other ranks: of its sets from `first` on, in blocks, whose numbers of points give their places. */
#define SETS_OF_BLOCK 128
struct piece_points {
	const struct pixel_sets *sets;
	int64_t first, set_count, count;
	int64_t *points;
	int64_t *places; /* of each block; the numbers of points at first */
	bool counts;
	size_t points_capacity, places_capacity;
};

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
	double done;                   /* atoms at pixels */
	int device_count;              /* of all ranks */
	bool alike;                    /* all of them are GPUs of the same size */
	struct piece_points exchanged; /* those of the piece that is packed or unpacked */
	struct kernel_test {
		struct device *device; /* null: none */
		double before;         /* seconds of its kernels */
		struct background_job job;
	} tests[CONTEXT_MOST_DEVICES];
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

/* A device that is dropped takes the atoms of a resident sample with it. */
static void forget_atoms(void *user, struct device *device)
{
	struct sums_run *run = user;

	if (run->tiles.order.device == device)
		device_order_release(&run->tiles.order);
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

static int64_t point_of(const void *of, int64_t n)
{
	return ((const struct piece_points *)of)->points[n];
}

static void find_block(const struct piece_points *points, int64_t block)
{
	const int64_t begin = block * SETS_OF_BLOCK, left = points->set_count - begin,
		      end = begin + (left < SETS_OF_BLOCK ? left : SETS_OF_BLOCK);
	int64_t pixels[MOST_SET_PIXELS], number = 0;
	bool owned[MOST_SET_PIXELS];

	for (int64_t set = begin; set < end; ++set) {
		pixel_sets_get(points->sets, points->first + set, pixels, owned);
		for (int v = 0; v < points->sets->pixels_of_set; ++v) {
			if (owned[v] && !points->counts)
				points->points[points->places[block] + number] = pixels[v];
			number += owned[v];
		}
	}
	if (points->counts)
		points->places[block] = number;
}

static void find_blocks(void *state, int64_t first, int64_t end, int worker)
{
	(void)worker;
	for (int64_t block = first; block < end; ++block)
		find_block(state, block);
}

static sonde_status find_points(struct sums_run *run, uint64_t piece)
{
	struct piece_points *points = &run->exchanged;
	const int64_t of_piece = pixel_sets_of_piece(&run->sets), first = (int64_t)piece * of_piece,
		      left = run->sets.count - first, sets = left < of_piece ? left : of_piece,
		      blocks = (sets + SETS_OF_BLOCK - 1) / SETS_OF_BLOCK;
	const int threads = context_threads(run->context);

	CHECK(room_make(&points->points, &points->points_capacity, (size_t)(sets * run->sets.pixels_of_set),
			sizeof(int64_t), "the pixels of other ranks"));
	CHECK(room_make(&points->places, &points->places_capacity, (size_t)blocks, sizeof(int64_t),
			"the pixels of other ranks"));
	points->sets = &run->sets;
	points->first = first;
	points->set_count = sets;
	points->count = 0;
	points->counts = true;
	threads_for(threads, blocks, 1, find_blocks, points);
	for (int64_t block = 0; block < blocks; ++block) {
		const int64_t number = points->places[block];
		points->places[block] = points->count;
		points->count += number;
	}
	points->counts = false;
	threads_for(threads, blocks, 1, find_blocks, points);
	return SONDE_OK;
}

/* What rank 0 needs. */
static enum pattern_packed packed_of(const struct sums_run *run)
{
	const struct pattern_sample *sample = &run->plan->sample;

	return pattern_is_diffuse(sample) || sample->joint_count > 0 ? PACKED_ALL : PACKED_SQUARES;
}

/* After a stop a piece may not be complete. */
static sonde_status pack(void *user, uint64_t k, struct text *packed)
{
	struct sums_run *run = user;
	const struct pattern_pieces *kept = run->plan->pieces;
	const uint64_t piece = piece_number(run, k);

	if (kept != NULL && kept->finished[piece] == 0)
		return SONDE_OK;
	CHECK(find_points(run, piece));
	pattern_pack(context_threads(run->context), run->values, packed_of(run), run->exchanged.count, point_of,
		     &run->exchanged, packed);
	return SONDE_OK;
}

static sonde_status unpack(void *user, uint64_t k, const char *bytes, size_t size)
{
	struct sums_run *run = user;
	const struct pattern_pieces *kept = run->plan->pieces;
	const uint64_t piece = piece_number(run, k);

	CHECK(find_points(run, piece));
	CHECK(pattern_unpack(context_threads(run->context), run->values, packed_of(run), run->exchanged.count,
			     point_of, &run->exchanged, bytes, size));
	return kept != NULL ? kept->after(kept->user, &piece, 1) : SONDE_OK;
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

/* A part of a large GPU's work has to keep it busy: several turns of equal ones would take longer than the time for which one of them
 * waits at the end, which part_of() of run/part.h makes short. */
static uint64_t at_once(void *user, struct device *device, const void *state)
{
	const struct sums_run *run = user;
	const bool gpu = device_properties(device)->gpu_kernels;
	const double pixels = (gpu ? TERMS_OF_GPU : TERMS_OF_CPU) / (double)run->plan->sample.count,
		     /* several devices of different rates take several turns each */
	    share = run->device_count > 1 && !run->alike
			? (double)run->plan->pixels.count / (4.0 * (double)run->device_count)
			: INFINITY,
		     least = fmin(gpu ? LEAST_OF_GPU : PIXELS_OF_PIECE, share);

	const double most =
	    fmin(fmin(fmax(pixels, least), share), (double)sums_device_most(state, device, run->plan));
	const double of_piece = (double)(pixel_sets_of_piece(&run->sets) * run->sets.pixels_of_set);
	return most > 2.0 * of_piece ? (uint64_t)(most / of_piece) : 1;
}

/* A piece is complete when run_pieces() returns. */
static uint64_t pieces_in_progress(void *user, const void *state)
{
	(void)user;
	(void)state;
	return 0;
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
				   .forget = forget_atoms,
				   .most_seconds = run->plan->pieces != NULL ? PATTERN_ROUND : 0.0,
				   .at_once = at_once,
				   .equal_ends = true,
				   .in_progress = run->device_count > 1 ? pieces_in_progress : NULL};

	stage_begin(&run->stage, run->context, "pattern", "atoms at points",
		    (double)run->plan->sample.count * (double)run->plan->pixels.count);
	const sonde_status status = share_rounds(run, &work);
	share_release(&work);
	return status;
}

/* GPUs load and test their kernels while the atoms are sorted. */
static sonde_status test_device(void *device)
{
	return sums_device_test(device);
}

static void start_gpus(struct sums_run *run, struct device **devices, int count)
{
	for (int k = 0; k < count; ++k) {
		if (devices[k] == NULL || !device_properties(devices[k])->gpu_kernels)
			continue;
		run->tests[k].device = devices[k];
		run->tests[k].before = device_kernel_seconds(devices[k]);
		background_start(&run->tests[k].job, test_device, devices[k]);
	}
}

/* The devices of all ranks. */
static sonde_status know_devices(struct sums_run *run, struct device **devices, int count)
{
	double sizes[2] = {-INFINITY, -INFINITY}; /* the largest, and the smallest one, with the other sign */
	struct device_count present;

	CHECK(context_count_devices(run->context, &present));
	for (int k = 0; k < count; ++k) {
		if (devices[k] == NULL)
			continue;
		sizes[0] = fmax(sizes[0], device_workers(devices[k]));
		sizes[1] = fmax(sizes[1], -(double)device_workers(devices[k]));
	}
	CHECK(parallel_largest(context_ranks(run->context), sizes, 2));
	run->device_count = present.all;
	run->alike = present.gpus == present.all && sizes[0] == -sizes[1];
	return SONDE_OK;
}

/* One that failed is tested again before its first piece, where that is reported. */
static void wait_for_gpus(struct sums_run *run)
{
	const double began = clock_seconds();

	for (int k = 0; k < CONTEXT_MOST_DEVICES; ++k) {
		struct kernel_test *test = &run->tests[k];
		if (test->device == NULL)
			continue;
		background_drop(&test->job);
		device_count_waited(test->device, test->before, clock_seconds() - began);
	}
}

/* The atoms, and the pixels in an order that depends on them. */
static sonde_status prepare_all(struct sums_run *run)
{
	CHECK(pattern_tiles_make(run->context, &run->plan->sample, &run->tiles));
	CHECK(make_sets(run->plan, run->single, &run->tiles, &run->sets, &run->nodes));
	return find_pieces(run);
}

sonde_status pattern_sums(sonde_context *context, const struct pattern_plan *plan, struct pattern_check *check,
			  const struct pattern_values *values)
{
	struct device **devices;
	struct sums_run *run;
	int count;

	CHECK(context_devices(context, &devices, &count));
	CHECK(memory_allocate(&run, 1, sizeof *run, "the sums"));
	*run = (struct sums_run){.context = context,
				 .plan = plan,
				 .values = values,
				 .single =
				     plan->options.precision == SONDE_PATTERN_PRECISION_FLOAT32 && !plan->products};
	sonde_status status = know_devices(run, devices, count);
	/* a device is used by one thread at a time */
	if (!pattern_is_resident(&plan->sample))
		start_gpus(run, devices, count);
	if (status == SONDE_OK)
		status = prepare_all(run);
	wait_for_gpus(run);
	status = parallel_agree(context_ranks(context), status); /* all have read a checkpoint */
	if (status == SONDE_OK)
		pattern_check_start(check);
	if (status == SONDE_OK && run->count > 0)
		status = share(run);
	pattern_tiles_free(&run->tiles);
	pixel_nodes_free(&run->nodes);
	free(run->pieces);
	free(run->exchanged.points);
	free(run->exchanged.places);
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
