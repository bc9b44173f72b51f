/* Requirements of a job, and running it. */
#ifndef SONDE_FDTD_JOB_PREPARED_H
#define SONDE_FDTD_JOB_PREPARED_H

#include "fdtd/job/complete.h"
#include "fdtd/job/monitors.h"
#include "fdtd/job/sources.h"
#include "run/provenance.h"

/* Parts of a run's time, of all its passes: before the steps, the steps, and the results of monitors after them. */
struct fdtd_seconds {
	double set_up, stepping, monitors;
	/* of the set-up: the plan, bodies, the rest of the kernels' compilation, media and memory of the fields, sources,
	 * lists of monitors */
	double planning, painting, kernels, fields, sources, lists;
};

/* A prepared job: its space, sources and monitors. */
struct fdtd_run {
	sonde_context *context;
	const sonde_fdtd_job *job; /* that of `complete` */
	struct complete_job *complete;
	const char *path; /* of the result; null: none */
	struct job_space space;
	struct job_sources sources;
	struct job_monitors monitors;
	sonde_fdtd_plan plan;
	double host_memory; /* bytes in addition to the device's */
	struct job_monitor_memory monitor_memory;
	bool noted, growth_noted;
	bool is_companion; /* of another run: its own mesh and end are not worth a note */
	bool streamed;     /* planes go through the device as this schedule says */
	struct schedule schedule;
	uint32_t most_height;     /* of a streamed grid that ranks share: steps of a pass, at most; else 0 */
	double room_for_windows;  /* of the device's memory, as a part of what is thought to be left */
	struct fields_devices on; /* that share the grid; count 1: one has all of it, */
	const char *alone;        /* for this reason, if there are others */
	struct fdtd_seconds seconds;
};

struct sonde_fdtd_provenance {
	sonde_fdtd_options options; /* the result points to these, */
	sonde_fdtd_plan plan;       /* and to this */
	struct provenance run;
	char *job; /* all of it as text, one line per item */
	struct fdtd_seconds seconds;
};

/* plan.c: checks a job, and fills all of a run except the media of its bodies. To be released by fdtd_run_free(),
 * also after a failure. */
sonde_status fdtd_run_prepare(sonde_context *context, const sonde_fdtd_job *job, struct fdtd_run *run);
/* The same for a job that is only to be drawn, which may have no sources, no monitors, and no end. */
sonde_status fdtd_run_lay_out(sonde_context *context, const sonde_fdtd_job *job, struct fdtd_run *run);
/* run.c: rejects jobs that can be planned, but not run. `path`: of the result, or null. */
sonde_status fdtd_check_run(const sonde_fdtd_job *job, const char *path);
void fdtd_run_free(struct fdtd_run *run);
/* Prepares the run again, with an axis that is not periodic, if there is one, as the engine's x: for slabs of its planes. */
sonde_status fdtd_run_turn(struct fdtd_run *run);
/* job/warnings.c: reports likely mistakes once, by context_note(): few cells per wavelength, frequencies that no
 * source has. */
sonde_status fdtd_note_job(struct fdtd_run *run);
/* The same for a completed run, with the remaining field relative to its peak. */
void fdtd_note_rest(struct fdtd_run *run, double left);
/* Warns of ratios of powers that are too large for any wave. */
void fdtd_note_quotients(struct fdtd_run *run, const sonde_fdtd_result *result);
/* placement.c: chooses where the planes are. Fails if the device or the machine lacks the memory; the message gives the cell
 * size that would fit. */
sonde_status fdtd_check_memory(struct fdtd_run *run, struct device *device);
/* After windows did not fit into the device: whether there are smaller ones that were not tried yet, unless the job gives
 * their size; chooses them, with a note. The same after all planes did not fit: whether the grid may be streamed. */
bool fdtd_may_stream_with_less(const struct fdtd_run *run, const struct device *device);
sonde_status fdtd_stream_with_less(struct fdtd_run *run, struct device *device);

/* job/text.c: options and all items in the form of a job file. To be freed by text_free(). */
void fdtd_job_text(const sonde_fdtd_job *job, struct text *text);

#endif
