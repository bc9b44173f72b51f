/* Nonlinear least squares by the method of Levenberg and Marquardt: a C interface to the algorithm of MINPACK (J. J. More, B. S. Garbow,
 * K. E. Hillstrom, report ANL-80-74, 1980) in Eigen (minpack.cpp). Parameters with bounds are functions of unbounded unknowns (bounds.h).
 * Each call of the functions takes many patterns here: in addition to the tests of base/least_squares.h, which is for functions that take
 * less, the search ends where no combination of parameters would change by more than a part of its standard error. */
#ifndef SONDE_REFINE_MINPACK_H
#define SONDE_REFINE_MINPACK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct minpack_problem {
	int unknowns;
	int64_t points;     /* at least as many */
	int64_t freedom;    /* points less all parameters, also linear ones: the variance is |r|^2 over this */
	int64_t steps;      /* most */
	double convergence; /* the part of a standard error that another step may change; see below */
	double noise;       /* relative accuracy of |r|^2: changes by less are convergence, too */
	void *user;
	/* Residuals [points], and their derivatives [unknown][point], at x. Not 0: to stop. */
	int (*residuals)(void *user, const double *x, double *r);
	int (*jacobian)(void *user, const double *x, double *derivatives);
	/* After each step, from 1, with |r|^2 at x. */
	int (*step)(void *user, int64_t number, const double *x, double square);
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
