/* <f^2>(q) of candidates: the part of I/N that an atom scatters alone, which changes neither with distances nor with displacements. */
#ifndef SONDE_MATCH_SELF_SCATTERING_H
#define SONDE_MATCH_SELF_SCATTERING_H

#include "match/candidates.h"

/* [points of the source's axis], for a candidate by its number in the set: of a result of sonde debye from its file, of a library from the
 * composition and the options of debye that it stores. SONDE_INVALID where they are not known. To be freed. */
sonde_status self_scattering_find(const struct candidates *candidates, int64_t candidate, double **squares);

#endif
