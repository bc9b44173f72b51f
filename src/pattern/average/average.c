/* Means of intensities.
 *
 * For samples s with weights w_s, of which orientation R has the weight v_R,
 *
 *     I(q) = sum_s w_s sum_R v_R sum_c I_sc(R^T q)/sum_s w_s
 *
 * with I_sc that of all atoms, or of copy c if these are independent: vectors are turned instead of atoms. Sums are in this
 * order, for any number of orientations at a time, so that results do not depend on it.
 */
#include "pattern/average/average.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matter/atoms/atoms_copies.h"
#include "pattern/average/orientations.h"
#include "pattern/fast/fast.h"
#include "parallel/parallel.h"

/* Orientations that are computed together: pixels, and atoms at pixels, about a second of a device */
#define PIXELS_AT_ONCE 4e6
#define TERMS_OF_CPU 1e9
#define TERMS_OF_GPU 1e12
#define LEAST_PIXELS 8192.0
#define CYCLES_OF_FAST 3e9
#define LEAST_TURNED 4       /* orientations of a sample for which it is prepared (fast/turned.h) */
#define FRAMES_PER_CHECK 100 /* of long trajectories; of the first ones the numbers 0, 1, 4, 16, 64 are checked */

/* Beginning --------------------------------------------------------------------------------------------------- */

bool average_is_needed(const sonde_pattern_options *options)
{
	return options->orientation[0] != '\0' || options->orientations[0] != '\0' || options->shots > 0 ||
	       options->copies != SONDE_PATTERN_COPIES_EXACT;
}

sonde_status average_check(const sonde_pattern_options *options)
{
	struct turns turns;

	const sonde_status status = turns_make(options, &turns);
	turns_free(&turns);
	CHECK(status);
	if (options->copies == SONDE_PATTERN_COPIES_EXACT)
		return options->copy_atoms == 0 || options->partials == SONDE_PATTERN_PARTIALS_BLOCK
			   ? SONDE_OK
			   : status_fail_option(SONDE_INVALID, "copy_atoms",
						"is for `copies independent` and `partials block`");
	return options->amplitude
		   ? status_fail_option(
			 SONDE_INVALID, "amplitude",
			 "copies that do not interfere have no amplitude in common; choose `copies exact`")
		   : SONDE_OK;
}

static double bytes_of_rows(const struct pattern_plan *plan, const struct turns *turns, enum average_kind kind)
{
	return 8.0 * (double)plan->pixels.count *
	       (2.0 + (plan->options.amplitude ? 4.0 : 0.0) + (turns->sampled ? 3.0 : 0.0) +
		(plan->options.shots > 0 ? 2.0 : 0.0) + /* the detector's factors */
		(kind == AVERAGE_FRAMES ? 3.0 : 0.0));
}

/* of an orientation of those that are computed together */
static double bytes_of_turn(const struct pattern_plan *plan)
{
	return 8.0 * (double)plan->pixels.count * (plan->options.copies != SONDE_PATTERN_COPIES_EXACT ? 4.0 : 3.0);
}

sonde_status average_choose(sonde_context *context, int64_t samples, struct pattern_plan *plan)
{
	struct turns turns;

	sonde_status status = turns_make(&plan->options, &turns);
	plan->turned = turns.count >= LEAST_TURNED && !plan->options.amplitude &&
		       plan->options.copies == SONDE_PATTERN_COPIES_EXACT;
	if (status == SONDE_OK)
		status = pattern_plan_choose(context, (double)turns.count * (double)samples, plan);
	turns_free(&turns);
	return status;
}

/* Half of the memory at most, of which the atoms and the fast method need the other. */
static int64_t choose_batch(const sonde_context *context, const struct pattern_plan *plan, const struct turns *turns,
			    enum average_kind kind, bool gpu)
{
	const double pixels = (double)plan->pixels.count, atoms = (double)plan->sample.count,
		     most = plan->fast.chosen ? CYCLES_OF_FAST / plan->fast.cycles * pixels
					      : fmax(LEAST_PIXELS, (gpu ? TERMS_OF_GPU : TERMS_OF_CPU) / atoms),
		     room = (0.5 * (double)context_host_memory(context) - bytes_of_rows(plan, turns, kind)) /
			    bytes_of_turn(plan),
		     fit = floor(fmin(fmin(PIXELS_AT_ONCE, most) / pixels, room));

