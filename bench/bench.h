/* Baselines and ceilings that benchmarks compare with. */
#ifndef SONDE_BENCH_H
#define SONDE_BENCH_H

#include <stdint.h>

/* Counts the distances of n atoms into bins of `width`, as a first program would: no moments. */
void baseline_histogram(const double *positions, int64_t n, double width, uint64_t *counts, int64_t bins);
/* sums[k] = sum over pairs of sin(q_k r)/(q_k r), as a first program would. */
void baseline_debye(const double *positions, int64_t n, double q_first, double q_step, int64_t q_count, double *sums);

/* One multiply-add and one addition of float64, as often a second as the core can in its widest vectors. */
double ceiling_multiply_add_and_add(void);
/* Square roots of float64 a second, in the widest vectors. */
double ceiling_square_roots(void);

#endif
