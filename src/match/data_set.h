/* One measured curve and its candidates on common points: weights, background, interpolation. */
#ifndef SONDE_MATCH_DATA_SET_H
#define SONDE_MATCH_DATA_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "match/candidates.h"
#include "match/measured.h"
#include "match/resample.h"
#include "sonde/match_options.h"

struct data_set {
	struct measured measured; /* the points that are fitted */
	int64_t points_of_file;
	double file_first, file_last; /* x of the first and the last one */
	/* Of G(r) whose largest q is known, the number of points at the distance pi/qmax from the first to the last one: there are no more
	 * independent ones (C. L. Farrow, M. Shaw, H. Kim, P. Juhas and S. J. L. Billinge, Phys. Rev. B 84, 134105 (2011)). Otherwise all. */
	int64_t independent;
	double qmax;          /* 1/angstrom; 0: not known, or not G(r) */
	double inverse_share; /* square root of independent over all points: weights of points are smaller by it */
	struct candidates candidates;
	struct resampling *resamplings; /* of each source of candidates */
	int weights;                    /* SONDE_MATCH_WEIGHTS_SIGMA, _POISSON or _UNIFORM */
	double level;                   /* standard deviation of uniform weights */
	double *factors;                /* [point]: of candidates; null: 1 */
	double *computed_variances;     /* [point]: of the computed curve, added to those of the points; null: 0 */
	int polynomial_count, basis_count;
	double *polynomials; /* [polynomial][point] */
	/* set by data_set_weigh(): */
	double *inverse_sigma; /* [point] */
	double *basis;         /* [basis][point]: orthonormal, of the weighted polynomials */
	double *y;             /* [point]: weighted, without its part in the basis */
};

/* Reads the files, "MEASURED,LIBRARY,...", already split. The curve is cropped to the range that is wanted and that the candidates cover.
 * Freed by data_set_free(). */
sonde_status data_set_make(const char *measured, const char *const *candidates, int64_t count,
			   const sonde_match_options *options, struct data_set *set);
/* Opens the candidates for a measured curve of a kind; -1: not known. They are the set's, also after a failure. */
typedef sonde_status data_set_opener(void *user, int curve, bool of_r, struct candidates *candidates);
/* The same with candidates of another origin. */
sonde_status data_set_make_with(const char *measured, data_set_opener *open, void *user,
				const sonde_match_options *options, struct data_set *set);
void data_set_free(struct data_set *set);
/* A further measured curve of a series on the same points, and SONDE_INVALID if it has others. */
sonde_status data_set_replace(const char *measured, const sonde_match_options *options, struct data_set *set);
/* Another set with the same candidates and background, for a thread of its own: those stay with the first one. Freed by data_set_free_copy(). */
sonde_status data_set_copy(const struct data_set *set, struct data_set *copy);
void data_set_free_copy(struct data_set *copy);
/* Standard deviations: `fitted` null: the first ones; else of counts by the fitted curve. */
sonde_status data_set_weigh(struct data_set *set, const double *fitted);
/* The square of a weighted curve without its part in the basis, as a part of the whole square, below which nothing but rounding of float32 may
 * be left: it is 0 then. */
#define DATA_SET_FLAT 1e-10
/* A curve [point] becomes weighted, and loses its part in the basis. */
void data_set_project(const struct data_set *set, double *curve);
/* A curve of candidates on the measured points, with their factors, without weights. */
void data_set_resample(const struct data_set *set, size_t source, const float *curve, double *to);
/* The same of numbers of float64. */
void data_set_resample_reals(const struct data_set *set, size_t source, const double *curve, double *to);
/* The best background of an unweighted remainder y - sum of candidates: [point]. */
void data_set_background(const struct data_set *set, const double *remainder, double *background);

#endif
