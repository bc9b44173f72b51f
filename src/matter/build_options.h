/* The option table of `build`. */
#ifndef SONDE_MATTER_BUILD_OPTIONS_H
#define SONDE_MATTER_BUILD_OPTIONS_H

#include "base/options.h"
#include "sonde/build.h"

extern const struct option_table build_option_table;

#endif
