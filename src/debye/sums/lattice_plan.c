#include "debye/sums/lattice_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "debye/sums/lattice_vectors.h"
#include "matter/crystal/lattice.h"

#define BIN_WIDTH_TIMES_Q 0.0053 /* an eighth of that of the histogram, and a 500th of its error */
#define MOST_BINS (1 << 24)      /* of that width */
#define WIDEST_BIN 0.01          /* Angstrom */
#define TOO_MANY_BINS 1e8        /* of any width */
#define ROW_PAIR_SECONDS 1.5e-9  /* of one core, measured: docs/debye.md */
#define VECTOR_SECONDS 2e-8
#define BIN_SECONDS 3e-8
#define ENTRIES_PER_SECOND 1e10 /* of the step from distances to the pattern */
#define FINDING_SECONDS 3e-7    /* per atom */

/* Numbers of the lattice on which time depends. Of pairs of rows of a sheet with itself half are counted, of two sheets
 * all: half of the square of the sum. */
static void find_numbers(const sonde_lattice *lattice, struct debye_plan *plan)
{
	/* the points of the lattice may be farther apart than rounded positions */
	plan->extent = fmin(plan->extent + 2.0 * lattice->deviation, lattice->extent);
	plan->rows = (double)lattice->rows;
	plan->row_pairs = 0.5 * plan->rows * plan->rows;
	plan->vectors = 0.0;
	for (int a = 0; a < lattice->sheet_count; ++a)
		for (int b = a; b < lattice->sheet_count; ++b) {
			const struct lattice_sheet *s = &lattice->sheets[a], *t = &lattice->sheets[b];
			plan->vectors += (a == b ? 0.5 : 1.0) * ((double)s->length + t->length) *
					 ((double)s->width + t->width) * ((double)s->height + t->height);
		}
}

double debye_lattice_extent(const struct debye_classes *classes)
{
	return classes->lattice != NULL ? classes->lattice->extent : 0.0;
}

#define EXACT_DEVIATION 1e-10 /* Angstrom: coordinates in float64 */
#define SLOW_FACTOR 6.0       /* of q times the slowly varying part of deviations */
#define PEAK_PER_EXTENT 0.3   /* I/N of peaks in units of f^2, for each Angstrom across a crystal: no more */

/* The largest sqrt(I/N) near q, over f: that of the peak at small angles, sqrt(N) up to 12/(q d)^2 of a ball of diameter d. */
static double envelope(const sonde_lattice *lattice, double q)
{
	const double qd = q * lattice->diameter;

	return fmax(1.0, sqrt((double)lattice->count) * fmin(1.0, 12.0 / (qd * qd)));
}

/* An amplitude F with deviations u of the atoms becomes F + dF, where dF = i sum f q.u exp(iqr) to first order. On average
 * over orientations, 2 Re F* dF is that of q times means of u over the crystal, times functions that vary slowly, as F
 * does around a peak; u_slow is the largest of these (lattice_residues.h). Next to a peak F may be small and dF not: the
 * factor of the peaks of reflections is part of SLOW_FACTOR; they are smaller the more reflections overlap. At small
 * angles all waves of u with the length of q contribute, together less than q u_rms. |dF|^2 has at most peaks of q^2 u_rms^2
 * times those of |F|^2. */
double debye_lattice_error(const struct debye_classes *classes, double q)
{
	const sonde_lattice *lattice = classes->lattice;

	if (lattice == NULL)
		return 0.0;
	const double simple = q * lattice->deviation, square = q * lattice->spread * q * lattice->spread;
	if (lattice->deviation <= EXACT_DEVIATION || q == 0.0)
		return simple;
	return SLOW_FACTOR * fmin(q, sqrt(q)) * lattice->slow * envelope(lattice, q) +
	       fmin(q, 1.0) * lattice->spread + square * (1.0 + PEAK_PER_EXTENT * lattice->extent);
}

/* The largest at the points of a plan. */
static double largest_error(const struct debye_classes *classes, const struct debye_plan *plan)
{
	double largest = 0.0;

	for (int64_t k = 0; k < plan->points.all; ++k)
		largest = fmax(largest, debye_lattice_error(classes, plan->points.q[k]));
	return largest;
}

/* Each distance is wrong by at most twice the largest deviation, and |s'| of s(x) = sin(x)/x is below 0.4363 (at x = 2.08) and below
 * 1.0632/x (at x = 2.74). */
