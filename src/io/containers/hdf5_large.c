/* HDF5 files on the disk, and arrays that are written there without the library. */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/memory.h"
#include "base/threads.h"
#include "io/containers/hdf5.h"
#include "io/containers/hdf5_common.h"
#include "io/containers/hdf5_writer.h"

#define LARGE 1048576             /* numbers */
#define NUMBERS_OF_THREAD 1048576 /* at a time, */
#define PAIRS_OF_THREAD 65536     /* or pairs of them */

/* The place of an array in the file, or -1. */
static int64_t make_room(struct hdf5_writer *writer, const char *path, hid_t type, hid_t space)
{
	hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
	haddr_t at = HADDR_UNDEF;

	H5Pset_obj_track_times(layout, false);
	H5Pset_alloc_time(layout, H5D_ALLOC_TIME_EARLY);
	H5Pset_fill_time(layout, H5D_FILL_TIME_NEVER);
	hid_t dataset = H5Dcreate2(writer->file, path, type, space, H5P_DEFAULT, layout, H5P_DEFAULT);
	if (dataset >= 0) {
		at = H5Dget_offset(dataset);
		hdf5_writer_note(writer, H5Dclose(dataset));
	}
	H5Pclose(layout);
	if (at == HADDR_UNDEF || memory_grow(&writer->gaps, &writer->gap_capacity, writer->gap_count + 1,
					     sizeof *writer->gaps, "an HDF5 file") != SONDE_OK) {
		writer->failed = true;
		return -1;
	}
	writer->gaps[writer->gap_count++] =
	    (struct seal_gap){(uint64_t)at, (uint64_t)H5Sget_simple_extent_npoints(space) * H5Tget_size(type)};
	return (int64_t)at;
}

int64_t hdf5_writer_room(struct hdf5_writer *writer, const char *path, const int64_t *sizes, int rank,
			 const char *unit, const char *long_name)
{
	HDF5_ALONE;
	hid_t space = hdf5_writer_space(sizes, rank);
	const int64_t at = make_room(writer, path, H5T_NATIVE_DOUBLE, space);

	H5Sclose(space);
	if (at >= 0)
		hdf5_writer_describe(writer, path, unit, long_name);
	return at;
}

void hdf5_writer_room_filled(struct hdf5_writer *writer, const char *path, uint64_t checksum)
{
	HDF5_ALONE;
	hid_t dataset = H5Dopen2(writer->file, path, H5P_DEFAULT);
	hid_t space = dataset >= 0 ? H5Dget_space(dataset) : -1;

	if (space < 0) {
		writer->failed = true;
	} else {
		hdf5_writer_checksum(writer, path, checksum + hdf5_checksum_of_space(space));
		H5Sclose(space);
	}
	if (dataset >= 0)
		hdf5_writer_note(writer, H5Dclose(dataset));
}

void hdf5_writer_moved(struct hdf5_writer *writer, const char *path)
{
	char *moved = strdup(path);

	if (moved == NULL) {
		writer->failed = true;
		return;
	}
	free(writer->path);
	writer->path = moved;
}

