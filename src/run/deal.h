/* The pieces of work dealt to the ranks of a job: rank 0 hands out ranges of them on request, so that a fast rank does more than a slow
 * one. A rank asks when its devices have nothing left. Used by share.c; all functions are called by the main thread. */
#ifndef SONDE_RUN_DEAL_H
#define SONDE_RUN_DEAL_H

#include <stdbool.h>
#include <stdint.h>

#include "parallel/parallel.h"

struct deal {
	struct parallel *ranks;
	uint64_t round;         /* messages of earlier rounds are ignored */
	uint64_t pieces, next;  /* on rank 0: earlier ones are dealt */
	uint64_t devices;       /* of all ranks */
	struct deal_rank *each; /* on rank 0: what is known of the ranks */
	struct taker *takers;   /* on rank 0, if pieces are in progress when a rank asks: the ranks */
	double told;            /* time of the last report to rank 0 */
	bool asked;             /* an answer is on its way */
	bool ended;             /* this rank gets no more pieces */
	bool later;             /* it should complete those in progress before it asks again */
	bool stopped;           /* a rank ends the round, */
	bool cancelled;         /* because its user has asked for that */
};

/* All ranks begin a round of the same number of pieces, with `devices` devices each; `overlaps`: they ask for pieces while
 * others are in progress. */
sonde_status deal_begin(struct deal *deal, struct parallel *ranks, uint64_t pieces, uint64_t devices, bool overlaps);
/* Exchanges messages. If `wanted` is not 0, this rank has no pieces left and could do that many; *first and *count are those that it gets,
 * now or in a later call, and `ended` is set if there are none, or `later`. `work` is what it has done, `in_progress` are pieces that it has not completed. */
void deal_step(struct deal *deal, uint64_t wanted, uint64_t in_progress, double work, uint64_t *first,
	       uint64_t *count);
/* The work done by other ranks, as far as it is known: on rank 0. */
double deal_work_of_others(const struct deal *deal);
/* No more pieces are dealt to any rank: the user has asked for it, or this rank has failed. */
void deal_stop(struct deal *deal, bool cancelled);
/* This rank has done its pieces, or has failed. Rank 0 has to take steps until all ranks have ended. */
void deal_end(struct deal *deal, double work);
bool deal_has_ended(const struct deal *deal);
void deal_free(struct deal *deal);

#endif
