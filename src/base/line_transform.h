/* Discrete Fourier transforms of many lines of one size, X_k = sum_n x_n exp(2 pi i n k/size), by the mixed-radix transform of
 * Eigen (M. Borgerding's kissfft), LINES_AT_ONCE lines at a time in SIMD registers. */
#ifndef SONDE_BASE_LINE_TRANSFORM_H
#define SONDE_BASE_LINE_TRANSFORM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LINES_AT_ONCE 4

struct line_transform;

/* Null if memory is short. The size is one of line_transform_size(). Freed by line_transform_free(). */
struct line_transform *line_transform_make(int size);
void line_transform_free(struct line_transform *transform);
/* The smallest even size of factors 2, 3 and 5 that is at least this. */
int64_t line_transform_size(double least);
/* Real parts of number n of all lines are at [2 n LINES_AT_ONCE], their imaginary parts LINES_AT_ONCE numbers later; 16-byte aligned.
 * May be called by several threads at once. */
void line_transform_run(const struct line_transform *transform, const double *from, double *to);

#ifdef __cplusplus
}
#endif

#endif
