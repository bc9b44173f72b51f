/* Reads results from their HDF5 files. They hold the integers from which all numbers are computed, with the job,
 * which is planned again: the numbers are bit-identical. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/option_items.h"
#include "ions/checkpoint.h"
#include "ions/option_table.h"
#include "ions/output/result.h"
#include "ions/run.h"
#include "run/context.h"
#include "run/result_read.h"

/* Columns of the list of vertices: each is read into `column` and spread from there. */
static sonde_status read_columns(struct hdf5_reader *reader, int64_t count, int64_t *column, double *places,
				 sonde_ions_vertex *vertices)
{
	const int64_t sizes[2] = {count, 3};

	CHECK(hdf5_reader_exact_integers(reader, "/ions/trajectories/ion", count, column));
	for (int64_t k = 0; k < count; ++k)
		vertices[k].ion = column[k];
	CHECK(hdf5_reader_exact_integers(reader, "/ions/trajectories/atom", count, column));
	for (int64_t k = 0; k < count; ++k)
		vertices[k].atom = column[k];
	CHECK(hdf5_reader_exact_integers(reader, "/ions/trajectories/kind", count, column));
	for (int64_t k = 0; k < count; ++k)
		vertices[k].kind = (int)column[k];
	CHECK(hdf5_reader_exact_reals(reader, "/ions/trajectories/energy", sizes, 1, places));
	for (int64_t k = 0; k < count; ++k)
		vertices[k].energy = places[k];
	CHECK(hdf5_reader_exact_reals(reader, "/ions/trajectories/position", sizes, 2, places));
	for (int64_t k = 0; k < count; ++k)
		memcpy(vertices[k].position, places + 3 * k, sizeof vertices[k].position);
	return SONDE_OK;
}

static sonde_status read_vertices(struct hdf5_reader *reader, sonde_ions_result *result)
{
	int64_t size = 1, *column = NULL;
	double *places = NULL;
	int rank;

	if (!hdf5_reader_has(reader, "/ions/trajectories/ion"))
		return SONDE_OK;
	CHECK(hdf5_reader_sizes(reader, "/ions/trajectories/ion", 1, &size, &rank));
	const size_t count = rank == 1 ? (size_t)size : 1;
	CHECK(memory_allocate(&result->vertices, count, sizeof *result->vertices, "the trajectories"));
	result->vertex_count = (int64_t)count;
	sonde_status status = memory_allocate(&column, count, sizeof *column, "the trajectories");
	if (status == SONDE_OK)
		status = memory_allocate(&places, 3 * count, sizeof *places, "the trajectories");
	if (status == SONDE_OK)
		status = read_columns(reader, (int64_t)count, column, places, result->vertices);
	free(column);
	free(places);
	return status;
}

/* Whether the job planned here is that of the numbers, including the contents of all its files and tables. */
static sonde_status check_job(struct hdf5_reader *reader, const char *path, const struct ions_plan *plan)
{
	struct text here = {0};
	char *there;

	CHECK(hdf5_reader_text(reader, "/ions/job", &there));
	ions_checkpoint_job(plan, &here);
	sonde_status status = text_status(&here);
	if (status == SONDE_OK && strcmp(there, here.bytes) != 0)
		status = status_fail_file(SONDE_INVALID, path,
					  "its job cannot be planned again: one of its files or tables has "
					  "changed, or another version of sonde wrote it");
	text_free(&here);
	free(there);
	return status;
}

static sonde_status read_numbers(struct hdf5_reader *reader, const char *path, const struct ions_plan *plan,
				 sonde_ions_result *result)
{
	struct ions_sums *sums = NULL;
	sonde_status status = check_job(reader, path, plan);

	if (status == SONDE_OK)
		status = ions_sums_make(&plan->job, plan->depth_unit, &sums);
	if (status == SONDE_OK)
		status = ions_sums_read(reader, path, &plan->job, sums);
	if (status == SONDE_OK)
		status = ions_look_at_precision(plan, sums, result);
	if (status == SONDE_OK)
		status = ions_result_make(plan, &sums, result);
	ions_sums_free(&sums);
	return status;
}

/* Bodies of the job's list. */
static sonde_status read_bodies(struct hdf5_reader *reader, struct body_list *bodies, void **items)
{
	char *job;

	CHECK(hdf5_reader_text(reader, "/ions/job", &job));
	const sonde_status status = option_items_read(&body_table_in_angstrom, job, &bodies->count, items);
	free(job);
	bodies->items = *items;
	return status;
}

static sonde_status read_all(sonde_context *context, struct hdf5_reader *reader, const char *path, void *to)
{
	sonde_ions_result *result = to;
	sonde_ions_options *options = NULL;
	struct ions_plan *plan = NULL;
	struct body_list bodies = {.count = 0};
	void *items = NULL;
	bool planned = false;
	sonde_status status;

	CHECK(memory_allocate(&result->provenance, 1, sizeof *result->provenance, "the result"));
	CHECK_GOTO(status, memory_allocate(&options, 1, sizeof *options, "the options"), done);
	CHECK_GOTO(status, memory_allocate(&plan, 1, sizeof *plan, "the plan"), done);
	CHECK_GOTO(
	    status,
	    provenance_read(reader, path, &ions_option_table, options, &result->provenance->run, &result->seconds),
	    done);
	CHECK_GOTO(status, options_check(&ions_option_table, options), done);
	CHECK_GOTO(status, read_bodies(reader, &bodies, &items), done);
	status = ions_plan_make_in(context_data(context), context_threads(context), options, &bodies, plan);
	planned = status == SONDE_OK;
	if (status == SONDE_INVALID)
		status = status_prefix(status, "%s: its job cannot be planned again", path);
	if (status == SONDE_OK)
		status = read_numbers(reader, path, plan, result);
	if (status == SONDE_OK)
		status = result_read_integer(reader, "/ions/process/resumed", &result->resumed);
	if (status == SONDE_OK)
		status = result_read_real(reader, "/ions/process/resumed_seconds", &result->resumed_seconds);
	if (status == SONDE_OK)
		status = read_vertices(reader, result);
done:
	if (planned)
		ions_plan_free(plan);
	free(items);
	free(plan);
	free(options);
	return status;
}

static void free_result(void **result)
{
	sonde_ions_result *ions = *result;

	sonde_ions_result_free(&ions);
	*result = NULL;
}

sonde_status sonde_ions_result_read(sonde_context *context, const char *path, sonde_ions_result **result)
{
	static const struct result_reading reading = {sizeof(sonde_ions_result), read_all, free_result};
	void *read = NULL;
	const sonde_status status = context != NULL ? result_read(&reading, context, path, &read)
						    : status_fail(SONDE_INVALID, "a context is needed, it is null");

	*result = read;
	return status;
}
