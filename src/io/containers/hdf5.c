#include "io/containers/hdf5.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/file.h"
#include "base/memory.h"
#include "io/containers/hdf5_common.h"
#include "io/containers/hdf5_contents.h"
#include "io/containers/hdf5_writer.h"
#include "io/containers/seal.h"

#define IMAGE_INCREMENT (1 << 20)

#define LARGE 8192 /* minimum size of a dataset, in numbers, for compression */
#define NUMBERS_OF_CHUNK 131072

void hdf5_writer_release(struct hdf5_writer **writer)
{
	free((*writer)->path);
	free((*writer)->gaps);
	free(*writer);
	*writer = NULL;
}

static sonde_status create(struct hdf5_writer **writer, const char *path, hid_t access)
{
	CHECK(memory_allocate(writer, 1, sizeof **writer, "an HDF5 file"));
	/* the oldest format, which every reader supports; in addition, HDF5 1.10 corrupts the checksum of later
	 * superblocks in an image taken from an open file */
	H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18);
	(*writer)->file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
	if ((*writer)->file >= 0) {
		hdf5_writer_text_attribute(*writer, "/", HDF5_CHECKSUMS, HDF5_MEANING_OF_CHECKSUMS);
		hdf5_writer_text_attribute(*writer, "/", HDF5_SEALED, HDF5_MEANING_OF_SEALED);
		return SONDE_OK;
	}
	hdf5_writer_release(writer);
	return status_fail(SONDE_RESOURCE, "the HDF5 library could not create a file");
}

sonde_status hdf5_writer_create(struct hdf5_writer **writer)
{
	HDF5_ALONE;
	*writer = NULL;
	CHECK(hdf5_check_memory());
	hdf5_quiet_library();
	hid_t access = H5Pcreate(H5P_FILE_ACCESS);
	H5Pset_fapl_core(access, IMAGE_INCREMENT, 0);
	/* the image stays in memory, but the library opens no two files of one name at a time */
	static unsigned count; /* of the one who has the turn */
	char name[32];
	snprintf(name, sizeof name, "sonde%u.h5", ++count);
	sonde_status status = create(writer, name, access);
	H5Pclose(access);
	return status;
}

sonde_status hdf5_writer_create_at(struct hdf5_writer **writer, const char *path)
{
	HDF5_ALONE;
	*writer = NULL;
	CHECK(hdf5_check_memory());
	hdf5_quiet_library();
	hid_t access = H5Pcreate(H5P_FILE_ACCESS);
#if H5_VERSION_GE(1, 10, 7)
	H5Pset_file_locking(access, 0, 1); /* some file systems have no locks; nothing else knows the name anyway */
#endif
	/* the default driver follows links, which for a file without a name lead nowhere */
	if (strncmp(path, FILE_NAMELESS, strlen(FILE_NAMELESS)) == 0)
		H5Pset_fapl_stdio(access);
	sonde_status status = create(writer, path, access);
	H5Pclose(access);
	if (status == SONDE_OK && ((*writer)->path = strdup(path)) == NULL) {
		hdf5_writer_discard(writer);
		status = memory_missing("a path");
	}
	return status;
}

sonde_status hdf5_writer_create_in_memory(struct hdf5_writer **writer)
{
	CHECK(memory_allocate(writer, 1, sizeof **writer, "the contents of a result"));
	const sonde_status status = hdf5_contents_create(&(*writer)->contents);
	if (status != SONDE_OK)
		hdf5_writer_release(writer);
	return status;
}

sonde_status hdf5_writer_take_contents(struct hdf5_writer **writer, struct hdf5_contents **contents)
{
	*contents = (*writer)->contents;
	hdf5_writer_release(writer);
	return hdf5_contents_complete(contents);
}

void hdf5_writer_note(struct hdf5_writer *writer, herr_t result)
{
	if (result < 0)
		writer->failed = true;
}

/* A string type for `text`, UTF-8, of the required length. */
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
		hdf5_writer_note(writer, H5Awrite(attribute, type, values));
		hdf5_writer_note(writer, H5Aclose(attribute));
	}
	if (object >= 0)
		hdf5_writer_note(writer, H5Oclose(object));
}