double debye_lattice_bound(const struct debye_classes *classes, double q, double inverse_distance)
{
	const sonde_lattice *lattice = classes->lattice;

	if (lattice == NULL || lattice->deviation <= EXACT_DEVIATION)
		return 0.0;
	return 2.0 * lattice->deviation * fmin(0.4363 * q, 1.0632 * inverse_distance);
}

double debye_lattice_inverse_distance(double extent)
{
	return extent > 0.0 ? 12.0 / 5.0 / extent : 1.0;
}

/* Vectors of a lattice with tensors of displacements have no bins. */
static bool has_tensors(const struct debye_plan *plan)
{
	return plan->motion != NULL && plan->motion->tensors != NULL;
}

/* Seconds of one core. */
static double find_seconds(const struct debye_classes *classes, const struct debye_plan *plan)
{
	const double species_pairs = species_pair_count(classes->count), bins = (double)plan->bin_count;

	if (has_tensors(plan))
		return plan->row_pairs * ROW_PAIR_SECONDS +
		       plan->vectors *
			   (VECTOR_SECONDS + cost_in_points(plan) * cost_of_term(plan) / ENTRIES_PER_SECOND);
	return plan->row_pairs * ROW_PAIR_SECONDS + plan->vectors * VECTOR_SECONDS +
	       species_pairs * bins * BIN_SECONDS +
	       fmin(plan->vectors, 2.0 * bins * species_pairs) * cost_in_points(plan) * cost_of_term(plan) /
		   ENTRIES_PER_SECOND;
}

/* The histogram's width where it was given, or counts are to be saved. Else narrower bins, of which each has few
 * different distances: only vectors are put in them, not pairs. */
static sonde_status plan_bins(struct debye_plan *plan)
{
	const sonde_debye_options *options = &plan->options;

	if (has_tensors(plan)) {
		plan->bin_width = 0.0;
		plan->bin_count = 0;
		return SONDE_OK;
	}
	if (options->bin_width > 0.0 || options->counts) {
		CHECK(debye_plan_bins(plan));
	} else {
		double width = exp2(floor(log2(BIN_WIDTH_TIMES_Q / fmax(options->q.last, 0.5))));
		while (plan->extent / width > MOST_BINS && width * options->q.last < 8.0 * BIN_WIDTH_TIMES_Q)
			width *= 2.0;
		plan->bin_width = fmin(width, WIDEST_BIN);
		plan->bin_count = (int64_t)(plan->extent / plan->bin_width) + 2;
	}
	if ((double)plan->bin_count > TOO_MANY_BINS)
		return status_fail_option(SONDE_INVALID, "bin_width",
					  "%.3g bins of %g Angstrom are too many for the lattice; at most %.0g",
					  (double)plan->bin_count, plan->bin_width, TOO_MANY_BINS);
	return SONDE_OK;
}

/* The kinds of the lattice are the classes. */
static sonde_status add_classes(struct debye_classes *classes)
{
	int kind;

	for (int c = 0; c < classes->count; ++c)
		CHECK(lattice_add_kind(classes->own_lattice, classes->view.species[c].label, classes->occupancy[c],
				       &kind));
	return SONDE_OK;
}

/* Or they are the tensors of displacements of the classes. */
static sonde_status add_tensors(struct debye_classes *classes, const struct tensor_kinds *kinds)
{
	int kind;

	for (int n = 0; n < kinds->count; ++n) {
		const int c = kinds->class_of[n];
		CHECK(lattice_add_kind(classes->own_lattice, classes->view.species[c].label, classes->occupancy[c],
				       &kind));
	}
	return SONDE_OK;
}

