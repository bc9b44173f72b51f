/* The Debye sum over the pairs of points of a lattice whose atoms have tensors of displacements.
 *
 * The Debye-Waller factor of a pair depends on its direction, so that pairs of one distance cannot share a bin. But all pairs
 * with one vector between two sites of the cell have the same factor, and there are only some 4 N vectors for each pair of
 * sites. Kernel lattice_rows counts them as for bins of distances (lattice.c), on a lattice of its own for this purpose: a row
 * of points at the distances 0.5, 1.5, ... on the x axis, one for each vector, and bins of width 1, so that a bin is a vector.
 * With D the number of places of d1, and W that of lags of the rows n2, the vector d1 a1 + d2 a2 + d3 a3 has the point
 *
 *     x = 0.5 + d1 + length_a - 1 + D (d2 + W d3 + constant).
 *
 * The numbers of pairs are exact integers, and each vector contributes by its own distance and mean square (motion.h).
 */
#include "debye/sums/lattice_vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "debye/sums/lattice_count.h"
#include "debye/kernels/lattice_words.h"
#include "debye/motion/motion.h"

#define VECTORS_AT_ONCE (1u << 19) /* at least those of one lag */
#define PIECES_OF_SEVERAL 16       /* of these vectors, for several devices */
#define COINCIDENT 1e-100          /* Angstrom: sin(q r)/r of such an r is q */
#define MOST_KINDS 1024

/* Kinds ------------------------------------------------------------------------------------------------------ */

struct tensor_key {
	int class;
	double u[6];
};

static int compare_keys(const struct tensor_key *a, const struct tensor_key *b)
{
	if (a->class != b->class)
		return a->class < b->class ? -1 : 1;
	for (int k = 0; k < 6; ++k)
		if (a->u[k] != b->u[k])
			return a->u[k] < b->u[k] ? -1 : 1;
	return 0;
}

static struct tensor_key key_of(const struct debye_classes *classes, int64_t i)
{
	struct tensor_key key = {.class = classes->summed.species_of[i]};

	memcpy(key.u, classes->motion->tensors + 6 * i, sizeof key.u);
	return key;
}

