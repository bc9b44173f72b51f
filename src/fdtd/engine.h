/* Jobs from requests, for the programs that draw them. */
#ifndef SONDE_FDTD_ENGINE_H
#define SONDE_FDTD_ENGINE_H

#include "run/engine.h"
#include "sonde/fdtd.h"

/* The job of a request; it points into the request, which must outlive it. */
void fdtd_job_of(const struct engine_request *request, sonde_fdtd_job *job);

#endif
