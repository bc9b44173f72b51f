/* Parameters within bounds as functions of unknowns without bounds: sines between two bounds, and hyperbolas beyond one, as in MINUIT
 * (F. James and M. Roos, Comput. Phys. Commun. 10 (1975) 343). Unknowns are 1 at the start, and their unit is of the order of the range. */
#ifndef SONDE_REFINE_BOUNDS_H
#define SONDE_REFINE_BOUNDS_H

/* Infinite bounds are none. */
struct bound {
	double lower, upper;
	double start; /* within them */
	double scale; /* of changes, above 0, where a bound is missing */
};

double bound_parameter(const struct bound *bound, double unknown);
/* d parameter / d unknown */
double bound_slope(const struct bound *bound, double unknown);
/* -1, 1: the parameter is, but for rounding and slow convergence, at its lower, upper bound. */
int bound_reached(const struct bound *bound, double parameter);

#endif
