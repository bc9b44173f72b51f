#include "refine/result.h"

#include <stdlib.h>

void refine_result_free(struct refine_result *result)
{
	for (int k = 0; result->parameters != NULL && k < result->parameter_count; ++k)
		free(result->parameters[k].name);
	for (int k = 0; result->derived != NULL && k < result->derived_count; ++k)
		free(result->derived[k].name);
	free(result->parameters);
	free(result->derived);
	free(result->correlations);
	for (int d = 0; result->curves != NULL && d < result->curve_count; ++d)
		match_curve_free(&result->curves[d]);
	free(result->curves);
	free(result->step_rwp);
	free(result->step_values);
	*result = (struct refine_result){.options = result->options, .job = result->job};
}
