#include "debye/sums/windows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "debye/kernels/windows_layout.h"
#include "debye/points/resampling.h"
#include "debye/sums/exact_device.h"
#include "parallel/parallel.h"
#include "run/share.h"
#include "run/unfinished.h"

#define PIECES_AT_ONCE 1024            /* on a GPU */
#define PIECES_PER_SHARE 16            /* each of several devices takes 1/16 of the work at a time */
#define GRAIN 16                       /* points of q */
#define MIRRORED RESAMPLING_HALF_WIDTH /* nodes at q < 0 */

struct window_run {
	sonde_context *context;
	struct exact_order *order; /* null: none */
	struct windows windows;
	struct window_tiles tiles;
	struct window_list list;
	struct exact_device devices[CONTEXT_MOST_DEVICES];
	struct exact_points nodes;
	uint32_t node_count;
	bool alone; /* a single device does all the work and reports its progress to `stage` */
	struct stage *stage;
	double done;
	struct pair_sums *sums;
	uint64_t first_piece, end_piece; /* of the list: those of a round */
	double *values; /* of each piece of a round: F at the nodes from -MIRRORED on, real and imaginary parts */
	size_t value_capacity;
	uint64_t *coincident;        /* of each pair of species */
	struct ordered_sum *carried; /* sums at the points for the last pair of species of the lists before */
	int carried_a, carried_b;
};

static size_t numbers_of_piece(const struct window_run *run)
{
	return 2 * (size_t)(MIRRORED + run->node_count);
}

/* F(-q) is the complex conjugate of F(q). */
static void keep_values(const struct ordered_sum *sums, uint32_t nodes, double *values)
{
	double *real = values + MIRRORED, *imaginary = values + 2 * MIRRORED + nodes;

	for (uint32_t n = 0; n < nodes; ++n) {
		real[n] = ordered_sum_value(&sums[n]);
		imaginary[n] = ordered_sum_value(&sums[nodes + n]);
	}
	for (int n = 1; n <= MIRRORED; ++n) {
		real[-n] = real[n - 1];
		imaginary[-n] = -imaginary[n - 1];
	}
}

static sonde_status sum_pieces(struct window_run *run, struct exact_device *on, uint64_t first, uint64_t count,
			       struct exact_work *works, struct ordered_sum *sums, double *terms)
{
	struct window_piece *pieces = run->list.pieces + run->first_piece + first;

	for (uint64_t k = 0; k < count; ++k) {
		const struct tile_pair *pairs = run->list.pairs + pieces[k].first;
		works[k] = (struct exact_work){.pairs = pairs,
					       .count = pieces[k].padded / WINDOW_PAIRS_PER_GROUP,
					       .sums = sums + k * run->nodes.count};
		for (uint32_t n = 0; n < pieces[k].count; ++n)
			*terms += tile_pair_pairs(&run->tiles.atoms, &pairs[n]) * run->nodes.terms;
	}
	on->stage = run->alone ? run->stage : NULL;
	on->stage_done = run->done;
	CHECK(exact_device_sum(run->context, on, &run->tiles.atoms, works, (uint32_t)count, &run->nodes));
	for (uint64_t k = 0; k < count; ++k) {
		pieces[k].coincident = works[k].coincident;
		keep_values(works[k].sums, run->node_count, run->values + (first + k) * numbers_of_piece(run));
	}
	return SONDE_OK;
}

static sonde_status run_pieces(void *user, void *state, uint64_t first, uint64_t count, double *work)
{
	struct window_run *run = user;
	struct exact_work *works = NULL;
	struct ordered_sum *sums = NULL;
	sonde_status status = memory_allocate(&works, count, sizeof *works, "partial sums");

	*work = 0.0;
	if (status == SONDE_OK)
		status = memory_allocate(&sums, count * run->nodes.count, sizeof *sums, "partial sums");
	if (status == SONDE_OK)
		status = sum_pieces(run, state, first, count, works, sums, work);
	if (status == SONDE_OK && run->alone)
		run->done += *work;
	free(works);
	free(sums);
	return status;
}

static sonde_status prepare_device(void *user, struct device *device, void *state)
{
	const struct window_run *run = user;
	const struct debye_shape shape = debye_shape_of(device);

	CHECK(exact_order_suits(run->order, device));
	CHECK(debye_self_test_windows(device));
	return exact_device_prepare_windows(device, &shape, &run->tiles.atoms, run->windows.fine, state);
}

