/* `sonde info` of samples: what follows from the positions of the atoms. */
#ifndef SONDE_CLI_INFO_STRUCTURE_H
#define SONDE_CLI_INFO_STRUCTURE_H

#include "run/report.h"
#include "sonde/atoms.h"

/* Formula, density, radius of gyration, and neighbors; what is not defined or would take too long is left out. */
sonde_status info_describe_structure(sonde_context *context, const sonde_atoms *atoms, struct report *report);

#endif
