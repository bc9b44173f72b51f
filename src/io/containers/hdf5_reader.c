#include <errno.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/file.h"
#include "base/memory.h"
#include "io/containers/hdf5_reader.h"
#include "io/containers/seal.h"

#define MOST_PACKED 8192 /* bytes of integers per byte of a file, for types of few bits */

#define CONVERSION_BYTES (256 << 10)

/* False if memory is short. */
static bool prepare_transfer(struct hdf5_reader *reader)
{
	reader->conversion = malloc(2 * CONVERSION_BYTES);
	reader->transfer = reader->conversion != NULL ? H5Pcreate(H5P_DATASET_XFER) : -1;
	return reader->transfer >= 0 && H5Pset_buffer(reader->transfer, CONVERSION_BYTES, reader->conversion,
						      (char *)reader->conversion + CONVERSION_BYTES) >= 0;
}

/* Check before the library opens the file: its seal matches, or another process has read it. */
static sonde_status check_file(const char *path, bool *sealed)
{
	enum seal seal;
	uint64_t size;

	CHECK(file_check_input(path));
	FILE *file = fopen(path, "rbe");
	if (file == NULL)
		return status_fail_file(SONDE_INVALID, path, "cannot be read: %s", strerror(errno));
	const sonde_status status = seal_check(file, path, &seal, &size);
	fclose(file);
	CHECK(status);
	*sealed = seal == SEAL_SOUND;
	if (seal == SEAL_BROKEN)
		return seal_refuse(path);
	return seal == SEAL_NONE ? hdf5_probe(path) : SONDE_OK;
}

sonde_status hdf5_reader_open(struct hdf5_reader **reader, const char *path)
{
	HDF5_ALONE;
	bool sealed;

	*reader = NULL;
	CHECK(hdf5_check_memory());
	CHECK(check_file(path, &sealed));
	hdf5_quiet_library();
	CHECK(memory_allocate(reader, 1, sizeof **reader, "an HDF5 file"));
	(*reader)->file = (*reader)->transfer = -1;
	(*reader)->path = strdup(path);
	const bool memory = (*reader)->path != NULL && prepare_transfer(*reader);
	(*reader)->file = memory ? H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT) : -1;
	if ((*reader)->file < 0) {
		hdf5_reader_close(reader);
		return memory ? status_fail_file(SONDE_INVALID, path, "is not an HDF5 file, or is damaged")
			      : status_fail(SONDE_RESOURCE, "not enough memory to read an HDF5 file");
	}
	(*reader)->sealed = sealed;
	(*reader)->has_checksums = H5Aexists_by_name((*reader)->file, "/", HDF5_CHECKSUMS, H5P_DEFAULT) > 0;
	if (!sealed && H5Aexists_by_name((*reader)->file, "/", HDF5_SEALED, H5P_DEFAULT) > 0) {
		hdf5_reader_close(reader);
		return status_fail_file(
		    SONDE_INVALID, path,
		    "is damaged: the checksum after its end is missing, or another program has changed it");
	}
	return SONDE_OK;
}

bool hdf5_reader_is_sealed(const struct hdf5_reader *reader)
{
	return reader->sealed;
}

bool hdf5_read_checksum(hid_t dataset, char digits[HDF5_DIGITS + 1])
{
	hid_t attribute = H5Aexists(dataset, HDF5_CHECKSUM) > 0 ? H5Aopen(dataset, HDF5_CHECKSUM, H5P_DEFAULT) : -1;
	hid_t type = attribute >= 0 ? H5Aget_type(attribute) : -1;
	bool found = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) <= 0 &&
		     H5Tget_size(type) == HDF5_DIGITS && H5Aread(attribute, type, digits) >= 0;

	digits[HDF5_DIGITS] = '\0';
	if (type >= 0)
		H5Tclose(type);
	if (attribute >= 0)
		H5Aclose(attribute);
	return found;
}

/* Checks that the numbers read are those written. */
static sonde_status check_values(const struct hdf5_reader *reader, const char *path, hid_t dataset, hid_t space,
				 bool text, size_t size, const void *values)
{
	char wanted[HDF5_DIGITS + 1] = "", digits[HDF5_DIGITS + 1];

	if (!hdf5_read_checksum(dataset, wanted) && !reader->has_checksums)
		return SONDE_OK; /* a file of another program */
	snprintf(digits, sizeof digits, "%016llx",
		 (unsigned long long)hdf5_checksum_of_values(space, text, size, values));
	return strcmp(wanted, digits) == 0 ? SONDE_OK
					   : status_fail_file(SONDE_INVALID, reader->path,
							      "is damaged: %s does not match its checksum", path);
}