/* `kinds`: null without tensors. */
static sonde_status find_of(sonde_context *context, const struct tensor_kinds *kinds, struct debye_classes *classes)
{
	const sonde_atoms *atoms = &classes->summed;
	const struct lattice_atoms of = {atoms->count, atoms->positions,
					 kinds != NULL ? kinds->kind_of : atoms->species_of};
	const sonde_lattice *lattice;

	CHECK(lattice_create(&classes->own_lattice));
	CHECK(kinds != NULL ? add_tensors(classes, kinds) : add_classes(classes));
	CHECK(lattice_find(context, &of, atoms->source.bytes != NULL ? atoms->source.bytes : "sample",
			   classes->own_lattice));
	lattice = classes->lattice = classes->own_lattice;
	CHECK(memory_allocate(&classes->class_of_kind, (size_t)lattice->kind_count, sizeof *classes->class_of_kind,
			      "the lattice"));
	for (int k = 0; k < lattice->kind_count; ++k) {
		const int number = lattice->kinds[k].number;
		classes->class_of_kind[k] = kinds != NULL ? kinds->class_of[number] : number;
	}
	if (kinds == NULL)
		return SONDE_OK;
	CHECK(memory_allocate(&classes->tensor_of_kind, 6 * (size_t)lattice->kind_count, sizeof(double),
			      "the lattice"));
	for (int k = 0; k < lattice->kind_count; ++k)
		memcpy(classes->tensor_of_kind + 6 * k, kinds->tensors + (ptrdiff_t)6 * lattice->kinds[k].number,
		       6 * sizeof(double));
	return SONDE_OK;
}

/* Finds the lattice of the summed atoms. */
static sonde_status find(sonde_context *context, struct debye_classes *classes)
{
	struct tensor_kinds kinds;

	if (classes->motion == NULL || classes->motion->tensors == NULL)
		return find_of(context, NULL, classes);
	sonde_status status = tensor_kinds_make(classes, &kinds);
	if (status == SONDE_OK)
		status = find_of(context, &kinds, classes);
	tensor_kinds_free(&kinds);
	return status;
}

static void forget(struct debye_classes *classes)
{
	sonde_lattice_free(&classes->own_lattice);
	free(classes->class_of_kind);
	free(classes->tensor_of_kind);
	classes->class_of_kind = NULL;
	classes->tensor_of_kind = NULL;
	classes->lattice = NULL;
}

/* Replaces the automatic choice if there is a lattice and it is faster. */
static sonde_status take_if_faster(sonde_context *context, struct debye_classes *classes, struct debye_plan *plan)
{
	struct debye_plan by_lattice = *plan;
	const double otherwise = debye_plan_seconds(&classes->summed, plan);

	if (otherwise <= (double)classes->summed.count * FINDING_SECONDS)
		return SONDE_OK;
	sonde_status status = find(context, classes);
	if (status == SONDE_OK) {
		find_numbers(classes->lattice, &by_lattice);
		status = plan_bins(&by_lattice);
	}
	by_lattice.options.method = SONDE_DEBYE_METHOD_LATTICE;
	/* positions that were rounded are taken as they are, unless the rounding does not matter */
	if (status == SONDE_OK && find_seconds(classes, &by_lattice) < otherwise &&
	    largest_error(classes, plan) <= plan->options.tolerance)
		*plan = by_lattice;
	else
		forget(classes);
	return status == SONDE_INVALID ? SONDE_OK : status;
}

static sonde_status take_or_fail(sonde_context *context, struct debye_classes *classes, struct debye_plan *plan)
{
	if (classes->lattice == NULL) {
		const sonde_status status = find(context, classes);
		if (status == SONDE_INVALID)
			return status_prefix_option(status, "method");
		CHECK(status);
	}
	find_numbers(classes->lattice, plan);
	return plan_bins(plan);
}

/* Rounded positions that the method was given for, although it makes a difference. */
static void note_rounding(sonde_context *context, const struct debye_classes *classes, const struct debye_plan *plan)
{
	const double error = largest_error(classes, plan);

	if (error > plan->options.tolerance)
		context_notef(
		    context,
		    "%s: the atoms are up to %.1g Angstrom away from the points of the lattice that is summed in "
		    "their place, which changes I/N by an estimated %.1g (<f^2> + I/N); `method auto` takes the "
		    "positions as they are",
		    classes->summed.source.bytes != NULL ? classes->summed.source.bytes : "sample",
		    classes->lattice->deviation, error);
}

sonde_status debye_lattice_take(sonde_context *context, struct debye_classes *classes, struct debye_plan *plan)
{
	if (plan->options.method == SONDE_DEBYE_METHOD_LATTICE)
		CHECK(take_or_fail(context, classes, plan));
	else if (plan->automatic && !debye_plan_is_quick(&classes->summed, plan))
		CHECK(take_if_faster(context, classes, plan));
	if (plan->options.method != SONDE_DEBYE_METHOD_LATTICE)
		return SONDE_OK;
	note_rounding(context, classes, plan);
	return context_expect(context, find_seconds(classes, plan) / context_threads(context));
}
