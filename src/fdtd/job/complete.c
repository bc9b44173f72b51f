#include "matter/materials/material_list.h"
#include "fdtd/job/complete.h"

#include <stdlib.h>
#include <string.h>

#include "base/option_items.h"
#include "fdtd/option_tables.h"
#include "matter/shape/body.h"

#define ANGSTROMS_PER_METER 1e10

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

/* The sample's origin, in Angstrom. */
static void find_shift(const sonde_fdtd_options *options, double shift[3])
{
	for (int k = 0; k < 3; ++k)
		shift[k] = vector_part(options->sample_center, k) * ANGSTROMS_PER_METER;
}

/* The background is the material around the sample, unless the job gives another one. */
static sonde_status take_surroundings(const sonde_sample *sample, sonde_fdtd_options *options)
{
	const char *name = sample->options.surroundings;
	const int64_t number = material_list_find(&sample->materials, name);
	const sonde_material_options *material = number >= 0 ? &sample->materials.items[number] : NULL;

	if (strcmp(name, "vacuum") == 0 || options->background != 1.0)
		return SONDE_OK;
	if (material == NULL || !(material->index > 0.0))
		return status_fail_file(
		    SONDE_INVALID, sample->path,
		    "surroundings: '%.64s' is not an item of `materials` with an `index`, which the "
		    "background of fdtd needs; give one, or `background` in the job",
		    name);
	options->background = material->index;
	return SONDE_OK;
}

static sonde_status join_sample(struct complete_job *complete)
{
	sonde_fdtd_job *job = &complete->job;
	struct sample_lists *joined = &complete->joined;
	const struct material_list materials = {
	    job->materials.count, job->materials.items, job->file, job->materials.lines, 0, NULL, NULL};
	const struct body_list bodies = {
	    job->bodies.count, job->bodies.items, job->file, job->bodies.lines, 0, NULL, NULL};
	double shift[3];

	if (job->sample == NULL)
		return SONDE_OK;
	find_shift(&job->options, shift);
	CHECK(sample_lists_join(&materials, &bodies, job->sample, shift, true, joined));
	job->materials.count = joined->materials.count;
	job->materials.items = joined->materials.items;
	job->materials.lines = joined->materials.lines;
	job->bodies.count = joined->bodies.count;
	job->bodies.items = joined->bodies.items;
	job->bodies.lines = joined->bodies.lines;
	CHECK(take_surroundings(job->sample, &job->options));
	job->joined = job->sample;
	job->sample = NULL;
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
	return join_sample(complete);
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
	job->joined = NULL; /* only for messages, and the caller may free it */
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
	sample_lists_free(&complete->joined);
}