void hdf5_reader_close(struct hdf5_reader **reader)
{
	HDF5_ALONE;
	if (*reader == NULL)
		return;
	if ((*reader)->file >= 0)
		H5Fclose((*reader)->file);
	if ((*reader)->transfer >= 0)
		H5Pclose((*reader)->transfer);
	free((*reader)->conversion);
	free((*reader)->path);
	free(*reader);
	*reader = NULL;
}

sonde_status hdf5_reader_has_read(const struct hdf5_reader *reader)
{
	return reader->lacked_memory
		   ? status_fail_file(SONDE_RESOURCE, reader->path, "not enough memory to read all of it")
		   : SONDE_OK;
}

bool hdf5_reader_has(struct hdf5_reader *reader, const char *path)
{
	HDF5_ALONE;
	char part[512];

	if (strlen(path) >= sizeof part)
		return false;
	/* every group on the path must exist before H5Lexists may be called for the next */
	for (const char *slash = strchr(path + 1, '/');; slash = strchr(slash + 1, '/')) {
		size_t length = slash != NULL ? (size_t)(slash - path) : strlen(path);
		memcpy(part, path, length);
		part[length] = '\0';
		if (H5Lexists(reader->file, part, H5P_DEFAULT) <= 0)
			return false;
		if (slash == NULL)
			return H5Oexists_by_name(reader->file, path, H5P_DEFAULT) > 0;
	}
}

/* Opens a dataset of a class; -1 if it does not exist. */
static hid_t open_dataset(struct hdf5_reader *reader, const char *path, H5T_class_t class)
{
	H5O_info_t info;

	if (!hdf5_reader_has(reader, path) || H5Oget_info_by_name(reader->file, path, &info, H5P_DEFAULT) < 0 ||
	    info.type != H5O_TYPE_DATASET)
		return -1;
	hid_t dataset = H5Dopen2(reader->file, path, H5P_DEFAULT);
	hid_t type = dataset >= 0 ? H5Dget_type(dataset) : -1;
	/* the library would allocate the memory that a damaged size of a number demands */
	bool absurd = class != H5T_STRING && type >= 0 && H5Tget_size(type) > 16;
	if (type >= 0 && (H5Tget_class(type) != class || absurd)) {
		H5Dclose(dataset);
		dataset = -1;
	}
	if (type >= 0)
		H5Tclose(type);
	return dataset;
}

#define LONGEST_UNIT 4096

/* A string of variable length, as h5py writes it, alone or in an array of one. */
static void read_variable_unit(hid_t attribute, hid_t type, char *text, size_t size)
{
	hid_t space = H5Aget_space(attribute);
	char *given = NULL;

	if (space >= 0 && H5Sget_simple_extent_npoints(space) == 1 && H5Aread(attribute, type, &given) >= 0 &&
	    given != NULL) {
		snprintf(text, size, "%s", given);
		H5Dvlen_reclaim(type, space, H5P_DEFAULT, &given);
	}
	if (space >= 0)
		H5Sclose(space);
}

void hdf5_reader_unit(struct hdf5_reader *reader, const char *path, char *unit, size_t size)
{
	HDF5_ALONE;
	static const char *const names[] = {"units", "unit"}; /* the latter is that of some versions of pyFAI */
	char text[LONGEST_UNIT + 1] = "";
	hid_t attribute = -1, type = -1;

	for (size_t k = 0; k < sizeof names / sizeof *names && attribute < 0; ++k)
		if (H5Aexists_by_name(reader->file, path, names[k], H5P_DEFAULT) > 0)
			attribute = H5Aopen_by_name(reader->file, path, names[k], H5P_DEFAULT, H5P_DEFAULT);
	if (attribute >= 0)
		type = H5Aget_type(attribute);
	const htri_t variable = type >= 0 && H5Tget_class(type) == H5T_STRING ? H5Tis_variable_str(type) : -1;
	if (variable == 0 && H5Tget_size(type) <= LONGEST_UNIT && H5Aget_storage_size(attribute) <= LONGEST_UNIT)
		(void)H5Aread(attribute, type, text);
	if (variable > 0)
		read_variable_unit(attribute, type, text, sizeof text);
	if (type >= 0)
		H5Tclose(type);
	if (attribute >= 0)
		H5Aclose(attribute);
	snprintf(unit, size, "%s", text);
}

