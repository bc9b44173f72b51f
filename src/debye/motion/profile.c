/* The integrals of profile.h. Only the distances s of two atoms across the periodic directions matter; they are
 * counted in narrow bins, as those of the histogram: two distances at mean +- standard deviation stand for a bin. The
 * integrals to infinity have closed forms; those of m(r) w(r) below the cut-off become the sums over bins of r, whose
 * contents m(r) dr have closed forms as well.
 */
#include "debye/motion/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/threads.h"
#include "debye/motion/bessel.h"
#include "debye/motion/layers.h"
#include "device/kernel.h"
#include "device/kernel_math.h"

#define PHASE_OF_BIN 0.08 /* q r of a bin of r, at most: its fourth moment is off by 1e-7 */
#define CELLS_OF_BIN 2    /* of s: cells of a slab, whose differences have twice their width */
#define BIN_OF_S 2        /* bins of r: distances in one have third moments of both signs */
#define OFFSETS 0x1p20    /* in a bin of s */
#define SQUARES 0x1p12
#define MOST_WORKERS 16   /* with counts of their own */
#define MOST_BINS 4000000 /* of s */
#define ATOMS_OF_PART 64
#define NEAR_BINS 64 /* beyond s, in which m(r) of a rod is not smooth */
#define FAR_BINS 256 /* taken together */
#define NODES 4

/* Cycles of a core, of which a sum over sinc(qr) has those of the list in sinc_list.c. */
#define PAIR_CYCLES 16.0
#define BESSEL_CYCLES 14.0
#define CONTENT_CYCLES 12.0 /* of a bin of r and a distance s */
#define LIST_CYCLES 0.4     /* of a distance r and q */
#define ROUND 0.8           /* the extent of a rod in units of the diagonal */

static double width_across(const struct periodic *periodic)
{
	double across = 0.0;

	for (int k = 0; k < 3; ++k)
		across = periodic->open[k] ? hypot(across, periodic->height[k]) : across;
	return across;
}

/* Bins of r, the last of which ends with the distances that are counted. */
static double bins_up_to(double end, double last_q)
{
	return ceil(end * fmax(last_q, 1.0) / PHASE_OF_BIN);
}

/* Fails if the distances across a sample of this width take too many bins. They are those of q = 1 below it. */
static sonde_status check_bins(double extent, double end, double last_q)
{
	const double width = BIN_OF_S * end / bins_up_to(end, last_q), bins = floor(extent / width) + 2.0,
		     widest = MOST_BINS * BIN_OF_S * PHASE_OF_BIN, most = widest / extent;

	if (bins <= MOST_BINS)
		return SONDE_OK;
	if (most < 1.0)
		return status_fail(SONDE_INVALID,
				   "the sample is %.4g Angstrom wide across its periodic edges; at most %.2g are "
				   "possible; are the coordinates in Angstrom?",
				   extent, text_round_down(widest, 2));
	return status_fail_option(SONDE_INVALID, "q",
				  "%g 1/Angstrom across a slab or rod that is %.4g Angstrom wide across its periodic "
				  "edges takes %.3g bins of %.3g Angstrom, more than %d; end at %.3g at most",
				  last_q, extent, bins, width, MOST_BINS, text_round_down(most, 3));
}

sonde_status profile_check(const struct periodic *periodic, double last_q)
{
	return periodic->open_count == 0 ? SONDE_OK : check_bins(width_across(periodic), periodic->end, last_q);
}

double profile_cycles(const struct periodic *periodic, double atoms, int classes, const sonde_grid *q)
{
	const double class_pairs = 0.5 * classes * (classes + 1.0), pairs = 0.5 * atoms * atoms,
		     bins = periodic->cutoff * fmax(q->last, 1.0) / PHASE_OF_BIN,
		     width = BIN_OF_S * periodic->cutoff / bins, points = (double)q->points,
		     sums = 2.0 * LIST_CYCLES * class_pairs * 2.0 * bins * points; /* with and without damping */
	const double across = width_across(periodic);

	if (periodic->open_count == 1) {
		const double cells = CELLS_OF_BIN * across / width;
		return sums + layers_cycles(atoms, classes, cells,
					    fmin(cells, CELLS_OF_BIN * periodic->cutoff / width), points);
	}
	const double distances = fmin(pairs / class_pairs, 2.0 * ROUND * across / width),
		     beyond = fmax(0.5, 1.0 - 0.5 * ROUND * across / periodic->cutoff); /* of the bins */
	return PAIR_CYCLES * pairs + sums +
	       class_pairs * distances * (BESSEL_CYCLES * points + CONTENT_CYCLES * bins * beyond);
}

