/* Engines by name, and their results as named arrays. */
#include "job/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/device.h"
#include "job/request.h"
#include "matter/atoms/atoms.h"
#include "matter/atoms/placed_atoms.h"
#include "matter/sample/sample_atoms.h"
#include "run/engine_calls.h"
#include "sonde/sample.h"

/* A request in progress. */
struct work {
	const struct engine *engine;
	struct engine_request request;
	sonde_request given; /* complete */
	const char *file;    /* of the sample, or null */
	int64_t frame;
	void *options;           /* defaults, if none are given */
	sonde_atoms *atoms;      /* read here */
	sonde_sample *sample;    /* described */
	struct yaml_list *lists; /* empty ones, without a job */
};

static bool takes(const struct work *work, unsigned ability)
{
	return (work->engine->abilities & ability) != 0;
}

static void release(struct work *work)
{
	sonde_atoms_free(&work->atoms);
	sonde_sample_free(&work->sample);
	free(work->lists);
	free(work->options);
}

/* Options and lists of a request without a job. */
static sonde_status make_lists(struct work *work)
{
	const struct engine *engine = work->engine;
	size_t count = 0;

	while (engine->lists != NULL && engine->lists[count] != NULL)
		++count;
	CHECK(memory_allocate(&work->lists, count, sizeof *work->lists, "a job"));
	for (size_t k = 0; k < count; ++k)
		work->lists[k] = (struct yaml_list){.block = engine->name, .table = engine->lists[k]};
	work->request.lists = work->lists;
	return SONDE_OK;
}

static sonde_status begin(struct work *work, const sonde_request *given)
{
	const uint64_t size = given != NULL ? given->struct_size : 0;

	if (size < sizeof size || size > sizeof work->given)
		return status_fail(SONDE_INVALID, "the request's struct_size is %llu; the library's is %zu",
				   (unsigned long long)size, sizeof work->given);
	memcpy(&work->given, given, size);
	work->engine = work->given.engine != NULL ? engine_find(work->given.engine) : NULL;
	if (work->engine == NULL)
		return status_fail(SONDE_INVALID, "there is no engine '%.40s'",
				   work->given.engine != NULL ? work->given.engine : "");
	if (work->given.job != NULL)
		job_fill_request(work->given.job, work->engine, &work->request);
	else
		CHECK(make_lists(work));
	if (work->given.options != NULL)
		work->request.options = work->given.options;
	if (work->request.options == NULL) {
		CHECK(sonde_options_create(work->engine->name, &work->options));
		work->request.options = work->options;
	}
	CHECK(options_check(work->engine->options, work->request.options));
	work->request.output = work->given.output;
	work->request.overwrite = work->given.overwrite != 0;
	work->request.values_needed = true;
	return SONDE_OK;
}

/* The description of a sample, for engines that read its bodies. */
static sonde_status describe_sample(sonde_context *context, struct work *work)
{
	if (!takes(work, ENGINE_BODIES) || work->given.sample == NULL)
		return SONDE_OK;
	CHECK(sonde_sample_read(work->given.sample, &work->sample));
	sample_give_notes(context, work->sample);
	work->request.described = work->sample;
	return SONDE_OK;
}

static const sonde_build_options *build_of(const struct work *work)
{
	const struct yaml_block *build = work->request.build;

	return build != NULL && build->present ? build->options : NULL;
}

static sonde_status prefix_build(const struct work *work, sonde_status status)
{
	if (status != SONDE_INVALID || work->request.job == NULL)
		return status;
	status_name_keys();
	return status_prefix(status, "%s: build", work->request.job);
}

/* The file of the sample, unless atoms are given. */
static sonde_status find_sample(struct work *work)
{
	work->file = work->given.sample;
	work->frame = work->given.frame;
	if (work->file == NULL && work->given.job != NULL && work->given.atoms == NULL) {
		work->file = job_sample_name(work->given.job, &work->frame);
		work->file = work->file[0] != '\0' ? work->file : NULL;
	}
	if (work->given.atoms != NULL && work->file != NULL)
		return status_fail(SONDE_INVALID, "more than one sample is given; choose one");
	if (work->given.atoms == NULL && work->file == NULL && build_of(work) == NULL)
		return status_fail(SONDE_INVALID, "no sample is given: atoms, or the name of a file");
	work->request.sample_file = work->file;
	return work->file != NULL && build_of(work) != NULL
		   ? prefix_build(work, sample_check_changes(work->file, build_of(work)))
		   : SONDE_OK;
}

static sonde_status make_atoms(sonde_context *context, struct work *work)
{
	if (work->engine->choose_frame != NULL)
		CHECK(work->engine->choose_frame(work->request.options, &work->frame));
	CHECK(work->file != NULL ? sample_read_atoms(context, work->file, work->frame, build_of(work), &work->atoms)
				 : prefix_build(work, sonde_build_run(context, build_of(work), &work->atoms)));
	return takes(work, ENGINE_COMPACT) ? SONDE_OK : atoms_expand(context, &work->atoms);
}

static sonde_status read_sample(sonde_context *context, struct work *work)
{
	const sonde_atoms *atoms = work->given.atoms;

	if (!takes(work, ENGINE_SAMPLE))
		return describe_sample(context, work);
	CHECK(find_sample(work));
	if (atoms == NULL && work->engine->reads_samples != NULL && work->engine->reads_samples(&work->request))
		return work->frame == 0 ? SONDE_OK
					: status_fail_option(SONDE_INVALID, "frame",
							     "chooses one frame, but several samples are given; "
							     "those of a trajectory are chosen by `frames`");
	if (atoms == NULL)
		CHECK(make_atoms(context, work));
	work->request.atoms = atoms != NULL ? atoms : work->atoms;
	work->request.sample = work->request.atoms->source.bytes;
	work->request.sample_sha256 = work->request.atoms->sha256;
	return SONDE_OK;
}

