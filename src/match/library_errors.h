/* Errors of the candidates' curves, as libraries state them, in a fit. */
#ifndef SONDE_MATCH_LIBRARY_ERRORS_H
#define SONDE_MATCH_LIBRARY_ERRORS_H

#include "match/mixture.h"

/* Adds the squares of errors of the computed curves, weights times the errors of candidates, to the variances of the points, where these are
 * known: errors of different candidates and points are taken to be independent. *largest: of the errors over the standard deviations; below
 * LIBRARY_ERRORS_MATTER nothing is changed. Otherwise the mixture is to be found again. */
#define LIBRARY_ERRORS_MATTER 0.03
sonde_status library_errors_weigh(struct mixture *mixture, double *largest);

#endif
