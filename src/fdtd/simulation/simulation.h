/* Fields with their sources and monitors, stepped in time. */
#ifndef SONDE_FDTD_SIMULATION_SIMULATION_H
#define SONDE_FDTD_SIMULATION_SIMULATION_H

#include "run/context.h"
#include "fdtd/fields/fields.h"
#include "fdtd/monitors/absorption.h"
#include "fdtd/monitors/field_monitor.h"
#include "fdtd/monitors/spectrum.h"
#include "run/state.h"
#include "fdtd/simulation/step_pairs.h"
#include "fdtd/simulation/step_tiles.h"
#include "fdtd/sources/total_field.h"

/* A waveform, and its delay in steps. `user` is the caller's, and must live as long as the simulation. */
struct current_signal {
	incident_form *form;
	const void *user;
	double delay;
};

/* A current along edges, J, or along the normals of faces, M, per step in the unit of the fields. */
struct current {
	struct injection injection;
	struct current_signal *signals;
};

/* The field at some places against time. */
struct trace {
	struct observation observation;
	double *values;    /* [step][place] */
	double *imaginary; /* of complex fields */
	size_t steps, capacity, imaginary_capacity;
};

/* What looks at the fields after the last step of a run: it is shown ranges of planes that together are all. */
typedef sonde_status simulation_look(void *user, struct fields *fields, uint32_t first, uint32_t count);

/* A shape that follows from the caches, none, or the one that is given. */
enum tiling { TILING_CHOSEN, TILING_OFF, TILING_GIVEN };

struct simulation {
	struct fields fields;
	uint64_t step;          /* completed steps */
	uint64_t expected;      /* steps of the run, if they are known; else 0 */
	double progress_unit;   /* contribution of a step to a stage's progress, */
	uint64_t progress_from; /* from this step on */
	uint32_t slab, at_once; /* planes that are stepped together, and for how many steps in sequence */
	bool
	    in_place; /* whether the fields must have only one copy in memory; else the simulation may use a second one */
	bool both;                /* whether both fields are stepped at once */
	bool both_in_place;       /* the same on CPUs, with one copy of the fields */
	enum pairing pairing;     /* whether two steps are taken at once where possible */
	struct step_pairs *pairs; /* null: they are not */
	enum tiling tiling;       /* whether CPUs step tiles of planes and rows where possible */
	struct skewed_tile tile;
	struct step_tiles *tiles; /* null: they do not */
	simulation_look *look;    /* null: none */
	void *look_user;
	bool looked;            /* whether all planes of the present step have been looked at */
	struct plane_range own; /* planes that are observed; others are stepped for their sake */
	struct fields *stepped; /* at the moment: those of another device than the first; null: those of the first */
	uint32_t lag;           /* planes that observations of E stay behind its steps */
	uint32_t driven[2];     /* components of E and of H that sources act on, one bit each */
	int currents, total_fields, spectra, field_monitors, absorptions, traces;
	struct current *current;
	struct total_field *total_field;
	struct spectrum *spectrum;
	struct field_monitor *field_monitor;
	struct absorption *absorption;
	struct trace *trace;
};

/* Makes a simulation of vacuum, or of media, without sources and monitors. To be released by simulation_release(),
 * also after a failure. */
sonde_status simulation_make(struct device *device, const struct fdtd_grid *grid, const struct media *media,
			     bool single, struct simulation *simulation);
/* The same with fields of which only some planes are on the device at a time; null: all of them. */
sonde_status simulation_make_streamed(struct device *device, const struct fdtd_grid *grid, const struct media *media,
				      bool single, const struct schedule *schedule, struct simulation *simulation);
/* The same with fields on several devices (fields.h). */
sonde_status simulation_make_on(const struct fields_devices *on, const struct fdtd_grid *grid,
				const struct media *media, bool single, struct simulation *simulation);
void simulation_release(struct simulation *simulation);

/* simulation_parts.c. All must be added before the first step. A current's terms give J of edges (FIELD_E) or M of faces (FIELD_H) as
 * sums of weights times signals; a term's number is that of its signal. With them epsilon dE/dt = S rot H - J and mu
 * dH/dt = -S rot E - M, t in steps, S the Courant numbers. J acts, and is evaluated, between two times of E, M
 * between two of H. Their effect follows from the medium, and replaces the weights. The caller keeps ownership of the
 * terms. */
