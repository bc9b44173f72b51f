/* Reads results from the HDF5 files written by result_nexus.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "pattern/nexus_names.h"
#include "pattern/pattern.h"
#include "run/result_read.h"

static sonde_status read_geometry(struct hdf5_reader *reader, const char *path, int *geometry)
{
	char *name;

	CHECK(hdf5_reader_text(reader, "/pattern/process/geometry", &name));
	for (*geometry = 0; *geometry <= SONDE_PATTERN_DETECTOR; ++*geometry)
		if (strcmp(name, pattern_geometry_name(*geometry)) == 0)
			break;
	free(name);
	return *geometry <= SONDE_PATTERN_DETECTOR
		   ? SONDE_OK
		   : status_fail_file(SONDE_INVALID, path, "has scattering vectors of an unknown kind");
}

/* Axes are in the files of rotated detectors. */
static sonde_status read_detector(struct hdf5_reader *reader, sonde_pattern_result *result)
{
	const int64_t square[2] = {3, 3};

	CHECK(result_read_real(reader, "/pattern/process/distance", &result->distance));
	result->basis[0] = result->basis[4] = 1.0;
	result->basis[8] = -1.0;
	return hdf5_reader_has(reader, DETECTOR_AXES)
		   ? hdf5_reader_exact_reals(reader, DETECTOR_AXES, square, 2, result->basis)
		   : SONDE_OK;
}

/* Counts and mask of a detector. */
static sonde_status read_pixels(struct hdf5_reader *reader, sonde_pattern_result *result)
{
	int64_t *mask;

	if (hdf5_reader_has(reader, COUNTS)) {
		CHECK(memory_allocate(&result->counts, (size_t)result->count, sizeof *result->counts, "the counts"));
		CHECK(hdf5_reader_integer_array(reader, COUNTS, result->sizes, result->axis_count, result->counts));
	}
	if (!hdf5_reader_has(reader, PIXEL_MASK))
		return SONDE_OK;
	CHECK(memory_allocate(&result->masked, (size_t)result->count, 1, "the mask"));
	CHECK(memory_allocate(&mask, (size_t)result->count, sizeof *mask, "the mask"));
	const sonde_status status =
	    hdf5_reader_integer_array(reader, PIXEL_MASK, result->sizes, result->axis_count, mask);
	for (int64_t n = 0; status == SONDE_OK && n < result->count; ++n)
		result->masked[n] = mask[n] != 0;
	free(mask);
	return status;
}

static sonde_status read_axes(struct hdf5_reader *reader, const char *path, sonde_pattern_result *result)
{
	int64_t sizes[3];
	char axis_path[32];

	CHECK(hdf5_reader_sizes(reader, "/pattern/data/I", 3, sizes, &result->axis_count));
	result->count = 1;
	for (int axis = 0; axis < result->axis_count; ++axis) {
		const char *name = pattern_axis_name(result->geometry, axis);
		if (name == NULL || sizes[axis] < 1 || sizes[axis] > INT64_MAX / 8 / result->count)
			return status_fail_file(SONDE_INVALID, path, "has no picture");
		snprintf(axis_path, sizeof axis_path, "/pattern/data/%s", name);
		result->count *= result->sizes[axis] = sizes[axis];
		CHECK(result_read_reals(reader, axis_path, &sizes[axis], 1, &result->axes[axis]));
	}
	if (result->axis_count == 0 ||
	    (result->axis_count < 3 && pattern_axis_name(result->geometry, result->axis_count) != NULL))
		return status_fail_file(SONDE_INVALID, path, "has no picture");
	if (result->geometry == SONDE_PATTERN_DETECTOR)
		CHECK(read_detector(reader, result));
	if (result->geometry == SONDE_PATTERN_BOX) {
		const int64_t square[2] = {3, 3};
		CHECK(hdf5_reader_exact_reals(reader, "/pattern/process/basis", square, 2, result->basis));
	}
	return result_read_reals(reader, "/pattern/data/I", sizes, result->axis_count, &result->intensity);
}

