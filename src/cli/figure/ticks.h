/* Places and numbers along an axis. */
#ifndef SONDE_CLI_FIGURE_TICKS_H
#define SONDE_CLI_FIGURE_TICKS_H

#include "cli/figure/figure.h"

#define TICKS_MOST 128

struct ticks {
	int count;
	double at[TICKS_MOST];
	char labels[TICKS_MOST][FIGURE_NUMBER]; /* "" for a short tick without a number */
	char factor[FIGURE_NUMBER];             /* by which all numbers are to be multiplied, as "×10⁷"; or "" */
};

/* Round numbers in [low, high], at most about `wanted` of them with labels; low < high. */
void ticks_linear(double low, double high, int wanted, struct ticks *ticks);
/* The same on a logarithmic axis; 0 < low < high. */
void ticks_logarithmic(double low, double high, int wanted, struct ticks *ticks);
/* "10⁻³" */
void ticks_power(int exponent, char *label, int size);

#endif
