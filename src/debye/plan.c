/* The plan, made and checked before any work: tables, method, bins, memory. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/threads.h"
#include "debye/curves/amplitudes.h"
#include "debye/classes/classes.h"
#include "debye/curves/comparison.h"
#include "debye/curves/compton.h"
#include "debye/curves/curve_columns.h"
#include "debye/curves/derived_curves.h"
#include "debye/kernels/histogram_layout.h"
#include "debye/motion/profile.h"
#include "debye/points/resampling.h"
#include "debye/curves/resolved_curve.h"
#include "debye/kernels/series_layout.h"
#include "debye/sums/windows.h"
#include "parallel/parallel.h"

#define PARALLEL_ATOMS 20000        /* fewer are handled by one thread */
#define QUICK 1.0                   /* seconds: below, auto sums exactly */
#define BIN_WIDTH_TIMES_Q 0.042     /* at a tolerance of 1e-6; the error grows with its cube */
#define LARGEST_PHASE 1e8           /* q r: half of the range of the kernels' sine */
#define WIDEST_BIN 0.1              /* limit of the option */
#define WIDEST_PHASE 2.0            /* q times the bin width: beyond, moments are not sufficient */
#define MOST_BINS 1e9               /* two distances per bin are numbered by 32 bits */
#define LARGEST_UNITS 2e15          /* units of a distance, below 2^51 */
#define MOST_FRACTION_BITS 8.0      /* of a unit: coordinates of periodic samples */
#define PERIODIC_LISTS 5e7          /* bytes of lists of pairs of tiles */
#define PERIODIC_RATE 3e8           /* pairs per second and core: others, beyond the cut-off, are looked at as well */
#define MOST_TRANSFORM 1e11         /* points of q times points of r */
#define LATTICE_VECTORS 1e8         /* bytes of a list of vectors, twice, and on the device */
#define LATTICE_BYTES_PER_BIN 144.0 /* totals twice, distances and weights twice, and on the device */

/* The bounding box of some atoms; each worker has its own. */
struct extent {
	const double *positions;
	double (*low)[3], (*high)[3];
};

static void grow_extent(void *state, int64_t first, int64_t end, int worker)
{
	const struct extent *extent = state;
	double low[3], high[3]; /* of its own: the workers' are adjacent in memory */

	memcpy(low, extent->low[worker], sizeof low);
	memcpy(high, extent->high[worker], sizeof high);
	for (int64_t i = first; i < end; ++i)
		for (int k = 0; k < 3; ++k) {
			double r = extent->positions[3 * i + k];
			low[k] = r < low[k] ? r : low[k];
			high[k] = r > high[k] ? r : high[k];
		}
	memcpy(extent->low[worker], low, sizeof low);
	memcpy(extent->high[worker], high, sizeof high);
}

#define MOST_WORKERS 64

/* Diagonal of the bounding box of the atoms. */
static double find_extent(const sonde_context *context, const sonde_atoms *atoms)
{
	double low[MOST_WORKERS][3], high[MOST_WORKERS][3], squares = 0.0;
	struct extent extent = {atoms->positions, low, high};
	int workers = context_threads(context) < MOST_WORKERS ? context_threads(context) : MOST_WORKERS;

	for (int w = 0; w < workers; ++w)
		for (int k = 0; k < 3; ++k)
			low[w][k] = high[w][k] = atoms->positions[k];
	threads_for(workers, atoms->count, PARALLEL_ATOMS, grow_extent, &extent);
	for (int k = 0; k < 3; ++k) {
		for (int w = 1; w < workers; ++w) {
			low[0][k] = fmin(low[0][k], low[w][k]);
			high[0][k] = fmax(high[0][k], high[w][k]);
		}
		squares += (high[0][k] - low[0][k]) * (high[0][k] - low[0][k]);
	}
	return sqrt(squares);
}

/* The largest distance, and the number of pairs. */
static void plan_pairs(const sonde_context *context, const sonde_atoms *atoms, double known_extent,
		       struct debye_plan *plan)
{
	const double count = (double)atoms->count;

