/* Measured curves: scale and background fitted to them. */
#ifndef SONDE_DEBYE_COMPARISON_H
#define SONDE_DEBYE_COMPARISON_H

#include "debye/debye.h"
#include "io/containers/hdf5.h"
#include "io/containers/hdf5_reader.h"
#include "run/report.h"

/* Checks that the curve has more points than parameters. */
sonde_status comparison_check(const sonde_debye_options *options);
/* Fits scale and background after all curves of the result are there. */
sonde_status comparison_make(sonde_context *context, const struct curve_file *measured, sonde_debye_result *result);
void comparison_free(sonde_debye_comparison **comparison);
/* The curve that is compared: its name as a column. */
const char *comparison_curve(const sonde_debye_result *result);

/* In files and summaries. */
void comparison_write(const sonde_debye_result *result, struct hdf5_writer *writer);
sonde_status comparison_read(struct hdf5_reader *reader, sonde_debye_result *result);
void comparison_append(const sonde_debye_result *result, struct text *text);
void comparison_summarize(const sonde_debye_result *result, struct report *report);
sonde_status comparison_describe(struct hdf5_reader *reader, struct report *report);

#endif
