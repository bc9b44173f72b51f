/* The Debye sum by distance histograms with the exact moments of every bin.
 *
 * Kernel histogram_pairs counts, per bin, n, sum d and sum d^2 of the offsets d in integers. From them
 * each bin is replaced by two distances, mean +- standard deviation, with n/2 pairs each: mean, variance
 * and, as for any symmetric pair, a third central moment of zero. A bin that holds one distance (crystals)
 * is exact; else the error begins with the bin's own third moment, which errors.c bounds.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "debye/debye.h"
#include "debye/series_layout.h"
#include "debye/histogram_layout.h"
#include "parallel/ordered_sum.h"

#define GROUPS_PER_WORKER 64   /* of one launch: tens of milliseconds, so that a stop is heard */
#define ENTRIES_PER_GROUP 4096 /* of sinc_sum */
#define LIST_PADDING 16        /* at least WIDTH of the kernel */

/* Bounding box of a tile. */
struct box {
	double low[3], high[3];
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
	uint64_t *totals_host;
	struct stage stage;
	double done;
};

/* Distances that stand for the pairs of two species. */
struct distance_list {
	double *r, *weight_over_r;
	uint32_t count;
	double coincident; /* weight of r = 0 */
};

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
	const struct device_argument settle_arguments[] = {
	    DEVICE_ARGUMENT(run->bins), DEVICE_ARGUMENT(run->slabs.memory), DEVICE_ARGUMENT(run->totals.memory)};
	uint32_t groups;

	CHECK(device_clear(run->device, &run->totals));
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
	return device_launch(run->device, &run->settle_kernel, device_workers(run->device), settle_arguments, 3);
}

/* The contents of one bin: pairs, and mean and variance of the offsets in units. */
struct bin {
	double pairs, mean, variance;
};

static struct bin read_bin(const uint64_t *words)
{
	double n = (double)words[0], sum = (double)words[1];
	/* the sum of squares was carried in halves; below, exact to 2^-53 of itself, so that the variance of
	 * equal offsets comes out below 2^-11 units^2 */
	double squares = (double)words[2] + 4294967296.0 * (double)words[3];
	double mean = sum / n;
	struct bin bin = {n, mean, fmax(0.0, squares / n - mean * mean)};

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

static void add_errors(struct histogram_error *error, const struct bin *bin, double r, double unit,
		       double units_per_bin)
{
	double skew = bin->pairs * largest_third_moment(bin, units_per_bin) * unit * unit * unit;
	double rounding = bin->pairs * unit / 3.46; /* uniform in +-unit/2 */

	if (r < NEAR) {
		error->skew_near += skew * skew;
		error->rounding_near += rounding * rounding;
		return;
	}
	error->skew += skew * skew;
	error->skew_over_r += skew / r * (skew / r);
	error->rounding_over_r += rounding / r * (rounding / r);
}

/* From the totals to a list of distances. Fails if pairs were lost. */
static sonde_status make_list(const struct histogram_run *run, double pairs_expected, struct distance_list *list,
			      struct histogram_error *error)
{
	const uint64_t *totals = run->totals_host;
	double unit = 1.0 / (run->bins_per_angstrom * run->units_per_bin);
	size_t filled = 0;
	uint64_t pairs = 0;

