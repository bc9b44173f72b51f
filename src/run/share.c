#include "run/share.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory.h"

#define NOBODY (-1)
#define REPORTED_EVERY 50000000 /* nanoseconds */

struct sharing {
	sonde_context *context;
	const struct shared_work *work;
	struct device **devices;
	int device_count;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	int16_t *owner;  /* device of each piece; NOBODY: to be done */
	uint64_t next;   /* all earlier pieces are taken */
	double *work_of; /* work done by each device */
	double done;
	int running; /* threads */
	bool stop;
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

void share_release(const struct shared_work *work)
{
	for (int k = 0; k < CONTEXT_MOST_DEVICES; ++k)
		release(work, k);
}

/* Assigns the next pieces to the device; false if there are none. */
static bool take(struct sharing *s, int index, uint64_t *first, uint64_t *count)
{
	const struct shared_work *work = s->work;
	uint64_t most =
	    work->at_once != NULL ? work->at_once(work->user, s->devices[index], state_of(work, index)) : 1;

	*count = 0;
	pthread_mutex_lock(&s->mutex);
	while (s->next < s->work->pieces && s->owner[s->next] != NOBODY)
		++s->next;
	*first = s->next;
	while (!s->stop && *count < most && s->next < s->work->pieces && s->owner[s->next] == NOBODY) {
		s->owner[s->next++] = (int16_t)index;
		++*count;
	}
	pthread_mutex_unlock(&s->mutex);
	return *count > 0;
}

/* Returns some pieces, or all of a device. */
static void give_back(struct sharing *s, int index, bool all, uint64_t first, uint64_t count)
{
	pthread_mutex_lock(&s->mutex);
	for (uint64_t k = first; !all && k < first + count; ++k)
		s->owner[k] = NOBODY;
	for (uint64_t k = 0; all && k < s->work->pieces; ++k)
		if (s->owner[k] == index)
			s->owner[k] = NOBODY;
	s->next = 0;
	if (all) {
		s->done -= s->work_of[index];
		s->work_of[index] = 0.0;
	}
	pthread_mutex_unlock(&s->mutex);
}

static sonde_status run_pieces(struct sharing *s, int index, uint64_t first, uint64_t count)
{
	double work = 0.0;
	void *state;
	sonde_status status = share_prepare(s->work, index, s->devices[index], &state);

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
	pthread_mutex_unlock(&s->mutex);
	return status;
}

static void *share_on_thread(void *argument)
{
	struct sharer *sharer = argument;
	struct sharing *s = sharer->sharing;
	uint64_t first, count;

	while (sharer->status == SONDE_OK && take(s, sharer->index, &first, &count))
		sharer->status = run_pieces(s, sharer->index, first, count);
	if (sharer->status != SONDE_OK)
		snprintf(sharer->message, sizeof sharer->message, "%s", status_message());
	pthread_mutex_lock(&s->mutex);
	--s->running;
	pthread_cond_signal(&s->changed);
	pthread_mutex_unlock(&s->mutex);
	return NULL;
}

/* Reports progress to the caller until all threads have ended. */
static sonde_status watch(struct sharing *s, struct stage *stage, double before)
{
	sonde_status status = SONDE_OK;

	pthread_mutex_lock(&s->mutex);
	while (s->running > 0) {
		struct timespec until;
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += REPORTED_EVERY;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		(void)pthread_cond_timedwait(&s->changed, &s->mutex, &until);
		double done = before + s->done;
		pthread_mutex_unlock(&s->mutex);
		sonde_status now = stage_advance(stage, done);
		pthread_mutex_lock(&s->mutex);
		if (now != SONDE_OK) {
			status = now;
			s->stop = true;
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
		sonde_status status = device_of(state) != NULL ? s->work->collect(s->work->user, state) : SONDE_OK;
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
			if (takes_part(s, k)) {
				++alive;
				last = k;
			}
		}
		if (alive == 0)
			return SONDE_OK;
		if (alive > 1 && s->work->pieces > 1)
			CHECK(share_among(s, stage, before));
		else
			CHECK(share_alone(s, last, stage, before));
		if (all_done(s))
			CHECK(collect_all(s));
	} while (!all_done(s));
	return SONDE_OK;
}

sonde_status share_work(sonde_context *context, const struct shared_work *work, struct stage *stage, double *done)
{
	double work_of[CONTEXT_MOST_DEVICES] = {0};
	struct sharing s = {.context = context,
			    .work = work,
			    .mutex = PTHREAD_MUTEX_INITIALIZER,
			    .changed = PTHREAD_COND_INITIALIZER,
			    .work_of = work_of};

	CHECK(context_devices(context, &s.devices, &s.device_count));
	CHECK(memory_allocate(&s.owner, work->pieces, sizeof *s.owner, "sharing the work"));
	for (uint64_t k = 0; k < work->pieces; ++k)
		s.owner[k] = NOBODY;
	sonde_status status = work->pieces > 0 ? share(&s, stage, *done) : SONDE_OK;
	*done += s.done;
	free(s.owner);
	return status;
}
