/* Job files for programs: read against the tables of all engines. */
#include "sonde/job.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/option_files.h"
#include "fdtd/engine.h"
#include "ions/engine.h"
#include "job/engines.h"
#include "job/request.h"
#include "job/program_table.h"
#include "matter/atoms/placed_atoms.h"
#include "matter/build/build.h"
#include "matter/build/lists.h"
#include "matter/sample/sample.h"
#include "matter/sample/sample_atoms.h"
#include "sonde/program_options.h"

struct sonde_job {
	char *path;
	sonde_program_options program;
	struct text notes;
	int block_count; /* one for each engine, and finally `build` */
	struct yaml_block *blocks;
	int list_count; /* of all engines, consecutively, and finally of `build` */
	struct yaml_list *lists;
	sonde_fdtd_job fdtd;
	sonde_ions_job ions;
	sonde_sample *sample; /* a description, for these two; null: none */
};

static int count_engines(void)
{
	int count = 0;

	while (engine_at(count) != NULL)
		++count;
	return count;
}

static int count_lists(const struct engine *engine)
{
	int count = 0;

	while (engine->lists != NULL && engine->lists[count] != NULL)
		++count;
	return count;
}

static sonde_status make_block(const struct option_table *table, struct yaml_block *block)
{
	block->table = table;
	CHECK(memory_allocate((char **)&block->options, table->struct_size, 1, "a job"));
	options_set_defaults(table, block->options);
	return memory_allocate(&block->lines, table->count, sizeof *block->lines, "a job");
}

/* Empty blocks and lists of all engines. */
static sonde_status make_blocks(struct sonde_job *job)
{
	const int engines = count_engines();
	int lists = 0;

	for (int k = 0; k < engines; ++k)
		lists += count_lists(engine_at(k));
	CHECK(memory_allocate(&job->blocks, (size_t)engines + 1, sizeof *job->blocks, "a job"));
	CHECK(memory_allocate(&job->lists, (size_t)lists + BUILD_LISTS, sizeof *job->lists, "a job"));
	job->block_count = engines + 1;
	for (int k = 0; k < engines; ++k) {
		const struct engine *engine = engine_at(k);
		CHECK(make_block(engine->options, &job->blocks[k]));
		for (int n = 0; n < count_lists(engine); ++n)
			job->lists[job->list_count++] =
			    (struct yaml_list){.block = engine->name, .table = engine->lists[n]};
	}
	build_lists_begin(job->lists + job->list_count);
	job->list_count += BUILD_LISTS;
	return make_block(&build_option_table, &job->blocks[engines]);
}

static sonde_status find_file(void *user, const struct option_row *row, void *options)
{
	const struct sonde_job *job = user;

	return option_find_file(job->path, "the job", row, options);
}

static struct yaml_block *find_block(const struct sonde_job *job, const char *name)
{
	for (int k = 0; k < job->block_count; ++k)
		if (job->blocks[k].table != NULL && strcmp(job->blocks[k].table->name, name) == 0)
			return &job->blocks[k];
	return NULL;
}

static const struct yaml_list *lists_of(const struct sonde_job *job, const char *engine)
{
	int k = 0;

	while (k < job->list_count && strcmp(job->lists[k].block, engine) != 0)
		++k;
	return &job->lists[k];
}

static bool is_present(const struct sonde_job *job, const char *name)
{
	const struct yaml_block *block = find_block(job, name);

	return block != NULL && block->present;
}

static sonde_status read_job(struct sonde_job *job)
{
	struct yaml_block top = {.table = &program_option_table, .options = &job->program, .notes = &job->notes};

	options_set_defaults(&program_option_table, &job->program);
	CHECK(make_blocks(job));
	CHECK(yaml_read_job_files(job->path, &top, job->blocks, job->block_count, job->lists, job->list_count,
				  find_file, job));
	bool described;
	CHECK(sample_is_one(job->program.sample, &described));
	if (described && (is_present(job, "fdtd") || is_present(job, "ions")))
		CHECK(sonde_sample_read(job->program.sample, &job->sample));
	const struct yaml_block *fdtd = find_block(job, "fdtd");
	if (fdtd != NULL && fdtd->present) {
		const struct engine_request request = {.options = fdtd->options,
						       .lists = lists_of(job, "fdtd"),
						       .build = find_block(job, "build"),
						       .described = job->sample,
						       .job = job->path,
						       .option_lines = fdtd->lines};
		fdtd_job_of(&request, &job->fdtd);
	}
	const struct yaml_block *ions = find_block(job, "ions");
	if (ions != NULL && ions->present) {
		const struct engine_request request = {.options = ions->options,
						       .lists = lists_of(job, "ions"),
						       .build = find_block(job, "build"),
						       .described = job->sample,
						       .job = job->path};
		ions_job_of(&request, &job->ions);
	}
	return text_status(&job->notes);
}

