/* Means over samples: the public functions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "debye/curves/comparison.h"
#include "debye/means/mean.h"
#include "debye/sums/prepared.h"
#include "matter/samples/choice.h"

#define FRAMES_PER_CHECK 100 /* of long trajectories; of the first ones the numbers 0, 1, 4, 16, 64 are checked */

/* Standard errors are those of frames; with blocks, their number must be known in advance. */
static sonde_status check_errors(const struct sonde_debye_mean *mean)
{
	const bool frames = mean->kind == SONDE_DEBYE_FRAMES;

	if (!frames && strstr(mean->options.columns, "standard_error") != NULL)
		return status_fail_option(SONDE_INVALID, "columns",
					  "standard errors are those of means over frames; components of a mixture "
					  "have none, since they are not samples of one distribution");
	return samples_check_blocks(mean->options.error_blocks, frames, mean->expected);
}

sonde_status sonde_debye_mean_begin(sonde_context *context, const sonde_debye_options *options, int kind,
				    int64_t samples, struct sonde_debye_mean **mean)
{
	sonde_status status;

	*mean = NULL;
	if (context == NULL || options == NULL)
		return status_fail(SONDE_INVALID, "context and options are needed, one of them is null");
	if ((kind != SONDE_DEBYE_FRAMES && kind != SONDE_DEBYE_MIXTURE) || samples < 0)
		return status_fail(SONDE_INVALID, "the kind of the mean, or its number of samples, is not valid");
	CHECK(memory_allocate(mean, 1, sizeof **mean, "a mean"));
	(*mean)->context = context;
	(*mean)->kind = kind;
	(*mean)->expected = samples;
	(*mean)->began = clock_seconds();
	status = options_complete(&debye_option_table, options, &(*mean)->options);
	if (status == SONDE_OK)
		status = options_check(&debye_option_table, &(*mean)->options);
	if (status == SONDE_OK)
		status = check_errors(*mean);
	/* those of files are not used here */
	(*mean)->single = (*mean)->options;
	(*mean)->single.frames[0] = (*mean)->single.topology[0] = '\0';
	(*mean)->single.error_blocks = 0;
	(*mean)->single.resume = 0;
	if (status != SONDE_OK)
		sonde_debye_mean_free(mean);
	return status;
}

/* Frames have the same numbers of atoms of the same species. */
static sonde_status compare_atoms(const struct sonde_debye_mean *mean, const sonde_debye_result *frame)
{
	const sonde_debye_result *first = mean->first;
	bool same = first->species_count == frame->species_count;

	for (int s = 0; same && s < first->species_count; ++s)
		same = strcmp(first->species_label[s], frame->species_label[s]) == 0 &&
		       first->species_atoms[s] == frame->species_atoms[s];
	return same
		   ? SONDE_OK
		   : status_fail(SONDE_INVALID,
				 "sample %lld of the mean has other atoms than the first: frames have the same atoms",
				 (long long)mean->sums.samples);
}

/* The first sample gives what all have in common; it is kept. */
static sonde_status add_result(struct sonde_debye_mean *mean, sonde_debye_result *sample, double weight)
{
	const bool frames = mean->kind == SONDE_DEBYE_FRAMES;

	if (mean->first != NULL && frames)
		CHECK(compare_atoms(mean, sample));
	if (mean->first != NULL && sample->options->method != mean->first->options->method)
		mean->several_methods = true;
	if (sample->bin_width > mean->bin_width)
		mean->bin_width = sample->bin_width;
	CHECK(mean_sums_add(&mean->sums, sample, weight));
	if (frames)
		return mean_spread_add(&mean->spread, sample, mean->options.error_blocks, mean->expected);
	CHECK(memory_grow(&mean->weights, &mean->weights_room, (size_t)mean->sums.samples, sizeof(double),
			  "the weights"));
	mean->weights[mean->sums.samples - 1] = weight;
	return SONDE_OK;
}