/* A single string of variable length in a dataset, to be freed; null if there is none. */
static char *read_variable_text(struct hdf5_reader *reader, const char *path)
{
	hid_t dataset = open_dataset(reader, path, H5T_STRING);
	hid_t type = dataset >= 0 ? H5Dget_type(dataset) : -1;
	hid_t space = dataset >= 0 ? H5Dget_space(dataset) : -1;
	char *given = NULL, *text = NULL;

	if (type >= 0 && space >= 0 && H5Tis_variable_str(type) > 0 && H5Sget_simple_extent_npoints(space) == 1 &&
	    H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &given) >= 0 && given != NULL)
		text = strdup(given);
	if (given != NULL)
		H5Dvlen_reclaim(type, space, H5P_DEFAULT, &given);
	if (space >= 0)
		H5Sclose(space);
	if (type >= 0)
		H5Tclose(type);
	if (dataset >= 0)
		H5Dclose(dataset);
	return text;
}

sonde_status hdf5_reader_texts(struct hdf5_reader *reader, const char *path, char **texts, int64_t *count,
			       size_t *size)
{
	HDF5_ALONE;
	hid_t dataset = open_dataset(reader, path, H5T_STRING);
	hid_t type = dataset >= 0 ? H5Dget_type(dataset) : -1;
	hid_t space = dataset >= 0 ? H5Dget_space(dataset) : -1;
	sonde_status status = SONDE_OK;

	*texts = NULL;
	*size = type >= 0 ? H5Tget_size(type) : 0;
	*count = space >= 0 ? (int64_t)H5Sget_simple_extent_npoints(space) : -1;
	const bool readable = *count >= 1 && H5Tis_variable_str(type) <= 0 && *size <= HDF5_LONGEST_TEXT &&
			      (uint64_t)*count <= HDF5_LONGEST_TEXT / (*size + 1) + 1;
	if (readable)
		status = memory_allocate(texts, (size_t)*count * *size + 1, 1, "text");
	reader->lacked_memory |= status == SONDE_RESOURCE;
	if (status == SONDE_OK && (!readable || H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *texts) < 0))
		status = status_fail_file(SONDE_INVALID, reader->path, "no readable text at %s", path);
	if (status == SONDE_OK)
		status = check_values(reader, path, dataset, space, true, *size, *texts);
	if (status != SONDE_OK) {
		free(*texts);
		*texts = NULL;
	}
	if (space >= 0)
		H5Sclose(space);
	if (type >= 0)
		H5Tclose(type);
	if (dataset >= 0)
		H5Dclose(dataset);
	return status;
}

sonde_status hdf5_reader_text(struct hdf5_reader *reader, const char *path, char **text)
{
	HDF5_ALONE;
	int64_t count;
	size_t size;

	/* not of files of Sonde, whose texts have checksums */
	*text = reader->sealed ? NULL : read_variable_text(reader, path);
	if (*text != NULL)
		return SONDE_OK;
	CHECK(hdf5_reader_texts(reader, path, text, &count, &size));
	if (count == 1)
		return SONDE_OK;
	free(*text);
	*text = NULL;
	return status_fail_file(SONDE_INVALID, reader->path, "no readable text at %s", path);
}

/* Whether numbers read as `type` are those written, which may be of another kind. */
static sonde_status check_numbers(const struct hdf5_reader *reader, const char *path, hid_t dataset, hid_t space,
				  hid_t type, const void *numbers)
{
	const size_t count = (size_t)H5Sget_simple_extent_npoints(space), size = sizeof(int64_t);
	hid_t there = H5Dget_type(dataset);
	hid_t written = H5Tget_class(there) == H5T_FLOAT ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64;
	bool same = H5Tequal(written, type) > 0;
	int64_t *again = NULL;
	sonde_status status = SONDE_OK;

	H5Tclose(there);
	if (!same)
		status = memory_allocate(&again, count, size, "a dataset");
	if (status == SONDE_OK && !same && H5Dread(dataset, written, H5S_ALL, H5S_ALL, reader->transfer, again) < 0)
		status = status_fail_file(SONDE_INVALID, reader->path, "no readable numbers at %s", path);
	if (status == SONDE_OK)
		status = check_values(reader, path, dataset, space, false, size, same ? numbers : again);
	free(again);
	return status;
}

