/* The Debye sum by distance histograms with the exact moments of every bin.
 *
 * Kernel histogram_pairs counts, per bin, n, sum d and sum d^2 of the offsets d in integers. From them
 * each bin is replaced by two distances, mean +- standard deviation, with n/2 pairs each: mean, variance
 * and, as for any symmetric pair, a third central moment of zero. A bin that holds one distance (crystals)
 * is exact; else the error begins with the bin's own third moment, which errors.c bounds.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "debye/debye.h"
#include "debye/histogram_layout.h"

#define GROUPS_PER_WORKER 64    /* of one launch: tens of milliseconds, so that a stop is heard */
#define BINS_PER_LOOK (1 << 22) /* between two looks at Ctrl-C */

/* Bounding box of a tile. */
struct box {
	double low[3], high[3];
};

/* Distances that stand for the pairs of two species. */
struct distance_list {
	double *r, *weight_over_r; /* with LIST_PADDING zeros after the last */
	size_t count, capacity;
	double coincident; /* weight of r = 0 */
};

struct histogram_run {
	struct device *device;
	struct device_kernel pairs_kernel, settle_kernel;
	struct device_buffer x, y, z, tiles, tile_pairs, slabs, totals;
	uint64_t bins; /* of a slab: those of the plan and the spare one */
	uint32_t most_groups;
	double units_per_bin, bins_per_angstrom;
	struct tile_pair *pairs;
	struct box *boxes;
	uint64_t first_bin, last_bin; /* where the pairs of two species fall, the last included */
	uint64_t *totals_host;
	struct distance_list list;
	struct sinc_list *sums;
	struct stage stage;
	double done;
};

#define BIN_BYTES (TOTAL_WORDS * sizeof(uint64_t))

static size_t window_bytes(const struct histogram_run *run)
{
	return BIN_BYTES * (run->last_bin + 1 - run->first_bin);
}

static sonde_status find_boxes(struct histogram_run *run, const struct arranged_atoms *atoms)
{
	const double *axis[3] = {atoms->x, atoms->y, atoms->z};

	CHECK(memory_allocate(&run->boxes, atoms->tile_count, sizeof *run->boxes, "the tiles"));
	for (uint32_t t = 0; t < atoms->tile_count; ++t) {
		for (int k = 0; k < 3; ++k) {
			double low = INFINITY, high = -INFINITY;
			for (uint32_t i = atoms->tiles[t].first; i < atoms->tiles[t].end; ++i) {
				low = fmin(low, axis[k][i]);
				high = fmax(high, axis[k][i]);
			}
			run->boxes[t].low[k] = low;
			run->boxes[t].high[k] = high;
		}
	}
	return SONDE_OK;
}

/* Bins between the smallest and the largest distance that two tiles can have, and one to spare. */
static void find_window(const struct histogram_run *run, struct tile_pair *pair)
{
	const struct box *a = &run->boxes[pair->a], *b = &run->boxes[pair->b];
	double nearest = 0.0, furthest = 0.0;

	for (int k = 0; k < 3; ++k) {
		double gap = fmax(0.0, fmax(a->low[k] - b->high[k], b->low[k] - a->high[k]));
		double span = fmax(a->high[k] - b->low[k], b->high[k] - a->low[k]);
		nearest += gap * gap;
		furthest += span * span;
	}
	double first = sqrt(nearest) * run->bins_per_angstrom - 1.0;
	double last = sqrt(furthest) * run->bins_per_angstrom + 1.0;
	pair->first_bin = first > 0.0 ? (uint32_t)first : 0;
	pair->last_bin = last < (double)(run->bins - 2) ? (uint32_t)last : (uint32_t)(run->bins - 2);
}

static sonde_status upload_scaled(struct histogram_run *run, struct device_buffer *buffer, double *values,
				  uint32_t count)
{
	size_t bytes = (size_t)count * sizeof(double);
	double scale = run->bins_per_angstrom * run->units_per_bin;

	for (uint32_t i = 0; i < count; ++i)
		values[i] *= scale;
	CHECK(device_allocate(run->device, bytes, "the atoms", buffer));
	return device_write(run->device, buffer, 0, values, bytes);
}

