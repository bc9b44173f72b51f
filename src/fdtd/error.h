/* The errors of a result: from estimates, or from a companion run with coarser cells. docs/fdtd_theory.md, Errors. */
#ifndef SONDE_FDTD_ERROR_H
#define SONDE_FDTD_ERROR_H

#include "fdtd/job/prepared.h"

/* Of the grid, of the end of the run, and of round-off, relative to the largest values, into the result, whose steps
 * and remaining field are set. */
void fdtd_estimate_errors(const struct fdtd_run *run, sonde_fdtd_result *result);
/* Runs a prepared job with cells COMPANION_COARSER times as long: before its own run, which takes longer, so that
 * errors there are reported at once. *companion is null after a failure. */
#define COMPANION_COARSER 1.5
sonde_status fdtd_run_companion(const struct fdtd_run *run, sonde_fdtd_result **companion);
/* Adds an array NAME-error to each one-dimensional array of each monitor that both have. */
sonde_status fdtd_add_errors(const sonde_fdtd_job *job, const sonde_fdtd_result *companion,
			     sonde_fdtd_result *result);

#endif