	plan->extent = plan->periodic.on          ? plan->periodic.cutoff
		       : atoms->positions != NULL ? find_extent(context, atoms)
						  : known_extent;
	plan->pairs = plan->periodic.on ? 0.5 * count * periodic_neighbors(&plan->periodic, count)
					: 0.5 * count * (count - 1.0);
}

/* The largest power of two that meets the tolerance: bins of 2^-9 Angstrom at q = 20 and 1e-6. Two limits: the
 * error of the bins grows as (q width)^3; distances are rounded to 2^-21 of a bin, which for large crystals was
 * measured to cause errors up to 1e-7 at 0.002 Angstrom, at any q. */
static double choose_bin_width(const sonde_debye_options *options)
{
	double tolerance = options->tolerance;
	double by_moments = BIN_WIDTH_TIMES_Q * cbrt(tolerance / 1e-6) / fmax(options->q.last, 0.1);
	double by_rounding = 0.002 * fmin(10.0, fmax(fmin(1.0, tolerance / 4e-8), tolerance / 1e-6));

	return exp2(floor(log2(fmin(by_moments, by_rounding))));
}

double cost_in_points(const struct debye_plan *plan)
{
	const struct debye_points *points = &plan->points;
	struct resampling resampling;

	/* sums with a motion compute the points of any spacing in about the same time, and are not resampled */
	if (points->uniform || plan->motion != NULL)
		return (double)points->all;
	if (resampling_choose(points->q, points->all, plan->extent, &resampling))
		return (double)resampling.grid.points;
	return points_cost(points->q, points->all);
}

#define COST_WITH_MOTION 6.0 /* exponential functions, and more multiplications */

double cost_of_term(const struct debye_plan *plan)
{
	return plan->motion != NULL ? COST_WITH_MOTION : 1.0;
}

/* Approximate seconds of the methods on one core, by the rates of docs/debye.md. Constants, so that the choice does
 * not depend on the machine. */
static double exact_seconds(const sonde_atoms *atoms, const struct debye_plan *plan)
{
	double species_pairs = species_pair_count(atoms->species_count);

	return plan->pairs * cost_in_points(plan) * cost_of_term(plan) / 2e10 + species_pairs * 1e-5;
}

static double histogram_seconds(const sonde_atoms *atoms, const struct debye_plan *plan)
{
	double species_pairs = species_pair_count(atoms->species_count);
	double bins = (double)plan->bin_count, entries = fmin(plan->pairs, 2.0 * bins * species_pairs);

	/* for every pair of species bins are cleared, transferred and read */
	return plan->pairs / 1e9 + entries * cost_in_points(plan) * cost_of_term(plan) / 1e10 +
	       species_pairs * bins * 2e-8;
}

/* Seconds on one core before the bins are known. */
static double cpu_seconds(const sonde_atoms *atoms, const struct debye_plan *plan)
{
	double exact = exact_seconds(atoms, plan), histogram = plan->pairs / 1e9;

	switch (plan->options.method) {
	case SONDE_DEBYE_METHOD_EXACT:
		return exact;
	case SONDE_DEBYE_METHOD_HISTOGRAM:
		return histogram;
	default:
		return fmin(exact, histogram);
	}
}

static void size_text(double bytes, char *buffer, size_t size)
{
	if (bytes < 1e6)
		snprintf(buffer, size, "%.0f kB", ceil(bytes / 1e3));
	else if (bytes < 1e9)
		snprintf(buffer, size, "%.0f MB", ceil(bytes / 1e6));
	else
		snprintf(buffer, size, "%.1f GB", bytes / 1e9);
}

double debye_curves_memory(const sonde_atoms *atoms, const struct debye_plan *plan)
{
	const double pairs = species_pair_count(atoms->species_count), q = (double)plan->options.q.points;
	const double rows =
	    (plan->options.partials == SONDE_DEBYE_PARTIALS_SPECIES ? 5.0 : 7.0) + (plan->periodic.on ? 1.0 : 0.0);
	double curves = (rows * pairs + 2.0 * atoms->species_count + 10.0) * q * 8.0 +
			24.0 * (double)plan->options.r.points + derived_curves_count(&plan->options) * q * 8.0;

	if (plan->options.displacement[0] != '\0')
		curves += atoms->species_count * q * 8.0;
	if (plan->options.counts)
		curves += 16.0 * pairs * (double)plan->bin_count;
	return curves;
}

