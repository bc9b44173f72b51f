/* Bounded nonlinear least squares: x within low <= x <= high that minimizes |r(x)|^2, by the method of Levenberg and Marquardt, the algorithm
 * of MINPACK in Eigen (base/minpack.h). Steps end on the bounds that they would cross (D. P. Bertsekas, SIAM J. Control Optim. 20 (1982)
 * 221; C. Kanzow, N. Yamashita, M. Fukushima, J. Comput. Appl. Math. 172 (2004) 375); a parameter at a bound is kept there while r(x) falls
 * toward the outside, and is free again when it does not. The parameters are the unknowns themselves: those at bounds have exactly these
 * values, and the others have the derivatives that intervals need. */
#ifndef SONDE_BASE_LEAST_SQUARES_H
#define SONDE_BASE_LEAST_SQUARES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct least_squares_problem {
	int parameters;           /* at least 1 */
	int64_t residuals;        /* at least as many */
	const double *low, *high; /* [parameters], low < high; may be infinite */
	const double *scales;     /* [parameters], above 0: large changes; the first step is half as large at most */
	void *state;
	/* r(x), [residuals]. Numbers that are not finite refuse a step. A failure ends the search. */
	sonde_status (*residual)(void *state, const double *x, double *r);
	/* dr/dx, [parameter][residual], at x where r was computed last. A failure ends the search. */
	sonde_status (*derivatives)(void *state, const double *x, const double *r, double *jacobian);
	/* After the first residual (step 0) and each step that lowers |r|^2; null: none. A failure ends the search with this status. */
	sonde_status (*report)(void *state, int step, const double *x, double square);
	/* The search ends where |r|^2 changes by a smaller part than this, or the cosine between r and its derivatives is smaller, as 1e-10; */
	double tolerance;
	/* and where another step would change no combination of parameters by more than this part of its standard error; 0: not for that. */
	double convergence;
	int64_t freedom; /* for standard errors, the variance of r is |r|^2 over this; 0: the number of residuals */
	int most_steps;
};

struct least_squares_solution {
	double *x; /* [parameters] */
	double square;
	double *jacobian; /* [parameter][residual], at x */
	bool *at_bound;   /* [parameters]: kept there, since r(x) falls toward the outside */
	/* [parameter][parameter]: (J^T J)^-1 of the others, of unit variance, with 0 in the rows and columns of those at bounds; rows of
	 * parameters that J does not determine have infinity on the diagonal and 0 else */
	double *covariance;
	int steps, evaluations; /* steps that lowered |r|^2, and residuals computed */
	bool converged;         /* else `most_steps` were done */
};

/* From `start`, within the bounds. SONDE_INVALID for problems with fewer residuals than parameters, and where r(start) is not finite.
 * Freed by least_squares_free(), also after failures; after a failure of a function of the problem x is the best so far if there is one. */
sonde_status least_squares_solve(const struct least_squares_problem *problem, const double *start,
				 struct least_squares_solution *solution);
void least_squares_free(struct least_squares_solution *solution);

/* (a^T a)^-1 of `count` columns of a, [column][row], those with use[k] (null: all): as `covariance` above. */
sonde_status least_squares_covariance(const double *a, int count, int64_t rows, const bool *use, double *covariance);

#endif
