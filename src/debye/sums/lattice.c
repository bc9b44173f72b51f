/* The Debye sum over the pairs of points of a lattice.
 *
 * A sample of N atoms has N^2/2 pairs, but only some 4 N different vectors between them. Kernel lattice_rows counts the
 * pairs of each vector from the rows of cells, some (N^2/3)^2/2 pairs of rows, and adds them by length to narrow bins:
 * in integers, so that the result depends neither on the number of threads nor on the devices. From the moments of a
 * bin, as in the histogram, follow one or two distances with the numbers of pairs.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "debye/sums/bin_list.h"
#include "debye/sums/lattice_count.h"
#include "debye/sums/lattice_vectors.h"
#include "debye/kernels/lattice_words.h"
#include "debye/motion/motion.h"
#include "device/kernel.h"
#include "device/kernel_math.h"

#define BINS_TO_CLEAR (1 << 16)     /* by a thread */
#define ROW_PAIRS_PER_PIECE_CPU 1e9 /* seconds */
#define ROW_PAIRS_PER_PIECE_GPU 5e10
#define ROW_PAIRS_PER_SMALL_PIECE 1e8 /* for several devices, which wait for the last piece */
#define MOST_PIECES 4096              /* of two sheets */

struct lattice_sum {
	struct lattice_count pairs; /* of two classes; first, since it is the `user` of forget_sums() */
	sonde_context *context;
	const struct debye_classes *classes;
	const sonde_lattice *lattice;
	struct lag_piece *pieces;
	size_t piece_count, pieces_capacity;
	double per_piece; /* pairs of rows */
	struct bin_list list;
	struct sinc_list *sums;
	struct stage stage;
	double done;
};

/* Counting ----------------------------------------------------------------------------------------------- */

/* The user is run->pairs. */
static void forget_sums(void *user, struct device *device)
{
	struct lattice_sum *run = user;

	if (run->sums != NULL && sinc_list_is_on(run->sums, device))
		sinc_list_free(&run->sums);
}

static struct shared_work work_of(struct lattice_sum *run)
{
	struct shared_work work = lattice_count_work(&run->pairs);

	work.forget = forget_sums;
	return work;
}

/* Cuts the lags of two sheets into pieces. */
static sonde_status add_pieces(struct lattice_sum *run, int a, int b)
{
	const struct lattice_sheet *s = &run->lattice->sheets[a], *t = &run->lattice->sheets[b];
	const uint64_t all = lattice_lag_count(s, t), first = a == b ? all / 2 : 0, lags = all - first;
	const double row_pairs = (double)s->rows * (double)t->rows * (a == b ? 0.5 : 1.0);
	const double wanted = fmin(fmax(1.0, ceil(row_pairs / run->per_piece)), MOST_PIECES);
	const uint64_t pieces = (uint64_t)fmin(wanted, (double)lags);

	CHECK(memory_grow(&run->pieces, &run->pieces_capacity, run->piece_count + pieces, sizeof *run->pieces,
			  "the lags"));
	for (uint64_t k = 0; k < pieces; ++k)
		run->pieces[run->piece_count++] = (struct lag_piece){.a = a,
								     .b = b,
								     .first = first + lags * k / pieces,
								     .end = first + lags * (k + 1) / pieces,
								     .work = row_pairs / (double)pieces};
	return SONDE_OK;
}

/* The pieces of the pairs of two classes: pairs of sheets, the first of class a. */
static sonde_status list_pieces(struct lattice_sum *run, int a, int b)
{
	const struct lattice_sheet *sheets = run->lattice->sheets;
	const int *class_of = run->classes->class_of_kind;

	run->piece_count = 0;
	for (int s = 0; s < run->lattice->sheet_count; ++s)
		for (int t = a == b ? s : 0; t < run->lattice->sheet_count; ++t)
			if (class_of[sheets[s].kind] == a && class_of[sheets[t].kind] == b)
				CHECK(add_pieces(run, s, t));
	return SONDE_OK;
}

static void clear_bins(void *state, int64_t first, int64_t end, int worker)
{
	const struct lattice_sum *run = state;

	(void)worker;
	memset(run->pairs.totals + first * LATTICE_WORDS, 0,
	       (size_t)(end - first) * LATTICE_WORDS * sizeof *run->pairs.totals);
}

