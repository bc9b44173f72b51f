/* Reads results from the HDF5 files written by result_nexus.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fdtd/fdtd_result.h"
#include "fdtd/job/prepared.h"
#include "fdtd/job/results.h"
#include "fdtd/option_tables.h"
#include "run/result_read.h"

enum { PATH = 160, MOST_AXES = 5 };

/* The file, and the result under construction. */
struct reading {
	struct hdf5_reader *reader;
	const char *path;
	sonde_fdtd_result *result;
	size_t capacity; /* of monitors */
	bool compound;   /* complex numbers are one array */
};

static sonde_status fail_index(const struct reading *reading)
{
	return status_fail_file(SONDE_INVALID, reading->path, "has a list of arrays that is not readable");
}

/* Copies a part of a line, which must fit. */
static sonde_status take_word(const struct reading *reading, const char *from, size_t length, char *to, size_t size)
{
	if (length == 0 || length >= size)
		return fail_index(reading);
	memcpy(to, from, length);
	to[length] = '\0';
	return SONDE_OK;
}

/* "KIND<tab>NAME" */
static sonde_status begin_monitor(struct reading *reading, const char *line, size_t length)
{
	sonde_fdtd_result *result = reading->result;
	const char *tab = memchr(line, '\t', length);

	if (tab == NULL)
		return fail_index(reading);
	CHECK(memory_grow(&result->monitors, &reading->capacity, (size_t)result->monitor_count + 1,
			  sizeof *result->monitors, "the result"));
	sonde_fdtd_monitor *monitor = &result->monitors[result->monitor_count++];
	*monitor = (sonde_fdtd_monitor){.array_count = 0};
	CHECK(take_word(reading, line, (size_t)(tab - line), monitor->kind, sizeof monitor->kind));
	return take_word(reading, tab + 1, length - (size_t)(tab + 1 - line), monitor->name, sizeof monitor->name);
}

/* Reads numbers of either precision into an array of the result. */
static sonde_status read_reals(const struct reading *reading, const char *path, const sonde_fdtd_array *array,
			       double *values)
{
	int64_t count = 1, there;
	double *numbers;

	for (int r = 0; r < array->rank; ++r)
		count *= array->sizes[r];
	CHECK(hdf5_reader_reals(reading->reader, path, &numbers, &there));
	const bool same = there == count;
	if (same)
		memcpy(values, numbers, (size_t)count * sizeof *values);
	free(numbers);
	return same ? SONDE_OK : fail_index(reading);
}

/* The array of a line, whose axes are known. The real part of a compound waits for its imaginary part, which follows. */
static sonde_status add_array(struct reading *reading, sonde_fdtd_monitor *monitor, const char *name, int rank,
			      const char *const *axes)
{
	const enum result_part part = reading->compound ? result_part_of(name) : RESULT_WHOLE;
	const int length = (int)strlen(name) - (part != RESULT_WHOLE ? RESULT_PART_SUFFIX : 0);
	char path[PATH], unit[sizeof monitor->arrays[0].unit];
	int64_t sizes[MOST_AXES];
	double *values;
	int there;

	snprintf(path, sizeof path, "/fdtd/%s/%.*s", monitor->name, length, name);
	CHECK(hdf5_reader_sizes(reading->reader, path, MOST_AXES, sizes, &there));
	if (there != rank)
		return fail_index(reading);
	hdf5_reader_unit(reading->reader, path, unit, sizeof unit);
	CHECK(result_add_array(monitor, name, unit, rank, sizes, axes, &values));
	const sonde_fdtd_array *array = &monitor->arrays[monitor->array_count - 1];
	if (part == RESULT_WHOLE)
		return read_reals(reading, path, array, values);
	if (part == RESULT_REAL)
		return SONDE_OK;
	const sonde_fdtd_array *real = array - 1;
	if (monitor->array_count < 2 || result_part_of(real->name) != RESULT_REAL || real->rank != rank ||
	    memcmp(real->sizes, array->sizes, (size_t)rank * sizeof *sizes) != 0 ||
	    strncmp(real->name, name, (size_t)length) != 0)
		return fail_index(reading);
	return hdf5_reader_complexes(reading->reader, path, sizes, rank, real->values, values);
}

/* "NAME AXIS ..." */
static sonde_status read_array(struct reading *reading, const char *line, size_t length)
{
	char name[sizeof(((sonde_fdtd_array *)0)->name)], words[MOST_AXES][sizeof name];
	const char *axes[MOST_AXES], *end = line + length;
	size_t used = strcspn(line, " \n");
	int rank = 0;

	if (reading->result->monitor_count == 0)
		return fail_index(reading);
	CHECK(take_word(reading, line, used, name, sizeof name));
	for (line += used; line < end; line += used, ++rank) {
		++line;
		used = strcspn(line, " \n");
		if (rank == MOST_AXES)
			return fail_index(reading);
		CHECK(take_word(reading, line, used, words[rank], sizeof words[rank]));
		axes[rank] = strcmp(words[rank], ".") == 0 ? "" : words[rank];
	}
	return add_array(reading, &reading->result->monitors[reading->result->monitor_count - 1], name, rank, axes);
}

static sonde_status read_monitors(struct reading *reading)
{
	sonde_status status = SONDE_OK;
	char *index;

	CHECK(hdf5_reader_text(reading->reader, "/fdtd/process/arrays", &index));
	for (const char *line = index; *line != '\0' && status == SONDE_OK;) {
		const size_t length = strcspn(line, "\n");
		status = line[0] == '\t' ? read_array(reading, line + 1, length - 1)
					 : begin_monitor(reading, line, length);
		line += length + (line[length] == '\n');
	}
	free(index);
	return status;
}