/* Reads numbers of one of two kinds, as `type` of `size` bytes each, to *values: in the file they take at least
 * 1/packed of that, so that a damaged size is rejected. */
static sonde_status read_numbers(struct hdf5_reader *reader, const char *path, H5T_class_t kind, H5T_class_t other,
				 hid_t type, size_t size, uint64_t packed, void *values, int64_t *count)
{
	hid_t dataset = open_dataset(reader, path, kind);
	void *numbers = NULL;

	if (dataset < 0 && other != kind)
		dataset = open_dataset(reader, path, other);
	hid_t space = dataset >= 0 ? H5Dget_space(dataset) : -1;
	sonde_status status = SONDE_OK;
	bool read = false;

	*count = space >= 0 ? (int64_t)H5Sget_simple_extent_npoints(space) : -1;
	if (*count >= 0 && hdf5_is_believable(dataset, (uint64_t)*count * size, packed)) {
		status = memory_allocate(&numbers, (size_t)*count, size, "a dataset");
		read = status == SONDE_OK && H5Dread(dataset, type, H5S_ALL, H5S_ALL, reader->transfer, numbers) >= 0;
	}
	if (status == SONDE_OK && !read) {
		free(numbers);
		numbers = NULL;
		status = status_fail_file(SONDE_INVALID, reader->path, "no readable numbers at %s", path);
	}
	if (status == SONDE_OK)
		status = check_numbers(reader, path, dataset, space, type, numbers);
	reader->lacked_memory |= status == SONDE_RESOURCE;
	if (status != SONDE_OK) {
		free(numbers);
		numbers = NULL;
	}
	if (space >= 0)
		H5Sclose(space);
	if (dataset >= 0)
		H5Dclose(dataset);
	memcpy(values, &numbers, sizeof numbers);
	return status;
}

sonde_status hdf5_reader_reals(struct hdf5_reader *reader, const char *path, double **values, int64_t *count)
{
	HDF5_ALONE;
	return read_numbers(reader, path, H5T_FLOAT, H5T_INTEGER, H5T_NATIVE_DOUBLE, sizeof(double), 2, values,
			    count);
}

sonde_status hdf5_reader_integers(struct hdf5_reader *reader, const char *path, int64_t **values, int64_t *count)
{
	HDF5_ALONE;
	/* the truth values of h5py are an enumeration */
	return read_numbers(reader, path, H5T_INTEGER, H5T_ENUM, H5T_NATIVE_INT64, sizeof(int64_t), MOST_PACKED,
			    values, count);
}

/* Fails unless a dataset has this type and these sizes; one number may also be a scalar. */
static sonde_status check_shape(const struct hdf5_reader *reader, const char *path, hid_t dataset, H5T_class_t class,
				const int64_t *sizes, int rank)
{
	hsize_t found[H5S_MAX_RANK] = {0};
	hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
	const int there = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
	bool same = type >= 0 && H5Tget_class(type) == class && H5Tget_size(type) == sizeof(int64_t) &&
		    (there == rank || (there == 0 && rank == 1 && sizes[0] == 1));
	const hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
	int64_t wanted = 1;

	if (same && there > 0)
		same = H5Sget_simple_extent_dims(space, found, NULL) == there;
	for (int k = 0; k < rank; ++k) {
		wanted *= sizes[k];
		same = same && (there == 0 || found[k] == (hsize_t)sizes[k]);
	}
	if (type >= 0)
		H5Tclose(type);
	if (space >= 0)
		H5Sclose(space);
	return same ? SONDE_OK
		    : status_fail_file(SONDE_INVALID, reader->path,
				       "%s has %lld numbers, or ones of another type or arrangement, and not %lld %s",
				       path, (long long)count, (long long)wanted,
				       class == H5T_INTEGER ? "integers" : "reals");
}

