/* The Debye sum by distance histograms with the exact moments of every bin.
 *
 * Kernel histogram_pairs sums, per bin, n, sum d and sum d^2 of the offsets d in integers. From these
 * each bin is replaced by two distances, mean +- standard deviation, with n/2 pairs each: mean, variance
 * and, as for any symmetric pair, a third central moment of zero. A bin with a single distance (crystals)
 * is exact; otherwise the leading error is due to the bin's third moment, which errors.c bounds.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matter/atoms/atoms_gpu.h"
#include "debye/classes/resident.h"
#include "debye/sums/histogram_order.h"
#include "debye/sums/histogram_sums.h"
#include "debye/motion/motion.h"
#include "device/kernel.h"
#include "device/kernel_math.h"
#include "parallel/parallel.h"
#include "run/share.h"
#include "run/unfinished.h"

/* Of histogram_matrix, for samples whose distances repeat: with more, bins get too many pairs before they are emptied. */
#define ITEMS_OF_REPEATS 768u

#define PAIRS_PER_CPU_PIECE 4e9 /* pairs per piece of shared work: seconds on a CPU, a tenth of a second on a GPU */
#define PAIRS_PER_GPU_PIECE 5e10
#define PAIRS_PER_SMALL_PIECE 2.5e8 /* for a CPU next to a GPU, which waits for the last piece of the CPU */
#define PAIRS_PER_KEPT_PIECE 1e9    /* for a CPU, if the counts are kept: less is lost when the run is stopped */
#define PIECES_PER_DEVICE 16
#define MOST_PIECES 1e4
#define WAVES 16.0         /* units for each multiprocessor, in one of several parts of the share of a GPU */
#define PARTS_OF_SHARE 3.0 /* at most */
#define FIRST_OF_GPU 8     /* pieces of the first round */
#define KEPT_BYTES (UINT64_C(128) << 20) /* of a GPU's memory, for the next run */

struct histogram_run {
	sonde_context *context;
	const sonde_atoms *sample;
	sonde_atoms brought; /* the sample, if its positions were on a GPU that failed */
	double *positions;   /* of these */
	enum tiling tiling;
	const struct arranged_atoms *early; /* atoms arranged for rings in advance; may be empty */
	struct tiled_atoms tiled;
	struct device_order order; /* of atoms that are in the memory of a GPU alone */
	struct histogram_bins bins;
	uint32_t workers; /* threads of a CPU; 0: all */
	struct histogram_device devices[CONTEXT_MOST_DEVICES];
	struct counted_pairs counting; /* those being counted */
	bool alone;                    /* a single device does all the work */
	bool mixed;                    /* a CPU and a GPU */
	bool repeats;                  /* the distances, as those of perfect crystals do */
	bool careful;                  /* no kernel that may lose pairs */
	uint64_t pieces, pieces_of_gpu;
	uint64_t gpus;                         /* of all ranks */
	uint64_t first_piece, pieces_of_round; /* of a round of pieces */
	bool has_rounds;                       /* so that the size of the next one is known */
	struct unfinished *unfinished;         /* may be null */
	struct unfinished_part *part;          /* of the current species; null: nothing is kept */
	struct histogram_sums sums;
	struct histogram_kept *kept; /* for the next sample, of each device; may be null */
	struct stage stage;
	double done, under_way; /* pairs of previous species, and of the current ones, with a single device */
};

/* The lists of the previous sample, whose memory is used again. */
static void take_kept(const struct histogram_run *run, struct histogram_device *on)
{
	struct histogram_kept *kept = run->kept != NULL ? &run->kept[on - run->devices] : NULL;

	if (kept == NULL)
		return;
	on->list = kept->list;
	on->pace = kept->pace;
	kept->list = (struct image_list){0};
}

static void leave_kept(struct histogram_run *run)
{
	for (int k = 0; run->kept != NULL && k < CONTEXT_MOST_DEVICES; ++k) {
		struct histogram_device *on = &run->devices[k];
		if (on->device == NULL)
			continue;
		run->kept[k] = (struct histogram_kept){on->list, on->pace};
		on->list = (struct image_list){0};
	}
}

