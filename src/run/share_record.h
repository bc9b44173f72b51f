/* How a run shared its work among devices and ranks, for the summary of `--json`: the balance that share.c has reached. */
#ifndef SONDE_RUN_SHARE_RECORD_H
#define SONDE_RUN_SHARE_RECORD_H

#include <stdbool.h>

#include "run/context.h"
#include "run/report.h"

/* Of one process. Work is in the unit of the run's progress: ions, pairs, points. */
struct share_record {
	double seconds,
	    processor; /* of shared work, with the merge: by the clock, and of this process on all processors */
	struct share_of_device {
		double work, seconds; /* seconds in which it had pieces */
	} devices[CONTEXT_MOST_DEVICES];
};

/* That of this process, to which share_work() adds. */
struct share_record *context_share_record(sonde_context *context);

/* Of a device of a rank. */
struct share_row {
	int32_t rank, index; /* of the device among those of its rank */
	char device[32];
	struct share_of_device of;
	double rank_seconds, rank_processor;
};

/* Those of all ranks, which come to this together, for the first one, rank by rank; freed by the caller. None: no work was shared. */
sonde_status share_record_gather(sonde_context *context, struct share_row **rows, size_t *count);
/* Member "shared": a list of the ranks, each with its devices; nothing without rows. */
void share_record_report(const struct share_row *rows, size_t count, struct report *report);

#endif
