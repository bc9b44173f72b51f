#include "fdtd/record.h"

#include "base/file_names.h"
#include "base/memory.h"
#include "matter/sample/sample.h"

void fdtd_record_plan(const struct fdtd_run *run, sonde_fdtd_result *result)
{
	result->provenance->plan = run->plan;
	result->provenance->plan.struct_size = sizeof run->plan;
}

sonde_status fdtd_record(struct fdtd_run *run, sonde_fdtd_result *result)
{
	struct text text = {0};

	CHECK(memory_allocate(&result->provenance, 1, sizeof *result->provenance, "the result"));
	const sonde_sample *sample = run->job->joined;
	CHECK(provenance_make(run->context, sample != NULL ? file_names_get(sample->path) : NULL,
			      sample != NULL ? sample->sha256 : NULL, &result->provenance->run));
	result->provenance->options = run->job->options;
	result->provenance->options.courant = run->space.courant;
	fdtd_record_plan(run, result);
	result->options = &result->provenance->options;
	result->plan = &result->provenance->plan;
	fdtd_job_text(run->job, &text);
	result->provenance->job = text.bytes;
	CHECK(text_status(&text));
	char **file = &result->provenance->run.job_file; /* programs run jobs that have files, too */
	return *file == NULL ? provenance_read_job_file(run->job->file, file) : SONDE_OK;
}