static sonde_status read_exactly(struct hdf5_reader *reader, const char *path, H5T_class_t class,
				 const int64_t *sizes, int rank, void *to)
{
	hid_t dataset = open_dataset(reader, path, class), type;
	sonde_status status;

	if (dataset < 0)
		return status_fail_file(SONDE_INVALID, reader->path, "no %s at %s",
					class == H5T_INTEGER ? "integers" : "reals", path);
	type = class == H5T_INTEGER ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE;
	status = check_shape(reader, path, dataset, class, sizes, rank);
	if (status == SONDE_OK && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) < 0)
		status = status_fail_file(SONDE_INVALID, reader->path, "no readable numbers at %s", path);
	if (status == SONDE_OK) {
		hid_t space = H5Dget_space(dataset);
		status = check_values(reader, path, dataset, space, false, sizeof(int64_t), to);
		H5Sclose(space);
	}
	H5Dclose(dataset);
	return status;
}

sonde_status hdf5_reader_exact_reals(struct hdf5_reader *reader, const char *path, const int64_t *sizes, int rank,
				     double *to)
{
	HDF5_ALONE;
	return read_exactly(reader, path, H5T_FLOAT, sizes, rank, to);
}

sonde_status hdf5_reader_exact_integers(struct hdf5_reader *reader, const char *path, int64_t count, int64_t *to)
{
	HDF5_ALONE;
	return read_exactly(reader, path, H5T_INTEGER, &count, 1, to);
}

sonde_status hdf5_reader_integer_array(struct hdf5_reader *reader, const char *path, const int64_t *sizes, int rank,
				       int64_t *to)
{
	HDF5_ALONE;
	return read_exactly(reader, path, H5T_INTEGER, sizes, rank, to);
}

/* Whether a dataset, read again in pieces, has its checksum. */
static bool has_its_checksum(const struct hdf5_reader *reader, hid_t dataset)
{
	char wanted[HDF5_DIGITS + 1] = "", digits[HDF5_DIGITS + 1];
	uint64_t sum = 0;
	bool left_out;

	if (!hdf5_read_checksum(dataset, wanted) && !reader->has_checksums)
		return true; /* a file of another program */
	if (hdf5_sum_dataset(dataset, UINT64_MAX, &sum, &left_out) != SONDE_OK)
		return false;
	snprintf(digits, sizeof digits, "%016llx", (unsigned long long)sum);
	return strcmp(wanted, digits) == 0;
}

sonde_status hdf5_reader_indices(struct hdf5_reader *reader, const char *path, int64_t count, uint16_t *to)
{
	HDF5_ALONE;
	hid_t dataset = open_dataset(reader, path, H5T_INTEGER), type = dataset >= 0 ? H5Dget_type(dataset) : -1,
	      space = dataset >= 0 ? H5Dget_space(dataset) : -1;
	const bool fits = space >= 0 && H5Tget_size(type) == sizeof *to && H5Tget_sign(type) == H5T_SGN_NONE &&
			  H5Sget_simple_extent_npoints(space) == count;
	sonde_status status = SONDE_OK;

	if (!fits)
		status = status_fail_file(SONDE_INVALID, reader->path, "no %lld unsigned integers of 16 bits at %s",
					  (long long)count, path);
	else if (H5Dread(dataset, H5T_NATIVE_UINT16, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) < 0)
		status = status_fail_file(SONDE_INVALID, reader->path, "no readable numbers at %s", path);
	else if (!has_its_checksum(reader, dataset))
		status =
		    status_fail_file(SONDE_INVALID, reader->path, "is damaged: %s does not match its checksum", path);
	if (space >= 0)
		H5Sclose(space);
	if (type >= 0)
		H5Tclose(type);
	if (dataset >= 0)
		H5Dclose(dataset);
	return status;
}

/* `pairs`: room for `count` complex numbers. */
static sonde_status read_pairs(struct hdf5_reader *reader, const char *path, hid_t dataset, size_t count,
			       double *pairs)
{
	hid_t there = H5Dget_type(dataset), type = hdf5_complex_numbers(), space = H5Dget_space(dataset);
	char wanted[HDF5_DIGITS + 1] = "", digits[HDF5_DIGITS + 1];
	const bool complex = H5Tget_nmembers(there) == 2 && H5Tget_member_index(there, "r") == 0 &&
			     H5Tget_member_index(there, "i") == 1,
		   read = complex && H5Dread(dataset, type, H5S_ALL, H5S_ALL, reader->transfer, pairs) >= 0;

	snprintf(
	    digits, sizeof digits, "%016llx",
	    (unsigned long long)(hdf5_checksum_of_space(space) + (read ? checksum_numbers(0, pairs, 2 * count) : 0)));
	const bool has_checksum = hdf5_read_checksum(dataset, wanted) || reader->has_checksums;
	H5Tclose(there);
	H5Tclose(type);
	H5Sclose(space);
	if (!read)
		return status_fail_file(SONDE_INVALID, reader->path, "no readable complex numbers at %s", path);
	return !has_checksum || strcmp(wanted, digits) == 0
		   ? SONDE_OK
		   : status_fail_file(SONDE_INVALID, reader->path, "is damaged: %s does not match its checksum",
				      path);
}

