/* What a thread needs to find the mixtures of other curves among the same candidates: sets and numbers of its own. */
#ifndef SONDE_MATCH_MIXTURE_WORKER_H
#define SONDE_MATCH_MIXTURE_WORKER_H

#include "match/mixture.h"

struct mixture_worker {
	struct common common; /* copies of the sets */
	struct mixture mixture;
	double *a,
	    *gram; /* weighted curves of the thread's own, and their products; null: those of the first mixture serve */
	bool ready; /* begun */
};

/* For curves whose weights or scales differ (`weighs`) from those of `first`, which has to outlive the worker, or for equal ones. The worker's
 * solution is empty. Freed by mixture_worker_end(), also after a failure and if it was not begun. */
sonde_status mixture_worker_begin(const struct mixture *first, bool weighs, struct mixture_worker *worker);
void mixture_worker_end(struct mixture_worker *worker);
/* The next solution begins with some columns, so that it does not depend on the one before. */
sonde_status mixture_worker_start(const int *active, int count, struct mixture_worker *worker);

#endif
