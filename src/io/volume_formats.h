/* The kinds of files that hold volumes, by the ends of their names. */
#ifndef SONDE_IO_VOLUME_FORMATS_H
#define SONDE_IO_VOLUME_FORMATS_H

#include "io/volume_output.h"

/* By the end of a name; null if it is none of them. */
const struct volume_format *volume_format(const char *path);
/* That end, ".dx.gz"; "" if it is none of them. */
const char *volume_suffix(const char *path);

/* Reads a file, and writes one; both fail with a message for kinds that do not suit. */
sonde_status volume_read(const char *path, struct volume *volume);
/* Whether a file can hold such a grid with a number for each point, with a vector, or with both. */
sonde_status volume_check(const char *path, const struct grid *grid, bool values, bool vectors);
/* What was converted. */
struct volume_conversion {
	char note[VOLUME_TITLE]; /* what was lost, as vectors where a kind has none; "": nothing */
	const char *from, *to;   /* names of the formats */
	struct grid grid;
	bool values, vectors; /* that were written */
	char unit[32], vector_unit[48];
};
/* Reads a volume and writes it as another kind. */
sonde_status volume_convert(const char *from, const char *to, bool overwrite, struct volume_conversion *conversion);
sonde_status volume_write(const char *path, const struct volume *volume, int threads, bool overwrite);

/* Opens a file for the values, the vectors or both of a grid; fails for kinds of files that do not suit, or that do not
 * take parts. The header must live on. */
sonde_status volume_output_open(struct volume_output *output, const char *path, const struct volume *header,
				bool values, bool vectors, int threads, bool overwrite);

#endif
