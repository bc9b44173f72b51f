/* Files of fits, those of sonde match and sonde refine: HDF5 with everything, or a table. */
#ifndef SONDE_MATCH_FIT_FILE_H
#define SONDE_MATCH_FIT_FILE_H

#include "io/containers/hdf5.h"
#include "match/match_result.h"
#include "run/provenance.h"

/* The two forms of a result. */
struct fit_file {
	sonde_status (*write)(struct hdf5_writer *writer, const void *result, const struct provenance *provenance);
	sonde_status (*append)(const void *result, const struct provenance *provenance, bool csv, struct text *text);
};

/* SONDE_INVALID for names whose endings belong to no format. */
sonde_status fit_file_check(const char *path);
/* Writes a result in the format of the ending of `path`; an existing file is an error unless `overwrite`. */
sonde_status fit_file_write(const struct fit_file *file, const void *result, const struct provenance *provenance,
			    const char *path, bool overwrite);

/* Measured curve `number`, from 0, in the group /ROOT/curve, or /ROOT/curve_2, ...; with the contributions of `contributions` candidates. */
sonde_status fit_file_write_curve(struct hdf5_writer *writer, const char *root, int number,
				  const struct match_curve *curve, int64_t contributions);

/* A number of each item of an array of structs, `offset` bytes from its begin, as the dataset `path`. */
sonde_status fit_file_write_column(struct hdf5_writer *writer, const char *path, const void *items, int64_t count,
				   size_t stride, size_t offset, const char *unit);
/* Texts as one dataset: text(items, k) is that of item k. */
typedef const char *fit_file_text(const void *items, int64_t k);
sonde_status fit_file_write_texts(struct hdf5_writer *writer, const char *path, const void *items, int64_t count,
				  fit_file_text *text);

#endif
