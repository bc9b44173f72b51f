/* Small dense complex linear algebra: a C interface to Eigen (dense.cpp). Matrices are stored by columns, without
 * gaps. */
#ifndef SONDE_BASE_DENSE_H
#define SONDE_BASE_DENSE_H

#ifdef __cplusplus
#include <complex>
typedef std::complex<double> dense_complex;
extern "C" {
#else
#include <complex.h>
typedef double complex dense_complex;
#endif

enum dense_result { DENSE_OK, DENSE_NO_MEMORY, DENSE_NOT_CONVERGED };

/* a = left diag(values) right^H, all n x n; the values are in descending order. */
enum dense_result dense_singular_values(int n, const dense_complex *a, double *values, dense_complex *left,
					dense_complex *right);

/* The eigenvalues of the n x n matrix a, in no particular order. */
enum dense_result dense_eigenvalues(int n, const dense_complex *a, dense_complex *values);

/* x minimizes |a x - b|, a being rows x columns with rows >= columns; where a lacks rank, undetermined components are
 * 0. `variances`, unless null: the diagonal of (a^H a)^-1, all infinite where it does not exist. */
enum dense_result dense_least_squares(int rows, int columns, const dense_complex *a, const dense_complex *b,
				      dense_complex *x, double *variances);
/* The same for real numbers. */
enum dense_result dense_real_least_squares(int rows, int columns, const double *a, const double *b, double *x,
					   double *variances);

/* (a^T a)^-1, columns x columns, of the rows x columns matrix a of full rank, rows >= columns; where a lacks rank, the columns that depend on
 * others have infinity on the diagonal and 0 else. */
enum dense_result dense_real_inverse_gram(int rows, int columns, const double *a, double *inverse);

#ifdef __cplusplus
}
#endif
#endif