/* The errors of the same atoms at other places are about the same, and a check may take longer than the sums. */
bool debye_mean_checks(int64_t frame)
{
	int64_t power = 1;

	while (power < frame && power < FRAMES_PER_CHECK)
		power *= 4;
	return frame % FRAMES_PER_CHECK == 0 || frame == power;
}

static sonde_status compute(struct sonde_debye_mean *mean, const sonde_atoms *atoms, sonde_debye_result **result)
{
	if (mean->kind == SONDE_DEBYE_MIXTURE)
		return sonde_debye_run(mean->context, atoms, &mean->single, result);
	*result = NULL;
	if (mean->plan == NULL)
		CHECK(sonde_debye_plan(mean->context, atoms, &mean->single, &mean->plan));
	mean->check.wanted = debye_mean_checks(mean->sums.samples);
	const struct debye_execution execution = {mean->next, &mean->check};
	return debye_execute(mean->plan, atoms, &execution, result);
}

/* The largest error found in a frame holds for those that were not checked, too. */
static void take_check(const struct debye_check *check, sonde_debye_result *result)
{
	for (int64_t k = 0; k < result->q_count; ++k) {
		const double scale = result->mean_square_amplitude[k] + fabs(result->intensity_per_atom[k]);
		debye_errors_raise(result, k, check->largest * scale);
		result->error_bound[k] = fmax(result->error_bound[k], result->error_estimate[k]);
	}
	result->largest_error = fmax(result->largest_error, check->largest);
	result->largest_bound = fmax(result->largest_bound, check->largest);
}

static sonde_status keep_or_free(struct sonde_debye_mean *mean, sonde_status status, sonde_debye_result **sample)
{
	if (status == SONDE_OK && mean->first == NULL)
		mean->first = *sample;
	else
		sonde_debye_result_free(sample);
	return status;
}

sonde_status sonde_debye_mean_add(struct sonde_debye_mean *mean, const sonde_atoms *atoms, double weight)
{
	sonde_debye_result *sample;

	if (mean == NULL || atoms == NULL)
		return status_fail(SONDE_INVALID, "a mean and atoms are needed, one of them is null");
	if (!(weight > 0.0 && weight <= 1e300))
		return status_fail(SONDE_INVALID, "the weight %g of a sample is not a number above 0", weight);
	if (mean->kind == SONDE_DEBYE_FRAMES && weight != 1.0)
		return status_fail(SONDE_INVALID, "the weight %g of a frame is not 1", weight);
	if (mean->expected > 0 && mean->sums.samples == mean->expected)
		return status_fail(SONDE_INVALID, "the mean has all of its %lld samples", (long long)mean->expected);
	CHECK(compute(mean, atoms, &sample));
	return keep_or_free(mean, add_result(mean, sample, weight), &sample);
}

sonde_status debye_mean_take(struct sonde_debye_mean *mean, const struct debye_check *check,
			     sonde_debye_result **sample)
{
	mean->check.points = check->points;
	mean->check.largest = fmax(mean->check.largest, check->largest);
	mean->check.times_q = fmax(mean->check.times_q, check->times_q);
	take_check(&mean->check, *sample);
	return keep_or_free(mean, add_result(mean, *sample, 1.0), sample);
}

/* The origin of the first sample, of the time when the mean was begun. */
static sonde_status copy_origin(const struct sonde_debye_mean *mean, sonde_debye_result *result)
{
	const struct sonde_debye_provenance *from = mean->first->provenance;
	struct sonde_debye_provenance *to;

	CHECK(memory_allocate(&result->provenance, 1, sizeof *to, "the result"));
	to = result->provenance;
	to->table = from->table;
	to->options = from->options;
	memcpy(to->form_factors_sha256, from->form_factors_sha256, sizeof to->form_factors_sha256);
	memcpy(to->options.frames, mean->options.frames, sizeof to->options.frames);
	memcpy(to->options.topology, mean->options.topology, sizeof to->options.topology);
	to->options.error_blocks = mean->options.error_blocks;
	to->options.resume = mean->options.resume;
	if (mean->several_methods)
		to->options.method = mean->options.method;
	result->options = &to->options;
	to->run.device = from->run.device;
	memcpy(to->run.sha256, from->run.sha256, sizeof to->run.sha256);
	memcpy(to->run.started, from->run.started, sizeof to->run.started);
	CHECK(memory_copy_text(from->run.command, &to->run.command, "the result"));
	CHECK(memory_copy_text(from->run.sample, &to->run.sample, "the result"));
	return memory_allocate(&to->mean_amplitude, 2 * (size_t)mean->first->q_count, sizeof(double), "the result");
}

