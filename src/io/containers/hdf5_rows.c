#include "io/containers/hdf5_rows.h"

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/containers/hdf5_common.h"
#include "io/containers/hdf5_reader.h"

#define DIGEST 64
#define CHUNK_BYTES ((int64_t)1 << 20)
#define CACHE_BYTES ((size_t)4 << 20) /* of a dataset that grows: more than a chunk */
#define CACHE_SLOTS 521
#define MOST_ROWS ((hsize_t)1 << 32)
#define MOST_WIDE ((hsize_t)1 << 24)
#define LONGEST_ATTRIBUTE 65536
#define LONGEST_TEXT ((size_t)1 << 20)

/* Rows of a dataset that are not in the file yet: at most those of a chunk, of which `begun` are in it. */
struct waiting {
	char *path;
	enum hdf5_row_type type;
	int64_t columns, most, begun, count;
	char *values; /* of texts: copies */
};

struct hdf5_rows {
	hid_t file;
	bool failed;
	struct waiting *waiting;
	size_t waiting_count, waiting_capacity;
};

size_t hdf5_row_bytes(enum hdf5_row_type type)
{
	static const size_t bytes[] = {sizeof(float),    sizeof(double), sizeof(uint64_t),
				       sizeof(uint16_t), DIGEST,         sizeof(char *)};

	return bytes[type];
}

int64_t hdf5_rows_of_chunk(enum hdf5_row_type type, int64_t columns)
{
	const int64_t bytes = (int64_t)hdf5_row_bytes(type) * (columns > 0 ? columns : 1),
		      most = type == HDF5_ROW_SINGLE || columns > 0 ? CHUNK_BYTES : CHUNK_BYTES / 16;

	return bytes <= most ? most / bytes : 1;
}

/* The type in memory, to be closed. */
static hid_t memory_type(enum hdf5_row_type type)
{
	if (type == HDF5_ROW_DIGEST || type == HDF5_ROW_TEXT) {
		hid_t text = H5Tcopy(H5T_C_S1);
		H5Tset_size(text, type == HDF5_ROW_TEXT ? H5T_VARIABLE : DIGEST);
		H5Tset_cset(text, H5T_CSET_UTF8);
		if (type == HDF5_ROW_DIGEST)
			H5Tset_strpad(text, H5T_STR_NULLPAD);
		return text;
	}
	return H5Tcopy(type == HDF5_ROW_SINGLE    ? H5T_NATIVE_FLOAT
		       : type == HDF5_ROW_REAL    ? H5T_NATIVE_DOUBLE
		       : type == HDF5_ROW_INTEGER ? H5T_NATIVE_UINT64
						  : H5T_NATIVE_UINT16);
}

static void note(struct hdf5_rows *rows, herr_t result)
{
	if (result < 0)
		rows->failed = true;
}

sonde_status hdf5_rows_open(struct hdf5_rows **rows, const char *path, bool existing)
{
	HDF5_ALONE;

	*rows = NULL;
	CHECK(hdf5_check_memory());
	hdf5_quiet_library();
	CHECK(memory_allocate(rows, 1, sizeof **rows, "an HDF5 file"));
	hid_t access = H5Pcreate(H5P_FILE_ACCESS);
#if H5_VERSION_GE(1, 10, 7)
	H5Pset_file_locking(access, 0, 1); /* some file systems have no locks */
#endif
	H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18);
	(*rows)->file =
	    existing ? H5Fopen(path, H5F_ACC_RDWR, access) : H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
	H5Pclose(access);
	if ((*rows)->file >= 0)
		return SONDE_OK;
	free(*rows);
	*rows = NULL;
	return existing ? status_fail_file(SONDE_INVALID, path, "is not an HDF5 file, or is damaged")
			: status_fail_file(SONDE_RESOURCE, path, "the HDF5 library could not create the file");
}

