/* Baselines and ceilings that benchmarks compare with. */
#ifndef SONDE_BENCH_H
#define SONDE_BENCH_H

#include <stdint.h>

/* Counts the distances of n atoms in bins of `width` in the simplest way, without moments. */
void baseline_histogram(const double *positions, int64_t n, double width, uint64_t *counts, int64_t bins);
/* sums[k] = sum over pairs of sin(q_k r)/(q_k r), in the simplest way. */
void baseline_debye(const double *positions, int64_t n, double q_first, double q_step, int64_t q_count, double *sums);

/* The sums of cos(q.r) and sin(q.r) over n atoms at `count` vectors, x, y, z of each in turn, in the simplest way. */
void baseline_pattern(const double *x, const double *y, const double *z, int64_t n, const double *vectors,
		      int64_t count, double *real, double *imaginary);

/* Multiply-adds with one addition of float64 per second, at the maximum rate of a core with its widest vectors. */
double ceiling_multiply_add_and_add(void);
/* Square roots of float64 per second, with the widest vectors. */
double ceiling_square_roots(void);

#endif
