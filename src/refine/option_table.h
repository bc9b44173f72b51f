/* The options of sonde refine. */
#ifndef SONDE_REFINE_OPTION_TABLE_H
#define SONDE_REFINE_OPTION_TABLE_H

#include "base/options.h"

extern const struct option_table refine_option_table;

#endif