static sonde_status prepare(struct histogram_run *run, struct arranged_atoms *atoms)
{
	struct device *device = run->device;
	uint32_t workers = device_workers(device);
	size_t tiles_bytes = (size_t)atoms->tile_count * sizeof *atoms->tiles;
	size_t slab_bytes = (2 * run->bins + TAIL_WORDS) * sizeof(uint64_t);

	run->most_groups = device_launch_groups(device, GROUPS_PER_WORKER);
	CHECK(device_kernel(device, &debye_program, "histogram_pairs", &run->pairs_kernel));
	CHECK(device_kernel(device, &debye_program, "histogram_settle", &run->settle_kernel));
	CHECK(find_boxes(run, atoms));
	CHECK(upload_scaled(run, &run->x, atoms->x, atoms->size));
	CHECK(upload_scaled(run, &run->y, atoms->y, atoms->size));
	CHECK(upload_scaled(run, &run->z, atoms->z, atoms->size));
	CHECK(device_allocate(device, tiles_bytes, "the tiles", &run->tiles));
	CHECK(device_write(device, &run->tiles, 0, atoms->tiles, tiles_bytes));
	CHECK(device_allocate(device, run->most_groups * sizeof(struct tile_pair), "the tiles", &run->tile_pairs));
	CHECK(device_allocate(device, workers * slab_bytes, "the histograms", &run->slabs));
	CHECK(device_allocate(device, TOTAL_WORDS * run->bins * sizeof(uint64_t), "the histogram", &run->totals));
	CHECK(memory_allocate(&run->pairs, run->most_groups, sizeof *run->pairs, "the tiles"));
	/* the coordinates are on the device now */
	for (double **axis[] = {&atoms->x, &atoms->y, &atoms->z, NULL}, ***a = axis; *a != NULL; ++a) {
		free(**a);
		**a = NULL;
	}
	return SONDE_OK;
}

static void release(struct histogram_run *run)
{
	struct device_buffer *buffers[] = {&run->x,          &run->y,     &run->z,     &run->tiles,
					   &run->tile_pairs, &run->slabs, &run->totals};

	for (size_t k = 0; k < sizeof buffers / sizeof *buffers; ++k)
		device_release(run->device, buffers[k]);
	free(run->pairs);
	free(run->boxes);
	free(run->totals_host);
	free(run->list.r);
	free(run->list.weight_over_r);
	sinc_list_free(&run->sums);
}

/* The bins that pairs of two species may touch; clears them in the totals. */
static sonde_status clear_window(struct histogram_run *run, const struct arranged_atoms *atoms, int a, int b)
{
	struct tile_walk walk = tile_walk_begin(atoms, a, b);
	struct tile_pair pair;

	run->first_bin = run->bins;
	run->last_bin = 0;
	while (tile_walk_next(&walk, &pair)) {
		find_window(run, &pair);
		run->first_bin = pair.first_bin < run->first_bin ? pair.first_bin : run->first_bin;
		run->last_bin = pair.last_bin > run->last_bin ? pair.last_bin : run->last_bin;
	}
	return device_clear(run->device, &run->totals, BIN_BYTES * run->first_bin, window_bytes(run));
}

/* Counts the pairs of two species into run->totals. */
static sonde_status count_pairs(struct histogram_run *run, const struct arranged_atoms *atoms, int a, int b)
{
	struct tile_walk walk = tile_walk_begin(atoms, a, b);
	const struct device_argument pairs_arguments[] = {
	    DEVICE_ARGUMENT(run->x.memory),          DEVICE_ARGUMENT(run->y.memory),
	    DEVICE_ARGUMENT(run->z.memory),          DEVICE_ARGUMENT(run->tiles.memory),
	    DEVICE_ARGUMENT(run->tile_pairs.memory), DEVICE_ARGUMENT(run->bins),
	    DEVICE_ARGUMENT(run->slabs.memory),      DEVICE_ARGUMENT(run->totals.memory)};
	uint64_t bins_end;
	const struct device_argument settle_arguments[] = {
	    DEVICE_ARGUMENT(run->bins), DEVICE_ARGUMENT(run->first_bin), DEVICE_ARGUMENT(bins_end),
	    DEVICE_ARGUMENT(run->slabs.memory), DEVICE_ARGUMENT(run->totals.memory)};
	uint32_t groups;

	CHECK(clear_window(run, atoms, a, b));
	bins_end = run->last_bin + 1;
	do {
		double pairs = 0.0;
		for (groups = 0; groups < run->most_groups && tile_walk_next(&walk, &run->pairs[groups]); ++groups) {
			find_window(run, &run->pairs[groups]);
			pairs += tile_pair_pairs(atoms, &run->pairs[groups]);
		}
		if (groups == 0)
			break;
		CHECK(device_write(run->device, &run->tile_pairs, 0, run->pairs, groups * sizeof *run->pairs));
		CHECK(device_launch(run->device, &run->pairs_kernel, groups, pairs_arguments, 8));
		run->done += pairs;
		CHECK(stage_advance(&run->stage, run->done));
	} while (groups == run->most_groups);
	return device_launch(run->device, &run->settle_kernel, device_workers(run->device), settle_arguments, 5);
}

/* The contents of one bin: pairs, and mean and variance of the offsets in units. A variance is wrong by up to
 * SQUARE_UNIT/2. */
#define SQUARE_UNIT ((double)(UINT64_C(1) << (2 * OFFSET_BITS - SQUARE_BITS))) /* of g, in units^2 */
struct bin {
	double pairs, mean, variance;
};

