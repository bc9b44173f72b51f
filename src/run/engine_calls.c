#include "run/engine_calls.h"

#include "base/checksum.h"
#include "base/lock.h"
#include "io/containers/yaml.h"
#include "parallel/parallel.h"
#include "run/checkpoint.h"
#include "run/pieces.h"
#include "run/pieces_checkpoint.h"
#include "run/provenance.h"

bool engine_has_plan(const struct engine *engine)
{
	return engine->pieces != NULL || engine->plan != NULL;
}

sonde_status engine_check_format(const struct engine *engine, const char *path)
{
	return engine->pieces != NULL ? pieces_check_format(path) : engine->check_format(path);
}

sonde_status engine_plan(sonde_context *context, const struct engine *engine, const struct engine_request *request,
			 struct engine_estimate *estimate, struct report *report)
{
	return engine->pieces != NULL ? pieces_plan(context, engine, request, estimate, report)
				      : engine->plan(context, request, estimate, report);
}

/* Engines that can resume a run lock its output themselves, with its checkpoint. */
static sonde_status run_locked(sonde_context *context, const struct engine *engine,
			       const struct engine_request *request, void **result)
{
	struct output_lock lock;

	if (request->output == NULL || !context_writes(context) || options_find(engine->options, "resume") != NULL)
		return engine->run(context, request, result);
	sonde_status status = output_lock_take(request->output, &lock);
	if (status == SONDE_OK)
		status = engine->run(context, request, result);
	output_lock_release(&lock);
	return status;
}

/* Whether all ranks have been given the same options, sample, and output. */
static sonde_status agree(sonde_context *context, const struct engine *engine, const struct engine_request *request)
{
	struct text words = {0};
	struct checksum sum = {0};

	if (parallel_size(context_ranks(context)) == 1)
		return SONDE_OK;
	text_append(&words, "%s\n%s\n%s\n", engine->name, request->output != NULL ? request->output : "",
		    request->sample_sha256 != NULL ? request->sample_sha256 : "");
	provenance_append_options(&words, engine->options, request->options);
	if (request->build != NULL && request->build->present)
		provenance_append_options(&words, request->build->table, request->build->options);
	if (words.bytes != NULL)
		checksum_add(&sum, words.bytes, words.size);
	const sonde_status status =
	    parallel_agree_on(context_ranks(context), text_status(&words), checksum_end(&sum));
	text_free(&words);
	return status;
}

static sonde_status run_any(sonde_context *context, const struct engine *engine, const struct engine_request *request,
			    void **result)
{
	struct pieces_result *tables;

	CHECK(agree(context, engine, request));
	if (request->output != NULL && options_find(engine->options, "resume") != NULL &&
	    options_flag(engine->options, request->options, "resume"))
		CHECK(checkpoint_mend(context, request->output));
	if (engine->pieces == NULL)
		return run_locked(context, engine, request, result);
	const sonde_status status = pieces_run(context, engine, request, &tables);
	*result = tables;
	return status;
}

/* Results keep the text of the job's file. */
sonde_status engine_run(sonde_context *context, const struct engine *engine, const struct engine_request *request,
			void **result)
{
	char *text = NULL;

	if (request->job == NULL)
		return run_any(context, engine, request, result);
	CHECK(provenance_read_job_file(request->job, &text));
	context_set_job_file(context, text);
	const sonde_status status = run_any(context, engine, request, result);
	context_set_job_file(context, NULL);
	return status;
}

sonde_status engine_write(const struct engine *engine, const void *result, const char *path, bool overwrite)
{
	return engine->pieces != NULL ? pieces_write(result, path, overwrite)
				      : engine->write(result, path, overwrite);
}

sonde_status engine_append_table(const struct engine *engine, const void *result, struct text *text)
{
	return engine->pieces != NULL ? pieces_append_tables(result, false, text)
				      : engine->append_table(result, text);
}

sonde_status engine_contents(const struct engine *engine, const void *result, struct hdf5_writer *writer)
{
	return engine->pieces != NULL ? pieces_contents(result, writer) : engine->contents(result, writer);
}

sonde_status engine_read(const struct engine *engine, sonde_context *context, const char *path, void **result)
{
	*result = NULL;
	return engine->read != NULL
		   ? engine->read(context, path, result)
		   : status_fail_file(SONDE_INVALID, path, "results of %s cannot be read back", engine->name);
}

void engine_summarize(const struct engine *engine, const void *result, const struct engine_request *request,
		      struct report *report)
{
	if (engine->pieces != NULL)
		pieces_summarize(result, report);
	else
		engine->summarize(result, request, report);
}

double engine_seconds(const struct engine *engine, const void *result)
{
	const struct pieces_result *tables = result;

	return engine->pieces != NULL ? tables->seconds : engine->seconds(result);
}

bool engine_has_files(const struct engine *engine)
{
	return engine->pieces != NULL || engine->describe != NULL;
}

sonde_status engine_describe(const struct engine *engine, struct hdf5_reader *reader, struct report *report)
{
	return engine->pieces != NULL ? pieces_describe(engine, reader, report) : engine->describe(reader, report);
}

bool engine_is_checkpoint_file(const struct engine *engine, const char *path)
{
	return engine->pieces != NULL ? pieces_is_checkpoint(path)
				      : engine->is_checkpoint_file != NULL && engine->is_checkpoint_file(path);
}

sonde_status engine_describe_checkpoint_file(const struct engine *engine, const char *path, struct report *report)
{
	return engine->pieces != NULL ? pieces_describe_checkpoint(path, report)
				      : engine->describe_checkpoint_file(path, report);
}

void engine_free_result(const struct engine *engine, void **result)
{
	struct pieces_result *tables = *result;

	if (engine->pieces == NULL) {
		engine->free_result(result);
		return;
	}
	pieces_result_free(&tables);
	*result = NULL;
}
