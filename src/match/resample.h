/* Curves on the points of a measurement: interpolation by polynomials through neighboring points, convolved with the resolution of the
 * instrument. Each measured point is a weighted sum of neighboring points of the computed axis. */
#ifndef SONDE_MATCH_RESAMPLE_H
#define SONDE_MATCH_RESAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct resampling {
	int64_t from, to; /* numbers of points */
	bool same;        /* the points are those of the axis from `first` on */
	int64_t *first;   /* [to]: the first point of the axis that counts */
	int64_t *begin;   /* [to + 1]: weights of a point */
	double *weights;
	double
	    *coarse; /* the same with polynomials of a lower degree, for an estimate of the error; null if `same` */
};

/* Interpolation of degree 5 (3 for the estimate), fewer on axes with fewer points, between increasing points of an axis; `deviation` is
 * the standard deviation of the resolution, 0: none. All x, and with a resolution 4 deviations around them, must be within the axis
 * (resampling_reach()). Freed by resampling_free(). */
sonde_status resampling_make(const double *axis, int64_t from, const double *x, int64_t to, double deviation,
			     struct resampling *resampling);
void resampling_free(struct resampling *resampling);
/* What of an axis can be used with a resolution: the distance of x from its ends. */
double resampling_reach(double deviation);
/* A curve on the measured points. */
void resample(const struct resampling *resampling, const float *curve, double *to);
/* The same of numbers of float64. */
void resample_reals(const struct resampling *resampling, const double *curve, double *to);
/* The largest difference from interpolation of lower degree: a bound of the error of smooth curves, as a part of the largest value. */
double resampling_error(const struct resampling *resampling, const float *curve);
/* sum over measured points of v times the point's weights, on the axis: then v . resample(c) = transposed . c. */
void resampling_transpose(const struct resampling *resampling, const double *v, double *transposed);

#endif