/* A bin of width w has a third central moment below w^3/10, so that a pair is off by (q w)^3/60 of its integral to infinity;
 * bins of s and of r, which are narrower. */
double profile_bound(const struct periodic *periodic, double atoms, double q, double last_q)
{
	const double phase = PHASE_OF_BIN * BIN_OF_S * q / fmax(last_q, 1.0),
		     integral = periodic->open_count == 2 ? PI / q : 2.0 * PI / (q * q);

	return phase * phase * phase / 30.0 * atoms * integral / periodic->content;
}

/* Distances across the periodic directions --------------------------------------------------------------------- */

struct across_bin {
	int64_t count, offsets, squares;
};

struct across {
	const struct periodic *periodic;
	const sonde_atoms *view;
	double axes[2][3]; /* unit vectors across: of a slab one, the other is 0 */
	double width;      /* of a bin of s */
	int64_t bins;
	double *place[2]; /* of each atom along the axes */
	int64_t *atoms;   /* in the order of their classes */
	int64_t *first;   /* of each class in that order */
	struct across_bin *counted[MOST_WORKERS];
	int a, b;
};

static void unit_along(const struct periodic *periodic, int k, double unit[3])
{
	for (int m = 0; m < 3; ++m)
		unit[m] = periodic->inverse[k][m] * periodic->height[k];
}

static sonde_status place_atoms(const struct debye_classes *classes, double last_q, struct across *across)
{
	const sonde_atoms *view = across->view;
	const size_t count = (size_t)view->count;
	double extent = 0.0;
	int axis = 0;

	for (int k = 0; k < 3; ++k)
		if (across->periodic->open[k])
			unit_along(across->periodic, k, across->axes[axis++]);
	for (int k = 0; k < 2; ++k) {
		CHECK(memory_allocate(&across->place[k], count, sizeof(double), "the profile"));
		double low = INFINITY, high = -INFINITY;
		for (size_t i = 0; i < count; ++i) {
			const double *r = view->positions + 3 * i, *unit = across->axes[k];
			across->place[k][i] = unit[0] * r[0] + unit[1] * r[1] + unit[2] * r[2];
			low = fmin(low, across->place[k][i]);
			high = fmax(high, across->place[k][i]);
		}
		extent = hypot(extent, high - low);
	}
	CHECK(check_bins(extent, across->periodic->end, last_q));
	across->bins = (int64_t)floor(extent / across->width) + 2;
	CHECK(memory_allocate(&across->atoms, count, sizeof *across->atoms, "the profile"));
	CHECK(memory_allocate(&across->first, (size_t)classes->count + 1, sizeof *across->first, "the profile"));
	for (int c = 0; c < classes->count; ++c)
		across->first[c + 1] = across->first[c] + view->species[c].atoms;
	for (int64_t i = 0; i < view->count; ++i)
		across->atoms[across->first[view->species_of[i]]++] = i;
	for (int c = classes->count; c > 0; --c)
		across->first[c] = across->first[c - 1];
	across->first[0] = 0;
	return SONDE_OK;
}

/* Integers, so that the sums do not depend on the order of the pairs. */
static void count_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct across *across = state;
	struct across_bin *counted = across->counted[worker];
	const bool like = across->a == across->b;

	for (int64_t n = first; n < end; ++n) {
		const int64_t i = across->atoms[across->first[across->a] + n];
		for (int64_t m = like ? across->first[across->a] + n + 1 : across->first[across->b];
		     m < across->first[across->b + 1]; ++m) {
			const int64_t j = across->atoms[m];
			const double x = across->place[0][j] - across->place[0][i],
				     y = across->place[1][j] - across->place[1][i],
				     s = sqrt(x * x + y * y) / across->width, bin = floor(s), offset = s - bin;
			struct across_bin *to = &counted[(int64_t)bin];
			++to->count;
			to->offsets += (int64_t)(offset * OFFSETS);
			to->squares += (int64_t)(offset * SQUARES) * (int64_t)(offset * SQUARES);
		}
	}
}

