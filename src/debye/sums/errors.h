/* Checks of sums by a more accurate method. */
#ifndef SONDE_DEBYE_ERRORS_H
#define SONDE_DEBYE_ERRORS_H

#include <stdbool.h>
#include <stdint.h>

/* Errors found at a few points. Of many similar samples some are checked, and the largest errors so far hold for all. */
struct debye_check {
	bool wanted;    /* for the present sample */
	int points;     /* of the present sample; 0: not checked, or the check would take too long */
	double largest; /* |difference| of I/N, over <f^2> + I/N */
	double times_q; /* |difference| of I/N, times q */
};

/* How many of the points of q are checked: 8, or fewer by the reference, if there are many pairs; never fewer than 3. */
int64_t debye_points_to_check(int64_t q_count, double pairs, bool by_reference);

#endif
