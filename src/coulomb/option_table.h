/* Options of `sonde coulomb`, from options.def. */
#ifndef SONDE_COULOMB_OPTION_TABLE_H
#define SONDE_COULOMB_OPTION_TABLE_H

#include "base/options.h"

extern const struct option_table coulomb_option_table;

#endif