static struct bin read_bin(const uint64_t *words)
{
	uint64_t n = words[0], sum = words[1], squares = words[2], mean = sum / n;
	struct bin bin = {(double)n, (double)sum / (double)n, 0.0};
	uint64_t coarse = mean >> (OFFSET_BITS - 16);

	/* equal offsets: their sums say so, and the rounding of g has no part in the variance */
	if (sum % n == 0 && squares == n * (coarse * coarse >> (32 - SQUARE_BITS)))
		return bin;
	/* g was rounded down, by half a unit on the average */
	bin.variance = fmax(0.0, ((double)squares / (double)n + 0.5) * SQUARE_UNIT - bin.mean * bin.mean);
	return bin;
}

/* Largest third central moment of numbers in [0, width] with this mean and variance:
 * v (w - m) - v^2/(w - m), and its mirror image (Cauchy's inequality on E[(x - m)^2 (w - x)]). Two numbers and
 * fewer are given exactly by their mean and variance. */
static double largest_third_moment(const struct bin *bin, double width)
{
	double above = fmax(width - bin->mean, 1.0), below = fmax(bin->mean, 1.0), v = bin->variance;

	if (bin->pairs <= 2.0)
		return 0.0;
	return fmax(0.0, fmax(v * above - v * v / above, v * below - v * v / below));
}

static void add_distance(struct distance_list *list, double r, double weight)
{
	r = fabs(r); /* two offsets round zero: sin(q r)/(q r) is even */
	if (r == 0.0) {
		list->coincident += weight;
		return;
	}
	list->r[list->count] = r;
	list->weight_over_r[list->count++] = weight / r;
}

#define NEAR 0.5 /* Angstrom: nearer than any two atoms of a real sample */

/* Largest fourth central moment, and the fourth power of the deviation, which stands in its place. */
static double largest_fourth_moments(const struct bin *bin, double width)
{
	double furthest = fmax(width - bin->mean, bin->mean);

	return bin->pairs <= 2.0 ? 0.0 : bin->variance * (furthest * furthest + bin->variance);
}

/* Half a unit for the rounding of an offset, half for a deviation below one unit that was taken for none. Offsets that
 * seem equal may still have a variance of SQUARE_UNIT. */
static void add_bounds(struct histogram_error *error, const struct bin *bin, double nearest, double unit, double skew,
		       double units_per_bin)
{
	double unit_2 = unit * unit;
	double fourth = bin->pairs * largest_fourth_moments(bin, units_per_bin) * unit_2 * unit_2;
	double displaced = bin->pairs * unit, power = 1.0;
	double variance = bin->pairs > 1.0 ? bin->pairs * SQUARE_UNIT * unit_2 : 0.0;

	if (nearest < NEAR) {
		error->third_near += skew;
		error->fourth_near += fourth;
		error->displaced_near += displaced;
		error->variance_near += variance;
		return;
	}
	for (int j = 0; j < BOUND_POWERS; ++j, power /= nearest) {
		error->third[j] += skew * power;
		if (j < 2)
			error->fourth[j] += fourth * power;
		if (j < 4)
			error->variance[j] += variance * power;
		if (j < 3)
			error->displaced[j] += displaced * power;
	}
}

static void add_errors(struct histogram_error *error, const struct bin *bin, double r, double unit,
		       double units_per_bin)
{
	double skew = bin->pairs * largest_third_moment(bin, units_per_bin) * unit * unit * unit;
	double rounding = bin->pairs * unit / 3.46; /* uniform in +-unit/2 */
	double second = bin->variance > 0.0 ? bin->pairs * SQUARE_UNIT * unit * unit / 3.46 : 0.0;

	/* mean +- deviation reach less than a bin's width beyond its ends */
	add_bounds(error, bin, r - 2.0 * units_per_bin * unit, unit, skew, units_per_bin);
	if (r < NEAR) {
		error->skew_near += skew * skew;
		error->rounding_near += rounding * rounding;
		error->second_near += second * second;
		return;
	}
	error->skew += skew * skew;
	error->skew_over_r += skew / r * (skew / r);
	error->rounding_over_r += rounding / r * (rounding / r);
	error->second_over_r += second / r * (second / r);
}

/* Makes room for two distances a bin. */
static sonde_status list_reserve(struct distance_list *list, size_t count)
{
	if (count + LIST_PADDING <= list->capacity)
		return SONDE_OK;
	free(list->r);
	free(list->weight_over_r);
	list->r = list->weight_over_r = NULL;
	list->capacity = 0;
	CHECK(memory_allocate(&list->r, count + LIST_PADDING, sizeof(double), "the distances"));
	CHECK(memory_allocate(&list->weight_over_r, count + LIST_PADDING, sizeof(double), "the distances"));
	list->capacity = count + LIST_PADDING;
	return SONDE_OK;
}