/* An integer that was written as a real number; 0 for others. */
static int64_t whole(double number)
{
	return number >= 0.0 && number < 9e15 ? (int64_t)number : 0;
}

static sonde_status read_plan(struct hdf5_reader *reader, sonde_fdtd_plan *plan)
{
	const int64_t three = 3, count = RESULT_PLAN_NUMBERS;
	double numbers[RESULT_PLAN_NUMBERS];

	plan->struct_size = sizeof *plan;
	CHECK(hdf5_reader_exact_integers(reader, "/fdtd/grid/cells", 3, plan->cells));
	CHECK(hdf5_reader_exact_integers(reader, "/fdtd/grid/inner_cells", 3, plan->inner_cells));
	CHECK(hdf5_reader_exact_reals(reader, "/fdtd/grid/cell", &three, 1, plan->cell));
	CHECK(result_read_real(reader, "/fdtd/grid/time_step", &plan->time_step));
	CHECK(hdf5_reader_exact_reals(reader, "/fdtd/process/plan", &count, 1, numbers));
	plan->steps = whole(numbers[0]);
	plan->runs = (int)whole(numbers[1]);
	plan->device_memory = numbers[2];
	plan->memory_of_cell = numbers[3];
	plan->rate = numbers[4];
	plan->seconds = numbers[5];
	plan->shortest_wavelength = numbers[6];
	return SONDE_OK;
}

/* Only of grids whose planes went through the device. */
static sonde_status read_streaming(struct hdf5_reader *reader, sonde_fdtd_plan *plan)
{
	char *method;

	if (!hdf5_reader_has(reader, RESULT_STREAMING "/method"))
		return SONDE_OK;
	CHECK(hdf5_reader_text(reader, RESULT_STREAMING "/method", &method));
	plan->streaming = strcmp(method, "pyramid") == 0 ? SONDE_FDTD_STREAMING_PYRAMID : SONDE_FDTD_STREAMING_SKEW;
	free(method);
	CHECK(result_read_integer(reader, RESULT_STREAMING "/slab_width", &plan->slab_width));
	CHECK(result_read_integer(reader, RESULT_STREAMING "/pass_height", &plan->pass_height));
	CHECK(result_read_integer(reader, RESULT_STREAMING "/planes", &plan->planes));
	return result_read_real(reader, RESULT_STREAMING "/scratch_bytes", &plan->scratch_bytes);
}

/* Unknown errors are not in the file. */
static sonde_status read_errors(struct hdf5_reader *reader, sonde_fdtd_result *result)
{
	const struct {
		const char *path;
		double *value;
	} errors[] = {{"/fdtd/process/grid_error", &result->grid_error},
		      {"/fdtd/process/truncation_error", &result->truncation_error},
		      {"/fdtd/process/rounding_error", &result->rounding_error},
		      {"/fdtd/process/companion_error", &result->companion_error}};

	for (size_t k = 0; k < sizeof errors / sizeof *errors; ++k) {
		*errors[k].value = NAN;
		if (hdf5_reader_has(reader, errors[k].path))
			CHECK(result_read_real(reader, errors[k].path, errors[k].value));
	}
	return SONDE_OK;
}

static sonde_status read_run(struct hdf5_reader *reader, sonde_fdtd_result *result)
{
	struct sonde_fdtd_provenance *provenance = result->provenance;

	CHECK(result_read_integer(reader, "/fdtd/grid/steps", &result->steps));
	CHECK(result_read_real(reader, "/fdtd/grid/time", &result->time));
	CHECK(result_read_real(reader, "/fdtd/grid/left", &result->left));
	CHECK(result_read_integer(reader, "/fdtd/process/resumed", &result->resumed));
	CHECK(result_read_count(reader, "/fdtd/process/until_missed", &result->until_missed));
	CHECK(result_read_real(reader, "/fdtd/process/rate", &result->rate));
	CHECK(hdf5_reader_text(reader, "/fdtd/process/job", &provenance->job));
	return read_errors(reader, result);
}

static sonde_status read_all(sonde_context *context, struct hdf5_reader *reader, const char *path, void *to)
{
	sonde_fdtd_result *result = to;
	struct reading reading = {.reader = reader, .path = path, .result = result};

	(void)context;
	CHECK(memory_allocate(&result->provenance, 1, sizeof *result->provenance, "the result"));
	struct sonde_fdtd_provenance *provenance = result->provenance;
	CHECK(provenance_read(reader, path, &fdtd_option_table, &provenance->options, &provenance->run,
			      &result->seconds));
	result->options = &provenance->options;
	result->plan = &provenance->plan;
	reading.compound = result->options->complex_numbers == SONDE_FDTD_COMPLEX_NUMBERS_COMPOUND;
	CHECK(read_plan(reader, &provenance->plan));
	CHECK(read_streaming(reader, &provenance->plan));
	CHECK(read_run(reader, result));
	return read_monitors(&reading);
}

static void free_result(void **result)
{
	sonde_fdtd_result *fdtd = *result;

	sonde_fdtd_result_free(&fdtd);
	*result = NULL;
}

sonde_status sonde_fdtd_result_read(sonde_context *context, const char *path, sonde_fdtd_result **result)
{
	static const struct result_reading reading = {sizeof(sonde_fdtd_result), read_all, free_result};
	void *read;
	const sonde_status status = result_read(&reading, context, path, &read);

	*result = read;
	return status;
}
