#include "run/share.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "run/deal.h"
#include "run/exchange.h"
#include "run/part.h"
#include "run/share_record.h"

#define NOBODY SHARE_NOBODY
#define ELSEWHERE SHARE_ELSEWHERE
#define REPORTED_EVERY 50000000 /* nanoseconds */
#define ANSWERED_EVERY 300000   /* messages of other ranks */
#define LAST_PARTS 4            /* of what a device takes at a time: no smaller parts are taken at the end */

struct sharing {
	sonde_context *context;
	const struct shared_work *work;
	struct device **devices;
	int device_count;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	int16_t *
	    owner; /* device of each piece; NOBODY: to be done; ELSEWHERE: by another rank, unless it is dealt to this one */
	uint64_t next;        /* all earlier pieces are taken */
	double *work_of;      /* work done by each device */
	double *seconds_of;   /* in which it had pieces */
	struct taker *takers; /* the devices */
	double done;
	int running; /* threads */
	bool stop;
	bool waits;        /* for the end of other ranks */
	struct deal *deal; /* of the pieces among ranks; null: this rank has all */
	uint64_t wanted;   /* pieces for which threads wait */
	double began;
	pthread_cond_t dealt;
};

struct sharer {
	struct sharing *sharing;
	int index;
	sonde_status status;
	char message[512];
};

static void *state_of(const struct shared_work *work, int index)
{
	return (char *)work->states + (size_t)index * work->state_size;
}

/* The first member of a state; null: not prepared. */
static const struct device *device_of(const void *state)
{
	return *(struct device *const *)state;
}

sonde_status share_prepare(const struct shared_work *work, int index, struct device *device, void **state)
{
	*state = state_of(work, index);
	return device_of(*state) != NULL ? SONDE_OK : work->prepare(work->user, device, *state);
}

static void release(const struct shared_work *work, int index)
{
	void *state = state_of(work, index);

	if (device_of(state) != NULL)
		work->release(state);
}

static bool share_is_for_ranks(const struct shared_work *work)
{
	return work->merge != NULL || work->result_of != NULL || work->pack != NULL;
}

void share_release(const struct shared_work *work)
{
	for (int k = 0; k < CONTEXT_MOST_DEVICES; ++k)
		release(work, k);
}

/* Moves to the next piece to be done by this rank; false if there is none. */
static bool find_piece(struct sharing *s)
{
	while (s->next < s->work->pieces && s->owner[s->next] != NOBODY)
		++s->next;
	return s->next < s->work->pieces;
}

/* The main thread asks for them: serve(). */
static void wait_for_pieces(struct sharing *s, uint64_t most)
{
	s->wanted = most > s->wanted ? most : s->wanted;
	pthread_cond_signal(&s->changed);
	pthread_cond_wait(&s->dealt, &s->mutex);
}

/* With several devices that all take part. Of several ranks, a device first asks for its share, since another one of its rank may ask, too; the
 * rest is the matter of rank 0. */
static uint64_t limit_to_share(const struct sharing *s, int index, uint64_t most)
{
	const uint64_t left = s->work->pieces - s->next, devices = (uint64_t)s->device_count;

	if (s->deal != NULL && s->work->in_progress != NULL && s->takers[index].taken == 0) {
		const uint64_t each = (s->work->pieces + s->deal->devices - 1) / s->deal->devices;
		return most < each ? most : each;
	}
	if (!s->work->equal_ends || s->deal != NULL || left == 0)
		return most;
	if (s->work->in_progress != NULL)
		return part_of(s->takers, s->device_count, index, clock_seconds(), left, most);
	const uint64_t share = (left + devices - 1) / devices, least = (most + LAST_PARTS - 1) / LAST_PARTS,
		       part = share > least ? share : least;
	return most < part ? most : part;
}

/* Whether other ranks get the next pieces, and this device has some to complete. */
static bool has_to_finish(const struct sharing *s, int index)
{
	return s->deal->later && s->takers[index].taken > s->takers[index].done;
}