	for (uint64_t bin = 0; bin + 1 < run->bins; ++bin) {
		filled += totals[TOTAL_WORDS * bin] != 0;
		pairs += totals[TOTAL_WORDS * bin];
	}
	if ((double)pairs != pairs_expected)
		return status_fail(SONDE_INTERNAL, "the histogram has %llu pairs instead of %.0f",
				   (unsigned long long)pairs, pairs_expected);
	CHECK(memory_allocate(&list->r, 2 * filled + LIST_PADDING, sizeof(double), "the distances"));
	CHECK(memory_allocate(&list->weight_over_r, 2 * filled + LIST_PADDING, sizeof(double), "the distances"));
	for (uint64_t b = 0; b + 1 < run->bins; ++b) {
		if (totals[TOTAL_WORDS * b] == 0)
			continue;
		struct bin bin = read_bin(totals + TOTAL_WORDS * b);
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
	return SONDE_OK;
}

static sonde_status sum_list(sonde_context *context, const struct histogram_run *run, double pairs_expected,
			     const sonde_grid *q, double *row, struct histogram_error *error)
{
	struct distance_list list = {0};
	sonde_status status;

	CHECK_GOTO(status, make_list(run, pairs_expected, &list, error), done);
	for (int64_t k = 0; k < q->points; ++k)
		row[k] = list.coincident;
	CHECK_GOTO(status, sinc_sum_list(context, list.r, list.weight_over_r, list.count, q, row), done);
	if (q->first == 0.0)
		row[0] = pairs_expected;
done:
	free(list.r);
	free(list.weight_over_r);
	return status;
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
	for (int a = 0; a < sums->species; ++a) {
		for (int b = a; b < sums->species; ++b) {
			int pair = species_pair_index(sums->species, a, b);
			double m = (double)atoms->species[a].atoms, n = (double)atoms->species[b].atoms;
			CHECK_GOTO(status, count_pairs(&run, &arranged, a, b), done);
			CHECK_GOTO(status, device_read(run.device, &run.totals, 0, run.totals_host, run.totals.bytes),
				   done);
			CHECK_GOTO(status,
				   sum_list(context, &run, a == b ? m * (m - 1) / 2 : m * n, &sums->q,
					    sums->sums + pair * sums->q.points, &sums->errors[pair]),
				   done);
		}
	}
done:
	release(&run);
	arranged_atoms_free(&arranged);
	return status;
}

/* Buffers of sinc_sum_list(). */
struct list_run {
	struct device_buffer r, weight_over_r, scratch, partial;
	double *partial_host;
};

static sonde_status list_passes(sonde_context *context, struct device *device, struct list_run *run, uint32_t count,
				const sonde_grid *q, double *totals)
{
	struct device_kernel kernel;
	struct ordered_sum sums[Q_PASS] = {0};
	struct stage stage;
	uint32_t chunk = ENTRIES_PER_GROUP, groups = (count + chunk - 1) / chunk;
	uint32_t most_groups = device_launch_groups(device, GROUPS_PER_WORKER);
	double q_step = q->points > 1 ? (q->last - q->first) / (double)(q->points - 1) : 0.0;

	CHECK(device_kernel(device, &debye_program, "sinc_sum", &kernel));
	stage_begin(&stage, context, "histogram to pattern", "points", (double)q->points);
	for (int64_t first = 0; first < q->points; first += Q_PASS) {
		uint32_t q_count = (uint32_t)(q->points - first < Q_PASS ? q->points - first : Q_PASS);
		double q_first = grid_value(q, first);
		for (uint32_t k = 0; k < q_count; ++k)
			sums[k] = (struct ordered_sum){0.0, 0.0};
		for (uint32_t group = 0; group < groups; group += most_groups) {
			uint32_t now = groups - group < most_groups ? groups - group : most_groups;
			const struct device_argument arguments[] = {DEVICE_ARGUMENT(run->r.memory),
								    DEVICE_ARGUMENT(run->weight_over_r.memory),
								    DEVICE_ARGUMENT(count),
								    DEVICE_ARGUMENT(chunk),
								    DEVICE_ARGUMENT(group),
								    DEVICE_ARGUMENT(q_first),
								    DEVICE_ARGUMENT(q_step),
								    DEVICE_ARGUMENT(q_count),
								    DEVICE_ARGUMENT(run->scratch.memory),
								    DEVICE_ARGUMENT(run->partial.memory)};
			CHECK(device_launch(device, &kernel, now, arguments, 10));
			CHECK(device_read(device, &run->partial, 0, run->partial_host,
					  (size_t)now * q_count * sizeof(double)));
			ordered_sum_add_arrays(sums, run->partial_host, now, q_count);
			CHECK(stage_advance(&stage, (double)first + (double)q_count * (group + now) / groups));
		}
		for (uint32_t k = 0; k < q_count; ++k)
			totals[first + k] += ordered_sum_value(&sums[k]) / grid_value(q, first + k);
	}
	return SONDE_OK;
}

sonde_status sinc_sum_list(sonde_context *context, const double *r, const double *weight_over_r, uint32_t count,
			   const sonde_grid *q, double *totals)
{
	struct list_run run = {0};
	struct device *device;
	size_t bytes = ((size_t)count + LIST_PADDING) * sizeof(double);
	sonde_status status;

	CHECK(context_device(context, &device));
	size_t scratch = (size_t)device_workers(device) * device_work_items(device) * Q_PASS * WIDTH;
	size_t partial = (size_t)device_launch_groups(device, GROUPS_PER_WORKER) * Q_PASS;
	CHECK_GOTO(status, device_allocate(device, bytes, "the distances", &run.r), done);
	CHECK_GOTO(status, device_allocate(device, bytes, "the distances", &run.weight_over_r), done);
	CHECK_GOTO(status, device_allocate(device, scratch * sizeof(double), "partial sums", &run.scratch), done);
	CHECK_GOTO(status, device_allocate(device, partial * sizeof(double), "partial sums", &run.partial), done);
	CHECK_GOTO(status, memory_allocate(&run.partial_host, partial, sizeof(double), "partial sums"), done);
	CHECK_GOTO(status, device_write(device, &run.r, 0, r, bytes), done);
	CHECK_GOTO(status, device_write(device, &run.weight_over_r, 0, weight_over_r, bytes), done);
	status = list_passes(context, device, &run, count, q, totals);
done:
	device_release(device, &run.r);
	device_release(device, &run.weight_over_r);
	device_release(device, &run.scratch);
	device_release(device, &run.partial);
	free(run.partial_host);
	return status;
}
