/* Histories on one device. */
#ifndef SONDE_IONS_HISTORIES_HISTORY_DEVICE_H
#define SONDE_IONS_HISTORIES_HISTORY_DEVICE_H

#include "device/device.h"
#include "ions/plan/plan.h"
#include "ions/tallies/sums.h"

/* A launch, and its output other than tallies. */
struct history_launch {
	bool under_way;
	uint64_t first;
	uint32_t count;
	uint32_t steps, exits; /* steps after which it ends; number of atoms that left so far */
	double seconds;        /* its duration so far */
	struct device_buffer numbers, stacks, counters, ends, left;
	struct ions_end *host_ends;
	size_t host_ends_capacity;
	struct ions_left *host_left;
};

struct history_device {
	struct device *device; /* null: not prepared */
	const struct ions_plan *plan;
	struct ions_job job;
	bool traced;  /* points of paths are recorded instead of leaving atoms */
	bool grouped; /* each work-group follows ions of one group only */
	struct device_kernel kernel;
	struct device_buffer tables, flights, pairs, kinds, layers, bodies, tallies, scratch;
	uint32_t groups;         /* work-groups per launch */
	uint32_t warps;          /* of them, if work-items are in lockstep */
	uint32_t at_once;        /* number of atoms followed at once */
	struct device_pace pace; /* steps of a launch */
	double ions_per_second;  /* 0: not yet known */
	double pending_energy;   /* upper limit of the energy of a group of ions in the device's tallies, eV */
	struct ions_sums *sums;  /* results of this device that are not yet collected */
	bool is_drained;         /* all of them, and none are on the device */
	uint64_t *on_host;       /* part of the tallies, or spectra */
	/* ions that are in `sums`, or were when these were collected; cleared by the caller after a round */
	struct ions_range *ranges;
	int64_t range_count;
	size_t range_capacity;
	/* on GPUs the host adds the output of one launch while the next one runs */
	struct history_launch launches[DEVICE_QUEUES];
	int launch_count, next;
	double counted; /* time up to which `seconds` is counted */
	double seconds; /* time with a running launch */
};

/* `own` is zeroed. After a failure it is released. */
sonde_status history_device_prepare(struct device *device, const struct ions_plan *plan, struct history_device *own);
/* The same for recording paths, on the device "cpu". */
sonde_status history_device_prepare_traced(struct device *device, const struct ions_plan *plan,
					   struct history_device *own);
/* All points of the history of an ion, valid until the next call. */
sonde_status history_device_trace(struct history_device *own, uint64_t ion, const struct ions_left **points,
				  uint32_t *count);
void history_device_release(struct history_device *own);
/* Suitable number of ions for a launch. */
uint32_t history_device_ions(const struct history_device *own);
/* Number of ions of launches that are not finished. */
uint64_t history_device_ions_in_progress(const struct history_device *own);
/* Follows ions first to first + count - 1, and may return before they are done. SONDE_CANCELLED after a stop by
 * the caller: then history_device_suspend() returns the progress. */
sonde_status history_device_run(struct history_device *own, uint64_t first, uint32_t count, int threads);
/* Waits for all launches and fetches their results, so that the next history_device_collect() only adds them. */
sonde_status history_device_finish(struct history_device *own, int threads);
/* Adds the results on the device to `sums`. */
sonde_status history_device_collect(struct history_device *own, int threads, struct ions_sums *sums);

/* After a stop: adds the results on the device to `sums`, including ions with unfinished histories. Ions of the
 * last launches that were not started are not in `ranges`. In history_suspend.c. */
sonde_status history_device_suspend(struct history_device *own, int threads, struct ions_sums *sums);
/* Continues ions of `aside`, in the order of their numbers, from number *next on, which becomes the first that was
 * not taken. Histories still unfinished after a stop by the caller (SONDE_CANCELLED) are in the sums of this
 * device. */
sonde_status history_device_go_on(struct history_device *own, const struct ions_aside *aside, int64_t *next,
				  int threads);

/* Functions of history_device.c for history_suspend.c: */
sonde_status history_launch_make_room(struct history_device *own, struct history_launch *launch, uint64_t ends,
				      uint64_t listed);
/* Starts a launch, or continues its suspended histories. */
sonde_status history_launch_begin(struct history_device *own, struct history_launch *launch, bool again);
/* Waits for its end, and returns the number of suspended places. */
sonde_status history_launch_wait(struct history_device *own, struct history_launch *launch, uint32_t *aside);
/* Adds the ions of a launch, or only those that were started. */
sonde_status history_launch_add(struct history_device *own, struct history_launch *launch, int threads);
/* Reads the ends and exits of a finished launch, and adds the exits. */
sonde_status history_launch_read(struct history_device *own, struct history_launch *launch, uint64_t ends);

#endif