void hdf5_rows_attribute(struct hdf5_rows *rows, const char *path, const char *name, const char *text)
{
	HDF5_ALONE;
	const size_t length = strlen(text);
	hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);

	H5Tset_size(type, length > 0 ? length : 1);
	H5Tset_cset(type, H5T_CSET_UTF8);
	H5Tset_strpad(type, H5T_STR_NULLPAD);
	hid_t object = H5Oopen(rows->file, path, H5P_DEFAULT);
	hid_t attribute = object < 0 ? -1 : H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
	note(rows, attribute < 0 ? -1 : H5Awrite(attribute, type, text));
	if (attribute >= 0)
		note(rows, H5Aclose(attribute));
	if (object >= 0)
		note(rows, H5Oclose(object));
	H5Sclose(space);
	H5Tclose(type);
}

void hdf5_rows_group(struct hdf5_rows *rows, const char *path, const char *nx_class)
{
	HDF5_ALONE;

	if (strcmp(path, "/") != 0) {
		hid_t group = H5Gcreate2(rows->file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
		note(rows, group < 0 ? -1 : H5Gclose(group));
	}
	hdf5_rows_attribute(rows, path, "NX_class", nx_class);
}

void hdf5_rows_dataset(struct hdf5_rows *rows, const char *path, enum hdf5_row_type type, int64_t columns,
		       const char *unit)
{
	HDF5_ALONE;
	const int rank = columns > 0 ? 2 : 1;
	const hsize_t none[2] = {0, (hsize_t)columns}, most[2] = {H5S_UNLIMITED, (hsize_t)columns},
		      chunk[2] = {(hsize_t)hdf5_rows_of_chunk(type, columns), (hsize_t)columns};
	hid_t layout = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(rank, none, most),
	      kind = memory_type(type);

	H5Pset_chunk(layout, rank, chunk);
	if (type != HDF5_ROW_TEXT)
		H5Pset_fletcher32(layout);
	hid_t dataset = H5Dcreate2(rows->file, path, kind, space, H5P_DEFAULT, layout, H5P_DEFAULT);
	note(rows, dataset < 0 ? -1 : H5Dclose(dataset));
	H5Tclose(kind);
	H5Sclose(space);
	H5Pclose(layout);
	if (unit != NULL)
		hdf5_rows_attribute(rows, path, "units", unit);
}

/* A selection of rows of a dataset; to be closed. */
static hid_t select_rows(hid_t dataset, int rank, int64_t columns, int64_t first, int64_t count, bool *selected)
{
	const hsize_t start[2] = {(hsize_t)first, 0}, size[2] = {(hsize_t)count, (hsize_t)columns};
	hid_t space = H5Dget_space(dataset);

	*selected = space >= 0 && H5Sget_simple_extent_ndims(space) == rank &&
		    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL) >= 0;
	return space;
}

/* Writes the rows after the last of an open dataset. */
static herr_t extend(hid_t dataset, enum hdf5_row_type type, int64_t columns, int64_t count, const void *values)
{
	const int rank = columns > 0 ? 2 : 1;
	hsize_t sizes[H5S_MAX_RANK] = {0};
	hid_t space = H5Dget_space(dataset);
	const bool fits = space >= 0 && H5Sget_simple_extent_dims(space, sizes, NULL) == rank &&
			  (columns == 0 || sizes[1] == (hsize_t)columns);
	const int64_t first = (int64_t)sizes[0];
	bool selected;

	if (space >= 0)
		H5Sclose(space);
	sizes[0] += (hsize_t)count;
	if (!fits || H5Dset_extent(dataset, sizes) < 0)
		return -1;
	const hsize_t size[2] = {(hsize_t)count, (hsize_t)columns};
	hid_t there = select_rows(dataset, rank, columns, first, count, &selected),
	      here = H5Screate_simple(rank, size, NULL), kind = memory_type(type);
	const herr_t result = selected ? H5Dwrite(dataset, kind, here, there, H5P_DEFAULT, values) : -1;
	H5Tclose(kind);
	H5Sclose(here);
	if (there >= 0)
		H5Sclose(there);
	return result;
}

