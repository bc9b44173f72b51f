/* The public interface of fits: the result of match_run() as structs whose layout programs rely on. Texts and curves are not copied. */
#include "match/match_interface.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "match/match.h"
#include "match/match_file.h"
#include "match/option_table.h"

struct held {
	sonde_match_result seen; /* first: programs have its address */
	struct match_result result;
	sonde_match_options options;
	sonde_match_fit *curves;
	sonde_match_weight *weights;
	sonde_match_rank *ranks;
	sonde_match_parameter *parameters;
	double *intervals; /* lower ends, and then upper ones */
	int64_t *independent;
	double *qmax;
	sonde_match_refined *refined;
	sonde_match_candidate *series_candidates;
	sonde_match_parameter *series_parameters;
};

_Static_assert(SONDE_MATCH_CURVE_I == LIBRARY_I_PER_ATOM + 1 && SONDE_MATCH_CURVE_S == LIBRARY_S + 1 &&
		   SONDE_MATCH_CURVE_F == LIBRARY_F + 1 && SONDE_MATCH_CURVE_G == LIBRARY_G + 1,
	       "kinds of curves are numbered as the choices of the option, which begin with auto");

void sonde_match_options_init_sized(sonde_match_options *options, uint64_t size)
{
	options_init_sized(&match_option_table, options, size);
}

/* Views --------------------------------------------------------------------------------------------------------------- */

static const char *text_or_empty(const char *text)
{
	return text != NULL ? text : "";
}

static sonde_match_candidate view_candidate(const struct library_entry *entry)
{
	return (sonde_match_candidate){.name = text_or_empty(entry->name),
				       .key = entry->key,
				       .source = text_or_empty(entry->source),
				       .family = text_or_empty(entry->family),
				       .parameters = text_or_empty(entry->parameters),
				       .composition = text_or_empty(entry->composition),
				       .atoms = (int64_t)entry->atoms,
				       .size = entry->size};
}

sonde_status match_view_curve(const struct match_curve *curve, sonde_match_fit *view)
{
	sonde_match_peak *peaks;

	CHECK(memory_allocate(&peaks, (size_t)curve->peak_count, sizeof *peaks, "a result"));
	for (int k = 0; k < curve->peak_count; ++k)
		peaks[k] = (sonde_match_peak){curve->peaks[k].position, curve->peaks[k].width, curve->peaks[k].height,
					      curve->peaks[k].significance};
	*view = (sonde_match_fit){.path = text_or_empty(curve->path),
				  .kind = (int)curve->curve + 1,
				  .weights = curve->weights,
				  .radiation = library_radiation_names[curve->radiation],
				  .count = curve->count,
				  .left_out = curve->left_out,
				  .x = curve->x,
				  .measured = curve->measured,
				  .sigma = curve->sigma,
				  .fitted = curve->fitted,
				  .background = curve->background,
				  .residual = curve->residual,
				  .contributions = curve->contributions,
				  .scale = curve->scale,
				  .rwp = curve->rwp,
				  .rexp = curve->rexp,
				  .chi_square = curve->chi_square,
				  .interpolation_error = curve->interpolation_error,
				  .peak_count = curve->peak_count,
				  .peaks = peaks};
	return SONDE_OK;
}

void match_unview_curve(sonde_match_fit *view)
{
	free((void *)view->peaks);
	view->peaks = NULL;
}

static sonde_status view_curves(struct held *held)
{
	const struct match_result *result = &held->result;

	CHECK(memory_allocate(&held->curves, (size_t)result->curve_count, sizeof *held->curves, "a result"));
	CHECK(
	    memory_allocate(&held->independent, (size_t)result->curve_count, sizeof *held->independent, "a result"));
	CHECK(memory_allocate(&held->qmax, (size_t)result->curve_count, sizeof *held->qmax, "a result"));
	for (int k = 0; k < result->curve_count; ++k) {
		held->independent[k] = result->curves[k].independent;
		held->qmax[k] = result->curves[k].qmax;
		CHECK(match_view_curve(&result->curves[k], &held->curves[k]));
		if (result->weight_count == 0)
			held->curves[k].contributions = NULL;
	}
	return SONDE_OK;
}

static sonde_status view_weights(struct held *held)
{
	const struct match_result *result = &held->result;

	CHECK(memory_allocate(&held->weights, (size_t)result->weight_count, sizeof *held->weights, "a result"));
	for (int k = 0; k < result->weight_count; ++k) {
		const struct match_weight *weight = &result->weights[k];
		const int64_t count = weight->alternative_count;
		held->weights[k] = (sonde_match_weight){
		    .number = weight->candidate,
		    .candidate = view_candidate(&weight->entry),
		    .weight = weight->weight,
		    .error = weight->error,
		    .low = weight->low,
		    .high = weight->high,
		    .fraction = weight->fraction,
		    .inflation = weight->inflation,
		    .alternative_count = count,
		    .named_count = count < MATCH_ALTERNATIVES ? count : MATCH_ALTERNATIVES,
		    .alternatives = (const char *const *)weight->alternatives,
		};
	}
	return SONDE_OK;
}

