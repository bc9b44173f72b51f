/* While one batch of structures is computed, the next one is built, and the one before is written. */
#include "library/make.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/background.h"
#include "base/clock.h"
#include "base/folder.h"
#include "base/memory.h"
#include "library/builder.h"
#include "library/output.h"
#include "parallel/parallel.h"
#include "run/context.h"

#define BLOCK 1024        /* structures of a rank that are sent at a time */
#define BATCH 4096        /* structures that are computed together, */
#define GPU_PAIRS 2e10    /* and their pairs, */
#define CPU_PAIRS 1e9     /* some seconds */
#define LEAST_PERIOD 20.0 /* seconds between two completions of the file */

struct making {
	sonde_context *context;
	const struct library_spec *spec;
	const struct library_settings *settings;
	struct library_outcome *outcome;
	struct library_keys before; /* of the file */
	struct debye_many *many;
	struct library_builder builder;
	struct library_output output;
	/* each in the hands of one job, or of the caller: which is computed, built, and written */
	struct library_batch batches[3], *computed, *built, *written;
	struct background_job building, writing;
	/* several ranks: each computes a part of the structures, and the first one writes */
	struct parallel *ranks;
	struct packed packed; /* what this rank has computed of a round */
};

/* The library that is there: it must have been computed in the same way. */
static sonde_status read_before(struct making *making)
{
	const struct library_spec *spec = making->spec;
	const char *path = making->settings->path, *name = library_radiation_names[library_radiation_of(spec)];
	struct library library;
	char *keys = NULL;
	sonde_status status;

	if (making->settings->overwrite || !folder_is_there(path))
		return SONDE_OK;
	CHECK(library_open(path, &library));
	if (library.head.radiation != library_radiation_of(spec) || strcmp(library.head.physics, spec->physics) != 0)
		status = status_fail_file(SONDE_INVALID, path,
					  "was computed with other options (%s%s%s, here %s%s%s); another output, or "
					  "`force`, makes a new library",
					  library_radiation_names[library.head.radiation],
					  library.head.physics[0] != '\0' ? ": " : "", library.head.physics, name,
					  spec->physics[0] != '\0' ? ": " : "", spec->physics);
	else
		status = library_read_keys(&library, &keys);
	if (status == SONDE_OK)
		status = library_keys_take(&making->before, keys, library.count);
	library_close(&library);
	return status;
}

/* Computing ---------------------------------------------------------------------------------------------------------- */

static sonde_status take_result(void *user, int number, sonde_debye_result **result)
{
	struct making *making = user;

	return library_output_take(&making->output, *result, &making->computed->structures[number]);
}

static sonde_status compute(struct making *making)
{
	const struct library_batch *batch = making->computed;
	const sonde_atoms **atoms = NULL;

	if (batch->count == 0)
		return SONDE_OK;
	CHECK(memory_allocate(&atoms, (size_t)batch->count, sizeof *atoms, "a batch"));
	for (int k = 0; k < batch->count; ++k)
		atoms[k] = batch->structures[k].atoms;
	const sonde_status status = debye_many_run_each(making->many, atoms, batch->count, take_result, making);
	free(atoms);
	return status;
}

/* One process -------------------------------------------------------------------------------------------------------- */

static sonde_status build_batch(void *user)
{
	struct making *making = user;
	const bool muted = context_mute_thread(true);
	const sonde_status status = library_builder_fill(&making->builder, making->built);

	(void)context_mute_thread(muted);
	return status;
}

static sonde_status write_batch(void *user)
{
	struct making *making = user;

	return library_output_write(&making->output, making->written);
}

/* With one thread, building waits until the batch is needed. */
static void begin_building(struct making *making)
{
	if (context_threads(making->context) > 1)
		background_start(&making->building, build_batch, making);
}

static sonde_status end_building(struct making *making)
{
	return context_threads(making->context) > 1 ? background_wait(&making->building) : build_batch(making);
}

/* The batches move on: what has been built is computed next, and what has been computed is written. */
static void exchange(struct library_batch **first, struct library_batch **second)
{
	struct library_batch *other = *first;

	*first = *second;
	*second = other;
}

/* A failure of building ends it: what is in the same batch is not computed. */
static sonde_status make_batches(struct making *making, struct stage *stage)
{
	begin_building(making);
	for (;;) {
		CHECK(end_building(making));
		exchange(&making->built, &making->computed);
		if (making->computed->count == 0)
			return SONDE_OK;
		begin_building(making);
		CHECK(compute(making));
		const int64_t end = making->computed->end;
		CHECK(background_wait(&making->writing));
		CHECK(library_output_open(&making->output));
		exchange(&making->computed, &making->written);
		background_start(&making->writing, write_batch, making);
		CHECK(stage_advance(stage, (double)end));
	}
}

