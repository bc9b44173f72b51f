/* Inner face of `build`: its option table. The public one is sonde/build.h. */
#ifndef SONDE_MATTER_BUILD_H
#define SONDE_MATTER_BUILD_H

#include "base/options.h"
#include "sonde/build.h"

extern const struct option_table build_option_table;

#endif
