/* What a description of a sample contains, for `sonde info`. */
#ifndef SONDE_MATTER_SAMPLE_DESCRIBE_H
#define SONDE_MATTER_SAMPLE_DESCRIBE_H

#include "run/report.h"
#include "sonde/sample.h"

/* Materials with composition and density, where these are known, and bodies with their extent and volume. */
sonde_status sample_describe(const sonde_sample *sample, struct report *report);

#endif