static void flush(struct hdf5_rows *rows, struct waiting *waiting)
{
	if (waiting->count > 0 && !rows->failed) {
		hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
		H5Pset_chunk_cache(access, CACHE_SLOTS, CACHE_BYTES, 1.0);
		hid_t dataset = H5Dopen2(rows->file, waiting->path, access);
		note(rows, dataset < 0
			       ? -1
			       : extend(dataset, waiting->type, waiting->columns, waiting->count, waiting->values));
		if (dataset >= 0)
			note(rows, H5Dclose(dataset));
		H5Pclose(access);
	}
	for (int64_t k = 0; waiting->type == HDF5_ROW_TEXT && k < waiting->count; ++k) {
		char *text;
		memcpy(&text, waiting->values + (size_t)k * sizeof text, sizeof text);
		free(text);
	}
	waiting->begun = (waiting->begun + waiting->count) % waiting->most;
	waiting->count = 0;
}

/* The rows that wait for a dataset; null, and the failure is remembered, without memory. */
static struct waiting *find_waiting(struct hdf5_rows *rows, const char *path, enum hdf5_row_type type,
				    int64_t columns)
{
	for (size_t k = 0; k < rows->waiting_count; ++k)
		if (strcmp(rows->waiting[k].path, path) == 0)
			return &rows->waiting[k];
	struct waiting new = {.type = type, .columns = columns, .most = hdf5_rows_of_chunk(type, columns)};
	const size_t bytes = hdf5_row_bytes(type) * (size_t)(columns > 0 ? columns : 1);
	if (memory_grow(&rows->waiting, &rows->waiting_capacity, rows->waiting_count + 1, sizeof new, "rows") !=
		SONDE_OK ||
	    memory_allocate(&new.values, (size_t) new.most, bytes, "rows") != SONDE_OK ||
	    memory_copy_text(path, &new.path, "rows") != SONDE_OK) {
		free(new.values);
		rows->failed = true;
		return NULL;
	}
	rows->waiting[rows->waiting_count] = new;
	return &rows->waiting[rows->waiting_count++];
}

/* Copies of texts instead of the caller's. */
static bool copy_texts(char *to, const char *from, int64_t count)
{
	for (int64_t k = 0; k < count; ++k) {
		char *copy;
		memcpy(&copy, from + (size_t)k * sizeof copy, sizeof copy);
		copy = strdup(copy);
		/* null is freed, too */
		memcpy(to + (size_t)k * sizeof copy, &copy, sizeof copy);
		if (copy == NULL) {
			memory_report_missing("text");
			return false;
		}
	}
	return true;
}

void hdf5_rows_append(struct hdf5_rows *rows, const char *path, enum hdf5_row_type type, int64_t columns,
		      int64_t count, const void *values)
{
	HDF5_ALONE;
	const size_t bytes = hdf5_row_bytes(type) * (size_t)(columns > 0 ? columns : 1);
	const char *from = values;
	struct waiting *waiting = count > 0 && !rows->failed ? find_waiting(rows, path, type, columns) : NULL;

	while (count > 0 && waiting != NULL && !rows->failed) {
		const int64_t room = waiting->most - waiting->begun - waiting->count,
			      now = count < room ? count : room;
		char *to = waiting->values + (size_t)waiting->count * bytes;
		if (type != HDF5_ROW_TEXT)
			memcpy(to, from, (size_t)now * bytes);
		else if (!copy_texts(to, from, now))
			rows->failed = true;
		waiting->count += now;
		from += (size_t)now * bytes;
		count -= now;
		if (waiting->begun + waiting->count == waiting->most)
			flush(rows, waiting);
	}
}

