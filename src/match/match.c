#include "match/match.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "match/bootstrap.h"
#include "match/collinear.h"
#include "match/fitted_curve.h"
#include "match/library_errors.h"
#include "match/refined/report.h"
#include "match/mixture.h"
#include "match/ranking.h"
#include "match/refined/bootstrap.h"
#include "match/refined/series.h"
#include "match/refined/refinement.h"
#include "match/series.h"
#include "match/series_files.h"
#include "run/context.h"

#define DEVIATIONS 1.959963984540054 /* of a 95 % interval */
#define COARSE 1e-3                  /* error of interpolation that is noted */
#define MOST_SETS 16
#define MOST_LIBRARIES 256 /* of a further curve */

struct run {
	sonde_context *context;
	const struct match_request *request;
	const sonde_match_options *options;
	struct match_result *result;
	struct series_files files;
	struct data_set sets[MOST_SETS];
	int set_count;
	struct common common;
	struct ranked *ranking;
	struct mixture mixture;
	bool library_errors; /* they are part of the standard deviations */
	struct refine_choice choice;
	struct refinement refinement; /* if something is refined */
};

/* Data sets ------------------------------------------------------------------------------------------------------------------- */

/* One item of `with`, changed in place. */
static sonde_status add_further(struct run *run, char *item)
{
	const char *names[MOST_LIBRARIES];
	int64_t count = 0;
	char *libraries, *rest;

	if (run->set_count == MOST_SETS)
		return status_fail_option(SONDE_INVALID, "with", "has more than %d curves", MOST_SETS - 1);
	CHECK(series_files_add(&run->files, item, &libraries));
	for (char *name = strtok_r(libraries, ",", &rest); name != NULL; name = strtok_r(NULL, ",", &rest)) {
		if (count == MOST_LIBRARIES)
			return status_fail_option(SONDE_INVALID, "with", "has more than %d libraries",
						  MOST_LIBRARIES);
		names[count++] = name + strspn(name, " ");
	}
	CHECK(data_set_make(series_file(&run->files, run->set_count, 0), names, count, run->options,
			    &run->sets[run->set_count]));
	++run->set_count;
	return SONDE_OK;
}

/* `qmax` is of G(r). */
static sonde_status check_qmax(const struct run *run)
{
	if (!(run->options->qmax > 0.0))
		return SONDE_OK;
	for (int d = 0; d < run->set_count; ++d)
		if (run->sets[d].measured.of_r)
			return SONDE_OK;
	return status_fail_option(SONDE_INVALID, "qmax", "is that of a measured G(r), and %s is a function of q",
				  run->sets[0].measured.path);
}

static sonde_status make_sets(struct run *run)
{
	char *list, *rest;

	CHECK(series_files_begin(run->request->measured, run->request->measured_count, &run->files));
	CHECK(data_set_make(run->request->measured[0], run->request->candidates, run->request->candidate_count,
			    run->options, &run->sets[0]));
	run->set_count = 1;
	CHECK(memory_copy_text(run->options->with, &list, "text"));
	sonde_status status = SONDE_OK;
	for (char *item = strtok_r(list, ";", &rest); item != NULL && status == SONDE_OK;
	     item = strtok_r(NULL, ";", &rest))
		status = add_further(run, item);
	free(list);
	CHECK(status);
	return check_qmax(run);
}

static sonde_status check_series(const struct run *run)
{
	if (run->options->bootstrap_all && run->options->bootstrap == 0)
		return status_fail_option(SONDE_INVALID, "bootstrap_all",
					  "needs the number of synthetic curves, `bootstrap`");
	if (run->files.rows == 1)
		return SONDE_OK;
	if (run->common.count > run->options->most)
		return status_fail_option(SONDE_INVALID, "most",
					  "a series is fitted with at most %lld candidates, and there are %lld",
					  (long long)run->options->most, (long long)run->common.count);
	return SONDE_OK;
}

