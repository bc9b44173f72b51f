#include "io/hdf5.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/file.h"
#include "base/memory.h"

#define IMAGE_INCREMENT (1 << 20)
#define LONGEST_TEXT (16 << 20) /* of a string that is read */

/* Attributes: of a dataset its checksum as a hexadecimal number; of a file that its datasets have them. */
#define CHECKSUM "checksum"
#define CHECKSUMS "checksums"
#define MEANING_OF_CHECKSUMS "sums of 64 bits over words and their positions (base/checksum.c)"
#define DIGITS 16

#define LARGE 8192 /* numbers of a dataset from which on it may be compressed */
#define NUMBERS_OF_CHUNK 131072
#define LEVEL 4
#define MOST_OF_ZLIB 1100

struct hdf5_writer {
	hid_t file;
	bool failed, compresses;
};

struct hdf5_reader {
	hid_t file;
	char *path;
	bool has_checksums;
};

/* Sonde closes what it opens, and a library that writes at exit can crash on a full disk. Errors are told by
 * statuses, not printed. */
static void quiet_library(void)
{
	H5dont_atexit();
	H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

static sonde_status create(struct hdf5_writer **writer, const char *path, hid_t access)
{
	CHECK(memory_allocate(writer, 1, sizeof **writer, "an HDF5 file"));
	/* the oldest format, which every reader knows; and HDF5 1.10 spoils the checksum of later superblocks in
	 * an image taken from an open file */
	H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18);
	(*writer)->file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
	if ((*writer)->file >= 0) {
		hdf5_writer_text_attribute(*writer, "/", CHECKSUMS, MEANING_OF_CHECKSUMS);
		return SONDE_OK;
	}
	free(*writer);
	*writer = NULL;
	return status_fail(SONDE_RESOURCE, "the HDF5 library could not begin a file");
}

sonde_status hdf5_writer_create(struct hdf5_writer **writer)
{
	quiet_library();
	hid_t access = H5Pcreate(H5P_FILE_ACCESS);
	H5Pset_fapl_core(access, IMAGE_INCREMENT, 0);
	/* the name is not used: the image stays in memory */
	sonde_status status = create(writer, "sonde.h5", access);
	H5Pclose(access);
	return status;
}

sonde_status hdf5_writer_create_at(struct hdf5_writer **writer, const char *path)
{
	quiet_library();
	hid_t access = H5Pcreate(H5P_FILE_ACCESS);
#if H5_VERSION_GE(1, 10, 7)
	H5Pset_file_locking(access, 0, 1); /* some file systems have no locks; nobody knows the name anyway */
#endif
	sonde_status status = create(writer, path, access);
	H5Pclose(access);
	return status;
}

static void note(struct hdf5_writer *writer, herr_t result)
{
	if (result < 0)
		writer->failed = true;
}

/* A string type for `text`, UTF-8, as long as needed. */
static hid_t text_type(size_t length)
{
	hid_t type = H5Tcopy(H5T_C_S1);

	H5Tset_size(type, length > 0 ? length : 1);
	H5Tset_cset(type, H5T_CSET_UTF8);
	H5Tset_strpad(type, H5T_STR_NULLPAD);
	return type;
}

static void write_attribute(struct hdf5_writer *writer, const char *path, const char *name, hid_t type, hid_t space,
			    const void *values)
{
	hid_t object = H5Oopen(writer->file, path, H5P_DEFAULT);
	hid_t attribute = object < 0 ? -1 : H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);

	if (attribute < 0) {
		writer->failed = true;
	} else {
		note(writer, H5Awrite(attribute, type, values));
		note(writer, H5Aclose(attribute));
	}
	if (object >= 0)
		note(writer, H5Oclose(object));
}

void hdf5_writer_text_attribute(struct hdf5_writer *writer, const char *path, const char *name, const char *text)
{
	hid_t type = text_type(strlen(text)), space = H5Screate(H5S_SCALAR);

	write_attribute(writer, path, name, type, space, text);
	H5Sclose(space);
	H5Tclose(type);
}

