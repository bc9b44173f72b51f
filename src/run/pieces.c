#include "run/pieces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/lock.h"
#include "base/memory.h"
#include "run/checkpoint.h"
#include "run/pieces_checkpoint.h"
#include "run/share.h"

#define SECONDS_OF_CHECKPOINT 60.0 /* between two checkpoints, without an option for it */
#define SECONDS_OF_ROUND 2.0       /* of sharing pieces, after which a checkpoint may be written */
#define FIRST_ROUND 64             /* pieces */

/* A run in progress. */
struct run {
	sonde_context *context;
	const struct engine *engine;
	const struct engine_request *request;
	const struct pieces_of_engine *pieces;
	void *plan;
	struct pieces_work work;
	struct pieces_progress progress;
	uint64_t *waiting; /* the pieces of a round */
	uint64_t waiting_count;
	void *states; /* on devices */
};

sonde_status pieces_add_table(struct pieces_result *result, const char *name, const char *title, int64_t rows,
			      struct pieces_table **table)
{
	if (result->table_count == PIECES_MOST_TABLES)
		return status_fail(SONDE_INTERNAL, "a result has at most %d tables", PIECES_MOST_TABLES);
	*table = &result->tables[result->table_count++];
	snprintf((*table)->name, sizeof(*table)->name, "%s", name);
	snprintf((*table)->title, sizeof(*table)->title, "%s", title);
	(*table)->rows = rows;
	return SONDE_OK;
}

sonde_status pieces_add_column(struct pieces_table *table, const char *name, const char *unit, double **values)
{
	if (table->column_count == PIECES_MOST_COLUMNS)
		return status_fail(SONDE_INTERNAL, "a table has at most %d columns", PIECES_MOST_COLUMNS);
	struct pieces_column *column = &table->columns[table->column_count];
	CHECK(memory_allocate(&column->values, (size_t)table->rows, sizeof(double), "the result"));
	snprintf(column->name, sizeof column->name, "%s", name);
	snprintf(column->unit, sizeof column->unit, "%s", unit);
	++table->column_count;
	*values = column->values;
	return SONDE_OK;
}

/* Work ---------------------------------------------------------------------------------------------------- */

static sonde_status prepare(void *user, struct device *device, void *state)
{
	const struct run *run = user;

	return run->pieces->prepare(run->plan, device, state);
}

/* Pieces of the round, which need not be consecutive when a run is resumed. */
static sonde_status run_pieces(void *user, void *state, uint64_t first, uint64_t count, double *amount)
{
	const struct run *run = user;

	for (uint64_t k = first; k < first + count;) {
		uint64_t together = 1;
		const uint64_t piece = run->waiting[k];
		while (k + together < first + count && run->waiting[k + together] == piece + together)
			++together;
		CHECK(run->pieces->run(run->plan, state, piece, together,
				       run->progress.values + piece * run->work.values));
		memset(run->progress.done + piece, 1, together);
		*amount += run->work.amount_of_piece * (double)together;
		k += together;
	}
	return SONDE_OK;
}

static uint64_t at_once(void *user, struct device *device, const void *state)
{
	const struct run *run = user;
	const uint64_t wanted = run->pieces->at_once != NULL ? run->pieces->at_once(run->plan, device) : 1;

	(void)state;
	return wanted > 0 ? wanted : 1;
}

/* The next pieces to be done, at most `most`. */
static void choose_round(struct run *run, uint64_t most)
{
	run->waiting_count = 0;
	for (uint64_t k = 0; k < run->work.count && run->waiting_count < most; ++k)
		if (!run->progress.done[k])
			run->waiting[run->waiting_count++] = k;
}

static uint64_t count_done(const struct run *run)
{
	uint64_t count = 0;

	for (uint64_t k = 0; k < run->work.count; ++k)
		count += run->progress.done[k];
	return count;
}

/* Completed work is kept if there is a file for it. */
static sonde_status stop(struct run *run)
{
	const uint64_t done = count_done(run);

	if (done == 0)
		return SONDE_CANCELLED;
	if (run->request->output == NULL)
		return context_lose_work(run->context);
	CHECK(pieces_checkpoint_save(run->request->output, &run->progress));
	return status_fail(SONDE_SUSPENDED,
			   "stopped; %llu of %llu pieces are kept in %s.checkpoint, continue with `resume`",
			   (unsigned long long)done, (unsigned long long)run->work.count, run->request->output);
}

/* Seconds between two checkpoints. */
static double checkpoint_seconds(const struct run *run)
{
	return options_find(run->engine->options, "checkpoint") != NULL
		   ? options_real(run->engine->options, run->request->options, "checkpoint")
		   : SECONDS_OF_CHECKPOINT;
}

static sonde_status share_rounds(struct run *run, const struct shared_work *work, struct stage *stage)
{
	double done = run->work.amount_of_piece * (double)count_done(run), saved = clock_seconds();
	uint64_t round = FIRST_ROUND;

	for (choose_round(run, round); run->waiting_count > 0; choose_round(run, round)) {
		struct shared_work now = *work;
		const double began = clock_seconds();
		now.pieces = run->waiting_count;
		const sonde_status status = share_work(run->context, &now, stage, &done);
		if (status == SONDE_CANCELLED)
			return stop(run);
		CHECK(status);
		const double ended = clock_seconds();
		if (ended - began < SECONDS_OF_ROUND && round < run->work.count)
			round *= 2;
		if (run->request->output != NULL && checkpoint_is_due(checkpoint_seconds(run), saved)) {
			CHECK(pieces_checkpoint_save(run->request->output, &run->progress));
			saved = ended;
		}
	}
	return SONDE_OK;
}

