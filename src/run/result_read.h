/* Readers of result files: numbers at a path, and the steps that the readers of all engines have in common. */
#ifndef SONDE_RUN_RESULT_READ_H
#define SONDE_RUN_RESULT_READ_H

#include "io/containers/hdf5.h"
#include "sonde/context.h"

sonde_status result_read_integer(struct hdf5_reader *reader, const char *path, int64_t *value);
/* An integer that is an int of at least 0. */
sonde_status result_read_count(struct hdf5_reader *reader, const char *path, int *value);
sonde_status result_read_real(struct hdf5_reader *reader, const char *path, double *value);
/* An array of exactly these sizes, to be freed. */
sonde_status result_read_reals(struct hdf5_reader *reader, const char *path, const int64_t *sizes, int rank,
			       double **values);

/* An engine's reader of an open file into a result of zeros, which is freed after failures. */
struct result_reading {
	size_t size; /* of the result */
	sonde_status (*read)(sonde_context *context, struct hdf5_reader *reader, const char *path, void *result);
	void (*free)(void **result);
};
/* Reads the result of a file; *result is null after a failure. `context` is handed on. */
sonde_status result_read(const struct result_reading *reading, sonde_context *context, const char *path,
			 void **result);

#endif
