/* Sums at points of q that are not uniform, from those on a uniform grid.
 *
 * As a function of q, a sum of sin(q r)/(q r) over distances r up to D is band-limited: its Fourier transform vanishes
 * beyond D. So its values at steps below pi/D determine it (Whittaker, Kotelnikov, Shannon), and with steps that are
 * shorter by a factor, a short window is sufficient:
 *     s(q) = sum_n s(q_n) sin(pi t)/(pi t) W(t),   t = (q - q_n)/step,   |t| < M
 * with W(t) = sinh(b sqrt(1 - t^2/M^2))/sinh b, b = M (pi - D step). The error is about exp(-b) of the largest values
 * (R. Kircheis, D. Potts & M. Tasche, Numer. Algor. 92 (2023) 1905), here below 1e-14. Sums on uniform grids take a
 * multiply-add for each point and distance, those at single points a sine. */
#ifndef SONDE_DEBYE_RESAMPLING_H
#define SONDE_DEBYE_RESAMPLING_H

#include <stdbool.h>
#include <stdint.h>

#include "sonde/debye_options.h"

/* The uniform points q_n = (n + 1/2) step, n >= 0: none at 0, where sums are 0/0. Those at negative q are equal to
 * those at positive q. */
struct resampling {
	double step;
	int64_t first; /* n of the first point of `grid` */
	sonde_grid grid;
};

/* The same for other sums of band-limited functions at uniform points: the value at `place`, in steps, is the sum over |k| <=
 * RESAMPLING_HALF_WIDTH of weights[RESAMPLING_HALF_WIDTH + k] times the value at point *nearest + k. */
#define RESAMPLING_HALF_WIDTH 32    /* M, in steps */
#define RESAMPLING_OVERSAMPLING 1.5 /* pi/(D step) */
#define RESAMPLING_WEIGHTS (2 * RESAMPLING_HALF_WIDTH + 1)
void resampling_find_weights(double place, int64_t *nearest, double weights[RESAMPLING_WEIGHTS]);

/* The uniform points for the points q[0 .. points), in any order, of sums over distances up to `largest_distance`. False
 * if the points themselves take less time: points_cost(). */
bool resampling_choose(const double *q, int64_t points, double largest_distance, struct resampling *resampling);
/* Adds to values[0 .. points) the sums at these points, from those at the points of resampling->grid. */
void resampling_add(const struct resampling *resampling, const double *uniform, const double *q, int64_t points,
		    double *values);

#endif
