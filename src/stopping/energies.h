/* Lists of energies as written by a user. */
#ifndef SONDE_STOPPING_ENERGIES_H
#define SONDE_STOPPING_ENERGIES_H

#include <stdint.h>

#include "base/status.h"

#define ENERGIES_MOST 100000

/* Reads "10keV:10MeV", the round energies of SRIM's tables in this range (10, 11, 12 ... 20, 22.5 ... 80, 90 times
 * powers of ten); "10keV:10MeV:50", 50 energies evenly spaced in the logarithm; or "1keV,30keV,2MeV". Units are
 * eV, keV, MeV, GeV, by default keV. *energies, in eV, ascending, is to be released by free(); null after a
 * failure, whose message is about the text. */
sonde_status energies_parse(const char *text, double **energies, int64_t *count);

#endif
