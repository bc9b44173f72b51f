/* What others take from the engine's row. */
#ifndef SONDE_IONS_ENGINE_H
#define SONDE_IONS_ENGINE_H

#include "run/engine.h"
#include "sonde/ions.h"

/* The job that is asked for; its items and texts are those of the request. */
void ions_job_of(const struct engine_request *request, sonde_ions_job *job);

#endif
