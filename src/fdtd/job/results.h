/* Results of kinds of monitors, each in a file of its own. */
#ifndef SONDE_FDTD_JOB_RESULTS_H
#define SONDE_FDTD_JOB_RESULTS_H

#include "fdtd/job/result_arrays.h"

/* job/permittivity.c: the array "permittivity" on the nodes of a sampling, `sizes` of the job's axes: the real part
 * relative to vacuum at the first source's frequency, the mean of the edges that meet there; infinite if most of them
 * are conductors. */
sonde_status job_add_permittivity(const struct job_space *space, const struct job_sources *sources,
				  const struct field_sampling *sampling, const int64_t sizes[3],
				  sonde_fdtd_monitor *result);

/* job/source_power.c */
sonde_status job_source_power_result(const struct job_space *space, const struct job_sources *sources,
				     const struct job_monitor *monitor, const struct simulation *simulation,
				     sonde_fdtd_monitor *result);

/* job/far_field.c */
sonde_status job_far_field_result(const struct job_space *space, const struct job_sources *sources,
				  const struct job_monitor *monitor, struct simulation *simulation,
				  sonde_fdtd_monitor *result);

#endif
