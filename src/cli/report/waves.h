/* Boxes of plane waves, which follow from the grid of a job of sonde fdtd. */
#ifndef SONDE_CLI_REPORT_WAVES_H
#define SONDE_CLI_REPORT_WAVES_H

#include "base/text.h"
#include "sonde/context.h"

/* An object for the plane wave of `job` (the text in results), with a comma in front: the corners of its box, and if there are
 * monitors of cross-sections those of theirs, in nm; none without a plane wave, and for one that can no longer be prepared, as
 * if the file of its waveform is not there. Fails only for lack of memory. */
sonde_status waves_append(sonde_context *context, const char *job, struct text *page);

#endif
