/* HDF5 files whose datasets grow by rows: tables that are extended, and too large for memory. Numbers are stored in chunks of whole rows
 * with HDF5's own checksum (Fletcher's), which every reader verifies; such files have no seal (io/containers/seal.h). */
#ifndef SONDE_IO_HDF5_ROWS_H
#define SONDE_IO_HDF5_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "io/containers/hdf5.h"

enum hdf5_row_type {
	HDF5_ROW_SINGLE,  /* float */
	HDF5_ROW_REAL,    /* double */
	HDF5_ROW_INTEGER, /* uint64_t */
	HDF5_ROW_INDEX,   /* uint16_t */
	HDF5_ROW_DIGEST,  /* 64 bytes of text */
	HDF5_ROW_TEXT     /* const char *: text of any length */
};

/* Bytes of an element in memory. */
size_t hdf5_row_bytes(enum hdf5_row_type type);

/* A file under construction. Failures are remembered and reported by hdf5_rows_close(), so that the calls between need no checks. */
struct hdf5_rows;

/* Creates the file at `path`, or, `existing`, opens it to extend it: SONDE_INVALID if it is not an HDF5 file. */
sonde_status hdf5_rows_open(struct hdf5_rows **rows, const char *path, bool existing);
/* A group with its NX_class, and a text as an attribute of a group or dataset. */
void hdf5_rows_group(struct hdf5_rows *rows, const char *path, const char *nx_class);
void hdf5_rows_attribute(struct hdf5_rows *rows, const char *path, const char *name, const char *text);
/* An empty dataset; `columns` 0: of rank 1. `unit` may be null. */
void hdf5_rows_dataset(struct hdf5_rows *rows, const char *path, enum hdf5_row_type type, int64_t columns,
		       const char *unit);
/* Appends rows, all columns of each, to a dataset that was created with these. */
void hdf5_rows_append(struct hdf5_rows *rows, const char *path, enum hdf5_row_type type, int64_t columns,
		      int64_t count, const void *values);
/* Writes all rows so far, after which a copy of the file is a complete file; false after a failure, which remains. */
bool hdf5_rows_save(struct hdf5_rows *rows);
/* Closes the file and frees `rows`; SONDE_RESOURCE if anything failed. `path` is for the message. */
sonde_status hdf5_rows_close(struct hdf5_rows **rows, const char *path);

/* Rows of a chunk of a dataset with that many columns: reads of multiples of it are fastest. */
int64_t hdf5_rows_of_chunk(enum hdf5_row_type type, int64_t columns);

/* Of a file that is open for reading: some rows of a dataset, all columns of each; *to must have room for them. `columns` 0: of rank 1.
 * SONDE_INVALID if the dataset is missing, has another rank or width, or fewer rows. */
sonde_status hdf5_reader_rows(struct hdf5_reader *reader, const char *path, enum hdf5_row_type type, int64_t columns,
			      int64_t first, int64_t count, void *to);
/* One row of texts of any length, to be freed. */
sonde_status hdf5_reader_row_text(struct hdf5_reader *reader, const char *path, int64_t row, char **text);
/* The number of rows, -1 if there is no such dataset, and of columns, 0 for rank 1. */
int64_t hdf5_reader_row_count(struct hdf5_reader *reader, const char *path, int64_t *columns);
/* An attribute that is a text, to be freed; SONDE_INVALID if there is none. */
sonde_status hdf5_reader_attribute(struct hdf5_reader *reader, const char *path, const char *name, char **text);

#endif