void hdf5_writer_text_attribute(struct hdf5_writer *writer, const char *path, const char *name, const char *text)
{
	if (writer->contents != NULL) {
		hdf5_contents_attribute(writer->contents, path, name, &text, 1);
		return;
	}
	HDF5_ALONE;
	hid_t type = text_type(strlen(text)), space = H5Screate(H5S_SCALAR);

	write_attribute(writer, path, name, type, space, text);
	H5Sclose(space);
	H5Tclose(type);
}

void hdf5_writer_texts_attribute(struct hdf5_writer *writer, const char *path, const char *name,
				 const char *const *texts, int count)
{
	if (writer->contents != NULL) {
		hdf5_contents_attribute(writer->contents, path, name, texts, count);
		return;
	}
	HDF5_ALONE;
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
	HDF5_ALONE;
	if (strcmp(path, "/") != 0 && writer->contents == NULL) {
		hid_t group = H5Gcreate2(writer->file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
		if (group < 0)
			writer->failed = true;
		else
			hdf5_writer_note(writer, H5Gclose(group));
	}
	hdf5_writer_text_attribute(writer, path, "NX_class", nx_class);
}

void hdf5_writer_link(struct hdf5_writer *writer, const char *path, const char *to)
{
	if (writer->contents != NULL) {
		hdf5_contents_link(writer->contents, path, to);
		return;
	}
	HDF5_ALONE;
	hdf5_writer_note(writer, H5Lcreate_hard(writer->file, to, writer->file, path, H5P_DEFAULT, H5P_DEFAULT));
	if (!writer->failed && H5Aexists_by_name(writer->file, to, "target", H5P_DEFAULT) <= 0)
		hdf5_writer_text_attribute(writer, to, "target", to);
}

void hdf5_writer_checksum(struct hdf5_writer *writer, const char *path, uint64_t sum)
{
	char digits[HDF5_DIGITS + 1];

	snprintf(digits, sizeof digits, "%016llx", (unsigned long long)sum);
	hdf5_writer_text_attribute(writer, path, HDF5_CHECKSUM, digits);
}

void hdf5_writer_compress(struct hdf5_writer *writer, int level)
{
	if (writer->contents == NULL && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0 &&
	    H5Zfilter_avail(H5Z_FILTER_SHUFFLE) > 0)
		writer->level = level;
}

/* Chunks of whole rows, planes or volumes, and their compression: bytes of the same significance next to each other, then
 * zlib. No times of changes: files of the same content have the same bytes. */
static hid_t layout_of(const struct hdf5_writer *writer, hid_t space)
{
	hsize_t sizes[H5S_MAX_RANK], numbers = 1;
	int rank = H5Sget_simple_extent_dims(space, sizes, NULL);
	hid_t layout = H5Pcreate(H5P_DATASET_CREATE);

	H5Pset_obj_track_times(layout, false);
	if (writer->level == 0 || H5Sget_simple_extent_npoints(space) < LARGE)
		return layout;
	for (int k = rank - 1; k >= 0; --k) {
		hsize_t most = NUMBERS_OF_CHUNK / numbers > 0 ? NUMBERS_OF_CHUNK / numbers : 1;
		sizes[k] = sizes[k] < most ? sizes[k] : most;
		numbers *= sizes[k];
	}
	H5Pset_chunk(layout, rank, sizes);
	H5Pset_shuffle(layout);
	H5Pset_deflate(layout, (unsigned)writer->level);
	return layout;
}

/* Without its checksum. */
static void write_values(struct hdf5_writer *writer, const char *path, hid_t type, hid_t space, const void *values)
{
	hid_t layout = layout_of(writer, space);
	hid_t dataset = H5Dcreate2(writer->file, path, type, space, H5P_DEFAULT, layout, H5P_DEFAULT);

	H5Pclose(layout);
	if (dataset < 0) {
		writer->failed = true;
		return;
	}
	hdf5_writer_note(writer, H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
	hdf5_writer_note(writer, H5Dclose(dataset));
}

static void write_dataset(struct hdf5_writer *writer, const char *path, hid_t type, hid_t space, const void *values)
{
	if (H5Tget_class(type) != H5T_STRING && hdf5_writer_is_large(writer, space)) {
		hdf5_writer_put_large(writer, path, type, space, values, NULL);
		return;
	}
	write_values(writer, path, type, space, values);
	hdf5_writer_checksum(
	    writer, path,
	    hdf5_checksum_of_values(space, H5Tget_class(type) == H5T_STRING, H5Tget_size(type), values));
}

hid_t hdf5_writer_space(const int64_t *sizes, int rank)
{
	hsize_t dimensions[8];

	for (int k = 0; k < rank; ++k)
		dimensions[k] = (hsize_t)sizes[k];
	return H5Screate_simple(rank, dimensions, NULL);
}

void hdf5_writer_describe(struct hdf5_writer *writer, const char *path, const char *unit, const char *long_name)
{
	if (unit != NULL)
		hdf5_writer_text_attribute(writer, path, "units", unit);
	if (long_name != NULL)
		hdf5_writer_text_attribute(writer, path, "long_name", long_name);
}

/* Whether the file is described in memory, where the values are kept then. */
static bool is_kept(struct hdf5_writer *writer, const struct hdf5_values *values)
{
	if (writer->contents != NULL)
		hdf5_contents_add(writer->contents, values);
	return writer->contents != NULL;
}

void hdf5_writer_lasts(struct hdf5_writer *writer, const void *values, int64_t bytes)
{
	if (writer->contents != NULL && values != NULL)
		hdf5_contents_lasts(writer->contents, values, (uint64_t)bytes);
}

double *hdf5_writer_numbers(struct hdf5_writer *writer, int64_t count)
{
	return hdf5_contents_numbers(writer->contents, (uint64_t)count);
}

void hdf5_writer_reals(struct hdf5_writer *writer, const char *path, const double *values, const int64_t *sizes,
		       int rank, const char *unit, const char *long_name)
{
	if (is_kept(writer, &(struct hdf5_values){path, SONDE_REAL, values, NULL, sizes, rank, 0, unit, long_name}))
		return;
	HDF5_ALONE;
	hid_t space = hdf5_writer_space(sizes, rank);

	write_dataset(writer, path, H5T_NATIVE_DOUBLE, space, values);
	H5Sclose(space);
	hdf5_writer_describe(writer, path, unit, long_name);
}

#define NUMBERS_AT_ONCE 1024

/* As numbers of 64 bits, the form that readers obtain. */
static uint64_t checksum_of_singles(const float *singles, size_t count)
{
	double numbers[NUMBERS_AT_ONCE];
	uint64_t sum = 0;

	for (size_t first = 0; first < count; first += NUMBERS_AT_ONCE) {
		const size_t now = count - first < NUMBERS_AT_ONCE ? count - first : NUMBERS_AT_ONCE;
		for (size_t n = 0; n < now; ++n)
			numbers[n] = (double)singles[first + n];
		sum += checksum_numbers(first, numbers, now);
	}
	return sum;
}

/* From two arrays, interleaved unless the second one is null, as numbers of 4 bytes. */
static float *singles_of(const double *values, const double *others, size_t count)
{
	const size_t each = others != NULL ? 2 : 1;
	float *singles;

	if (memory_allocate(&singles, each * count, sizeof *singles, "an HDF5 file") != SONDE_OK)
		return NULL;
	for (size_t n = 0; n < count; ++n) {
		singles[each * n] = (float)values[n];
		if (others != NULL)
			singles[each * n + 1] = (float)others[n];
	}
	return singles;
}

static double *pairs_of(const double *values, const double *others, size_t count)
{
	double *pairs;

	if (memory_allocate(&pairs, 2 * count, sizeof *pairs, "an HDF5 file") != SONDE_OK)
		return NULL;
	for (size_t n = 0; n < count; ++n) {
		pairs[2 * n] = values[n];
		pairs[2 * n + 1] = others[n];
	}
	return pairs;
}

static void write_singles(struct hdf5_writer *writer, const char *path, hid_t type, hid_t space, const double *values,
			  const double *others)
{
	const size_t count = (size_t)H5Sget_simple_extent_npoints(space);
	float *singles = singles_of(values, others, count);

	if (singles == NULL) {
		writer->failed = true;
		return;
	}
	write_values(writer, path, type, space, singles);
	hdf5_writer_checksum(writer, path,
			     hdf5_checksum_of_space(space) +
				 checksum_of_singles(singles, (others != NULL ? 2 : 1) * count));
	free(singles);
}

void hdf5_writer_singles(struct hdf5_writer *writer, const char *path, const double *values, const int64_t *sizes,
			 int rank, const char *unit, const char *long_name)
{
	if (is_kept(writer, &(struct hdf5_values){path, SONDE_SINGLE, values, NULL, sizes, rank, 0, unit, long_name}))
		return;
	HDF5_ALONE;
	hid_t space = hdf5_writer_space(sizes, rank);

	write_singles(writer, path, H5T_NATIVE_FLOAT, space, values, NULL);
	H5Sclose(space);
	hdf5_writer_describe(writer, path, unit, long_name);
}

/* Two numbers r and i, which h5py reads as a complex one. */
static hid_t complex_type(bool single)
{
	const size_t size = single ? sizeof(float) : sizeof(double);
	hid_t number = single ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE, type = H5Tcreate(H5T_COMPOUND, 2 * size);

	H5Tinsert(type, "r", 0, number);
	H5Tinsert(type, "i", size, number);
	return type;
}

static void write_pairs(struct hdf5_writer *writer, const char *path, hid_t type, hid_t space, const double *real,
			const double *imaginary)
{
	const size_t count = (size_t)H5Sget_simple_extent_npoints(space);
	double *pairs = pairs_of(real, imaginary, count);

	if (pairs == NULL) {
		writer->failed = true;
		return;
	}
	write_values(writer, path, type, space, pairs);
	hdf5_writer_checksum(writer, path, hdf5_checksum_of_space(space) + checksum_numbers(0, pairs, 2 * count));
	free(pairs);
}

void hdf5_writer_complexes(struct hdf5_writer *writer, const char *path, const double *real, const double *imaginary,
			   bool single, const int64_t *sizes, int rank, const char *unit, const char *long_name)
{
	if (is_kept(writer, &(struct hdf5_values){path, single ? SONDE_SINGLE_COMPLEX : SONDE_COMPLEX, real,
						  imaginary, sizes, rank, 0, unit, long_name}))
		return;
	HDF5_ALONE;
	hid_t space = hdf5_writer_space(sizes, rank), type = complex_type(single);

	if (single)
		write_singles(writer, path, type, space, real, imaginary);
	else if (hdf5_writer_is_large(writer, space))
		hdf5_writer_put_large(writer, path, type, space, real, imaginary);
	else
		write_pairs(writer, path, type, space, real, imaginary);
	H5Tclose(type);
	H5Sclose(space);
	hdf5_writer_describe(writer, path, unit, long_name);
}

void hdf5_writer_real(struct hdf5_writer *writer, const char *path, double value, const char *unit)
{
	if (is_kept(writer, &(struct hdf5_values){path, SONDE_REAL, &value, NULL, NULL, 0, 0, unit, NULL}))
		return;
	HDF5_ALONE;
	hid_t space = H5Screate(H5S_SCALAR);

	write_dataset(writer, path, H5T_NATIVE_DOUBLE, space, &value);
	H5Sclose(space);
	if (unit != NULL)
		hdf5_writer_text_attribute(writer, path, "units", unit);
}

void hdf5_writer_integers(struct hdf5_writer *writer, const char *path, const int64_t *values, int64_t count)
{
	if (is_kept(writer,
		    &(struct hdf5_values){path, SONDE_INTEGER, values, NULL, &count, count > 1, 0, NULL, NULL}))
		return;
	HDF5_ALONE;
	hsize_t size = (hsize_t)count;
	hid_t space = count > 1 ? H5Screate_simple(1, &size, NULL) : H5Screate(H5S_SCALAR);

	write_dataset(writer, path, H5T_NATIVE_INT64, space, values);
	H5Sclose(space);
}

void hdf5_writer_integer_array(struct hdf5_writer *writer, const char *path, const int64_t *values,
			       const int64_t *sizes, int rank, const char *long_name)
{
	if (is_kept(writer,
		    &(struct hdf5_values){path, SONDE_INTEGER, values, NULL, sizes, rank, 0, NULL, long_name}))
		return;
	HDF5_ALONE;
	hid_t space = hdf5_writer_space(sizes, rank);

	write_dataset(writer, path, H5T_NATIVE_INT64, space, values);
	H5Sclose(space);
	hdf5_writer_describe(writer, path, NULL, long_name);
}

/* As integers of 64 bits, the form that readers obtain. */
static uint64_t checksum_of_indices(const uint16_t *indices, size_t count)
{
	int64_t numbers[NUMBERS_AT_ONCE];
	uint64_t sum = 0;

	for (size_t first = 0; first < count; first += NUMBERS_AT_ONCE) {
		const size_t now = count - first < NUMBERS_AT_ONCE ? count - first : NUMBERS_AT_ONCE;
		for (size_t n = 0; n < now; ++n)
			numbers[n] = indices[first + n];
		sum += checksum_numbers(first, numbers, now);
	}
	return sum;
}

void hdf5_writer_indices(struct hdf5_writer *writer, const char *path, const uint16_t *values, int64_t count)
{
	if (is_kept(writer, &(struct hdf5_values){path, SONDE_INDEX, values, NULL, &count, 1, 0, NULL, NULL}))
		return;
	HDF5_ALONE;
	hid_t space = hdf5_writer_space(&count, 1);

	write_values(writer, path, H5T_NATIVE_UINT16, space, values);
	hdf5_writer_checksum(writer, path,
			     hdf5_checksum_of_space(space) + checksum_of_indices(values, (size_t)count));
	H5Sclose(space);
}

void hdf5_writer_text(struct hdf5_writer *writer, const char *path, const char *text)
{
	if (is_kept(writer,
		    &(struct hdf5_values){path, SONDE_TEXT, text, NULL, NULL, 0, (int64_t)strlen(text), NULL, NULL}))
		return;
	HDF5_ALONE;
	hid_t type = text_type(strlen(text)), space = H5Screate(H5S_SCALAR);

	write_dataset(writer, path, type, space, text);
	H5Sclose(space);
	H5Tclose(type);
}

void hdf5_writer_texts(struct hdf5_writer *writer, const char *path, const char *texts, int64_t count, int64_t stride)
{
	if (is_kept(writer, &(struct hdf5_values){path, SONDE_TEXT, texts, NULL, &count, 1, stride, NULL, NULL}))
		return;
	HDF5_ALONE;
	hsize_t size = (hsize_t)count;
	hid_t type = text_type((size_t)stride), space = H5Screate_simple(1, &size, NULL);

	write_dataset(writer, path, type, space, texts);
	H5Sclose(space);
	H5Tclose(type);
}

/* The bytes of the file, sealed; to be freed. */
static sonde_status make_image(hid_t file, void **image, size_t *size)
{
	const ssize_t bytes = H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0 ? H5Fget_file_image(file, NULL, 0) : -1;
	struct checksum checksum = {0};

	*size = 0;
	if (bytes <= 0)
		return SONDE_OK;
	CHECK(memory_allocate(image, (size_t)bytes + SEAL_SIZE, 1, "the HDF5 file"));
	if (H5Fget_file_image(file, *image, (size_t)bytes) != bytes)
		return SONDE_OK;
	checksum_add(&checksum, *image, (size_t)bytes);
	seal_make(&checksum, (unsigned char *)*image + bytes);
	*size = (size_t)bytes + SEAL_SIZE;
	return SONDE_OK;
}

sonde_status hdf5_writer_finish(struct hdf5_writer **writer, const char *path, bool overwrite)
{
	HDF5_ALONE;
	if ((*writer)->threads > 0)
		return hdf5_writer_finish_large(writer);
	void *image = NULL;
	size_t size = 0;
	bool failed = (*writer)->failed;
	sonde_status status = hdf5_check_memory();

	if (status == SONDE_OK && !failed)
		status = make_image((*writer)->file, &image, &size);
	failed |= H5Fclose((*writer)->file) < 0;
	hdf5_writer_release(writer);
	if (status == SONDE_OK && (failed || size == 0))
		status = status_fail_file(SONDE_RESOURCE, path, "the HDF5 library could not make the file");
	if (status == SONDE_OK)
		status = file_write(path, image, size, overwrite);
	free(image);
	return status;
}

void hdf5_writer_discard(struct hdf5_writer **writer)
{
	if ((*writer)->contents != NULL) {
		hdf5_contents_free(&(*writer)->contents);
		hdf5_writer_release(writer);
		return;
	}
	HDF5_ALONE;
	H5Fclose((*writer)->file);
	if ((*writer)->threads > 0)
		file_output_discard(&(*writer)->output);
	hdf5_writer_release(writer);
}

void hdf5_version(char *text, size_t size)
{
	HDF5_ALONE;
	unsigned numbers[3] = {0};

	H5get_libversion(&numbers[0], &numbers[1], &numbers[2]);
	snprintf(text, size, "%u.%u.%u", numbers[0], numbers[1], numbers[2]);
}