static sonde_status read_list(struct hdf5_reader *reader, const char *path, sonde_pattern_result *result)
{
	int64_t sizes[2];
	int rank;

	CHECK(hdf5_reader_sizes(reader, "/pattern/process/vectors", 2, sizes, &rank));
	if (rank != 2 || sizes[0] < 1 || sizes[1] != 3)
		return status_fail_file(SONDE_INVALID, path, "has no scattering vectors");
	result->count = sizes[0];
	CHECK(result_read_reals(reader, "/pattern/process/vectors", sizes, 2, &result->vectors));
	return result_read_reals(reader, "/pattern/data/I", &result->count, 1, &result->intensity);
}

static sonde_status read_amplitude(struct hdf5_reader *reader, sonde_pattern_result *result)
{
	const bool list = result->geometry == SONDE_PATTERN_LIST;

	if (!hdf5_reader_has(reader, "/pattern/data/F"))
		return SONDE_OK;
	CHECK(memory_allocate(&result->real, (size_t)result->count, sizeof(double), "the amplitudes"));
	CHECK(memory_allocate(&result->imaginary, (size_t)result->count, sizeof(double), "the amplitudes"));
	return hdf5_reader_complexes(reader, "/pattern/data/F", list ? &result->count : result->sizes,
				     list ? 1 : result->axis_count, result->real, result->imaginary);
}

static sonde_status read_labels(struct hdf5_reader *reader, const char *path, sonde_pattern_result *result)
{
	int64_t count;
	size_t size;
	char *texts;

	CHECK(hdf5_reader_texts(reader, PARTIAL_LABELS, &texts, &count, &size));
	sonde_status status =
	    count >= 1 && count <= PATTERN_MOST_CLASSES
		? memory_allocate(&result->partial_label, (size_t)count, SONDE_LABEL_SIZE, "the result")
		: status_fail_file(SONDE_INVALID, path, "has no labels of amplitudes");
	for (int64_t p = 0; p < count && status == SONDE_OK; ++p)
		snprintf(result->partial_label[p], SONDE_LABEL_SIZE, "%.*s", (int)size, texts + (size_t)p * size);
	if (status == SONDE_OK)
		result->partial_count = (int)count;
	free(texts);
	return status;
}

/* Earlier versions have none. */
static sonde_status read_errors(struct hdf5_reader *reader, const char *path, sonde_pattern_result *result)
{
	int64_t count;

	if (!hdf5_reader_has(reader, PARTIAL_ERRORS))
		return SONDE_OK;
	CHECK(hdf5_reader_reals(reader, PARTIAL_ERRORS, &result->partial_errors, &count));
	return count == result->partial_count
		   ? SONDE_OK
		   : status_fail_file(SONDE_INVALID, path, "has errors of other amplitudes than those in it");
}

static sonde_status read_partials(struct hdf5_reader *reader, const char *path, sonde_pattern_result *result)
{
	const bool list = result->geometry == SONDE_PATTERN_LIST;
	const int rank = list ? 1 : result->axis_count;

	if (!hdf5_reader_has(reader, PARTIALS))
		return SONDE_OK;
	CHECK(read_labels(reader, path, result));
	const int64_t sizes[4] = {result->partial_count, list ? result->count : result->sizes[0], result->sizes[1],
				  result->sizes[2]};
	const size_t numbers = (size_t)result->partial_count * (size_t)result->count;
	CHECK(memory_allocate(&result->partial_real, numbers, sizeof(double), "the amplitudes"));
	CHECK(memory_allocate(&result->partial_imaginary, numbers, sizeof(double), "the amplitudes"));
	CHECK(hdf5_reader_complexes(reader, PARTIALS, sizes, rank + 1, result->partial_real,
				    result->partial_imaginary));
	return read_errors(reader, path, result);
}

