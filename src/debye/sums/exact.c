/* The Debye sum over every pair of atoms. The pairs of tiles of two species are divided into pieces shared by the
 * devices; the sums of the pieces are added in the order of the pieces. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "debye/sums/exact_device.h"
#include "debye/sums/exact_order.h"
#include "debye/sums/windows.h"
#include "debye/motion/motion.h"
#include "debye/kernels/motion_layout.h"
#include "debye/points/resampling.h"
#include "parallel/parallel.h"
#include "run/share.h"
#include "run/unfinished.h"

#define PIECES_AT_ONCE 64   /* on a GPU */
#define PIECES_PER_SHARE 16 /* each of several devices takes 1/16 of the work at a time */

/* Some pairs of tiles of one pair of species. */
struct exact_piece {
	int species_a, species_b;
	uint64_t first;
	uint32_t count;
};

/* The sums of a piece that waits for earlier ones. */
struct piece_sums {
	uint64_t coincident;
	struct ordered_sum sums[]; /* points of the pass */
};

struct exact_run {
	sonde_context *context;
	const struct arranged_atoms *atoms;
	struct exact_order *order; /* null: the atoms are on the host */
	bool f32;
	struct exact_device devices[CONTEXT_MOST_DEVICES];
	struct exact_piece *pieces;
	size_t piece_count, piece_capacity;
	struct exact_points points; /* of the pass */
	uint32_t point_count;       /* without the padding of sums with a motion */
	double q[Q_PASS];           /* of these */
	int64_t first_point;
	uint32_t pass; /* points of a pass, with a uniform step */
	bool alone;    /* a single device does all the work and reports its progress to `stage` */
	struct stage *stage;
	double done;
	struct pair_sums *sums;

	pthread_mutex_t mutex;
	struct piece_sums **waiting;                 /* for each piece */
	uint64_t first_piece;                        /* of a round of pieces */
	uint64_t next;                               /* next piece to be added */
	struct ordered_sum total[MOST_EXACT_POINTS]; /* of the pair of species whose pieces are being added */
	uint64_t coincident;
};

/* Divides the work into pieces that do not depend on the devices, except for larger ones if all are GPUs. */
static sonde_status cut(struct exact_run *run, uint32_t per_piece)
{
	for (int a = 0; a < run->sums->species; ++a) {
		for (int b = a; b < run->sums->species; ++b) {
			uint64_t pairs = tile_walk_count(run->atoms, a, b);
			for (uint64_t first = 0; first < pairs; first += per_piece) {
				uint64_t left = pairs - first;
				CHECK(memory_grow(&run->pieces, &run->piece_capacity, run->piece_count + 1,
						  sizeof *run->pieces, "the pieces"));
				run->pieces[run->piece_count++] = (struct exact_piece){
				    a, b, first, (uint32_t)(left < per_piece ? left : per_piece)};
			}
		}
	}
	return SONDE_OK;
}

static bool ends_species_pair(const struct exact_run *run, uint64_t piece)
{
	const struct exact_piece *here = &run->pieces[piece], *next = here + 1;

	return piece + 1 == run->piece_count || next->species_a != here->species_a ||
	       next->species_b != here->species_b;
}

/* Adds a piece to the sums of its pair of species, and these to the result after the last one. */
static void add_piece(struct exact_run *run, uint64_t piece, struct piece_sums *sums)
{
	for (uint32_t k = 0; k < run->points.count; ++k) {
		ordered_sum_add(&run->total[k], sums->sums[k].sum);
		ordered_sum_add(&run->total[k], sums->sums[k].lost);
	}
	run->coincident += sums->coincident;
	free(sums);
	if (!ends_species_pair(run, piece))
		return;
	int pair = species_pair_index(run->sums->species, run->pieces[piece].species_a, run->pieces[piece].species_b);
	double *row = run->sums->sums + (int64_t)pair * run->sums->q.points + run->first_point;
	for (uint32_t k = 0; k < run->point_count; ++k)
		row[k] = ordered_sum_value(&run->total[k]) / pair_sums_q(run->sums, run->first_point + k) +
			 (double)run->coincident;
	memset(run->total, 0, sizeof run->total);
	run->coincident = 0;
}

/* After a piece is done: adds it and those waiting for it, if it is next. */
static void deliver(struct exact_run *run, uint64_t piece, struct piece_sums *sums)
{
	pthread_mutex_lock(&run->mutex);
	run->waiting[piece] = sums;
	for (; parallel_size(context_ranks(run->context)) == 1 && run->next < run->piece_count &&
	       run->waiting[run->next] != NULL;
	     ++run->next) {
		add_piece(run, run->next, run->waiting[run->next]);
		run->waiting[run->next] = NULL;
	}
	pthread_mutex_unlock(&run->mutex);
}