/* Assigns the next pieces to the device; false if there are none, or others get them. */
static bool take(struct sharing *s, int index, uint64_t *first, uint64_t *count)
{
	const struct shared_work *work = s->work;
	uint64_t most =
	    work->at_once != NULL ? work->at_once(work->user, s->devices[index], state_of(work, index)) : 1;

	*count = 0;
	pthread_mutex_lock(&s->mutex);
	most = limit_to_share(s, index, most);
	while (!find_piece(s) && s->deal != NULL && !s->deal->ended && !s->stop && !has_to_finish(s, index))
		wait_for_pieces(s, most);
	*first = s->next;
	while (!s->stop && *count < most && s->next < s->work->pieces && s->owner[s->next] == NOBODY) {
		s->owner[s->next++] = (int16_t)index;
		++*count;
	}
	s->takers[index].taken += *count;
	pthread_mutex_unlock(&s->mutex);
	return *count > 0;
}

/* Returns some pieces, or all of a device. */
static void give_back(struct sharing *s, int index, bool all, uint64_t first, uint64_t count)
{
	pthread_mutex_lock(&s->mutex);
	for (uint64_t k = first; !all && k < first + count; ++k)
		s->owner[k] = NOBODY;
	s->takers[index].taken -= all ? 0 : count;
	for (uint64_t k = 0; all && k < s->work->pieces; ++k)
		if (s->owner[k] == index)
			s->owner[k] = NOBODY;
	s->next = 0;
	if (all) {
		s->done -= s->work_of[index];
		s->work_of[index] = 0.0;
		s->takers[index] = (struct taker){0};
	}
	pthread_mutex_unlock(&s->mutex);
}

/* Before a call of run(); returns the time. */
static double note_beginning(struct sharing *s, int index)
{
	const double now = clock_seconds();

	pthread_mutex_lock(&s->mutex);
	if (s->takers[index].began == 0.0)
		s->takers[index].began = now;
	pthread_mutex_unlock(&s->mutex);
	return now;
}

/* After a call of run(). */
static void note_done(struct sharing *s, int index, const void *state)
{
	struct taker *taker = &s->takers[index];
	const uint64_t ahead = s->work->in_progress != NULL ? s->work->in_progress(s->work->user, state) : 0,
		       done = taker->taken > ahead ? taker->taken - ahead : 0;

	if (done > taker->done) {
		taker->done = done;
		taker->when = clock_seconds();
	}
}

static sonde_status run_pieces(struct sharing *s, int index, uint64_t first, uint64_t count)
{
	double work = 0.0;
	void *state;
	sonde_status status = share_prepare(s->work, index, s->devices[index], &state);
	const double began = note_beginning(s, index);

	if (status == SONDE_OK)
		status = s->work->run(s->work->user, state, first, count, &work);
	if (status != SONDE_OK && status != SONDE_CANCELLED) {
		give_back(s, index, s->work->collect != NULL, first, count);
		return status;
	}
	/* after a stop its pieces are not done again, and completed work still counts, even a part of a piece */
	pthread_mutex_lock(&s->mutex);
	s->done += work;
	s->work_of[index] += work;
	s->seconds_of[index] += clock_seconds() - began;
	note_done(s, index, state);
	pthread_mutex_unlock(&s->mutex);
	return status;
}

static bool is_stopped(struct sharing *s)
{
	pthread_mutex_lock(&s->mutex);
	const bool stopped = s->stop;
	pthread_mutex_unlock(&s->mutex);
	return stopped;
}

/* Completes what is in progress on a device that gets no more pieces, at least for now. */
static sonde_status finish_pieces(struct sharing *s, int index)
{
	void *state = state_of(s->work, index);
	const double began = clock_seconds();

	if (s->work->finish == NULL || device_of(state) == NULL || is_stopped(s))
		return SONDE_OK;
	const sonde_status status = s->work->finish(s->work->user, state);
	if (status != SONDE_OK) {
		if (status != SONDE_CANCELLED)
			give_back(s, index, true, 0, 0);
		return status;
	}
	pthread_mutex_lock(&s->mutex);
	s->seconds_of[index] += clock_seconds() - began;
	note_done(s, index, state);
	pthread_mutex_unlock(&s->mutex);
	return SONDE_OK;
}

