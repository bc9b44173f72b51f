/* The errors of a result: from estimates, or from a companion run with coarser cells. docs/fdtd_theory.md, Errors. */
#ifndef SONDE_FDTD_ERROR_H
#define SONDE_FDTD_ERROR_H

#include "fdtd/job/prepared.h"

/* Sets the errors of a result that are due to the grid, the end of the run, and round-off, relative to the largest
 * values. The steps and the remaining field of the result must be set. */
void fdtd_estimate_errors(const struct fdtd_run *run, sonde_fdtd_result *result);
/* The job with cells COMPANION_COARSER times as long, whose lists are those of the run's job. To be freed; null after a
 * failure. */
#define COMPANION_COARSER 1.5
sonde_status fdtd_make_companion(const struct fdtd_run *run, sonde_fdtd_job **companion);
/* The error of fields in 16 bits is measured by a pair of jobs with cells some times as long: in 16 bits, and in float32.
 * They are STORAGE_COARSER times as long, or if that is not possible COMPANION_COARSER times. To be freed; null after a
 * failure. */
#define STORAGE_COARSER 2.0
sonde_status fdtd_make_storage_companion(const struct fdtd_run *run, double times, bool in_words,
					 sonde_fdtd_job **companion);
/* The largest relative deviation of an array of monitors (root of the sum of squares), for the job's own number of
 * steps. */
double fdtd_storage_error(double times, const sonde_fdtd_result *in_words, const sonde_fdtd_result *exact);
/* Adds an array NAME-error to each one-dimensional array of each monitor that both have. The result's companion_error stays NaN if
 * there is none. */
sonde_status fdtd_add_errors(const sonde_fdtd_job *job, const sonde_fdtd_result *companion,
			     sonde_fdtd_result *result);
/* Adds an array NAME-error to fields against time: from the companion, if there is one (or null), otherwise by estimates, if
 * there are any. After fdtd_estimate_errors() and fdtd_add_errors(). */
sonde_status fdtd_add_signal_errors(const struct fdtd_run *run, const sonde_fdtd_result *companion,
				    sonde_fdtd_result *result);
/* Adds the errors of the grid to those of resonances, likewise. */
void fdtd_add_resonance_errors(const struct fdtd_run *run, const sonde_fdtd_result *companion,
			       sonde_fdtd_result *result);

#endif
