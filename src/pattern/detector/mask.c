#include "pattern/detector/mask.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "io/containers/hdf5.h"
#include "io/text/lines.h"
#include "io/text/words.h"
#include "pattern/detector/edf.h"

#define HDF5_ENDINGS ".h5", ".hdf5", ".nxs"
#define MOST_RANK 8

/* Text ------------------------------------------------------------------------------------------------------- */

/* "0 1 1", "0,1,1", or "011". */
static sonde_status read_text_row(const struct line_reader *lines, const char *line, int64_t columns,
				  unsigned char *masked, int64_t *found)
{
	*found = 0;
	for (const char *c = line; *c != '\0' && *c != '#'; ++c) {
		if (strchr(" \t,;", *c) != NULL)
			continue;
		if (*c != '0' && *c != '1')
			return line_fail(lines, "'%.8s' is neither 0 nor 1", c);
		if (*found == columns)
			return line_fail(lines, "has more than the %lld columns of the detector", (long long)columns);
		masked[(*found)++] = *c == '1';
	}
	return *found == 0 || *found == columns
		   ? SONDE_OK
		   : line_fail(lines, "has %lld columns, the detector %lld", (long long)*found, (long long)columns);
}

static sonde_status read_text_rows(struct line_reader *lines, int64_t rows, int64_t columns, unsigned char *masked)
{
	int64_t row = 0, found = 0;
	unsigned char *spare;
	char *line;

	CHECK(memory_allocate(&spare, (size_t)columns, 1, "the mask"));
	for (;;) {
		sonde_status status = line_reader_next(lines, &line);
		if (status == SONDE_OK && line != NULL)
			status =
			    read_text_row(lines, line, columns, row < rows ? masked + row * columns : spare, &found);
		if (status != SONDE_OK || line == NULL) {
			free(spare);
			CHECK(status);
			break;
		}
		row += found > 0;
	}
	return row == rows ? SONDE_OK
			   : status_fail_file(SONDE_INVALID, line_reader_path(lines),
					      "has %lld rows, the detector %lld", (long long)row, (long long)rows);
}

static sonde_status read_text(const char *path, int64_t rows, int64_t columns, unsigned char *masked)
{
	struct line_reader *lines;

	CHECK(line_reader_open(&lines, path));
	const sonde_status status = read_text_rows(lines, rows, columns, masked);
	line_reader_close(&lines);
	return status;
}

/* HDF5 ------------------------------------------------------------------------------------------------------- */

/* Two sizes, those of the detector; axes of one point, as of a stack of one picture, do not matter. */
static sonde_status check_sizes(struct hdf5_reader *reader, const char *path, const char *dataset, int64_t rows,
				int64_t columns)
{
	int64_t sizes[MOST_RANK], found[2] = {1, 1};
	int rank, kept = 0;

	CHECK(hdf5_reader_sizes(reader, dataset, MOST_RANK, sizes, &rank));
	for (int k = 0; k < rank; ++k) {
		if (sizes[k] == 1 && rank - k > 2 - kept)
			continue;
		if (kept == 2)
			return status_fail_file(SONDE_INVALID, path, "%s is not a picture", dataset);
		found[kept++] = sizes[k];
	}
	return kept == 2 && found[0] == rows && found[1] == columns
		   ? SONDE_OK
		   : status_fail_file(SONDE_INVALID, path,
				      "%s has %lld rows and %lld columns, the detector %lld and %lld", dataset,
				      (long long)found[0], (long long)found[1], (long long)rows, (long long)columns);
}

/* The dataset has `wanted` numbers. */
static sonde_status read_integers(struct hdf5_reader *reader, const char *dataset, int64_t wanted,
				  unsigned char *masked)
{
	int64_t *values, count;

	CHECK(hdf5_reader_integers(reader, dataset, &values, &count));
	for (int64_t n = 0; n < wanted && n < count; ++n)
		masked[n] = values[n] != 0;
	free(values);
	return SONDE_OK;
}

