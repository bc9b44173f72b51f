/* The formats of volume files, by the endings of their names. */
#ifndef SONDE_IO_VOLUME_FORMATS_H
#define SONDE_IO_VOLUME_FORMATS_H

#include "io/volume/volume_output.h"

/* Endings of the formats for grids only, separated by blanks. */
#define VOLUME_FILES ".dx .dx.gz .cube .cube.gz .cub .mrc .map .ccp4 .vtk"

/* The format of a name's ending; null if there is none. */
const struct volume_format *volume_format(const char *path);
/* The ending that determines the format, such as ".dx.gz"; "" if there is none. */
const char *volume_suffix(const char *path);

/* Reads a file, and writes one; both fail with a message for unsuitable formats. */
sonde_status volume_read(const char *path, struct volume *volume);
/* Whether a file can hold such a grid with a number for each point, with a vector, or with both. */
sonde_status volume_check(const char *path, const struct grid *grid, bool values, bool vectors);
/* Outcome of a conversion. */
struct volume_conversion {
	char note[VOLUME_TITLE]; /* losses, such as vectors that a format cannot hold; "" if there are none */
	const char *from, *to;   /* names of the formats */
	struct grid grid;
	bool values, vectors; /* points written */
	char unit[32], vector_unit[48];
};
/* Reads a volume and writes it in another format. */
sonde_status volume_convert(const char *from, const char *to, bool overwrite, struct volume_conversion *conversion);
sonde_status volume_write(const char *path, const struct volume *volume, int threads, bool overwrite);

/* Opens a file for the values, the vectors or both of a grid; fails for formats that do not suit, or cannot be written
 * in parts. The header must outlive it. */
sonde_status volume_output_open(struct volume_output *output, const char *path, const struct volume *header,
				bool values, bool vectors, int threads, bool overwrite);

#endif
