/* The state of a run in its checkpoint, PATH.checkpoint: one walk over it saves and restores. */
#ifndef SONDE_RUN_CHECKPOINT_FILE_H
#define SONDE_RUN_CHECKPOINT_FILE_H

#include "run/state.h"

sonde_status checkpoint_save(const char *path, const struct state_kind *kind, state_walk *walk, void *user);
/* The whole file; SONDE_INVALID if it is longer than the walk. */
sonde_status checkpoint_restore(const char *path, const struct state_kind *kind, state_walk *walk, void *user);

#endif
