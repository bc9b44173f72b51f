/* sin and cos of count numbers, a multiple of 8, as the kernels of each instruction set compute them. */
#ifndef TESTS_UNIT_KERNEL_MATH_ISA_H
#define TESTS_UNIT_KERNEL_MATH_ISA_H

#include <stddef.h>

typedef void sincos_function(const double *x, double *sine, double *cosine, size_t count);

/* with two roundings of a b + c, and with one where the hardware can */
sincos_function sincos_baseline, sincos_avx2, sincos_avx512;
sincos_function sincos_fused_baseline, sincos_fused_avx2, sincos_fused_avx512;

/* sin and cos of high + low, and what the rounding of a b and of a + b loses: of `count` pairs, a multiple of 8 */
typedef void pairs_function(const double *a, const double *b, double *first, double *second, size_t count);
pairs_function sincos_of_sum_baseline, sincos_of_sum_avx2, sincos_of_sum_avx512;
pairs_function lost_baseline, lost_avx2, lost_avx512;

/* exp(-x) and erfc(x) likewise, of x >= 0 */
sincos_function decays_baseline, decays_avx2, decays_avx512;

#endif
