#include "fdtd/job/complete.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fdtd/option_tables.h"

/* A list of the job, whatever its items are. */
struct list {
	const struct option_table *table;
	int64_t count;
	void *items; /* of the job: the address of the pointer to them */
};

static sonde_status complete_list(const struct list *list, void **copy)
{
	const struct option_table *table = list->table;
	const char *from;

	memcpy(&from, list->items, sizeof from);
	if (list->count <= 0)
		return SONDE_OK;
	if (from == NULL)
		return status_fail(SONDE_INVALID, "%s: there are %lld, but the list is null", table->name,
				   (long long)list->count);
	const uint64_t size = *(const uint64_t *)from;
	for (int64_t n = 0; n < list->count; ++n)
		if (size < sizeof size || size > table->struct_size || *(const uint64_t *)(from + n * size) != size)
			return status_fail(SONDE_INVALID, "%s %lld was not set up by its init function", table->name,
					   (long long)n + 1);
	if (size == table->struct_size)
		return SONDE_OK;
	CHECK(memory_allocate(copy, (size_t)list->count, table->struct_size, "the job"));
	for (int64_t n = 0; n < list->count; ++n)
		CHECK(options_complete(table, from + n * size, (char *)*copy + (size_t)n * table->struct_size));
	memcpy(list->items, copy, sizeof *copy);
	return SONDE_OK;
}

sonde_status job_complete(const sonde_fdtd_job *given, struct complete_job *complete)
{
	sonde_fdtd_job *job = &complete->job;
	const size_t before = offsetof(sonde_fdtd_job, options);

	*complete = (struct complete_job){.job = {.file = NULL}};
	if (given->struct_size < before + sizeof given->options.struct_size)
		return status_fail(SONDE_INVALID, "the job was not set up by sonde_fdtd_job_init()");
	memcpy(job, given, before);
	job->struct_size = sizeof *job;
	CHECK(options_complete(&fdtd_option_table, &given->options, &job->options));
	const struct list lists[JOB_LISTS] = {
	    {&fdtd_boundary_table, job->boundaries.count, &job->boundaries.items},
	    {&fdtd_material_table, job->materials.count, &job->materials.items},
	    {&fdtd_body_table, job->bodies.count, &job->bodies.items},
	    {&fdtd_source_table, job->sources.count, &job->sources.items},
	    {&fdtd_monitor_table, job->monitors.count, &job->monitors.items},
	};
	for (int k = 0; k < JOB_LISTS; ++k)
		CHECK(complete_list(&lists[k], &complete->copies[k]));
	return SONDE_OK;
}

void job_complete_free(struct complete_job *complete)
{
	for (int k = 0; k < JOB_LISTS; ++k) {
		free(complete->copies[k]);
		complete->copies[k] = NULL;
	}
}
