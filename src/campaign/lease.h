/* Leases: which worker runs which job, for workers that share nothing but a folder, possibly of several machines.
 *
 * A lease is a file leases/NAME with the name of its worker. It is made by giving a complete file a second name, which only one
 * worker can do. The worker touches it several times in the time of a lease; one that has not been touched for that long is taken over:
 * by renaming it, which again only one worker can do. Times are those of the file system, of the lease and of a file that was touched
 * at the same moment, so that clocks of machines need not agree. A worker of the same machine that no longer exists is recognized at
 * once.
 *
 * A lease saves work; correctness does not depend on it. Two workers may run the same job: one that was stopped for longer than its
 * lease and then continues, for instance. The first complete result gets the name (campaign_publish()), and the other one is discarded. */
#ifndef SONDE_CAMPAIGN_LEASE_H
#define SONDE_CAMPAIGN_LEASE_H

#include "campaign/folder.h"

#define LEASE_WORKER_SIZE 128

struct lease_worker {
	const char *folder;               /* of the campaign, absolute */
	double seconds;                   /* of a lease */
	char name[LEASE_WORKER_SIZE];     /* of this worker, unique */
	char text[3 * LEASE_WORKER_SIZE]; /* contents of its leases */
	char clock[PATH_MAX];             /* a file that is touched to learn the time of the file system */
};

/* Makes a name for the worker. Ended by lease_worker_end(). */
sonde_status lease_worker_begin(const char *folder, double seconds, struct lease_worker *worker);
void lease_worker_end(struct lease_worker *worker);

/* Tries to get the lease of a job; *taken: this worker has it. One that has ended is taken over. */
sonde_status lease_take(struct lease_worker *worker, const char *job, bool *taken);
/* Touches the lease. False if another worker has it, or nobody. */
bool lease_renew(const struct lease_worker *worker, const char *job);
/* Gives it back, if it is still this worker's. */
void lease_release(const struct lease_worker *worker, const char *job);

#endif
