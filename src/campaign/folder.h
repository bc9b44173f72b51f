/* The folder of a campaign:
 *
 *     campaign.id            the digest of the jobs: other campaigns are refused
 *     jobs/NAME.yaml         job files
 *     results/NAME.h5        results, and NAME.json, their summaries
 *     failed/NAME            messages of failed jobs
 *     files/NAME/            further files of jobs
 *     leases/NAME            who is working on a job (lease.h)
 *     work/NAME@WORKER/      unfinished work
 *     table.csv, table.h5, convergence.csv
 */
#ifndef SONDE_CAMPAIGN_FOLDER_H
#define SONDE_CAMPAIGN_FOLDER_H

#include <limits.h>

#include "campaign/campaign.h"

/* FOLDER/PART/NAME + ENDING; with a null `name`, FOLDER/PART. SONDE_INVALID if that is too long. */
sonde_status campaign_path(const char *folder, const char *part, const char *name, const char *ending,
			   char path[PATH_MAX]);
/* SONDE_INVALID if the folder belongs to another campaign, or cannot be one; nothing is written. *begun: it is the folder of this one. */
sonde_status campaign_folder_check(const struct campaign *campaign, const char *folder, bool *begun);
/* Makes the folder, or joins the one that is there. `absolute` becomes its absolute path. */
sonde_status campaign_folder_begin(const struct campaign *campaign, const char *folder, char absolute[PATH_MAX]);
/* Gives a complete file its name if nothing has it yet; *given: whether it has it now because of this call. The file loses its first name. Works
 * where other machines may do the same at the same time. */
sonde_status campaign_publish(const char *file, const char *name, bool *given);
/* Removes a folder with everything in it; failures are ignored. */
void campaign_remove_folder(const char *path);

#endif