/* Pieces computed by a device. */
struct piece_batch {
	struct exact_work works[PIECES_AT_ONCE];
	struct tile_pair *pairs[PIECES_AT_ONCE];
	struct piece_sums *sums[PIECES_AT_ONCE];
	double terms;
};

static void batch_free(struct piece_batch *batch)
{
	for (int k = 0; k < PIECES_AT_ONCE; ++k) {
		free(batch->pairs[k]);
		free(batch->sums[k]);
	}
	free(batch);
}

static sonde_status batch_add(const struct exact_run *run, struct piece_batch *batch, uint64_t number,
			      const struct exact_piece *piece)
{
	struct tile_walk walk = tile_walk_at(run->atoms, piece->species_a, piece->species_b, piece->first);
	struct tile_pair *pairs;
	struct piece_sums *sums;

	CHECK(memory_allocate(&batch->pairs[number], piece->count, sizeof *pairs, "the tiles"));
	CHECK(memory_allocate(&batch->sums[number], 1, sizeof *sums + run->points.count * sizeof sums->sums[0],
			      "partial sums"));
	pairs = batch->pairs[number];
	sums = batch->sums[number];
	for (uint32_t k = 0; k < piece->count && tile_walk_next(&walk, &pairs[k]); ++k)
		batch->terms += tile_pair_pairs(run->atoms, &pairs[k]) * run->points.count;
	batch->works[number] = (struct exact_work){.pairs = pairs, .count = piece->count, .sums = sums->sums};
	return SONDE_OK;
}

static sonde_status sum_pieces(struct exact_run *run, struct exact_device *on, struct piece_batch *batch,
			       uint64_t first, uint64_t count)
{
	for (uint64_t k = 0; k < count; ++k)
		CHECK(batch_add(run, batch, k, &run->pieces[first + k]));
	on->stage = run->alone ? run->stage : NULL;
	on->stage_done = run->done;
	CHECK(exact_device_sum(run->context, on, run->atoms, batch->works, (uint32_t)count, &run->points));
	for (uint64_t k = 0; k < count; ++k) {
		batch->sums[k]->coincident = batch->works[k].coincident;
		deliver(run, first + k, batch->sums[k]);
		batch->sums[k] = NULL;
	}
	return SONDE_OK;
}

static sonde_status prepare_device(void *user, struct device *device, void *state)
{
	const struct exact_run *run = user;
	struct debye_shape shape = debye_shape_of(device);

	CHECK(exact_order_suits(run->order, device));
	if (run->sums->motion != NULL)
		CHECK(debye_self_test_motion(device));
	return exact_device_prepare(device, &shape, run->atoms, run->f32, run->pass, state);
}

static void release_device(void *state)
{
	exact_device_release(state);
}

static void forget_order(void *user, struct device *device)
{
	const struct exact_run *run = user;

	exact_order_forget(run->order, device);
}

static sonde_status run_pieces(void *user, void *state, uint64_t first, uint64_t count, double *work)
{
	struct exact_run *run = user;
	struct piece_batch *batch;

	first += run->first_piece;

	CHECK(memory_allocate(&batch, 1, sizeof *batch, "partial sums"));
	sonde_status status = sum_pieces(run, state, batch, first, count);
	*work = batch->terms;
	if (status == SONDE_OK && run->alone)
		run->done += batch->terms;
	batch_free(batch);
	return status;
}

/* A GPU takes many at a time, so that it is never idle; but devices that share the work should finish together. */
static uint64_t pieces_at_once(void *user, struct device *device, const void *state)
{
	const struct exact_run *run = user;
	(void)state;
	uint64_t fair = run->alone ? PIECES_AT_ONCE : run->piece_count / PIECES_PER_SHARE;

	if (!device_properties(device)->gpu_kernels)
		return 1;
	return fair < 1 ? 1 : fair < PIECES_AT_ONCE ? fair : PIECES_AT_ONCE;
}

static size_t size_of_sums(const struct exact_run *run)
{
	return sizeof(struct piece_sums) + run->points.count * sizeof(struct ordered_sum);
}

/* Null without memory. */
static size_t result_of(void *user, uint64_t piece, void **sums)
{
	struct exact_run *run = user;
	const size_t size = size_of_sums(run);

	piece += run->first_piece;
	if (run->waiting[piece] == NULL)
		run->waiting[piece] = calloc(1, size);
	*sums = run->waiting[piece];
	return size;
}

