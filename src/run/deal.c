#include "run/deal.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "run/part.h"

#define SECONDS_BETWEEN_REPORTS 0.5
#define LAST_PARTS 8 /* of a device's share: no smaller ranges are dealt at the end of a round */

enum { ASK = 1, GIVE, LATER, REPORT, STOP, END };

struct deal_rank {
	double work;
	bool has_some, has_ended;
};

static void post(struct deal *deal, int to, struct parallel_message message)
{
	message.round = deal->round;
	parallel_send(deal->ranks, to, &message);
}

sonde_status deal_begin(struct deal *deal, struct parallel *ranks, uint64_t pieces, uint64_t devices, bool overlaps)
{
	sonde_status status = SONDE_OK;

	*deal =
	    (struct deal){.ranks = ranks, .round = parallel_next_round(ranks), .pieces = pieces, .devices = devices};
	if (parallel_is_first(ranks))
		status = memory_allocate(&deal->each, (size_t)parallel_size(ranks), sizeof *deal->each, "the ranks");
	if (parallel_is_first(ranks) && overlaps && status == SONDE_OK)
		status =
		    memory_allocate(&deal->takers, (size_t)parallel_size(ranks), sizeof *deal->takers, "the ranks");
	for (int k = 0; deal->takers != NULL && k < parallel_size(ranks); ++k)
		deal->takers[k].takes_part = true;
	status = parallel_agree_on(ranks, status, pieces);
	if (status == SONDE_OK)
		status = parallel_sum(ranks, &deal->devices, 1);
	deal->told = clock_seconds();
	return status;
}

void deal_free(struct deal *deal)
{
	free(deal->each);
	free(deal->takers);
	deal->each = NULL;
	deal->takers = NULL;
}

static uint64_t ceil_of_ratio(uint64_t a, uint64_t b)
{
	return b > 0 ? (a + b - 1) / b : a;
}

/* Of the pieces left. A rank first gets its share, as equal ranks do all their pieces at once; what is left then is dealt in parts that
 * become smaller, so that all end together. */
static uint64_t share_of_left(const struct deal *deal, const struct deal_rank *of, uint64_t left, uint64_t wanted)
{
	const uint64_t least = ceil_of_ratio(deal->pieces, LAST_PARTS * deal->devices);
	uint64_t most = ceil_of_ratio(of->has_some ? left : deal->pieces, deal->devices);

	most = most > least ? most : least;
	return most < wanted ? most : wanted;
}

/* The same by what the ranks have completed so far. */
static uint64_t part_of_left(struct deal *deal, int rank, uint64_t left, uint64_t wanted, uint64_t in_progress)
{
	struct taker *taker = &deal->takers[rank];
	const double now = clock_seconds();
	const uint64_t done = taker->taken > in_progress ? taker->taken - in_progress : 0;

	if (taker->began == 0.0)
		taker->began = now;
	if (done > taker->done) {
		taker->done = done;
		taker->when = now;
	}
	return left > 0 ? part_of(deal->takers, parallel_size(deal->ranks), rank, now, left, wanted) : 0;
}

/* The next pieces for a rank; false: it should ask again later. */
static bool take(struct deal *deal, int rank, uint64_t wanted, uint64_t in_progress, uint64_t *first, uint64_t *count)
{
	struct deal_rank *of = &deal->each[rank];
	const uint64_t left = deal->stopped ? 0 : deal->pieces - deal->next;
	const uint64_t most = deal->takers != NULL ? part_of_left(deal, rank, left, wanted, in_progress)
						   : share_of_left(deal, of, left, wanted);

	*first = deal->next;
	*count = most < left ? most : left;
	deal->next += *count;
	of->has_some = true;
	if (deal->takers != NULL)
		deal->takers[rank].taken += *count;
	return *count > 0 || left == 0;
}