/* Resident atoms that the host has to arrange after all. */
static sonde_status bring_sample(struct histogram_run *run)
{
	if (!atoms_are_resident(run->sample))
		return SONDE_OK;
	CHECK(resident_copy(run->context, run->sample, run->bins.periodic, &run->brought, &run->positions));
	run->sample = &run->brought;
	return SONDE_OK;
}

/* Arranges the atoms again, on the host, after the failure of the GPU that had their order. */
static sonde_status tile_again(struct histogram_run *run)
{
	arranged_atoms_free(&run->tiled.atoms);
	run->tiled = (struct tiled_atoms){.ready = false};
	CHECK(bring_sample(run));
	return histogram_tile(run->context, run->sample, run->tiling, &run->tiled);
}

static sonde_status prepare_device(void *user, struct device *device, void *state)
{
	struct histogram_run *run = user;
	struct debye_shape shape = debye_shape_of(device);

	shape.matrix_bins = run->careful ? 0 : shape.matrix_bins;
	shape.matrix_relieves = run->repeats;
	if (run->repeats && shape.matrix_items > ITEMS_OF_REPEATS)
		shape.matrix_items = ITEMS_OF_REPEATS;
	device_limit_workers(device, run->workers);
	if (device_properties(device)->gpu_kernels)
		device_keep_buffers(device, KEPT_BYTES);
	if (run->tiled.atoms.ordered != NULL && run->order.device != device)
		CHECK(tile_again(run));
	CHECK(histogram_device_prepare(run->context, device, &shape, run->tiling, &run->tiled.atoms, &run->bins,
				       state));
	take_kept(run, state);
	return SONDE_OK;
}

static void release_device(void *state)
{
	histogram_device_release(state);
}

static void forget_sums(void *user, struct device *device)
{
	struct histogram_run *run = user;

	histogram_sums_forget(&run->sums, device);
	if (run->order.device == device)
		device_order_release(&run->order);
}

static sonde_status count_pieces(void *user, void *state, uint64_t first, uint64_t count, double *pairs)
{
	struct histogram_run *run = user;
	struct histogram_device *on = state;

	on->stage = run->alone ? &run->stage : NULL;
	on->stage_done = run->done + run->under_way;
	on->pairs_expected = run->counting.pairs;
	CHECK(histogram_device_count(run->context, on, run->counting.a, run->counting.b, run->first_piece + first,
				     run->first_piece + first + count, run->pieces, pairs));
	if (run->alone)
		run->under_way += *pairs;
	return SONDE_OK;
}

/* For one of several GPUs: a part of its share of a round with enough units for each multiprocessor, as the last ones leave some of these
 * idle. */
static uint64_t pieces_of_share(const struct histogram_run *run, const struct device *device)
{
	const uint32_t *first_tile = run->tiled.atoms.species_first_tile;
	const double units = (double)(first_tile[run->counting.a + 1] - first_tile[run->counting.a]) / QUAD,
		     share = ceil((double)run->pieces_of_round / (double)run->gpus),
		     least = ceil(WAVES * device_workers(device) * (double)run->pieces / fmax(1.0, units)),
		     parts = fmin(PARTS_OF_SHARE, fmax(1.0, floor(share / least)));

	return (uint64_t)ceil(share / parts);
}

/* Number of pieces that keep a GPU busy for a while, although a CPU next to it made the pieces small. */
static uint64_t pieces_at_once(void *user, struct device *device, const void *state)
{
	const struct histogram_run *run = user;
	(void)state;

	if (!device_properties(device)->gpu_kernels)
		return 1;
	if (run->alone && run->gpus == 1)
		return run->pieces; /* all of a round */
	return run->mixed ? run->pieces_of_gpu : pieces_of_share(run, device);
}

static sonde_status collect(void *user, void *state)
{
	const struct histogram_run *run = user;

	return histogram_device_collect(state, run->counting.totals);
}

