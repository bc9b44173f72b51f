/* Means whose progress is kept: a checkpoint next to the output, from time to time and when a run is stopped. */
#ifndef SONDE_PATTERN_AVERAGE_KEPT_H
#define SONDE_PATTERN_AVERAGE_KEPT_H

#include "matter/samples/samples.h"
#include "pattern/average/average.h"
#include "pattern/average/shots.h"

struct kept {
	struct average *average;
	struct samples *samples; /* null: of one sample */
	const char *output;      /* null: nothing is kept */
	struct shots *shots;     /* null: only the mean is kept */
	struct text job;
	double began, saved, earlier; /* seconds */
};

/* Begins, or with the option `resume` takes the state of an earlier run: average->samples, and average->done orientations of the
 * next one. `first`: the atoms of the first sample. Freed by kept_free(), also after a failure. */
sonde_status kept_begin(struct average *average, struct samples *samples, const sonde_atoms *first,
			const char *output, struct shots *shots, struct kept *kept);
/* To be called after each sample. */
sonde_status kept_save_sometimes(struct kept *kept);
/* Keeps what is done if a run that ended with this status was stopped on request; returns the status of the run. */
sonde_status kept_end(struct kept *kept, sonde_status status);
void kept_free(struct kept *kept);

/* Lines that describe the job of a checkpoint: program, files of options, options. */
sonde_status kept_append_files(const sonde_pattern_options *options, struct text *job);
void kept_append_options(const sonde_pattern_options *options, struct text *job);

/* The job of a checkpoint, to be freed also after a failure, and the numbers that follow it, up to KEPT_MOST each. */
#define KEPT_MOST INT64_C(9000000000000000)
struct state_kind;
sonde_status kept_read_numbers(const struct state_kind *of, const char *path, int count, const char *const names[],
			       uint64_t numbers[], char **job);

bool kept_is_checkpoint(const char *path);
sonde_status kept_describe(const char *path, struct report *report);

#endif
