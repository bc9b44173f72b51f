/* A volume's file under construction, which volume_output_open() of volume_formats.h begins: its header, then its values in any number of parts, then its end,
 * so that a volume need not be in memory as a whole. */
#ifndef SONDE_IO_VOLUME_OUTPUT_H
#define SONDE_IO_VOLUME_OUTPUT_H

#include "io/text/text_output.h"
#include "io/volume/volume.h"

struct volume_output {
	const struct volume_format *format;
	const struct volume *header;                /* its grid, title, comments and charges */
	bool values, vectors;                       /* the data to be written */
	int threads;                                /* threads that format numbers */
	int64_t written;                            /* points */
	size_t comments;                            /* bytes of the comments */
	struct text_output text;                    /* of text formats, */
	struct file_output binary;                  /* of others */
	int64_t values_at, vectors_at;              /* their offsets in files that store one after the other */
	double first, least, largest, sum, squares; /* of the values; sums relative to the first one */
};

/* The next `count` points, in the order of the file: the first index the fastest, or with format->reversed the last one. */
sonde_status volume_output_add(struct volume_output *output, const double *values, const double *vectors,
			       int64_t count);
/* Ends the file: with SONDE_OK it gets its name, else no file is left. Returns `status`, or the failure of this call. A
 * no-op if none is open. */
sonde_status volume_output_close(struct volume_output *output, sonde_status status);
/* Returned by writers of binary formats when writing failed, with the reason in errno. The file is then removed. */
sonde_status volume_output_fail(struct volume_output *output);

#endif