static sonde_status merge(void *user, struct parallel *ranks)
{
	const struct histogram_run *run = user;

	return parallel_sum(ranks, run->counting.totals,
			    TOTAL_WORDS * (run->counting.last_bin + 1 - run->counting.first_bin));
}

static struct shared_work work_of(struct histogram_run *run)
{
	return (struct shared_work){.user = run,
				    .states = run->devices,
				    .state_size = sizeof *run->devices,
				    .prepare = prepare_device,
				    .release = release_device,
				    .run = count_pieces,
				    .at_once = pieces_at_once,
				    .equal_ends = run->gpus > 1,
				    .collect = collect,
				    .merge = merge,
				    .forget = forget_sums};
}

/* Runs of the process that count pairs now, such as those of several frames at the same time. While a GPU counts for others, its
 * launches for an order wait for theirs, and the host has time for it. */
static _Atomic int runs_in_progress;

/* The GPU that works alone finds the order itself. Kept counts are of pieces in the order of the host, which does not depend on
 * the device. */
static sonde_status order_on_device(struct histogram_run *run)
{
	const struct device_positions *from = NULL;
	struct device *device;

	if (!run->alone || run->gpus != 1 || run->unfinished != NULL || run->early->size > 0 ||
	    run->sample->count < ATOMS_RESIDENT_LEAST || parallel_size(context_ranks(run->context)) > 1)
		return SONDE_OK;
	CHECK(context_device(run->context, &device));
	device_keep_buffers(device, KEPT_BYTES);
	if (!atoms_are_resident(run->sample) && runs_in_progress > 1)
		return SONDE_OK;
	if (atoms_are_resident(run->sample)) {
		from = atoms_on_gpu(run->sample, device_name(device));
		if (from == NULL)
			return SONDE_OK;
	}
	sonde_status status = histogram_order(device, run->sample, from, &run->bins, &run->order, &run->tiled);
	if (status == SONDE_OK && run->bins.periodic == NULL)
		status =
		    histogram_order_repeats(&run->tiled.atoms, run->sample->species_count, &run->bins, &run->repeats);
	if (status == SONDE_OK)
		return SONDE_OK;
	arranged_atoms_free(&run->tiled.atoms);
	run->tiled = (struct tiled_atoms){.ready = false};
	device_order_release(&run->order);
	return status == SONDE_RESOURCE ? SONDE_OK : status;
}

/* Arranges the atoms, as required by GPUs if there is one. */
static sonde_status tile_atoms(struct histogram_run *run)
{
	struct device_count devices;

	CHECK(context_count_devices(run->context, &devices));
	/* the lists of pairs of tiles are those of rings on all devices */
	if (!run->tiled.ready && (devices.gpus > 0 || run->bins.periodic != NULL))
		run->tiling = TILING_RING;
	run->alone = devices.all == 1;
	run->mixed = devices.gpus > 0 && devices.gpus < devices.all;
	run->gpus = (uint64_t)devices.gpus;
	CHECK(parallel_sum(context_ranks(run->context), &run->gpus, 1));
	if (!run->tiled.ready)
		CHECK(order_on_device(run));
	if (run->tiled.ready)
		return SONDE_OK;
	CHECK(bring_sample(run));
	if (run->tiling == TILING_RING && run->early->size > 0)
		run->tiled = (struct tiled_atoms){.ready = true, .atoms = *run->early};
	CHECK(histogram_tile(run->context, run->sample, run->tiling, &run->tiled));
	if (run->tiling == TILING_RING && run->bins.periodic == NULL)
		run->repeats =
		    histogram_repeats(&run->tiled.atoms, run->sample->species_count, run->bins.per_angstrom);
	return SONDE_OK;
}

sonde_status histogram_arrange(const sonde_context *context, const sonde_atoms *atoms,
			       struct arranged_atoms *arranged)
{
	struct tiled_atoms tiled = {0};

	if (atoms_are_resident(atoms)) /* a GPU does */
		return SONDE_OK;
	const sonde_status status = histogram_tile(context, atoms, TILING_RING, &tiled);

	*arranged = tiled.atoms;
	return status;
}

