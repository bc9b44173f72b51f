/* What a fit of refined candidates has found: values of the parameters as they are reported, with errors and correlations. */
#ifndef SONDE_MATCH_REFINED_VALUES_H
#define SONDE_MATCH_REFINED_VALUES_H

#include "match/refined/fit.h"

struct refined_values {
	int parameter_count;
	struct refined_parameter *parameters;
	double *weight_errors; /* [active] */
	/* [parameters + active]^2: correlations of parameters, and of the weights after them; 0 with those that are not free */
	double *correlations;
};

/* Of a fit at its minimum, whose degrees of freedom and variance become those with all parameters. Freed by refined_values_free(), also
 * after a failure. */
sonde_status refined_values_find(struct refined_fit *fit, struct refined_values *values);
void refined_values_free(struct refined_values *values);
/* A parameter's value as it is reported: the fit has the squares of some. */
double refined_value(const struct refined_parameter *parameter);

#endif