static sonde_status count_across(const sonde_context *context, struct across *across)
{
	int workers = context_threads(context);
	const int64_t count = across->first[across->a + 1] - across->first[across->a];

	workers = workers < MOST_WORKERS ? workers : MOST_WORKERS;
	for (int w = 0; w < workers; ++w) {
		if (across->counted[w] == NULL)
			CHECK(memory_allocate(&across->counted[w], (size_t)across->bins, sizeof **across->counted,
					      "the profile"));
		memset(across->counted[w], 0, (size_t)across->bins * sizeof **across->counted);
	}
	threads_for(workers, count, ATOMS_OF_PART, count_some, across);
	for (int w = 1; w < workers; ++w)
		for (int64_t n = 0; n < across->bins; ++n) {
			across->counted[0][n].count += across->counted[w][n].count;
			across->counted[0][n].offsets += across->counted[w][n].offsets;
			across->counted[0][n].squares += across->counted[w][n].squares;
		}
	return context_cancelled(context) ? status_fail(SONDE_CANCELLED, "stopped on request at the profile")
					  : SONDE_OK;
}

/* Of a class with itself an atom and its own images count half, as pairs do that are counted once. */
static sonde_status list_distances(const struct across *across, struct distances *list)
{
	list->count = 0;
	if (across->a == across->b)
		CHECK(distances_add(0.0, 0.5 * (double)across->view->species[across->a].atoms, list));
	for (int64_t n = 0; n < across->bins; ++n) {
		const struct across_bin *bin = &across->counted[0][n];
		if (bin->count == 0)
			continue;
		const double count = (double)bin->count, mean = (double)bin->offsets / (count * OFFSETS),
			     square = (double)bin->squares / (count * SQUARES * SQUARES),
			     floored = floor(mean * SQUARES) / SQUARES,
			     truncated = mean - 0.5 / SQUARES; /* the mean of the numbers whose squares these are */
		const bool one = square - floored * floored <= 2.0 / SQUARES; /* one distance */
		CHECK(distances_add_bin(((double)n + mean + 0.5 / OFFSETS) * across->width,
					one ? 0.0 : sqrt(fmax(0.0, square - truncated * truncated)) * across->width,
					count, list));
	}
	distances_sort(list);
	return SONDE_OK;
}

/* Mean numbers of pairs in bins of r ---------------------------------------------------------------------------- */

struct contents {
	double mass, first, second; /* moments about the middle of the bin */
};

struct filling {
	const struct periodic *periodic;
	const struct distances *list;
	struct contents *bins;
	double width;
};

static void add_content(double mass, double mean, double variance, double middle, struct contents *bin)
{
	const double offset = mean - middle;

	bin->mass += mass;
	bin->first += mass * offset;
	bin->second += mass * (variance + offset * offset);
}

/* m = 2 pi r/A between two ends */
static void add_disc(double weight, double area, double low, double high, double middle, struct contents *bin)
{
	const double c = 0.5 * (low + high), d = high - low;

	if (d > 0.0)
		add_content(weight * 2.0 * PI * c * d / area, c + d * d / (12.0 * c),
			    d * d / 12.0 - d * d * d * d / (144.0 * c * c), middle, bin);
}

