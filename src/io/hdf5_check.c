/* Checksums of all datasets of a file. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/memory.h"
#include "io/hdf5_reader.h"

#define NUMBERS_AT_ONCE ((hsize_t)1 << 17)

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

struct check {
	struct hdf5_reader *reader;
	uint64_t most;
	int64_t left_out;
	sonde_status status;
};

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

/* Whether a dataset matches its checksum; SONDE_INVALID, without a message, if not. */
static sonde_status check_sum(struct check *check, hid_t dataset)
{
	char wanted[HDF5_DIGITS + 1] = "", digits[HDF5_DIGITS + 1];
	uint64_t sum = 0;
	bool left_out;

	if (!hdf5_read_checksum(dataset, wanted))
		return SONDE_INVALID;
	CHECK(hdf5_sum_dataset(dataset, check->most, &sum, &left_out));
	check->left_out += left_out;
	snprintf(digits, sizeof digits, "%016llx", (unsigned long long)sum);
	return left_out || strcmp(wanted, digits) == 0 ? SONDE_OK : SONDE_INVALID;
}

static herr_t check_object(hid_t file, const char *name, const H5O_info_t *info, void *user)
{
	struct check *check = user;

	if (info->type != H5O_TYPE_DATASET)
		return 0;
	hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
	check->status = dataset >= 0 ? check_sum(check, dataset) : SONDE_INVALID;
	if (dataset >= 0)
		H5Dclose(dataset);
	if (check->status == SONDE_INVALID)
		check->status = status_fail_file(SONDE_INVALID, check->reader->path,
						 "is damaged: /%s does not match its checksum", name);
	return check->status == SONDE_OK ? 0 : 1;
}

sonde_status hdf5_reader_check(struct hdf5_reader *reader, uint64_t most, int64_t *left_out)
{
	HDF5_ALONE;
	struct check check = {.reader = reader, .most = most};

	*left_out = 0;
	if (!reader->has_checksums)
		return SONDE_OK;
	if (H5Ovisit(reader->file, H5_INDEX_NAME, H5_ITER_INC, check_object, &check) < 0)
		return status_fail_file(SONDE_INVALID, reader->path, "is damaged: its groups cannot be read");
	*left_out = check.left_out;
	return check.status;
}
