/* Results as HDF5 files in NeXus form, with all data; result_read.c reads them. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/standard_output.h"
#include "base/threads.h"
#include "pattern/errors/point_errors.h"
#include "pattern/instrument.h"
#include "pattern/detector/response.h"
#include "pattern/nexus_names.h"
#include "pattern/pattern.h"
#include "run/result_file.h"

static void write_axes(struct hdf5_writer *writer, const sonde_pattern_result *result)
{
	const char *names[3] = {"."};
	char path[32];

	for (int axis = 0; axis < result->axis_count; ++axis) {
		names[axis] = pattern_axis_name(result->geometry, axis);
		snprintf(path, sizeof path, "/pattern/data/%s", names[axis]);
		hdf5_writer_reals(writer, path, result->axes[axis], &result->sizes[axis], 1,
				  pattern_axis_unit(result->geometry, axis), names[axis]);
	}
	hdf5_writer_texts_attribute(writer, "/pattern/data", "axes", names,
				    result->axis_count > 0 ? result->axis_count : 1);
}

/* What the vectors follow from, besides the axes. */
static void write_vectors(struct hdf5_writer *writer, const sonde_pattern_result *result)
{
	const int64_t list[2] = {result->count, 3}, basis[2] = {3, 3};

	if (result->geometry == SONDE_PATTERN_LIST)
		hdf5_writer_reals(writer, "/pattern/process/vectors", result->vectors, list, 2, "1/angstrom",
				  "scattering vectors: qx, qy, qz (1/Angstrom)");
	if (result->geometry == SONDE_PATTERN_BOX)
		hdf5_writer_reals(writer, "/pattern/process/basis", result->basis, basis, 2, "1/angstrom",
				  "rows u, v, w: q = h u + k v + l w");
	if (result->geometry == SONDE_PATTERN_DETECTOR)
		hdf5_writer_real(writer, "/pattern/process/distance", result->distance, "mm");
	if (result->geometry == SONDE_PATTERN_DETECTOR && result->basis[8] != -1.0)
		hdf5_writer_reals(writer, DETECTOR_AXES, result->basis, basis, 2, NULL,
				  "rows e_x, e_y, e_n: pixels are at x e_x + y e_y + distance e_n");
}

/* As the pixel_mask of NXdetector, of which bit 8 is for masks of users. */
static sonde_status write_mask(struct hdf5_writer *writer, const sonde_pattern_result *result)
{
	int64_t *mask;

	CHECK(memory_allocate(&mask, (size_t)result->count, sizeof *mask, "the mask"));
	for (int64_t n = 0; n < result->count; ++n)
		mask[n] = result->masked[n] != 0 ? NEXUS_USER_MASK : 0;
	hdf5_writer_integer_array(writer, PIXEL_MASK, mask, result->sizes, result->axis_count,
				  "not 0 where pixels are masked");
	free(mask);
	return SONDE_OK;
}

static sonde_status write_diffuse(struct hdf5_writer *writer, const sonde_pattern_result *result,
				  const int64_t *sizes, int rank)
{
	struct response response;
	double *diffuse;

	CHECK(response_make(result, &response));
	CHECK(memory_allocate(&diffuse, (size_t)result->count, sizeof *diffuse, "the diffuse part"));
	for (int64_t n = 0; n < result->count; ++n)
		diffuse[n] = pattern_diffuse(result, &response, n);
	hdf5_writer_reals(writer, "/pattern/data/I_diffuse", diffuse, sizes, rank, pattern_unit(result->options),
			  "diffuse part, I - |<F>|^2");
	free(diffuse);
	return SONDE_OK;
}

static void write_partials(struct hdf5_writer *writer, const sonde_pattern_result *result, const int64_t *sizes,
			   int rank)
{
	int64_t of_labels[4] = {result->partial_count};

	for (int axis = 0; axis < rank; ++axis)
		of_labels[1 + axis] = sizes[axis];
	hdf5_writer_complexes(writer, PARTIALS, result->partial_real, result->partial_imaginary, false, of_labels,
			      rank + 1, pattern_amplitude_unit(result->options),
			      "amplitudes of the parts of the sample");
	hdf5_writer_texts(writer, PARTIAL_LABELS, result->partial_label[0], result->partial_count, SONDE_LABEL_SIZE);
}

/* The sizes of I and of other arrays with a number for each point. */
static const int64_t *sizes_of(const sonde_pattern_result *result, int *rank)
{
	const bool list = result->geometry == SONDE_PATTERN_LIST;

	*rank = list ? 1 : result->axis_count;
	return list ? &result->count : result->sizes;
}