/* Bytes of a histogram run except those that grow with the bins. */
static double memory_without_bins(const sonde_atoms *atoms, const struct debye_plan *plan, uint32_t workers)
{
	double curves = debye_curves_memory(atoms, plan);

	if (plan->motion != NULL)
		curves += (plan->motion->tensors != NULL ? 12.0 : 2.0) * 8.0 * (double)atoms->count;
	/* two arrays of sort entries, or one and a copy of the coordinates, and one on the device */
	const double lists = plan->periodic.on ? PERIODIC_LISTS : 0.0;
	const bool windows = plan->options.method == SONDE_DEBYE_METHOD_EXACT && !plan->periodic.on &&
			     windows_suit(plan->pairs, plan->options.q.points, atoms->species_count, plan->extent);
	const double of_atom = plan->options.method == SONDE_DEBYE_METHOD_LATTICE ? 0.0 : 64.0;
	return (double)atoms->count * of_atom + curves + workers * 64.0 * Q_PASS * 8.0 * 3.0 + lists +
	       (windows ? windows_memory(plan->pairs) : 0.0) + 1e6;
}

/* Slabs of the workers, totals twice, distances and weights of every bin twice, and twice on the device. */
static double memory_per_bin(uint32_t workers)
{
	return 16.0 * workers + 2.0 * 32.0 + 64.0;
}

/* Each thread has its own histogram: as many threads as fit into memory. False if not even one fits. */
static bool use_fewer_threads(sonde_context *context, const sonde_atoms *atoms, uint32_t workers, double allowed,
			      struct debye_plan *plan)
{
	for (uint32_t fewer = workers; fewer-- > 1;) {
		double needed =
		    memory_without_bins(atoms, plan, fewer) + memory_per_bin(fewer) * (double)plan->bin_count;
		if (needed > allowed)
			continue;
		plan->memory = (uint64_t)needed;
		plan->workers = fewer;
		context_notef(context,
			      "the allowed memory holds histograms of %.3g bins for %u of %u threads; wider bins "
			      "(`bin_width`) would use more",
			      (double)plan->bin_count, fewer, workers);
		return true;
	}
	return false;
}

/* Reports the replacement of an automatic choice that does not fit into memory. */
static void note_exact(sonde_context *context, const struct debye_plan *plan)
{
	context_notef(context,
		      "the allowed memory does not hold the faster histogram: every pair is summed "
		      "instead, %.2g "
		      "terms; more %s or a wider `bin_width`",
		      plan->pairs * (double)plan->options.q.points,
		      context_memory(context) < context_host_memory(context) ? OPTION_NAME("memory")
									     : OPTION_NAME("host_memory"));
}

/* Advice for many species due to many occupancies: each pair of classes has sums at all points of q. `atoms` have
 * classes as species, those of one label consecutively. */
static const char *class_advice(const sonde_atoms *atoms, char *advice, size_t size)
{
	int labels = atoms->species_count > 0;

	for (int s = 1; s < atoms->species_count; ++s)
		labels += strcmp(atoms->species[s].label, atoms->species[s - 1].label) != 0;
	advice[0] = '\0';
	if (labels < atoms->species_count)
		snprintf(
		    advice, size,
		    "occupancies with fewer digits (%d classes of one species and one occupancy are summed pair by "
		    "pair), ",
		    atoms->species_count);
	return advice;
}

