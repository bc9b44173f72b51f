/* A file's contents in memory: what a writer of HDF5 files is given, kept as named arrays instead of being written. */
#ifndef SONDE_IO_HDF5_CONTENTS_H
#define SONDE_IO_HDF5_CONTENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "sonde/result.h"

struct hdf5_contents;

/* Empty ones; *contents is null after a failure, else to be freed by hdf5_contents_free(). */
sonde_status hdf5_contents_create(struct hdf5_contents **contents);
/* After the last object: the first failure, after which *contents is null. */
sonde_status hdf5_contents_complete(struct hdf5_contents **contents);
void hdf5_contents_free(struct hdf5_contents **contents);

/* The arrays and attributes in the order in which they were written. */
void hdf5_contents_view(const struct hdf5_contents *contents, sonde_contents *view);

/* For the writer's functions: each keeps one object. Values are copied, unless they lie in an array that was announced by
 * hdf5_writer_lasts(). */
struct hdf5_values {
	const char *path;
	enum sonde_element element;
	const void *values;
	const double *imaginary; /* of complex numbers, which are pairs of `values` and these; else null */
	const int64_t *sizes;
	int rank;
	int64_t size; /* bytes of a text; 0: other elements */
	const char *unit, *long_name;
};
void hdf5_contents_add(struct hdf5_contents *contents, const struct hdf5_values *values);
void hdf5_contents_attribute(struct hdf5_contents *contents, const char *path, const char *name,
			     const char *const *texts, int count);
void hdf5_contents_link(struct hdf5_contents *contents, const char *path, const char *to);
void hdf5_contents_lasts(struct hdf5_contents *contents, const void *values, uint64_t bytes);
/* An array of float64 of theirs, which lasts likewise; null after a failure. */
double *hdf5_contents_numbers(struct hdf5_contents *contents, uint64_t count);

#endif