void hdf5_writer_texts_attribute(struct hdf5_writer *writer, const char *path, const char *name,
				 const char *const *texts, int count)
{
	hsize_t size = (hsize_t)count;
	hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, &size, NULL);

	H5Tset_size(type, H5T_VARIABLE);
	H5Tset_cset(type, H5T_CSET_UTF8);
	write_attribute(writer, path, name, type, space, texts);
	H5Sclose(space);
	H5Tclose(type);
}

void hdf5_writer_group(struct hdf5_writer *writer, const char *path, const char *nx_class)
{
	if (strcmp(path, "/") != 0) {
		hid_t group = H5Gcreate2(writer->file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
		if (group < 0)
			writer->failed = true;
		else
			note(writer, H5Gclose(group));
	}
	hdf5_writer_text_attribute(writer, path, "NX_class", nx_class);
}

/* Of the sizes of a dataset. */
static uint64_t checksum_of_space(hid_t space)
{
	hsize_t sizes[H5S_MAX_RANK + 1] = {0};
	int rank = H5Sget_simple_extent_dims(space, sizes, NULL);

	/* positions that numbers do not have */
	return rank > 0 ? checksum_numbers(UINT64_MAX / 2, sizes, (size_t)rank) : 0;
}

/* Of what is in memory: numbers of 64 bits or text. */
static uint64_t checksum_of_values(hid_t space, bool text, size_t size, const void *values)
{
	size_t count = (size_t)H5Sget_simple_extent_npoints(space);

	return checksum_of_space(space) +
	       (text ? checksum_bytes(0, values, count * size) : checksum_numbers(0, values, count));
}

static void write_checksum(struct hdf5_writer *writer, const char *path, uint64_t sum)
{
	char digits[DIGITS + 1];

	snprintf(digits, sizeof digits, "%016llx", (unsigned long long)sum);
	hdf5_writer_text_attribute(writer, path, CHECKSUM, digits);
}

void hdf5_writer_compress(struct hdf5_writer *writer)
{
	writer->compresses = H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0 && H5Zfilter_avail(H5Z_FILTER_SHUFFLE) > 0;
}

/* Chunks of whole rows, planes or volumes, and their compression: bytes of the same weight beside each other, then zlib's. */
static hid_t layout_of(const struct hdf5_writer *writer, hid_t space)
{
	hsize_t sizes[H5S_MAX_RANK], numbers = 1;
	int rank = H5Sget_simple_extent_dims(space, sizes, NULL);

	if (!writer->compresses || H5Sget_simple_extent_npoints(space) < LARGE)
		return H5P_DEFAULT;
	for (int k = rank - 1; k >= 0; --k) {
		hsize_t most = NUMBERS_OF_CHUNK / numbers > 0 ? NUMBERS_OF_CHUNK / numbers : 1;
		sizes[k] = sizes[k] < most ? sizes[k] : most;
		numbers *= sizes[k];
	}
	hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
	H5Pset_chunk(layout, rank, sizes);
	H5Pset_shuffle(layout);
	H5Pset_deflate(layout, LEVEL);
	return layout;
}

static void write_dataset(struct hdf5_writer *writer, const char *path, hid_t type, hid_t space, const void *values)
{
	hid_t layout = layout_of(writer, space);
	hid_t dataset = H5Dcreate2(writer->file, path, type, space, H5P_DEFAULT, layout, H5P_DEFAULT);

	if (layout != H5P_DEFAULT)
		H5Pclose(layout);
	if (dataset < 0) {
		writer->failed = true;
		return;
	}
	note(writer, H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
	note(writer, H5Dclose(dataset));
	write_checksum(writer, path,
		       checksum_of_values(space, H5Tget_class(type) == H5T_STRING, H5Tget_size(type), values));
}

static hid_t space_of(const int64_t *sizes, int rank)
{
	hsize_t dimensions[8];

	for (int k = 0; k < rank; ++k)
		dimensions[k] = (hsize_t)sizes[k];
	return H5Screate_simple(rank, dimensions, NULL);
}

static void describe(struct hdf5_writer *writer, const char *path, const char *unit, const char *long_name)
{
	if (unit != NULL)
		hdf5_writer_text_attribute(writer, path, "units", unit);
	if (long_name != NULL)
		hdf5_writer_text_attribute(writer, path, "long_name", long_name);
}

void hdf5_writer_reals(struct hdf5_writer *writer, const char *path, const double *values, const int64_t *sizes,
		       int rank, const char *unit, const char *long_name)
{
	hid_t space = space_of(sizes, rank);

	write_dataset(writer, path, H5T_NATIVE_DOUBLE, space, values);
	H5Sclose(space);
	describe(writer, path, unit, long_name);
}

int64_t hdf5_writer_room(struct hdf5_writer *writer, const char *path, const int64_t *sizes, int rank,
			 const char *unit, const char *long_name)
{
	hid_t space = space_of(sizes, rank), layout = H5Pcreate(H5P_DATASET_CREATE);
	haddr_t at = HADDR_UNDEF;

	H5Pset_alloc_time(layout, H5D_ALLOC_TIME_EARLY);
	H5Pset_fill_time(layout, H5D_FILL_TIME_NEVER);
	hid_t dataset = H5Dcreate2(writer->file, path, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, layout, H5P_DEFAULT);
	if (dataset >= 0) {
		at = H5Dget_offset(dataset);
		note(writer, H5Dclose(dataset));
	}
	H5Pclose(layout);
	H5Sclose(space);
	if (at == HADDR_UNDEF) {
		writer->failed = true;
		return -1;
	}
	describe(writer, path, unit, long_name);
	return (int64_t)at;
}

void hdf5_writer_room_filled(struct hdf5_writer *writer, const char *path, uint64_t checksum)
{
	hid_t dataset = H5Dopen2(writer->file, path, H5P_DEFAULT);
	hid_t space = dataset >= 0 ? H5Dget_space(dataset) : -1;

	if (space < 0) {
		writer->failed = true;
	} else {
		write_checksum(writer, path, checksum + checksum_of_space(space));
		H5Sclose(space);
	}
	if (dataset >= 0)
		note(writer, H5Dclose(dataset));
}

void hdf5_writer_real(struct hdf5_writer *writer, const char *path, double value, const char *unit)
{
	hid_t space = H5Screate(H5S_SCALAR);

	write_dataset(writer, path, H5T_NATIVE_DOUBLE, space, &value);
	H5Sclose(space);
	if (unit != NULL)
		hdf5_writer_text_attribute(writer, path, "units", unit);
}

void hdf5_writer_integers(struct hdf5_writer *writer, const char *path, const int64_t *values, int64_t count)
{
	hsize_t size = (hsize_t)count;
	hid_t space = count > 1 ? H5Screate_simple(1, &size, NULL) : H5Screate(H5S_SCALAR);

	write_dataset(writer, path, H5T_NATIVE_INT64, space, values);
	H5Sclose(space);
}

void hdf5_writer_text(struct hdf5_writer *writer, const char *path, const char *text)
{
	hid_t type = text_type(strlen(text)), space = H5Screate(H5S_SCALAR);

	write_dataset(writer, path, type, space, text);
	H5Sclose(space);
	H5Tclose(type);
}

void hdf5_writer_texts(struct hdf5_writer *writer, const char *path, const char *texts, int64_t count, int64_t stride)
{
	hsize_t size = (hsize_t)count;
	hid_t type = text_type((size_t)stride), space = H5Screate_simple(1, &size, NULL);

	write_dataset(writer, path, type, space, texts);
	H5Sclose(space);
	H5Tclose(type);
}

sonde_status hdf5_writer_finish(struct hdf5_writer **writer, const char *path, bool overwrite)
{
	void *image = NULL;
	ssize_t size = -1;
	bool failed = (*writer)->failed;
	sonde_status status = SONDE_OK;

	if (!failed && H5Fflush((*writer)->file, H5F_SCOPE_GLOBAL) >= 0)
		size = H5Fget_file_image((*writer)->file, NULL, 0);
	if (size > 0)
		status = memory_allocate(&image, (size_t)size, 1, "the HDF5 file");
	if (size > 0 && status == SONDE_OK)
		size = H5Fget_file_image((*writer)->file, image, (size_t)size);
	if (H5Fclose((*writer)->file) < 0)
		failed = true;
	free(*writer);
	*writer = NULL;
	if (status == SONDE_OK && (failed || size <= 0))
		status = status_fail(SONDE_RESOURCE, "%s: the HDF5 library could not make the file", path);
	if (status == SONDE_OK)
		status = file_write(path, image, (size_t)size, overwrite);
	free(image);
	return status;
}

sonde_status hdf5_writer_close(struct hdf5_writer **writer, const char *path)
{
	bool failed = (*writer)->failed;

	failed |= H5Fclose((*writer)->file) < 0;
	free(*writer);
	*writer = NULL;
	return failed ? status_fail(SONDE_RESOURCE, "%s: the HDF5 library could not make the file", path) : SONDE_OK;
}

void hdf5_writer_discard(struct hdf5_writer **writer)
{
	H5Fclose((*writer)->file);
	free(*writer);
	*writer = NULL;
}

sonde_status hdf5_reader_open(struct hdf5_reader **reader, const char *path)
{
	FILE *file = fopen(path, "rbe");

	*reader = NULL;
	if (file == NULL)
		return status_fail(SONDE_INVALID, "%s: cannot be read", path);
	fclose(file);
	quiet_library();
	CHECK(memory_allocate(reader, 1, sizeof **reader, "an HDF5 file"));
	(*reader)->path = strdup(path);
	(*reader)->file = (*reader)->path != NULL ? H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT) : -1;
	if ((*reader)->file < 0) {
		free((*reader)->path);
		free(*reader);
		*reader = NULL;
		return status_fail(SONDE_INVALID, "%s: is no HDF5 file, or a damaged one", path);
	}
	(*reader)->has_checksums = H5Aexists_by_name((*reader)->file, "/", CHECKSUMS, H5P_DEFAULT) > 0;
	return SONDE_OK;
}

/* The checksum that a dataset should have, as digits; false where it has none. */
static bool read_checksum(hid_t dataset, char digits[DIGITS + 1])
{
	hid_t attribute = H5Aexists(dataset, CHECKSUM) > 0 ? H5Aopen(dataset, CHECKSUM, H5P_DEFAULT) : -1;
	hid_t type = attribute >= 0 ? H5Aget_type(attribute) : -1;
	bool found = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) <= 0 &&
		     H5Tget_size(type) == DIGITS && H5Aread(attribute, type, digits) >= 0;

	digits[DIGITS] = '\0';
	if (type >= 0)
		H5Tclose(type);
	if (attribute >= 0)
		H5Aclose(attribute);
	return found;
}

