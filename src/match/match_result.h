/* The result of sonde match. */
#ifndef SONDE_MATCH_MATCH_RESULT_H
#define SONDE_MATCH_MATCH_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "match/library_file.h"
#include "match/peaks.h"
#include "sonde/match_options.h"

#define MATCH_ALTERNATIVES 5
#define MATCH_REFINED 6

/* The fit of one measured curve; arrays over its points. */
struct match_curve {
	char *path;
	enum library_curve curve;
	enum library_radiation radiation;
	int64_t count, left_out; /* points fitted, and points of the file that are not */
	int64_t independent;     /* of the points fitted: see struct data_set */
	double qmax;             /* 1/angstrom; 0: not known, or not G(r) */
	double *x, *measured, *sigma, *fitted, *background, *residual; /* residual = measured - fitted */
	double *contributions; /* [weight][point]: of each candidate with a weight */
	int weights;           /* SONDE_MATCH_WEIGHTS_... */
	double scale;          /* in relation to the first curve */
	double rwp, rexp, chi_square;
	double interpolation_error; /* largest of the candidates with a weight, as a part of their largest values */
	int peak_count;
	struct residual_peak *peaks;
};

struct match_weight {
	int64_t candidate; /* number, from 0; -1: a family of sizes */
	struct library_entry entry;
	double weight, error, low, high; /* 95 % interval */
	double fraction;                 /* of the sum of weights: of atoms, where curves are per atom */
	double inflation;                /* factor of the variance due to the other candidates */
	/* other candidates that explain the curves as well in its place: chi^2 grows by less than 4 */
	int64_t alternative_count;
	char *alternatives[MATCH_ALTERNATIVES];
};

struct match_rank {
	int64_t candidate;
	struct library_entry entry;
	double scale; /* of the first curve */
	double chi_square, rwp;
	double
	    probability; /* of this candidate if one of all is right, by the Bayesian information criterion; NaN: errors not known */
};

/* A refined parameter. */
struct match_parameter {
	const char *name, *unit; /* strain, B, qdamp, qbroad, mean_size, width */
	char *of;            /* the name of its candidate or family, or the path of its curve; "": all candidates */
	double value, error; /* error 0: held at a bound */
	double low, high;    /* the bounds */
	bool at_bound;
	double interval[2]; /* 95 %, within the bounds */
};

/* A single candidate, or family of sizes, refined. */
struct match_alone {
	struct library_entry entry;
	double scale, chi_square, rwp;
	double values[MATCH_REFINED]; /* of strain, B, qdamp, qbroad, mean_size, width; NaN: not refined */
};

/* Weights against the number of a curve of a series. */
struct match_series {
	int64_t count;      /* 0: a single curve */
	int further;        /* data sets of each row in addition to the first one */
	int64_t candidates; /* with an entry each, in this order: */
	struct library_entry *entries;
	char **paths, **further_paths; /* [curve]; [further][curve] */
	double *weights, *errors;      /* [curve][candidate] */
	double *low, *high;            /* of the weights: 95 % intervals by the bootstrap; null: not wanted */
	double *chi_square, *rwp;      /* [curve] */
	/* refined parameters, their values and errors in each curve, [curve][parameter]; NaN where their candidate has no weight. Of a
	 * parameter itself, only what it is. */
	int parameter_count;
	struct match_parameter *parameter;
	double *values, *value_errors, *value_low, *value_high; /* the last two: null as `low` */
};

struct match_result {
	int64_t candidate_count;
	int curve_count;
	struct match_curve *curves; /* of a series, the first one */
	int weight_count;
	struct match_weight *weights; /* largest first */
	int rank_count;
	struct match_rank *ranks;
	int parameter_count;
	struct match_parameter *parameter;
	/* [parameters + weights]^2: of the parameters, and of the weights after them, in their order; 0 of those at bounds */
	double *correlations;
	int alone_count;
	struct match_alone *alone; /* the best first */
	double
	    sizes_left_out; /* largest part of the volume of a distribution that is beyond the sizes of its family */
	double chi_square, rwp;
	int64_t points, parameters, degrees_of_freedom; /* degrees_of_freedom: independent points less parameters */
	double condition;                               /* of the candidates with a weight */
	int dependent, passes, considered;
	double improvement; /* see struct mixture */
	struct match_series series;
	double seconds;
	const sonde_match_options *options; /* of the caller */
	struct provenance *origin;          /* of a result that was read from a file, else null */
};

/* "sigma", "poisson", "uniform" by SONDE_MATCH_WEIGHTS_... */
extern const char *const match_weights_names[4];

void match_result_free(struct match_result *result);
void match_curve_free(struct match_curve *curve);

#endif
