/* Bounded non-linear least squares: x within low <= x <= high that minimizes |r(x)|^2, by the method of Levenberg and Marquardt with the
 * scaling of J. J. More (Lecture Notes in Mathematics 630 (1978) 105) and the control of the damping of H. B. Nielsen (K. Madsen,
 * H. B. Nielsen, O. Tingleff, "Methods for Non-Linear Least Squares Problems", 2004). Parameters at a bound toward which r(x) falls are
 * kept there; a step that would leave the bounds is computed again with the parameters that reach them there. Steps are solved by the QR
 * factorization of base/dense.h. */
#ifndef SONDE_BASE_LEAST_SQUARES_H
#define SONDE_BASE_LEAST_SQUARES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct least_squares_problem {
	int parameters;           /* at least 1 */
	int64_t residuals;        /* at least as many */
	const double *low, *high; /* [parameters], low < high; may be infinite */
	const double *
	    steps; /* [parameters], above 0: of differences where `derivatives` is null; changes of x below 1e-6 of them end the search */
	void *state;
	/* r(x), [residuals]. Numbers that are not finite refuse a step. A failure ends the search. */
	sonde_status (*residual)(void *state, const double *x, double *r);
	/* dr/dx, [parameter][residual], at x where r was computed last; null: central differences, or one-sided ones with `one_sided` and where
	 * a bound leaves no room. */
	sonde_status (*derivatives)(void *state, const double *x, const double *r, double *jacobian);
	bool one_sided;
	/* After the first residual (step 0) and each successful step; null: none. A failure ends the search with this status. */
	sonde_status (*report)(void *state, int step, const double *x, double square);
	double
	    tolerance; /* relative change of |r|^2, and cosine between r and its derivatives, which end the search; as 1e-10 */
	int most_steps;
};

struct least_squares_solution {
	double *x; /* [parameters] */
	double square;
	double *jacobian; /* [parameter][residual], at x */
	bool *at_bound;   /* [parameters]: kept there, since r(x) falls toward it */
	/* [parameter][parameter]: (J^T J)^-1 of the others, of unit variance, with 0 in the rows and columns of those at bounds; rows of
	 * parameters that J does not determine have infinity on the diagonal and 0 else */
	double *covariance;
	int steps, evaluations; /* successful steps, and residuals computed */
	bool converged;         /* else `most_steps` were done */
};

/* From `start`, within the bounds. SONDE_INVALID for problems with fewer residuals than parameters, and where r(start) is not finite.
 * Freed by least_squares_free(), also after failures; after a failure of `report` or `residual` x is the best so far if there is one. */
sonde_status least_squares_solve(const struct least_squares_problem *problem, const double *start,
				 struct least_squares_solution *solution);
void least_squares_free(struct least_squares_solution *solution);

/* (a^T a)^-1 of `count` columns of a, [column][row], those with use[k] (null: all): as `covariance` above. */
sonde_status least_squares_covariance(const double *a, int count, int64_t rows, const bool *use, double *covariance);

#endif