/* Whether what was read is what was written. */
static sonde_status check_values(const struct hdf5_reader *reader, const char *path, hid_t dataset, hid_t space,
				 bool text, size_t size, const void *values)
{
	char wanted[DIGITS + 1] = "", digits[DIGITS + 1];

	if (!read_checksum(dataset, wanted) && !reader->has_checksums)
		return SONDE_OK; /* a file of another program */
	snprintf(digits, sizeof digits, "%016llx", (unsigned long long)checksum_of_values(space, text, size, values));
	return strcmp(wanted, digits) == 0
		   ? SONDE_OK
		   : status_fail(SONDE_INVALID, "%s: is damaged: %s does not match its checksum", reader->path, path);
}

void hdf5_reader_close(struct hdf5_reader **reader)
{
	if (*reader == NULL)
		return;
	H5Fclose((*reader)->file);
	free((*reader)->path);
	free(*reader);
	*reader = NULL;
}

bool hdf5_reader_has(struct hdf5_reader *reader, const char *path)
{
	char part[512];

	if (strlen(path) >= sizeof part)
		return false;
	/* every group on the way must exist before H5Lexists may be asked for the next */
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

/* Opens a dataset of a class; -1 if there is none. */
static hid_t open_dataset(struct hdf5_reader *reader, const char *path, H5T_class_t class)
{
	H5O_info_t info;

	if (!hdf5_reader_has(reader, path) || H5Oget_info_by_name(reader->file, path, &info, H5P_DEFAULT) < 0 ||
	    info.type != H5O_TYPE_DATASET)
		return -1;
	hid_t dataset = H5Dopen2(reader->file, path, H5P_DEFAULT);
	hid_t type = dataset >= 0 ? H5Dget_type(dataset) : -1;
	/* a damaged size of a number would make the library take as much memory to convert it */
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

void hdf5_reader_unit(struct hdf5_reader *reader, const char *path, char *unit, size_t size)
{
	char text[LONGEST_UNIT + 1] = "";
	hid_t attribute = -1, type = -1;

	if (H5Aexists_by_name(reader->file, path, "units", H5P_DEFAULT) > 0)
		attribute = H5Aopen_by_name(reader->file, path, "units", H5P_DEFAULT, H5P_DEFAULT);
	if (attribute >= 0)
		type = H5Aget_type(attribute);
	if (type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
	    H5Tget_size(type) <= LONGEST_UNIT && H5Aget_storage_size(attribute) <= LONGEST_UNIT)
		(void)H5Aread(attribute, type, text);
	if (type >= 0)
		H5Tclose(type);
	if (attribute >= 0)
		H5Aclose(attribute);
	snprintf(unit, size, "%s", text);
}

sonde_status hdf5_reader_text(struct hdf5_reader *reader, const char *path, char **text)
{
	hid_t dataset = open_dataset(reader, path, H5T_STRING);
	hid_t type = dataset >= 0 ? H5Dget_type(dataset) : -1;
	size_t size = type >= 0 ? H5Tget_size(type) : 0;
	hid_t space = dataset >= 0 ? H5Dget_space(dataset) : -1;
	bool readable = space >= 0 && H5Sget_simple_extent_npoints(space) == 1 && H5Tis_variable_str(type) <= 0 &&
			size <= LONGEST_TEXT;
	sonde_status status = SONDE_OK;

	*text = NULL;
	if (readable)
		status = memory_allocate(text, size + 1, 1, "text");
	if (status == SONDE_OK && (!readable || H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *text) < 0)) {
		free(*text);
		*text = NULL;
		status = status_fail(SONDE_INVALID, "%s: no readable text at %s", reader->path, path);
	}
	if (status == SONDE_OK)
		status = check_values(reader, path, dataset, space, true, size, *text);
	if (status != SONDE_OK) {
		free(*text);
		*text = NULL;
	}
	if (space >= 0)
		H5Sclose(space);
	if (type >= 0)
		H5Tclose(type);
	if (dataset >= 0)
		H5Dclose(dataset);
	return status;
}

/* Whether all chunks are there of a dataset that has some: unwritten ones would be read as zeros. */
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

/* Whether a file may hold so many bytes in what a dataset takes there: zlib packs no more than 1032 into one. */
static bool is_believable(hid_t dataset, uint64_t bytes, uint64_t packed)
{
	hid_t layout = H5Dget_create_plist(dataset);

	if (layout >= 0 && H5Pget_nfilters(layout) > 0 && H5Pget_layout(layout) == H5D_CHUNKED &&
	    has_all_chunks(dataset, layout))
		packed *= MOST_OF_ZLIB;
	if (layout >= 0)
		H5Pclose(layout);
	return bytes <= H5Dget_storage_size(dataset) * packed + 64;
}

/* Whether numbers that were read as `type` are what was written, which may be of another kind. */
static sonde_status check_numbers(const struct hdf5_reader *reader, const char *path, hid_t dataset, hid_t space,
				  hid_t type, const void *numbers)
{
	const size_t count = (size_t)H5Sget_simple_extent_npoints(space), size = sizeof(int64_t);
	hid_t there = H5Dget_type(dataset);
	hid_t written = H5Tget_class(there) == H5T_INTEGER ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE;
	bool same = H5Tequal(written, type) > 0;
	int64_t *again = NULL;
	sonde_status status = SONDE_OK;

	H5Tclose(there);
	if (!same)
		status = memory_allocate(&again, count, size, "a dataset");
	if (status == SONDE_OK && !same && H5Dread(dataset, written, H5S_ALL, H5S_ALL, H5P_DEFAULT, again) < 0)
		status = status_fail(SONDE_INVALID, "%s: no readable numbers at %s", reader->path, path);
	if (status == SONDE_OK)
		status = check_values(reader, path, dataset, space, false, size, same ? numbers : again);
	free(again);
	return status;
}

/* Numbers of one of two kinds, as `type` with so many bytes each, to *values: in the file they take 1/packed of that at least, so
 * that a damaged size is not believed. */
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
	if (*count >= 0 && is_believable(dataset, (uint64_t)*count * size, packed)) {
		status = memory_allocate(&numbers, (size_t)*count, size, "a dataset");
		read = status == SONDE_OK && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0;
	}
	if (status == SONDE_OK && !read) {
		free(numbers);
		numbers = NULL;
		status = status_fail(SONDE_INVALID, "%s: no readable numbers at %s", reader->path, path);
	}
	if (status == SONDE_OK)
		status = check_numbers(reader, path, dataset, space, type, numbers);
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
	return read_numbers(reader, path, H5T_FLOAT, H5T_INTEGER, H5T_NATIVE_DOUBLE, sizeof(double), 2, values,
			    count);
}

