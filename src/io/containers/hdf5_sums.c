/* Checksums of the datasets of a file, from their values, which are read in pieces. */
#include <hdf5.h>
#include <stdlib.h>

#include "base/checksum.h"
#include "base/memory.h"
#include "io/containers/hdf5_common.h"

#define MOST_OF_ZLIB 1100
#define NUMBERS_AT_ONCE ((hsize_t)1 << 17)

/* Whether all chunks of a chunked dataset are present: missing ones would be read as zeros. */
static bool has_all_chunks(hid_t dataset, hid_t layout)
{
#if H5_VERSION_GE(1, 10, 5)
	hsize_t sizes[H5S_MAX_RANK], chunk[H5S_MAX_RANK], there = 0, wanted = 1;
	hid_t space = H5Dget_space(dataset);
	int rank = H5Sget_simple_extent_dims(space, sizes, NULL);

	if (H5Pget_chunk(layout, rank, chunk) != rank || H5Dget_num_chunks(dataset, space, &there) < 0)
		wanted = 0;
	for (int k = 0; wanted > 0 && k < rank; ++k)
		wanted *= (sizes[k] + chunk[k] - 1) / chunk[k];
	H5Sclose(space);
	return wanted > 0 && there == wanted;
#else
	(void)dataset;
	(void)layout;
	return true;
#endif
}

/* zlib compresses by 1032 at most */
bool hdf5_is_believable(hid_t dataset, uint64_t bytes, uint64_t packed)
{
	hid_t layout = H5Dget_create_plist(dataset);

	if (layout >= 0 && H5Pget_nfilters(layout) > 0 && H5Pget_layout(layout) == H5D_CHUNKED &&
	    has_all_chunks(dataset, layout))
		packed *= MOST_OF_ZLIB;
	if (layout >= 0)
		H5Pclose(layout);
	return bytes <= H5Dget_storage_size(dataset) * packed + 64;
}

/* The type in memory from which the checksum of a dataset was computed; -1 for types that are never written. */
static hid_t written_type(hid_t dataset, size_t *words)
{
	hid_t there = H5Dget_type(dataset), type = -1;
	H5T_class_t class = H5Tget_class(there);

	*words = 1;
	if (class == H5T_INTEGER || class == H5T_FLOAT) {
		type = H5Tcopy(class == H5T_INTEGER ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE);
	} else if (class == H5T_COMPOUND && H5Tget_nmembers(there) == 2) {
		*words = 2;
		type = hdf5_complex_numbers();
	} else if (class == H5T_STRING && H5Tis_variable_str(there) <= 0 && H5Tget_size(there) <= HDF5_LONGEST_TEXT) {
		*words = 0;
		type = H5Tcopy(there);
	}
	H5Tclose(there);
	return type;
}

/* Rows of a dataset that are read at a time: whole chunks, several if they are small. */
static hsize_t rows_at_once(hid_t dataset, int rank, hsize_t rows, hsize_t numbers_of_row)
{
	hsize_t chunk[H5S_MAX_RANK], together = NUMBERS_AT_ONCE / (numbers_of_row > 0 ? numbers_of_row : 1);
	hid_t layout = H5Dget_create_plist(dataset);

	together = together > 0 ? together : 1;
	if (layout >= 0 && H5Pget_layout(layout) == H5D_CHUNKED && H5Pget_chunk(layout, rank, chunk) == rank)
		together = (together + chunk[0] - 1) / chunk[0] * chunk[0];
	if (layout >= 0)
		H5Pclose(layout);
	return together < rows ? together : rows;
}

/* Checksum of all numbers, some rows at a time; SONDE_INVALID, without a message, if they cannot be read. */
static sonde_status sum_numbers(hid_t dataset, hid_t space, hid_t type, size_t words, uint64_t *sum)
{
	hsize_t sizes[H5S_MAX_RANK + 1] = {1}, start[H5S_MAX_RANK + 1] = {0}, row = 1;
	int rank = H5Sget_simple_extent_dims(space, sizes, NULL);
	void *values = NULL;

	for (int k = 1; k < rank; ++k)
		row *= sizes[k];
	const hsize_t rows = rank > 0 ? sizes[0] : 1,
		      together = rank > 0 ? rows_at_once(dataset, rank, rows, row) : 1;
	CHECK(memory_allocate(&values, (size_t)(together * row * words + 1), sizeof(double), "a dataset"));
	*sum = hdf5_checksum_of_space(space);
	for (hsize_t first = 0; row > 0 && first < rows; first += together) {
		hsize_t count = (rows - first < together ? rows - first : together) * row;
		hid_t memory = H5Screate_simple(1, &count, NULL);
		start[0] = first;
		sizes[0] = count / row;
		bool read =
		    (rank == 0 || H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, sizes, NULL) >= 0) &&
		    H5Dread(dataset, type, memory, space, H5P_DEFAULT, values) >= 0;
		H5Sclose(memory);
		if (!read) {
			free(values);
			return SONDE_INVALID;
		}
		*sum += checksum_numbers(first * row * words, values, (size_t)count * words);
	}
	free(values);
	return SONDE_OK;
}

static sonde_status sum_texts(hid_t dataset, hid_t space, hid_t type, uint64_t *sum)
{
	const size_t size = H5Tget_size(type), count = (size_t)H5Sget_simple_extent_npoints(space);
	char *texts;

	CHECK(memory_allocate(&texts, count * size + 1, 1, "texts"));
	bool read = H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts) >= 0;
	*sum = read ? hdf5_checksum_of_values(space, true, size, texts) : 0;
	free(texts);
	return read ? SONDE_OK : SONDE_INVALID;
}

sonde_status hdf5_sum_dataset(hid_t dataset, uint64_t most, uint64_t *sum, bool *left_out)
{
	size_t words;
	hid_t space = H5Dget_space(dataset), there = H5Dget_type(dataset), type = written_type(dataset, &words);
	const hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
	const uint64_t bytes = count >= 0 ? (uint64_t)count * H5Tget_size(there) : 0;
	const bool sound = count >= 0 && type >= 0 && (uint64_t)count <= INT64_MAX / (16 + HDF5_LONGEST_TEXT) &&
			   hdf5_is_believable(dataset, bytes, 1);

	sonde_status status = sound ? SONDE_OK : SONDE_INVALID;

	*left_out = sound && bytes > most;
	if (sound && !*left_out)
		status =
		    words == 0 ? sum_texts(dataset, space, type, sum) : sum_numbers(dataset, space, type, words, sum);
	if (type >= 0)
		H5Tclose(type);
	if (there >= 0)
		H5Tclose(there);
	if (space >= 0)
		H5Sclose(space);
	return status;
}
