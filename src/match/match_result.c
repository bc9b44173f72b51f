#include "match/match_result.h"

#include <stdlib.h>

#include "run/provenance.h"

const char *const match_weights_names[4] = {"auto", "sigma", "poisson", "uniform"};

void match_curve_free(struct match_curve *curve)
{
	free(curve->path);
	free(curve->x);
	free(curve->measured);
	free(curve->sigma);
	free(curve->fitted);
	free(curve->background);
	free(curve->residual);
	free(curve->contributions);
	free(curve->peaks);
}

static void free_parameters(struct match_parameter *parameters, int count)
{
	for (int k = 0; k < count; ++k)
		free(parameters[k].of);
	free(parameters);
}

static void free_series(struct match_series *series)
{
	for (int64_t k = 0; series->entries != NULL && k < series->candidates; ++k)
		library_entry_free(&series->entries[k]);
	for (int64_t k = 0; series->paths != NULL && k < series->count; ++k)
		free(series->paths[k]);
	for (int64_t k = 0; series->further_paths != NULL && k < series->further * series->count; ++k)
		free(series->further_paths[k]);
	free(series->further_paths);
	free(series->low);
	free(series->high);
	free(series->value_low);
	free(series->value_high);
	free(series->entries);
	free(series->paths);
	free(series->weights);
	free(series->errors);
	free(series->chi_square);
	free(series->rwp);
	free_parameters(series->parameter, series->parameter_count);
	free(series->values);
	free(series->value_errors);
}

void match_result_free(struct match_result *result)
{
	for (int k = 0; k < result->curve_count; ++k)
		match_curve_free(&result->curves[k]);
	free(result->curves);
	for (int k = 0; k < result->weight_count; ++k) {
		library_entry_free(&result->weights[k].entry);
		for (int n = 0; n < MATCH_ALTERNATIVES; ++n)
			free(result->weights[k].alternatives[n]);
	}
	free(result->weights);
	for (int k = 0; k < result->rank_count; ++k)
		library_entry_free(&result->ranks[k].entry);
	free(result->ranks);
	free_parameters(result->parameter, result->parameter_count);
	free(result->correlations);
	for (int k = 0; k < result->alone_count; ++k)
		library_entry_free(&result->alone[k].entry);
	free(result->alone);
	free_series(&result->series);
	if (result->origin != NULL)
		provenance_free(result->origin);
	free(result->origin);
	*result = (struct match_result){0};
}
