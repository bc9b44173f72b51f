#include "stopping/screening.h"

#include <math.h>
#include <stddef.h>

#include "base/constants.h"

const struct screening *screening_of(enum screening_kind kind)
{
	static const struct screening table[] = {
	    [SCREENING_ZBL] = {"ZBL", 4, {0.18175, 0.50986, 0.28022, 0.028171}, {3.1998, 0.94229, 0.4029, 0.20162}},
	    [SCREENING_KR_C] = {"Kr-C", 3, {0.190945, 0.473674, 0.335381}, {0.278544, 0.637174, 1.919249}},
	    [SCREENING_MOLIERE] = {"Moliere", 3, {0.35, 0.55, 0.10}, {0.3, 1.2, 6.0}},
	    [SCREENING_LENZ_JENSEN] = {"Lenz-Jensen", 3, {0.01018, 0.24330, 0.7466}, {0.206, 0.3876, 1.038}},
	    [SCREENING_NONE] = {"none", 1, {1.0}, {0.0}},
	};

	return &table[kind];
}

double screening_value(const struct screening *screening, double x, double *slope)
{
	double value = 0.0, derivative = 0.0;

	for (int k = 0; k < screening->terms; ++k) {
		double term = screening->weights[k] * exp(-screening->rates[k] * x);
		value += term;
		derivative -= screening->rates[k] * term;
	}
	if (slope != NULL)
		*slope = derivative;
	return value;
}

/* Bare charges have no such term; that of Molière is taken, with which the losses were derived. */
double screening_outer_rate(const struct screening *screening)
{
	double least = screening->rates[0];

	for (int k = 1; k < screening->terms; ++k)
		least = fmin(least, screening->rates[k]);
	return least > 0.0 ? least : 0.3;
}

double screening_length(enum screening_kind kind, int z1, int z2)
{
	if (kind == SCREENING_ZBL)
		return 0.8854 * BOHR_RADIUS_NM / (pow(z1, 0.23) + pow(z2, 0.23));
	return 0.8854 * BOHR_RADIUS_NM / pow(sqrt(z1) + sqrt(z2), 2.0 / 3.0);
}
