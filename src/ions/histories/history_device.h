/* Histories on one device. */
#ifndef SONDE_IONS_HISTORIES_HISTORY_DEVICE_H
#define SONDE_IONS_HISTORIES_HISTORY_DEVICE_H

#include "device/device.h"
#include "ions/plan/plan.h"
#include "ions/tallies/sums.h"

/* A launch, and what it leaves besides tallies. */
struct history_launch {
	bool under_way;
	uint64_t first;
	uint32_t count;
	uint32_t steps, exits; /* steps after which it was to end; atoms that left so far */
	double seconds;        /* that it took so far */
	struct device_buffer numbers, stacks, counters, ends, left;
	struct ions_end *host_ends;
	size_t host_ends_capacity;
	struct ions_left *host_left;
};

struct history_device {
	struct device *device; /* null: not prepared */
	const struct ions_plan *plan;
	struct ions_job job;
	bool traced;  /* points of paths are written down in place of what leaves */
	bool grouped; /* each work-group follows ions of one group only */
	struct device_kernel kernel;
	struct device_buffer tables, flights, pairs, kinds, layers, bodies, tallies, scratch;
	uint32_t groups;         /* work-groups of a launch */
	uint32_t at_once;        /* atoms that they follow at once */
	struct device_pace pace; /* steps of a launch */
	double ions_per_second;  /* 0: not known yet */
	double pending_energy;   /* eV of a group of ions, in the device's tallies at most */
	struct ions_sums *sums;  /* of what was done here and is not collected yet */
	uint64_t *on_host;       /* some of the tallies, or spectra */
	/* ions that are in `sums`, or were when they were collected; for whoever follows a round to forget */
	struct ions_range *ranges;
	int64_t range_count;
	size_t range_capacity;
	/* on GPUs the host adds what one launch has left while the next one is under way */
	struct history_launch launches[DEVICE_QUEUES];
	int launch_count, next;
	double counted; /* moment up to which `seconds` goes */
	double seconds; /* with a launch under way */
};

/* `own` is zeroed. After a failure it is released. */
sonde_status history_device_prepare(struct device *device, const struct ions_plan *plan, struct history_device *own);
/* The same for paths, on the device "cpu". */
sonde_status history_device_prepare_traced(struct device *device, const struct ions_plan *plan,
					   struct history_device *own);
/* All points of the history of an ion, valid until the next call. */
sonde_status history_device_trace(struct history_device *own, uint64_t ion, const struct ions_left **points,
				  uint32_t *count);
void history_device_release(struct history_device *own);
/* Ions that a launch should have. */
uint32_t history_device_ions(const struct history_device *own);
/* Follows ions first to first + count - 1, and may return before that is done. SONDE_CANCELLED once the caller asked to stop:
 * then history_device_suspend() tells how far it was. */
sonde_status history_device_run(struct history_device *own, uint64_t first, uint32_t count, int threads);
/* Adds what is there to `sums`. */
sonde_status history_device_collect(struct history_device *own, int threads, struct ions_sums *sums);

/* After a stop: adds what is there to `sums`, ions in the midst of their histories as well. Those of the last launches that were not
 * begun are not in `ranges`. In history_suspend.c. */
sonde_status history_device_suspend(struct history_device *own, int threads, struct ions_sums *sums);
/* Goes on with ions of `aside`, in the order of their numbers, from number *next on, which becomes the first that was not taken. What
 * was not ended where the caller asks to stop (SONDE_CANCELLED) is in this device's sums. */
sonde_status history_device_go_on(struct history_device *own, const struct ions_aside *aside, int64_t *next,
				  int threads);

/* Of history_device.c, for history_suspend.c. */
sonde_status history_launch_make_room(struct history_device *own, struct history_launch *launch, uint64_t ends,
				      uint64_t listed);
/* Begins a launch, or goes on with what it has put aside. */
sonde_status history_launch_begin(struct history_device *own, struct history_launch *launch, bool again);
/* Waits until it ends, and says how many places it has put aside. */
sonde_status history_launch_wait(struct history_device *own, struct history_launch *launch, uint32_t *aside);
/* Adds its ions, or those of its ions that were begun. */
sonde_status history_launch_add(struct history_device *own, struct history_launch *launch, int threads);
/* Reads the ends and exits of a launch that has ended, and adds the exits. */
sonde_status history_launch_read(struct history_device *own, struct history_launch *launch, uint64_t ends);

#endif