static sonde_status write_data(struct hdf5_writer *writer, const sonde_pattern_result *result)
{
	int rank;
	const int64_t *sizes = sizes_of(result, &rank);

	hdf5_writer_group(writer, "/pattern/data", "NXdata");
	hdf5_writer_text_attribute(writer, "/pattern/data", "signal", "I");
	write_axes(writer, result);
	hdf5_writer_reals(writer, "/pattern/data/I", result->intensity, sizes, rank, pattern_unit(result->options),
			  "intensity |F|^2, with diffuse scattering");
	if (pattern_has_diffuse(result))
		CHECK(write_diffuse(writer, result, sizes, rank));
	if (result->standard_error != NULL)
		hdf5_writer_reals(writer, "/pattern/data/I_errors", result->standard_error, sizes, rank,
				  pattern_unit(result->options), "standard error of the mean I");
	if (result->counts != NULL)
		hdf5_writer_integer_array(writer, COUNTS, result->counts, sizes, rank,
					  "particles in each pixel, with Poisson's noise");
	if (result->masked != NULL)
		CHECK(write_mask(writer, result));
	if (result->real != NULL)
		hdf5_writer_complexes(writer, "/pattern/data/F", result->real, result->imaginary, false, sizes, rank,
				      pattern_amplitude_unit(result->options), "amplitude F = sum f exp(i q.r)");
	if (result->partial_count > 0)
		write_partials(writer, result, sizes, rank);
	return SONDE_OK;
}

static void write_mean(struct hdf5_writer *writer, const sonde_pattern_result *result)
{
	const struct {
		const char *path;
		const int64_t *number;
	} numbers[] = {{"/pattern/process/orientations", &result->orientation_count},
		       {"/pattern/process/samples", &result->sample_count},
		       {"/pattern/process/copies", &result->copy_count},
		       {"/pattern/process/error_values", &result->error_values}};

	for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k)
		if (*numbers[k].number > 0)
			hdf5_writer_integers(writer, numbers[k].path, numbers[k].number, 1);
}

static void write_errors(struct hdf5_writer *writer, const sonde_pattern_result *result)
{
	const int64_t sizes[2] = {result->partial_count, result->error_nodes};
	const char *unit = pattern_amplitude_unit(result->options);

	hdf5_writer_real(writer, "/pattern/process/largest_error", result->largest_error, "1");
	if (result->partial_errors != NULL)
		hdf5_writer_reals(writer, PARTIAL_ERRORS, result->partial_errors, sizes, 1, "1",
				  "largest errors of the amplitudes of the parts, relative to their sqrt(sum |f|^2)");
	hdf5_writer_integers(writer, "/pattern/process/checked_points", &result->checked_points, 1);
	if (result->error_nodes == 0)
		return;
	hdf5_writer_reals(writer, ERROR_NODES, result->error_q, &sizes[1], 1, "1/angstrom",
			  "|q| of the estimated errors of F");
	hdf5_writer_reals(writer, ERROR_OF_AMPLITUDE, result->amplitude_errors, &sizes[1], 1, unit,
			  "estimated error of F, linear in between");
	if (result->partial_amplitude_errors != NULL)
		hdf5_writer_reals(writer, ERROR_OF_PARTS, result->partial_amplitude_errors, sizes, 2, unit,
				  "estimated errors of the amplitudes of the parts, linear in between");
}

sonde_status pattern_write_entries(struct hdf5_writer *writer, const sonde_pattern_result *result)
{
	const struct sonde_pattern_provenance *provenance = result->provenance;

	provenance_write_entry(writer, &provenance->run, "pattern", "Diffraction pattern", "data");
	CHECK(write_data(writer, result));
	if (result->geometry == SONDE_PATTERN_DETECTOR)
		CHECK(instrument_write(writer, result));
	provenance_write_sample(writer, &provenance->run, "/pattern/sample");
	hdf5_writer_text(writer, "/pattern/sample/composition", provenance->composition);
	hdf5_writer_integers(writer, "/pattern/sample/atoms", &result->atom_count, 1);
	hdf5_writer_real(writer, "/pattern/sample/atoms_present", result->atoms_present, "1");
	CHECK(provenance_write_process(writer, &provenance->run, &pattern_option_table, result->options,
				       result->seconds));
	write_vectors(writer, result);
	hdf5_writer_text(writer, "/pattern/process/geometry", pattern_geometry_name(result->geometry));
	hdf5_writer_text(writer, "/pattern/process/amplitudes", provenance->amplitudes);
	hdf5_writer_real(writer, "/pattern/process/wavelength", result->wavelength, "angstrom");
	write_errors(writer, result);
	write_mean(writer, result);
	return SONDE_OK;
}