static sonde_status count_pairs(struct lattice_sum *run, int a, int b)
{
	struct shared_work work = work_of(run);

	CHECK(list_pieces(run, a, b));
	work.pieces = run->piece_count;
	run->pairs.pieces = run->pieces;
	threads_for(context_threads(run->context), (int64_t)run->pairs.bins.count, BINS_TO_CLEAR, clear_bins, run);
	return share_work(run->context, &work, &run->stage, &run->done);
}

/* Distances ---------------------------------------------------------------------------------------------- */

#define UNITS ((double)(UINT64_C(1) << LATTICE_OFFSET_BITS)) /* of a bin, and of a square, in squared units */
#define NO_VARIANCE (2.0 * UNITS) /* squares are rounded down to UNITS, so that such a variance may be 0 */

/* A deviation below 2e-5 of a bin is not resolved, and counts as none. */
static struct bin_moments read_bin(const uint64_t *words)
{
	const double pairs = (double)words[LATTICE_PAIRS];
	const double offsets = (double)words[LATTICE_OFFSETS] + UNITS * (double)words[LATTICE_OFFSETS + 1];
	const double squares = (double)words[LATTICE_SQUARES] + UNITS * (double)words[LATTICE_SQUARES + 1];
	struct bin_moments bin = {pairs, offsets / pairs, 0.0, NO_VARIANCE};
	const double variance = (squares / pairs + 0.5) * UNITS - bin.mean * bin.mean;

	if (variance > NO_VARIANCE)
		bin.variance = variance;
	return bin;
}

/* Each distance has the mean square of its own. */
static void set_motion(struct lattice_sum *run, int a, int b)
{
	for (size_t n = 0; n < run->list.count; ++n)
		run->list.s[n] = motion_of_species(run->classes->motion, a, b, run->list.r[n]).s;
}

/* Converts the totals of two classes to a list of distances, of `expected` pairs. */
static sonde_status make_list(struct lattice_sum *run, int class_a, int class_b, uint64_t expected,
			      const struct pair_sums *sums)
{
	const int pair = species_pair_index(sums->species, class_a, class_b);
	const struct bins_to_list bins = {.words = run->pairs.totals,
					  .words_per_bin = LATTICE_WORDS,
					  .count = run->pairs.bins.count,
					  .units_per_bin = UNITS,
					  .unit = 1.0 / run->pairs.bins.per_angstrom / UNITS,
					  .read = read_bin};

	CHECK(stage_advance(&run->stage, run->done));
	CHECK(bin_list_make(context_threads(run->context), &bins, run->classes->motion != NULL, &run->list,
			    &sums->errors[pair], sums->counts, pair));
	if (run->list.pairs != expected)
		return status_fail(SONDE_INTERNAL, "the vectors of the lattice have %llu pairs instead of %llu",
				   (unsigned long long)run->list.pairs, (unsigned long long)expected);
	if (run->list.s != NULL)
		set_motion(run, class_a, class_b);
	return stage_advance(&run->stage, run->done);
}

/* From distances to the pattern -------------------------------------------------------------------------- */

/* A GPU takes some 10 ms for any list, a CPU thread for a list of this many entries. */
#define ENTRIES_PER_THREAD (1 << 18)

/* The device for the sums over the list: the first one, or for short lists the host, *index = -1, whose results are
 * bit-identical. */
static sonde_status choose_device(struct lattice_sum *run, struct device **device, int *index)
{
	const size_t threads = (size_t)context_threads(run->context);

	CHECK(context_first_device(run->context, index, device));
	if (!device_properties(*device)->gpu_kernels || run->list.count > threads * ENTRIES_PER_THREAD)
		return SONDE_OK;
	*index = -1;
	return context_host_device(run->context, device);
}

/* The pairs of atoms at one place, with the mean square s. */
static void add_coincident(const struct lattice_sum *run, const struct pair_sums *sums, double s, double *row)
{
	for (int64_t k = 0; k < sums->q.points; ++k) {
		const double q = pair_sums_q(sums, k);
		row[k] = run->list.coincident;
		if (s > 0.0 && row[k] > 0.0)
			row[k] *= LANES_FIRST(lanes_exp(LANES_SPLAT(-0.5 * q * q * s), 0));
	}
}

