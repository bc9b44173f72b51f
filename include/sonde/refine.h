/* A few parameters of one structure, refined against measured curves: `sonde refine` (docs/match_refine.md). */
#ifndef SONDE_REFINE_H
#define SONDE_REFINE_H

#include <stdint.h>

#include "sonde/atoms.h"
#include "sonde/context.h"
#include "sonde/match.h"
#include "sonde/refine_options.h"
#include "sonde/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A refined parameter, or a number derived from them. */
typedef struct sonde_refine_value {
	const char *name;
	double start, value;
	double error, low, high; /* standard error, NaN at a bound; and 95 % interval */
	double lower, upper;     /* bounds; infinite: none */
	int bound;               /* -1: at the lower bound, 1: at the upper one, else 0 */
	double step;             /* of its differences */
} sonde_refine_value;

/* The result, read-only. */
typedef struct sonde_refine_result {
	int64_t parameter_count;
	const sonde_refine_value *parameters; /* in the order of the job */
	const double *correlations;           /* parameter_count^2 values, 0 of those at bounds */
	int64_t derived_count;
	const sonde_refine_value *derived;
	const sonde_match_fit *curve; /* the first measured curve, see `curves` */
	double scale;                 /* of its computed curve */
	double chi_square, rwp;       /* of all curves */
	int64_t points, fitted;       /* fitted: the number of all parameters, scales and backgrounds included */
	double atoms;                 /* mean number of atoms of the refined structure */
	int64_t structures;           /* computed in all */
	int converged;
	int64_t step_count;        /* with the start */
	const double *step_rwp;    /* after each step */
	const double *step_values; /* step_count rows of parameter_count values */
	double pattern_error;      /* largest estimate of the patterns, over <f^2> + I/N */

	const sonde_refine_options *options; /* of the run, owned by the result */
	double seconds;                      /* wall time of the run */
	void *reserved;

	int64_t curve_count;
	const sonde_match_fit
	    *curves; /* measured and fitted, with the scales of the computed ones; without contributions */
	int64_t
	    independent; /* of the points: of G(r) with a known qmax those at the distance pi/qmax; errors are for these */
} sonde_refine_result;

/* Sets every option to its default. */
#define sonde_refine_options_init(options) sonde_refine_options_init_sized((options), sizeof *(options))
/* The same for a struct of `size` bytes, the size in the version that the caller was compiled with. */
SONDE_API void sonde_refine_options_init_sized(sonde_refine_options *options, uint64_t size);

/* Refines as the job, a YAML file, describes. `output`: where the result will be written; a run that is stopped on request keeps its best
 * parameters in OUTPUT.checkpoint, from which the option `resume` continues, and is SONDE_SUSPENDED. Null: nothing is kept, and a stop is
 * SONDE_CANCELLED. With the option `structure`, the refined structure is written to that file, which must not exist. SONDE_INVALID for
 * bad jobs and options. *result is null after a failure, otherwise to be freed by sonde_refine_result_free(). */
SONDE_API sonde_status sonde_refine_run(sonde_context *context, const char *job, const sonde_refine_options *options,
					const char *output, sonde_refine_result **result);

/* The refined structure. *atoms is null after a failure, otherwise to be freed by sonde_atoms_free(). Files that the job names must still
 * exist. */
SONDE_API sonde_status sonde_refine_result_atoms(sonde_context *context, const sonde_refine_result *result,
						 sonde_atoms **atoms);

/* Writes the result: NeXus HDF5 (.h5 .hdf5 .nxs) with everything, or a table of the parameters (.xy .dat .txt .csv), with the devices of
 * the context, which is that of the run. The file appears when it is complete; an existing one is an error unless
 * `overwrite`. A checkpoint of the same name, from which the run was resumed, is removed. */
SONDE_API sonde_status sonde_refine_result_write(sonde_context *context, const sonde_refine_result *result,
						 const char *path, int overwrite);

/* Frees the result and sets *result to null; a null pointer or null result is allowed. */
SONDE_API void sonde_refine_result_free(sonde_refine_result **result);

#ifdef __cplusplus
}
#endif
#endif
