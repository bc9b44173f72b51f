#include "pattern/average/orientations.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/background.h"
#include "base/memory.h"
#include "base/threads.h"
#include "matter/atoms/atoms_copies.h"
#include "parallel/parallel.h"
#include "pattern/compute.h"
#include "pattern/fast/fast.h"
#include "pattern/fast/turned.h"
#include "pattern/ranks.h"

/* Orientations that are computed together, and their pictures one after the other. */
struct batch {
	int64_t first, count;
	double (*rotations)[3][3], *weights;
	double *intensity;
};
/* The sample in progress. */
struct passage {
	struct average *average;
	const sonde_atoms *atoms;
	struct pattern_plan *plan; /* of all atoms */
	bool checked;              /* some points are to be computed again */
	struct batch batch;        /* in progress */
	struct stage *stage;       /* null: there is only one part */
	double done;               /* copies in orientations */
};

/* The orientations of the batch from `first` on, `count` of them, with their vectors set in the plan. */
static sonde_status compute_some(struct passage *passage, struct pattern_plan *plan, int64_t first, int64_t count)
{
	struct average *average = passage->average;
	const int64_t at = first * average->pixels;
	const struct pattern_values values = {average->values.intensity + at, average->values.real + at,
					      average->values.imaginary + at};
	double largest;
	int64_t checked;

	plan->pixels.count = count * average->pixels;
	plan->fast.width = plan->fast.width > average->width ? plan->fast.width : average->width;
	if (!passage->checked)
		return pattern_compute(average->context, plan, &values);
	CHECK(pattern_compute_checked(average->context, plan, &values, &largest, &checked));
	average->largest_error = fmax(average->largest_error, largest);
	average->checked += checked;
	average->width = plan->fast.width;
	passage->checked = false;
	return SONDE_OK;
}

/* The fast method takes a box by its vectors u, v, and w, which are then turned one after the other. */
static sonde_status compute_boxes(struct passage *passage, struct pattern_plan *plan)
{
	const struct average *average = passage->average;
	const double *basis = average->plan->pixels.basis;
	sonde_status status = SONDE_OK;

	for (int64_t t = 0; status == SONDE_OK && t < passage->batch.count; ++t) {
		const double(*r)[3] = (const double(*)[3])average->rotations[t];
		for (int row = 0; row < 3; ++row)
			for (int k = 0; k < 3; ++k)
				plan->pixels.basis[3 * row + k] = r[0][k] * basis[3 * row] +
								  r[1][k] * basis[3 * row + 1] +
								  r[2][k] * basis[3 * row + 2];
		status = compute_some(passage, plan, t, 1);
	}
	memcpy(plan->pixels.basis, basis, sizeof plan->pixels.basis);
	return status;
}

static sonde_status compute_plan(struct passage *passage, struct pattern_plan *plan)
{
	struct average *average = passage->average;
	struct pattern_pixels *pixels = &plan->pixels;
	sonde_status status;

	context_mute(average->context, passage->stage != NULL || average->kind != AVERAGE_ONE);
	if (plan->fast.chosen && pixels->geometry == SONDE_PATTERN_BOX) {
		status = compute_boxes(passage, plan);
	} else {
		pixels->rotations = (const double(*)[3][3])average->rotations;
		pixels->picture = average->pixels;
		status = compute_some(passage, plan, 0, passage->batch.count);
		pixels->rotations = NULL;
	}
	context_mute(average->context, false);
	pixels->count = average->pixels;
	return status;
}

static sonde_status advance(struct passage *passage, double more)
{
	passage->done += more;
	return passage->stage != NULL ? stage_advance(passage->stage, passage->done) : SONDE_OK;
}

static sonde_status add_copy(struct passage *passage, const sonde_atoms *copy)
{
	struct average *average = passage->average;
	const int64_t all = passage->batch.count * average->pixels;
	struct pattern_plan *plan;

	CHECK(memory_allocate(&plan, 1, sizeof *plan, "the plan"));
	sonde_status status = pattern_plan_of_part(average->context, copy, average->plan, plan);
	if (status == SONDE_OK)
		status = compute_plan(passage, plan);
	pattern_plan_free(plan);
	free(plan);
	for (int64_t n = 0; status == SONDE_OK && context_writes(average->context) && n < all; ++n)
		average->copies[n] += average->values.intensity[n];
	return status == SONDE_OK ? advance(passage, (double)passage->batch.count) : status;
}

