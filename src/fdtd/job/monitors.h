/* Monitors of a job: the data that they record in a simulation, and the results that they derive. */
#ifndef SONDE_FDTD_JOB_MONITORS_H
#define SONDE_FDTD_JOB_MONITORS_H

#include <complex.h>

#include "fdtd/job/sources.h"
#include "run/state.h"

/* A component at a point, as a sum of weighted places of a trace. */
struct point_component {
	enum field field;
	int component; /* the engine's */
	uint32_t numbers[8];
	double parts[8], turned[8]; /* real and imaginary part of the field's weight there */
	int count;
};

/* Fourier sums of a run without all bodies; if e is null there is no such run. */
struct monitor_sums {
	size_t count; /* of each */
	double complex *e, *h;
};

struct job_monitor {
	const sonde_fdtd_monitor_options *options;
	int low[3], high[3]; /* nodes */
	sonde_vector center; /* m */
	int axis;            /* of a plane's normal; -1: a box */
	unsigned components; /* the engine's, FIELD_COMPONENT()s */
	double images;       /* of closed boxes: 2 for each mirror, with whose image the power is counted */
	uint32_t frequencies;
	double *hertz, *angular; /* of each */
	/* indices of its parts in the simulation, -1: none */
	int spectrum, fields, absorption, traces[2];
	struct point_component points[6];
	int point_count;
	/* of a source's power: its index, from 0; its position, in nodes; its direction along the engine's axes */
	int64_t source;
	double place[3], direction[3];
	/* of snapshots: */
	struct snapshot snapshot;
	uint64_t first_step, interval, next_step; /* in steps; interval 0: none */
	size_t taken, capacity;                   /* times; numbers that fit */
	size_t values_count;
	double *values, *times;
	/* sums of a flux in the reference run, and in the run of the wave alone if that is another one; of a plane within the
	 * plane wave's box if the monitor itself is outside of it */
	bool moved;
	struct monitor_sums reference, wave;
};

struct job_monitors {
	int64_t count;
	struct job_monitor *monitors;
	bool needs_reference;
};

/* Checks all monitors and determines their nodes. To be freed by job_monitors_free(), also after a failure. */
sonde_status job_monitors_make(const struct job_space *space, const struct job_sources *sources,
			       struct job_monitors *monitors);
void job_monitors_free(struct job_monitors *monitors);
/* job/steps.c: adds them to a simulation; except for the run with the bodies only those normalized by it. */
sonde_status job_monitors_add(const struct job_space *space, const struct job_sources *sources, enum job_pass pass,
			      struct job_monitors *monitors, struct simulation *simulation);
/* Releases the device memory of the monitors other than that of the simulation; to be called before the simulation is
 * released. */
void job_monitors_remove(struct job_monitors *monitors, struct simulation *simulation);
/* The planes through which a flux is recorded, or the faces of a box; returns their number. */
int job_monitor_planes(const struct job_space *space, const struct job_monitor *monitor, struct flux_plane planes[6]);

/* job/memory.c: bytes that monitors take in a run of this many steps (0: unknown). On the device: places, samples and
 * sums; in the host's memory: kept sums of other runs, and results. Lossy places are estimated from the bodies'
 * volumes. */
struct job_monitor_memory {
	double device, host;
};
void job_memory_of_monitors(const struct job_space *space, const struct job_monitors *monitors, double steps,
			    struct job_monitor_memory *memory);
/* The same for the samples that streamed fields need in addition, in passes of this many steps. */
double job_memory_of_samples(const struct job_space *space, const struct job_sources *sources,
			     const struct job_monitors *monitors, uint32_t height);
/* Work of the monitors that have Fourier sums: places at the faces of boxes and on planes, lossy ones, and those of
 * fields; sums that a step updates, on the average over the steps between samples; and sums that are read at the end,
 * for powers and for others. */
struct job_monitor_work {
	double planes, losses, nodes, updates, powers, values;
};
void job_work_of_monitors(const struct job_space *space, const struct job_sources *sources,
			  const struct job_monitors *monitors, struct job_monitor_work *work);
/* job/steps.c: steps between the samples of a monitor's fields. */
uint32_t job_monitor_interval(const struct job_monitor *monitor, const struct job_sources *sources);
/* The name of the monitor `number`, from 0, also for a job that is not checked. */
void job_monitor_name(const sonde_fdtd_monitor_options *options, int64_t number, char name[64]);
/* The step from which resonances are searched, when the sources have ended; and the minimum number of steps for them.
 */
#define RESONANCES_NEED 32
double job_resonances_begin(const struct job_sources *sources, const struct job_monitor *monitor);
/* A value of a grid of options, from 0. */
double job_grid_value(const sonde_grid *grid, int64_t number);
/* The name and kind of a monitor, for its result. */
void job_monitor_label(const struct job_monitors *monitors, int64_t number, sonde_fdtd_monitor *result);
/* Keeps the results of the reference run, or of the run of the wave alone. */
sonde_status job_monitors_keep(struct job_monitors *monitors, enum job_pass pass, struct simulation *simulation);
/* Once a checkpoint has been read, and its run's simulation made: whether a monitor's numbers have the size that this
 * job requires. `wave_alone`: the job has a run of the wave alone as well. The message names the monitor and the data
 * of different size. */
sonde_status job_monitors_check_restored(const struct job_monitors *monitors, enum job_pass pass, bool wave_alone,
					 const struct simulation *simulation, const struct state *state);
/* Records the fields of some planes for the snapshots of a step. */
sonde_status job_monitors_gather(const struct job_monitors *monitors, struct fields *fields, uint64_t step,
				 uint32_t first, uint32_t count);
/* The next step at which a monitor records; UINT64_MAX: none. Then it records. */
uint64_t job_monitors_next(const struct job_monitors *monitors);
sonde_status job_monitors_look(struct job_monitors *monitors, struct simulation *simulation);

/* A component at its point at a step: of a trace. */
double complex job_point_value(const struct trace *trace, const struct point_component *component, size_t step);
/* job/results.c: results of a monitor. The result's arrays are the caller's. */
sonde_status job_monitor_result(const struct job_space *space, const struct job_sources *sources,
				struct job_monitor *monitor, struct simulation *simulation,
				sonde_fdtd_monitor *result);
void job_monitor_result_free(sonde_fdtd_monitor *result);

#endif