static void note_sets(const struct run *run)
{
	for (int d = 0; d < run->set_count; ++d) {
		const struct data_set *set = &run->sets[d];
		const int64_t out = set->points_of_file - set->measured.count;
		if (set->measured.guessed)
			context_notef(
			    run->context,
			    "%s: the header does not name the first column, which is taken to be q in 1/Angstrom; "
			    "`axis` says what it is",
			    set->measured.path);
		if (set->measured.of_r && !(set->qmax > 0.0))
			context_notef(run->context,
				      "%s: the largest q of the measurement is not known, and all points of G(r) are "
				      "taken to be independent: errors are too small by up to the square root of "
				      "pi/qmax over the distance of the points; `qmax` states it",
				      set->measured.path);
		if (out > 0 && !(run->options->range.last > 0.0))
			context_notef(
			    run->context,
			    "%s: %lld of %lld points are beyond the curves of the candidates, which go from "
			    "%.6g to %.6g, and are not used",
			    set->measured.path, (long long)out, (long long)set->points_of_file, set->candidates.low,
			    set->candidates.high);
		if (run->set_count > 1 && run->common.count < set->candidates.count)
			context_notef(
			    run->context,
			    "%s: %lld of %lld candidates are not among those of all curves, and are not used",
			    set->measured.path, (long long)(set->candidates.count - run->common.count),
			    (long long)set->candidates.count);
	}
}

/* Ranking and mixture --------------------------------------------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
	const int64_t *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

static sonde_status find_mixture(struct run *run)
{
	const int64_t count = run->common.count < run->options->most ? run->common.count : run->options->most;
	int64_t *first;

	CHECK(memory_allocate(&first, (size_t)count, sizeof *first, "candidates"));
	for (int64_t k = 0; k < count; ++k)
		first[k] = run->ranking[k].candidate;
	qsort(first, (size_t)count, sizeof *first, compare_numbers);
	const sonde_status status =
	    mixture_find(run->context, &run->common, run->options, first, count, &run->mixture);
	free(first);
	CHECK(status);
	if (run->mixture.degrees_of_freedom >= 1)
		return SONDE_OK;
	return status_fail(
	    SONDE_INVALID, "the fit has %lld parameters and %lld %spoints: it needs more points than parameters",
	    (long long)(run->mixture.independent - run->mixture.degrees_of_freedom),
	    (long long)run->mixture.independent, run->mixture.independent < run->mixture.rows ? "independent " : "");
}

static bool has_weights(const struct run *run, int weights)
{
	for (int d = 0; d < run->set_count; ++d)
		if (run->sets[d].weights == weights)
			return true;
	return false;
}

/* With the standard deviations of a fit. Measured counts as variances favor candidates that are too low; those of the fitted mixture do not. */
static sonde_status rank_again(struct run *run)
{
	free(run->ranking);
	run->ranking = NULL;
	return ranking_make(run->context, &run->common, &run->ranking);
}

static sonde_status add_library_errors(struct run *run)
{
	double largest;

	CHECK(library_errors_weigh(&run->mixture, &largest));
	run->library_errors = largest >= LIBRARY_ERRORS_MATTER;
	if (!run->library_errors)
		return SONDE_OK;
	context_notef(
	    run->context,
	    "errors of the candidates' curves, as their library states them, are up to %.2g of the standard "
	    "deviations of the points, and are added to these",
	    largest);
	return mixture_solve_weighted(run->options, context_threads(run->context), &run->mixture);
}

static sonde_status read_entry(const struct run *run, int64_t candidate, struct library_entry *entry)
{
	return match_refined_entry(&run->refinement, &run->common, candidate, entry);
}

static sonde_status report_ranking(struct run *run)
{
	struct match_result *result = run->result;
	const int64_t count = run->common.count,
		      wanted = run->options->ranking < count ? run->options->ranking : count;
	const double whole = series_whole(&run->common);
	double *probabilities;

	CHECK(memory_allocate(&result->ranks, (size_t)wanted, sizeof *result->ranks, "a ranking"));
	CHECK(memory_allocate(&probabilities, (size_t)wanted, sizeof *probabilities, "a ranking"));
	ranking_probabilities(run->ranking, count, run->mixture.variance, probabilities, wanted);
	sonde_status status = SONDE_OK;
	for (int64_t k = 0; k < wanted && status == SONDE_OK; ++k) {
		const struct ranked *from = &run->ranking[k];
		struct match_rank *rank = &result->ranks[k];
		*rank = (struct match_rank){.candidate = from->candidate,
					    .scale = from->scale,
					    .chi_square = from->chi_square,
					    .rwp = whole > 0.0 ? sqrt(from->chi_square / whole) : NAN,
					    .probability = probabilities[k]};
		status = read_entry(run, from->candidate, &rank->entry);
		result->rank_count += status == SONDE_OK;
	}
	free(probabilities);
	return status;
}

/* Curves ---------------------------------------------------------------------------------------------------------------------- */