static void release_device(void *state)
{
	exact_device_release(state);
}

static void forget_order(void *user, struct device *device)
{
	const struct window_run *run = user;

	exact_order_forget(run->order, device);
}

/* A GPU takes many at a time, so that it is never idle; but devices that share the work should finish together. */
static uint64_t pieces_at_once(void *user, struct device *device, const void *state)
{
	const struct window_run *run = user;
	const uint64_t fair = run->alone ? PIECES_AT_ONCE : (run->end_piece - run->first_piece) / PIECES_PER_SHARE;
	(void)state;

	if (!device_properties(device)->gpu_kernels)
		return 1;
	return fair < 1 ? 1 : fair < PIECES_AT_ONCE ? fair : PIECES_AT_ONCE;
}

static size_t result_of(void *user, uint64_t piece, void **values)
{
	const struct window_run *run = user;

	*values = run->values + piece * numbers_of_piece(run);
	return numbers_of_piece(run) * sizeof *run->values;
}

/* The pairs at one place of each piece are known to one rank, and 0 on others. */
static sonde_status merge(void *user, struct parallel *ranks)
{
	const struct window_run *run = user;
	const size_t pieces = run->end_piece - run->first_piece;
	struct window_piece *const own = run->list.pieces + run->first_piece;
	uint64_t *coincident;

	CHECK(memory_allocate(&coincident, pieces, sizeof *coincident, "partial sums"));
	for (size_t k = 0; k < pieces; ++k)
		coincident[k] = own[k].coincident;
	const sonde_status status = parallel_sum(ranks, coincident, pieces);
	for (size_t k = 0; k < pieces; ++k)
		own[k].coincident = coincident[k];
	free(coincident);
	return status;
}

static struct shared_work work_of(struct window_run *run)
{
	return (struct shared_work){.pieces = run->end_piece - run->first_piece,
				    .user = run,
				    .states = run->devices,
				    .state_size = sizeof *run->devices,
				    .prepare = prepare_device,
				    .release = release_device,
				    .run = run_pieces,
				    .at_once = pieces_at_once,
				    .merge = merge,
				    .forget = forget_order,
				    .result_of = result_of};
}

/* The sum of sin(q r)/r over the pairs of a piece. */
static double piece_at_point(const struct window_run *run, const struct window_piece *piece, const double *values,
			     double q, const double *weights)
{
	/* the phase q R and its rounding: q in two parts, whose products with R are exact */
	const double center = piece->center / (double)WINDOW_PARTS_OF_ANGSTROM, phase = q * center, high = (float)q,
		     rest = (high * center - phase) + (q - high) * center;
	const double sine = sin(phase), cosine = cos(phase);
	const double *real = values, *imaginary = values + MIRRORED + run->node_count;
	double x = 0.0, y = 0.0;

	for (int k = 0; k < RESAMPLING_WEIGHTS; ++k) {
		x += weights[k] * real[k];
		y += weights[k] * imaginary[k];
	}
	return (sine + rest * cosine) * x + (cosine - rest * sine) * y;
}

/* Sums that are complete to the result. */
static void put_sum(struct window_run *run, int a, int b, int64_t point, struct ordered_sum *sum)
{
	if (a < 0)
		return;
	run->sums->sums[species_pair_index(run->sums->species, a, b) * run->sums->q.points + point] =
	    ordered_sum_value(sum) / pair_sums_q(run->sums, point);
	*sum = (struct ordered_sum){0};
}

static void add_pieces(void *state, int64_t first, int64_t end, int worker)
{
	struct window_run *run = state;
	double weights[RESAMPLING_WEIGHTS];
	(void)worker;

	for (int64_t point = first; point < end; ++point) {
		const double q = pair_sums_q(run->sums, point);
		int a = run->carried_a, b = run->carried_b;
		int64_t nearest;
		resampling_find_weights(q / run->windows.step - 0.5, &nearest, weights);
		for (size_t k = run->first_piece; k < run->end_piece; ++k) {
			const struct window_piece *piece = &run->list.pieces[k];
			if (piece->species_a != a || piece->species_b != b)
				put_sum(run, a, b, point, &run->carried[point]);
			a = piece->species_a;
			b = piece->species_b;
			/* node `nearest` - RESAMPLING_HALF_WIDTH */
			const double *values = run->values + (k - run->first_piece) * numbers_of_piece(run) + nearest;
			ordered_sum_add(&run->carried[point], piece_at_point(run, piece, values, q, weights));
		}
	}
}