	return fit < 1.0 ? 1 : fit < (double)turns->count ? (int64_t)fit : turns->count;
}

static sonde_status find_cycles(sonde_context *context, const struct turns *turns, struct pattern_plan *plan)
{
	const int64_t batch = choose_batch(context, plan, turns, AVERAGE_ONE, false);
	struct pattern_plan *turned = NULL;
	double(*rotations)[3][3] = NULL;
	sonde_status status;

	CHECK_GOTO(status, memory_allocate(&turned, 1, sizeof *turned, "the plan"), done);
	CHECK_GOTO(status, memory_allocate(&rotations, (size_t)batch, sizeof *rotations, "the orientations"), done);
	for (int64_t k = 0; k < batch; ++k)
		(void)turns_get(turns, 0, k, rotations[k]);
	*turned = *plan; /* its arrays belong to `plan` */
	turned->pixels.picture = plan->pixels.count;
	turned->pixels.count *= batch;
	turned->pixels.rotations = (const double(*)[3][3])rotations;
	turned->repeats = plan->repeats / (double)batch;
	CHECK_GOTO(status, fast_choose(context, turned), done);
	plan->fast.cycles = turned->fast.cycles / (double)batch;
	plan->fast.bytes = turned->fast.bytes;
done:
	free(rotations);
	free(turned);
	return status;
}

sonde_status average_find_cycles(sonde_context *context, struct pattern_plan *plan)
{
	struct turns turns;

	if (!plan->fast.chosen || plan->fast.on_gpu || plan->pixels.geometry == SONDE_PATTERN_BOX)
		return SONDE_OK;
	sonde_status status = turns_make(&plan->options, &turns);
	if (status == SONDE_OK && turns.turned)
		status = find_cycles(context, &turns, plan);
	turns_free(&turns);
	return status;
}

double average_bytes(const sonde_context *context, const struct pattern_plan *plan, const struct turns *turns,
		     enum average_kind kind, bool gpu)
{
	return bytes_of_rows(plan, turns, kind) +
	       bytes_of_turn(plan) * (double)choose_batch(context, plan, turns, kind, gpu);
}

static sonde_status check_memory(const struct average *average, bool gpu)
{
	const double needed = average_bytes(average->context, average->plan, &average->turns, average->kind, gpu),
		     allowed = (double)context_host_memory(average->context);

	return needed <= allowed
		   ? SONDE_OK
		   : status_fail(SONDE_RESOURCE,
				 "the mean of patterns of %lld points needs about %.3g MB of main memory, "
				 "but %.3g MB are allowed or free",
				 (long long)average->pixels, 1e-6 * needed, 1e-6 * allowed);
}

static sonde_status allocate(struct average *average)
{
	const sonde_pattern_options *options = &average->plan->options;
	const bool sampled = average->turns.sampled;
	const size_t pixels = (size_t)average->pixels, batch = (size_t)average->batch;
	const struct {
		double **numbers;
		bool needed;
		size_t count;
	} rows[] = {{&average->intensity, true, pixels},
		    {&average->own, true, pixels},
		    {&average->real, options->amplitude, pixels},
		    {&average->imaginary, options->amplitude, pixels},
		    {&average->own_real, options->amplitude, pixels},
		    {&average->own_imaginary, options->amplitude, pixels},
		    {&average->turn_mean, sampled, pixels},
		    {&average->turn_squares, sampled, pixels},
		    {&average->variance, sampled, pixels},
		    {&average->weights, true, batch},
		    {&average->values.intensity, true, batch * pixels},
		    {&average->values.real, true, batch * pixels},
		    {&average->values.imaginary, true, batch * pixels},
		    {&average->copies, options->copies != SONDE_PATTERN_COPIES_EXACT, batch * pixels}};

	for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k)
		if (rows[k].needed)
			CHECK(memory_allocate(rows[k].numbers, rows[k].count, sizeof(double), "the mean pattern"));
	CHECK(memory_allocate(&average->rotations, batch, sizeof *average->rotations, "the orientations"));
	return average->kind == AVERAGE_FRAMES ? spread_begin(&average->frames, average->pixels) : SONDE_OK;
}