static sonde_status view_ranks(struct held *held)
{
	const struct match_result *result = &held->result;

	CHECK(memory_allocate(&held->ranks, (size_t)result->rank_count, sizeof *held->ranks, "a result"));
	for (int k = 0; k < result->rank_count; ++k) {
		const struct match_rank *rank = &result->ranks[k];
		held->ranks[k] = (sonde_match_rank){.number = rank->candidate,
						    .candidate = view_candidate(&rank->entry),
						    .scale = rank->scale,
						    .chi_square = rank->chi_square,
						    .rwp = rank->rwp,
						    .probability = rank->probability};
	}
	return SONDE_OK;
}

static sonde_status view_parameters(const struct match_parameter *parameters, int count,
				    sonde_match_parameter **views)
{
	CHECK(memory_allocate(views, (size_t)count, sizeof **views, "a result"));
	for (int k = 0; k < count; ++k)
		(*views)[k] = (sonde_match_parameter){
		    .name = parameters[k].name,
		    .unit = parameters[k].unit,
		    .of = text_or_empty(parameters[k].of),
		    .value = parameters[k].value,
		    .error = parameters[k].error,
		    .low = parameters[k].low,
		    .high = parameters[k].high,
		    .at_bound = parameters[k].at_bound,
		};
	return SONDE_OK;
}

static sonde_status view_refined(struct held *held)
{
	const struct match_result *result = &held->result;
	const int count = result->parameter_count;

	CHECK(view_parameters(result->parameter, count, &held->parameters));
	CHECK(memory_allocate(&held->intervals, 2 * (size_t)count, sizeof(double), "a result"));
	for (int k = 0; k < 2 * count; ++k)
		held->intervals[k] = result->parameter[k % count].interval[k / count];
	CHECK(memory_allocate(&held->refined, (size_t)result->alone_count, sizeof *held->refined, "a result"));
	for (int k = 0; k < result->alone_count; ++k) {
		const struct match_alone *alone = &result->alone[k];
		held->refined[k] = (sonde_match_refined){
		    .candidate = view_candidate(&alone->entry),
		    .scale = alone->scale,
		    .chi_square = alone->chi_square,
		    .rwp = alone->rwp,
		    .strain = alone->values[0],
		    .b = alone->values[1],
		    .qdamp = alone->values[2],
		    .qbroad = alone->values[3],
		    .mean_size = alone->values[4],
		    .width = alone->values[5],
		};
	}
	return SONDE_OK;
}

static sonde_status view_series(struct held *held)
{
	const struct match_series *series = &held->result.series;
	sonde_match_result *seen = &held->seen;

	if (series->count == 0)
		return SONDE_OK;
	CHECK(memory_allocate(&held->series_candidates, (size_t)series->candidates, sizeof *held->series_candidates,
			      "a result"));
	for (int64_t k = 0; k < series->candidates; ++k)
		held->series_candidates[k] = view_candidate(&series->entries[k]);
	CHECK(view_parameters(series->parameter, series->parameter_count, &held->series_parameters));
	seen->series_parameter_count = series->parameter_count;
	seen->series_parameters = held->series_parameters;
	seen->series_values = series->values;
	seen->series_value_errors = series->value_errors;
	seen->series_lows = series->low;
	seen->series_highs = series->high;
	seen->series_value_lows = series->value_low;
	seen->series_value_highs = series->value_high;
	seen->series_further_count = series->further;
	seen->series_further_paths = (const char *const *)series->further_paths;
	seen->series_count = series->count;
	seen->series_candidate_count = series->candidates;
	seen->series_candidates = held->series_candidates;
	seen->series_paths = (const char *const *)series->paths;
	seen->series_weights = series->weights;
	seen->series_errors = series->errors;
	seen->series_chi_square = series->chi_square;
	seen->series_rwp = series->rwp;
	return SONDE_OK;
}