/* The sums of a round to the points. */
static void add_round(struct window_run *run)
{
	const struct window_piece *last = &run->list.pieces[run->end_piece - 1];

	threads_for(context_threads(run->context), run->sums->q.points, GRAIN, add_pieces, run);
	for (size_t k = run->first_piece; k < run->end_piece; ++k) {
		const struct window_piece *piece = &run->list.pieces[k];
		run->coincident[species_pair_index(run->sums->species, piece->species_a, piece->species_b)] +=
		    piece->coincident;
	}
	run->carried_a = last->species_a;
	run->carried_b = last->species_b;
}

static void finish(struct window_run *run)
{
	const int64_t points = run->sums->q.points;

	for (int64_t point = 0; point < points; ++point) {
		put_sum(run, run->carried_a, run->carried_b, point, &run->carried[point]);
		for (int pair = 0; pair < species_pair_count(run->sums->species); ++pair)
			run->sums->sums[pair * points + point] += (double)run->coincident[pair];
	}
}

/* What is kept after each round: the number of the list and of its next piece, the sums of complete pairs of species, and those of the last
 * pair. */
struct kept_lists {
	uint64_t lists, pieces;
	double done; /* for progress */
	int64_t a, b;
};

static uint64_t kept_size(const struct window_run *run)
{
	const uint64_t points = (uint64_t)run->sums->q.points,
		       pairs = (uint64_t)species_pair_count(run->sums->species);

	return sizeof(struct kept_lists) + pairs * sizeof *run->coincident + points * sizeof *run->carried +
	       pairs * points * sizeof(double);
}

static void move(char **kept, void *numbers, size_t size, bool taken)
{
	if (taken)
		memcpy(numbers, *kept, size);
	else
		memcpy(*kept, numbers, size);
	*kept += size;
}

/* Takes them from the part, or leaves them there. */
static void move_kept(struct window_run *run, struct unfinished_part *part, struct kept_lists *lists, bool taken)
{
	const size_t points = (size_t)run->sums->q.points, pairs = (size_t)species_pair_count(run->sums->species);
	char *at = part->numbers;

	lists->a = run->carried_a;
	lists->b = run->carried_b;
	move(&at, lists, sizeof *lists, taken);
	move(&at, run->coincident, pairs * sizeof *run->coincident, taken);
	move(&at, run->carried, points * sizeof *run->carried, taken);
	move(&at, run->sums->sums, pairs * points * sizeof(double), taken);
	run->carried_a = (int)lists->a;
	run->carried_b = (int)lists->b;
}

/* The sums of an earlier run. */
static sonde_status begin_kept(struct window_run *run, struct unfinished_part **part, struct kept_lists *lists)
{
	uint64_t pairs = 0;

	for (int a = 0; a < run->sums->species; ++a)
		for (int b = a; b < run->sums->species; ++b)
			pairs += tile_walk_count(&run->tiles.atoms, a, b);
	CHECK(unfinished_part(run->sums->unfinished, "windows", &pairs, kept_size(run), part));
	if (*part != NULL && (*part)->done > 0)
		move_kept(run, *part, lists, true);
	return SONDE_OK;
}

/* After a round of this list. */
static sonde_status keep(struct window_run *run, struct unfinished_part *part, uint64_t list, double done)
{
	struct kept_lists next = {.lists = list, .pieces = run->end_piece, .done = done};
	uint64_t pairs = 0;

	if (part == NULL)
		return SONDE_OK;
	for (uint64_t k = run->first_piece; k < run->end_piece; ++k)
		pairs += run->list.pieces[k].count;
	move_kept(run, part, &next, false);
	return unfinished_advance(run->sums->unfinished, part, pairs);
}

