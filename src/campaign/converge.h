/* Extrapolation of figures from several steps, and the fit of standard errors to numbers of histories. */
#ifndef SONDE_CAMPAIGN_CONVERGE_H
#define SONDE_CAMPAIGN_CONVERGE_H

#include <stddef.h>

#include "campaign/table.h"

struct extrapolation {
	double value, error; /* NaN: unknown */
	double order; /* p of f(h) = f(0) + C h^p; of histories, the power of n of the standard error; NaN: none */
	double
	    deviation; /* of histories: the largest difference from the last figure, in its standard errors; else NaN */
};

/* Richardson's extrapolation to h = 0 of `count` figures f at steps h, which decrease. The order is `order`, or, if that is 0, the one of the three
 * smallest steps, (f1 - f2) / (f2 - f3) = (h1^p - h2^p) / (h2^p - h3^p); if there is none, since the figures do not converge monotonically, the value is
 * that of the smallest step, with the largest difference of the three as its error. The error is the difference from the extrapolation without the smallest
 * step, or, where there are too few steps for one, from the figure of the smallest step. */
void converge_steps(const double *h, const double *f, size_t count, double order, struct extrapolation *result);
/* The figure of the largest of `count` numbers n of histories, which increase, with its standard error; the power is a fit to all standard errors
 * e, about -1/2. Smaller numbers are taken for the beginnings of larger ones, as with the same seed, so that the variance of a difference is the
 * difference of the variances. */
void converge_histories(const double *n, const double *f, const double *e, size_t count,
			struct extrapolation *result);

/* The study of one figure for jobs that differ in the variable of the study alone. */
struct study {
	size_t job; /* the first of them, for the values of the other variables */
	int figure;
	size_t count; /* jobs that have the figure */
	double last;  /* figure of the smallest step or the largest number */
	struct extrapolation result;
};
struct studies {
	struct study *studies;
	size_t count, capacity;
};
/* All studies of a table. To be freed by studies_free(), also after a failure. */
sonde_status studies_make(const struct campaign *campaign, const struct campaign_table *table,
			  struct studies *studies);
void studies_free(struct studies *studies);
/* As CSV. */
sonde_status studies_text(const struct campaign *campaign, const struct campaign_table *table,
			  const struct studies *studies, struct text *text);

#endif