static sonde_status check_memory(sonde_context *context, const sonde_atoms *atoms, struct debye_plan *plan)
{
	struct device *device;
	double needed, allowed;
	bool histogram = plan->options.method == SONDE_DEBYE_METHOD_HISTOGRAM;
	char needed_text[32], allowed_text[32], less_text[32], advice[160];

	CHECK(context_device(context, &device));
	allowed = (double)context_memory(context);
	/* slabs of workers of the CPU are in main memory */
	uint32_t workers = device_properties(device)->gpu_kernels ? 0 : device_workers(device);
	double fixed = memory_without_bins(atoms, plan, workers);
	needed = fixed + (histogram ? memory_per_bin(workers) * (double)plan->bin_count : 0.0);
	if (plan->options.method == SONDE_DEBYE_METHOD_LATTICE)
		needed += plan->bin_count > 0 ? LATTICE_BYTES_PER_BIN * (double)plan->bin_count : LATTICE_VECTORS;
	plan->memory = (uint64_t)needed;
	if (needed <= allowed)
		return SONDE_OK;
	if (histogram && use_fewer_threads(context, atoms, workers, allowed, plan))
		return SONDE_OK;
	size_text(needed, needed_text, sizeof needed_text);
	size_text(allowed, allowed_text, sizeof allowed_text);
	size_text(fixed, less_text, sizeof less_text);
	if (!histogram || fixed > allowed)
		return status_fail(SONDE_INVALID,
				   "not enough memory: this run needs %s and %s are allowed; %sfewer atoms, "
				   "species or points of q would fit",
				   histogram ? less_text : needed_text, allowed_text,
				   class_advice(atoms, advice, sizeof advice));
	double room = (allowed - fixed) / memory_per_bin(1),
	       width = 1.01 * fmax(plan->bin_width, plan->extent / room);
	char wider[96] = "";
	if (width <= WIDEST_BIN)
		snprintf(
		    wider, sizeof wider,
		    OPTION_VALUE("threads", "1") " " OPTION_VALUE("bin_width", "%.2g") " would fit, and so would ",
		    width);
	return status_fail(SONDE_INVALID,
			   "not enough memory: the histogram of %.3g bins on %u threads needs %s and %s are "
			   "allowed; %s`method exact`%s (%s)",
			   (double)plan->bin_count, workers, needed_text, allowed_text, wider,
			   wider[0] != '\0' ? "" : " would fit", less_text);
}

sonde_status debye_plan_bins(struct debye_plan *plan)
{
	plan->bin_width = plan->options.bin_width > 0.0 ? plan->options.bin_width : choose_bin_width(&plan->options);
	if (plan->bin_width * plan->options.q.last > WIDEST_PHASE)
		return status_fail_option(SONDE_INVALID, "bin_width",
					  "bins of %g Angstrom are too wide for q = %g 1/Angstrom; at most %.2g",
					  plan->bin_width, plan->options.q.last,
					  text_round_down(WIDEST_PHASE / plan->options.q.last, 2));
	const bool periodic = plan->periodic.on;
	double bins = periodic ? ceil(plan->extent / plan->bin_width) : plan->extent / plan->bin_width + 2.0;
	double units =
	    (periodic ? periodic_reach(&plan->periodic) : plan->extent) / plan->bin_width * (1 << OFFSET_BITS);

	if (bins <= MOST_BINS && units > LARGEST_UNITS)
		return status_fail_option(
		    SONDE_INVALID, "bin_width",
		    "coordinates of a sample and its images across %.3g Angstrom are too large "
		    "for bins of %g Angstrom; use `method exact` or bins of at least %.2g Angstrom",
		    units / (1 << OFFSET_BITS) * plan->bin_width, plan->bin_width,
		    1.05 * plan->bin_width * units / LARGEST_UNITS);
	if (bins > MOST_BINS)
		return status_fail_option(SONDE_INVALID, "bin_width",
					  "%.3g bins of %g Angstrom for a sample of %g Angstrom are too "
					  "many; use wider bins or `method exact`",
					  bins, plan->bin_width, plan->extent);
	plan->bin_count = (int64_t)bins;
	plan->fractions =
	    periodic ? exp2(fmax(0.0, fmin(MOST_FRACTION_BITS, floor(log2(LARGEST_UNITS / units))))) : 0.0;
	return SONDE_OK;
}

