/* Fields with what acts on them and what looks at them, stepped in time. */
#ifndef SONDE_FDTD_SIMULATION_H
#define SONDE_FDTD_SIMULATION_H

#include "device/context.h"
#include "fdtd/spectrum.h"
#include "fdtd/total_field.h"

/* A current along edges: J of each by a form of time, some steps late. */
struct current {
	struct injection injection;
	incident_form *form;
	const void *user;
	double *delays; /* of its signals, in steps */
};

/* The field at some places against time. */
struct trace {
	struct observation observation;
	double *values; /* [step][place] */
	size_t steps, capacity;
};

struct simulation {
	struct fields fields;
	uint64_t step;          /* steps that are done */
	uint32_t slab, at_once; /* planes that are stepped together, and how many steps one after the other */
	bool in_place; /* whether fields have one copy in memory only; else the simulation may take a second one */
	bool both;     /* whether both fields are stepped at once */
	int currents, total_fields, spectra, traces;
	struct current *current;
	struct total_field *total_field;
	struct spectrum *spectrum;
	struct trace *trace;
};

/* Without anything yet: vacuum, or media. To be released by simulation_release(), also after a failure. */
sonde_status simulation_make(struct device *device, const struct fdtd_grid *grid, const struct media *media,
			     bool single, struct simulation *simulation);
void simulation_release(struct simulation *simulation);

/* All are added before the first step. A current's terms give J of edges by its signals, each a form of time that is `delays` late; what J does
 * to E there follows from the medium, and replaces the weights. Terms stay the caller's. */
sonde_status simulation_add_current(struct simulation *simulation, const struct media *media,
				    struct injection_terms *terms, const double *delays, uint32_t signals,
				    incident_form *form, const void *user);
/* The wave is the simulation's from now on, also after a failure. */
sonde_status simulation_add_total_field(struct simulation *simulation, const struct media *media,
					const struct total_field_box *box, const struct incident_wave *wave);
sonde_status simulation_add_spectrum(struct simulation *simulation, const struct flux_plane *planes, int plane_count,
				     const double *angular_frequencies, uint32_t frequencies, uint32_t every);
sonde_status simulation_add_trace(struct simulation *simulation, enum field field, const uint64_t *places,
				  uint32_t count);

/* So many steps more; stage may be null. SONDE_CANCELLED once the caller asked to stop, with whole steps done. */
sonde_status simulation_run(struct simulation *simulation, uint64_t steps, struct stage *stage);

#endif
