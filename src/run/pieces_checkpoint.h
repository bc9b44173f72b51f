/* The completed pieces of an engine, and their checkpoint. */
#ifndef SONDE_RUN_PIECES_CHECKPOINT_H
#define SONDE_RUN_PIECES_CHECKPOINT_H

#include "run/engine.h"

/* Released by pieces_progress_free(), also after a failure. */
struct pieces_progress {
	const struct engine *engine;
	struct text job; /* the lines by which jobs are compared */
	uint64_t count;
	uint32_t each;  /* values of a piece */
	uint8_t *done;  /* of each piece, 0 or 1 */
	double *values; /* [piece][value] */
};

/* `count` pieces of `each` values, none of them done. */
sonde_status pieces_progress_make(const struct engine *engine, const void *options, uint64_t count, uint32_t each,
				  struct pieces_progress *progress);
void pieces_progress_free(struct pieces_progress *progress);
/* Writes PATH.checkpoint, replacing an older one; */
sonde_status pieces_checkpoint_save(const char *path, struct pieces_progress *progress);
/* restores from it. SONDE_INVALID if it belongs to another job: the message names the option that differs. */
sonde_status pieces_checkpoint_restore(const char *path, struct pieces_progress *progress);

/* Whether a file is such a checkpoint, and its description. */
bool pieces_is_checkpoint(const char *path);
sonde_status pieces_describe_checkpoint(const char *path, struct report *report);

#endif