static sonde_status sum_on(struct lattice_sum *run, struct device *device, const struct pair_sums *sums, double *row)
{
	const uint32_t count = (uint32_t)run->list.count;

	if (run->list.s != NULL)
		return motion_list_add(run->context, device, run->list.r, run->list.weight_over_r, run->list.s, count,
				       sums, NULL, row);
	if (run->sums != NULL && !sinc_list_is_on(run->sums, device))
		sinc_list_free(&run->sums);
	if (run->sums == NULL)
		CHECK(sinc_list_create(run->context, device, &run->sums));
	return sinc_list_add_ordered(run->sums, run->list.r, run->list.weight_over_r, count, sums, row);
}

/* One device computes the sums over the list; if it fails, the next one does. */
static sonde_status sum_list(struct lattice_sum *run, int a, int b, const struct pair_sums *sums, double *row)
{
	const struct pair_motion *motion = run->classes->motion;
	const double together = motion != NULL ? motion_of_species(motion, a, b, 0.0).s : 0.0;
	const struct shared_work work = work_of(run);

	for (;;) {
		struct device *device;
		int index;
		add_coincident(run, sums, together, row);
		CHECK(choose_device(run, &device, &index));
		const sonde_status status = sum_on(run, device, sums, row);
		if (status != SONDE_RESOURCE || index < 0)
			return status;
		CHECK(share_drop_device(run->context, &work, index, status));
	}
}

/* The run ------------------------------------------------------------------------------------------------ */

static sonde_status sum_classes(struct lattice_sum *run, int a, int b, struct pair_sums *sums)
{
	const struct species *species = run->classes->summed.species;
	const int pair = species_pair_index(sums->species, a, b);
	const uint64_t m = (uint64_t)species[a].atoms, n = (uint64_t)species[b].atoms;
	const uint64_t pairs = a != b ? m * n : m % 2 == 0 ? m / 2 * (m - 1) : m * ((m - 1) / 2);
	double *row = sums->sums + pair * sums->q.points;

	if (m == 0 || pairs == 0)
		return SONDE_OK;
	CHECK(count_pairs(run, a, b));
	CHECK(make_list(run, a, b, pairs, sums));
	CHECK(sum_list(run, a, b, sums, row));
	if (sums->q.first == 0.0)
		row[0] = (double)pairs;
	return SONDE_OK;
}

static sonde_status sum_all(struct lattice_sum *run, struct pair_sums *sums)
{
	struct device_count devices;

	CHECK(context_count_devices(run->context, &devices));
	run->per_piece = devices.all > 1    ? ROW_PAIRS_PER_SMALL_PIECE
			 : devices.gpus > 0 ? ROW_PAIRS_PER_PIECE_GPU
					    : ROW_PAIRS_PER_PIECE_CPU;
	CHECK(memory_allocate_to_fill(&run->pairs.totals, run->pairs.bins.count * LATTICE_WORDS,
				      sizeof *run->pairs.totals, "the histogram"));
	for (int a = 0; a < sums->species; ++a)
		for (int b = a; b < sums->species; ++b)
			CHECK(sum_classes(run, a, b, sums));
	return SONDE_OK;
}

static void release(struct lattice_sum *run)
{
	const struct shared_work work = work_of(run);

	share_release(&work);
	free(run->pieces);
	free(run->pairs.totals);
	bin_list_free(&run->list);
	sinc_list_free(&run->sums);
}

sonde_status lattice_pair_sums(sonde_context *context, const struct debye_classes *classes,
			       const struct debye_plan *plan, struct pair_sums *sums)
{
	struct lattice_sum *run;

	if (classes->tensor_of_kind != NULL)
		return lattice_vector_sums(context, classes, plan, sums);
	CHECK(memory_allocate(&run, 1, sizeof *run, "the lattice"));
	*run = (struct lattice_sum){
	    .context = context,
	    .classes = classes,
	    .lattice = classes->lattice,
	    .pairs = {.context = context,
		      .lattice = classes->lattice,
		      .bins = {.count = (uint64_t)plan->bin_count + 1, .per_angstrom = 1.0 / plan->bin_width}}};
	stage_begin(&run->stage, context, "pairs (lattice)", "pairs of rows", plan->row_pairs);
	const sonde_status status = sum_all(run, sums);
	release(run);
	free(run);
	return status;
}