static double counted_pairs(const struct histogram_run *run)
{
	const uint64_t bins = run->counting.last_bin + 1 - run->counting.first_bin;
	uint64_t pairs = 0;

	for (uint64_t b = 0; b < bins; ++b)
		pairs += run->counting.totals[TOTAL_WORDS * b];
	return (double)pairs;
}

/* All pieces, or those that are left, in rounds, after each of which the totals are kept. */
static sonde_status count_rounds(struct histogram_run *run, struct shared_work *work)
{
	const uint64_t words = TOTAL_WORDS * (run->counting.last_bin + 1 - run->counting.first_bin);
	struct unfinished_part *part = run->part;

	run->first_piece = 0;
	if (part == NULL) {
		memset(run->counting.totals, 0, words * sizeof *run->counting.totals);
		run->pieces_of_round = work->pieces;
		return share_work(run->context, work, &run->stage, &run->done);
	}
	memcpy(run->counting.totals, part->numbers, words * sizeof *run->counting.totals);
	run->done += run->counting.pairs * (double)part->done / (double)part->pieces;
	for (; part->done < part->pieces; run->has_rounds = true) {
		const uint64_t first = run->has_rounds ? 0 : run->gpus > 0 ? FIRST_OF_GPU : 1;
		CHECK(unfinished_round(run->unfinished, first, part->pieces - part->done, &work->pieces));
		run->first_piece = part->done;
		run->pieces_of_round = work->pieces;
		if (!context_writes(
			run->context)) /* the first rank has the sums so far, to which those of all are added */
			memset(run->counting.totals, 0, words * sizeof *run->counting.totals);
		CHECK(share_work(run->context, work, &run->stage, &run->done));
		memcpy(part->numbers, run->counting.totals, words * sizeof *run->counting.totals);
		CHECK(unfinished_advance(run->unfinished, part, work->pieces));
	}
	return SONDE_OK;
}

/* Does the pieces of `work`. Where very many pairs have one distance, kernel histogram_matrix may lose pairs; then they are counted
 * again by another one. */
static sonde_status count_pieces_of(struct histogram_run *run, struct shared_work *work, double pairs)
{
	const double done = run->done;

	CHECK(count_rounds(run, work));
	if (run->careful || run->bins.periodic != NULL || counted_pairs(run) == pairs)
		return SONDE_OK;
	run->careful = true;
	run->done = done;
	run->under_way = 0.0;
	share_release(work);
	if (run->part != NULL) {
		run->part->done = 0;
		memset(run->part->numbers, 0, run->part->size);
	}
	work->pieces = run->pieces;
	return count_rounds(run, work);
}

/* The totals of two species, which an earlier run may have begun. Pieces of other tiles are others. */
static sonde_status find_part(struct histogram_run *run, uint64_t words)
{
	char name[64];

	snprintf(name, sizeof name, "pairs %d %d, tiling %d", run->counting.a, run->counting.b, (int)run->tiling);
	CHECK(unfinished_part(run->unfinished, name, &run->pieces, words * sizeof *run->counting.totals, &run->part));
	return SONDE_OK;
}

/* Counts the pairs of two species on all devices. */
static sonde_status count_pairs(struct histogram_run *run, int a, int b, double pairs)
{
	struct shared_work work;
	bool gpus;

	CHECK(tile_atoms(run));
	work = work_of(run);
	gpus = run->tiling == TILING_RING;
	run->counting.pairs = pairs;
	double each = run->mixed                ? PAIRS_PER_SMALL_PIECE
		      : gpus                    ? PAIRS_PER_GPU_PIECE
		      : run->unfinished != NULL ? PAIRS_PER_KEPT_PIECE
						: PAIRS_PER_CPU_PIECE;
	histogram_window(&run->tiled.atoms, &run->bins, a, b, &run->counting.first_bin, &run->counting.last_bin);
	uint64_t words = TOTAL_WORDS * (run->counting.last_bin + 1 - run->counting.first_bin);
	CHECK(memory_grow(&run->counting.totals, &run->counting.capacity, words, sizeof *run->counting.totals,
			  "the histogram"));
	run->counting.a = a;
	run->counting.b = b;
	run->under_way = 0.0;
	double wanted = ceil(pairs / each);
	const bool shared = !run->alone || parallel_size(context_ranks(run->context)) > 1;
	if (shared && wanted < PIECES_PER_DEVICE)
		wanted = PIECES_PER_DEVICE;
	if (!shared && gpus && run->unfinished == NULL)
		wanted = 1.0; /* it reports its progress itself */
	run->pieces = (uint64_t)fmin(wanted, MOST_PIECES);
	CHECK(find_part(run, words));
	work.pieces = run->pieces;
	run->pieces_of_gpu =
	    run->mixed ? (uint64_t)fmin(ceil(PAIRS_PER_GPU_PIECE / each), ceil(wanted / PIECES_PER_DEVICE)) : 1;
	return count_pieces_of(run, &work, pairs);
}

