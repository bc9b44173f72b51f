/* Requests of programs to any engine: the inside of sonde/result.h. */
#ifndef SONDE_JOB_REQUEST_H
#define SONDE_JOB_REQUEST_H

#include "run/engine.h"
#include "sonde/result.h"

/* The table of a block, of an engine or `build`; SONDE_INVALID if there is none of that name. */
sonde_status block_find(const char *block, const struct option_table **table);

/* The parts of a job that an engine's request consists of: options, lists, the block `build`, the described sample, the
 * file. */
void job_fill_request(const sonde_job *job, const struct engine *engine, struct engine_request *request);
/* The sample's file as named in the job; "" if there is none. And the frame of it. */
const char *job_sample_name(const sonde_job *job, int64_t *frame);

#endif
