#include "debye/means/mean_spread.h"

#include <string.h>

#include "base/memory.h"

#define SPREAD_CURVES 13

/* A curve of a result, and its standard error. */
struct spread_curve {
	const double *values;
	double **error;
	int64_t count;
};

static void list_curves(const sonde_debye_result *of, sonde_debye_result *to,
			struct spread_curve curves[SPREAD_CURVES])
{
	const int64_t q = of->q_count, pairs = of->pair_count * q,
		      counted = of->radial_distribution != NULL ? of->r_count : 0,
		      blocks = of->block_intensity != NULL ? species_pair_count(of->block_count) * q : 0;
	const struct spread_curve all[SPREAD_CURVES] = {
	    {of->intensity_per_atom, &to->standard_error, q},
	    {of->structure_factor, &to->structure_factor_standard_error, q},
	    {of->reduced_structure_factor, &to->reduced_structure_factor_standard_error, q},
	    {of->pair_distribution, &to->pair_distribution_standard_error, of->r_count},
	    {of->partial_intensity, &to->partial_intensity_standard_error, pairs},
	    {of->partial_structure_factor, &to->partial_structure_factor_standard_error, pairs},
	    {of->radial_distribution, &to->radial_distribution_standard_error, counted},
	    {of->running_coordination, &to->running_coordination_standard_error, counted},
	    {of->partial_radial_distribution, &to->partial_radial_distribution_standard_error,
	     of->pair_count * counted},
	    {of->partial_running_coordination, &to->partial_running_coordination_standard_error,
	     of->pair_count * counted},
	    {of->intensity_resolved, &to->intensity_resolved_standard_error, of->intensity_resolved != NULL ? q : 0},
	    {of->intensity_absolute, &to->intensity_absolute_standard_error, of->intensity_absolute != NULL ? q : 0},
	    {of->block_intensity, &to->block_intensity_standard_error, blocks}};

	memcpy(curves, all, sizeof all);
}

static sonde_status begin(struct spread *spread, const struct spread_curve curves[SPREAD_CURVES])
{
	int64_t size = 0;

	for (int c = 0; c < SPREAD_CURVES; ++c)
		size += curves[c].count;
	return spread_begin(spread, size);
}

sonde_status mean_spread_add(struct spread *spread, const sonde_debye_result *frame, int64_t blocks, int64_t expected)
{
	struct spread_curve curves[SPREAD_CURVES];
	sonde_debye_result unused;
	int64_t place = 0;

	list_curves(frame, &unused, curves);
	if (spread->size == 0)
		CHECK(begin(spread, curves));
	for (int c = 0; c < SPREAD_CURVES; place += curves[c++].count)
		spread_add(spread, place, curves[c].values, curves[c].count);
	spread_end_sample(spread, blocks, expected);
	return SONDE_OK;
}

sonde_status mean_spread_deliver(const struct spread *spread, sonde_debye_result *result)
{
	struct spread_curve curves[SPREAD_CURVES];
	int64_t place = 0;

	if (spread->values < 2)
		return SONDE_OK;
	result->error_values = spread->values;
	list_curves(result, result, curves);
	for (int c = 0; c < SPREAD_CURVES; ++c) {
		if (curves[c].count == 0)
			continue;
		CHECK(memory_allocate(curves[c].error, (size_t)curves[c].count, sizeof(double), "the result"));
		for (int64_t k = 0; k < curves[c].count; ++k, ++place)
			(*curves[c].error)[k] = spread_error(spread, place);
	}
	return SONDE_OK;
}
