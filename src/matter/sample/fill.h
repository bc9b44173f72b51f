/* Atoms in the bodies of a sample. */
#ifndef SONDE_MATTER_SAMPLE_FILL_H
#define SONDE_MATTER_SAMPLE_FILL_H

#include "run/context.h"
#include "sonde/sample.h"

/* Fills the bodies, and appends their atoms body by body; see sonde_sample_build(). */
sonde_status sample_fill(sonde_context *context, const sonde_sample *sample, sonde_atoms *atoms);

#endif
