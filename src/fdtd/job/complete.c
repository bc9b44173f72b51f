#include "matter/material_list.h"
#include "fdtd/job/complete.h"

#include <stdlib.h>
#include <string.h>

#include "base/option_items.h"
#include "fdtd/option_tables.h"
#include "matter/shape/body.h"

/* A list of the job, of any item type. */
struct list {
	const struct option_table *table;
	int64_t count;
	void *items; /* in the job: the address of the pointer to the items */
};

static sonde_status complete_list(const struct list *list, bool always, void **copy)
{
	const struct option_table *table = list->table;
	const void *from;

	memcpy(&from, list->items, sizeof from);
	if (list->count <= 0)
		return SONDE_OK;
	CHECK(option_items_complete(table, list->count, from, always, copy));
	if (*copy == NULL)
		return SONDE_OK;
	memcpy(list->items, copy, sizeof *copy);
	return SONDE_OK;
}

static sonde_status complete_job(const sonde_fdtd_job *given, bool always, struct complete_job *complete)
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
	    [JOB_BOUNDARIES] = {&fdtd_boundary_table, job->boundaries.count, &job->boundaries.items},
	    [JOB_MATERIALS] = {&material_item_table, job->materials.count, &job->materials.items},
	    [JOB_BODIES] = {&body_table_in_meters, job->bodies.count, &job->bodies.items},
	    [JOB_SOURCES] = {&fdtd_source_table, job->sources.count, &job->sources.items},
	    [JOB_MONITORS] = {&fdtd_monitor_table, job->monitors.count, &job->monitors.items},
	};
	for (int k = 0; k < JOB_LISTS; ++k)
		CHECK(complete_list(&lists[k], always, &complete->copies[k]));
	return SONDE_OK;
}

sonde_status job_complete(const sonde_fdtd_job *given, struct complete_job *complete)
{
	return complete_job(given, false, complete);
}

sonde_status job_copy(const sonde_fdtd_job *given, struct complete_job *complete)
{
	sonde_fdtd_job *job = &complete->job;

	CHECK(complete_job(given, true, complete));
	job->option_lines = NULL;
	job->boundaries.lines = job->materials.lines = job->bodies.lines = NULL;
	job->sources.lines = job->monitors.lines = NULL;
	return SONDE_OK;
}

void job_complete_free(struct complete_job *complete)
{
	for (int k = 0; k < JOB_LISTS; ++k) {
		free(complete->copies[k]);
		complete->copies[k] = NULL;
	}
}
