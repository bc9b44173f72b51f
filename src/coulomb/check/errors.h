/* How far a result is from the reference, at some of its points. */
#ifndef SONDE_COULOMB_CHECK_ERRORS_H
#define SONDE_COULOMB_CHECK_ERRORS_H

#include "coulomb/charges.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "coulomb/values.h"
#include "run/context.h"

/* How far values are from the reference, at some points. Of several sets that which is worst. */
struct coulomb_errors {
	int points;
	double potential, field;       /* root mean square, relative to the values there */
	double largest, largest_field; /* of the potential, in its unit, and of the field's length */
};

/* Some points of a result: of a grid those that are nearest to charges, some around charges, and others drawn by chance, the likelier the larger
 * potential and field are there; of a list those where values are largest, and others spread over all. And what they are found to be: potential
 * and field of each in each set. */
#define CHECKED_MOST 1024
#define CHECKED_SETS 4
struct checked_points {
	int count, near, around; /* the first ones are nearest to charges, those up to `around` around them */
	bool strongest;          /* the first ones are found by their values */
	bool drawn;              /* those from `around` on are drawn */
	double strengths[CHECKED_MOST], least; /* of the first ones, and the least of them */
	int64_t all;                           /* points of the targets */
	int64_t indices[CHECKED_MOST];
	double values[CHECKED_SETS][CHECKED_MOST][4];
	/* Of drawn points: chances and priorities, how many are there, the largest priority that was turned away, one candidate of how many
	 * points, and of the candidates their number, sums of strengths and of squares of potential and field. */
	double chances[CHECKED_MOST], priorities[CHECKED_MOST], turned_away;
	int drawn_count;
	int64_t candidate_of, candidates;
	double strength_sums[2], squares[CHECKED_SETS][2];
};
/* As many as can be afforded. */
void checked_choose(const struct charges *charges, const struct targets *targets, const struct coulomb_plan *plan,
		    struct checked_points *points);
/* Takes those that are among the `count` points of the values. */
void checked_take(const struct values *values, int64_t count, struct checked_points *points);
/* Compares them with the reference. */
sonde_status checked_compare(sonde_context *context, const struct charges *charges, uint32_t sets,
			     const struct targets *targets, const struct coulomb_plan *plan,
			     const struct checked_points *points, struct coulomb_errors *errors);

#endif