static void plan_exact(struct debye_plan *plan)
{
	plan->options.method = SONDE_DEBYE_METHOD_EXACT;
	plan->bin_width = 0.0;
	plan->bin_count = 0;
}

static sonde_status plan_periodic(struct debye_plan *plan)
{
	sonde_debye_options *options = &plan->options;

	const bool automatic = options->method == SONDE_DEBYE_METHOD_AUTO;

	if (automatic)
		options->method = plan->motion != NULL && plan->motion->tensors != NULL
				      ? SONDE_DEBYE_METHOD_EXACT
				      : SONDE_DEBYE_METHOD_HISTOGRAM;
	if (options->method == SONDE_DEBYE_METHOD_LATTICE)
		return status_fail_option(SONDE_INVALID, "method",
					  "this method is for clusters; a periodic sample takes `method "
					  "histogram` or `method exact`, or `method reference` for checks");
	if (options->method != SONDE_DEBYE_METHOD_HISTOGRAM)
		return SONDE_OK;
	const sonde_status status = debye_plan_bins(plan);
	if (status != SONDE_OK && automatic && options->bin_width == 0.0) {
		plan_exact(plan);
		return SONDE_OK;
	}
	return status;
}

double debye_plan_seconds(const sonde_atoms *atoms, const struct debye_plan *plan)
{
	return plan->options.method == SONDE_DEBYE_METHOD_EXACT ? exact_seconds(atoms, plan)
								: histogram_seconds(atoms, plan);
}

bool debye_plan_is_quick(const sonde_atoms *atoms, const struct debye_plan *plan)
{
	return exact_seconds(atoms, plan) <= QUICK;
}

/* The faster method; exact sums if they are fast. */
static void plan_automatically(const sonde_atoms *atoms, struct debye_plan *plan)
{
	plan->automatic = true;
	if (plan->motion != NULL && plan->motion->tensors != NULL) {
		plan_exact(plan);
		return;
	}
	plan->options.method = SONDE_DEBYE_METHOD_HISTOGRAM;
	if (debye_plan_bins(plan) != SONDE_OK || exact_seconds(atoms, plan) <= QUICK ||
	    histogram_seconds(atoms, plan) >= exact_seconds(atoms, plan))
		plan_exact(plan);
}

/* float32 is for exact sums on GPUs, except those with faster matrix products in float64. */
static sonde_status plan_precision(sonde_context *context, struct debye_plan *plan)
{
	struct device **devices;
	int count;
	bool gpus = plan->options.method == SONDE_DEBYE_METHOD_EXACT, all_matrix = true;

	CHECK(context_devices(context, &devices, &count));
	for (int k = 0; k < count; ++k) {
		if (devices[k] == NULL)
			continue;
		const struct device_properties *has = device_properties(devices[k]);
		gpus &= has->gpu_kernels && !has->fixed_kernels;
		all_matrix &= has->matrix_f64;
	}
	uint64_t exact_only = !gpus || all_matrix; /* ranks */
	CHECK(parallel_sum(context_ranks(context), &exact_only, 1));
	if (exact_only > 0 || plan->motion != NULL || plan->periodic.on)
		plan->options.precision = SONDE_DEBYE_PRECISION_FLOAT64;
	return SONDE_OK;
}

/* Without atoms there is one method. */
static sonde_status plan_for_lattice(struct debye_plan *plan)
{
	if (plan->options.method != SONDE_DEBYE_METHOD_AUTO && plan->options.method != SONDE_DEBYE_METHOD_LATTICE)
		return status_fail_option(
		    SONDE_INVALID, "method",
		    "this sample is a lattice without a list of atoms, which only `method lattice` "
		    "can sum");
	plan->options.method = SONDE_DEBYE_METHOD_LATTICE;
	return SONDE_OK;
}

