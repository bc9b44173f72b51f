/* Job files: the program's YAML files (docs/program.md), read from C. */
#ifndef SONDE_JOB_H
#define SONDE_JOB_H

#include "sonde/atoms.h"
#include "sonde/context.h"
#include "sonde/fdtd.h"
#include "sonde/ions.h"
#include "sonde/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sonde_job sonde_job;

/* Reads a job file and checks it against the tables of options: unknown keys, values out of range and missing files are SONDE_INVALID, with the
 * place in the message. A job may have blocks for several engines. Files that it names are searched in its folder, then in the current one. *job
 * is null after a failure, else to be freed by sonde_job_free(); it owns the return values of the functions below. */
SONDE_API sonde_status sonde_job_read(const char *path, sonde_job **job);
SONDE_API void sonde_job_free(sonde_job **job);

/* The options of a block, "debye", "pattern", "coulomb", "ions", "stopping", "fdtd" or "build", as a pointer to that engine's struct (const
 * sonde_debye_options * ...), complete, with defaults for those that the job does not give. Null if the job does not have the block. */
SONDE_API const void *sonde_job_options(const sonde_job *job, const char *block);
/* The block `fdtd` with its lists and, for bodies built from a crystal, the block `build`; null if the job does not have
 * it. */
SONDE_API const sonde_fdtd_job *sonde_job_fdtd(const sonde_job *job);
/* The block `ions` with its list of bodies; null if the job does not have it. */
SONDE_API const sonde_ions_job *sonde_job_ions(const sonde_job *job);

/* The sample: read from the file named in the job, or built by its block `build`; SONDE_INVALID if the job has neither or both.
 * *atoms is null after a failure, else to be freed by sonde_atoms_free(). */
SONDE_API sonde_status sonde_job_sample(const sonde_job *job, sonde_context *context, sonde_atoms **atoms);
/* The output file named in the job; "" if there is none. */
SONDE_API const char *sonde_job_output(const sonde_job *job);
/* Whether the job allows existing files to be replaced. */
SONDE_API int sonde_job_overwrites(const sonde_job *job);
/* Sets the context's device, threads, memory and time limits, and kernel cache to those of the job. */
SONDE_API sonde_status sonde_job_set_context(const sonde_job *job, sonde_context *context);
/* Warnings about likely mistakes in the job, such as a length without a unit: lines of text, "" if there are none. */
SONDE_API const char *sonde_job_notes(const sonde_job *job);

#ifdef __cplusplus
}
#endif
#endif
