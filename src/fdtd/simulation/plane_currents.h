/* Sources on planes as currents of a simulation. */
#ifndef SONDE_FDTD_SIMULATION_PLANE_CURRENTS_H
#define SONDE_FDTD_SIMULATION_PLANE_CURRENTS_H

#include "fdtd/simulation/simulation.h"
#include "fdtd/sources/plane_source.h"

/* Adds the currents, J and then M, with a form for their first signal and one for the second, which may be null where there is none; both of `user`,
 * which is `delay` steps late. The terms are used up. */
sonde_status plane_source_add(struct simulation *simulation, const struct media *media, struct plane_source *source,
			      incident_form *form, incident_form *quadrature, const void *user, double delay);

#endif