static void release(struct histogram_run *run)
{
	const struct shared_work work = work_of(run);

	leave_kept(run);
	share_release(&work);
	if (run->tiled.atoms.ordered != NULL || run->tiled.atoms.x != run->early->x)
		arranged_atoms_free(&run->tiled.atoms);
	device_order_release(&run->order);
	free(run->positions);
	histogram_sums_free(&run->sums);
	free(run->counting.totals);
}

static sonde_status drop_device(void *user, int index, sonde_status status)
{
	struct histogram_run *run = user;
	const struct shared_work work = work_of(run);

	return share_drop_device(run->context, &work, index, status);
}

/* Whether the sums of counted pairs are made while the next ones are counted: by a GPU, which leaves the host time. */
static bool sums_beside(const struct histogram_run *run)
{
	return run->alone && run->gpus == 1 && run->unfinished == NULL &&
	       parallel_size(context_ranks(run->context)) == 1;
}

static sonde_status sum_all(struct histogram_run *run, const struct pair_sums *sums)
{
	for (int a = 0; a < sums->species; ++a) {
		for (int b = a; b < sums->species; ++b) {
			double m = (double)run->sample->species[a].atoms, n = (double)run->sample->species[b].atoms;
			double pairs = a == b ? m * (m - 1) / 2 : m * n;
			if (sums->periodic != NULL)
				pairs = m * periodic_neighbors(sums->periodic, a == b ? 0.5 * n : n);
			if (pairs == 0.0)
				continue;
			CHECK(count_pairs(run, a, b, pairs));
			const bool is_last = a + 1 == sums->species;
			CHECK(histogram_sums_make(&run->sums, &run->counting, !is_last && sums_beside(run)));
		}
	}
	return histogram_sums_wait(&run->sums);
}

sonde_status histogram_pair_sums(sonde_context *context, const sonde_atoms *atoms, const struct debye_plan *plan,
				 const struct arranged_atoms *early, struct pair_sums *sums)
{
	struct histogram_run *run;

	CHECK(memory_allocate(&run, 1, sizeof *run, "the histogram"));
	*run = (struct histogram_run){
	    .context = context,
	    .tiling = TILING_SLAB,
	    .early = early,
	    .sample = atoms,
	    .workers = plan->workers,
	    .kept = plan->kept,
	    .sums = {.context = context,
		     .bins = &run->bins,
		     .to = sums,
		     .occupied = sonde_atoms_occupancies(atoms) != NULL,
		     .user = run,
		     .drop_device = drop_device},
	    .unfinished = sums->unfinished,
	    .bins = {.count = (uint64_t)plan->bin_count + (sums->periodic != NULL ? SPARE_BINS : 1),
		     .units_per_bin = (double)(1 << OFFSET_BITS),
		     .per_angstrom = 1.0 / plan->bin_width,
		     .periodic = sums->periodic,
		     .fractions = plan->fractions}};
	stage_begin(&run->stage, context, "pairs (histogram)", "pairs", plan->pairs);
	++runs_in_progress;
	sonde_status status = sum_all(run, sums);
	--runs_in_progress;
	release(run);
	free(run);
	return status;
}