static sonde_status find_interpolation_error(struct run *run, int d, struct match_curve *curve)
{
	const struct mixture *mixture = &run->mixture;
	struct candidates *candidates = &run->sets[d].candidates;

	for (int k = 0; k < mixture->solution.active_count; ++k) {
		const int64_t common = mixture->candidates[mixture->solution.active[k]];
		if (common >= run->common.count)
			continue; /* a family */
		const int64_t number = common_number(&run->common, d, common);
		struct candidate_source *source = candidates_source(candidates, number);
		float *row;
		CHECK(memory_allocate(&row, (size_t)source->points, sizeof *row, "a curve"));
		const sonde_status status =
		    candidates_read(source, candidates->curve, number - source->first, 1, row);
		if (status == SONDE_OK)
			curve->interpolation_error =
			    fmax(curve->interpolation_error,
				 resampling_error(&run->sets[d].resamplings[source - candidates->sources], row));
		free(row);
		CHECK(status);
	}
	if (curve->interpolation_error > COARSE)
		context_notef(
		    run->context,
		    "%s: the candidates' curves are coarse: interpolation between their points may be wrong by "
		    "%.2g of their largest values",
		    curve->path, curve->interpolation_error);
	return SONDE_OK;
}

static sonde_status report_curve(struct run *run, int d)
{
	const struct data_set *set = &run->sets[d];
	const struct mixture *mixture = &run->mixture;
	const size_t points = (size_t)set->measured.count;
	const int active = mixture->solution.active_count;
	struct match_curve *curve = &run->result->curves[d];
	double *computed;

	CHECK(memory_allocate(&computed, points, sizeof *computed, "a curve"));
	mixture_fit(mixture, d, computed);
	++run->result->curve_count;
	const sonde_status status = fitted_curve_make(set, computed, mixture->scales[d], curve);
	free(computed);
	CHECK(status);
	CHECK(memory_allocate(&curve->contributions, (size_t)active * points, sizeof(double), "curves"));
	fitted_curve_judge(set, (double)(set->independent - set->basis_count - active), mixture->variance,
			   run->options->peak, curve);
	return find_interpolation_error(run, d, curve);
}

/* Weights --------------------------------------------------------------------------------------------------------------------- */

static int compare_weights(const void *a, const void *b)
{
	const struct match_weight *p = a, *q = b;

	return p->weight != q->weight ? (p->weight < q->weight) - (p->weight > q->weight)
				      : (p->candidate > q->candidate) - (p->candidate < q->candidate);
}

static sonde_status find_intervals(struct run *run, double *errors, double *low, double *high)
{
	const struct nnls_solution *solution = &run->mixture.solution;

	if (run->choice.any)
		memcpy(errors, run->refinement.values.weight_errors, (size_t)solution->active_count * sizeof *errors);
	else
		CHECK(mixture_errors(&run->mixture, errors));
	if (run->options->bootstrap > 0 && run->choice.any)
		return refined_bootstrap(run->context, &run->refinement, &run->mixture, low, high);
	if (run->options->bootstrap > 0)
		return bootstrap_intervals(run->context, &run->mixture, run->options, low, high);
	for (int k = 0; k < solution->active_count; ++k) {
		const double weight = solution->x[solution->active[k]];
		low[k] = fmax(weight - DEVIATIONS * errors[k], 0.0);
		high[k] = weight + DEVIATIONS * errors[k];
	}
	return SONDE_OK;
}

/* Names of the candidates that could take the place of active candidate k. */
static sonde_status name_alternatives(const struct run *run, int k, struct match_weight *weight)
{
	int found[MATCH_ALTERNATIVES];

	weight->alternative_count = collinear_alternatives(&run->mixture, k, found, MATCH_ALTERNATIVES);
	for (int n = 0; n < weight->alternative_count && n < MATCH_ALTERNATIVES; ++n) {
		struct library_entry entry;
		CHECK(read_entry(run, run->mixture.candidates[found[n]], &entry));
		weight->alternatives[n] = entry.name;
		entry.name = NULL;
		library_entry_free(&entry);
	}
	return SONDE_OK;
}

static sonde_status fill_weights(struct run *run, const double *errors, const double *low, const double *high)
{
	const struct nnls_solution *solution = &run->mixture.solution;
	struct match_result *result = run->result;
	double sum = 0.0;

	for (int k = 0; k < solution->active_count; ++k)
		sum += solution->x[solution->active[k]];
	for (int k = 0; k < solution->active_count; ++k) {
		const int j = solution->active[k];
		struct match_weight *weight = &result->weights[k];
		weight->candidate = run->mixture.candidates[j];
		weight->weight = solution->x[j];
		weight->error = errors[k];
		weight->low = low[k];
		weight->high = high[k];
		weight->fraction = solution->x[j] / sum;
		weight->inflation =
		    solution->covariance[k * solution->active_count + k] * solution->norms[k] * solution->norms[k];
		++result->weight_count;
		CHECK(read_entry(run, weight->candidate, &weight->entry));
		CHECK(name_alternatives(run, k, weight));
	}
	qsort(result->weights, (size_t)result->weight_count, sizeof *result->weights, compare_weights);
	return SONDE_OK;
}

