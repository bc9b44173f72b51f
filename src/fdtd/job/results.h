/* Results of monitors as arrays: for the files that make them. */
#ifndef SONDE_FDTD_JOB_RESULTS_H
#define SONDE_FDTD_JOB_RESULTS_H

#include "fdtd/job/monitors.h"

/* Adds an array of `rank` axes, each named by an array of one axis; *values is its storage, owned by the result. */
sonde_status result_add_array(sonde_fdtd_monitor *result, const char *name, const char *unit, int rank,
			      const int64_t *sizes, const char *const *axes, double **values);
/* One with a single axis, which may be "". */
sonde_status result_add_list(sonde_fdtd_monitor *result, const char *name, const char *unit, const char *axis,
			     int64_t count, double **values);
/* The monitor's frequencies and wavelengths. */
sonde_status result_add_frequencies(const struct job_monitor *monitor, sonde_fdtd_monitor *result);

/* Unit of powers of Fourier sums, J/Hz for the engine's unit; uniform axes have length 1 m. */
double job_power_unit(const struct job_space *space);
/* Sums of the plane wave's E over those steps in the middle of its box, [frequencies][components]. */
sonde_status job_incident_spectrum(const struct job_space *space, const struct job_sources *sources,
				   const struct job_monitor *monitor, uint64_t steps, double complex (*sums)[3]);

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