bool hdf5_rows_save(struct hdf5_rows *rows)
{
	HDF5_ALONE;

	for (size_t k = 0; k < rows->waiting_count; ++k)
		flush(rows, &rows->waiting[k]);
	note(rows, H5Fflush(rows->file, H5F_SCOPE_GLOBAL));
	return !rows->failed;
}

sonde_status hdf5_rows_close(struct hdf5_rows **rows, const char *path)
{
	HDF5_ALONE;

	if (*rows == NULL)
		return SONDE_OK;
	for (size_t k = 0; k < (*rows)->waiting_count; ++k) {
		flush(*rows, &(*rows)->waiting[k]);
		free((*rows)->waiting[k].values);
		free((*rows)->waiting[k].path);
	}
	free((*rows)->waiting);
	note(*rows, H5Fclose((*rows)->file));
	const bool failed = (*rows)->failed;
	free(*rows);
	*rows = NULL;
	return failed ? status_fail_file(SONDE_RESOURCE, path, "cannot be written: is the disk full?") : SONDE_OK;
}

/* Reading -------------------------------------------------------------------------------------------------- */

/* Opens a dataset; -1 if there is none. */
static hid_t open_rows(struct hdf5_reader *reader, const char *path)
{
	H5O_info_t info;

	if (!hdf5_reader_has(reader, path) || H5Oget_info_by_name(reader->file, path, &info, H5P_DEFAULT) < 0 ||
	    info.type != H5O_TYPE_DATASET)
		return -1;
	return H5Dopen2(reader->file, path, H5P_DEFAULT);
}

/* Sizes of an open dataset; the rank, -1 if it is not 1 or 2. */
static int sizes_of(hid_t dataset, hsize_t sizes[2])
{
	hid_t space = H5Dget_space(dataset);
	const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;

	sizes[0] = sizes[1] = 0;
	if (rank == 1 || rank == 2)
		H5Sget_simple_extent_dims(space, sizes, NULL);
	if (space >= 0)
		H5Sclose(space);
	return rank == 1 || rank == 2 ? rank : -1;
}

int64_t hdf5_reader_row_count(struct hdf5_reader *reader, const char *path, int64_t *columns)
{
	HDF5_ALONE;
	hid_t dataset = open_rows(reader, path);
	hsize_t sizes[2];

	*columns = 0;
	if (dataset < 0)
		return -1;
	const int rank = sizes_of(dataset, sizes);
	hid_t type = H5Dget_type(dataset);
	/* damaged sizes would determine the memory to allocate; texts are stored as references of 16 bytes */
	const uint64_t bytes =
			   H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0 ? 16 : H5Tget_size(type),
		       wide = rank == 2 ? sizes[1] : 1;
	const bool sound = rank > 0 && wide <= MOST_WIDE && bytes <= MOST_WIDE && sizes[0] <= MOST_ROWS &&
			   (wide == 0 || hdf5_is_believable(dataset, sizes[0] * wide * bytes, 1));
	H5Tclose(type);
	H5Dclose(dataset);
	*columns = rank == 2 ? (int64_t)sizes[1] : 0;
	return sound ? (int64_t)sizes[0] : -1;
}

/* Whether the type of a dataset can be read as one of those of rows. */
static bool has_type(hid_t dataset, enum hdf5_row_type type)
{
	hid_t there = H5Dget_type(dataset);
	const H5T_class_t class = H5Tget_class(there);
	const bool variable = class == H5T_STRING && H5Tis_variable_str(there) > 0;
	const size_t size = H5Tget_size(there);

	H5Tclose(there);
	if (type == HDF5_ROW_TEXT)
		return variable;
	if (type == HDF5_ROW_DIGEST)
		return class == H5T_STRING && !variable && size == DIGEST;
	return size <= sizeof(double) &&
	       class == (type == HDF5_ROW_SINGLE || type == HDF5_ROW_REAL ? H5T_FLOAT : H5T_INTEGER);
}

