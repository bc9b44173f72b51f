/* The figures of one job, from its summary and its result. */
#ifndef SONDE_CAMPAIGN_COLLECT_H
#define SONDE_CAMPAIGN_COLLECT_H

#include "campaign/campaign.h"

/* One for each figure of the campaign. */
struct collected {
	double *values, *errors; /* NaN: the job has none */
	char (*units)[32];       /* set where they are known and were "" */
};

/* Sets the figures of job `row`; results that cannot be read are failures. */
sonde_status collect_job(const struct campaign *campaign, const char *folder, size_t row,
			 const struct collected *collected);

/* Sets the unit of a figure of summaries, unless it is known, from its name, or from the number of the same name and value in the
 * result of job `row`. */
sonde_status collect_unit(const struct campaign *campaign, const char *folder, size_t row, int figure, double value,
			  char unit[32]);

/* Appends what job `row` has instead of a figure that it does not have: the name that is most similar, or else all names. */
sonde_status collect_hint(const struct campaign *campaign, const char *folder, size_t row, int figure,
			  struct text *text);

#endif
