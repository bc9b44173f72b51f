/* Monitors of a job: what of a simulation they look at, and what they make of it. */
#ifndef SONDE_FDTD_JOB_MONITORS_H
#define SONDE_FDTD_JOB_MONITORS_H

#include <complex.h>

#include "fdtd/job/sources.h"
#include "run/state.h"

/* A component at a point, as a sum of parts of a trace's places. */
struct point_component {
	enum field field;
	int component; /* the engine's */
	uint32_t numbers[8];
	double parts[8], turned[8]; /* real and imaginary part of what the field there counts */
	int count;
};

/* Of a run without all bodies, e null: of none. */
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
	double images;       /* of closed boxes: 2 for each wall that mirrors, with whose image the power is */
	uint32_t frequencies;
	double *hertz, *angular; /* of each */
	/* numbers of what it has in the simulation, -1: nothing */
	int spectrum, fields, absorption, traces[2];
	struct point_component points[6];
	int point_count;
	/* of a source's power: which, from 0; where it is, in nodes; its direction along the engine's axes */
	int64_t source;
	double place[3], direction[3];
	/* of snapshots: */
	struct snapshot snapshot;
	uint64_t first_step, interval, next_step; /* in steps; interval 0: none */
	size_t taken, capacity;                   /* times; numbers that there is room for */
	size_t values_count;
	double *values, *times;
	/* sums of a flux in the run for reference, and in that of the wave alone where that is another one; through a plane within the plane wave's box instead of
	 * the monitor's own, which is outside of it */
	bool moved;
	struct monitor_sums reference, wave;
};

struct job_monitors {
	int64_t count;
	struct job_monitor *monitors;
	bool needs_reference;
};

/* Checks all and finds their nodes. To be freed by job_monitors_free(), also after a failure. */
sonde_status job_monitors_make(const struct job_space *space, const struct job_sources *sources,
			       struct job_monitors *monitors);
void job_monitors_free(struct job_monitors *monitors);
/* job/steps.c: adds them to a simulation; but for the run with the bodies only those that are normalised by it. */
sonde_status job_monitors_add(const struct job_space *space, const struct job_sources *sources, enum job_pass pass,
			      struct job_monitors *monitors, struct simulation *simulation);
/* What they have on the device besides the simulation; before that is released. */
void job_monitors_remove(struct job_monitors *monitors, struct simulation *simulation);
/* The name of the monitor `number`, from 0, also of a job that is not checked. */
void job_monitor_name(const sonde_fdtd_monitor_options *options, int64_t number, char name[64]);
/* The step from which on resonances are looked for, when sources are over; so many steps they need at least. */
#define RESONANCES_NEED 32
double job_resonances_begin(const struct job_sources *sources, const struct job_monitor *monitor);
/* A value of a grid of options, from 0. */
double job_grid_value(const sonde_grid *grid, int64_t number);
/* The name and kind of a monitor, for its result. */
void job_monitor_label(const struct job_monitors *monitors, int64_t number, sonde_fdtd_monitor *result);
/* Keeps what the run for reference, or that of the wave alone, has found. */
sonde_status job_monitors_keep(struct job_monitors *monitors, enum job_pass pass, struct simulation *simulation);
/* Once a checkpoint is read, and its run's simulation is made: whether the numbers of a monitor are as many as this job has. `wave_alone`: the job has a run of the wave alone as well. The message names the monitor, and what has other
 * numbers. */
sonde_status job_monitors_check_restored(const struct job_monitors *monitors, enum job_pass pass, bool wave_alone,
					 const struct simulation *simulation, const struct state *state);
/* The step at which one wants to look next; UINT64_MAX: none. Then it looks. */
uint64_t job_monitors_next(const struct job_monitors *monitors);
sonde_status job_monitors_look(struct job_monitors *monitors, struct simulation *simulation);

/* A component at its point at a step: of a trace. */
double complex job_point_value(const struct trace *trace, const struct point_component *component, size_t step);
/* job/results.c: what a monitor has found. The result's arrays are the caller's. */
sonde_status job_monitor_result(const struct job_space *space, const struct job_sources *sources,
				struct job_monitor *monitor, struct simulation *simulation,
				sonde_fdtd_monitor *result);
void job_monitor_result_free(sonde_fdtd_monitor *result);

#endif
