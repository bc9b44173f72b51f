/* A smooth function by polynomials: one for each of many equal parts of a range, through the values at Chebyshev's nodes. For functions
 * that are computed more often than a few thousand times. */
#ifndef SONDE_BASE_PIECEWISE_H
#define SONDE_BASE_PIECEWISE_H

#include "base/status.h"

#define PIECEWISE_NUMBERS 8 /* coefficients of a part */

struct piecewise {
	double low, scale; /* parts per unit */
	int parts;         /* 0: there is no table */
	double *numbers;   /* [part][coefficient], of the lowest power first */
};

/* With as many parts as an error of `tolerance` times the largest value needs; without a table if these are too many, as for a function that
 * is not smooth. Freed by piecewise_free(). */
sonde_status piecewise_make(double (*function)(const void *of, double x), const void *of, double low, double high,
			    double tolerance, struct piecewise *table);
void piecewise_free(struct piecewise *table);

/* The function between `low` and `high`; the table has parts. */
static inline double piecewise_value(const struct piecewise *table, double x)
{
	const double place = (x - table->low) * table->scale;
	const int last = table->parts - 1, part = place < 0.0 ? 0 : place < last ? (int)place : last;
	const double y = 2.0 * (place - part) - 1.0, *of = table->numbers + PIECEWISE_NUMBERS * part;
	double value = of[PIECEWISE_NUMBERS - 1];

	for (int k = PIECEWISE_NUMBERS - 2; k >= 0; --k)
		value = value * y + of[k];
	return value;
}

#endif
