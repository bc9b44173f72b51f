#include "io/containers/hdf5_places.h"

#include <errno.h>
#include <hdf5.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "io/containers/hdf5_common.h"
#include "io/containers/hdf5_reader.h"

#define CHECKSUM 4                    /* bytes after a chunk */
#define WORDS_AT_ONCE 360             /* whose sums, weighted by up to this number, fit into 32 bits */
#define MOST_CHUNK ((hsize_t)1 << 28) /* bytes */

struct hdf5_places {
	int file;
	bool checksums;
	int64_t rows_of_chunk, columns, rows, chunks;
	uint64_t *addresses; /* [chunk] */
};

uint32_t hdf5_fletcher32(const void *bytes, size_t size)
{
	const uint8_t *at = bytes;
	uint32_t first = 0, second = 0;

	for (size_t left = size / 2; left > 0;) {
		const uint32_t count = left > WORDS_AT_ONCE ? WORDS_AT_ONCE : (uint32_t)left;
		uint32_t sum = 0, weighted = 0;
#pragma omp simd reduction(+ : sum, weighted)
		for (uint32_t k = 0; k < count; ++k) {
			const uint32_t word = (uint32_t)at[2 * k] << 8 | at[2 * k + 1];
			sum += word;
			weighted += (count - k) * word;
		}
		/* the second sum is that of all values that the first one takes */
		const uint64_t total = (uint64_t)second + (uint64_t)count * first + weighted;
		first += sum;
		first = (first & 0xffffu) + (first >> 16);
		second = (uint32_t)(total % 0xffffu);
		/* 0xffff and 0 are the same modulo 0xffff; the library keeps the former once a sum was above 0 */
		second = second == 0 && total > 0 ? 0xffffu : second;
		at += 2 * (size_t)count;
		left -= count;
	}
	if (size % 2 != 0) {
		first += (uint32_t)at[0] << 8;
		second += first;
		first = (first & 0xffffu) + (first >> 16);
		second = (second & 0xffffu) + (second >> 16);
	}
	first = (first & 0xffffu) + (first >> 16);
	second = (second & 0xffffu) + (second >> 16);
	return second << 16 | first;
}

/* Finding the chunks --------------------------------------------------------------------------------------------------------- */

/* Whether chunks hold float32 as memory does, with a checksum or nothing else. */
static bool is_plain(hid_t dataset, hid_t layout, bool *checksums)
{
	hid_t type = H5Dget_type(dataset);
	const bool same = type >= 0 && H5Tequal(type, H5T_NATIVE_FLOAT) > 0;
	unsigned flags, configuration;
	size_t elements = 0;

	if (type >= 0)
		H5Tclose(type);
	const int filters = H5Pget_nfilters(layout);
	*checksums = filters == 1 && H5Pget_filter2(layout, 0, &flags, &elements, NULL, 0, NULL, &configuration) ==
					 H5Z_FILTER_FLETCHER32;
	return same && (filters == 0 || *checksums);
}

static bool find_chunk(hid_t dataset, const struct hdf5_places *places, int64_t chunk, uint64_t *address)
{
	const hsize_t offset[2] = {(hsize_t)(chunk * places->rows_of_chunk), 0},
		      bytes = (hsize_t)(places->rows_of_chunk * places->columns) * sizeof(float) +
			      (places->checksums ? CHECKSUM : 0);
	unsigned mask = 0;
	haddr_t at = HADDR_UNDEF;
	hsize_t size = 0;

	if (H5Dget_chunk_info_by_coord(dataset, offset, &mask, &at, &size) < 0 || mask != 0 || at == HADDR_UNDEF ||
	    size != bytes)
		return false;
	*address = (uint64_t)at;
	return true;
}

