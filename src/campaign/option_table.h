/* The options of sonde campaign. */
#ifndef SONDE_CAMPAIGN_OPTION_TABLE_H
#define SONDE_CAMPAIGN_OPTION_TABLE_H

#include "base/options.h"

extern const struct option_table campaign_option_table;

#endif
