/* The ranks of a job of MPI: processes that carry out the same command, share its work (run/share.h), and have the same
 * results afterwards. Without MPI there is one: a null pointer stands for it, and every function here then does at once what is left to do.
 *
 * All ranks come to the same calls in the same order. A rank that fails comes, by parallel_end(), to whatever the others have come to, and
 * they fail with its message: every exchange begins with parallel_agree(), so that none waits for a rank that will not come. */
#ifndef SONDE_PARALLEL_PARALLEL_H
#define SONDE_PARALLEL_PARALLEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct parallel;

/* Starts MPI if this is a rank of a job, else *ranks is null. To be called once. `program` is what all ranks must have in common, its version. */
sonde_status parallel_start(const char *program, struct parallel **ranks);

int parallel_rank(const struct parallel *ranks);
int parallel_size(const struct parallel *ranks);
/* The same among the ranks of this node. */
int parallel_local_rank(const struct parallel *ranks);
int parallel_local_size(const struct parallel *ranks);
/* The rank that prints and writes files: rank 0. */
bool parallel_is_first(const struct parallel *ranks);
const char *parallel_host(const struct parallel *ranks);
/* The name of the MPI. */
const char *parallel_library(const struct parallel *ranks);

/* The threads for a rank that may use `processors`: ranks of a node that may use the same ones share them. */
int parallel_threads(const struct parallel *ranks, int processors);
/* Of `count` things on a node, such as devices, those that are for this rank: the number *first and every *step further one. */
void parallel_deal(const struct parallel *ranks, int count, int *first, int *step);

/* Waits for all ranks and gives all of them one status: the failure of the lowest rank that has failed, with its
 * message; else a stop, if one of them was stopped. After a failure no exchange takes place any more. */
sonde_status parallel_agree(struct parallel *ranks, sonde_status own);
/* The same; `what` must be the same on all ranks, as their work must be. */
sonde_status parallel_agree_on(struct parallel *ranks, sonde_status own, uint64_t what);

/* From the first rank to all. */
sonde_status parallel_broadcast(struct parallel *ranks, void *bytes, size_t size);
/* Sums over the ranks, for all of them; integers, so that they do not depend on any order. */
sonde_status parallel_sum(struct parallel *ranks, uint64_t *numbers, size_t count);
sonde_status parallel_sum_wide(struct parallel *ranks, __int128 *numbers, size_t count);
/* Sums of real numbers, added in the order of the ranks. */
sonde_status parallel_sum_in_order(struct parallel *ranks, double *numbers, size_t count);
/* *all, to be freed: the bytes of all ranks in their order, and *size their number. */
sonde_status parallel_gather(struct parallel *ranks, const void *own, size_t own_size, void **all, size_t *size);
/* The same for the first rank; the others get null and 0. */
sonde_status parallel_collect(struct parallel *ranks, const void *own, size_t own_size, void **all, size_t *size);
/* The least of the ranks' numbers, such as the memory that each may use, for all of them. */
sonde_status parallel_least(struct parallel *ranks, double *number);

/* Bytes of which each rank has some, and zeros in the place of the others: all of them, for all ranks. */
sonde_status parallel_merge(struct parallel *ranks, void *bytes, size_t size);
/* The largest numbers of all ranks, for all of them. */
sonde_status parallel_largest(struct parallel *ranks, double *numbers, size_t count);

/* Bytes that go to another rank, or come from it, at most 1 GB: the other rank has the counterpart, of the same size, and
 * those between two ranks in one direction are in the same order. Without agreement, to be fast: the ranks must know from
 * an earlier one that all of them come here. */
struct parallel_transfer {
	int rank;
	bool sends;
	void *bytes;
	size_t size;
};
/* Begins one, and returns its number; at most PARALLEL_MOST_TRANSFERS at a time: until parallel_has_arrived() is true, or
 * parallel_end_transfers() has waited for all. */
#define PARALLEL_MOST_TRANSFERS 256
int parallel_begin_transfer(struct parallel *ranks, const struct parallel_transfer *transfer);
/* Whether one is complete; if `waits`, once it is. */
bool parallel_has_arrived(struct parallel *ranks, int number, bool waits);
void parallel_end_transfers(struct parallel *ranks);

/* Messages between ranks, of one size, at any time. */
struct parallel_message {
	uint64_t kind, round, first, count;
	double work;
};
void parallel_send(struct parallel *ranks, int to, const struct parallel_message *message);
/* False if there is none. */
bool parallel_receive(struct parallel *ranks, int *from, struct parallel_message *message);
/* A number that is larger in each call, and the same on all ranks. */
uint64_t parallel_next_round(struct parallel *ranks);

/* Agrees on the outcome of the command. The first rank prints a failure; then parallel_finish() ends MPI and returns
 * the lowest of the ranks' exit codes: a stop by a batch system, which may reach one of them, is one for all. */
sonde_status parallel_end(struct parallel *ranks, sonde_status own);
int parallel_finish(struct parallel **ranks, int code);

#endif
