/* Results in HDF5 files, read for `sonde info`: the common part of all engines' files, in the group of the engine's name. */
#ifndef SONDE_RUN_RESULT_FILE_H
#define SONDE_RUN_RESULT_FILE_H

#include "io/containers/hdf5.h"
#include "run/report.h"

/* Reports the text at `path`, if there is one, as a line and as a member. */
void result_file_text(struct hdf5_reader *reader, struct report *report, const char *name, const char *path);
/* The same for a text of several lines. */
void result_file_lines(struct hdf5_reader *reader, struct report *report, const char *name, const char *path);
/* A number; NaN unless there is exactly one. */
double result_file_number(struct hdf5_reader *reader, const char *path);
/* The number of points of an axis, the first and the last. */
void result_file_axis(struct hdf5_reader *reader, struct report *report, const char *name, const char *path,
		      const char *unit);
/* Title, version, date, command and sample; */
void result_file_origin(struct hdf5_reader *reader, struct report *report, const char *engine);
/* all options, and the job file; */
sonde_status result_file_options(struct hdf5_reader *reader, struct report *report, const char *engine);
/* wall time and peak memory of the run. */
void result_file_time(struct hdf5_reader *reader, struct report *report, const char *engine);

/* The common part of checkpoints: the kind, how to resume from it, and the job. */
void result_file_checkpoint(struct report *report, const char *engine);
void result_file_resume(struct report *report, const char *path, const char *job);

#endif