/* Until there are no pieces left for the device. */
static sonde_status take_and_run(struct sharing *s, int index)
{
	uint64_t first, count;

	for (bool finished = false;;) {
		if (take(s, index, &first, &count)) {
			CHECK(run_pieces(s, index, first, count));
			finished = false;
		} else if (finished) {
			return SONDE_OK;
		} else {
			CHECK(finish_pieces(s, index));
			finished = true;
		}
	}
}

static void *share_on_thread(void *argument)
{
	struct sharer *sharer = argument;
	struct sharing *s = sharer->sharing;

	sharer->status = take_and_run(s, sharer->index);
	if (sharer->status != SONDE_OK)
		snprintf(sharer->message, sizeof sharer->message, "%s", status_message());
	pthread_mutex_lock(&s->mutex);
	--s->running;
	pthread_cond_signal(&s->changed);
	pthread_mutex_unlock(&s->mutex);
	return NULL;
}

static uint64_t pieces_in_progress(const struct sharing *s)
{
	uint64_t count = 0;

	for (int k = 0; k < s->device_count; ++k)
		count += s->takers[k].taken - s->takers[k].done;
	return count;
}

/* Exchanges messages with other ranks; with the mutex. */
static void serve(struct sharing *s)
{
	uint64_t first, count;

	if (s->deal == NULL)
		return;
	deal_step(s->deal, s->wanted, pieces_in_progress(s), s->done, &first, &count);
	for (uint64_t k = first; k < first + count; ++k)
		s->owner[k] = NOBODY;
	if (count > 0 && first < s->next)
		s->next = first;
	if (s->deal->cancelled)
		sonde_context_cancel(s->context); /* kernels end, too */
	s->stop = s->stop || s->deal->stopped;
	if (count == 0 && !s->deal->ended && !s->deal->later && !s->stop)
		return;
	s->wanted = 0;
	pthread_cond_broadcast(&s->dealt);
}

/* Ends the round for a checkpoint; the first rank does that for all. */
static void pause_sometimes(struct sharing *s)
{
	const double most = s->work->most_seconds;

	if (s->deal != NULL && most > 0.0 && !s->deal->stopped && parallel_is_first(s->deal->ranks) &&
	    clock_seconds() - s->began > most) {
		deal_stop(s->deal, false);
		s->stop = true;
		pthread_cond_broadcast(&s->dealt);
	}
}

/* Work of all ranks. */
static double all_work(const struct sharing *s)
{
	return s->done + (s->deal != NULL ? deal_work_of_others(s->deal) : 0.0);
}

/* Whether there is anything to wait for. */
static bool goes_on(const struct sharing *s)
{
	return s->running > 0 || (s->deal != NULL && !deal_has_ended(s->deal) && s->waits);
}

/* Reports progress to the caller until all threads have ended, or all ranks. */
static sonde_status watch(struct sharing *s, struct stage *stage, double before)
{
	const long every = s->deal != NULL ? ANSWERED_EVERY : REPORTED_EVERY;
	sonde_status status = SONDE_OK;

	pthread_mutex_lock(&s->mutex);
	for (serve(s); goes_on(s); serve(s)) {
		struct timespec until;
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += every;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		(void)pthread_cond_timedwait(&s->changed, &s->mutex, &until);
		pause_sometimes(s);
		const double done = before + all_work(s);
		pthread_mutex_unlock(&s->mutex);
		sonde_status now = stage_advance(stage, done);
		pthread_mutex_lock(&s->mutex);
		if (now != SONDE_OK) {
			status = now;
			s->stop = true;
			if (s->deal != NULL)
				deal_stop(s->deal, true);
		}
	}
	pthread_mutex_unlock(&s->mutex);
	return status;
}

static bool takes_part(const struct sharing *s, int index)
{
	struct device *device = s->devices[index];

	return device != NULL && (s->work->suits == NULL || s->work->suits(s->work->user, device));
}

static bool is_failure_of_device(sonde_status status)
{
	return status == SONDE_RESOURCE;
}

sonde_status share_drop_device(sonde_context *context, const struct shared_work *work, int index, sonde_status status)
{
	struct device **devices;
	char message[512];
	int count;

	snprintf(message, sizeof message, "%s", status_message());
	CHECK(context_devices(context, &devices, &count));
	release(work, index);
	if (work->forget != NULL)
		work->forget(work->user, devices[index]);
	status_set_message("%s", message);
	return context_drop_device(context, index, status);
}

