/* Options that need the company of others. */
#ifndef SONDE_PATTERN_COMPANY_H
#define SONDE_PATTERN_COMPANY_H

#include "sonde/pattern.h"

/* Fails on an option that differs from its default and has no effect with the others, for input of users, who may have forgotten
 * the option for which it is. Calling programs may keep such values for another run. */
sonde_status pattern_check_company(const sonde_pattern_options *options);

#endif