sonde_status sonde_job_read(const char *path, sonde_job **job)
{
	*job = NULL;
	if (path == NULL)
		return status_fail(SONDE_INVALID, "a file is needed, its name is null");
	CHECK(memory_allocate(job, 1, sizeof **job, "a job"));
	sonde_status status = memory_copy_text(path, &(*job)->path, "a job");
	if (status == SONDE_OK)
		status = read_job(*job);
	if (status != SONDE_OK)
		sonde_job_free(job);
	return status;
}

void sonde_job_free(sonde_job **job)
{
	if (job == NULL || *job == NULL)
		return;
	for (int k = 0; k < (*job)->block_count; ++k) {
		free((*job)->blocks[k].options);
		free((*job)->blocks[k].lines);
	}
	for (int k = 0; k < (*job)->list_count; ++k)
		yaml_list_free(&(*job)->lists[k]);
	free((*job)->blocks);
	free((*job)->lists);
	sonde_sample_free(&(*job)->sample);
	text_free(&(*job)->notes);
	free((*job)->path);
	free(*job);
	*job = NULL;
}

void job_fill_request(const sonde_job *job, const struct engine *engine, struct engine_request *request)
{
	const struct yaml_block *block = find_block(job, engine->name), *build = find_block(job, "build");

	request->options = block->options;
	request->option_lines = block->lines;
	request->lists = lists_of(job, engine->name);
	request->build = (engine->abilities & (ENGINE_SAMPLE | ENGINE_CRYSTAL)) != 0 ? build : NULL;
	request->described = job->sample;
	request->job = job->path;
}

const char *job_sample_name(const sonde_job *job, int64_t *frame)
{
	if (job->program.sample[0] != '\0' && *frame == 0)
		*frame = job->program.frame;
	return job->program.sample;
}

const void *sonde_job_options(const sonde_job *job, const char *block)
{
	const struct yaml_block *found = find_block(job, block);

	return found != NULL && found->present ? found->options : NULL;
}

const sonde_fdtd_job *sonde_job_fdtd(const sonde_job *job)
{
	return sonde_job_options(job, "fdtd") != NULL ? &job->fdtd : NULL;
}

const sonde_ions_job *sonde_job_ions(const sonde_job *job)
{
	return sonde_job_options(job, "ions") != NULL ? &job->ions : NULL;
}

static sonde_status prefix_build(const sonde_job *job, sonde_status status)
{
	if (status != SONDE_INVALID)
		return status;
	status_name_keys();
	return status_prefix(status, "%s: build", job->path);
}

sonde_status sonde_job_sample(const sonde_job *job, sonde_context *context, sonde_atoms **atoms)
{
	const sonde_build_options *build = sonde_job_options(job, "build");
	const bool named = job->program.sample[0] != '\0';

	*atoms = NULL;
	if (!named && build == NULL)
		return status_fail_file(SONDE_INVALID, job->path,
					"no sample is given; name an XYZ file as 'sample: FILE', or give a 'build:' "
					"block");
	if (named)
		CHECK(build == NULL ? SONDE_OK : prefix_build(job, sample_check_changes(job->program.sample, build)));
	CHECK(named ? sample_read_atoms(context, job->program.sample, job->program.frame, build, atoms)
		    : prefix_build(job, sonde_build_run(context, build, atoms)));
	const sonde_status status = atoms_expand(context, atoms);
	if (status != SONDE_OK)
		sonde_atoms_free(atoms);
	return status;
}

const char *sonde_job_output(const sonde_job *job)
{
	return job->program.output;
}

int sonde_job_overwrites(const sonde_job *job)
{
	return job->program.force;
}

sonde_status sonde_job_set_context(const sonde_job *job, sonde_context *context)
{
	const sonde_program_options *program = &job->program;

	CHECK(sonde_context_set_threads(context, program->threads));
	CHECK(sonde_context_set_memory(context, program->host_memory));
	CHECK(sonde_context_set_device_memory(context, program->memory));
	CHECK(sonde_context_set_kernel_cache(context, program->kernel_cache));
	CHECK(sonde_context_set_launch_limit(context, program->launch_limit));
	const sonde_status status = sonde_context_set_device(context, program->device);
	return status != SONDE_OK ? status_prefix_option(status, "device") : SONDE_OK;
}

const char *sonde_job_notes(const sonde_job *job)
{
	return job->notes.bytes != NULL ? job->notes.bytes : "";
}
