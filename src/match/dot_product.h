#ifndef SONDE_MATCH_DOT_PRODUCT_H
#define SONDE_MATCH_DOT_PRODUCT_H

#include <stdint.h>

/* sum a_k b_k, in 8 partial sums, in an order that depends on `count` only. */
double dot_product(const double *a, const double *b, int64_t count);
/* The same for numbers of float32, as float64. */
double dot_product_single(const double *a, const float *b, int64_t count);

#endif
