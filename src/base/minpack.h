/* Nonlinear least squares by the method of Levenberg and Marquardt: a C interface to the algorithm of MINPACK (J. J. More, B. S. Garbow,
 * K. E. Hillstrom, report ANL-80-74, 1980) in Eigen (minpack.cpp). Bounds and all else that programs want are in base/least_squares.h, which
 * calls this. */
#ifndef SONDE_BASE_MINPACK_H
#define SONDE_BASE_MINPACK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct minpack_problem {
	int unknowns;
	int64_t points;     /* at least as many */
	int64_t freedom;    /* the variance is |r|^2 over this */
	int64_t steps;      /* most */
	double convergence; /* the part of a standard error that another step may change; see below */
	double
	    tolerance; /* relative change of |r|^2, and cosine of the angle between r and its derivatives: less is convergence, too */
	void *user;
	/* Residuals [points] at x. Not 0: to stop. Numbers that are not finite refuse a step. */
	int (*residuals)(void *user, const double *x, double *r);
	/* Their derivatives [unknown][point] at x, where they are r and were computed last; and lengths[unknown] > 0, in which steps p are
	 * measured: |lengths p|. They are those of the last call, at first 0. *radius > 0: the largest length of the next step, needed in the first
	 * call; else it follows from the steps before. */
	int (*jacobian)(void *user, const double *x, const double *r, double *derivatives, double *lengths,
			double *radius);
	/* After each step that lowers |r|^2, which is `square` now, with its number, from 1. It may change x if r at the x that it leaves is that of the step. */
	int (*step)(void *user, int64_t number, double *x, double square);
};

enum minpack_end {
	MINPACK_CONVERGED, /* the linear problem at x reduces |r|^2 by less than convergence^2 times the variance */
	MINPACK_STEADY,    /* neither |r|^2 nor x change any more */
	MINPACK_MOST_STEPS,
	MINPACK_STOPPED, /* by a function of the caller */
	MINPACK_NO_MEMORY
};

/* From the start in x to the minimum in x. */
enum minpack_end minpack_minimize(const struct minpack_problem *problem, double *x);

#ifdef __cplusplus
}
#endif
#endif
