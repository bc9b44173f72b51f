/* Result files: their formats by the endings of their names, and text tables. */
#ifndef SONDE_RUN_RESULT_TABLE_H
#define SONDE_RUN_RESULT_TABLE_H

#include <stdbool.h>

#include "base/text.h"

#define RESULT_NEXUS_ENDINGS ".h5 .hdf5 .nxs"
#define RESULT_TABLE_ENDINGS ".csv .dat .txt .xy"

/* A file format for an engine's results. */
struct result_format {
	const char *endings; /* separated by blanks */
	sonde_status (*write)(const void *result, const char *path, bool overwrite);
	/* For text, in place of write(): with commas if the name ends in .csv, else with blanks. */
	sonde_status (*append)(const void *result, bool csv, struct text *text);
};

/* The one of `formats`, which end with {NULL}, with the ending of a name; null: none. */
const struct result_format *result_format_find(const struct result_format *formats, const char *path);
/* SONDE_INVALID if there is none: the message names all endings. */
sonde_status result_format_check(const struct result_format *formats, const char *path);
/* Writes a result in the format of the ending of `path`. */
sonde_status result_write(const struct result_format *formats, const void *result, const char *path, bool overwrite);
/* Writes a text that was generated with `status`, if that is SONDE_OK, and frees it. */
sonde_status result_text_write(sonde_status status, struct text *text, const char *path, bool overwrite);

#endif