sonde_status hdf5_reader_complexes(struct hdf5_reader *reader, const char *path, const int64_t *sizes, int rank,
				   double *real, double *imaginary)
{
	HDF5_ALONE;
	int64_t found[H5S_MAX_RANK];
	size_t count = 1;
	double *pairs;
	int there;

	CHECK(hdf5_reader_sizes(reader, path, H5S_MAX_RANK, found, &there));
	bool same = there == rank;
	for (int k = 0; k < rank; ++k) {
		same = same && found[k] == sizes[k];
		count *= (size_t)sizes[k];
	}
	hid_t dataset = same ? open_dataset(reader, path, H5T_COMPOUND) : -1;
	if (dataset < 0)
		return status_fail_file(SONDE_INVALID, reader->path,
					"%s has not %zu complex numbers, or another arrangement of them", path,
					count);
	sonde_status status = memory_allocate(&pairs, 2 * count, sizeof *pairs, "a dataset");
	reader->lacked_memory |= status == SONDE_RESOURCE;
	if (status == SONDE_OK)
		status = read_pairs(reader, path, dataset, count, pairs);
	for (size_t n = 0; status == SONDE_OK && n < count; ++n) {
		real[n] = pairs[2 * n];
		imaginary[n] = pairs[2 * n + 1];
	}
	free(pairs);
	H5Dclose(dataset);
	return status;
}

sonde_status hdf5_reader_sizes(struct hdf5_reader *reader, const char *path, int most, int64_t *sizes, int *rank)
{
	HDF5_ALONE;
	hsize_t found[H5S_MAX_RANK];
	hid_t dataset = open_dataset(reader, path, H5T_INTEGER);

	*rank = -1;
	if (dataset < 0)
		dataset = open_dataset(reader, path, H5T_FLOAT);
	if (dataset < 0)
		dataset = open_dataset(reader, path, H5T_COMPOUND);
	if (dataset < 0)
		dataset = open_dataset(reader, path, H5T_ENUM);
	hid_t space = dataset >= 0 ? H5Dget_space(dataset) : -1;
	if (space >= 0) {
		const hssize_t count = H5Sget_simple_extent_npoints(space);
		/* damaged sizes would determine the memory to allocate */
		if (count >= 0 && (uint64_t)count <= INT64_MAX / sizeof(int64_t) &&
		    hdf5_is_believable(dataset, (uint64_t)count * sizeof(int64_t), MOST_PACKED))
			*rank = H5Sget_simple_extent_dims(space, found, NULL);
		H5Sclose(space);
	}
	if (dataset >= 0)
		H5Dclose(dataset);
	if (*rank < 0 || *rank > most)
		return status_fail_file(SONDE_INVALID, reader->path,
					"no array of numbers of at most %d dimensions at %s", most, path);
	for (int k = 0; k < *rank; ++k)
		sizes[k] = (int64_t)found[k];
	return SONDE_OK;
}

struct visit {
	sonde_status (*visit)(void *user, const char *name);
	void *user;
	sonde_status status;
};

static herr_t visit_link(hid_t group, const char *name, const H5L_info_t *info, void *user)
{
	struct visit *visit = user;

	(void)group;
	(void)info;
	visit->status = visit->visit(visit->user, name);
	return visit->status == SONDE_OK ? 0 : 1;
}

sonde_status hdf5_reader_members(struct hdf5_reader *reader, const char *path,
				 sonde_status (*visit)(void *user, const char *name), void *user)
{
	HDF5_ALONE;
	struct visit call = {visit, user, SONDE_OK};
	hsize_t index = 0;

	if (!hdf5_reader_has(reader, path) || H5Literate_by_name(reader->file, path, H5_INDEX_NAME, H5_ITER_INC,
								 &index, visit_link, &call, H5P_DEFAULT) < 0)
		return status_fail_file(SONDE_INVALID, reader->path, "no readable group at %s", path);
	return call.status;
}
