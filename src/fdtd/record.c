#include "fdtd/record.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file_names.h"
#include "base/memory.h"
#include "matter/sample/sample.h"

#define LARGEST_FILE (16 << 20) /* of a job, to be stored */

/* The text of the job's own file: the job as interpreted does not contain its comments and units. A pipe cannot be
 * read twice, and a file may be gone: then null. */
static sonde_status keep_file(const char *path, char **kept)
{
	FILE *file = path != NULL ? fopen(path, "rbe") : NULL;
	struct text text = {0};
	char block[4096];
	size_t got;

	if (file == NULL)
		return path != NULL && (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == EIO)
			   ? status_fail_file(SONDE_RESOURCE, path, "cannot be read again: %s", strerror(errno))
			   : SONDE_OK;
	while ((got = fread(block, 1, sizeof block, file)) > 0 && text.size < LARGEST_FILE)
		text_append(&text, "%.*s", (int)got, block);
	const bool failed = ferror(file) != 0;
	fclose(file);
	*kept = text.bytes;
	if (failed)
		return status_fail_file(SONDE_RESOURCE, path, "cannot be read again: reading failed");
	return text_status(&text);
}

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
	return keep_file(run->job->file, &result->provenance->file);
}
