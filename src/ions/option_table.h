/* Options of `sonde ions`, from options.def. */
#ifndef SONDE_IONS_OPTION_TABLE_H
#define SONDE_IONS_OPTION_TABLE_H

#include "base/options.h"

extern const struct option_table ions_option_table;

#endif