static sonde_status compute(struct run *run)
{
	const struct shared_work work = {.user = run,
					 .states = run->states,
					 .state_size = run->pieces->state_size,
					 .prepare = prepare,
					 .release = run->pieces->release,
					 .run = run_pieces,
					 .at_once = at_once};
	struct stage stage;

	stage_begin(&stage, run->context, run->engine->name, run->work.unit,
		    run->work.amount_of_piece * (double)run->work.count);
	const sonde_status status = share_rounds(run, &work, &stage);
	share_release(&work);
	return status;
}

/* Plans and results ------------------------------------------------------------------------------------------ */

static sonde_status make_plan(struct run *run, struct engine_estimate *estimate, struct report *report)
{
	CHECK(memory_allocate(&run->plan, run->pieces->plan_size, 1, "the plan"));
	CHECK(run->pieces->plan(run->context, run->request, run->plan, &run->work, estimate, report));
	estimate->host_memory += (double)run->work.count * (run->work.values * sizeof(double) + 1.0);
	if (estimate->host_memory > (double)context_host_memory(run->context))
		return status_fail(SONDE_INVALID, "not enough memory: %.3g MB are needed, and %.3g MB are allowed",
				   1e-6 * estimate->host_memory, 1e-6 * (double)context_host_memory(run->context));
	return SONDE_OK;
}

static void release(struct run *run)
{
	if (run->plan != NULL && run->pieces->release_plan != NULL)
		run->pieces->release_plan(run->plan);
	free(run->plan);
	free(run->states);
	free(run->waiting);
	pieces_progress_free(&run->progress);
}

sonde_status pieces_plan(sonde_context *context, const struct engine *engine, const struct engine_request *request,
			 struct engine_estimate *estimate, struct report *report)
{
	struct run run = {.context = context, .engine = engine, .request = request, .pieces = engine->pieces};
	const sonde_status status = make_plan(&run, estimate, report);

	release(&run);
	return status;
}

static sonde_status begin_progress(struct run *run, struct pieces_result *result)
{
	CHECK(pieces_progress_make(run->engine, run->request->options, run->work.count, run->work.values,
				   &run->progress));
	CHECK(memory_allocate(&run->waiting, run->work.count, sizeof *run->waiting, "the pieces"));
	CHECK(memory_allocate(&run->states, CONTEXT_MOST_DEVICES, run->pieces->state_size, "devices"));
	if (!options_flag(run->engine->options, run->request->options, "resume"))
		return SONDE_OK;
	if (run->request->output == NULL)
		return status_fail_option(SONDE_INVALID, "resume",
					  "no file to resume from is given; name it by `output`");
	CHECK(pieces_checkpoint_restore(run->request->output, &run->progress));
	result->resumed = count_done(run);
	return SONDE_OK;
}

static sonde_status fill_result(struct run *run, struct pieces_result *result)
{
	const struct option_table *table = run->engine->options;
	const double began = clock_seconds();

	result->engine = run->engine;
	result->error = NAN;
	CHECK(memory_allocate(&result->options, table->struct_size, 1, "the result"));
	memcpy(result->options, run->request->options, table->struct_size);
	CHECK(provenance_make(run->context, run->request->sample, run->request->sample_sha256, &result->provenance));
	CHECK(begin_progress(run, result));
	CHECK(compute(run));
	result->work = run->work;
	CHECK(run->pieces->tables(run->plan, run->progress.values, result));
	result->seconds = clock_seconds() - began;
	provenance_end(run->context, &result->provenance);
	return SONDE_OK;
}

static sonde_status run_locked(struct run *run, struct pieces_result *result)
{
	const char *output = run->request->output;
	struct engine_estimate estimate = {.seconds = NAN};
	struct report report;
	struct output_lock lock;

	report_begin(&report, run->engine->name, false);
	sonde_status status = make_plan(run, &estimate, &report);
	report_free(&report);
	CHECK(status);
	if (output == NULL)
		return fill_result(run, result);
	CHECK(output_lock_take(output, &lock));
	status = fill_result(run, result);
	if (status == SONDE_OK)
		status = pieces_write(result, output,
				      run->request->overwrite ||
					  options_flag(run->engine->options, run->request->options, "resume"));
	if (status == SONDE_OK)
		checkpoint_remove(output);
	output_lock_release(&lock);
	return status;
}

sonde_status pieces_run(sonde_context *context, const struct engine *engine, const struct engine_request *request,
			struct pieces_result **result)
{
	struct run run = {.context = context, .engine = engine, .request = request, .pieces = engine->pieces};

	CHECK(memory_allocate(result, 1, sizeof **result, "the result"));
	const sonde_status status = run_locked(&run, *result);
	release(&run);
	if (status != SONDE_OK)
		pieces_result_free(result);
	return status;
}

void pieces_result_free(struct pieces_result **result)
{
	struct pieces_result *r = *result;

	if (r == NULL)
		return;
	for (int t = 0; t < r->table_count; ++t)
		for (int c = 0; c < r->tables[t].column_count; ++c)
			free(r->tables[t].columns[c].values);
	provenance_free(&r->provenance);
	free(r->options);
	free(r);
	*result = NULL;
}
