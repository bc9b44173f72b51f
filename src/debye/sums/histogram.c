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
#include "debye/sums/bin_list.h"
#include "debye/classes/resident.h"
#include "debye/sums/histogram_order.h"
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
#define SAME_PLACE 0.01             /* Angstrom */
#define PAIRS_PER_KEPT_PIECE 1e9    /* for a CPU, if the counts are kept: less is lost when the run is stopped */
#define PIECES_PER_DEVICE 16
#define MOST_PIECES 1e4
#define WAVES 16.0         /* units for each multiprocessor, in one of several parts of the share of a GPU */
#define PARTS_OF_SHARE 3.0 /* at most */
#define FIRST_OF_GPU 8     /* pieces of the first round */

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
	int species_a, species_b; /* species of the pairs being counted */
	bool alone;               /* a single device does all the work */
	bool mixed;               /* a CPU and a GPU */
	bool repeats;             /* the distances, as those of perfect crystals do */
	bool careful;             /* no kernel that may lose pairs */
	uint64_t pieces, pieces_of_gpu;
	uint64_t gpus;                         /* of all ranks */
	uint64_t first_piece, pieces_of_round; /* of a round of pieces */
	bool has_rounds;                       /* so that the size of the next one is known */
	struct unfinished *unfinished;         /* may be null */
	struct unfinished_part *part;          /* of the current species; null: nothing is kept */
	uint64_t first_bin, last_bin;          /* range of their bins, the last included */
	uint64_t *totals;                      /* totals of the bins from first_bin on */
	size_t totals_capacity;
	struct bin_list list;
	struct sinc_list *sums;
	struct pair_counts *counts;       /* counts to be kept; may be null */
	struct histogram_kept *kept;      /* for the next sample, of each device; may be null */
	const struct pair_motion *motion; /* may be null */
	struct stage stage;
	double pairs_expected;  /* of the current species */
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

	if (run->sums != NULL && sinc_list_is_on(run->sums, device))
		sinc_list_free(&run->sums);
	if (run->order.device == device)
		device_order_release(&run->order);
}

