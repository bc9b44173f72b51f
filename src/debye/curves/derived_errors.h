/* Errors of the curves that follow from I/N, and from partials, as datasets of result files: NAME_errors beside NAME. */
#ifndef SONDE_DEBYE_DERIVED_ERRORS_H
#define SONDE_DEBYE_DERIVED_ERRORS_H

#include "debye/debye.h"
#include "io/containers/hdf5.h"

/* Those of the groups intensity, structure_factor, and pair_distribution. `unit`: of intensities, `unit_of_d`: of D(r). */
sonde_status derived_errors_write(const sonde_debye_result *result, const char *unit, const char *unit_of_d,
				  struct hdf5_writer *writer);
/* The standard errors, NAME_standard_error, of the curves of a mean over frames that have none in the result; those of sums of
 * partials as if the partials varied together, which is an upper bound. */
sonde_status derived_standard_errors_write(const sonde_debye_result *result, const char *unit, const char *unit_of_d,
					   struct hdf5_writer *writer);

#endif