static sonde_status copy_weights(const struct sonde_debye_mean *mean, sonde_debye_result *result)
{
	if (mean->kind != SONDE_DEBYE_MIXTURE)
		return SONDE_OK;
	CHECK(memory_allocate(&result->sample_weights, (size_t)mean->sums.samples, sizeof(double), "the result"));
	for (int64_t k = 0; k < mean->sums.samples; ++k)
		result->sample_weights[k] = mean->weights[k] / mean->sums.weight;
	return SONDE_OK;
}

/* The option `compare`: the mean is fitted to the measured curve. */
static sonde_status compare_with_measured(const struct sonde_debye_mean *mean, sonde_debye_result *result)
{
	struct debye_points points;
	sonde_debye_options *settled;

	if (mean->options.compare[0] == '\0')
		return SONDE_OK;
	CHECK(memory_allocate(&settled, 1, sizeof *settled, "the options"));
	*settled = *result->options;
	sonde_status status = debye_points_make(&settled->q, settled, &points);
	if (status == SONDE_OK)
		status = comparison_make(mean->context, &points.measured, result);
	debye_points_free(&points);
	free(settled);
	return status;
}

static sonde_status make_result(struct sonde_debye_mean *mean, sonde_debye_result *result)
{
	result->q_count = mean->first->q_count;
	result->r_count = mean->first->r_count;
	result->bin_width = mean->bin_width;
	CHECK(copy_origin(mean, result));
	CHECK(mean_sums_deliver(mean->context, &mean->sums, mean->first, result));
	take_check(&mean->check, result);
	if (mean->kind == SONDE_DEBYE_FRAMES)
		CHECK(mean_spread_deliver(&mean->spread, result));
	CHECK(copy_weights(mean, result));
	CHECK(compare_with_measured(mean, result));
	result->seconds = mean->earlier_seconds + clock_seconds() - mean->began;
	if (mean->names.size > 0)
		CHECK(memory_copy_text(mean->names.bytes, &result->provenance->samples, "the result"));
	provenance_end(mean->context, &result->provenance->run);
	return SONDE_OK;
}

sonde_status sonde_debye_mean_finish(struct sonde_debye_mean *mean, sonde_debye_result **result)
{
	*result = NULL;
	if (mean == NULL || mean->first == NULL)
		return status_fail(SONDE_INVALID, "a mean needs at least one sample");
	if (mean->options.error_blocks > 0 && mean->sums.samples < mean->expected)
		return status_fail(SONDE_INVALID, "the mean has %lld of its %lld samples",
				   (long long)mean->sums.samples, (long long)mean->expected);
	CHECK(memory_allocate(result, 1, sizeof **result, "the result"));
	const sonde_status status = make_result(mean, *result);
	if (status != SONDE_OK)
		sonde_debye_result_free(result);
	return status;
}

void sonde_debye_mean_free(struct sonde_debye_mean **mean)
{
	if (mean == NULL || *mean == NULL)
		return;
	mean_sums_free(&(*mean)->sums);
	spread_free(&(*mean)->spread);
	sonde_debye_result_free(&(*mean)->first);
	sonde_debye_plan_free(&(*mean)->plan);
	free((*mean)->weights);
	text_free(&(*mean)->names);
	free(*mean);
	*mean = NULL;
}
