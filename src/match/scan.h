/* All candidates of a data set, one by one, however many there are: read in pieces by several threads. */
#ifndef SONDE_MATCH_SCAN_H
#define SONDE_MATCH_SCAN_H

#include "match/data_set.h"
#include "sonde/context.h"

/* For each candidate, its curve a weighted and without its part in the background: |a|^2, and a . v, where v [point] is such a curve, too.
 * The same for any number of threads. */
sonde_status scan_candidates(sonde_context *context, const char *what, struct data_set *set, const double *v,
			     double *squares, double *products);

#endif
