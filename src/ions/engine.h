/* Parts of the engine's row used by other files. */
#ifndef SONDE_IONS_ENGINE_H
#define SONDE_IONS_ENGINE_H

#include "run/engine.h"
#include "sonde/ions.h"

/* The requested job; its items and texts belong to the request. */
void ions_job_of(const struct engine_request *request, sonde_ions_job *job);

#endif