static sonde_status count_pieces(void *user, void *state, uint64_t first, uint64_t count, double *pairs)
{
	struct histogram_run *run = user;
	struct histogram_device *on = state;

	on->stage = run->alone ? &run->stage : NULL;
	on->stage_done = run->done + run->under_way;
	on->pairs_expected = run->pairs_expected;
	CHECK(histogram_device_count(run->context, on, run->species_a, run->species_b, run->first_piece + first,
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
	const double units = (double)(first_tile[run->species_a + 1] - first_tile[run->species_a]) / QUAD,
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

	return histogram_device_collect(state, run->totals);
}

static sonde_status merge(void *user, struct parallel *ranks)
{
	const struct histogram_run *run = user;

	return parallel_sum(ranks, run->totals, TOTAL_WORDS * (run->last_bin + 1 - run->first_bin));
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
	    run->sample->count < RESIDENT_LEAST || parallel_size(context_ranks(run->context)) > 1)
		return SONDE_OK;
	CHECK(context_device(run->context, &device));
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
	const uint64_t bins = run->last_bin + 1 - run->first_bin;
	uint64_t pairs = 0;

	for (uint64_t b = 0; b < bins; ++b)
		pairs += run->totals[TOTAL_WORDS * b];
	return (double)pairs;
}

/* All pieces, or those that are left, in rounds, after each of which the totals are kept. */
static sonde_status count_rounds(struct histogram_run *run, struct shared_work *work)
{
	const uint64_t words = TOTAL_WORDS * (run->last_bin + 1 - run->first_bin);
	struct unfinished_part *part = run->part;

	run->first_piece = 0;
	if (part == NULL) {
		memset(run->totals, 0, words * sizeof *run->totals);
		run->pieces_of_round = work->pieces;
		return share_work(run->context, work, &run->stage, &run->done);
	}
	memcpy(run->totals, part->numbers, words * sizeof *run->totals);
	run->done += run->pairs_expected * (double)part->done / (double)part->pieces;
	for (; part->done < part->pieces; run->has_rounds = true) {
		const uint64_t first = run->has_rounds ? 0 : run->gpus > 0 ? FIRST_OF_GPU : 1;
		CHECK(unfinished_round(run->unfinished, first, part->pieces - part->done, &work->pieces));
		run->first_piece = part->done;
		run->pieces_of_round = work->pieces;
		if (!context_writes(
			run->context)) /* the first rank has the sums so far, to which those of all are added */
			memset(run->totals, 0, words * sizeof *run->totals);
		CHECK(share_work(run->context, work, &run->stage, &run->done));
		memcpy(part->numbers, run->totals, words * sizeof *run->totals);
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

	snprintf(name, sizeof name, "pairs %d %d, tiling %d", run->species_a, run->species_b, (int)run->tiling);
	CHECK(unfinished_part(run->unfinished, name, &run->pieces, words * sizeof *run->totals, &run->part));
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
	run->pairs_expected = pairs;
	double each = run->mixed                ? PAIRS_PER_SMALL_PIECE
		      : gpus                    ? PAIRS_PER_GPU_PIECE
		      : run->unfinished != NULL ? PAIRS_PER_KEPT_PIECE
						: PAIRS_PER_CPU_PIECE;
	histogram_window(&run->tiled.atoms, &run->bins, a, b, &run->first_bin, &run->last_bin);
	uint64_t words = TOTAL_WORDS * (run->last_bin + 1 - run->first_bin);
	CHECK(memory_grow(&run->totals, &run->totals_capacity, words, sizeof *run->totals, "the histogram"));
	run->species_a = a;
	run->species_b = b;
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

#define SQUARE_UNIT ((double)(UINT64_C(1) << (2 * OFFSET_BITS - SQUARE_BITS))) /* unit of g, in units^2 */

static struct bin_moments read_bin(const uint64_t *words)
{
	uint64_t n = words[0], sum = words[1], squares = words[2], mean = sum / n;
	struct bin_moments bin = {(double)n, (double)sum / (double)n, 0.0, SQUARE_UNIT};
	uint64_t coarse = mean >> (OFFSET_BITS - 16);

	/* equal offsets, as their sums show: the rounding of g does not enter the variance */
	if (sum % n == 0 && squares == n * (coarse * coarse >> (32 - SQUARE_BITS)))
		return bin;
	/* g was rounded down, by half a unit on average */
	bin.variance = fmax(0.0, ((double)squares / (double)n + 0.5) * SQUARE_UNIT - bin.mean * bin.mean);
	return bin;
}

/* Each distance has the mean square of its own. */
static void set_motion(struct histogram_run *run)
{
	struct bin_list *list = &run->list;

	for (size_t n = 0; run->motion != NULL && n < list->count; ++n)
		list->s[n] = motion_of_species(run->motion, run->species_a, run->species_b, list->r[n]).s;
}

/* Converts the totals to a list of distances with the factor w of `periodic`. Fails if pairs were lost. `error`: null
 * if errors and counts are not wanted. */
static sonde_status make_list(struct histogram_run *run, double pairs_expected, const struct periodic *periodic,
			      struct histogram_error *error)
{
	const int pair = species_pair_index(run->sample->species_count, run->species_a, run->species_b);
	const struct bins_to_list bins = {.words = run->totals,
					  .words_per_bin = TOTAL_WORDS,
					  .first = run->first_bin,
					  .count = run->last_bin + 1 - run->first_bin,
					  .units_per_bin = run->bins.units_per_bin,
					  .unit = 1.0 / (run->bins.per_angstrom * run->bins.units_per_bin),
					  .read = read_bin,
					  .periodic = periodic};

	CHECK(stage_advance(&run->stage, run->done));
	CHECK(bin_list_make(context_threads(run->context), &bins, run->motion != NULL, &run->list, error,
			    error != NULL ? run->counts : NULL, pair));
	/* the number of pairs up to a cut-off is not known */
	if (run->bins.periodic == NULL && (double)run->list.pairs != pairs_expected)
		return status_fail(SONDE_INTERNAL, "the histogram has %llu pairs instead of %.0f",
				   (unsigned long long)run->list.pairs, pairs_expected);
	set_motion(run);
	return stage_advance(&run->stage, run->done);
}

/* A GPU takes some 10 ms for any list, a CPU thread for a list of this many entries. */
#define ENTRIES_PER_THREAD (1 << 18)

/* The device for the sums over the list: the first one, *index, or for short lists the host, -1, whose results
 * are bit-identical. */
static sonde_status choose_list_device(struct histogram_run *run, struct device **device, int *index)
{
	size_t threads = (size_t)context_threads(run->context);

	CHECK(context_first_device(run->context, index, device));
	if (!device_properties(*device)->gpu_kernels || threads == 1 ||
	    run->list.count > threads * ENTRIES_PER_THREAD)
		return SONDE_OK;
	*index = -1;
	return context_host_device(run->context, device);
}

/* The sums on a device. */
static sonde_status sum_list_on(struct histogram_run *run, struct device *device, const struct pair_sums *sums,
				double *row)
{
	if (run->motion != NULL) {
		struct stage stage;
		stage_begin(&stage, run->context, "histogram to pattern", "points", (double)sums->q.points);
		return motion_list_add(run->context, device, run->list.r, run->list.weight_over_r, run->list.s,
				       (uint32_t)run->list.count, sums, &stage, row);
	}
	if (run->sums != NULL && !sinc_list_is_on(run->sums, device))
		sinc_list_free(&run->sums);
	if (run->sums == NULL)
		CHECK(sinc_list_create(run->context, device, &run->sums));
	return sinc_list_add_ordered(run->sums, run->list.r, run->list.weight_over_r, (uint32_t)run->list.count, sums,
				     row);
}

/* The pairs of atoms at one place. */
static void add_coincident(const struct histogram_run *run, const struct pair_sums *sums, double *row)
{
	const double s =
	    run->motion != NULL ? motion_of_species(run->motion, run->species_a, run->species_b, 0.0).s : 0.0;

	for (int64_t k = 0; k < sums->q.points; ++k) {
		const double q = pair_sums_q(sums, k);
		row[k] = run->list.coincident;
		if (s > 0.0 && row[k] > 0.0)
			row[k] *= LANES_FIRST(lanes_exp(LANES_SPLAT(-0.5 * q * q * s), 0));
	}
}

/* One device computes the sums over the list; if it fails, the next one does. */
static sonde_status sum_list(struct histogram_run *run, const struct pair_sums *sums, double *row)
{
	const struct shared_work work = work_of(run);

	for (;;) {
		struct device *device;
		int index;
		add_coincident(run, sums, row);
		CHECK(choose_list_device(run, &device, &index));
		sonde_status status = sum_list_on(run, device, sums, row);
		if (status != SONDE_RESOURCE || index < 0)
			return status;
		CHECK(share_drop_device(run->context, &work, index, status));
	}
}

/* Atoms on opposite faces of a cell that are in the file twice: a frequent mistake, which doubles them. */
static void note_coincident(const struct histogram_run *run)
{
	double pairs = 0.0;

	if (run->bins.periodic == NULL || sonde_atoms_occupancies(run->sample) != NULL)
		return;
	for (uint64_t b = 0; b <= run->last_bin && (double)b < SAME_PLACE * run->bins.per_angstrom; ++b)
		pairs += (double)run->totals[TOTAL_WORDS * b];
	if (pairs > 0.0)
		context_notef(
		    run->context,
		    "%.0f pair%s of atoms closer than %g Angstrom: does the file have those on opposite faces of "
		    "the cell twice?",
		    pairs, pairs == 1.0 ? "" : "s", SAME_PLACE);
}

/* Converts the totals to the sums of two species, the pair number `pair`. */
static sonde_status sum_bins(struct histogram_run *run, double pairs_expected, const struct pair_sums *sums, int pair,
			     struct histogram_error *error)
{
	double *row = sums->sums + pair * sums->q.points;

	CHECK(make_list(run, pairs_expected, sums->periodic, error));
	if (error != NULL)
		note_coincident(run);
	CHECK(sum_list(run, sums, row));
	if (sums->q.first == 0.0)
		row[0] = sums->periodic != NULL ? run->list.all : pairs_expected;
	return sums->undamped != NULL ? sum_bins(run, pairs_expected, sums->undamped, pair, NULL) : SONDE_OK;
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
	free(run->totals);
	bin_list_free(&run->list);
	sinc_list_free(&run->sums);
}

static sonde_status sum_all(struct histogram_run *run, struct pair_sums *sums)
{
	for (int a = 0; a < sums->species; ++a) {
		for (int b = a; b < sums->species; ++b) {
			int pair = species_pair_index(sums->species, a, b);
			double m = (double)run->sample->species[a].atoms, n = (double)run->sample->species[b].atoms;
			double pairs = a == b ? m * (m - 1) / 2 : m * n;
			if (sums->periodic != NULL)
				pairs = m * periodic_neighbors(sums->periodic, a == b ? 0.5 * n : n);
			if (pairs == 0.0)
				continue;
			CHECK(count_pairs(run, a, b, pairs));
			CHECK(sum_bins(run, pairs, sums, pair, &sums->errors[pair]));
		}
	}
	return SONDE_OK;
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
	    .counts = sums->counts,
	    .kept = plan->kept,
	    .motion = sums->motion,
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
