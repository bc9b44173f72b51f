/* A picture whose finished points are kept: a checkpoint next to the output, from time to time and when a run is
 * stopped. */
#ifndef SONDE_PATTERN_AVERAGE_PICTURE_H
#define SONDE_PATTERN_AVERAGE_PICTURE_H

#include <pthread.h>

#include "pattern/pattern.h"
#include "pattern/pixel_sets.h"
#include "run/report.h"

struct picture {
	struct pattern_plan *plan;
	const struct pattern_values *values;
	const char *output; /* null: nothing is kept */
	bool writes;        /* of several ranks the first one does */
	struct pattern_pieces pieces;
	struct pixel_sets sets;         /* of the pieces */
	struct pattern_patches patches; /* by the fast method */
	struct pattern_division division;
	bool begun;
	struct text job;
	double began, saved, earlier; /* seconds */
	pthread_mutex_t saving;
};

/* Begins, or with the option `resume` takes the finished points of an earlier run, which the sums of the plan then leave out.
 * Ended by picture_end(), also after a failure. */
sonde_status picture_begin(const sonde_context *context, struct pattern_plan *plan,
			   const struct pattern_values *values, const char *output, struct picture *picture);
/* Keeps what is done if a run that ended with this status was stopped on request, and frees; returns the status of the run. */
sonde_status picture_end(struct picture *picture, sonde_status status);

bool picture_is_checkpoint(const char *path);
sonde_status picture_describe(const char *path, struct report *report);

#endif
