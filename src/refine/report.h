/* The result of a refinement: the fitted curve, parameters with errors and intervals, and notes on what is not determined. */
#ifndef SONDE_REFINE_REPORT_H
#define SONDE_REFINE_REPORT_H

#include "refine/fit.h"

/* Fills the result at the best values, with errors by the derivatives there. */
sonde_status fit_report(struct fit *fit);

#endif
