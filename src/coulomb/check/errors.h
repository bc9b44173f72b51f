/* Deviation of a result from the reference, at some of its points. */
#ifndef SONDE_COULOMB_CHECK_ERRORS_H
#define SONDE_COULOMB_CHECK_ERRORS_H

#include "coulomb/charges.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "coulomb/values.h"
#include "run/context.h"

/* Deviation of values from the reference, at some points. The largest of several sets. */
struct coulomb_errors {
	int points;
	double potential, field; /* root mean square, relative to the values at the points */
	double largest,
	    largest_field; /* largest error of the potential, in its unit, and of the length of the field */
};

/* Some points of a result: for a grid those nearest to charges, some around charges, and randomly drawn ones, with
 * a probability that increases with potential and field; for a list those with the largest values, and others
 * spread over all. With their values: potential and field of each point in each set. */
#define CHECKED_MOST 1024
#define CHECKED_SETS 4
struct checked_points {
	int count, near, around; /* the first `near` are nearest to charges, those up to `around` are around them */
	bool strongest;          /* the first ones were selected by their values */
	bool drawn;              /* those from `around` on were drawn */
	double strengths[CHECKED_MOST], least; /* of the first ones, and their minimum */
	int64_t all;                           /* number of points of the targets */
	int64_t indices[CHECKED_MOST];
	double values[CHECKED_SETS][CHECKED_MOST][4];
	/* Drawn points: probabilities and priorities, their number, the largest rejected priority, the number of
	 * points per candidate, and for the candidates their number, sums of strengths and of squares of potential
	 * and field. */
	double chances[CHECKED_MOST], priorities[CHECKED_MOST], turned_away;
	int drawn_count;
	int64_t candidate_of, candidates;
	double strength_sums[2], squares[CHECKED_SETS][2];
};
/* Chooses as many points as affordable. */
void checked_choose(const struct charges *charges, const struct targets *targets, const struct coulomb_plan *plan,
		    struct checked_points *points);
/* Stores the values of the chosen points that are among the `count` points of `values`. */
void checked_take(const struct values *values, int64_t count, struct checked_points *points);
/* Compares them with the reference. */
sonde_status checked_compare(sonde_context *context, const struct charges *charges, uint32_t sets,
			     const struct targets *targets, const struct coulomb_plan *plan,
			     const struct checked_points *points, struct coulomb_errors *errors);

#endif
