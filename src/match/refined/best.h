/* The best fit of a curve with some of the refined candidates: what `sparsity bic` leaves. */
#ifndef SONDE_MATCH_REFINED_BEST_H
#define SONDE_MATCH_REFINED_BEST_H

#include "match/refined/fit.h"

/* Leaves out one candidate after the other, with all its parameters, while that lowers the Bayesian information criterion. `lists` has room
 * for 2 * items->count numbers and has to live as long as the fit, whose `chosen` is in it afterwards. */
sonde_status refined_best_eliminate(struct refined_fit *fit, int *lists);

#endif