static int compare_gaps(const void *a, const void *b)
{
	const struct seal_gap *x = a, *y = b;

	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

sonde_status hdf5_writer_close(struct hdf5_writer **writer, const char *path)
{
	HDF5_ALONE;
	const bool failed = H5Fclose((*writer)->file) < 0 || (*writer)->failed;
	sonde_status status = SONDE_OK;

	if (failed)
		status = status_fail_file(SONDE_RESOURCE, path, "the HDF5 library could not make the file");
	if (status == SONDE_OK && (*writer)->gap_count > 0)
		qsort((*writer)->gaps, (*writer)->gap_count, sizeof *(*writer)->gaps, compare_gaps);
	if (status == SONDE_OK)
		status = seal_file((*writer)->path, (*writer)->gaps, (*writer)->gap_count);
	hdf5_writer_release(writer);
	return status;
}

/* Files with large arrays ----------------------------------------------------------------------------------------- */

sonde_status hdf5_writer_create_large(struct hdf5_writer **writer, int threads, const char *path, bool overwrite)
{
	struct file_output output;

	*writer = NULL;
	CHECK(file_output_open(&output, path, overwrite));
	sonde_status status = hdf5_writer_create_at(writer, output.temporary);
	if (status != SONDE_OK && output.nameless) {
		CHECK(file_output_give_name(&output));
		status = hdf5_writer_create_at(writer, output.temporary);
	}
	if (status != SONDE_OK) {
		file_output_discard(&output);
		return status;
	}
	(*writer)->threads = threads;
	(*writer)->output = output;
	return SONDE_OK;
}

bool hdf5_writer_is_large(const struct hdf5_writer *writer, hid_t space)
{
	return writer->threads > 0 && writer->level == 0 && H5Sget_simple_extent_npoints(space) >= LARGE;
}

struct putting {
	const uint64_t *numbers, *others; /* the latter null, or the second number of each pair */
	uint64_t *room;                   /* of pairs, for each thread */
	int file;
	off_t place;
	atomic_uint_fast64_t sum;
	atomic_int reason; /* of a write that failed; 0: none */
};

static void put(struct putting *putting, const uint64_t *numbers, int64_t first, int64_t count)
{
	const char *bytes = (const char *)numbers;
	size_t size = (size_t)count * sizeof *numbers;
	off_t place = putting->place + first * (off_t)sizeof *numbers;

	atomic_fetch_add(&putting->sum, checksum_numbers((uint64_t)first, numbers, (size_t)count));
	while (size > 0) {
		const ssize_t now = pwrite(putting->file, bytes, size, place);
		if (now < 0 && errno == EINTR)
			continue;
		if (now <= 0) {
			atomic_store(&putting->reason, now < 0 ? errno : ENOSPC);
			return;
		}
		bytes += now;
		size -= (size_t)now;
		place += now;
	}
}

static void put_some(void *state, int64_t first, int64_t end, int worker)
{
	struct putting *putting = state;

	if (putting->others == NULL) {
		put(putting, putting->numbers + first, first, end - first);
		return;
	}
	uint64_t *const pairs = putting->room + (size_t)worker * 2 * PAIRS_OF_THREAD;
	for (int64_t n = first; n < end; ++n) {
		pairs[2 * (n - first)] = putting->numbers[n];
		pairs[2 * (n - first) + 1] = putting->others[n];
	}
	put(putting, pairs, 2 * first, 2 * (end - first));
}

void hdf5_writer_put_large(struct hdf5_writer *writer, const char *path, hid_t type, hid_t space, const void *values,
			   const void *others)
{
	const int64_t at = make_room(writer, path, type, space), count = H5Sget_simple_extent_npoints(space);
	struct putting putting = {
	    .numbers = values, .others = others, .file = fileno(writer->output.stream), .place = at};

	if (at < 0)
		return;
	if (others != NULL && memory_allocate_to_fill(&putting.room, 2 * PAIRS_OF_THREAD * (size_t)writer->threads,
						      sizeof *putting.room, "an HDF5 file") != SONDE_OK) {
		writer->failed = true;
		return;
	}
	threads_for(writer->threads, count, others != NULL ? PAIRS_OF_THREAD : NUMBERS_OF_THREAD, put_some, &putting);
	free(putting.room);
	const int reason = atomic_load(&putting.reason);
	if (reason != 0) {
		writer->failed = true;
		writer->output.reason = writer->output.reason != 0 ? writer->output.reason : reason;
	}
	hdf5_writer_checksum(writer, path, atomic_load(&putting.sum) + hdf5_checksum_of_space(space));
}

sonde_status hdf5_writer_finish_large(struct hdf5_writer **writer)
{
	struct file_output output = (*writer)->output;

	errno = 0;
	const sonde_status status = hdf5_writer_close(writer, output.path);
	if (status == SONDE_OK)
		return file_output_commit(&output);
	/* the library reports that writing failed, but not the cause */
	if (output.reason != 0 || errno != 0)
		return file_output_fail(&output);
	file_output_discard(&output);
	return status;
}
