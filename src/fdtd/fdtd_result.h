/* Writes results of jobs to files. */
#ifndef SONDE_FDTD_FDTD_RESULT_H
#define SONDE_FDTD_FDTD_RESULT_H

#include "base/text.h"
#include "sonde/fdtd.h"

/* SONDE_INVALID if no result can be written to a file of that name. */
sonde_status fdtd_check_format(const char *path);
/* A table of the monitors' one-dimensional data. To be freed by text_free(). */
sonde_status fdtd_table_text(const sonde_fdtd_result *result, bool csv, struct text *text);
/* result_nexus.c */
sonde_status fdtd_write_nexus(const sonde_fdtd_result *result, const char *path, bool overwrite);

#endif
