#include "debye/copies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "device/kernel.h"
#include "device/kernel_math.h"

#define SAME_DISTANCE 0.01 /* Angstrom: files have few decimals */
#define MOST_COPIES 1000000

/* The mean of the positions of a copy's atoms. */
static void find_center(const sonde_atoms *view, int64_t copy, int64_t count, double center[3])
{
	const double *r = view->positions + 3 * copy * count;

	center[0] = center[1] = center[2] = 0.0;
	for (int64_t i = 0; i < count; ++i)
		for (int k = 0; k < 3; ++k)
			center[k] += (r[3 * i + k] - r[k]) / (double)count;
	for (int k = 0; k < 3; ++k)
		center[k] += r[k];
}

static double distance(const double *a, const double *b)
{
	const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];

	return sqrt(x * x + y * y + z * z);
}

/* Compares copies with the first one. */
struct comparison {
	const sonde_atoms *view;
	int64_t count; /* atoms of a copy */
	const double (*centers)[3];
	int64_t *differs; /* of each copy: its first atom that differs from that of the first copy, or -1 */
};

/* The same class, and as far from the center and from the atom before. */
static bool is_same_atom(const struct comparison *comparison, int64_t copy, int64_t i)
{
	const sonde_atoms *view = comparison->view;
	const double *first = view->positions + 3 * i, *here = first + 3 * copy * comparison->count,
		     *first_center = comparison->centers[0], *center = comparison->centers[copy];

	if (view->species_of[copy * comparison->count + i] != view->species_of[i] ||
	    fabs(distance(here, center) - distance(first, first_center)) > SAME_DISTANCE)
		return false;
	return i == 0 || fabs(distance(here, here - 3) - distance(first, first - 3)) <= SAME_DISTANCE;
}

static void compare_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct comparison *comparison = state;
	(void)worker;

	for (int64_t copy = first; copy < end; ++copy) {
		int64_t i = 0;
		while (i < comparison->count && is_same_atom(comparison, copy, i))
			++i;
		comparison->differs[copy] = i < comparison->count ? i : -1;
	}
}

static sonde_status report_difference(const struct comparison *comparison, int64_t copies)
{
	for (int64_t copy = 1; copy < copies; ++copy)
		if (comparison->differs[copy] >= 0)
			return status_fail_option(
			    SONDE_INVALID, "copies",
			    "copy %lld differs from copy 1: its atom %lld has another species, or other distances; "
			    "the sample must consist of copies of one structure with %lld atoms, one after the other",
			    (long long)copy + 1, (long long)comparison->differs[copy] + 1,
			    (long long)comparison->count);
	return SONDE_OK;
}

struct centers {
	const sonde_atoms *view;
	int64_t count; /* atoms of a copy */
	double (*centers)[3];
};

static void find_some_centers(void *state, int64_t first, int64_t end, int worker)
{
	const struct centers *centers = state;
	(void)worker;

	for (int64_t copy = first; copy < end; ++copy)
		find_center(centers->view, copy, centers->count, centers->centers[copy]);
}

/* Finds the centers of the copies and compares the copies. */
static sonde_status compare_copies(const sonde_context *context, int64_t copies, int64_t count,
				   struct debye_classes *classes)
{
	const int threads = context_threads(context);
	struct comparison comparison = {.view = &classes->view, .count = count};

	CHECK(memory_allocate(&classes->centers, (size_t)copies, sizeof *classes->centers, "the centers of copies"));
	struct centers centers = {&classes->view, count, classes->centers};
	threads_for(threads, copies, 1, find_some_centers, &centers);
	CHECK(memory_allocate(&comparison.differs, (size_t)copies, sizeof *comparison.differs, "the copies"));
	comparison.centers = (const double(*)[3])classes->centers;
	threads_for(threads, copies, 1, compare_some, &comparison);
	const sonde_status status =
	    context_cancelled(context) ? status_fail(SONDE_CANCELLED, "stopped on request while copies were compared")
				       : report_difference(&comparison, copies);
	free(comparison.differs);
	return status;
}