static sonde_status view(struct held *held)
{
	const struct match_result *result = &held->result;

	CHECK(view_curves(held));
	CHECK(view_weights(held));
	CHECK(view_ranks(held));
	CHECK(view_refined(held));
	held->seen = (sonde_match_result){
	    .candidate_count = result->candidate_count,
	    .curve_count = result->curve_count,
	    .curves = held->curves,
	    .weight_count = result->weight_count,
	    .weights = held->weights,
	    .rank_count = result->rank_count,
	    .ranks = held->ranks,
	    .parameter_count = result->parameter_count,
	    .parameters = held->parameters,
	    .parameter_lows = held->intervals,
	    .parameter_highs = held->intervals + result->parameter_count,
	    .correlations = result->parameter_count > 0 ? result->correlations : NULL,
	    .refined_count = result->alone_count,
	    .refined = held->refined,
	    .sizes_left_out = result->sizes_left_out,
	    .chi_square = result->chi_square,
	    .rwp = result->rwp,
	    .points = result->points,
	    .fitted = result->parameters,
	    .degrees_of_freedom = result->degrees_of_freedom,
	    .condition = result->condition,
	    .passes = result->passes,
	    .improvement = result->improvement,
	    .options = &held->options,
	    .seconds = result->seconds,
	    .independent_points = held->independent,
	    .qmax = held->qmax,
	};
	return view_series(held);
}

/* Runs ---------------------------------------------------------------------------------------------------------------- */

static sonde_status check_files(const char *const *files, int64_t count, const char *what)
{
	if (files == NULL || count < 1)
		return status_fail(SONDE_INVALID, "the request has no %s", what);
	for (int64_t k = 0; k < count; ++k)
		if (files[k] == NULL || files[k][0] == '\0')
			return status_fail(SONDE_INVALID, "file %lld of the request's %s has no name",
					   (long long)(k + 1), what);
	return SONDE_OK;
}

static sonde_status read_request(const sonde_match_request *given, struct match_request *request)
{
	sonde_match_request whole = {0};

	if (given->struct_size < sizeof given->struct_size || given->struct_size > sizeof whole)
		return status_fail(SONDE_INVALID, "the request's struct_size is %llu; the library's is %zu",
				   (unsigned long long)given->struct_size, sizeof whole);
	memcpy(&whole, given, given->struct_size);
	CHECK(check_files(whole.measured, whole.measured_count, "measured curves"));
	CHECK(check_files(whole.candidates, whole.candidate_count, "candidates"));
	*request =
	    (struct match_request){whole.measured, whole.measured_count, whole.candidates, whole.candidate_count};
	return SONDE_OK;
}

static sonde_status run(sonde_context *context, const sonde_match_request *given, const sonde_match_options *options,
			struct held *held)
{
	struct match_request request;

	CHECK(read_request(given, &request));
	CHECK(options_complete(&match_option_table, options, &held->options));
	CHECK(options_check(&match_option_table, &held->options));
	CHECK(match_run(context, &request, &held->options, &held->result));
	return view(held);
}

sonde_status sonde_match_run(sonde_context *context, const sonde_match_request *request,
			     const sonde_match_options *options, sonde_match_result **result)
{
	struct held *held;

	if (result == NULL)
		return status_fail(SONDE_INVALID, "result is null");
	*result = NULL;
	if (context == NULL || request == NULL || options == NULL)
		return status_fail(SONDE_INVALID, "context, request, or options are null");
	CHECK(memory_allocate(&held, 1, sizeof *held, "a result"));
	*result = &held->seen;
	const sonde_status status = run(context, request, options, held);
	if (status != SONDE_OK)
		sonde_match_result_free(result);
	return status;
}

sonde_status sonde_match_result_write(sonde_context *context, const sonde_match_result *result, const char *path,
				      int overwrite)
{
	if (context == NULL || result == NULL || path == NULL)
		return status_fail(SONDE_INVALID, "context, result, or path are null");
	return match_file_write(context, &((const struct held *)result)->result, path, overwrite != 0);
}

sonde_status sonde_match_result_read(sonde_context *context, const char *path, sonde_match_result **result)
{
	struct held *held;

	(void)context;
	if (result == NULL)
		return status_fail(SONDE_INVALID, "result is null");
	*result = NULL;
	if (path == NULL)
		return status_fail(SONDE_INVALID, "a file name is needed, it is null");
	CHECK(memory_allocate(&held, 1, sizeof *held, "a result"));
	*result = &held->seen;
	sonde_status status = match_file_read(path, &held->options, &held->result);
	if (status == SONDE_OK)
		status = view(held);
	if (status != SONDE_OK)
		sonde_match_result_free(result);
	return status;
}

void sonde_match_result_free(sonde_match_result **result)
{
	struct held *held = result != NULL ? (struct held *)*result : NULL;

	if (held == NULL)
		return;
	for (int k = 0; held->curves != NULL && k < held->result.curve_count; ++k)
		match_unview_curve(&held->curves[k]);
	free(held->curves);
	free(held->weights);
	free(held->ranks);
	free(held->parameters);
	free(held->intervals);
	free(held->independent);
	free(held->qmax);
	free(held->refined);
	free(held->series_candidates);
	free(held->series_parameters);
	match_result_free(&held->result);
	free(held);
	*result = NULL;
}
