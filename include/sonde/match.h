/* Measured curves explained by mixtures of computed candidates: `sonde match` (docs/match.md). Libraries of candidates are made by
 * sonde/library.h.
 *
 * A fit is, for each measured curve, scale * sum_k weight_k * curve_k + background, with weights of at least 0 that all curves have in
 * common. Curves of candidates are I/N, S, F or G with the conventions of sonde/debye.h. */
#ifndef SONDE_MATCH_H
#define SONDE_MATCH_H

#include <stdint.h>

#include "sonde/context.h"
#include "sonde/match_options.h"
#include "sonde/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The files of a fit. To be set to zero, and struct_size to its size, before members are set. */
typedef struct sonde_match_request {
	uint64_t struct_size;          /* the size that the caller was compiled with */
	int64_t measured_count;        /* more than one: a series, whose curves are fitted each for itself */
	const char *const *measured;   /* files of measured curves: text, NXcanSAS, or results of Sonde */
	int64_t candidate_count;       /* at least one */
	const char *const *candidates; /* libraries, and results of debye as HDF5 */
} sonde_match_request;

/* What is known of a candidate. Texts are "" where nothing is known. */
typedef struct sonde_match_candidate {
	const char *name, *key; /* key: SHA-256 of what the candidate is, in hexadecimal */
	const char *source, *family, *parameters, *composition;
	int64_t atoms;
	double size; /* Angstrom; NaN: it has none */
} sonde_match_candidate;

/* A part of a residual that random deviations do not explain. */
typedef struct sonde_match_peak {
	double position, width; /* in the unit of the axis */
	double height;          /* mean of the residual there; above 0: more was measured than is explained */
	double significance;    /* of its sum, in standard deviations */
} sonde_match_peak;

/* The fit of one measured curve. Arrays have `count` values. */
typedef struct sonde_match_fit {
	const char *path;
	int kind;                /* SONDE_MATCH_CURVE_I, _S, _F or _G */
	int weights;             /* SONDE_MATCH_WEIGHTS_SIGMA, _POISSON or _UNIFORM */
	const char *radiation;   /* x-ray, neutron or electron */
	int64_t count, left_out; /* points that are fitted, and those of the file that are not */
	const double *x;         /* q in 1/Angstrom, or r in Angstrom */
	const double *measured;  /* in the unit of the file, as the following */
	const double *sigma;     /* standard deviations */
	const double *fitted, *background;
	const double *residual; /* measured - fitted */
	const double *
	    contributions; /* of each candidate with a weight, in their order: rows of `count` values; null without any */
	double scale;      /* in relation to the first curve */
	double rwp, rexp; /* weighted profile R, and its expected value */
	double chi_square;
	double interpolation_error; /* largest of the candidates with a weight, relative to their largest values */
	int64_t peak_count;
	const sonde_match_peak *peaks; /* the most significant first */
} sonde_match_fit;

/* A candidate of the mixture. */
typedef struct sonde_match_weight {
	int64_t number; /* of the candidate in the libraries, from 0; -1: a family of sizes */
	sonde_match_candidate candidate;
	double weight, error, low, high; /* with its standard error and 95 % interval */
	double fraction;                 /* of the sum of weights: of atoms, where curves are per atom */
	double inflation;                /* factor by which the other candidates increase the variance */
	int64_t
	    alternative_count; /* candidates that explain the curves as well in its place: chi^2 grows by less than 4 */
	int64_t named_count;   /* of these, those whose names are given */
	const char *const *alternatives; /* the names */
} sonde_match_weight;

/* A candidate alone. */
typedef struct sonde_match_rank {
	int64_t number;
	sonde_match_candidate candidate;
	double scale; /* of the first curve */
	double chi_square, rwp;
	double
	    probability; /* if exactly one of all candidates is right; NaN: the errors of the curve are not known */
} sonde_match_rank;

/* A refined parameter, with the option `refine` or `sizes`. */
typedef struct sonde_match_parameter {
	const char *name, *unit; /* strain, B, qdamp, qbroad, mean_size, width */
	const char *of;      /* the name of its candidate or family, or the path of its curve; "": all candidates */
	double value, error; /* with its standard error, which is 0 at a bound */
	double low, high;    /* its bounds */
	int at_bound;
} sonde_match_parameter;

/* A candidate, or a family of sizes, that is refined alone. NaN: not refined. */
typedef struct sonde_match_refined {
	sonde_match_candidate candidate;
	double scale, chi_square, rwp;
	double strain, b, qdamp, qbroad, mean_size, width;
} sonde_match_refined;

