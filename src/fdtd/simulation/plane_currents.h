/* Sources on planes as currents of a simulation. */
#ifndef SONDE_FDTD_SIMULATION_PLANE_CURRENTS_H
#define SONDE_FDTD_SIMULATION_PLANE_CURRENTS_H

#include "fdtd/simulation/simulation.h"
#include "fdtd/sources/plane_source.h"

/* Adds the currents, J and then M, with a waveform for their first signal and one for the second, which may be null
 * if there is none; both have `user` as their argument and are `delay` steps late. The terms are used up. */
sonde_status plane_source_add(struct simulation *simulation, const struct media *media, struct plane_source *source,
			      incident_form *form, incident_form *quadrature, const void *user, double delay);

#endif
