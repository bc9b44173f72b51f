/* The numbers of a column of a table: one curve of a result, or one of a pair of species or blocks. */
#ifndef SONDE_DEBYE_CURVE_VALUES_H
#define SONDE_DEBYE_CURVE_VALUES_H

#include "debye/debye.h"

/* The content of a column. */
enum curve {
	CURVE_Q,
	CURVE_I,
	CURVE_I_PER_ATOM,
	CURVE_S,
	CURVE_F,
	CURVE_ERROR_ESTIMATE,
	CURVE_ERROR_BOUND,
	CURVE_MEAN_SQUARE,
	CURVE_SQUARE_MEAN,
	CURVE_R,
	CURVE_G,
	CURVE_RADIAL,
	CURVE_CORRELATION,
	CURVE_CORRECTED,
	CURVE_TWO_THETA,
	CURVE_RESOLVED,
	CURVE_COMPTON,
	CURVE_TOTAL,
	CURVE_ABSOLUTE,
	CURVE_S_NN,
	CURVE_S_NC,
	CURVE_S_CC,
	CURVE_D,
	CURVE_T,
	CURVE_COORDINATION,
	CURVE_STANDARD_ERROR,
	CURVE_S_STANDARD_ERROR,
	CURVE_F_STANDARD_ERROR,
	CURVE_RESOLVED_STANDARD_ERROR,
	CURVE_ABSOLUTE_STANDARD_ERROR,
	CURVE_G_STANDARD_ERROR,
	CURVE_MEASURED,
	CURVE_MEASURED_ERROR,
	CURVE_FIT,
	CURVE_BACKGROUND,
	CURVE_RESIDUAL,
	CURVE_LAUE,
	CURVE_WITHOUT_LAUE,
	CURVE_RADIAL_STANDARD_ERROR,
	CURVE_COORDINATION_STANDARD_ERROR,
	CURVE_CORRELATION_STANDARD_ERROR,
	/* of pairs: */
	CURVE_PARTIAL,
	CURVE_PARTIAL_S,
	CURVE_PARTIAL_STANDARD_ERROR,
	CURVE_PARTIAL_S_STANDARD_ERROR,
	CURVE_BLOCK,
	CURVE_BLOCK_STANDARD_ERROR,
	CURVE_PARTIAL_RADIAL,
	CURVE_PARTIAL_COORDINATION,
	CURVE_PARTIAL_CORRELATION,
	CURVE_PARTIAL_RADIAL_STANDARD_ERROR,
	CURVE_PARTIAL_COORDINATION_STANDARD_ERROR,
	CURVE_PARTIAL_CORRELATION_STANDARD_ERROR
};

struct curve_choice {
	enum curve curve;
	int a, b;      /* species or blocks of a pair, a <= b */
	bool reversed; /* b around a was asked for as a around b: R_B_A and n_B_A */
};

bool curve_is_over_r(enum curve curve);
bool curve_is_standard_error(enum curve curve);
/* The curves made from counted distances: R, n, and g, their standard errors, and those of pairs of species. */
bool curve_is_counted(enum curve curve);
/* Of these, g and its standard error, which need a density. */
bool curve_is_correlation(enum curve curve);

/* Values `row[k] * factor`, or, with `r`, `row[k] * factor/(4 pi r[k]^2)`. */
struct curve_values {
	const double *row, *r;
	double factor;
};

/* row is null if the result does not have this curve. */
struct curve_values curve_values_of(const sonde_debye_result *result, const struct curve_choice *choice);
double curve_value(const struct curve_values *values, int64_t k);
/* `unit`: that of intensities */
const char *curve_unit(enum curve curve, const char *unit);

#endif
