/* Lists of energies as a user writes them. */
#ifndef SONDE_STOPPING_ENERGIES_H
#define SONDE_STOPPING_ENERGIES_H

#include <stdint.h>

#include "base/status.h"

#define ENERGIES_MOST 100000

/* Reads "10keV:10MeV", the round numbers that SRIM's tables have between these (10, 11, 12 ... 20, 22.5 ... 80, 90 times powers of
 * ten); "10keV:10MeV:50", so many, evenly in the logarithm; or "1keV,30keV,2MeV". Units are eV, keV, MeV, GeV; without one keV is
 * meant. *energies, in eV, rising, is to be released by free(); null after a failure, whose message is about the text. */
sonde_status energies_parse(const char *text, double **energies, int64_t *count);

#endif
