/* Least squares with non-negative unknowns: x >= 0 minimizes |A x - y|^2 + 2 lambda sum_j |a_j| x_j, by active sets (Lawson and Hanson,
 * "Solving Least Squares Problems", 1974, chapter 23). Columns are used as if they had unit length, so that their units do not matter.
 *
 * Equations of the positive unknowns are solved by a Cholesky factorization of their normal matrix, corrected with residuals of the columns
 * themselves (corrected seminormal equations: A. Bjorck, Linear Algebra Appl. 88-89 (1987) 31), which has the accuracy of a QR
 * factorization. Columns that depend linearly on those in use stay at 0. */
#ifndef SONDE_MATCH_NNLS_H
#define SONDE_MATCH_NNLS_H

#include <stdint.h>

#include "base/status.h"

struct nnls_problem {
	int columns;
	int64_t rows;
	const double *a; /* [column][row] */
	const double *y;
	/* A^T A, [column][column], if it is at hand, as for many y: active sets are then found with it, and confirmed with A. Null: not. */
	const double *gram;
	double penalty;     /* lambda, in the unit of y; 0: none */
	const int *allowed; /* null: all columns; else numbers of columns that may be positive, and their count */
	int allowed_count;
	const int *start; /* columns that are positive at the beginning; may be null */
	int start_count;
	int threads;
};

struct nnls_solution {
	double *x;        /* [columns] */
	int active_count; /* positive unknowns, in the order of their columns */
	int *active;
	double *covariance; /* [active][active]: (A_P^T A_P)^-1 of the active columns; of unit variance */
	double *norms;      /* [active]: lengths of the active columns */
	double *residual;   /* [rows]: y - A x */
	double square;      /* its square */
	double gradient;    /* the largest a_j (y - A x)/|a_j| - lambda of the others: above 0 by rounding only */
	int dependent;      /* columns that were refused since they depend on others */
	int steps;
};

/* Freed by nnls_free(), also after failures, which are SONDE_RESOURCE: no memory, or more steps than 10 per column. */
sonde_status nnls_solve(const struct nnls_problem *problem, struct nnls_solution *solution);
void nnls_free(struct nnls_solution *solution);
/* The active column without which the square of the residual grows least, by its place among the active ones; -1 if there is none. */
int nnls_least_active(const struct nnls_solution *solution);

#endif