static void stop_all(struct deal *deal, bool cancelled)
{
	deal->stopped = true;
	deal->cancelled = deal->cancelled || cancelled;
	for (int k = 1; k < parallel_size(deal->ranks); ++k)
		if (!deal->each[k].has_ended)
			post(deal, k, (struct parallel_message){.kind = STOP, .count = cancelled});
}

static void answer(struct deal *deal, int rank, const struct parallel_message *message)
{
	struct deal_rank *of = &deal->each[rank];
	struct parallel_message given = {.kind = GIVE};

	of->work = message->kind != STOP ? message->work : of->work;
	if (message->kind == ASK) {
		if (!take(deal, rank, message->count, message->first, &given.first, &given.count))
			given.kind = LATER;
		post(deal, rank, given);
	} else if (message->kind == STOP && !deal->stopped) {
		stop_all(deal, message->count != 0);
	} else if (message->kind == END) {
		of->has_ended = true;
	}
}

/* A message to a rank other than 0. */
static void read_answer(struct deal *deal, const struct parallel_message *message, uint64_t *first, uint64_t *count)
{
	if (message->kind == STOP) {
		deal->stopped = deal->ended = true;
		deal->cancelled = deal->cancelled || message->count != 0;
	} else if (message->kind == GIVE) {
		deal->asked = false;
		*first = message->first;
		*count = message->count;
		deal->ended = deal->ended || message->count == 0;
	} else if (message->kind == LATER) {
		deal->asked = false;
		deal->later = true;
	}
}

static void read_messages(struct deal *deal, uint64_t *first, uint64_t *count)
{
	struct parallel_message message;
	int from;

	/* an answer at a time, as there is one place for it */
	while (*count == 0 && parallel_receive(deal->ranks, &from, &message)) {
		if (message.round != deal->round)
			continue;
		if (parallel_is_first(deal->ranks))
			answer(deal, from, &message);
		else
			read_answer(deal, &message, first, count);
	}
}

void deal_step(struct deal *deal, uint64_t wanted, uint64_t in_progress, double work, uint64_t *first,
	       uint64_t *count)
{
	const double now = clock_seconds();

	*first = *count = 0;
	read_messages(deal, first, count);
	if (parallel_is_first(deal->ranks)) {
		if (wanted > 0 && !deal->ended) {
			deal->later = !take(deal, 0, wanted, in_progress, first, count);
			deal->ended = *count == 0 && !deal->later;
		}
		return;
	}
	if (wanted > 0 && *count == 0 && !deal->asked && !deal->ended) {
		deal->asked = true;
		deal->later = false;
		post(deal, 0,
		     (struct parallel_message){.kind = ASK, .first = in_progress, .count = wanted, .work = work});
	} else if (now - deal->told > SECONDS_BETWEEN_REPORTS) {
		post(deal, 0, (struct parallel_message){.kind = REPORT, .work = work});
	} else {
		return;
	}
	deal->told = now;
}

double deal_work_of_others(const struct deal *deal)
{
	double work = 0.0;

	for (int k = 1; deal->each != NULL && k < parallel_size(deal->ranks); ++k)
		work += deal->each[k].work;
	return work;
}

void deal_stop(struct deal *deal, bool cancelled)
{
	if (deal->stopped && (deal->cancelled || !cancelled))
		return;
	if (parallel_is_first(deal->ranks)) {
		stop_all(deal, cancelled);
	} else {
		deal->stopped = true;
		deal->cancelled = deal->cancelled || cancelled;
		post(deal, 0, (struct parallel_message){.kind = STOP, .count = cancelled});
	}
	deal->ended = true;
}

void deal_end(struct deal *deal, double work)
{
	deal->ended = true;
	if (!parallel_is_first(deal->ranks))
		post(deal, 0, (struct parallel_message){.kind = END, .work = work});
}

bool deal_has_ended(const struct deal *deal)
{
	for (int k = 1; deal->each != NULL && k < parallel_size(deal->ranks); ++k)
		if (!deal->each[k].has_ended)
			return false;
	return true;
}
