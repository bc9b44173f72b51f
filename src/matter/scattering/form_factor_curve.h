/* A scattering factor as a table over q. */
#ifndef SONDE_MATTER_FORM_FACTOR_CURVE_H
#define SONDE_MATTER_FORM_FACTOR_CURVE_H

#include <stddef.h>

struct form_factor_curve {
	const double *q; /* 1/Angstrom, increasing */
	const double *f; /* every `stride`-th */
	size_t count, stride;
};

/* f(q): the cubic through the four nearest points, of fewer points their polynomial; the tabulated numbers at their
 * q. */
double form_factor_at(const struct form_factor_curve *curve, double q);

#endif
