/* Jobs that are run several times. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fdtd/job/prepared.h"
#include "fdtd/option_tables.h"
#include "matter/build/build.h"

struct sonde_fdtd_prepared {
	sonde_context *context;
	struct complete_job job;    /* of the caller, copied */
	sonde_fdtd_options options; /* with the time step decided */
	sonde_fdtd_plan plan;
	sonde_build_options build;
	char *file;
};

/* All of the caller's job that it refers to. */
static sonde_status copy_job(const sonde_fdtd_job *given, struct sonde_fdtd_prepared *prepared)
{
	sonde_fdtd_job *job = &prepared->job.job;

	CHECK(job_copy(given, &prepared->job));
	job->file = NULL;
	if (given->file != NULL)
		CHECK(memory_copy_text(given->file, &prepared->file, "the job"));
	job->file = prepared->file;
	if (given->build == NULL)
		return SONDE_OK;
	job->build = &prepared->build;
	return options_complete(&build_option_table, given->build, &prepared->build);
}

/* Everything before the steps. */
static sonde_status check(struct sonde_fdtd_prepared *prepared)
{
	const sonde_fdtd_job *job = &prepared->job.job;
	struct fdtd_run run;

	CHECK(fdtd_check_run(job, ""));
	CHECK(sonde_fdtd_make_plan(prepared->context, job, &prepared->plan));
	const sonde_status status = fdtd_run_prepare(prepared->context, job, &run);
	prepared->options = job->options;
	prepared->options.courant = run.space.courant;
	fdtd_run_free(&run);
	return status;
}

sonde_status sonde_fdtd_prepare(sonde_context *context, const sonde_fdtd_job *job,
				struct sonde_fdtd_prepared **prepared)
{
	*prepared = NULL;
	if (context == NULL || job == NULL)
		return status_fail(SONDE_INVALID, "a context and a job are needed, one of them is null");
	CHECK(memory_allocate(prepared, 1, sizeof **prepared, "the job"));
	(*prepared)->context = context;
	sonde_status status = copy_job(job, *prepared);
	if (status == SONDE_OK)
		status = check(*prepared);
	if (status != SONDE_OK)
		sonde_fdtd_prepared_free(prepared);
	return status;
}

const sonde_fdtd_options *sonde_fdtd_prepared_options(const struct sonde_fdtd_prepared *prepared)
{
	return &prepared->options;
}

const sonde_fdtd_plan *sonde_fdtd_prepared_plan(const struct sonde_fdtd_prepared *prepared)
{
	return &prepared->plan;
}

sonde_status sonde_fdtd_prepared_set_source(struct sonde_fdtd_prepared *prepared, int64_t number,
					    const sonde_fdtd_source_options *source)
{
	if (prepared == NULL || source == NULL)
		return status_fail(SONDE_INVALID, "a prepared job and a source are needed, one of them is null");
	if (number < 0 || number >= prepared->job.job.sources.count)
		return status_fail(SONDE_INVALID, "source %lld does not exist: the job has %lld, from 0",
				   (long long)number, (long long)prepared->job.job.sources.count);
	/* const for users of jobs, but a copy of this one */
	sonde_fdtd_source_options *own = (sonde_fdtd_source_options *)prepared->job.copies[JOB_SOURCES] + number,
				  *before;
	CHECK(memory_allocate(&before, 1, sizeof *before, "a source"));
	*before = *own;
	const sonde_fdtd_options options = prepared->options;
	const sonde_fdtd_plan plan = prepared->plan;
	sonde_status status = options_complete(&fdtd_source_table, source, own);
	if (status == SONDE_OK)
		status = check(prepared);
	if (status != SONDE_OK) {
		*own = *before;
		prepared->options = options;
		prepared->plan = plan;
	}
	free(before);
	return status;
}

sonde_status sonde_fdtd_execute(struct sonde_fdtd_prepared *prepared, sonde_fdtd_result **result)
{
	*result = NULL;
	if (prepared == NULL)
		return status_fail(SONDE_INVALID, "a prepared job is needed, it is null");
	return sonde_fdtd_run(prepared->context, &prepared->job.job, result);
}

sonde_status sonde_fdtd_execute_to_file(struct sonde_fdtd_prepared *prepared, const char *path, int overwrite,
					sonde_fdtd_result **result)
{
	*result = NULL;
	if (prepared == NULL)
		return status_fail(SONDE_INVALID, "a prepared job is needed, it is null");
	return sonde_fdtd_run_to_file(prepared->context, &prepared->job.job, path, overwrite, result);
}

void sonde_fdtd_prepared_free(struct sonde_fdtd_prepared **prepared)
{
	if (prepared == NULL || *prepared == NULL)
		return;
	job_complete_free(&(*prepared)->job);
	free((*prepared)->file);
	free(*prepared);
	*prepared = NULL;
}