static sonde_status read_reals(struct hdf5_reader *reader, const char *dataset, int64_t wanted, unsigned char *masked)
{
	double *values;
	int64_t count;

	CHECK(hdf5_reader_reals(reader, dataset, &values, &count));
	for (int64_t n = 0; n < wanted && n < count; ++n)
		masked[n] = values[n] != 0.0;
	free(values);
	return SONDE_OK;
}

static sonde_status read_dataset(struct hdf5_reader *reader, const char *path, const char *dataset, int64_t rows,
				 int64_t columns, unsigned char *masked)
{
	if (!hdf5_reader_has(reader, dataset))
		return status_fail_file(SONDE_INVALID, path, "has no dataset %.80s; give `mask_dataset`", dataset);
	CHECK(check_sizes(reader, path, dataset, rows, columns));
	const sonde_status status = read_integers(reader, dataset, rows * columns, masked);
	return status == SONDE_INVALID ? read_reals(reader, dataset, rows * columns, masked) : status;
}

static sonde_status read_hdf5(const char *path, const char *dataset, int64_t rows, int64_t columns,
			      unsigned char *masked)
{
	struct hdf5_reader *reader;

	CHECK(hdf5_reader_open(&reader, path));
	const sonde_status status = read_dataset(reader, path, dataset, rows, columns, masked);
	hdf5_reader_close(&reader);
	return status;
}

/* All -------------------------------------------------------------------------------------------------------- */

bool mask_has_datasets(const char *path)
{
	static const char *const endings[] = {HDF5_ENDINGS};

	for (size_t k = 0; k < sizeof endings / sizeof *endings; ++k)
		if (file_has_suffix(path, endings[k]))
			return true;
	return false;
}

sonde_status mask_read(const char *path, const char *dataset, int64_t rows, int64_t columns, unsigned char *masked)
{
	if (mask_has_datasets(path))
		return read_hdf5(path, dataset, rows, columns, masked);
	return file_has_suffix(path, ".edf") ? edf_read_mask(path, rows, columns, masked)
					     : read_text(path, rows, columns, masked);
}

static void stop_beam(double radius, const struct detector_geometry *detector, const double beam[2],
		      unsigned char *masked)
{
	for (int64_t row = 0; row < detector->size[1]; ++row)
		for (int64_t column = 0; column < detector->size[0]; ++column)
			if (hypot(detector_coordinate(detector, 0, column) - beam[0],
				  detector_coordinate(detector, 1, row) - beam[1]) <= radius)
				masked[row * detector->size[0] + column] = 1;
}

static sonde_status find(const sonde_pattern_options *options, const struct detector_geometry *detector,
			 unsigned char *masked)
{
	double beam[2];

	if (options->mask[0] != '\0')
		CHECK(mask_read(options->mask, options->mask_dataset, detector->size[1], detector->size[0], masked));
	if (options->beam_stop > 0.0) {
		if (!detector_meets_beam(detector->axes, detector->distance, beam))
			return status_fail_option(SONDE_INVALID, "beam_stop", "the beam does not meet the detector");
		stop_beam(options->beam_stop, detector, beam, masked);
	}
	return memchr(masked, 0, (size_t)detector->size[0] * (size_t)detector->size[1]) != NULL
		   ? SONDE_OK
		   : status_fail_option(SONDE_INVALID, options->mask[0] != '\0' ? "mask" : "beam_stop",
					"all pixels are masked");
}

sonde_status detector_find_masked(const sonde_pattern_options *options, const struct detector_geometry *detector,
				  unsigned char **masked)
{
	*masked = NULL;
	if (options->mask[0] == '\0' && !(options->beam_stop > 0.0))
		return SONDE_OK;
	CHECK(memory_allocate(masked, (size_t)detector->size[0] * (size_t)detector->size[1], 1, "the mask"));
	const sonde_status status = find(options, detector, *masked);
	if (status != SONDE_OK) {
		free(*masked);
		*masked = NULL;
	}
	return status;
}
