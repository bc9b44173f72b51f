/* Results in HDF5 files, read for `sonde info`: what all engines' files have in common, in the group of the engine's name. */
#ifndef SONDE_RUN_RESULT_FILE_H
#define SONDE_RUN_RESULT_FILE_H

#include "io/hdf5.h"
#include "run/report.h"

/* The text at `path`, if there is one, as a line and as a member. */
void result_file_text(struct hdf5_reader *reader, struct report *report, const char *name, const char *path);
/* The same of a text of several lines. */
void result_file_lines(struct hdf5_reader *reader, struct report *report, const char *name, const char *path);
/* A number; NaN if there is not exactly one. */
double result_file_number(struct hdf5_reader *reader, const char *path);
/* How many points an axis has, the first and the last. */
void result_file_axis(struct hdf5_reader *reader, struct report *report, const char *name, const char *path,
		      const char *unit);
/* Title, version, date, command and sample; */
void result_file_origin(struct hdf5_reader *reader, struct report *report, const char *engine);
/* the device and all options; */
sonde_status result_file_options(struct hdf5_reader *reader, struct report *report, const char *engine);
/* how long the run took, with how much memory. */
void result_file_time(struct hdf5_reader *reader, struct report *report, const char *engine);

/* What is the same of checkpoints: the kind, how to resume from it, and the job. */
void result_file_checkpoint(struct report *report, const char *engine);
void result_file_resume(struct report *report, const char *path, const char *job);

#endif