static sonde_status read_mean(struct hdf5_reader *reader, sonde_pattern_result *result)
{
	const bool list = result->geometry == SONDE_PATTERN_LIST;
	const struct {
		const char *path;
		int64_t *number;
	} numbers[] = {{"/pattern/process/orientations", &result->orientation_count},
		       {"/pattern/process/samples", &result->sample_count},
		       {"/pattern/process/copies", &result->copy_count},
		       {"/pattern/process/error_values", &result->error_values}};

	for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k)
		if (hdf5_reader_has(reader, numbers[k].path))
			CHECK(result_read_integer(reader, numbers[k].path, numbers[k].number));
	return hdf5_reader_has(reader, "/pattern/data/I_errors")
		   ? result_read_reals(reader, "/pattern/data/I_errors", list ? &result->count : result->sizes,
				       list ? 1 : result->axis_count, &result->standard_error)
		   : SONDE_OK;
}

/* The estimated errors as a function of q: earlier versions have none. */
static sonde_status read_error_table(struct hdf5_reader *reader, const char *path, sonde_pattern_result *result)
{
	int64_t sizes[2] = {result->partial_count, 0};
	int rank;

	if (!hdf5_reader_has(reader, ERROR_NODES))
		return SONDE_OK;
	CHECK(hdf5_reader_sizes(reader, ERROR_NODES, 1, &sizes[1], &rank));
	if (rank != 1 || sizes[1] < 2)
		return status_fail_file(SONDE_INVALID, path, "has errors without their magnitudes of q");
	CHECK(result_read_reals(reader, ERROR_NODES, &sizes[1], 1, &result->error_q));
	CHECK(result_read_reals(reader, ERROR_OF_AMPLITUDE, &sizes[1], 1, &result->amplitude_errors));
	if (result->partial_count > 0)
		CHECK(result_read_reals(reader, ERROR_OF_PARTS, sizes, 2, &result->partial_amplitude_errors));
	result->error_nodes = sizes[1];
	return SONDE_OK;
}

static sonde_status read_all(sonde_context *context, struct hdf5_reader *reader, const char *path, void *to)
{
	sonde_pattern_result *result = to;

	(void)context;
	CHECK(memory_allocate(&result->provenance, 1, sizeof *result->provenance, "the result"));
	struct sonde_pattern_provenance *provenance = result->provenance;
	CHECK(provenance_read(reader, path, &pattern_option_table, &provenance->options, &provenance->run,
			      &result->seconds));
	result->options = &provenance->options;
	CHECK(read_geometry(reader, path, &result->geometry));
	CHECK(result->geometry == SONDE_PATTERN_LIST ? read_list(reader, path, result)
						     : read_axes(reader, path, result));
	CHECK(read_amplitude(reader, result));
	CHECK(read_partials(reader, path, result));
	CHECK(result->geometry == SONDE_PATTERN_DETECTOR ? read_pixels(reader, result) : SONDE_OK);
	CHECK(read_mean(reader, result));
	CHECK(hdf5_reader_text(reader, "/pattern/sample/composition", &provenance->composition));
	CHECK(hdf5_reader_text(reader, "/pattern/process/amplitudes", &provenance->amplitudes));
	CHECK(result_read_integer(reader, "/pattern/sample/atoms", &result->atom_count));
	CHECK(result_read_real(reader, "/pattern/sample/atoms_present", &result->atoms_present));
	CHECK(result_read_real(reader, "/pattern/process/wavelength", &result->wavelength));
	CHECK(result_read_real(reader, "/pattern/process/largest_error", &result->largest_error));
	CHECK(result_read_integer(reader, "/pattern/process/checked_points", &result->checked_points));
	return read_error_table(reader, path, result);
}

static void free_result(void **result)
{
	sonde_pattern_result *pattern = *result;

	sonde_pattern_result_free(&pattern);
	*result = NULL;
}

sonde_status sonde_pattern_result_read(sonde_context *context, const char *path, sonde_pattern_result **result)
{
	static const struct result_reading reading = {sizeof(sonde_pattern_result), read_all, free_result};
	void *read;
	const sonde_status status = result_read(&reading, context, path, &read);

	*result = read;
	return status;
}
