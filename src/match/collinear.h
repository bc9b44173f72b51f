/* Candidates whose curves resemble each other: how well the weights are determined. */
#ifndef SONDE_MATCH_COLLINEAR_H
#define SONDE_MATCH_COLLINEAR_H

#include "match/mixture.h"

/* Columns of the mixture with a curve so much like that of active candidate k that chi^2 would grow by less than 4 in its place, the most
 * similar first; at most `most` of them are stored, and all are counted. */
int64_t collinear_alternatives(const struct mixture *mixture, int k, int *found, int most);
/* Condition number of the active curves at unit length; 1: orthogonal ones. */
double collinear_condition(const struct mixture *mixture);

#endif
