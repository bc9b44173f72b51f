/* Synthetic curves for the bootstrap: a fit with normally distributed deviations, and the intervals that their fits give. */
#ifndef SONDE_MATCH_SYNTHETIC_CURVES_H
#define SONDE_MATCH_SYNTHETIC_CURVES_H

#include "match/mixture.h"

struct synthetic_curves {
	const struct mixture *mixture;
	int64_t seed, row;
	double deviation; /* of a weighted point */
	double *fit;      /* [rows]: weighted, without background */
};

/* Of the fit of a mixture, whose sets stay as they are; a row of a series, from 0, has random numbers of its own. Freed by synthetic_curves_free(), also after a failure. */
sonde_status synthetic_curves_begin(const struct mixture *mixture, int64_t seed, int64_t row,
				    struct synthetic_curves *curves);
void synthetic_curves_free(struct synthetic_curves *curves);
/* Curve `number`, from 0, [rows]: weighted, without its part in the backgrounds. It depends on the fit, the seed, the row, and the number only. */
void synthetic_curve(const struct synthetic_curves *curves, int64_t number, double *y);
/* Percentiles 2.5 and 97.5 of `count` values, at least one, which are sorted. */
void synthetic_interval(double *values, int64_t count, double *low, double *high);

#endif
