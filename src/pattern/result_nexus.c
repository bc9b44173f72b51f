/* Results as HDF5 files in NeXus form, with all data; result_read.c reads them. */
#include "pattern/pattern.h"
#include "run/result_file.h"

static void write_picture(struct hdf5_writer *writer, const sonde_pattern_result *result)
{
	static const char *const axes[] = {"q", "phi"};

	hdf5_writer_texts_attribute(writer, "/pattern/data", "axes", axes, 2);
	hdf5_writer_reals(writer, "/pattern/data/q", result->q, &result->q_count, 1, "1/angstrom", "q (1/Angstrom)");
	hdf5_writer_reals(writer, "/pattern/data/phi", result->phi, &result->phi_count, 1, "degree",
			  "azimuth about the beam, from x toward y (degrees)");
}

static void write_list(struct hdf5_writer *writer, const sonde_pattern_result *result)
{
	static const char *const axes[] = {"."};
	const int64_t sizes[2] = {result->count, 3};

	hdf5_writer_texts_attribute(writer, "/pattern/data", "axes", axes, 1);
	hdf5_writer_reals(writer, "/pattern/data/vectors", result->vectors, sizes, 2, "1/angstrom",
			  "scattering vectors: qx, qy, qz (1/Angstrom)");
}

static void write_data(struct hdf5_writer *writer, const sonde_pattern_result *result)
{
	const bool list = result->vectors != NULL;
	const int64_t picture[2] = {result->q_count, result->phi_count};
	const int64_t *sizes = list ? &result->count : picture;
	const int rank = list ? 1 : 2;

	hdf5_writer_group(writer, "/pattern/data", "NXdata");
	hdf5_writer_text_attribute(writer, "/pattern/data", "signal", "I");
	if (list)
		write_list(writer, result);
	else
		write_picture(writer, result);
	hdf5_writer_reals(writer, "/pattern/data/I", result->intensity, sizes, rank, pattern_unit(result->options),
			  "intensity |F|^2, with diffuse scattering");
	if (result->real != NULL)
		hdf5_writer_complexes(writer, "/pattern/data/F", result->real, result->imaginary, false, sizes, rank,
				      NULL, "amplitude F = sum f exp(i q.r)");
}

static sonde_status write_all(struct hdf5_writer *writer, const sonde_pattern_result *result)
{
	const struct sonde_pattern_provenance *provenance = result->provenance;

	provenance_write_entry(writer, &provenance->run, "pattern", "Diffraction pattern", "data");
	write_data(writer, result);
	provenance_write_sample(writer, &provenance->run, "/pattern/sample");
	hdf5_writer_text(writer, "/pattern/sample/composition", provenance->composition);
	hdf5_writer_integers(writer, "/pattern/sample/atoms", &result->atom_count, 1);
	hdf5_writer_real(writer, "/pattern/sample/atoms_present", result->atoms_present, "1");
	CHECK(provenance_write_process(writer, &provenance->run, &pattern_option_table, result->options,
				       result->seconds));
	hdf5_writer_text(writer, "/pattern/process/amplitudes", provenance->amplitudes);
	hdf5_writer_real(writer, "/pattern/process/wavelength", result->wavelength, "angstrom");
	hdf5_writer_real(writer, "/pattern/process/largest_error", result->largest_error, "1");
	hdf5_writer_integers(writer, "/pattern/process/checked_points", &result->checked_points, 1);
	return SONDE_OK;
}

sonde_status pattern_write_nexus(const void *result, const char *path, bool overwrite)
{
	struct hdf5_writer *writer;

	CHECK(hdf5_writer_create(&writer));
	const sonde_status status = write_all(writer, result);
	if (status != SONDE_OK) {
		hdf5_writer_discard(&writer);
		return status;
	}
	return hdf5_writer_finish(&writer, path, overwrite);
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
	if (hdf5_reader_has(reader, "/pattern/data/q")) {
		result_file_axis(reader, report, "q", "/pattern/data/q", "1/Angstrom");
		result_file_axis(reader, report, "phi", "/pattern/data/phi", "degrees");
	}
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