/* Ends both jobs in any case: they use what `making` has. */
static sonde_status make_alone(struct making *making, struct stage *stage)
{
	sonde_status status = background_finish(&making->writing, make_batches(making, stage));
	char message[1024];

	snprintf(message, sizeof message, "%s", status_message());
	(void)background_wait(&making->building);
	return status == SONDE_OK ? SONDE_OK : status_fail(status, "%s", message);
}

/* Several ranks ------------------------------------------------------------------------------------------------------ */

/* The first rank gets what all have computed, and writes it. */
static sonde_status gather_round(struct making *making)
{
	const uint64_t size = making->packed.size;
	struct packed all = {0};
	void *bytes = NULL;
	char *own;

	CHECK(memory_allocate(&own, size + sizeof size, 1, "a library"));
	memcpy(own, &size, sizeof size);
	if (size > 0)
		memcpy(own + sizeof size, making->packed.bytes, size);
	packed_free(&making->packed);
	sonde_status status = parallel_collect(making->ranks, own, size + sizeof size, &bytes, &all.size);
	free(own);
	all.bytes = bytes;
	if (status == SONDE_OK && parallel_is_first(making->ranks))
		status = library_output_write_packed(&making->output, &all);
	free(bytes);
	return parallel_agree(making->ranks, status);
}

/* Structures of a rank in a round. */
static sonde_status make_block(struct making *making, int64_t first, int64_t end)
{
	making->builder.next = first;
	making->builder.end = end;
	for (bool ends = false; !ends;) {
		CHECK(library_builder_fill(&making->builder, making->computed));
		ends = making->computed->count == 0;
		CHECK(compute(making));
		CHECK(library_output_pack(&making->output, making->computed, &making->packed));
	}
	return SONDE_OK;
}

/* In rounds, of which each rank has a block of structures. */
static sonde_status make_among_ranks(struct making *making, struct stage *stage)
{
	const int64_t size = parallel_size(making->ranks), rank = parallel_rank(making->ranks),
		      count = making->spec->count, part = (count + size - 1) / size,
		      block = part < BLOCK ? part : BLOCK;
	struct library_builder *builder = &making->builder;

	CHECK(parallel_agree(making->ranks, SONDE_OK));
	for (int64_t base = 0; base < count; base += size * block) {
		const int64_t first = base + rank * block, end = first + block;
		const sonde_status status =
		    make_block(making, first < count ? first : count, end < count ? end : count);
		CHECK(parallel_agree(making->ranks, status));
		CHECK(gather_round(making));
		const int64_t done = base + size * block;
		CHECK(parallel_agree(making->ranks, stage_advance(stage, (double)(done < count ? done : count))));
	}
	double counts[] = {(double)builder->present, (double)builder->repeated, builder->atoms, builder->pairs};
	CHECK(parallel_sum_in_order(making->ranks, counts, sizeof counts / sizeof *counts));
	builder->present = (int64_t)counts[0];
	builder->repeated = (int64_t)counts[1];
	builder->atoms = counts[2];
	builder->pairs = counts[3];
	return SONDE_OK;
}

/* All of it ---------------------------------------------------------------------------------------------------------- */

static sonde_status make_all(struct making *making)
{
	struct device_count devices;
	struct stage stage;

	CHECK(read_before(making));
	making->outcome->total = making->before.count;
	CHECK(context_count_devices(making->context, &devices));
	/* from here on each rank is on its own, but for the exchange of what it has computed */
	if (parallel_size(context_ranks(making->context)) > 1)
		making->ranks = context_ranks(making->context);
	context_set_ranks(making->context, NULL);
	making->builder.most_pairs = devices.gpus > 0 ? GPU_PAIRS : CPU_PAIRS;
	CHECK(debye_many_begin(making->context, &making->spec->debye, &making->many));
	stage_begin(&stage, making->context, "library", "structures", (double)making->spec->count);
	context_mute(making->context, true);
	return making->ranks != NULL ? make_among_ranks(making, &stage) : make_alone(making, &stage);
}