static sonde_status count_copies(const sonde_debye_options *options, int64_t sample_atoms, int64_t known,
				 int64_t *copies)
{
	const int64_t each = options->copy_atoms;

	*copies = each > 0 ? sample_atoms / each : known;
	if (each > 0 && (sample_atoms % each != 0 || sample_atoms == 0))
		return status_fail_option(
		    SONDE_INVALID, "copy_atoms",
		    "the %lld atoms of the sample are not a whole number of copies of %lld atoms",
		    (long long)sample_atoms, (long long)each);
	if (*copies < 1)
		return status_fail_option(
		    SONDE_INVALID, "copies",
		    "the sample is not known to consist of copies of one structure; give the number "
		    "of atoms of a copy by `copy_atoms`, or choose `copies exact`");
	if (*copies > MOST_COPIES)
		return status_fail_option(SONDE_INVALID, "copies", "%lld copies are too many: at most %d",
					  (long long)*copies, MOST_COPIES);
	return SONDE_OK;
}

static sonde_status check_options(const sonde_debye_options *options)
{
	if (options->copies == SONDE_DEBYE_COPIES_EXACT && options->copy_atoms != 0 &&
	    options->partials != SONDE_DEBYE_PARTIALS_BLOCK)
		return status_fail_option(SONDE_INVALID, "copy_atoms",
					  "is for `copies averaged`, `copies independent`, and `partials block`");
	if (options->copies != SONDE_DEBYE_COPIES_EXACT && options->counts)
		return status_fail_option(SONDE_INVALID, "counts",
					  "the distances between atoms of different copies are not counted; choose "
					  "`copies exact`");
	if (options->copies != SONDE_DEBYE_COPIES_EXACT && options->precision == SONDE_DEBYE_PRECISION_FLOAT32)
		return status_fail_option(SONDE_INVALID, "precision",
					  "`copies averaged` and `copies independent` are computed in float64");
	return SONDE_OK;
}

sonde_status debye_copies_take(sonde_context *context, const sonde_debye_options *options, int64_t sample_atoms,
			       struct debye_classes *classes)
{
	const sonde_atoms *view = &classes->view;
	const size_t species = (size_t)view->species_count;
	int64_t copies;

	classes->copies = 1;
	classes->summed = *view;
	CHECK(check_options(options));
	if (options->copies == SONDE_DEBYE_COPIES_EXACT)
		return SONDE_OK;
	CHECK(count_copies(options, sample_atoms, view->copies, &copies));
	const int64_t count = view->count / copies;
	if (count == 0 || view->count % copies != 0)
		return status_fail_option(SONDE_INVALID, "copies",
					  "the copies have different numbers of occupied sites");
	CHECK(compare_copies(context, copies, count, classes));
	CHECK(memory_allocate(&classes->summed_species, species, sizeof *classes->summed_species, "the species"));
	for (size_t s = 0; s < species; ++s) {
		classes->summed_species[s] = view->species[s];
		classes->summed_species[s].atoms /= copies;
	}
	classes->summed.species = classes->summed_species;
	classes->summed.count = count;
	classes->copies = copies;
	classes->averaged = options->copies == SONDE_DEBYE_COPIES_AVERAGED;
	return SONDE_OK;
}

/* Sums ----------------------------------------------------------------------------------------- */

/* Squares of errors that are the same for every copy grow with the square of their number. */
static void scale_errors(struct histogram_error *errors, double copies)
{
	double *squares[] = {
	    &errors->skew,          &errors->skew_over_r,   &errors->skew_near,  &errors->rounding_over_r,
	    &errors->rounding_near, &errors->second_over_r, &errors->second_near};
	double *sums[] = {&errors->variance_near, &errors->third_near, &errors->fourth_near, &errors->displaced_near};

	for (size_t k = 0; k < sizeof squares / sizeof *squares; ++k)
		*squares[k] *= copies * copies;
	for (size_t k = 0; k < sizeof sums / sizeof *sums; ++k)
		*sums[k] *= copies;
	for (int k = 0; k < 4; ++k)
		errors->variance[k] *= copies;
	for (int k = 0; k < BOUND_POWERS; ++k)
		errors->third[k] *= copies;
	for (int k = 0; k < 2; ++k)
		errors->fourth[k] *= copies;
	for (int k = 0; k < 3; ++k)
		errors->displaced[k] *= copies;
}