static sonde_status report_weights(struct run *run)
{
	const size_t count = (size_t)run->mixture.solution.active_count;
	double *numbers;

	CHECK(memory_allocate(&run->result->weights, count, sizeof *run->result->weights, "weights"));
	CHECK(memory_allocate(&numbers, 3 * count, sizeof *numbers, "weights"));
	sonde_status status = find_intervals(run, numbers, numbers + count, numbers + 2 * count);
	if (status == SONDE_OK)
		status = fill_weights(run, numbers, numbers + count, numbers + 2 * count);
	free(numbers);
	return status;
}

/* Parts of the fit, in the order of the weights. */
static void fill_contributions(const struct run *run)
{
	const struct mixture *mixture = &run->mixture;

	for (int d = 0; d < run->set_count; ++d)
		for (int n = 0; n < run->result->weight_count; ++n) {
			const struct match_weight *weight = &run->result->weights[n];
			const int64_t points = run->sets[d].measured.count;
			int j = 0;
			while (mixture->candidates[j] != weight->candidate)
				++j;
			for (int64_t k = 0; k < points; ++k)
				run->result->curves[d].contributions[n * points + k] =
				    weight->weight * mixture->scales[d] *
				    mixture->raw[j * mixture->rows + mixture->begin[d] + k];
		}
}

static void report_totals(struct run *run)
{
	const struct mixture *mixture = &run->mixture;
	struct match_result *result = run->result;
	double whole = 0.0;

	for (int d = 0; d < run->set_count; ++d) {
		const struct match_curve *curve = &result->curves[d];
		result->chi_square += curve->chi_square;
		for (int64_t k = 0; k < curve->count; ++k)
			whole += pow(curve->measured[k] * run->sets[d].inverse_sigma[k], 2.0);
	}
	result->rwp = whole > 0.0 ? sqrt(result->chi_square / whole) : NAN;
	result->points = mixture->rows;
	result->degrees_of_freedom = mixture->degrees_of_freedom;
	result->parameters = mixture->independent - mixture->degrees_of_freedom;
	result->condition = collinear_condition(mixture);
	result->dependent = mixture->solution.dependent;
	result->passes = mixture->passes;
	result->considered = mixture->count;
	result->improvement = mixture->improvement;
	result->candidate_count = run->common.count;
	if (result->improvement > MATCH_IMPROVEMENT)
		context_notef(run->context,
			      "passes: other candidates of the library may still lower chi^2, by %.3g at most",
			      result->improvement);
	if (result->weight_count == 0)
		context_note(run->context, "no candidate has a weight above 0: none of them explains the curve");
}

/* Series ---------------------------------------------------------------------------------------------------------------------- */

static sonde_status name_rows(const struct run *run, struct match_series *series)
{
	const int64_t count = run->files.rows;
	const int further = run->set_count - 1;

	CHECK(memory_allocate(&series->paths, (size_t)count, sizeof *series->paths, "a series"));
	series->count = count;
	for (int64_t k = 0; k < count; ++k)
		CHECK(memory_copy_text(series_file(&run->files, 0, k), &series->paths[k], "a path"));
	if (further == 0)
		return SONDE_OK;
	CHECK(memory_allocate(&series->further_paths, (size_t)further * (size_t)count, sizeof *series->further_paths,
			      "a series"));
	series->further = further;
	for (int d = 0; d < further; ++d)
		for (int64_t k = 0; k < count; ++k)
			CHECK(memory_copy_text(series_file(&run->files, d + 1, k),
					       &series->further_paths[d * count + k], "a path"));
	return SONDE_OK;
}