static sonde_status add_copies(struct passage *passage)
{
	struct average *average = passage->average;
	struct copy_group groups[ATOMS_MOST_STRUCTURES];
	const struct placement *placement = passage->atoms->placements; /* null: all atoms are there */
	int64_t atom = 0;
	int count;

	CHECK(atoms_find_copies(passage->atoms, average->plan->options.copy_atoms, groups, &count));
	if (context_writes(average->context))
		memset(average->copies, 0, (size_t)(passage->batch.count * average->pixels) * sizeof(double));
	for (int g = 0; g < count; ++g) {
		for (int64_t copy = 0; copy < groups[g].copies; ++copy) {
			sonde_atoms part = atoms_part(passage->atoms, atom, groups[g].atoms);
			if (placement != NULL) {
				part.placements = placement++;
				part.groups[0] = (struct copy_group){1, groups[g].atoms};
				part.group_count = 1;
			}
			CHECK(add_copy(passage, &part));
			atom += placement == NULL ? groups[g].atoms : 0;
		}
		atom += placement != NULL ? groups[g].atoms : 0;
	}
	return SONDE_OK;
}

/* Adds the orientations of a batch to pixels of the sample. */
struct adding {
	const struct passage *passage;
	const struct batch *batch;
};

static void add_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct adding *adding = state;
	const struct batch *batch = adding->batch;
	struct average *average = adding->passage->average;
	struct pattern_pixels pixels = average->plan->pixels;

	(void)worker;
	pixels.rotations = (const double(*)[3][3])batch->rotations;
	pixels.picture = average->pixels;
	for (int64_t n = first; n < end; ++n)
		for (int64_t t = 0; t < batch->count; ++t) {
			const int64_t at = t * average->pixels + n;
			const double value = batch->intensity[at], weight = batch->weights[t];
			average->own[n] += weight * value;
			if (average->turn_mean != NULL) {
				const double difference = value - average->turn_mean[n];
				average->turn_mean[n] += difference / (double)(batch->first + t + 1);
				average->turn_squares[n] += difference * (value - average->turn_mean[n]);
			}
			if (average->own_real != NULL) {
				double vector[3], real = average->values.real[at],
						  imaginary = average->values.imaginary[at];
				(void)pattern_pixel(&pixels, at, vector);
				pattern_place(&adding->passage->plan->sample, vector, &real, &imaginary);
				average->own_real[n] += weight * real;
				average->own_imaginary[n] += weight * imaginary;
			}
		}
}

/* Adds a batch that has been computed, and keeps it: on the rank that has its values. */
static sonde_status add_batch(const struct passage *passage, const struct batch *batch)
{
	struct average *average = passage->average;
	const int threads = context_threads(average->context);
	struct adding adding = {passage, batch};

	average->done = batch->first + batch->count;
	if (!context_writes(average->context))
		return SONDE_OK;
	threads_for(threads, average->pixels, threads_grain(threads, average->pixels), add_some, &adding);
	return average->keep != NULL ? average->keep(average->user, batch->first, batch->count, batch->intensity)
				     : SONDE_OK;
}

/* The next batch; false if there is none. */
static bool next_batch(const struct average *average, int64_t first, struct batch *batch)
{
	const int64_t left = average->turns.count - first;

	batch->first = first;
	batch->count = left < average->batch ? left : average->batch;
	for (int64_t t = 0; t < batch->count; ++t)
		batch->weights[t] = turns_get(&average->turns, average->samples, first + t, batch->rotations[t]);
	return left > 0;
}

static sonde_status add_batches(struct passage *passage)
{
	struct average *average = passage->average;
	struct batch *batch = &passage->batch;

	*batch = (struct batch){.rotations = average->rotations,
				.weights = average->weights,
				.intensity = average->copies != NULL ? average->copies : average->values.intensity};
	while (next_batch(average, average->done, batch)) {
		CHECK(average->copies != NULL ? add_copies(passage) : compute_plan(passage, passage->plan));
		CHECK(add_batch(passage, batch));
		if (average->copies == NULL)
			CHECK(advance(passage, (double)batch->count));
	}
	return SONDE_OK;
}

/* A GPU that keeps what all pictures share computes a batch while threads of the host add the one before. ---------- */

struct stream {
	struct passage *passage;
	struct turned *turned;
	struct batch batches[2];
	struct background_job job; /* adds one of them, */
	const struct batch *added; /* this one */
	bool gpu_failed;
	int failed; /* its index */
};

static sonde_status add_in_background(void *user)
{
	const struct stream *stream = user;

	return add_batch(stream->passage, stream->added);
}

static sonde_status make_turned(struct passage *passage, struct turned **turned)
{
	struct average *average = passage->average;
	struct pattern_plan *plan = passage->plan;
	double first[3][3], error;
	int64_t checked;

	*turned = NULL;
	if (!plan->turned || average->done == average->turns.count)
		return SONDE_OK;
	(void)turns_get(&average->turns, average->samples, average->done, first);
	plan->fast.width = plan->fast.width > average->width ? plan->fast.width : average->width;
	CHECK(turned_make(average->context, plan, (const double(*)[3])first, passage->checked ? &error : NULL,
			  &checked, turned));
	if (*turned == NULL || !passage->checked)
		return SONDE_OK;
	average->largest_error = fmax(average->largest_error, error);
	average->checked += checked;
	average->width = plan->fast.width;
	passage->checked = false;
	return SONDE_OK;
}