static sonde_status make_centers(const struct debye_classes *classes, sonde_atoms **centers)
{
	uint16_t species;

	CHECK(sonde_atoms_create(centers));
	CHECK(atoms_reserve(*centers, classes->copies));
	CHECK(atoms_species_index(*centers, "X", &species));
	for (int64_t copy = 0; copy < classes->copies; ++copy)
		atoms_append(*centers, species, classes->centers[copy]);
	return SONDE_OK;
}

/* The mean amplitude of each class over orientations, for unit atoms. */
struct mean_amplitudes {
	const struct debye_classes *classes;
	const double *distances;      /* of each atom from the center */
	const struct pair_sums *sums; /* the points of q */
	double *values;               /* b of class c at point k: [c * points + k] */
};

static void fill_means(void *state, int64_t first, int64_t end, int worker)
{
	const struct mean_amplitudes *means = state;
	const sonde_atoms *copy = &means->classes->summed;
	(void)worker;

	for (int64_t k = first; k < end; ++k) {
		const double q = pair_sums_q(means->sums, k);
		for (int64_t i = 0; i < copy->count; ++i) {
			const double x = q * means->distances[i];
			double *value = &means->values[copy->species_of[i] * means->sums->q.points + k];
			lanes_f64 sine, cosine;
			lanes_sincos(LANES_SPLAT(x), &sine, &cosine, 0);
			*value += x != 0.0 ? LANES_FIRST(sine) / x : 1.0;
		}
	}
}

static sonde_status find_means(const sonde_context *context, const struct debye_classes *classes,
			       const struct pair_sums *sums, double *values)
{
	const sonde_atoms *copy = &classes->summed;
	double *distances;

	CHECK(memory_allocate(&distances, (size_t)copy->count, sizeof *distances, "distances from the center"));
	for (int64_t i = 0; i < copy->count; ++i)
		distances[i] = distance(copy->positions + 3 * i, classes->centers[0]);
	struct mean_amplitudes means = {classes, distances, sums, values};
	threads_for(context_threads(context), sums->q.points, 1, fill_means, &means);
	free(distances);
	return context_cancelled(context) ? status_fail(SONDE_CANCELLED, "stopped on request at the copies")
					  : SONDE_OK;
}

/* Pairs of one class are counted once, those of two classes in both orders of the copies. */
static void add_products(const struct debye_classes *classes, const double *means, const double *between,
			 struct pair_sums *sums)
{
	const int64_t points = sums->q.points;

	for (int a = 0; a < classes->count; ++a)
		for (int b = a; b < classes->count; ++b) {
			double *row = sums->sums + species_pair_index(classes->count, a, b) * points;
			for (int64_t k = 0; k < points; ++k)
				row[k] +=
				    (a == b ? 1.0 : 2.0) * between[k] * means[a * points + k] * means[b * points + k];
		}
}

static sonde_status add_interference(sonde_context *context, const struct debye_classes *classes,
				     struct pair_sums *sums)
{
	const size_t points = (size_t)sums->q.points;
	struct pair_sums between = {.q = sums->q, .q_values = sums->q_values, .species = 1};
	sonde_atoms *centers = NULL;
	double *means = NULL;
	sonde_status status;

	CHECK_GOTO(status, make_centers(classes, &centers), done);
	CHECK_GOTO(status, memory_allocate(&between.sums, points, sizeof(double), "the sums"), done);
	CHECK_GOTO(status, memory_allocate(&means, (size_t)classes->count * points, sizeof *means, "the amplitudes"),
		   done);
	CHECK_GOTO(status, exact_pair_sums(context, centers, false, &between), done);
	CHECK_GOTO(status, find_means(context, classes, sums, means), done);
	add_products(classes, means, between.sums, sums);
done:
	sonde_atoms_free(&centers);
	free(between.sums);
	free(means);
	return status;
}

sonde_status debye_copies_add(sonde_context *context, const struct debye_classes *classes, struct pair_sums *sums)
{
	const int pairs = species_pair_count(classes->count);
	const double copies = (double)classes->copies;

	if (classes->copies == 1)
		return SONDE_OK;
	for (int64_t k = 0; k < pairs * sums->q.points; ++k)
		sums->sums[k] *= copies;
	for (int p = 0; sums->errors != NULL && p < pairs; ++p)
		scale_errors(&sums->errors[p], copies);
	return classes->averaged ? add_interference(context, classes, sums) : SONDE_OK;
}
