/* Options that need the company of others. */
#ifndef SONDE_DEBYE_COMPANY_H
#define SONDE_DEBYE_COMPANY_H

#include <stdbool.h>

#include "run/context.h"
#include "sonde/debye.h"

/* Fails on an option that differs from its default and has no effect with the others, for input of users. Calling programs may keep
 * such values for another run. */
sonde_status debye_check_company(const sonde_debye_options *options);
/* Notes options of which nothing is seen in the result that is written: `output`, or without one the table on the standard
 * output. Grids of r are left out: jobs have them for several outputs. */
sonde_status debye_note_unseen(sonde_context *context, const sonde_debye_options *options, const char *output);

#endif
