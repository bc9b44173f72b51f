/* Reads results from the HDF5 files written by result_nexus.c. */
#include "base/memory.h"
#include "pattern/pattern.h"
#include "run/result_read.h"

static sonde_status read_picture(struct hdf5_reader *reader, const char *path, sonde_pattern_result *result)
{
	int64_t sizes[2];
	int rank;

	CHECK(hdf5_reader_sizes(reader, "/pattern/data/I", 2, sizes, &rank));
	if (rank != 2 || sizes[0] < 1 || sizes[1] < 1)
		return status_fail_file(SONDE_INVALID, path, "has no picture");
	result->q_count = sizes[0];
	result->phi_count = sizes[1];
	result->count = sizes[0] * sizes[1];
	CHECK(result_read_reals(reader, "/pattern/data/q", &result->q_count, 1, &result->q));
	CHECK(result_read_reals(reader, "/pattern/data/phi", &result->phi_count, 1, &result->phi));
	return result_read_reals(reader, "/pattern/data/I", sizes, 2, &result->intensity);
}

static sonde_status read_list(struct hdf5_reader *reader, const char *path, sonde_pattern_result *result)
{
	int64_t sizes[2];
	int rank;

	CHECK(hdf5_reader_sizes(reader, "/pattern/data/vectors", 2, sizes, &rank));
	if (rank != 2 || sizes[0] < 1 || sizes[1] != 3)
		return status_fail_file(SONDE_INVALID, path, "has no scattering vectors");
	result->count = sizes[0];
	CHECK(result_read_reals(reader, "/pattern/data/vectors", sizes, 2, &result->vectors));
	return result_read_reals(reader, "/pattern/data/I", &result->count, 1, &result->intensity);
}

static sonde_status read_amplitude(struct hdf5_reader *reader, sonde_pattern_result *result)
{
	const int64_t picture[2] = {result->q_count, result->phi_count};
	const bool list = result->vectors != NULL;

	if (!hdf5_reader_has(reader, "/pattern/data/F"))
		return SONDE_OK;
	CHECK(memory_allocate(&result->real, (size_t)result->count, sizeof(double), "the amplitudes"));
	CHECK(memory_allocate(&result->imaginary, (size_t)result->count, sizeof(double), "the amplitudes"));
	return hdf5_reader_complexes(reader, "/pattern/data/F", list ? &result->count : picture, list ? 1 : 2,
				     result->real, result->imaginary);
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
	CHECK(hdf5_reader_has(reader, "/pattern/data/vectors") ? read_list(reader, path, result)
							       : read_picture(reader, path, result));
	CHECK(read_amplitude(reader, result));
	CHECK(hdf5_reader_text(reader, "/pattern/sample/composition", &provenance->composition));
	CHECK(hdf5_reader_text(reader, "/pattern/process/amplitudes", &provenance->amplitudes));
	CHECK(result_read_integer(reader, "/pattern/sample/atoms", &result->atom_count));
	CHECK(result_read_real(reader, "/pattern/sample/atoms_present", &result->atoms_present));
	CHECK(result_read_real(reader, "/pattern/process/wavelength", &result->wavelength));
	CHECK(result_read_real(reader, "/pattern/process/largest_error", &result->largest_error));
	return result_read_integer(reader, "/pattern/process/checked_points", &result->checked_points);
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