sonde_status hdf5_reader_integers(struct hdf5_reader *reader, const char *path, int64_t **values, int64_t *count)
{
	return read_numbers(reader, path, H5T_INTEGER, H5T_INTEGER, H5T_NATIVE_INT64, sizeof(int64_t), 8192, values,
			    count);
}

sonde_status hdf5_reader_sizes(struct hdf5_reader *reader, const char *path, int most, int64_t *sizes, int *rank)
{
	hsize_t found[H5S_MAX_RANK];
	hid_t dataset = open_dataset(reader, path, H5T_INTEGER);

	*rank = -1;
	if (dataset < 0)
		dataset = open_dataset(reader, path, H5T_FLOAT);
	hid_t space = dataset >= 0 ? H5Dget_space(dataset) : -1;
	if (space >= 0) {
		*rank = H5Sget_simple_extent_dims(space, found, NULL);
		H5Sclose(space);
	}
	if (dataset >= 0)
		H5Dclose(dataset);
	if (*rank < 0 || *rank > most)
		return status_fail(SONDE_INVALID, "%s: no array of numbers of at most %d dimensions at %s",
				   reader->path, most, path);
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
	struct visit call = {visit, user, SONDE_OK};
	hsize_t index = 0;

	if (!hdf5_reader_has(reader, path) || H5Literate_by_name(reader->file, path, H5_INDEX_NAME, H5_ITER_INC,
								 &index, visit_link, &call, H5P_DEFAULT) < 0)
		return status_fail(SONDE_INVALID, "%s: no readable group at %s", reader->path, path);
	return call.status;
}
