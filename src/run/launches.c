#include "run/launches.h"

sonde_status device_timer_begin(struct device *device, struct device_timer *timer)
{
	*timer = (struct device_timer){0};
	return device_event_record(device, &timer->began);
}

sonde_status device_timer_end(struct device *device, struct device_timer *timer, sonde_status status, double *seconds)
{
	double took;

	if (status == SONDE_OK)
		status = device_event_record(device, &timer->ended);
	if (status == SONDE_OK)
		status = device_event_elapsed(device, &timer->began, &timer->ended, &took);
	device_event_release(device, &timer->began);
	device_event_release(device, &timer->ended);
	if (status == SONDE_OK)
		*seconds = took;
	return status;
}

/* A launch in progress. */
struct launch {
	struct device_timer timer;
	uint32_t groups; /* 0: none */
};

static sonde_status begin(const struct launches *all, int slot, uint32_t left, struct launch *launch)
{
	const uint32_t paced = device_pace_groups(all->device, all->pace, all->first_groups, left),
		       least = all->least_groups < left ? all->least_groups : left,
		       room = paced > least ? paced : least;

	device_use_queue(all->device, slot);
	sonde_status status = device_timer_begin(all->device, &launch->timer);
	if (status == SONDE_OK)
		status = all->begin(all->user, slot, room, &launch->groups);
	if (status == SONDE_OK)
		status = device_event_record(all->device, &launch->timer.ended);
	device_use_queue(all->device, 0);
	return status;
}

/* Waits for a launch and learns from it. */
static sonde_status end(const struct launches *all, int slot, struct launch *launch)
{
	const uint32_t groups = launch->groups;
	double seconds;

	if (groups == 0)
		return SONDE_OK;
	launch->groups = 0;
	CHECK(device_event_elapsed(all->device, &launch->timer.began, &launch->timer.ended, &seconds));
	device_pace_learn(all->device, all->pace, groups, seconds);
	return all->end(all->user, slot, groups);
}

static void forget(const struct launches *all, struct launch *launch)
{
	device_event_release(all->device, &launch->timer.began);
	device_event_release(all->device, &launch->timer.ended);
}

sonde_status launches_run(const sonde_context *context, const struct launches *all)
{
	struct launch launches[DEVICE_QUEUES] = {0};
	sonde_status status = SONDE_OK;
	int slot = 0;

	for (uint32_t left; status == SONDE_OK && (left = all->left(all->user)) > 0; slot = (slot + 1) % all->count) {
		status = end(all, slot, &launches[slot]);
		if (status == SONDE_OK && context_cancelled(context))
			status = status_fail(SONDE_CANCELLED, "stopped on request in the %s", all->what);
		if (status == SONDE_OK)
			status = begin(all, slot, left, &launches[slot]);
	}
	for (int k = 0; k < all->count; ++k, slot = (slot + 1) % all->count) {
		if (status == SONDE_OK)
			status = end(all, slot, &launches[slot]);
		if (status != SONDE_OK)
			forget(all, &launches[slot]);
	}
	return status;
}
