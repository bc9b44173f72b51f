/* Histories on one device. */
#ifndef SONDE_IONS_HISTORY_DEVICE_H
#define SONDE_IONS_HISTORY_DEVICE_H

#include "ions/plan.h"
#include "ions/sums.h"

/* A launch, and what it leaves besides tallies. */
struct history_launch {
	bool under_way;
	uint64_t first;
	uint32_t count;
	struct device_buffer numbers, stacks, counters, ends, left;
	struct ions_end *host_ends;
	size_t host_ends_capacity;
	struct ions_left *host_left;
};

struct history_device {
	struct device *device; /* null: not prepared */
	const struct ions_plan *plan;
	struct ions_job job;
	bool traced; /* points of paths are written down in place of what leaves */
	struct device_kernel kernel;
	struct device_buffer tables, flights, pairs, kinds, layers, bodies, tallies, scratch;
	uint32_t groups;        /* work-groups of a launch */
	uint32_t at_once;       /* atoms that they follow at once */
	double ions_per_second; /* 0: not known yet */
	double pending_energy;  /* eV of a group of ions, in the device's tallies at most */
	struct ions_sums *sums; /* of what was done here and is not collected yet */
	uint64_t *on_host;      /* tallies and spectra */
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
/* Follows ions first to first + count - 1, and may return before that is done. */
sonde_status history_device_run(struct history_device *own, uint64_t first, uint32_t count, int threads);
/* Adds what is there to `sums`. */
sonde_status history_device_collect(struct history_device *own, int threads, struct ions_sums *sums);

#endif