/* Moments of m = r/sqrt(r^2 - s^2) near s, r = s + t^2. */
static void find_moments(double s, double low, double high, double *mean, double *variance)
{
	static const double nodes[NODES][2] = {{0.9602898564975363, 0.1012285362903763},
					       {0.7966664774136267, 0.2223810344533745},
					       {0.5255324099163290, 0.3137066458778873},
					       {0.1834346424956498, 0.3626837833783620}};
	const double from = sqrt(fmax(0.0, low - s)), to = sqrt(fmax(0.0, high - s));
	double mass = 0.0, first = 0.0, second = 0.0;

	for (int k = 0; k < 2 * NODES; ++k) {
		const double *node = nodes[k / 2];
		const double t = 0.5 * (from + to + (k % 2 == 0 ? -node[0] : node[0]) * (to - from));
		const double r = s + t * t, m = node[1] * 2.0 * r / sqrt(2.0 * s + t * t);
		mass += m;
		first += m * (r - low);
		second += m * (r - low) * (r - low);
	}
	*mean = low + first / mass;
	*variance = fmax(0.0, second / mass - (first / mass) * (first / mass));
}

/* m = 2 r/(c sqrt(r^2 - s^2)) */
static void add_near_line(double weight, double s, double low, double high, double middle, struct contents *bin)
{
	const double from = sqrt((low - s) * (low + s)), to = sqrt((high - s) * (high + s));
	double mean, variance;

	find_moments(s, low, high, &mean, &variance);
	add_content(weight * (high - low) * (high + low) / (from + to), mean, variance, middle, bin);
}

/* Bins far from s, at most FAR_BINS, with the variance of an even distribution: mean - c = -d^2/12 s^2/(c (c^2 - s^2)) for the middle
 * c and the width d. */
static void add_far_lines(double weight, double square, int64_t first, int64_t end, double d, struct contents *bins)
{
	const int many = (int)(end - first);
	double root[FAR_BINS + 1], mass[FAR_BINS], offset[FAR_BINS];

#pragma omp simd
	for (int k = 0; k <= many; ++k) {
		const double r = ((double)first + (double)k) * d;
		root[k] = sqrt(r * r - square);
	}
#pragma omp simd
	for (int k = 0; k < many; ++k) {
		const double c = ((double)first + (double)k + 0.5) * d, sum = root[k] + root[k + 1],
			     cube = c * (c * c - square), inverse = 1.0 / (sum * cube);
		mass[k] = weight * 2.0 * c * d * cube * inverse;
		offset[k] = -d * d / 12.0 * square * sum * inverse;
	}
	for (int k = 0; k < many; ++k)
		add_content(mass[k], offset[k], d * d / 12.0, 0.0, &bins[first + k]);
}

static void fill_disc(const struct filling *filling, int64_t n, double *below, size_t *next)
{
	const struct distances *list = filling->list;
	const double low = (double)n * filling->width, high = low + filling->width, middle = 0.5 * (low + high),
		     area = filling->periodic->content;

	add_disc(*below, area, low, high, middle, &filling->bins[n]);
	for (; *next < list->count && list->s[*next] < high; ++*next) {
		add_disc(list->weight[*next], area, list->s[*next], high, middle, &filling->bins[n]);
		*below += list->weight[*next];
	}
}

static void fill_line(const struct filling *filling, double s, double weight, int64_t first, int64_t end)
{
	const double width = filling->width, square = s * s;
	const int64_t own = (int64_t)(s / width), far = own + NEAR_BINS;
	int64_t n = first > own ? first : own;

	for (; n < end && n < far; ++n) {
		const double low = fmax(s, (double)n * width), high = ((double)n + 1.0) * width;
		if (high > low)
			add_near_line(weight, s, low, high, ((double)n + 0.5) * width, &filling->bins[n]);
	}
	for (; n < end; n += FAR_BINS)
		add_far_lines(weight, square, n, n + FAR_BINS < end ? n + FAR_BINS : end, width, filling->bins);
}

static void fill_lines(void *state, int64_t first, int64_t end, int worker)
{
	const struct filling *filling = state;
	const struct distances *list = filling->list;

	(void)worker;
	for (size_t k = 0; k < list->count && list->s[k] < (double)end * filling->width; ++k)
		fill_line(filling, list->s[k], list->weight[k] * 2.0 / filling->periodic->content, first, end);
}

/* The integrals ------------------------------------------------------------------------------------------------- */

struct profile {
	sonde_context *context;
	struct pair_sums *sums;
	struct sinc_list *sinc;
	struct layers *layers;       /* of a slab */
	struct bessel_table *bessel; /* of a rod */
	struct distances list;
	struct contents *bins;
	double *r, *weight_over_r, *totals;
	int64_t bin_count;
	double width;
};

