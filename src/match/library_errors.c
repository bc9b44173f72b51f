#include "match/library_errors.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* Adds those of a candidate to the variances [point]; `room` has as many points. */
static sonde_status add_candidate(struct data_set *set, int64_t number, double factor, double *room,
				  double *variances)
{
	struct candidate_source *source = candidates_source(&set->candidates, number);
	const enum library_curve curve = set->candidates.curve;
	float *row;

	if (source->library.reader == NULL || !source->library.head.errors[curve])
		return SONDE_OK;
	CHECK(memory_allocate(&row, (size_t)source->points, sizeof *row, "a curve"));
	const sonde_status status = library_read_errors(&source->library, curve, number - source->first, 1, row);
	if (status == SONDE_OK)
		data_set_resample(set, (size_t)(source - set->candidates.sources), row, room);
	free(row);
	for (int64_t k = 0; status == SONDE_OK && k < set->measured.count; ++k)
		variances[k] += pow(factor * room[k], 2.0);
	return status;
}

static sonde_status find_variances(const struct mixture *mixture, int d, double *room, double *variances)
{
	const struct nnls_solution *solution = &mixture->solution;

	for (int k = 0; k < solution->active_count; ++k) {
		const int j = solution->active[k];
		CHECK(add_candidate(&mixture->common->sets[d],
				    common_number(mixture->common, d, mixture->candidates[j]),
				    solution->x[j] * mixture->scales[d], room, variances));
	}
	return SONDE_OK;
}

static sonde_status weigh_set(const struct mixture *mixture, int d, double *largest)
{
	struct data_set *set = &mixture->common->sets[d];
	const int64_t points = set->measured.count;
	double *room, *variances, most = 0.0;

	/* the residual has them already */
	if (set->weights == SONDE_MATCH_WEIGHTS_UNIFORM)
		return SONDE_OK;
	CHECK(memory_allocate(&variances, (size_t)points, sizeof *variances, "a curve"));
	sonde_status status = memory_allocate(&room, (size_t)points, sizeof *room, "a curve");
	if (status == SONDE_OK)
		status = find_variances(mixture, d, room, variances);
	for (int64_t k = 0; status == SONDE_OK && k < points; ++k)
		most = fmax(most, sqrt(variances[k]) * set->inverse_sigma[k] / set->inverse_share);
	free(room);
	*largest = fmax(*largest, most);
	if (status != SONDE_OK || most < LIBRARY_ERRORS_MATTER) {
		free(variances);
		return status;
	}
	set->computed_variances = variances;
	return data_set_weigh(set, NULL);
}

sonde_status library_errors_weigh(struct mixture *mixture, double *largest)
{
	*largest = 0.0;
	for (int d = 0; d < mixture->common->set_count; ++d)
		CHECK(weigh_set(mixture, d, largest));
	return SONDE_OK;
}
