/* Launches of one device: their durations, and overlap of two or more, one in each queue, so that the end of one runs together with the
 * beginning of the next. */
#ifndef SONDE_RUN_LAUNCHES_H
#define SONDE_RUN_LAUNCHES_H

#include "run/context.h"

/* The time that a device takes for the work between two moments in the queue in use. */
struct device_timer {
	struct device_event began, ended;
};
sonde_status device_timer_begin(struct device *device, struct device_timer *timer);
/* `status` is that of the work in between, or of device_timer_begin(). Returns the first failure; *seconds is
 * unchanged after one. */
sonde_status device_timer_end(struct device *device, struct device_timer *timer, sonde_status status,
			      double *seconds);

/* Work-groups launched in parts, each sized to stay below the time limit of a launch. */
struct launches {
	struct device *device;
	struct device_pace *pace; /* learns from them */
	int count;                /* launches in progress at the same time, at most DEVICE_QUEUES */
	uint32_t first_groups;    /* work-groups of the first launch, while the pace is unknown */
	uint32_t
	    least_groups; /* of a launch, if so many are left, whatever the pace: fewer would leave multiprocessors idle */
	const char *what; /* "pairs": in the message of a stop */
	void *user;
	/* Work-groups still to be launched, or more than any launch has; 0: none. */
	uint32_t (*left)(void *user);
	/* Launches at most `room` of them in the queue in use, which has number `slot`; *groups is their number. */
	sonde_status (*begin)(void *user, int slot, uint32_t room, uint32_t *groups);
	/* The launch in queue `slot`, of `groups` work-groups, has ended. */
	sonde_status (*end)(void *user, int slot, uint32_t groups);
};

/* Launches all work-groups. end() is called in the order of the beginnings. After a failure, or once the caller of
 * `context` (which may be null) asked to stop, launches in progress are abandoned: they may still run, but end() is
 * not called. */
sonde_status launches_run(const sonde_context *context, const struct launches *launches);

#endif