static void fill_bins(struct profile *profile)
{
	struct filling filling = {profile->sums->periodic, &profile->list, profile->bins, profile->width};
	const int threads = context_threads(profile->context);
	double below = 0.0;
	size_t next = 0;

	memset(profile->bins, 0, (size_t)profile->bin_count * sizeof *profile->bins);
	if (profile->sums->periodic->open_count == 2)
		threads_for(threads, profile->bin_count, threads_grain(threads, profile->bin_count), fill_lines,
			    &filling);
	for (int64_t n = 0; n < profile->bin_count && profile->sums->periodic->open_count == 1; ++n)
		fill_disc(&filling, n, &below, &next);
}

/* The two distances that stand for each bin, times w. */
static uint32_t list_bins(const struct periodic *periodic, struct profile *profile)
{
	uint32_t count = 0;

	for (int64_t n = 0; n < profile->bin_count; ++n) {
		const struct contents *bin = &profile->bins[n];
		if (!(bin->mass > 0.0))
			continue;
		const double offset = bin->first / bin->mass, variance = bin->second / bin->mass - offset * offset,
			     middle = ((double)n + 0.5) * profile->width + offset,
			     deviation = sqrt(fmax(0.0, variance));
		for (int side = -1; side <= 1; side += 2) {
			const double r = fmax(middle + side * deviation, 1e-100);
			profile->r[count] = r;
			profile->weight_over_r[count++] = 0.5 * bin->mass * periodic_factor(periodic, r) / r;
		}
	}
	memset(profile->r + count, 0, LIST_PADDING * sizeof(double));
	memset(profile->weight_over_r + count, 0, LIST_PADDING * sizeof(double));
	return count;
}

static void integrate_rods(void *state, int64_t first, int64_t end, int worker)
{
	const struct profile *profile = state;
	const struct distances *list = &profile->list;

	(void)worker;
	for (int64_t k = first; k < end; ++k) {
		const double q = pair_sums_q(profile->sums, k);
		double sum = 0.0;
		for (size_t n = 0; n < list->count; ++n)
			sum += list->weight[n] * bessel_table_j0(profile->bessel, q * list->s[n]);
		profile->totals[k] = sum * PI / (q * profile->sums->periodic->content);
	}
}

static void integrate_to_infinity(const struct profile *profile, int a, int b)
{
	const int64_t points = profile->sums->q.points;
	const int threads = context_threads(profile->context);

	if (profile->layers == NULL)
		threads_for(threads, points, threads_grain(threads, points), integrate_rods, (void *)profile);
	for (int64_t k = 0; k < points && profile->layers != NULL; ++k) {
		const double q = pair_sums_q(profile->sums, k);
		profile->totals[k] = layers_intensity(profile->layers, a, b, k) * 2.0 * PI /
				     (q * q * profile->sums->periodic->content);
	}
}

/* Subtracts the integral over these bins with the factor w of these sums. */
static sonde_status subtract_bins(struct profile *profile, const struct pair_sums *sums, double *row)
{
	const int64_t points = sums->q.points;
	const uint32_t count = list_bins(sums->periodic, profile);

	memset(profile->totals, 0, (size_t)points * sizeof(double));
	CHECK(sums->q_values != NULL ? sinc_list_add_at(profile->sinc, profile->r, profile->weight_over_r, count,
							sums->q_values, points, profile->totals)
				     : sinc_list_add(profile->sinc, profile->r, profile->weight_over_r, count,
						     &sums->q, profile->totals));
	for (int64_t k = 0; k < points; ++k)
		row[k] -= profile->totals[k];
	return SONDE_OK;
}