/* The result, read-only. */
typedef struct sonde_match_result {
	int64_t candidate_count; /* those that all curves have in common */
	int64_t curve_count;     /* the measured one, or the first of a series, and those of the option `with` */
	const sonde_match_fit *curves;
	int64_t weight_count; /* candidates with a weight above 0, the largest first */
	const sonde_match_weight *weights;
	int64_t rank_count; /* the best single candidates, as many as the option `ranking`, the best first */
	const sonde_match_rank *ranks;
	int64_t parameter_count;
	const sonde_match_parameter *parameters;
	/* of the parameters, and of the weights after them: (parameter_count + weight_count)^2 values, 0 of those at bounds; null
	 * without parameters */
	const double *correlations;
	int64_t refined_count;
	const sonde_match_refined *refined; /* the best first */
	double
	    sizes_left_out; /* largest part of the volume of a distribution that is beyond the sizes of its family */

	double chi_square, rwp; /* of all curves */
	int64_t points, fitted; /* fitted: the number of all parameters, weights, scales and backgrounds included */
	int64_t degrees_of_freedom; /* independent points less parameters */
	double condition;           /* number of the curves of the candidates with a weight */
	int64_t passes;             /* over a library larger than the option `most` */
	double improvement;         /* by which chi^2 might still decrease with other candidates of the library */

	/* A series, else 0 and null: weights of every candidate of the mixture in each curve. Rows of a table have series_candidate_count
	 * values, and there is one for each curve. */
	int64_t series_count, series_candidate_count;
	const sonde_match_candidate *series_candidates;
	const char *const *series_paths;
	const double *series_weights, *series_errors;
	const double *series_chi_square, *series_rwp; /* series_count values */

	const sonde_match_options *options; /* of the run, owned by the result */
	double seconds;                     /* wall time of the run */
	void *reserved;

	/* 95 % intervals of the parameters, parameter_count values each: value +- 1.96 errors within the bounds and NaN at a bound, or,
	 * with the option `bootstrap`, percentiles */
	const double *parameter_lows, *parameter_highs;
	/* Of a series with refined parameters: what they are (without value and error), and rows of series_parameter_count values for each
	 * curve, NaN where the candidate of a parameter has no weight; an error of 0: at a bound. */
	int64_t series_parameter_count;
	const sonde_match_parameter *series_parameters;
	const double *series_values, *series_value_errors;
	/* 95 % intervals of all of them, with the options `bootstrap` and `bootstrap_all`, else null: rows as above */
	const double *series_lows, *series_highs, *series_value_lows, *series_value_highs;
	/* Files of further data sets of the rows: series_further_count rows of series_count paths. */
	int64_t series_further_count;
	const char *const *series_further_paths;
	/* Of each curve: independent points, of G(r) those at the distance pi/qmax, of others all; and qmax in 1/Angstrom, 0: not known or
	 * not G(r). The errors are for these, and degrees_of_freedom counts them. */
	const int64_t *independent_points;
	const double *qmax;
} sonde_match_result;

/* Sets every option to its default. */
#define sonde_match_options_init(options) sonde_match_options_init_sized((options), sizeof *(options))
/* The same for a struct of `size` bytes, the size in the version that the caller was compiled with. */
SONDE_API void sonde_match_options_init_sized(sonde_match_options *options, uint64_t size);

/* Fits. Notes of the context (sonde_context_notes()) state what to keep in mind, such as weights that are not determined.
 * SONDE_INVALID for bad files and options. *result is null after a failure, otherwise to be freed by sonde_match_result_free(). The
 * result is the same for any number of threads. */
SONDE_API sonde_status sonde_match_run(sonde_context *context, const sonde_match_request *request,
				       const sonde_match_options *options, sonde_match_result **result);

/* Writes the result: NeXus HDF5 (.h5 .hdf5 .nxs) with everything, or a table of the weights (.xy .dat .txt .csv), with the devices of
 * the context, which is that of the run. The file appears when it is complete; an existing one is an error unless
 * `overwrite`. */
SONDE_API sonde_status sonde_match_result_write(sonde_context *context, const sonde_match_result *result,
						const char *path, int overwrite);

/* Reads a result that was written as HDF5, completely and with the same bits. The file's seal and checksums are verified first; damaged files
 * and those of other programs are refused (SONDE_INVALID). `context` may be null. *result is null after a failure. */
SONDE_API sonde_status sonde_match_result_read(sonde_context *context, const char *path, sonde_match_result **result);

/* Frees the result and sets *result to null; a null pointer or null result is allowed. */
SONDE_API void sonde_match_result_free(sonde_match_result **result);

#ifdef __cplusplus
}
#endif
#endif
