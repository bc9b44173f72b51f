/* The picture of a campaign. */
#ifndef SONDE_CLI_PLOT_CAMPAIGN_H
#define SONDE_CLI_PLOT_CAMPAIGN_H

#include "campaign/table.h"
#include "cli/program/program.h"

/* Before the run: SONDE_INVALID for campaigns without figures or without a variable that is a number. */
sonde_status plot_campaign_check(const struct campaign *campaign);
/* Draws up to six figures against the first variable that is a number (that of a convergence study, if there is one), with their standard
 * errors, a curve for each combination of the other variables. */
sonde_status plot_campaign(sonde_context *context, const struct campaign *campaign,
			   const struct campaign_table *table, const sonde_program_options *program);

#endif