static sonde_status check_request(const struct work *work)
{
	const struct engine *engine = work->engine;

	if (work->request.output != NULL)
		CHECK(engine_check_format(engine, work->request.output));
	return engine->check != NULL ? engine->check(&work->request) : SONDE_OK;
}

/* The files that options of the engine name, in addition to the output. */
static sonde_status write_more(sonde_context *context, const struct work *work, const void *result)
{
	struct text written = {0};

	if (work->engine->write_more == NULL)
		return SONDE_OK;
	const sonde_status status = work->engine->write_more(context, result, &work->request, &written);
	text_free(&written);
	return status;
}

static sonde_status run(sonde_context *context, struct work *work, sonde_result *result)
{
	CHECK(check_request(work));
	CHECK(read_sample(context, work));
	CHECK(engine_run(context, work->engine, &work->request, &result->values));
	return write_more(context, work, result->values);
}

sonde_status sonde_run(sonde_context *context, const sonde_request *request, sonde_result **result)
{
	struct work work = {0};
	sonde_status status;

	*result = NULL;
	device_enter_thread();
	CHECK_GOTO(status, begin(&work, request), done);
	CHECK_GOTO(status, memory_allocate(result, 1, sizeof **result, "a result"), done);
	(*result)->engine = work.engine;
	status = run(context, &work, *result);
	if (status != SONDE_OK)
		sonde_result_free(result);
done:
	device_leave_thread();
	release(&work);
	return status;
}

static sonde_status plan(sonde_context *context, struct work *work, struct report *report)
{
	struct engine_estimate estimate = {0};

	CHECK(check_request(work));
	CHECK(read_sample(context, work));
	CHECK(engine_plan(context, work->engine, &work->request, &estimate, report));
	report_text(report, "method", estimate.method);
	report_number(report, "device_memory", estimate.device_memory);
	report_number(report, "host_memory", estimate.host_memory);
	report_number(report, "seconds", estimate.seconds);
	return report_end(report, sonde_context_notes(context));
}

sonde_status sonde_plan(sonde_context *context, const sonde_request *request, char **text)
{
	struct work work = {0};
	struct report report;
	sonde_status status;

	*text = NULL;
	CHECK_GOTO(status, begin(&work, request), done);
	report_begin(&report, work.engine->name, true);
	status = plan(context, &work, &report);
	if (status == SONDE_OK)
		status = memory_copy_text(report.text.bytes, text, "the plan");
	report_free(&report);
done:
	release(&work);
	return status;
}

void sonde_text_free(char **text)
{
	if (text == NULL)
		return;
	free(*text);
	*text = NULL;
}

/* Results ------------------------------------------------------------------------------------------------- */

/* The engine whose group the file has. */
static sonde_status find_engine(const char *path, const struct engine **engine)
{
	struct hdf5_reader *reader;
	char group[64];

	*engine = NULL;
	CHECK(hdf5_reader_open(&reader, path));
	for (int k = 0; engine_at(k) != NULL && *engine == NULL; ++k) {
		snprintf(group, sizeof group, "/%.32s", engine_at(k)->name);
		if (hdf5_reader_has(reader, group))
			*engine = engine_at(k);
	}
	hdf5_reader_close(&reader);
	return *engine != NULL ? SONDE_OK : status_fail_file(SONDE_INVALID, path, "is not a result of an engine");
}

sonde_status sonde_result_read(sonde_context *context, const char *path, sonde_result **result)
{
	const struct engine *engine;

	*result = NULL;
	if (path == NULL)
		return status_fail(SONDE_INVALID, "a file is needed, its name is null");
	CHECK(find_engine(path, &engine));
	CHECK(memory_allocate(result, 1, sizeof **result, "a result"));
	(*result)->engine = engine;
	const sonde_status status = engine_read(engine, context, path, &(*result)->values);
	if (status != SONDE_OK)
		sonde_result_free(result);
	return status;
}

sonde_status sonde_result_write(const sonde_result *result, const char *path, int overwrite)
{
	if (result->values == NULL)
		return status_fail_file(SONDE_INVALID, path, "cannot be written: there is no result of a run");
	CHECK(engine_check_format(result->engine, path));
	return engine_write(result->engine, result->values, path, overwrite != 0);
}

const char *sonde_result_engine(const sonde_result *result)
{
	return result->engine->name;
}

void sonde_result_free(sonde_result **result)
{
	if (result == NULL || *result == NULL)
		return;
	hdf5_contents_free(&(*result)->contents);
	if ((*result)->values != NULL)
		engine_free_result((*result)->engine, &(*result)->values);
	free(*result);
	*result = NULL;
}

static sonde_status make_contents(sonde_result *result)
{
	struct hdf5_writer *writer;

	CHECK(hdf5_writer_create_in_memory(&writer));
	const sonde_status status = engine_contents(result->engine, result->values, writer);
	if (status == SONDE_OK)
		return hdf5_writer_take_contents(&writer, &result->contents);
	hdf5_writer_discard(&writer);
	return status;
}

sonde_status sonde_result_contents_sized(sonde_result *result, sonde_contents *contents, uint64_t size)
{
	sonde_contents view = {.struct_size = size};

	if (size < sizeof size)
		return status_fail(SONDE_INVALID, "contents of %llu bytes", (unsigned long long)size);
	if (result->contents == NULL)
		CHECK(make_contents(result));
	hdf5_contents_view(result->contents, &view);
	memset(contents, 0, size);
	memcpy(contents, &view, size < sizeof view ? (size_t)size : sizeof view);
	return SONDE_OK;
}