static sonde_status drop(struct sharing *s, int index, sonde_status status)
{
	if (!is_failure_of_device(status))
		return status;
	CHECK(share_drop_device(s->context, s->work, index, status));
	/* the CPU may have replaced it */
	return context_devices(s->context, &s->devices, &s->device_count);
}

/* One device is served by the calling thread. */
static sonde_status share_alone(struct sharing *s, int index, struct stage *stage, double before)
{
	uint64_t first, count;

	while (take(s, index, &first, &count)) {
		sonde_status status = run_pieces(s, index, first, count);
		if (status == SONDE_CANCELLED)
			CHECK(stage_advance(stage, before + s->done)); /* with the final progress in its message */
		if (status != SONDE_OK)
			return drop(s, index, status);
		CHECK(stage_advance(stage, before + s->done));
	}
	return SONDE_OK;
}

static sonde_status share_among(struct sharing *s, struct stage *stage, double before)
{
	struct sharer sharers[CONTEXT_MOST_DEVICES];
	pthread_t threads[CONTEXT_MOST_DEVICES];
	int started = 0;
	sonde_status status = SONDE_OK;

	for (int k = 0; k < s->device_count; ++k)
		s->running += takes_part(s, k);
	for (int k = 0; k < s->device_count; ++k) {
		if (!takes_part(s, k))
			continue;
		sharers[started] = (struct sharer){.sharing = s, .index = k};
		if (pthread_create(&threads[started], NULL, share_on_thread, &sharers[started]) != 0) {
			pthread_mutex_lock(&s->mutex);
			--s->running;
			pthread_mutex_unlock(&s->mutex);
			continue;
		}
		++started;
	}
	if (started == 0 && s->deal != NULL)
		return status_fail(SONDE_RESOURCE, "the system refuses to start threads, which several ranks need");
	for (int k = 0; k < s->device_count && started == 0; ++k)
		if (takes_part(s, k))
			return share_alone(s, k, stage, before); /* one after the other */
	status = watch(s, stage, before);
	for (int k = 0; k < started; ++k)
		pthread_join(threads[k], NULL);
	for (int k = 0; k < started && status == SONDE_OK; ++k) {
		if (sharers[k].status == SONDE_OK)
			continue;
		status_set_message("%s", sharers[k].message);
		status = drop(s, sharers[k].index, sharers[k].status);
	}
	return status;
}

static bool all_done(const struct sharing *s)
{
	for (uint64_t k = 0; k < s->work->pieces; ++k)
		if (s->owner[k] == NOBODY)
			return false;
	return true;
}

static sonde_status collect_all(struct sharing *s)
{
	for (int k = 0; s->work->collect != NULL && k < s->device_count; ++k) {
		if (s->devices[k] == NULL)
			continue;
		void *state = state_of(s->work, k);
		const double began = clock_seconds();
		sonde_status status = device_of(state) != NULL ? s->work->collect(s->work->user, state) : SONDE_OK;
		s->seconds_of[k] += status == SONDE_OK ? clock_seconds() - began : 0.0;
		if (status == SONDE_OK) {
			for (uint64_t piece = 0; piece < s->work->pieces; ++piece)
				if (s->owner[piece] == k)
					s->owner[piece] = CONTEXT_MOST_DEVICES; /* safe */
			continue;
		}
		give_back(s, k, true, 0, 0);
		CHECK(drop(s, k, status)); /* the results of the others are still to be fetched */
	}
	return SONDE_OK;
}

static sonde_status share(struct sharing *s, struct stage *stage, double before)
{
	do {
		int alive = 0, last = 0;
		for (int k = 0; k < s->device_count; ++k) {
			s->takers[k].takes_part = takes_part(s, k);
			if (s->takers[k].takes_part) {
				++alive;
				last = k;
			}
		}
		if (alive == 0)
			return SONDE_OK;
		if (s->deal != NULL || (alive > 1 && s->work->pieces > 1))
			CHECK(share_among(s, stage, before));
		else
			CHECK(share_alone(s, last, stage, before));
		if (s->deal != NULL && s->stop)
			return SONDE_OK; /* another rank has failed, or all pause */
		if (all_done(s))
			CHECK(collect_all(s));
	} while (!all_done(s));
	return SONDE_OK;
}

