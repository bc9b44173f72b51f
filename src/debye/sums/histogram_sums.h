/* From the counts of a histogram to sums over pairs: of two species, and meanwhile the next pairs may be counted. */
#ifndef SONDE_DEBYE_HISTOGRAM_SUMS_H
#define SONDE_DEBYE_HISTOGRAM_SUMS_H

#include <pthread.h>

#include "debye/sums/bin_list.h"
#include "debye/sums/histogram_device.h"

/* The counted pairs of species a and b, TOTAL_WORDS for each bin from first_bin to last_bin. */
struct counted_pairs {
	int a, b;
	double pairs; /* their number, of a cluster exactly */
	uint64_t first_bin, last_bin;
	uint64_t *totals;
	size_t capacity; /* of the array */
};

struct histogram_sums {
	sonde_context *context;
	const struct histogram_bins *bins;
	struct pair_sums *to;
	bool occupied; /* the sample has occupancies below 1 */
	void *user;    /* of the next function: */
	sonde_status (*drop_device)(void *user, int index, sonde_status status); /* as share_drop_device() */
	/* the distances of two species, and their sums on the device that made the last ones; those of the thread while it runs */
	struct bin_list list;
	struct sinc_list *sums;
	/* a thread that makes the sums of the pairs `taken` on the host, while `running`, and its failure */
	pthread_t thread;
	bool running;
	struct device *host;
	struct counted_pairs taken;
	sonde_status status;
	char message[512];
};

/* Makes the sums of counted pairs; *counted is kept, or another array in its place. If `beside`, a thread of its own begins to make
 * them, where that is possible: histogram_sums_wait() ends it, and so do the next sums. Fails if pairs were lost. */
sonde_status histogram_sums_make(struct histogram_sums *sums, struct counted_pairs *counted, bool beside);
sonde_status histogram_sums_wait(struct histogram_sums *sums);
/* Forgets what is on a device that has failed. */
void histogram_sums_forget(struct histogram_sums *sums, struct device *device);
void histogram_sums_free(struct histogram_sums *sums);

#endif