/* What the sums can do with a factor of each pair. */
static sonde_status check_motion(const struct debye_plan *plan)
{
	const sonde_debye_options *options = &plan->options;
	const struct pair_motion *motion = plan->motion;

	if (motion == NULL || motion->tensors == NULL)
		return SONDE_OK;
	if (options->counts || options->method == SONDE_DEBYE_METHOD_HISTOGRAM)
		return status_fail_option(SONDE_INVALID, options->counts ? "counts" : "method",
					  "a histogram has the distances of pairs only, and the mean square "
					  "displacements of this sample are "
					  "%s; choose `method exact`%s",
					  motion->anisotropic ? "tensors"
							      : "different for more than 64 kinds of atoms",
					  options->counts ? " and no counts" : "");
	return SONDE_OK;
}

static sonde_status plan_method(const sonde_atoms *atoms, struct debye_plan *plan)
{
	const sonde_debye_options *options = &plan->options;

	if (atoms->positions == NULL && atoms->owner == NULL)
		CHECK(plan_for_lattice(plan));
	if (options->density > 0.0 && !options->counts && !plan->periodic.on)
		CHECK(curve_columns_need_r(options));
	if (options->counts && options->method == SONDE_DEBYE_METHOD_AUTO)
		plan->options.method = SONDE_DEBYE_METHOD_HISTOGRAM;
	if (options->counts && options->method != SONDE_DEBYE_METHOD_HISTOGRAM &&
	    options->method != SONDE_DEBYE_METHOD_LATTICE)
		return status_fail_option(
		    SONDE_INVALID, "counts",
		    "only the histogram has them; use `method histogram`, or `method lattice` for crystals");
	if (plan->periodic.on)
		return plan_periodic(plan);
	if (plan->options.method == SONDE_DEBYE_METHOD_AUTO)
		plan_automatically(atoms, plan);
	else if (plan->options.method == SONDE_DEBYE_METHOD_HISTOGRAM)
		return debye_plan_bins(plan);
	return SONDE_OK;
}

void debye_plan_free(struct debye_plan *plan)
{
	debye_points_free(&plan->points);
}

/* *lacking: on any rank, since all of them need the same plan. */
static sonde_status check_all_memory(sonde_context *context, const sonde_atoms *atoms, struct debye_plan *plan,
				     bool *lacking)
{
	const sonde_status status = check_memory(context, atoms, plan);
	uint64_t ranks = status == SONDE_INVALID;

	if (status != SONDE_OK && status != SONDE_INVALID)
		return status;
	CHECK(parallel_sum(context_ranks(context), &ranks, 1));
	*lacking = ranks > 0;
	return status;
}

sonde_status debye_plan_settle(sonde_context *context, const sonde_atoms *atoms, struct debye_plan *plan)
{
	bool may_change = plan->automatic && plan->options.method != SONDE_DEBYE_METHOD_EXACT, lacking = false;
	sonde_status status = check_all_memory(context, atoms, plan, &lacking);

	/* the bins of lattices are narrower than those of the histogram */
	if (lacking && plan->options.method == SONDE_DEBYE_METHOD_LATTICE) {
		CHECK(debye_plan_bins(plan));
		status = check_all_memory(context, atoms, plan, &lacking);
	}
	if (lacking && may_change) {
		plan_exact(plan);
		status = check_all_memory(context, atoms, plan, &lacking);
		if (!lacking)
			note_exact(context, plan);
	}
	CHECK(parallel_agree(context_ranks(context), status));
	CHECK(plan_precision(context, plan));
	return parallel_agree_on(context_ranks(context), SONDE_OK,
				 (uint64_t)plan->options.method << 8 | (uint64_t)plan->options.precision);
}

/* What is possible for samples that repeat along one or two edges. */
static sonde_status check_slab(const struct debye_plan *plan)
{
	const bool slab = plan->periodic.open_count == 1;

	if (plan->periodic.open_count == 0)
		return SONDE_OK;
	if (plan->motion != NULL)
		return status_fail_option(SONDE_INVALID, "displacement",
					  "tensors and correlated motion are possible for clusters and for samples "
					  "that repeat along three edges; this one is a %s",
					  slab ? "slab" : "rod");
	return plan->points.q[0] > 0.0
		   ? SONDE_OK
		   : status_fail_option(SONDE_INVALID, "q",
					"an infinite %s scatters as 1/q%s at small q, without limit at q = 0; begin "
					"above 0",
					slab ? "slab" : "rod", slab ? "^2" : "");
}

