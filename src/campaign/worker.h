/* A worker of a campaign: takes jobs one after another, runs them, and gives the results their names. */
#ifndef SONDE_CAMPAIGN_WORKER_H
#define SONDE_CAMPAIGN_WORKER_H

#include "campaign/campaign.h"
#include "run/context.h"

struct campaign_settings {
	const char *folder;  /* of the campaign, absolute */
	const char *program; /* that runs the command lines */
	int at_once;         /* jobs at the same time */
	double lease;        /* seconds */
	bool again;          /* failed jobs are tried again */
	/* Adds words to a command line: those by which it prints JSON, those for its device, and, if `resumed`, those by which it continues
	 * from its checkpoint. */
	sonde_status (*extend)(void *user, bool resumed, struct campaign_words *words);
	void *user;
};

enum campaign_state { CAMPAIGN_OPEN, CAMPAIGN_DONE, CAMPAIGN_FAILED };

struct campaign_outcome {
	size_t done, failed;         /* jobs, by all workers */
	size_t here, before;         /* done by this worker, and before it began */
	enum campaign_state *states; /* of all jobs */
};

/* Works until all jobs are done or have failed. SONDE_SUSPENDED after a request to stop: the same command continues. To be freed by
 * campaign_outcome_free(), also after a failure. */
sonde_status campaign_work(sonde_context *context, const struct campaign *campaign,
			   const struct campaign_settings *settings, struct campaign_outcome *outcome);
void campaign_outcome_free(struct campaign_outcome *outcome);
/* The state of a job in the folder. */
sonde_status campaign_job_state(const struct campaign *campaign, const char *folder, const struct campaign_job *job,
				enum campaign_state *state);
/* The message of a failed job; "" if there is none. */
void campaign_failure(const char *folder, const struct campaign_job *job, char message[1024]);

#endif
