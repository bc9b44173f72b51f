/* The engines of src/engines.def. */
#ifndef SONDE_JOB_ENGINES_H
#define SONDE_JOB_ENGINES_H

#include "run/engine.h"

/* Engine `index`, from 0; null after the last one. */
const struct engine *engine_at(int index);
/* The engine of that name; null if there is none. */
const struct engine *engine_find(const char *name);

#endif