sonde_status debye_plan_make(sonde_context *context, const struct debye_classes *classes, double extent, bool further,
			     const sonde_debye_options *given, struct debye_plan *plan)
{
	const sonde_atoms *atoms = &classes->summed;
	sonde_debye_options defaults;

	*plan = (struct debye_plan){.motion = classes->motion};
	CHECK(options_complete(&debye_option_table, given, &plan->options));
	const sonde_debye_options *options = &plan->options;
	CHECK(options_check(&debye_option_table, options));
	if (atoms->count == 0)
		return status_fail(SONDE_INVALID, "%s: the sample has no atoms: nothing scatters",
				   atoms->source.bytes != NULL ? atoms->source.bytes : "sample");
	if (atoms->count > UINT32_MAX - 1024)
		return status_fail(SONDE_INVALID, "the sample has %lld atoms; the limit is %u",
				   (long long)atoms->count, UINT32_MAX - 1024);
	CHECK(check_motion(plan));
	CHECK(periodic_plan(context, atoms, &plan->options, &plan->periodic));
	options_set_defaults(&debye_option_table, &defaults);
	CHECK(debye_points_make(&defaults.q, &plan->options, &plan->points));
	CHECK(check_slab(plan));
	CHECK(profile_check(&plan->periodic, plan->points.q[plan->points.all - 1]));
	CHECK(comparison_check(options));
	CHECK(compton_check(options));
	const struct column_labels labels = {.of_atoms = atoms->species,
					     .count = atoms->species_count,
					     .blocks = (const char(*)[SONDE_LABEL_SIZE])classes->blocks.names,
					     .block_count = classes->blocks.count};
	CHECK(curve_columns_check(options->columns, &labels, options));
	CHECK(derived_curves_check(options, column_labels_different(&labels)));
	CHECK(debye_choose_table(context, plan));
	plan_pairs(context, atoms, extent, plan);
	CHECK(resolved_curve_plan(plan));
	if (plan->extent * options->q.last > LARGEST_PHASE)
		return status_fail_option(SONDE_INVALID, "q",
					  "q = %g 1/Angstrom across a sample of %g Angstrom is a phase above %g; are "
					  "the coordinates in Angstrom?",
					  options->q.last, plan->extent, LARGEST_PHASE);
	if ((double)options->q.points * (double)options->r.points > MOST_TRANSFORM)
		return status_fail_option(SONDE_INVALID, "r",
					  "%lld points of r times %lld points of q are too many: at most %g",
					  (long long)options->r.points, (long long)options->q.points, MOST_TRANSFORM);
	const bool exact =
	    options->method == SONDE_DEBYE_METHOD_EXACT || (plan->motion != NULL && plan->motion->tensors != NULL);
	const double seconds = !plan->periodic.on ? cpu_seconds(atoms, plan)
			       : exact            ? exact_seconds(atoms, plan)
						  : plan->pairs / PERIODIC_RATE;
	if (atoms->positions != NULL && !further)
		CHECK(context_expect(context, seconds / context_threads(context)));
	return plan_method(atoms, plan);
}

sonde_status debye_plan_for_structure(sonde_context *context, const sonde_atoms *atoms, const struct debye_plan *plan,
				      struct debye_plan *own)
{
	*own = *plan;
	if (own->options.method == SONDE_DEBYE_METHOD_LATTICE)
		own->options.method = plan->motion != NULL && plan->motion->tensors != NULL
					  ? SONDE_DEBYE_METHOD_EXACT
					  : SONDE_DEBYE_METHOD_HISTOGRAM;
	plan_pairs(context, atoms, 0.0, own);
	if (own->options.method == SONDE_DEBYE_METHOD_HISTOGRAM)
		CHECK(debye_plan_bins(own));
	return check_memory(context, atoms, own);
}
