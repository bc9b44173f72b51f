/* The parts of a writer of HDF5 files. */
#ifndef SONDE_IO_HDF5_WRITER_H
#define SONDE_IO_HDF5_WRITER_H

#include <hdf5.h>
#include <stdbool.h>

#include "base/file.h"
#include "base/status.h"
#include "io/containers/seal.h"

struct hdf5_writer {
	hid_t file;
	bool failed;
	int level; /* compression level; 0: none */
	/* for a file on the disk: */
	char *path;
	struct seal_gap *gaps; /* numbers written and added to the checksum by others */
	size_t gap_count, gap_capacity;
	/* for one with large arrays: */
	int threads; /* 0: another kind of file */
	struct file_output output;
	struct hdf5_contents *contents; /* of a file that is described in memory only, else null (hdf5_contents.h) */
};

void hdf5_writer_release(struct hdf5_writer **writer);
void hdf5_writer_note(struct hdf5_writer *writer, herr_t result);
/* Attributes of a dataset. */
void hdf5_writer_checksum(struct hdf5_writer *writer, const char *path, uint64_t sum);
void hdf5_writer_describe(struct hdf5_writer *writer, const char *path, const char *unit, const char *long_name);
/* To be closed. */
hid_t hdf5_writer_space(const int64_t *sizes, int rank);

/* hdf5_large.c: whether an array of these sizes is written by threads; */
bool hdf5_writer_is_large(const struct hdf5_writer *writer, hid_t space);
/* writes one of numbers of 64 bits, or of pairs with those of `others`, with its checksum. */
void hdf5_writer_put_large(struct hdf5_writer *writer, const char *path, hid_t type, hid_t space, const void *values,
			   const void *others);
/* Completes the file and gives it its name. */
sonde_status hdf5_writer_finish_large(struct hdf5_writer **writer);

#endif
