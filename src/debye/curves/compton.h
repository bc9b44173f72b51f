/* Compton scattering of X-rays, which adds to the pattern without interference. */
#ifndef SONDE_DEBYE_COMPTON_H
#define SONDE_DEBYE_COMPTON_H

#include "debye/debye.h"

/* Checks the option `compton`. */
sonde_status compton_check(const sonde_debye_options *options);
/* Makes intensity_compton and intensity_total at all points of q, if they are wanted. */
sonde_status compton_make(sonde_debye_result *result);
/* The intensity that reaches the detector: with Compton scattering, if it is part of the result. */
const double *compton_total(const sonde_debye_result *result);

#endif