/* Intensities of a sample of extent D have degrees up to about q D as functions of the orientation. */
static void note_grid(sonde_context *context, const struct pattern_plan *plan, const struct turns *turns)
{
	const struct pattern_sample *sample = &plan->sample;
	double square = 0.0;

	if (turns->degree == 0)
		return;
	for (int64_t i = 0; i < sample->count; ++i) {
		double r[3];
		pattern_position(sample, i, r);
		const double x = r[0] - sample->center[0], y = r[1] - sample->center[1], z = r[2] - sample->center[2];
		square = fmax(square, x * x + y * y + z * z);
	}
	const double extent = 2.0 * sqrt(square), degree = plan->pixels.largest * extent,
		     points = ceil(0.5 * (degree + 1.0));
	const bool grid = turns->kind == TURNS_GRID;
	if (turns->degree < degree)
		context_notef(
		    context,
		    "the mean over orientations is exact to degree %d, but at q = %.4g a sample of %.4g Angstrom "
		    "has degrees up to %.0f and more; %s:%.0f includes these",
		    turns->degree, plan->pixels.largest, extent, degree, grid ? "uniform" : "fiber",
		    grid ? 4.0 * points * points * points : ceil(degree) + 1.0);
}

sonde_status average_begin(sonde_context *context, const struct pattern_plan *plan, enum average_kind kind,
			   int64_t expected, struct average *average)
{
	struct device_count devices;

	*average = (struct average){
	    .context = context, .plan = plan, .kind = kind, .expected = expected, .pixels = plan->pixels.count};
	CHECK(turns_make(&plan->options, &average->turns));
	CHECK(context_count_devices(context, &devices));
	double batch = (double)choose_batch(average->context, plan, &average->turns, average->kind, devices.gpus > 0);
	CHECK(parallel_least(context_ranks(context), &batch)); /* which depends on free memory */
	average->batch = (int64_t)batch;
	CHECK(check_memory(average, devices.gpus > 0));
	note_grid(context, plan, &average->turns);
	return allocate(average);
}

void average_free(struct average *average)
{
	double *rows[] = {average->intensity,
			  average->real,
			  average->imaginary,
			  average->variance,
			  average->own,
			  average->own_real,
			  average->own_imaginary,
			  average->turn_mean,
			  average->turn_squares,
			  average->weights,
			  average->values.intensity,
			  average->values.real,
			  average->values.imaginary,
			  average->copies};

	for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k)
		free(rows[k]);
	free(average->rotations);
	spread_free(&average->frames);
	turns_free(&average->turns);
	*average = (struct average){.context = NULL};
}

/* Samples --------------------------------------------------------------------------------------------------------- */

static void clear(const struct average *average)
{
	double *rows[] = {average->own, average->own_real, average->own_imaginary, average->turn_mean,
			  average->turn_squares};

	for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k)
		if (rows[k] != NULL)
			memset(rows[k], 0, (size_t)average->pixels * sizeof(double));
}

/* The squared standard error of the mean over random orientations. */
static double variance_of_turns(const struct average *average, int64_t n)
{
	const double turns = (double)average->turns.count;

	return turns > 1.0 ? average->turn_squares[n] / (turns * (turns - 1.0)) : 0.0;
}

static void include_sample(struct average *average, double weight)
{
	const double turns = average->turns.weight;

	for (int64_t n = 0; context_writes(average->context) && n < average->pixels; ++n) {
		average->own[n] /= turns;
		if (average->real != NULL) {
			average->own_real[n] /= turns;
			average->own_imaginary[n] /= turns;
		}
		average->intensity[n] += weight * average->own[n];
		if (average->variance != NULL)
			average->variance[n] += weight * weight * variance_of_turns(average, n);
		if (average->real != NULL) {
			average->real[n] += weight * average->own_real[n];
			average->imaginary[n] += weight * average->own_imaginary[n];
		}
	}
	average->weight += weight;
	++average->samples;
	average->done = 0;
	if (average->kind == AVERAGE_FRAMES && context_writes(average->context)) {
		spread_add(&average->frames, 0, average->own, average->pixels);
		spread_end_sample(&average->frames, average->plan->options.error_blocks, average->expected);
	}
}