/* The pictures of a batch, of which each rank computes a part. */
static sonde_status compute_pictures(struct stream *stream, const struct batch *batch)
{
	const struct average *average = stream->passage->average;
	struct parallel *ranks = context_ranks(average->context);
	const int64_t rank = parallel_rank(ranks), size = parallel_size(ranks), first = batch->count * rank / size,
		      count = batch->count * (rank + 1) / size - first;
	double *own = batch->intensity + first * average->pixels;
	size_t bytes;
	void *all;

	sonde_status status = turned_pictures(stream->turned, (const double(*)[3][3])batch->rotations + first, count,
					      own, &stream->failed);
	stream->gpu_failed = status == SONDE_RESOURCE && size == 1;
	if (size == 1)
		return status;
	CHECK(parallel_agree(ranks, status));
	CHECK(parallel_collect(ranks, own, (size_t)(count * average->pixels) * sizeof *own, &all, &bytes));
	if (parallel_is_first(ranks))
		memcpy(batch->intensity, all, bytes);
	free(all);
	return SONDE_OK;
}

static sonde_status run_stream(struct stream *stream)
{
	struct passage *passage = stream->passage;
	const struct average *average = passage->average;
	int64_t first = average->done;

	for (int set = 0; next_batch(average, first, &stream->batches[set]); set = 1 - set) {
		const struct batch *batch = &stream->batches[set];
		CHECK(compute_pictures(stream, batch));
		CHECK(background_wait(&stream->job));
		stream->added = batch;
		background_start(&stream->job, add_in_background, stream);
		first += batch->count;
		CHECK(advance(passage, (double)batch->count));
	}
	return background_wait(&stream->job);
}

static sonde_status allocate_stream(struct stream *stream)
{
	struct average *average = stream->passage->average;
	const size_t batch = (size_t)average->batch;

	stream->batches[0] = (struct batch){
	    .rotations = average->rotations, .weights = average->weights, .intensity = average->values.intensity};
	stream->batches[1].intensity = average->values.real; /* no amplitudes are needed */
	CHECK(memory_allocate(&stream->batches[1].rotations, batch, sizeof *average->rotations, "the orientations"));
	return memory_allocate(&stream->batches[1].weights, batch, sizeof(double), "the orientations");
}

static sonde_status run_and_free(struct passage *passage, struct turned **turned, struct stream *stream)
{
	sonde_status status = allocate_stream(stream);

	if (status == SONDE_OK)
		status = run_stream(stream);
	/* after a failure a batch may still be in progress, which is not lost */
	status = background_finish(&stream->job, status);
	free(stream->batches[1].rotations);
	free(stream->batches[1].weights);
	turned_free(turned);
	if (!stream->gpu_failed)
		return status;
	/* the others continue, or other ways */
	CHECK(context_drop_device(passage->average->context, stream->failed, status));
	return make_turned(passage, turned);
}

static sonde_status add_stream(struct passage *passage, struct turned **turned)
{
	while (*turned != NULL) {
		struct stream stream = {.passage = passage, .turned = *turned};
		CHECK(run_and_free(passage, turned, &stream));
		if (!stream.gpu_failed)
			return SONDE_OK;
	}
	return add_batches(passage);
}

/* Of one sample there is a stage for all parts; many have one of the caller. */
static sonde_status add_in_stage(struct passage *passage, struct turned **turned)
{
	struct average *average = passage->average;
	const double copies = average->copies != NULL ? (double)average->copy_count : 1.0;
	const bool parts = average->copies != NULL || *turned != NULL || average->batch < average->turns.count;
	struct stage stage;

	if (average->kind == AVERAGE_ONE && parts) {
		stage_begin(&stage, average->context, "patterns", average->copies != NULL ? "copies" : "orientations",
			    copies * (double)average->turns.count);
		passage->stage = &stage;
	}
	const sonde_status status = *turned != NULL ? add_stream(passage, turned) : add_batches(passage);
	passage->stage = NULL;
	return status;
}

sonde_status orientations_add(struct average *average, const sonde_atoms *atoms, struct pattern_plan *plan,
			      bool checked)
{
	struct passage passage = {.average = average,
				  .atoms = atoms,
				  .plan = plan,
				  .checked = checked,
				  .done = (double)average->done *
					  (average->copies != NULL ? (double)average->copy_count : 1.0)};
	struct turned *turned;

	CHECK(make_turned(&passage, &turned));
	return add_in_stage(&passage, &turned);
}