static sonde_status read_rows(struct hdf5_reader *reader, hid_t dataset, const char *path, enum hdf5_row_type type,
			      int64_t columns, int64_t first, int64_t count, void *to)
{
	const int rank = columns > 0 ? 2 : 1;
	hsize_t sizes[2];
	bool selected;

	if (sizes_of(dataset, sizes) != rank || (columns > 0 && sizes[1] != (hsize_t)columns) || first < 0 ||
	    count < 0 || (hsize_t)first > sizes[0] || (hsize_t)count > sizes[0] - (hsize_t)first ||
	    !has_type(dataset, type))
		return status_fail_file(SONDE_INVALID, reader->path,
					"%s has another type, or other sizes than expected", path);
	if (count == 0)
		return SONDE_OK;
	const hsize_t size[2] = {(hsize_t)count, (hsize_t)columns};
	hid_t there = select_rows(dataset, rank, columns, first, count, &selected),
	      here = H5Screate_simple(rank, size, NULL), kind = memory_type(type);
	const bool read = selected && H5Dread(dataset, kind, here, there, reader->transfer, to) >= 0;
	H5Tclose(kind);
	H5Sclose(here);
	if (there >= 0)
		H5Sclose(there);
	return read ? SONDE_OK
		    : status_fail_file(
			  SONDE_INVALID, reader->path,
			  "is damaged: rows %lld to %lld of %s cannot be read, or do not match their checksum",
			  (long long)first, (long long)(first + count - 1), path);
}

sonde_status hdf5_reader_rows(struct hdf5_reader *reader, const char *path, enum hdf5_row_type type, int64_t columns,
			      int64_t first, int64_t count, void *to)
{
	HDF5_ALONE;
	hid_t dataset = open_rows(reader, path);

	if (dataset < 0)
		return status_fail_file(SONDE_INVALID, reader->path, "has no dataset %s", path);
	const sonde_status status = read_rows(reader, dataset, path, type, columns, first, count, to);
	H5Dclose(dataset);
	return status;
}

sonde_status hdf5_reader_row_text(struct hdf5_reader *reader, const char *path, int64_t row, char **text)
{
	HDF5_ALONE;
	char *found = NULL;

	*text = NULL;
	CHECK(hdf5_reader_rows(reader, path, HDF5_ROW_TEXT, 0, row, 1, &found));
	const size_t length = found != NULL ? strnlen(found, LONGEST_TEXT) : 0;
	sonde_status status = memory_allocate(text, length + 1, 1, "text");
	if (status == SONDE_OK && length > 0)
		memcpy(*text, found, length);
	if (found != NULL)
		H5free_memory(found);
	return status;
}

sonde_status hdf5_reader_attribute(struct hdf5_reader *reader, const char *path, const char *name, char **text)
{
	HDF5_ALONE;
	hid_t attribute = -1, type = -1;
	sonde_status status = SONDE_OK;
	bool read = false;

	*text = NULL;
	if (hdf5_reader_has(reader, path) && H5Aexists_by_name(reader->file, path, name, H5P_DEFAULT) > 0)
		attribute = H5Aopen_by_name(reader->file, path, name, H5P_DEFAULT, H5P_DEFAULT);
	if (attribute >= 0)
		type = H5Aget_type(attribute);
	const size_t size = type >= 0 ? H5Tget_size(type) : 0;
	if (type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 && size > 0 &&
	    size <= LONGEST_ATTRIBUTE && H5Aget_storage_size(attribute) == size) {
		status = memory_allocate(text, size + 1, 1, "text");
		read = status == SONDE_OK && H5Aread(attribute, type, *text) >= 0;
	}
	if (type >= 0)
		H5Tclose(type);
	if (attribute >= 0)
		H5Aclose(attribute);
	if (status == SONDE_OK && !read) {
		free(*text);
		*text = NULL;
		status = status_fail_file(SONDE_INVALID, reader->path, "%s has no attribute '%s' that is a text",
					  path, name);
	}
	return status;
}