/* The errors of frames are about the same. */
static bool is_checked(const struct average *average)
{
	int64_t power = 1;

	while (power < average->samples && power < FRAMES_PER_CHECK)
		power *= 4;
	return average->kind != AVERAGE_FRAMES || average->samples % FRAMES_PER_CHECK == 0 ||
	       average->samples == power;
}

static sonde_status count_copies(struct average *average, const sonde_atoms *atoms)
{
	struct copy_group groups[ATOMS_MOST_STRUCTURES];
	int count;

	average->copy_count = 0;
	if (average->copies == NULL)
		return SONDE_OK;
	CHECK(atoms_find_copies(atoms, average->plan->options.copy_atoms, groups, &count));
	for (int g = 0; g < count; ++g)
		average->copy_count += groups[g].copies;
	return SONDE_OK;
}

sonde_status average_add(struct average *average, const sonde_atoms *atoms, double weight)
{
	const bool checked = average->done == 0 && is_checked(average);
	struct pattern_plan *plan;

	CHECK(memory_allocate(&plan, 1, sizeof *plan, "the plan"));
	sonde_status status = pattern_plan_follow(average->context, atoms, average->plan, plan);
	const sonde_atoms *placed = pattern_plan_atoms(plan, atoms);
	if (status == SONDE_OK)
		status = count_copies(average, placed);
	if (average->done == 0 && context_writes(average->context))
		clear(average);
	if (status == SONDE_OK)
		status = orientations_add(average, placed, plan, checked);
	if (status == SONDE_OK) {
		average->atoms += weight * (double)plan->sample.count;
		average->present += weight * plan->sample.present;
		error_table_add(&plan->sample, &average->plan->pixels, weight, average->squares);
		include_sample(average, weight);
	}
	pattern_plan_free(plan);
	free(plan);
	return status;
}

/* The mean -------------------------------------------------------------------------------------------------------- */

/* Independent values of which the standard errors are made; 0: there are none. */
static int64_t error_values(const struct average *average)
{
	if (average->kind == AVERAGE_FRAMES && average->samples > 1)
		return average->frames.values > 1 ? average->frames.values : 0;
	return average->turns.sampled && average->turns.count > 1 ? average->turns.count : 0;
}

static double standard_error(const struct average *average, int64_t n)
{
	return average->kind == AVERAGE_FRAMES && average->samples > 1 ? spread_error(&average->frames, n)
								       : sqrt(average->variance[n]) / average->weight;
}

sonde_status average_deliver(struct average *average, sonde_pattern_result *result)
{
	const size_t pixels = (size_t)average->pixels;
	const bool writes = context_writes(average->context);

	for (int64_t n = 0; writes && n < average->pixels; ++n) {
		average->intensity[n] /= average->weight;
		if (average->real != NULL) {
			average->real[n] /= average->weight;
			average->imaginary[n] /= average->weight;
		}
	}
	result->error_values = error_values(average);
	if (result->error_values > 0) {
		CHECK(memory_allocate(&result->standard_error, pixels, sizeof(double), "the result"));
		for (int64_t n = 0; writes && n < average->pixels; ++n)
			result->standard_error[n] = standard_error(average, n);
	}
	result->intensity = average->intensity;
	result->real = average->real;
	result->imaginary = average->imaginary;
	average->intensity = average->real = average->imaginary = NULL;
	result->orientation_count = average->turns.turned ? average->turns.count : 0;
	result->sample_count = average->kind != AVERAGE_ONE ? average->samples : 0;
	result->copy_count = average->copy_count;
	result->atom_count = (int64_t)(average->atoms / average->weight + 0.5);
	result->atoms_present = average->present / average->weight;
	result->largest_error = average->largest_error;
	result->checked_points = average->checked;
	for (int k = 0; k < PATTERN_ERROR_NODES; ++k)
		average->squares[k] /= average->weight;
	return error_table_make(&average->plan->sample, &average->plan->pixels, average->squares,
				average->largest_error, result);
}
