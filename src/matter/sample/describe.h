/* What a description of a sample contains, for `sonde info`. */
#ifndef SONDE_MATTER_SAMPLE_DESCRIBE_H
#define SONDE_MATTER_SAMPLE_DESCRIBE_H

#include "run/context.h"
#include "run/report.h"
#include "sonde/sample.h"

/* Materials with composition and density, where these are known, bodies with their extent and volume, and, if there are
 * several and they have at most DESCRIBE_MOST_ATOMS atoms (a fifth of that in packings), the distances across their interfaces. */
#define DESCRIBE_MOST_ATOMS 200000
sonde_status sample_describe(sonde_context *context, const sonde_sample *sample, struct report *report);

#endif
