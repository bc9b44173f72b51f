/* Scalar and vector fields on grids, and the common part of their readers and writers. */
#ifndef SONDE_IO_VOLUME_H
#define SONDE_IO_VOLUME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define VOLUME_TITLE 200
#define VOLUME_CHARGE 5 /* numbers of a charge */

/* Points origin + i steps[0] + j steps[1] + k steps[2]; values are stored with the first index fastest. */
struct grid {
	int64_t size[3];
	double origin[3], steps[3][3]; /* Angstrom */
};

/* A field on a grid. Data read from files is owned, and freed by volume_free(); writers take any pointers. */
struct volume {
	struct grid grid;
	double *values;           /* one number per point; may be null */
	double *vectors;          /* three numbers per point; may be null */
	char title[VOLUME_TITLE]; /* one line */
	bool lengths_assumed;     /* of a file that did not give their unit */
	char *comments;           /* lines that begin with "#"; may be null */
	size_t comments_to_come;  /* bytes reserved for comments that will be longer when the file is complete */
	char unit[32], vector_unit[48]; /* of values and vectors; "": unknown */
	int64_t charge_count; /* charges to include in the file: x, y, z (Angstrom), charge, atomic number or 0 */
	double *charges;
};
void volume_free(struct volume *volume);

struct volume_output; /* volume_output.h */

/* A file format. */
struct volume_format {
	const char *suffixes[6]; /* ".dx", ".dx.gz", null */
	const char *name;
	bool vectors;   /* takes vectors, and needs no values */
	bool any_steps; /* not only along x, y, z */
	bool text;      /* or binary */
	bool reversed;  /* the last index is the fastest in the file */
	/* Functions that write a file in parts, volume_output.h, or at once. The file appears when it is complete. */
	sonde_status (*begin)(struct volume_output *output);
	sonde_status (*add)(struct volume_output *output, const double *values, const double *vectors, int64_t count);
	sonde_status (*end)(struct volume_output *output);
	sonde_status (*write)(const char *path, const struct volume *volume, bool overwrite);
	/* *volume is empty after a failure. */
	sonde_status (*read)(const char *path, struct volume *volume);
};
/* A value for formats without NaN, which marks points that are left out: 0 in its place. */
static inline double volume_shown(double value)
{
	return value == value ? value : 0.0;
}

/* For readers: numbers that arrive one by one, possibly more or fewer than the header announces. */
struct volume_numbers {
	double *values;
	size_t capacity;
	int64_t count;
};
sonde_status volume_numbers_add(struct volume_numbers *numbers, double value);
/* Checks the sizes of a header: at least 1 each, and not more than possible. */
sonde_status volume_check_size(const char *path, const int64_t size[3]);
/* Reorders from the last index fastest to the first. The numbers become the volume's, or are freed. */
sonde_status volume_take_reversed(struct volume *volume, struct volume_numbers *numbers);

#endif