sonde_status pattern_contents(const void *of, struct hdf5_writer *writer)
{
	const sonde_pattern_result *result = of;
	const int64_t bytes = result->count * (int64_t)sizeof(double);

	hdf5_writer_lasts(writer, result->intensity, bytes);
	hdf5_writer_lasts(writer, result->standard_error, bytes);
	hdf5_writer_lasts(writer, result->counts, bytes);
	hdf5_writer_lasts(writer, result->vectors, 3 * bytes);
	CHECK(pattern_write_entries(writer, result));
	int rank;
	const int64_t *sizes = sizes_of(result, &rank);
	return point_errors_add(writer, result, sizes, rank);
}

sonde_status pattern_write_nexus(const void *result, const char *path, bool overwrite)
{
	const sonde_pattern_result *of = result;
	struct hdf5_writer *writer;

	CHECK(of->count >= PATTERN_LARGE && !standard_output_is(path)
		  ? hdf5_writer_create_large(&writer, threads_available(), path, overwrite)
		  : hdf5_writer_create(&writer));
	const sonde_status status = pattern_write_entries(writer, of);
	if (status != SONDE_OK) {
		hdf5_writer_discard(&writer);
		return status;
	}
	return hdf5_writer_finish(&writer, path, overwrite);
}

static void describe_axis(struct hdf5_reader *reader, struct report *report, const char *name, const char *unit)
{
	char path[32];

	if (name == NULL)
		return;
	snprintf(path, sizeof path, "/pattern/data/%s", name);
	if (hdf5_reader_has(reader, path))
		result_file_axis(reader, report, name, path, unit);
}

static void describe_number(struct hdf5_reader *reader, struct report *report, const char *path, const char *name)
{
	if (!hdf5_reader_has(reader, path))
		return;
	const double number = result_file_number(reader, path);
	report_line(report, name, "%.0f", number);
	report_number(report, name, number);
}

sonde_status pattern_describe(struct hdf5_reader *reader, struct report *report)
{
	const double atoms = result_file_number(reader, "/pattern/sample/atoms"),
		     wavelength = result_file_number(reader, "/pattern/process/wavelength"),
		     error = result_file_number(reader, "/pattern/process/largest_error"),
		     checked = result_file_number(reader, "/pattern/process/checked_points");

	report_line(report, "atoms", "%.0f", atoms);
	report_number(report, "atoms", atoms);
	result_file_text(reader, report, "composition", "/pattern/sample/composition");
	result_file_text(reader, report, "amplitudes", "/pattern/process/amplitudes");
	result_file_text(reader, report, "device", "/pattern/process/device");
	for (int geometry = 0; geometry <= SONDE_PATTERN_DETECTOR; ++geometry)
		for (int axis = 0; axis < 3; ++axis)
			describe_axis(reader, report, pattern_axis_name(geometry, axis),
				      pattern_axis_unit(geometry, axis));
	describe_number(reader, report, "/pattern/process/orientations", "orientations");
	describe_number(reader, report, "/pattern/process/samples", "samples");
	describe_number(reader, report, "/pattern/process/copies", "copies");
	if (hdf5_reader_has(reader, "/pattern/process/distance"))
		report_line(report, "detector", "%.7g mm from the sample%s%s%s",
			    result_file_number(reader, "/pattern/process/distance"),
			    hdf5_reader_has(reader, DETECTOR_AXES) ? ", rotated" : "",
			    hdf5_reader_has(reader, PIXEL_MASK) ? ", masked pixels" : "",
			    hdf5_reader_has(reader, COUNTS) ? ", counts" : "");
	if (wavelength > 0.0)
		report_line(report, "wavelength", "%.7g Angstrom", wavelength);
	report_number(report, "wavelength_angstrom", wavelength);
	CHECK(result_file_options(reader, report, "pattern"));
	result_file_time(reader, report, "pattern");
	report_line(report, "error", "%.2g of sqrt(sum |f|^2); %.0f points were computed again",
		    text_round_up(error, 2), checked);
	report_number(report, "largest_error", error);
	report_number(report, "checked_points", checked);
	return SONDE_OK;
}
