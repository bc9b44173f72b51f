/* Arrays of results, in SI units along the job's axes. */
#ifndef SONDE_FDTD_JOB_RESULT_ARRAYS_H
#define SONDE_FDTD_JOB_RESULT_ARRAYS_H

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
/* Unit of cross-sections, m^2; m in two dimensions. */
double job_area_unit(const struct job_space *space);
/* V/m, or A/m of the engine's H. */
double job_field_unit(const struct job_space *space, enum field field);
/* "Ex" for the engine's component, by the job's axes. */
void job_component_name(const struct job_space *space, enum field field, int component, char name[4]);
int job_flat_axes(const struct job_space *space);

#endif
