/* The order in which planes go through a device that holds only some of them: passes over the grid, each of several
 * time steps, and in a pass slabs of planes along x.
 *
 * Time skewing: slab s has the planes from s r on; its planes at the following step lie one further back, so that all
 * neighbors are at the right time. Nothing is computed twice (Wonnacott, IPDPS (2000) 171).
 *
 * Pyramids: a slab is loaded with n more planes on each side, on whose outer planes fewer and fewer steps are right:
 * those of the slab itself after n steps (Malysheva and Golovashkin, Computer Optics 40 (2016) 179). With n = 1 this
 * is plain streaming. */
#ifndef SONDE_FDTD_STREAMING_SCHEDULE_H
#define SONDE_FDTD_STREAMING_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

enum streaming_method { STREAMING_SKEW, STREAMING_PYRAMID };

/* Planes from `begin` on, before `end`. */
struct plane_range {
	uint32_t begin, end;
};

struct schedule {
	enum streaming_method method;
	uint32_t planes, width, height; /* of the grid; r, planes of a slab; n, steps of a pass */
	/* of pyramids: 1 if E of a plane follows from E of its neighbors as well (smoothing.h), else 0 */
	uint32_t lag;
	bool alone; /* a pyramid's slab alone is on the device: nothing is copied meanwhile, in half the memory */
	bool whole; /* of skewed slabs: both fields are stepped at once, with a second window (fields_gpu.h) */
	/* where the numbers of all planes are: null: in the host's memory; else a folder for a scratch file, or its name
	 * (store.h), its bytes that are reserved at first, and the most bytes of the host for buffers, 0: as many as help */
	const char *store;
	double store_bytes, staging;
	/* not in turn, but on several devices: these planes stay on this one (exchange.h); `width` is their number */
	bool kept;
	struct plane_range own;
	/* planes go through the device, but only `own` ones are this device's, others those of other devices of this process
	 * or of other ranks; it has copies of some of its neighbors' planes, as many as `height` steps need, which it steps as
	 * if these were a pyramid's slab (host_exchange.h) */
	bool shared;
	/* planes go through several devices, one after the other (chain.h): their number, and which this is; 0: one */
	uint32_t chain, position;
};

struct streamed_slab {
	struct plane_range load, store;
	struct plane_range own; /* planes that this slab observes */
};

/* Slabs of a pass of `steps` steps, at most schedule->height. */
uint32_t schedule_slabs(const struct schedule *schedule, uint32_t steps);
struct streamed_slab schedule_slab(const struct schedule *schedule, uint32_t steps, uint32_t number);
/* The planes that a slab steps at step `step` of a pass; possibly none: begin >= end. */
struct slab_step {
	struct plane_range h, e;
};
struct slab_step schedule_step(const struct schedule *schedule, uint32_t steps, uint32_t number, uint32_t step);
/* Of planes that stay on a device: those that it has, and those that it steps at step `step` of `steps` between two
 * exchanges with its neighbors, as a pyramid's slab. E of the first of these may be wrong, which has no effect. */
struct plane_range schedule_kept(const struct schedule *schedule);
/* Planes of the grid that this process has, on a device or on the host: those of schedule_kept(), or all. */
struct plane_range schedule_here(const struct schedule *schedule);
struct plane_range schedule_kept_step(const struct schedule *schedule, uint32_t steps, uint32_t step);

/* Consecutive planes that are on the device at a time: of a slab with its neighbors, of the next one, and of the one
 * before it that is on its way back. Pyramids have two such windows, one for each of two slabs, or one for one slab. */
uint32_t schedule_window(const struct schedule *schedule);
uint32_t schedule_windows(const struct schedule *schedule);
/* Copies of all planes on the host: pyramids need those before the pass as well. */
uint32_t schedule_copies(const struct schedule *schedule);

/* Planes that a pass loads and stores, and half steps of a plane that it computes, counted. */
struct schedule_work {
	double loaded, stored, stepped_h, stepped_e;
};
struct schedule_work schedule_work(const struct schedule *schedule, uint32_t steps);

#endif
