/* The geometry of a job of fdtd as named arrays. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "fdtd/geometry.h"
#include "job/result.h"

enum { PATH = 64, LABEL = sizeof(((struct geometry_mark *)0)->label) };

static sonde_status write_axis(struct hdf5_writer *writer, const char *group, const struct geometry_section *section,
			       int k)
{
	static const char *const names[] = {"x", "y", "z"};
	const int64_t count = section->count[k];
	char path[PATH];
	double *values;

	CHECK(memory_allocate(&values, (size_t)count, sizeof *values, "an axis"));
	for (int64_t n = 0; n < count; ++n)
		values[n] = section->low[k] + (double)n * section->step[k];
	snprintf(path, sizeof path, "%s/%s", group, section->axes[k] >= 0 ? names[section->axes[k]] : "across");
	hdf5_writer_reals(writer, path, values, &count, 1, "m", NULL);
	free(values);
	return SONDE_OK;
}

static sonde_status write_section(struct hdf5_writer *writer, const struct geometry_section *section, int number)
{
	const int64_t sizes[2] = {section->count[1], section->count[0]}, count = sizes[0] * sizes[1];
	const int64_t axes[3] = {section->axes[0], section->axes[1], section->across};
	char group[PATH / 2], path[PATH];
	int64_t *materials;

	snprintf(group, sizeof group, "/geometry/section_%d", number);
	hdf5_writer_group(writer, group, "NXdata");
	CHECK(memory_allocate(&materials, (size_t)count, sizeof *materials, "a section"));
	for (int64_t n = 0; n < count; ++n)
		materials[n] = section->materials[n];
	snprintf(path, sizeof path, "%s/materials", group);
	hdf5_writer_integer_array(writer, path, materials, sizes, 2, "materials");
	free(materials);
	snprintf(path, sizeof path, "%s/axes", group);
	hdf5_writer_integers(writer, path, axes, 3);
	CHECK(write_axis(writer, group, section, 0));
	return write_axis(writer, group, section, 1);
}

static sonde_status write_marks(struct hdf5_writer *writer, const struct fdtd_geometry *geometry)
{
	const int64_t sizes[3] = {(int64_t)geometry->mark_count, 3, 3};
	const size_t count = geometry->mark_count;
	int64_t *kinds = NULL;
	double *places = NULL;
	char(*labels)[LABEL] = NULL;
	sonde_status status;

	hdf5_writer_group(writer, "/geometry/marks", "NXcollection");
	if (count == 0)
		return SONDE_OK;
	CHECK_GOTO(status, memory_allocate(&kinds, count, sizeof *kinds, "the marks"), done);
	CHECK_GOTO(status, memory_allocate(&places, 9 * count, sizeof *places, "the marks"), done);
	CHECK_GOTO(status, memory_allocate(&labels, count, sizeof *labels, "the marks"), done);
	for (size_t n = 0; n < count; ++n) {
		const struct geometry_mark *mark = &geometry->marks[n];
		snprintf(labels[n], LABEL, "%s", mark->label);
		kinds[n] = mark->kind == GEOMETRY_MONITOR;
		for (int k = 0; k < 3; ++k) {
			places[9 * n + (size_t)k] = mark->low[k];
			places[9 * n + 3 + (size_t)k] = mark->high[k];
			places[9 * n + 6 + (size_t)k] = mark->direction[k];
		}
	}
	hdf5_writer_integer_array(writer, "/geometry/marks/monitor", kinds, sizes, 1, "0 for sources");
	hdf5_writer_reals(writer, "/geometry/marks/places", places, sizes, 3, "m",
			  "lower corner, upper corner, direction");
	hdf5_writer_texts(writer, "/geometry/marks/labels", labels[0], sizes[0], LABEL);
done:
	free(labels);
	free(kinds);
	free(places);
	return status;
}

static sonde_status write_geometry(struct hdf5_writer *writer, const struct fdtd_geometry *geometry)
{
	const int64_t three = 3;

	hdf5_writer_group(writer, "/geometry", "NXentry");
	for (int n = 0; n < geometry->section_count; ++n)
		CHECK(write_section(writer, &geometry->sections[n], n + 1));
	if (geometry->material_count > 0)
		hdf5_writer_texts(writer, "/geometry/materials", geometry->materials[0],
				  (int64_t)geometry->material_count, sizeof *geometry->materials);
	hdf5_writer_reals(writer, "/geometry/low", geometry->low, &three, 1, "m", "of the grid, with its layers");
	hdf5_writer_reals(writer, "/geometry/high", geometry->high, &three, 1, "m", "of the grid, with its layers");
	hdf5_writer_reals(writer, "/geometry/inner_low", geometry->inner_low, &three, 1, "m", "between the layers");
	hdf5_writer_reals(writer, "/geometry/inner_high", geometry->inner_high, &three, 1, "m", "between the layers");
	return write_marks(writer, geometry);
}

static sonde_status describe(const struct fdtd_geometry *geometry, sonde_result *result)
{
	struct hdf5_writer *writer;

	CHECK(hdf5_writer_create_in_memory(&writer));
	const sonde_status status = write_geometry(writer, geometry);
	if (status == SONDE_OK)
		return hdf5_writer_take_contents(&writer, &result->contents);
	hdf5_writer_discard(&writer);
	return status;
}

sonde_status sonde_fdtd_geometry(sonde_context *context, const sonde_job *job, sonde_result **result)
{
	struct fdtd_geometry geometry = {0};
	sonde_status status;

	*result = NULL;
	if (job == NULL || sonde_job_fdtd(job) == NULL)
		return status_fail(SONDE_INVALID, "the job has no block for fdtd");
	CHECK_GOTO(status, memory_allocate(result, 1, sizeof **result, "a result"), done);
	(*result)->engine = engine_find("fdtd");
	CHECK_GOTO(status, fdtd_geometry_make(context, sonde_job_fdtd(job), &geometry), done);
	status = describe(&geometry, *result);
done:
	fdtd_geometry_free(&geometry);
	if (status != SONDE_OK)
		sonde_result_free(result);
	return status;
}
