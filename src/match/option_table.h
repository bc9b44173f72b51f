/* The options of sonde match. */
#ifndef SONDE_MATCH_OPTION_TABLE_H
#define SONDE_MATCH_OPTION_TABLE_H

#include "base/options.h"

extern const struct option_table match_option_table;

#endif