/* Ranks ------------------------------------------------------------------------------------------------------------- */

/* This rank's part of the work, and on rank 0 the deal of all of it. */
static sonde_status do_part(struct sharing *s, struct stage *stage, double before)
{
	sonde_status status = share(s, stage, before);

	if (status != SONDE_OK)
		deal_stop(s->deal, status == SONDE_CANCELLED);
	deal_end(s->deal, s->done);
	s->waits = true;
	const sonde_status others = watch(s, stage, before);
	return status == SONDE_OK ? others : status;
}

static uint64_t count_own_devices(const struct sharing *s)
{
	uint64_t count = 0;

	for (int k = 0; k < s->device_count; ++k)
		count += takes_part(s, k);
	return count;
}

static sonde_status share_among_ranks(struct sharing *s, struct stage *stage, double *done)
{
	struct parallel *ranks = context_ranks(s->context);
	struct deal deal;

	for (uint64_t k = 0; k < s->work->pieces; ++k)
		s->owner[k] = ELSEWHERE;
	s->deal = &deal;
	sonde_status status =
	    deal_begin(&deal, ranks, s->work->pieces, count_own_devices(s), s->work->in_progress != NULL);
	if (status == SONDE_OK)
		status = parallel_agree(ranks, do_part(s, stage, *done));
	*done += all_work(s);
	deal_free(&deal);
	s->deal = NULL;
	if (status == SONDE_OK && s->work->result_of != NULL)
		status = exchange_results(ranks, s->work, s->owner);
	if (s->work->pack != NULL &&
	    (status == SONDE_OK || (status == SONDE_CANCELLED && s->work->most_seconds > 0.0))) {
		const sonde_status collected = exchange_packed(ranks, s->work, s->owner);
		status = collected != SONDE_OK ? collected : status;
	}
	if (status == SONDE_OK && s->work->merge != NULL)
		status = s->work->merge(s->work->user, ranks);
	return status;
}

static sonde_status share_or_do_all(struct sharing *s, struct stage *stage, double *done)
{
	const struct shared_work *work = s->work;
	const bool several = parallel_size(context_ranks(s->context)) > 1;

	if (work->pieces > 0 && several && share_is_for_ranks(work))
		return share_among_ranks(s, stage, done);
	if (several)
		context_notef(s->context, "%s: not shared by the ranks, each of which does all of it", stage->name);
	for (uint64_t k = 0; k < work->pieces; ++k)
		s->owner[k] = NOBODY;
	const sonde_status status = work->pieces > 0 ? share(s, stage, *done) : SONDE_OK;
	*done += s->done;
	return status;
}

static void record(const struct sharing *s, double processor)
{
	struct share_record *record = context_share_record(s->context);

	record->seconds += clock_seconds() - s->began;
	record->processor += clock_processor_seconds() - processor;
	for (int k = 0; k < CONTEXT_MOST_DEVICES; ++k) {
		record->devices[k].work += s->work_of[k];
		record->devices[k].seconds += s->seconds_of[k];
	}
}

sonde_status share_work(sonde_context *context, const struct shared_work *work, struct stage *stage, double *done)
{
	double work_of[CONTEXT_MOST_DEVICES] = {0}, seconds_of[CONTEXT_MOST_DEVICES] = {0};
	struct taker takers[CONTEXT_MOST_DEVICES] = {0};
	struct sharing s = {.context = context,
			    .work = work,
			    .mutex = PTHREAD_MUTEX_INITIALIZER,
			    .changed = PTHREAD_COND_INITIALIZER,
			    .dealt = PTHREAD_COND_INITIALIZER,
			    .work_of = work_of,
			    .seconds_of = seconds_of,
			    .takers = takers};

	CHECK(context_devices(context, &s.devices, &s.device_count));
	CHECK(memory_allocate(&s.owner, work->pieces, sizeof *s.owner, "sharing the work"));
	s.began = clock_seconds();
	const double processor = clock_processor_seconds();
	const sonde_status status = share_or_do_all(&s, stage, done);
	record(&s, processor);
	free(s.owner);
	return status;
}
