/* A volume's file under construction, which volume_output_open() of volume_formats.h begins: its header, then its values in as many parts as there are, then what ends it. So a
 * volume need not be in memory as a whole. */
#ifndef SONDE_IO_VOLUME_OUTPUT_H
#define SONDE_IO_VOLUME_OUTPUT_H

#include "io/text_output.h"
#include "io/volume.h"

struct volume_output {
	const struct volume_format *format;
	const struct volume *header;                /* its grid, title, comments and charges */
	bool values, vectors;                       /* what will be written */
	int threads;                                /* that make text of numbers */
	int64_t written;                            /* points */
	size_t comments;                            /* bytes that they take */
	struct text_output text;                    /* of formats that are text, */
	struct file_output binary;                  /* and of others */
	int64_t values_at, vectors_at;              /* where they begin in files that have one after the other */
	double first, least, largest, sum, squares; /* of the values; sums relative to the first one */
};

/* The next `count` points, in the order of the file: the first index the fastest, or with format->reversed the last one. */
sonde_status volume_output_add(struct volume_output *output, const double *values, const double *vectors,
			       int64_t count);
/* Ends the file: with SONDE_OK it gets its name, else nothing is left. Returns `status`, or what went wrong. Harmless on
 * one that is not open. */
sonde_status volume_output_close(struct volume_output *output, sonde_status status);
/* What writers of binary formats return where writing failed, with the reason that is in errno. The file is gone then. */
sonde_status volume_output_fail(struct volume_output *output);

#endif