static sonde_status allocate_series(struct run *run, struct match_series *series)
{
	const size_t count = (size_t)run->files.rows;

	CHECK(name_rows(run, series));
	if (run->choice.any) {
		CHECK(match_refined_series(&run->refinement, &run->common, series));
	} else {
		CHECK(memory_allocate(&series->entries, (size_t)run->mixture.count, sizeof *series->entries,
				      "a series"));
		for (int k = 0; k < run->mixture.count; ++k) {
			CHECK(read_entry(run, run->mixture.candidates[k], &series->entries[k]));
			++series->candidates;
		}
	}
	const size_t weights = count * (size_t)series->candidates, values = count * (size_t)series->parameter_count;
	const struct {
		double **numbers;
		size_t count;
		bool wanted;
	} arrays[] = {{&series->weights, weights, true},
		      {&series->errors, weights, true},
		      {&series->chi_square, count, true},
		      {&series->rwp, count, true},
		      {&series->values, values, run->choice.any},
		      {&series->value_errors, values, run->choice.any},
		      {&series->low, weights, run->options->bootstrap_all},
		      {&series->high, weights, run->options->bootstrap_all},
		      {&series->value_low, values, run->options->bootstrap_all && run->choice.any},
		      {&series->value_high, values, run->options->bootstrap_all && run->choice.any}};
	for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k)
		if (arrays[k].wanted)
			CHECK(memory_allocate(arrays[k].numbers, arrays[k].count, sizeof(double), "a series"));
	return SONDE_OK;
}

static sonde_status solve_series(struct run *run)
{
	struct match_series *series = &run->result->series;

	if (run->files.rows == 1)
		return SONDE_OK;
	CHECK(allocate_series(run, series));
	struct series_weights weights = {.weights = series->weights,
					 .errors = series->errors,
					 .chi_square = series->chi_square,
					 .rwp = series->rwp,
					 .low = series->low,
					 .high = series->high};
	if (run->choice.any) {
		struct refined_series_values values = {.weights = weights,
						       .parameters = series->values,
						       .errors = series->value_errors,
						       .low = series->value_low,
						       .high = series->value_high};
		return refined_series_solve(run->context, &run->refinement, &run->files, &values);
	}
	/* scales of several sets change the products */
	if (run->set_count == 1)
		CHECK(mixture_make_gram(&run->mixture, context_threads(run->context)));
	return series_solve(run->context, &run->mixture, &run->files, run->options, &weights);
}

static sonde_status refine(struct run *run)
{
	const struct refinement_request request = {
	    .files = &run->files, .choice = &run->choice, .ranking = run->ranking};

	return refinement_make(run->context, &run->common, run->options, &request, &run->mixture, &run->refinement);
}

static sonde_status match(struct run *run)
{
	struct match_result *result = run->result;

	CHECK(refine_choice_read(run->options, &run->choice));
	CHECK(make_sets(run));
	CHECK(common_make(run->sets, run->set_count, &run->common));
	CHECK(check_series(run));
	note_sets(run);
	CHECK(ranking_make(run->context, &run->common, &run->ranking));
	CHECK(find_mixture(run));
	CHECK(add_library_errors(run));
	if (has_weights(run, SONDE_MATCH_WEIGHTS_POISSON) || run->library_errors)
		CHECK(rank_again(run));
	if (run->choice.any)
		CHECK(refine(run));
	if (run->choice.any && run->set_count > 1 && has_weights(run, SONDE_MATCH_WEIGHTS_UNIFORM))
		CHECK(rank_again(run));
	CHECK(memory_allocate(&result->curves, (size_t)run->set_count, sizeof *result->curves, "curves"));
	for (int d = 0; d < run->set_count; ++d)
		CHECK(report_curve(run, d));
	CHECK(report_weights(run));
	fill_contributions(run);
	report_totals(run);
	CHECK(report_ranking(run));
	if (run->choice.any)
		CHECK(match_refined_report(run->context, &run->refinement, &run->common, &run->mixture, result));
	for (int k = 0; k < result->weight_count; ++k)
		if (result->weights[k].candidate >= run->common.count)
			result->weights[k].candidate = -1;
	return solve_series(run);
}

sonde_status match_run(sonde_context *context, const struct match_request *request,
		       const sonde_match_options *options, struct match_result *result)
{
	const double began = clock_seconds();
	struct run *run;

	*result = (struct match_result){.options = options};
	CHECK(memory_allocate(&run, 1, sizeof *run, "a fit"));
	*run = (struct run){.context = context, .request = request, .options = options, .result = result};
	const sonde_status status = match(run);
	mixture_free(&run->mixture);
	refinement_free(&run->refinement);
	free(run->ranking);
	common_free(&run->common);
	series_files_free(&run->files);
	for (int d = 0; d < run->set_count; ++d)
		data_set_free(&run->sets[d]);
	free(run);
	if (status != SONDE_OK)
		match_result_free(result);
	result->seconds = clock_seconds() - began;
	return status;
}
