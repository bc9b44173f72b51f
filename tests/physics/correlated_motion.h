/* Samples of debye whose near atoms move together. */
#ifndef TESTS_PHYSICS_CORRELATED_MOTION_H
#define TESTS_PHYSICS_CORRELATED_MOTION_H

#include "physics/physics.h"

/* The parameters of diffpy and PDFgui, with the widths s = u (1 - delta1/d - delta2/d^2 + (qbroad d)^2). */
struct law {
	double delta1, delta2, qbroad;
};

static inline double width(const struct law *law, double u, double d)
{
	return u * (1.0 - law->delta1 / d - law->delta2 / (d * d) + law->qbroad * law->qbroad * d * d);
}

static inline sonde_debye_options moving(int method, int factors, sonde_grid q, double cutoff,
					 const char *displacement, const struct law *law)
{
	sonde_debye_options options = options_of(method, factors, q.first, q.last, q.points);

	options.boundary = SONDE_DEBYE_BOUNDARY_PERIODIC;
	options.cutoff = cutoff;
	snprintf(options.displacement, sizeof options.displacement, "%s", displacement);
	options.delta1 = law->delta1;
	options.delta2 = law->delta2;
	options.qbroad = law->qbroad;
	return options;
}

#endif