/* The first of the sorted keys that is not before this one. */
static int find_key(const struct tensor_key *keys, int count, const struct tensor_key *key)
{
	int low = 0, high = count;

	while (low < high) {
		const int middle = (low + high) / 2;
		if (compare_keys(&keys[middle], key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static sonde_status list_keys(const struct debye_classes *classes, struct tensor_key *keys, int *count)
{
	*count = 0;
	for (int64_t i = 0; i < classes->summed.count; ++i) {
		const struct tensor_key key = key_of(classes, i);
		const int place = find_key(keys, *count, &key);
		if (place < *count && compare_keys(&keys[place], &key) == 0)
			continue;
		if (*count == MOST_KINDS)
			return status_fail_option(SONDE_INVALID, "method",
						  "the sample has more than %d different mean square displacements, "
						  "and the lattice method needs the same ones in each cell; choose "
						  "`method exact`",
						  MOST_KINDS);
		memmove(keys + place + 1, keys + place, (size_t)(*count - place) * sizeof *keys);
		keys[place] = key;
		++*count;
	}
	return SONDE_OK;
}

static sonde_status fill_kinds(const struct debye_classes *classes, const struct tensor_key *keys,
			       struct tensor_kinds *kinds)
{
	const size_t count = (size_t)kinds->count;

	CHECK(memory_allocate(&kinds->class_of, count, sizeof *kinds->class_of, "the lattice"));
	CHECK(memory_allocate(&kinds->tensors, 6 * count, sizeof *kinds->tensors, "the lattice"));
	CHECK(memory_allocate(&kinds->kind_of, (size_t)classes->summed.count, sizeof *kinds->kind_of, "the lattice"));
	for (size_t n = 0; n < count; ++n) {
		kinds->class_of[n] = keys[n].class;
		memcpy(kinds->tensors + 6 * n, keys[n].u, sizeof keys[n].u);
	}
	for (int64_t i = 0; i < classes->summed.count; ++i) {
		const struct tensor_key key = key_of(classes, i);
		kinds->kind_of[i] = (uint16_t)find_key(keys, kinds->count, &key);
	}
	return SONDE_OK;
}

sonde_status tensor_kinds_make(const struct debye_classes *classes, struct tensor_kinds *kinds)
{
	struct tensor_key *keys;

	*kinds = (struct tensor_kinds){0};
	CHECK(memory_allocate(&keys, MOST_KINDS, sizeof *keys, "the lattice"));
	sonde_status status = list_keys(classes, keys, &kinds->count);
	if (status == SONDE_OK)
		status = fill_kinds(classes, keys, kinds);
	free(keys);
	return status;
}

void tensor_kinds_free(struct tensor_kinds *kinds)
{
	free(kinds->class_of);
	free(kinds->tensors);
	free(kinds->kind_of);
	*kinds = (struct tensor_kinds){0};
}

/* Counting ---------------------------------------------------------------------------------------------------- */

struct vector_sum {
	struct lattice_count points; /* of `row` */
	sonde_context *context;
	const struct debye_classes *classes;
	const sonde_lattice *lattice;
	/* the sheets of the lattice twice, since those of a pair have different origins: number a, and number b of the
	 * second half */
	sonde_lattice row;
	int a, b; /* the current pair of sheets */
	uint64_t across, places, first_lag,
	    center; /* its lags of rows n2, places of d1, the lag of bin 0, and that of no lag */
	struct lag_piece pieces[PIECES_OF_SEVERAL];
	bool several;                  /* devices */
	double *r, *weight_over_r, *s; /* a list of vectors, which ends with LIST_PADDING zeros */
	size_t count, capacity;
	double pairs; /* of the current classes, counted */
	struct stage stage;
	double done;
};

/* Puts the vectors of the lags from `first` on into the bins. */
static void place_vectors(struct vector_sum *run, uint64_t first)
{
	const double places = (double)run->places;
	sonde_lattice *row = &run->row;

	run->first_lag = first;
	memset(row->vectors, 0, sizeof row->vectors);
	row->vectors[0][0] = 1.0;
	row->vectors[1][0] = places;
	row->vectors[2][0] = places * (double)run->across;
	row->sheets[run->lattice->sheet_count + run->b].origin[0] =
	    (double)run->lattice->sheets[run->a].length - 0.5 + places * ((double)run->center - (double)first);
}

static sonde_status count_lags(struct vector_sum *run, uint64_t first, uint64_t end)
{
	struct shared_work work = lattice_count_work(&run->points);
	const uint64_t lags = end - first, most = run->several ? PIECES_OF_SEVERAL : 1;

	place_vectors(run, first);
	work.pieces = lags < most ? lags : most;
	for (uint64_t k = 0; k < work.pieces; ++k) {
		const uint64_t from = first + lags * k / work.pieces, to = first + lags * (k + 1) / work.pieces;
		run->pieces[k] = (struct lag_piece){.a = run->a,
						    .b = run->lattice->sheet_count + run->b,
						    .first = from,
						    .end = to,
						    .work = (double)(to - from) * (double)run->places};
	}
	memset(run->points.totals, 0, run->points.bins.count * LATTICE_WORDS * sizeof *run->points.totals);
	return share_work(run->context, &work, &run->stage, &run->done);
}

/* Sums -------------------------------------------------------------------------------------------------------- */

/* The vector of a bin; false for the negative of one that is counted, of like sheets. */
static bool vector_of(const struct vector_sum *run, uint64_t bin, double d[3])
{
	const struct lattice_sheet *s = &run->lattice->sheets[run->a], *t = &run->lattice->sheets[run->b];
	const uint64_t lag = run->first_lag + bin / run->places;
	const int64_t n[3] = {(int64_t)(bin % run->places) - (int64_t)s->length + 1,
			      (int64_t)(lag % run->across) - (int64_t)s->width + 1,
			      (int64_t)(lag / run->across) - (int64_t)s->height + 1};

	for (int m = 0; m < 3; ++m) {
		d[m] = t->origin[m] - s->origin[m];
		for (int k = 0; k < 3; ++k)
			d[m] += (double)n[k] * run->lattice->vectors[k][m];
	}
	return run->a != run->b || lag != run->center || n[0] > 0;
}

static void list_vectors(struct vector_sum *run, uint64_t lags)
{
	const struct pair_motion *motion = run->classes->motion;
	const double *tensors = run->classes->tensor_of_kind;
	const double *u_a = tensors + (ptrdiff_t)6 * run->lattice->sheets[run->a].kind,
		     *u_b = tensors + (ptrdiff_t)6 * run->lattice->sheets[run->b].kind;
	double d[3], u[6];

	for (int k = 0; k < 6; ++k)
		u[k] = u_a[k] + u_b[k];
	for (uint64_t bin = 0; bin < lags * run->places; ++bin) {
		const double pairs = (double)run->points.totals[bin * LATTICE_WORDS + LATTICE_PAIRS];
		if (pairs == 0.0 || !vector_of(run, bin, d))
			continue;
		const struct pair_width width = motion_of_tensor(motion, d, u);
		run->r[run->count] = fmax(width.r, COINCIDENT);
		run->weight_over_r[run->count] = pairs / run->r[run->count];
		run->s[run->count++] = width.s;
		run->pairs += pairs;
	}
}

/* Adds the listed vectors to the sums of two classes. */
static sonde_status sum_list(struct vector_sum *run, const struct pair_sums *sums, double *row)
{
	const struct shared_work work = lattice_count_work(&run->points);
	double *arrays[] = {run->r, run->weight_over_r, run->s};
	const size_t points = (size_t)sums->q.points;
	double *part;
	sonde_status status;

	for (int k = 0; k < 3; ++k)
		memset(arrays[k] + run->count, 0, LIST_PADDING * sizeof(double));
	CHECK(memory_allocate(&part, points, sizeof *part, "the sums"));
	for (;;) {
		struct device *device;
		int index;
		memset(part, 0, points * sizeof *part);
		CHECK_GOTO(status, context_first_device(run->context, &index, &device), done);
		status = motion_list_add(run->context, device, run->r, run->weight_over_r, run->s,
					 (uint32_t)run->count, sums, NULL, part);
		if (status != SONDE_RESOURCE)
			break;
		CHECK_GOTO(status, share_drop_device(run->context, &work, index, status), done);
	}
	for (size_t k = 0; k < points && status == SONDE_OK; ++k)
		row[k] += part[k];
	run->count = 0;
done:
	free(part);
	return status;
}

/* All vectors between two sheets, those of like ones once with their negatives. */
static sonde_status sum_sheets(struct vector_sum *run, const struct pair_sums *sums, double *row)
{
	const struct lattice_sheet *s = &run->lattice->sheets[run->a], *t = &run->lattice->sheets[run->b];
	const uint64_t all = lattice_lag_count(s, t);

	run->across = (uint64_t)s->width + t->width - 1;
	run->places = (uint64_t)s->length + t->length;
	run->center = s->width - 1 + run->across * (s->height - 1);
	const uint64_t at_once = run->points.bins.count / run->places;
	for (uint64_t first = run->a == run->b ? all / 2 : 0; first < all; first += at_once) {
		const uint64_t end = all - first < at_once ? all : first + at_once;
		CHECK(count_lags(run, first, end));
		if (run->count + (end - first) * run->places + LIST_PADDING > run->capacity)
			CHECK(sum_list(run, sums, row));
		list_vectors(run, end - first);
	}
	return SONDE_OK;
}

static sonde_status sum_classes(struct vector_sum *run, int a, int b, const struct pair_sums *sums)
{
	const struct species *species = run->classes->summed.species;
	const struct lattice_sheet *sheets = run->lattice->sheets;
	const int *class_of = run->classes->class_of_kind;
	const double m = (double)species[a].atoms, n = (double)species[b].atoms,
		     expected = a != b ? m * n : 0.5 * m * (m - 1.0);
	double *row = sums->sums + species_pair_index(sums->species, a, b) * sums->q.points;

	run->pairs = 0.0;
	for (run->a = 0; run->a < run->lattice->sheet_count; ++run->a)
		for (run->b = a == b ? run->a : 0; run->b < run->lattice->sheet_count; ++run->b)
			if (class_of[sheets[run->a].kind] == a && class_of[sheets[run->b].kind] == b)
				CHECK(sum_sheets(run, sums, row));
	CHECK(sum_list(run, sums, row));
	if (run->pairs != expected)
		return status_fail(SONDE_INTERNAL, "the vectors of the lattice have %.0f pairs instead of %.0f",
				   run->pairs, expected);
	if (pair_sums_q(sums, 0) == 0.0)
		row[0] = expected;
	return SONDE_OK;
}

/* Memory -------------------------------------------------------------------------------------------------------- */

/* Bins for the vectors of as many lags of two sheets as there are, but not of more than at once. */
static uint64_t find_bins(const sonde_lattice *lattice)
{
	uint64_t bins = 0;

	for (int a = 0; a < lattice->sheet_count; ++a)
		for (int b = a; b < lattice->sheet_count; ++b) {
			const struct lattice_sheet *s = &lattice->sheets[a], *t = &lattice->sheets[b];
			const uint64_t places = (uint64_t)s->length + t->length,
				       room = places > VECTORS_AT_ONCE ? 1 : VECTORS_AT_ONCE / places,
				       all = lattice_lag_count(s, t), lags = all < room ? all : room;
			bins = lags * places > bins ? lags * places : bins;
		}
	return bins;
}

static sonde_status prepare(struct vector_sum *run)
{
	const sonde_lattice *lattice = run->lattice;
	const size_t sheets = (size_t)lattice->sheet_count, size = sheets * sizeof *lattice->sheets;
	struct device_count devices;

	CHECK(context_count_devices(run->context, &devices));
	run->several = devices.all > 1;
	run->points.bins = (struct lattice_bins){find_bins(lattice), 1.0};
	run->row.sheet_count = (int)(2 * sheets);
	CHECK(memory_allocate(&run->row.sheets, 2 * sheets, sizeof *run->row.sheets, "the lattice"));
	memcpy(run->row.sheets, lattice->sheets, size);
	memcpy(run->row.sheets + sheets, lattice->sheets, size);
	for (size_t s = 0; s < 2 * sheets; ++s)
		memset(run->row.sheets[s].origin, 0, sizeof run->row.sheets[s].origin);
	CHECK(memory_allocate(&run->points.totals, run->points.bins.count * LATTICE_WORDS, sizeof *run->points.totals,
			      "the vectors"));
	run->capacity =
	    (size_t)(run->points.bins.count > VECTORS_AT_ONCE ? run->points.bins.count : VECTORS_AT_ONCE) +
	    LIST_PADDING;
	CHECK(memory_allocate(&run->r, run->capacity, sizeof *run->r, "the vectors"));
	CHECK(memory_allocate(&run->weight_over_r, run->capacity, sizeof *run->r, "the vectors"));
	return memory_allocate(&run->s, run->capacity, sizeof *run->r, "the vectors");
}

static sonde_status sum_all(struct vector_sum *run, const struct pair_sums *sums)
{
	CHECK(prepare(run));
	for (int a = 0; a < sums->species; ++a)
		for (int b = a; b < sums->species; ++b)
			CHECK(sum_classes(run, a, b, sums));
	return SONDE_OK;
}

static void release(struct vector_sum *run)
{
	const struct shared_work work = lattice_count_work(&run->points);

	share_release(&work);
	free(run->row.sheets);
	free(run->points.totals);
	free(run->r);
	free(run->weight_over_r);
	free(run->s);
}

sonde_status lattice_vector_sums(sonde_context *context, const struct debye_classes *classes,
				 const struct debye_plan *plan, struct pair_sums *sums)
{
	struct vector_sum *run;

	CHECK(memory_allocate(&run, 1, sizeof *run, "the lattice"));
	*run = (struct vector_sum){.context = context, .classes = classes, .lattice = classes->lattice};
	run->points = (struct lattice_count){.context = context, .lattice = &run->row, .pieces = run->pieces};
	stage_begin(&run->stage, context, "pairs (lattice)", "vectors", plan->vectors);
	const sonde_status status = sum_all(run, sums);
	release(run);
	free(run);
	return status;
}