/* Adds the sums of two classes to their row, and to that of the undamped sums. */
static sonde_status add_pair(struct profile *profile, int a, int b, int64_t row)
{
	struct pair_sums *sums = profile->sums, *undamped = sums->undamped;
	const int64_t points = sums->q.points;

	integrate_to_infinity(profile, a, b);
	for (int64_t k = 0; k < points; ++k) {
		sums->sums[row + k] += profile->totals[k];
		if (undamped != NULL)
			undamped->sums[row + k] += profile->totals[k];
	}
	fill_bins(profile);
	CHECK(subtract_bins(profile, sums, sums->sums + row));
	if (undamped != NULL)
		CHECK(subtract_bins(profile, undamped, undamped->sums + row));
	return context_cancelled(profile->context) ? status_fail(SONDE_CANCELLED, "stopped on request at the profile")
						   : SONDE_OK;
}

static sonde_status allocate(struct profile *profile)
{
	const double end = profile->sums->periodic->end;
	const size_t bins = (size_t)bins_up_to(end, profile->sums->q.last), size = 2 * bins + LIST_PADDING;

	profile->bin_count = (int64_t)bins;
	profile->width = end / (double)bins;
	CHECK(memory_allocate(&profile->bins, bins, sizeof *profile->bins, "the profile"));
	CHECK(memory_allocate(&profile->r, size, sizeof(double), "the profile"));
	CHECK(memory_allocate(&profile->weight_over_r, size, sizeof(double), "the profile"));
	return memory_allocate(&profile->totals, (size_t)profile->sums->q.points, sizeof(double), "the profile");
}

static void across_free(struct across *across)
{
	for (int w = 0; w < MOST_WORKERS; ++w)
		free(across->counted[w]);
	free(across->place[0]);
	free(across->place[1]);
	free(across->atoms);
	free(across->first);
}

static sonde_status prepare_integrals(const struct debye_classes *classes, const struct across *across,
				      struct profile *profile)
{
	const double reach = across->width * (double)across->bins;

	if (profile->sums->periodic->open_count == 2)
		return bessel_table_create(profile->sums->q.last * reach, &profile->bessel);
	CHECK(layers_create(classes, across->place[0], across->atoms, across->first, across->width / CELLS_OF_BIN,
			    CELLS_OF_BIN * across->bins, &profile->layers));
	return layers_amplitudes(profile->context, profile->layers, profile->sums);
}

static sonde_status find_distances(struct across *across, struct profile *profile)
{
	if (profile->layers != NULL)
		return layers_distances(profile->context, profile->layers, across->a, across->b,
					profile->sums->periodic->end, &profile->list);
	CHECK(count_across(profile->context, across));
	return list_distances(across, &profile->list);
}

static sonde_status add_pairs(const struct debye_classes *classes, struct across *across, struct profile *profile)
{
	CHECK(allocate(profile));
	across->width = profile->width * BIN_OF_S;
	CHECK(place_atoms(classes, profile->sums->q.last, across));
	CHECK(prepare_integrals(classes, across, profile));
	for (across->a = 0; across->a < classes->count; ++across->a)
		for (across->b = across->a; across->b < classes->count; ++across->b) {
			CHECK(find_distances(across, profile));
			CHECK(add_pair(profile, across->a, across->b,
				       species_pair_index(classes->count, across->a, across->b) *
					   profile->sums->q.points));
		}
	return SONDE_OK;
}

sonde_status debye_add_profile(sonde_context *context, const struct debye_classes *classes, struct pair_sums *sums)
{
	const struct device_settings settings = context_settings(context);
	struct profile profile = {.context = context, .sums = sums};
	struct across across = {.periodic = sums->periodic, .view = &classes->view};
	struct device *host = NULL;
	sonde_status status;

	if (sums->profiled)
		return SONDE_OK;
	/* a GPU gains nothing, and has the same bits */
	CHECK_GOTO(status, device_open("cpu", &settings, &host), done);
	CHECK_GOTO(status, sinc_list_create(context, host, &profile.sinc), done);
	status = add_pairs(classes, &across, &profile);
	if (sums->undamped != NULL)
		sums->undamped->profiled = true;
done:
	across_free(&across);
	sinc_list_free(&profile.sinc);
	device_close(&host);
	distances_free(&profile.list);
	layers_free(&profile.layers);
	bessel_table_free(&profile.bessel);
	free(profile.bins);
	free(profile.r);
	free(profile.weight_over_r);
	free(profile.totals);
	return status;
}
