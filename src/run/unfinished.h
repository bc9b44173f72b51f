/* Sums of one sample that are kept while they are computed: a checkpoint next to the output, from time to time and when the run is
 * stopped. The sums consist of parts with names, each of which is done piece by piece, in their order, and has numbers of the engine. All
 * ranks come to these calls and have the same numbers; the first one writes the file. A null pointer stands for a run that keeps nothing. */
#ifndef SONDE_RUN_UNFINISHED_H
#define SONDE_RUN_UNFINISHED_H

#include "run/context.h"
#include "run/engine.h"

struct unfinished;

/* The numbers of a part after its first `done` pieces of `pieces`: zeros at first. */
struct unfinished_part {
	char name[64];
	uint64_t pieces, done, size; /* bytes */
	uint64_t used;               /* of these: others are zeros still; the engine may reduce it */
	void *numbers;
};

/* How a run is kept. */
struct unfinished_job {
	const struct option_table *options; /* of the engine: those that must be the same when the run is resumed */
	const void *values;
	const struct text *sample; /* further lines by which jobs are compared */
};

/* Begins with nothing or, with the option `resume`, with the parts of PATH.checkpoint. Freed by unfinished_end(), also after a failure. */
sonde_status unfinished_begin(sonde_context *context, const struct unfinished_job *job, const char *path,
			      struct unfinished **unfinished);
/* Parts that are found or added from now on belong to sums with this number, 0 at first: these may have parts of the same names as others. */
void unfinished_set_number(struct unfinished *unfinished, int number);
/* Finds or adds a part: *pieces are those of this run, or become those of an earlier run that has begun it. `size` bytes of numbers must be
 * the same. Null if nothing is kept, or if there is too little memory for it. */
sonde_status unfinished_part(struct unfinished *unfinished, const char *name, uint64_t *pieces, uint64_t size,
			     struct unfinished_part **part);
/* The part, if an earlier run has begun it with as many pieces; else null. */
struct unfinished_part *unfinished_find(const struct unfinished *unfinished, const char *name, uint64_t pieces,
					uint64_t size);
/* The name of the first part whose name begins with this, as of an earlier run that cut its work in another way; null: there is none. */
const char *unfinished_name(const struct unfinished *unfinished, const char *beginning);
/* How many of the pieces that are left to do before the next call of unfinished_advance(): some seconds of work. `first`: for each device
 * of all ranks, where others were done before, which may have taken another time; else 0. */
sonde_status unfinished_round(struct unfinished *unfinished, uint64_t first, uint64_t left, uint64_t *count);
/* After these: the numbers of the part have been changed. Writes the file if it is time for it. */
sonde_status unfinished_advance(struct unfinished *unfinished, struct unfinished_part *part, uint64_t count);
/* Keeps the parts of a run that ended with this status if it was stopped on request, and frees; returns the status of the run. */
sonde_status unfinished_end(struct unfinished **unfinished, sonde_status status);
/* Seconds of this run and of those that it continues. */
double unfinished_seconds(const struct unfinished *unfinished);

bool unfinished_is_checkpoint(const char *path);
sonde_status unfinished_describe(const char *path, struct report *report);

#endif