/* False if the dataset is stored otherwise. */
static sonde_status find(struct hdf5_reader *reader, hid_t dataset, hid_t layout, struct hdf5_places *places,
			 bool *found)
{
	hid_t space = H5Dget_space(dataset);
	hsize_t sizes[2] = {0, 0}, chunk[2] = {0, 0}, block = 1;
	hid_t creation = H5Fget_create_plist(reader->file), access = H5Fget_access_plist(reader->file);
	void *handle = NULL;

	*found = space >= 0 && H5Sget_simple_extent_ndims(space) == 2 &&
		 H5Sget_simple_extent_dims(space, sizes, NULL) == 2 && sizes[1] == (hsize_t)places->columns &&
		 H5Pget_layout(layout) == H5D_CHUNKED && H5Pget_chunk(layout, 2, chunk) == 2 &&
		 chunk[1] == sizes[1] && chunk[0] > 0 && chunk[0] <= MOST_CHUNK / sizeof(float) / chunk[1] &&
		 is_plain(dataset, layout, &places->checksums) && creation >= 0 &&
		 H5Pget_userblock(creation, &block) >= 0 && block == 0 && access >= 0 &&
		 H5Pget_driver(access) == H5FD_SEC2 && H5Fget_vfd_handle(reader->file, H5P_DEFAULT, &handle) >= 0 &&
		 handle != NULL;
	if (access >= 0)
		H5Pclose(access);
	if (creation >= 0)
		H5Pclose(creation);
	if (space >= 0)
		H5Sclose(space);
	if (!*found)
		return SONDE_OK;
	places->file = *(const int *)handle; /* of this driver */
	places->rows = (int64_t)sizes[0];
	places->rows_of_chunk = (int64_t)chunk[0];
	places->chunks = (places->rows + places->rows_of_chunk - 1) / places->rows_of_chunk;
	CHECK(memory_allocate(&places->addresses, (size_t)places->chunks, sizeof *places->addresses, "a library"));
	for (int64_t k = 0; k < places->chunks && *found; ++k)
		*found = find_chunk(dataset, places, k, &places->addresses[k]);
	return SONDE_OK;
}

sonde_status hdf5_places_find(struct hdf5_reader *reader, const char *path, int64_t columns,
			      struct hdf5_places **places)
{
	HDF5_ALONE;
	hid_t dataset = hdf5_reader_has(reader, path) ? H5Dopen2(reader->file, path, H5P_DEFAULT) : -1;
	hid_t layout = dataset >= 0 ? H5Dget_create_plist(dataset) : -1;
	bool found = false;

	*places = NULL;
	sonde_status status = SONDE_OK;
	if (layout >= 0 && columns > 0) {
		status = memory_allocate(places, 1, sizeof **places, "a library");
		if (status == SONDE_OK) {
			(*places)->columns = columns;
			status = find(reader, dataset, layout, *places, &found);
		}
	}
	if (layout >= 0)
		H5Pclose(layout);
	if (dataset >= 0)
		H5Dclose(dataset);
	if (status != SONDE_OK || !found)
		hdf5_places_free(places);
	return status;
}

void hdf5_places_free(struct hdf5_places **places)
{
	if (*places != NULL)
		free((*places)->addresses);
	free(*places);
	*places = NULL;
}

/* Reading -------------------------------------------------------------------------------------------------------------------- */

static bool read_bytes(int file, uint64_t at, void *to, size_t size)
{
	for (size_t done = 0; done < size;) {
		const ssize_t count = pread(file, (char *)to + done, size - done, (off_t)(at + done));
		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0)
			return false;
		done += (size_t)count;
	}
	return true;
}

/* A chunk with its checksum. */
static bool read_chunk(const struct hdf5_places *places, int64_t chunk, void *to)
{
	const size_t bytes = (size_t)(places->rows_of_chunk * places->columns) * sizeof(float);
	const uint8_t *stored = (const uint8_t *)to + bytes;

	if (!read_bytes(places->file, places->addresses[chunk], to, bytes + (places->checksums ? CHECKSUM : 0)))
		return false;
	if (!places->checksums)
		return true;
	const uint32_t wanted =
	    (uint32_t)stored[0] | (uint32_t)stored[1] << 8 | (uint32_t)stored[2] << 16 | (uint32_t)stored[3] << 24;
	return hdf5_fletcher32(to, bytes) == wanted;
}

bool hdf5_places_read(const struct hdf5_places *places, int64_t first, int64_t count, float *rows)
{
	const size_t chunk = (size_t)(places->rows_of_chunk * places->columns) * sizeof(float);
	bool sound = first >= 0 && count >= 0 && first <= places->rows - count;
	char *room = NULL;

	if (sound && memory_allocate(&room, chunk + CHECKSUM, 1, "a library") != SONDE_OK)
		return false;
	for (int64_t done = 0, part; sound && done < count; done += part) {
		const int64_t number = (first + done) / places->rows_of_chunk,
			      from = (first + done) % places->rows_of_chunk;
		part = places->rows_of_chunk - from;
		part = part < count - done ? part : count - done;
		sound = read_chunk(places, number, room);
		if (sound)
			memcpy(rows + done * places->columns, room + (size_t)(from * places->columns) * sizeof(float),
			       (size_t)(part * places->columns) * sizeof(float));
	}
	free(room);
	return sound;
}
