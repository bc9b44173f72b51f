/* Laue classes: the symmetry of diffraction patterns of crystals, and means over equivalent points of reciprocal space. */
#ifndef SONDE_PATTERN_LAUE_H
#define SONDE_PATTERN_LAUE_H

#include <stdint.h>

#include "base/status.h"

#define LAUE_MOST_OPERATIONS 48

/* The operations of a Laue class as matrices, row by row, that take Miller indices h, k, l to those of equivalent points. */
struct laue_class {
	int count;
	int operations[LAUE_MOST_OPERATIONS][9];
};

/* A class by its symbol: -1, 2/m (axis b), mmm, 4/m, 4/mmm, -3, -3m1, -31m, 6/m, 6/mmm, m-3, m-3m. SONDE_INVALID for others. */
sonde_status laue_class_of(const char *symbol, struct laue_class *class);

/* SONDE_INVALID if vectors u, v, w (rows of `basis`), q = h u + k v + l w, do not have the symmetry: if equivalent points differ in
 * |q|. Vectors of length 0 are not compared: those of indices that are 0 everywhere. */
sonde_status laue_check_basis(const struct laue_class *class, const char *symbol, const double basis[9]);

/* A grid of Miller indices, l slowest and h fastest: first + n step for n below `size`, in the order l, k, h. */
struct laue_grid {
	int64_t size[3];
	double first[3], step[3];
};

/* Replaces each value of a grid by the mean over those of its equivalent points that the grid has. On `threads` threads. */
sonde_status laue_fold(const struct laue_class *class, const struct laue_grid *grid, int threads, double *values);

#endif