sonde_status simulation_add_current(struct simulation *simulation, const struct media *media, enum field field,
				    struct injection_terms *terms, const struct current_signal *signals,
				    uint32_t signal_count);
/* The same for the imaginary part of complex fields; SONDE_INVALID if there is none. */
sonde_status simulation_add_imaginary_current(struct simulation *simulation, const struct media *media,
					      enum field field, struct injection_terms *terms,
					      const struct current_signal *signals, uint32_t signal_count);
/* The wave belongs to the simulation from now on, also after a failure. */
sonde_status simulation_add_total_field(struct simulation *simulation, const struct media *media,
					const struct total_field_box *box, const struct incident_wave *wave);
sonde_status simulation_add_spectrum(struct simulation *simulation, const struct flux_plane *planes, int plane_count,
				     const double *angular_frequencies, uint32_t frequencies, uint32_t every);
sonde_status simulation_add_field_monitor(struct simulation *simulation, const struct field_region *region,
					  const double *angular_frequencies, uint32_t frequencies, uint32_t every);
/* Adds a monitor of the power lost in media between nodes low and high. */
sonde_status simulation_add_absorption(struct simulation *simulation, const struct media *media, const int low[3],
				       const int high[3], const double *angular_frequencies, uint32_t frequencies,
				       uint32_t every);
sonde_status simulation_add_trace(struct simulation *simulation, enum field field, const uint64_t *places,
				  uint32_t count);

/* Advances by this many steps; stage may be null. SONDE_CANCELLED once the caller asked to stop, with whole steps
 * completed. */
sonde_status simulation_run(struct simulation *simulation, uint64_t steps, struct stage *stage);
/* Shows the present fields to simulation->look, unless simulation_run() has done so. */
sonde_status simulation_show(struct simulation *simulation);

/* Waits, and adds the samples of monitors to their sums; simulation_run() ends with it unless it is stopped.
 * SONDE_CANCELLED if it was stopped itself: to be called again, also after saving and restoring. */
sonde_status simulation_finish(struct simulation *simulation);
/* The Fourier sums of all monitors that have some, one after the other; null after the last. */
struct fourier_sums *simulation_sums(struct simulation *simulation, int n);

/* simulation_state.c: saves all numbers, or restores them into an identical simulation on a device of the same kind. */
sonde_status simulation_state(struct simulation *simulation, struct state *state);

/* simulation_choices.c: what a simulation decides about its way to step, when it is made and before it runs. */

/* Planes that are stepped together, and steps in sequence. */
void simulation_choose_slab(struct simulation *simulation);
void simulation_choose_kept_slab(struct simulation *simulation);
/* Components that are stepped. */
sonde_status simulation_choose_components(struct simulation *simulation);
/* Whether both fields are stepped at once. */
void simulation_choose_both(struct simulation *simulation);
/* Whether two steps are taken at once, in a run of `steps` more. */
void simulation_choose_pairs(struct simulation *simulation, uint64_t steps);
/* Whether CPUs step tiles. */
void simulation_choose_tiles(struct simulation *simulation);

/* How a CPU will step a grid: through its caches by slabs or by tiles; or plane after plane, both fields of rows in turn
 * or one field after the other. */
enum way_of_cpu { WAY_SLABS, WAY_TILES, WAY_ROWS_IN_TURN, WAY_HALF_STEPS };
enum way_of_cpu simulation_way_of_cpu(struct device *device, const struct fdtd_grid *grid, bool single);

/* One field in planes first to first + count - 1, of the fields that are stepped at the moment, at step number `time` of the
 * prepared ones; and both fields. */
sonde_status simulation_step_planes(struct simulation *simulation, enum field field, uint32_t time, uint32_t first,
				    uint32_t count);
sonde_status simulation_step_planes_at_once(struct simulation *simulation, uint32_t time, uint32_t first,
					    uint32_t count);

/* kept_steps.c: steps of planes that stay on several devices, or on those of several ranks. All have copies of their neighbors'
 * planes at the present time before these steps, and afterwards if they are the `last` ones of a run; else ranks may still be
 * sending planes, for the next steps. With several ranks also after a failure, `own`: see rank_exchange.h. */
sonde_status simulation_step_kept(struct simulation *simulation, uint32_t times, bool last, sonde_status own);

#endif
