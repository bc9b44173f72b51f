/* Stopping and ranges of an ion in a material: its losses to electrons and in collisions, and where it comes to
 * rest. */
#ifndef SONDE_STOPPING_H
#define SONDE_STOPPING_H

#include <stdint.h>

#include "sonde/context.h"
#include "sonde/status.h"
#include "sonde/stopping_options.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The result, read-only. Arrays have one value for each energy. */
typedef struct sonde_stopping_result {
	int64_t count;
	double *energies;           /* eV, ascending */
	double *electronic;         /* stopping, eV/Angstrom */
	double *nuclear;            /* eV/Angstrom */
	double *straggling;         /* variance of the electronic loss, eV^2/Angstrom */
	double *range;              /* mean depth where ions come to rest, Angstrom */
	double *range_straggling;   /* its standard deviation */
	double *lateral_straggling; /* root mean square displacement along one lateral axis, Angstrom */
	double *path;               /* mean path length, Angstrom */
	double *difference; /* electronic stopping relative to that of options.compare, minus 1; null without it */

	int ion_number;                        /* atomic number */
	double ion_mass;                       /* amu */
	int element_count;                     /* elements of the target: */
	int elements[8];                       /* their atomic numbers, */
	double masses[8];                      /* amu, */
	double fractions[8];                   /* and atomic fractions */
	double density;                        /* g/cm^3 */
	double atoms;                          /* atoms per cubic Angstrom */
	const sonde_stopping_options *options; /* the options of the run, owned by the result */
	double seconds;                        /* wall time of the run */
	/* numerical errors of the transport equation: relative, the largest of all energies, estimated with steps
	 * twice as long */
	double range_error, range_straggling_error, lateral_straggling_error, path_error;
	struct sonde_stopping_provenance *provenance;
	/* Numerical errors of the formulas, tables, and integrals, likewise relative and the largest of all energies, not those of
	 * their models: rounding, interpolation, integration; of nuclear stopping by the fit for the universal potential, the
	 * difference of the fit from the integral. difference_error is that of `difference` itself. NaN: not known. */
	double electronic_error, nuclear_error, straggling_error, difference_error;
} sonde_stopping_result;

/* Sets every option to its default. The target must be set. */
#define sonde_stopping_options_init(options) sonde_stopping_options_init_sized((options), sizeof *(options))
/* The same for a struct of `size` bytes, the size in the version that the caller was compiled with. */
SONDE_API void sonde_stopping_options_init_sized(sonde_stopping_options *options, uint64_t size);

/* Computes stopping and ranges. *result is null after a failure, else to be freed by sonde_stopping_result_free(). */
SONDE_API sonde_status sonde_stopping_run(sonde_context *context, const sonde_stopping_options *options,
					  sonde_stopping_result **result);
/* Conversion factor from eV/Angstrom to options->units, and the name of that unit. */
SONDE_API double sonde_stopping_factor(const sonde_stopping_result *result);
SONDE_API const char *sonde_stopping_unit(const sonde_stopping_result *result);
/* Writes the result as HDF5 in NeXus form (.h5 .hdf5 .nxs), with everything, or as a table (.xy .dat .txt .csv). The file
 * appears when it is complete; an existing one is an error unless `overwrite`. */
SONDE_API sonde_status sonde_stopping_result_write(const sonde_stopping_result *result, const char *path,
						   int overwrite);
/* Reads a complete result written as HDF5. The file's seal and checksums are verified first; damaged files and files of
 * other programs or engines are refused (SONDE_INVALID). `context` may be null. *result is null after a failure, otherwise
 * to be freed by sonde_stopping_result_free(). */
SONDE_API sonde_status sonde_stopping_result_read(sonde_context *context, const char *path,
						  sonde_stopping_result **result);
/* Writes the table in the layout of SRIM's SR_OUTPUT.txt. */
SONDE_API sonde_status sonde_stopping_result_write_srim(const sonde_stopping_result *result, const char *path,
							int overwrite);
SONDE_API void sonde_stopping_result_free(sonde_stopping_result **result);

#ifdef __cplusplus
}
#endif
#endif
