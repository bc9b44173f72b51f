#include "io/containers/hdf5_parts.h"

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/containers/hdf5_reader.h"

#define LONGEST_ITEM 4096
#define MOST_ITEMS 64

/* Texts of any length, copied into places of equal size. */
static sonde_status read_variable(hid_t attribute, hid_t type, hid_t space, int64_t count, char **texts, size_t *size)
{
	char *found[MOST_ITEMS] = {NULL};
	sonde_status status = SONDE_INVALID;

	if (H5Aread(attribute, type, found) < 0)
		return SONDE_INVALID;
	*size = 1;
	for (int64_t k = 0; k < count; ++k) {
		const size_t length = found[k] != NULL ? strnlen(found[k], LONGEST_ITEM) : 0;
		*size = length > *size ? length : *size;
	}
	status = memory_allocate(texts, (size_t)count * *size + 1, 1, "text");
	for (int64_t k = 0; k < count && status == SONDE_OK; ++k)
		if (found[k] != NULL)
			memcpy(*texts + (size_t)k * *size, found[k], strnlen(found[k], *size));
	H5Dvlen_reclaim(type, space, H5P_DEFAULT, found);
	return status;
}

static sonde_status read_fixed(hid_t attribute, hid_t type, int64_t count, char **texts, size_t *size)
{
	*size = H5Tget_size(type);
	if (*size == 0 || *size > LONGEST_ITEM)
		return SONDE_INVALID;
	CHECK(memory_allocate(texts, (size_t)count * *size + 1, 1, "text"));
	return H5Aread(attribute, type, *texts) >= 0 ? SONDE_OK : SONDE_INVALID;
}

sonde_status hdf5_reader_list_attribute(struct hdf5_reader *reader, const char *path, const char *name, char **texts,
					int64_t *count, size_t *size)
{
	HDF5_ALONE;
	hid_t attribute = -1, type = -1, space = -1;
	sonde_status status = SONDE_INVALID;

	*texts = NULL;
	if (hdf5_reader_has(reader, path) && H5Aexists_by_name(reader->file, path, name, H5P_DEFAULT) > 0)
		attribute = H5Aopen_by_name(reader->file, path, name, H5P_DEFAULT, H5P_DEFAULT);
	if (attribute >= 0) {
		type = H5Aget_type(attribute);
		space = H5Aget_space(attribute);
	}
	*count = space >= 0 ? (int64_t)H5Sget_simple_extent_npoints(space) : 0;
	if (*count > 0 && *count <= MOST_ITEMS && type >= 0 && H5Tget_class(type) == H5T_STRING)
		status = H5Tis_variable_str(type) > 0 ? read_variable(attribute, type, space, *count, texts, size)
						      : read_fixed(attribute, type, *count, texts, size);
	if (space >= 0)
		H5Sclose(space);
	if (type >= 0)
		H5Tclose(type);
	if (attribute >= 0)
		H5Aclose(attribute);
	if (status != SONDE_OK) {
		free(*texts);
		*texts = NULL;
	}
	return status == SONDE_INVALID
		   ? status_fail_file(SONDE_INVALID, reader->path, "%s has no attribute '%s' that is a list of texts",
				      path, name)
		   : status;
}

sonde_status hdf5_reader_thinned(struct hdf5_reader *reader, const char *path, const int64_t *sizes, int rank,
				 const int64_t *each, double **values)
{
	HDF5_ALONE;
	hsize_t start[H5S_MAX_RANK] = {0}, stride[H5S_MAX_RANK], count[H5S_MAX_RANK];
	hid_t dataset = H5Dopen2(reader->file, path, H5P_DEFAULT);
	hid_t space = dataset >= 0 ? H5Dget_space(dataset) : -1, memory = -1;
	size_t numbers = 1;
	bool read = false;

	for (int k = 0; k < rank; ++k) {
		stride[k] = (hsize_t)each[k];
		count[k] = (hsize_t)((sizes[k] + each[k] - 1) / each[k]);
		numbers *= (size_t)count[k];
	}
	sonde_status status = memory_allocate(values, numbers, sizeof **values, "a dataset");
	if (status == SONDE_OK && space >= 0 && H5Sget_simple_extent_ndims(space) == rank &&
	    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, NULL) >= 0)
		memory = H5Screate_simple(rank, count, NULL);
	if (memory >= 0)
		read = H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, reader->transfer, *values) >= 0;
	if (memory >= 0)
		H5Sclose(memory);
	if (space >= 0)
		H5Sclose(space);
	if (dataset >= 0)
		H5Dclose(dataset);
	if (status == SONDE_OK && !read) {
		free(*values);
		*values = NULL;
		status = status_fail_file(SONDE_INVALID, reader->path, "no readable numbers at %s", path);
	}
	return status;
}