/* The pieces of all ranks are added in their order, as those of one. */
static sonde_status merge(void *user, struct parallel *ranks)
{
	struct exact_run *run = user;

	(void)ranks;
	/* those of a round */
	for (; run->next < run->piece_count && run->waiting[run->next] != NULL; ++run->next) {
		add_piece(run, run->next, run->waiting[run->next]);
		run->waiting[run->next] = NULL;
	}
	return SONDE_OK;
}

static struct shared_work work_of(struct exact_run *run)
{
	return (struct shared_work){.pieces = run->piece_count,
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

/* Ranks whose devices prefer different passes. */
static sonde_status agree_on_pass(struct exact_run *run)
{
	uint32_t first = run->pass;

	CHECK(parallel_broadcast(context_ranks(run->context), &first, sizeof first));
	uint64_t others = run->pass != first;
	CHECK(parallel_sum(context_ranks(run->context), &others, 1));
	run->pass = others > 0 ? Q_PASS : run->pass;
	return SONDE_OK;
}

/* The points of a pass, for which all devices need kernels. */
static sonde_status choose_pass(struct exact_run *run)
{
	struct device **devices;
	int count;

	run->pass = 0;
	CHECK(context_devices(run->context, &devices, &count));
	for (int k = 0; k < count; ++k) {
		if (devices[k] == NULL)
			continue;
		const struct debye_shape shape = debye_shape_of(devices[k]);
		const uint32_t points = shape_exact_points(&shape, run->f32, run->sums->q.points);
		run->pass = run->pass != 0 && run->pass != points ? Q_PASS : points;
	}
	CHECK(agree_on_pass(run));
	/* lists, and sums with a motion, have passes of any number of points */
	if (run->sums->q_values != NULL || run->sums->motion != NULL)
		run->pass = Q_PASS;
	return SONDE_OK;
}

/* The points of a pass in sums with a motion. They may be of any spacing. */
static struct exact_points points_with_motion(struct exact_run *run, int64_t first)
{
	const struct pair_sums *sums = run->sums;
	const int64_t left = sums->q.points - first, count = left < run->pass ? left : run->pass;
	const double step = sums->q_values == NULL && sums->q.points > 1
				? (sums->q.last - sums->q.first) / (double)(sums->q.points - 1)
				: 0.0;
	const uint32_t padded = ((uint32_t)count + MOTION_COLUMNS - 1) / MOTION_COLUMNS * MOTION_COLUMNS;

	run->q[0] = pair_sums_q(sums, first);
	for (int64_t k = 1; k < Q_PASS; ++k)
		run->q[k] = k < count ? pair_sums_q(sums, first + k) : run->q[k - 1] + step;
	run->point_count = (uint32_t)count;
	return (struct exact_points){.first = run->q[0], .step = step, .count = padded, .q = run->q};
}

/* The points of a pass have a uniform step. */
static struct exact_points points_of_pass(const struct exact_run *run, int64_t first)
{
	const struct pair_sums *sums = run->sums;
	const sonde_grid *q = &sums->q;
	const double *values = sums->q_values != NULL ? sums->q_values + first : NULL;
	const int64_t left = q->points - first;

	if (values == NULL)
		return (struct exact_points){.first = grid_value(q, first),
					     .step =
						 q->points > 1 ? (q->last - q->first) / (double)(q->points - 1) : 0.0,
					     .count = (uint32_t)(left < run->pass ? left : run->pass)};
	const int64_t count = uniform_points(values, left, run->pass);
	return (struct exact_points){.first = values[0],
				     .step = count > 1 ? (values[count - 1] - values[0]) / (double)(count - 1) : 0.0,
				     .count = (uint32_t)count};
}

/* The numbers of a pass that are kept: sums of the pairs of species at its points, complete or 0, and those of the pair whose pieces are
 * being added. */
static uint64_t kept_size(const struct exact_run *run)
{
	return (uint64_t)species_pair_count(run->sums->species) * run->point_count * sizeof(double) +
	       sizeof run->total + sizeof run->coincident;
}

static void move(void *kept, void *number, size_t size, bool taken)
{
	if (taken)
		memcpy(number, kept, size);
	else
		memcpy(kept, number, size);
}

/* Takes them from the part, or leaves them there. */
static void move_kept(struct exact_run *run, struct unfinished_part *part, bool taken)
{
	const size_t row = run->point_count * sizeof(double);
	char *at = part->numbers;

	for (int pair = 0; pair < species_pair_count(run->sums->species); ++pair, at += row)
		move(at, run->sums->sums + (int64_t)pair * run->sums->q.points + run->first_point, row, taken);
	move(at, run->total, sizeof run->total, taken);
	move(at + sizeof run->total, &run->coincident, sizeof run->coincident, taken);
}

/* All pieces of a pass, or those that are left, in rounds, after each of which the sums are kept. */
static sonde_status do_rounds(struct exact_run *run, struct unfinished_part *part, double *done)
{
	struct shared_work work = work_of(run);

	if (part->done > 0)
		move_kept(run, part, true);
	*done += run->stage->total / (double)run->sums->q.points * run->point_count * (double)part->done /
		 (double)part->pieces;
	for (bool first = true; part->done < part->pieces; first = false) {
		CHECK(
		    unfinished_round(run->sums->unfinished, first ? 1 : 0, part->pieces - part->done, &work.pieces));
		run->first_piece = run->next = part->done;
		run->done = *done;
		CHECK(share_work(run->context, &work, run->stage, done));
		move_kept(run, part, false);
		CHECK(unfinished_advance(run->sums->unfinished, part, work.pieces));
	}
	run->first_piece = 0;
	return SONDE_OK;
}

static sonde_status do_pieces(struct exact_run *run, double *done)
{
	const struct shared_work work = work_of(run);
	struct unfinished_part *part;
	uint64_t pieces = run->piece_count;
	char name[64];

	snprintf(name, sizeof name, "points from %lld", (long long)run->first_point);
	CHECK(unfinished_part(run->sums->unfinished, name, &pieces, kept_size(run), &part));
	if (part == NULL)
		return share_work(run->context, &work, run->stage, done);
	return pieces == run->piece_count
		   ? do_rounds(run, part, done)
		   : status_fail_option(SONDE_INVALID, "resume", "the sums were begun by %s, whose pieces are others",
					pieces > run->piece_count ? "a CPU, and there are only GPUs" : "GPUs alone");
}

static sonde_status all_passes(struct exact_run *run)
{
	const sonde_grid *q = &run->sums->q;
	double done = 0.0;
	struct device_count devices;

	for (int64_t first = 0; first < q->points; first += run->point_count) {
		run->first_point = first;
		if (run->sums->motion != NULL) {
			run->points = points_with_motion(run, first);
		} else {
			run->points = points_of_pass(run, first);
			run->point_count = run->points.count;
		}
		run->next = 0;
		CHECK(context_count_devices(run->context, &devices));
		run->alone = devices.all == 1;
		run->done = done;
		CHECK(do_pieces(run, &done));
	}
	return SONDE_OK;
}

/* At q = 0, where the kernels' sum over q is 0/0, sin(q r)/(q r) is 1: the number of pairs. */
static void set_forward_point(const sonde_atoms *atoms, struct pair_sums *sums)
{
	if (pair_sums_q(sums, 0) != 0.0)
		return;
	for (int a = 0; a < sums->species; ++a) {
		for (int b = a; b < sums->species; ++b) {
			double m = (double)atoms->species[a].atoms, n = (double)atoms->species[b].atoms;
			sums->sums[(int64_t)species_pair_index(sums->species, a, b) * sums->q.points] =
			    a == b ? m * (m - 1) / 2 : m * n;
		}
	}
}

static void release(struct exact_run *run)
{
	const struct shared_work work = work_of(run);

	share_release(&work);
	for (size_t k = 0; run->waiting != NULL && k < run->piece_count; ++k)
		free(run->waiting[k]);
	free(run->waiting);
	free(run->pieces);
}

static sonde_status sum_points(sonde_context *context, const sonde_atoms *atoms, struct exact_order *order, bool f32,
			       struct pair_sums *sums)
{
	struct arranged_atoms arranged = {0};
	struct exact_run *run;
	struct stage stage;
	double pairs = 0.5 * (double)atoms->count * (double)(atoms->count - 1);
	struct device_count devices;
	sonde_status status;

	CHECK(context_count_devices(context, &devices));
	CHECK(memory_allocate(&run, 1, sizeof *run, "the exact sums"));
	*run = (struct exact_run){.context = context,
				  .atoms = &arranged,
				  .order = order,
				  .f32 = f32,
				  .sums = sums,
				  .stage = &stage,
				  .mutex = PTHREAD_MUTEX_INITIALIZER};
	stage_begin(&stage, context, "pairs (exact)", "sin(qr)/qr", pairs * (double)sums->q.points);
	CHECK_GOTO(status,
		   exact_order_is_found(order) ? exact_order_arrange(order, atoms, EXACT_ATOMS_PER_TILE, &arranged)
					       : arrange_atoms(context, atoms, EXACT_ATOMS_PER_TILE, 1, &arranged),
		   done);
	if (sums->motion != NULL)
		CHECK_GOTO(status, motion_arrange(sums->motion, atoms, &arranged), done);
	CHECK_GOTO(status, cut(run, devices.gpus == devices.all ? EXACT_PIECE_GPU : EXACT_PIECE_CPU), done);
	CHECK_GOTO(status, memory_allocate(&run->waiting, run->piece_count, sizeof(void *), "partial sums"), done);
	CHECK_GOTO(status, choose_pass(run), done);
	CHECK_GOTO(status, all_passes(run), done);
	set_forward_point(atoms, sums);
done:
	release(run);
	free(run);
	arranged_atoms_free(&arranged);
	return status;
}

/* Twice the largest distance from the center of the bounding box: at least the largest distance. */
static double find_diameter(const sonde_atoms *atoms)
{
	double center[3], largest = 0.0;

	for (int axis = 0; axis < 3; ++axis) {
		double low = INFINITY, high = -INFINITY;
		for (int64_t i = 0; i < atoms->count; ++i) {
			low = fmin(low, atoms->positions[3 * i + axis]);
			high = fmax(high, atoms->positions[3 * i + axis]);
		}
		center[axis] = 0.5 * (low + high);
	}
	for (int64_t i = 0; i < atoms->count; ++i) {
		const double *r = atoms->positions + 3 * i;
		const double x = r[0] - center[0], y = r[1] - center[1], z = r[2] - center[2];
		largest = fmax(largest, x * x + y * y + z * z);
	}
	return 2.0 * sqrt(largest);
}

static sonde_status make_sums(sonde_context *context, const sonde_atoms *atoms, struct exact_order *order, bool f32,
			      double diameter, struct pair_sums *sums);

/* Points that are not uniform, from uniform ones. */
static sonde_status sum_resampled(sonde_context *context, const sonde_atoms *atoms, struct exact_order *order,
				  bool f32, double diameter, const struct resampling *resampling,
				  struct pair_sums *sums)
{
	const int64_t pairs = species_pair_count(sums->species), points = sums->q.points;
	struct pair_sums uniform = {.q = resampling->grid, .species = sums->species};

	CHECK(memory_allocate(&uniform.sums, (size_t)pairs * (size_t)uniform.q.points, sizeof *uniform.sums,
			      "the sums"));
	const sonde_status status = make_sums(context, atoms, order, f32, diameter, &uniform);
	for (int64_t pair = 0; pair < pairs && status == SONDE_OK; ++pair)
		resampling_add(resampling, uniform.sums + pair * uniform.q.points, sums->q_values, points,
			       sums->sums + pair * points);
	free(uniform.sums);
	if (status == SONDE_OK)
		set_forward_point(atoms, sums);
	return status;
}

static sonde_status make_sums(sonde_context *context, const sonde_atoms *atoms, struct exact_order *order, bool f32,
			      double diameter, struct pair_sums *sums)
{
	struct resampling resampling;
	bool windows = false;

	/* with a motion, sums are not limited in their band by the largest distance */
	if (sums->q_values != NULL && sums->motion == NULL &&
	    resampling_choose(sums->q_values, sums->q.points, diameter, &resampling))
		return sum_resampled(context, atoms, order, f32, diameter, &resampling, sums);
	if (!f32)
		CHECK(windows_are_usable(context, atoms, diameter, sums, &windows));
	if (windows)
		CHECK(window_pair_sums(context, atoms, order, 0, sums, &windows));
	if (windows) {
		set_forward_point(atoms, sums);
		return SONDE_OK;
	}
	return sum_points(context, atoms, order, f32, sums);
}

sonde_status exact_pair_sums(sonde_context *context, const sonde_atoms *atoms, bool f32, struct pair_sums *sums)
{
	sonde_atoms brought = *atoms;
	struct exact_order order;

	CHECK(exact_order_find(context, atoms, &order));
	if (exact_order_is_found(&order)) {
		const sonde_status status = make_sums(context, atoms, &order, f32, exact_order_extent(&order), sums);
		exact_order_release(&order);
		if (!order.lost || status != SONDE_INTERNAL)
			return status;
	}
	CHECK(atoms_need_positions(&brought));
	return make_sums(context, &brought, NULL, f32, find_diameter(&brought), sums);
}
