/* Jobs of requests, for those who draw them. */
#ifndef SONDE_FDTD_ENGINE_H
#define SONDE_FDTD_ENGINE_H

#include "run/engine.h"
#include "sonde/fdtd.h"

/* The job that a request is for; it points into the request, which must outlive it. */
void fdtd_job_of(const struct engine_request *request, sonde_fdtd_job *job);

#endif