/* After a stop, what has been added is kept. */
static sonde_status end(struct making *making, sonde_status status)
{
	struct library_output *output = &making->output;
	long long total = making->outcome->total;

	if (status != SONDE_OK && status != SONDE_CANCELLED) {
		char message[1024];
		snprintf(message, sizeof message, "%s", status_message());
		/* so is it before a failure of a later structure */
		if (output->made > 0 && library_output_complete(output) == SONDE_OK)
			return status_fail(status, "%s (the %lld structures before it are in the library)", message,
					   (long long)output->total);
		return status_fail(status, "%s", message);
	}
	CHECK(library_output_complete(output));
	total = output->total > 0 ? (long long)output->total : total;
	if (status == SONDE_CANCELLED && total > 0)
		return status_fail(SONDE_SUSPENDED,
				   "stopped on request: %lld structures are in %s; the same command continues", total,
				   making->settings->path);
	return status == SONDE_CANCELLED ? status_fail(SONDE_SUSPENDED,
						       "stopped on request before the first structures of %s were "
						       "complete; the same command begins again",
						       making->settings->path)
					 : status;
}

/* What the three parts have counted. */
static void sum_up(const struct making *making)
{
	const struct library_builder *builder = &making->builder;
	const struct library_output *output = &making->output;
	struct library_outcome *outcome = making->outcome;

	outcome->present = builder->present;
	outcome->repeated = builder->repeated + output->repeated;
	outcome->atoms = builder->atoms;
	outcome->pairs = builder->pairs;
	outcome->fewest_atoms = builder->fewest_atoms;
	outcome->most_atoms = builder->most_atoms;
	outcome->building = builder->seconds;
	outcome->writing = output->seconds;
	outcome->made = output->made;
	outcome->largest_error = output->largest_error;
	if (output->total > 0)
		outcome->total = output->total;
	if (making->many != NULL)
		outcome->times = *debye_many_times(making->many);
}

static void release(struct making *making)
{
	library_output_free(&making->output);
	library_builder_free(&making->builder);
	for (size_t k = 0; k < sizeof making->batches / sizeof *making->batches; ++k)
		library_batch_free(&making->batches[k]);
	library_keys_free(&making->before);
	packed_free(&making->packed);
	debye_many_free(&making->many);
	free(making);
}

static sonde_status begin(sonde_context *context, const struct library_spec *spec,
			  const struct library_settings *settings, struct library_outcome *outcome,
			  struct making **making)
{
	struct making *new;

	*outcome = (struct library_outcome){.structures = spec->count};
	CHECK(memory_allocate(making, 1, sizeof **making, "a library"));
	new = *making;
	*new = (struct making){.context = context, .spec = spec, .settings = settings, .outcome = outcome};
	new->computed = &new->batches[0];
	new->built = &new->batches[1];
	new->written = &new->batches[2];
	new->builder = (struct library_builder){.context = context,
						.spec = spec,
						.one_by_one = library_spec_reads_hdf5(spec),
						.at_once = settings->at_once > 0 ? settings->at_once : BATCH,
						.before = &new->before,
						.end = spec->count};
	new->output =
	    (struct library_output){.spec = spec,
				    .path = settings->path,
				    .overwrite = settings->overwrite,
				    .least_period = settings->period > 0.0 ? settings->period : LEAST_PERIOD};
	library_output_begin(&new->output);
	return SONDE_OK;
}

sonde_status library_make(sonde_context *context, const struct library_spec *spec,
			  const struct library_settings *settings, struct library_outcome *outcome)
{
	struct making *making;

	CHECK(begin(context, spec, settings, outcome, &making));
	sonde_status status = make_all(making);
	context_mute(context, false);
	status = end(making, status);
	sum_up(making);
	release(making);
	return status;
}

/* Builds all structures. */
static sonde_status plan_all(struct making *making)
{
	struct library_batch *batch = making->built;
	struct stage stage;

	CHECK(read_before(making));
	making->outcome->total = making->before.count;
	making->builder.most_pairs = INFINITY;
	stage_begin(&stage, making->context, "structures", "structures", (double)making->spec->count);
	do {
		library_batch_empty(batch);
		CHECK(library_builder_fill(&making->builder, batch));
		CHECK(stage_advance(&stage, (double)batch->end));
	} while (batch->count > 0);
	return SONDE_OK;
}

sonde_status library_plan(sonde_context *context, const struct library_spec *spec,
			  const struct library_settings *settings, struct library_outcome *outcome)
{
	struct making *making;

	CHECK(begin(context, spec, settings, outcome, &making));
	const sonde_status status = plan_all(making);
	sum_up(making);
	release(making);
	return status;
}
