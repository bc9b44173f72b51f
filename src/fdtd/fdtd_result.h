/* Output of the results of jobs to files. */
#ifndef SONDE_FDTD_FDTD_RESULT_H
#define SONDE_FDTD_FDTD_RESULT_H

#include "base/text.h"
#include "io/containers/hdf5.h"
#include "sonde/fdtd.h"

/* SONDE_INVALID if no result can be written to a file of that name. */
sonde_status fdtd_check_format(const char *path);
/* A table of the monitors' one-dimensional data. To be freed by text_free(). */
sonde_status fdtd_table_text(const sonde_fdtd_result *result, bool csv, struct text *text);
/* Arrays come in pairs, NAME_real and then NAME_imag, if numbers are complex. */
enum result_part { RESULT_WHOLE, RESULT_REAL, RESULT_IMAGINARY };
enum result_part result_part_of(const char *array);
#define RESULT_PART_SUFFIX 5 /* bytes of "_real" and "_imag" */

/* Numbers of a plan in a file, in addition to those of the grid. */
#define RESULT_PLAN_NUMBERS 7
/* The group of those of a streamed grid. */
#define RESULT_STREAMING "/fdtd/process/streamed"

/* result_nexus.c; result_read.c reads such files. */
sonde_status fdtd_contents(const void *result, struct hdf5_writer *writer);
sonde_status fdtd_write_nexus(const sonde_fdtd_result *result, const char *path, bool overwrite);

#endif