static sonde_status check_pairs(struct histogram_run *run, double pairs_expected, size_t *filled)
{
	const uint64_t *bin = run->totals_host, *end = bin + TOTAL_WORDS * (run->last_bin + 1 - run->first_bin);
	uint64_t pairs = 0;

	for (*filled = 0; bin < end; bin += TOTAL_WORDS) {
		*filled += bin[0] != 0;
		pairs += bin[0];
	}
	if ((double)pairs != pairs_expected)
		return status_fail(SONDE_INTERNAL, "the histogram has %llu pairs instead of %.0f",
				   (unsigned long long)pairs, pairs_expected);
	return stage_advance(&run->stage, run->done);
}

/* From the totals to a list of distances. Fails if pairs were lost. */
static sonde_status make_list(struct histogram_run *run, double pairs_expected, struct histogram_error *error)
{
	double unit = 1.0 / (run->bins_per_angstrom * run->units_per_bin);
	struct distance_list *list = &run->list;
	size_t filled;

	CHECK(check_pairs(run, pairs_expected, &filled));
	CHECK(list_reserve(list, 2 * filled));
	list->count = 0;
	list->coincident = 0.0;
	for (uint64_t b = run->first_bin; b <= run->last_bin; ++b) {
		const uint64_t *words = run->totals_host + TOTAL_WORDS * (b - run->first_bin);
		if (b % BINS_PER_LOOK == 0)
			CHECK(stage_advance(&run->stage, run->done));
		if (words[0] == 0)
			continue;
		struct bin bin = read_bin(words);
		double r = ((double)b * run->units_per_bin + bin.mean) * unit;
		double deviation = sqrt(bin.variance) * unit;
		if (bin.variance < 1.0) {
			add_distance(list, r, bin.pairs);
		} else {
			add_distance(list, r - deviation, 0.5 * bin.pairs);
			add_distance(list, r + deviation, 0.5 * bin.pairs);
		}
		add_errors(error, &bin, r, unit, run->units_per_bin);
	}
	memset(list->r + list->count, 0, LIST_PADDING * sizeof *list->r);
	memset(list->weight_over_r + list->count, 0, LIST_PADDING * sizeof *list->r);
	return SONDE_OK;
}

/* From the totals on the device to the sums of two species. */
static sonde_status sum_bins(struct histogram_run *run, double pairs_expected, const sonde_grid *q, double *row,
			     struct histogram_error *error)
{
	CHECK(
	    device_read(run->device, &run->totals, BIN_BYTES * run->first_bin, run->totals_host, window_bytes(run)));
	CHECK(make_list(run, pairs_expected, error));
	for (int64_t k = 0; k < q->points; ++k)
		row[k] = run->list.coincident;
	CHECK(sinc_list_add(run->sums, run->list.r, run->list.weight_over_r, (uint32_t)run->list.count, q, row));
	if (q->first == 0.0)
		row[0] = pairs_expected;
	return SONDE_OK;
}

sonde_status histogram_pair_sums(sonde_context *context, const sonde_atoms *atoms, const struct debye_plan *plan,
				 struct pair_sums *sums)
{
	struct histogram_run run = {0};
	struct arranged_atoms arranged = {0};
	sonde_status status;

	CHECK(context_device(context, &run.device));
	run.bins = (uint64_t)plan->bin_count + 1;
	run.bins_per_angstrom = 1.0 / plan->bin_width;
	run.units_per_bin = (double)(1 << OFFSET_BITS);
	stage_begin(&run.stage, context, "pairs (histogram)", "pairs", plan->pairs);
	CHECK_GOTO(status, arrange_atoms(context, atoms, HISTOGRAM_ATOMS_PER_TILE, &arranged), done);
	CHECK_GOTO(status, prepare(&run, &arranged), done);
	CHECK_GOTO(status, memory_allocate(&run.totals_host, run.totals.bytes, 1, "the histogram"), done);
	CHECK_GOTO(status, sinc_list_create(context, &run.sums), done);
	for (int a = 0; a < sums->species; ++a) {
		for (int b = a; b < sums->species; ++b) {
			int pair = species_pair_index(sums->species, a, b);
			double m = (double)atoms->species[a].atoms, n = (double)atoms->species[b].atoms;
			double pairs = a == b ? m * (m - 1) / 2 : m * n;
			if (pairs == 0.0)
				continue;
			CHECK_GOTO(status, count_pairs(&run, &arranged, a, b), done);
			CHECK_GOTO(
			    status,
			    sum_bins(&run, pairs, &sums->q, sums->sums + pair * sums->q.points, &sums->errors[pair]),
			    done);
		}
	}
done:
	release(&run);
	arranged_atoms_free(&arranged);
	return status;
}