/* The next pieces of the list: all, or those of some seconds if the sums are kept after them. */
static sonde_status begin_round(struct window_run *run, const struct unfinished_part *part, bool first)
{
	uint64_t left = run->list.piece_count - run->end_piece, count = left;
	struct device_count devices;

	if (part != NULL)
		CHECK(unfinished_round(run->sums->unfinished, first ? 1 : 0, left, &count));
	run->first_piece = run->end_piece;
	run->end_piece += count;
	CHECK(memory_grow(&run->values, &run->value_capacity, count * numbers_of_piece(run), sizeof *run->values,
			  "partial sums"));
	CHECK(context_count_devices(run->context, &devices));
	run->alone = devices.all == 1;
	return SONDE_OK;
}

static sonde_status sum_lists(struct window_run *run)
{
	const int species = run->sums->species;
	struct unfinished_part *part;
	struct kept_lists kept = {0};
	bool first = true;

	CHECK(memory_allocate(&run->coincident, (size_t)species_pair_count(species), sizeof *run->coincident,
			      "the sums"));
	CHECK(memory_allocate(&run->carried, (size_t)run->sums->q.points, sizeof *run->carried, "the sums"));
	CHECK(begin_kept(run, &part, &kept));
	double done = kept.done;
	for (uint64_t list = 0;; ++list) {
		CHECK(window_list_next(run->context, &run->tiles, species, &run->windows, &run->list));
		if (run->list.piece_count == 0)
			break;
		run->end_piece = list < kept.lists ? run->list.piece_count : list == kept.lists ? kept.pieces : 0;
		for (; run->end_piece < run->list.piece_count; first = false) {
			CHECK(begin_round(run, part, first));
			run->done = done;
			const struct shared_work work = work_of(run);
			CHECK(share_work(run->context, &work, run->stage, &done));
			add_round(run);
			CHECK(keep(run, part, list, done));
		}
	}
	finish(run);
	return SONDE_OK;
}

/* Whether all devices have a kernel: GPUs with units for matrix products, and CPUs. */
static sonde_status find_kernels(sonde_context *context, bool *all)
{
	struct device **devices;
	int count;

	*all = true;
	CHECK(context_devices(context, &devices, &count));
	for (int k = 0; k < count; ++k)
		if (devices[k] != NULL && device_properties(devices[k])->gpu_kernels)
			*all &= debye_shape_of(devices[k]).exact_matrix != 0;
	uint64_t lacking = !*all; /* ranks */
	CHECK(parallel_sum(context_ranks(context), &lacking, 1));
	*all = lacking == 0;
	return SONDE_OK;
}

sonde_status windows_are_usable(sonde_context *context, const sonde_atoms *atoms, double diameter,
				const struct pair_sums *sums, bool *usable)
{
	const double pairs = 0.5 * (double)atoms->count * (double)(atoms->count - 1);

	*usable = sums->q_values == NULL && sums->motion == NULL &&
		  windows_suit(pairs, sums->q.points, sums->species, diameter);
	return *usable ? find_kernels(context, usable) : SONDE_OK;
}

static void release(struct window_run *run)
{
	const struct shared_work work = work_of(run);

	share_release(&work);
	window_list_free(&run->list);
	window_tiles_free(&run->tiles);
	free(run->values);
	free(run->coincident);
	free(run->carried);
	free(run);
}

sonde_status window_pair_sums(sonde_context *context, const sonde_atoms *atoms, struct exact_order *order,
			      uint64_t room, struct pair_sums *sums, bool *done)
{
	const double pairs = 0.5 * (double)atoms->count * (double)(atoms->count - 1);
	struct window_run *run;
	struct stage stage;

	CHECK(memory_allocate(&run, 1, sizeof *run, "the exact sums"));
	*run = (struct window_run){.context = context,
				   .order = order,
				   .list = {.room = room},
				   .sums = sums,
				   .stage = &stage,
				   .carried_a = -1,
				   .carried_b = -1};
	sonde_status status =
	    window_tiles_make(context, atoms, order, sums->q.last, sums->q.points, &run->windows, &run->tiles);
	*done = status == SONDE_OK && run->windows.fine > 0;
	if (*done) {
		run->node_count = WINDOW_NODES_OF(run->windows.fine);
		run->nodes = (struct exact_points){
		    .step = run->windows.step, .count = 2 * run->node_count, .terms = (double)sums->q.points};
		stage_begin(&stage, context, "pairs (exact)", "sin(qr)/qr", pairs * (double)sums->q.points);
		status = sum_lists(run);
	}
	release(run);
	return status;
}
