/* What a fit leaves unexplained, as commands report it. */
#ifndef SONDE_CLI_COMMANDS_UNEXPLAINED_H
#define SONDE_CLI_COMMANDS_UNEXPLAINED_H

#include "match/match_result.h"
#include "run/report.h"

/* The list "unexplained" of --json: position, width, height, and significance of each peak of the residual. */
void report_unexplained(struct report *report, const struct match_curve *curve);

#endif
