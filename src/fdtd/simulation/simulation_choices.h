/* What a simulation decides about its way to step, when it is made and before it runs. */
#ifndef SONDE_FDTD_SIMULATION_SIMULATION_CHOICES_H
#define SONDE_FDTD_SIMULATION_SIMULATION_CHOICES_H

#include "fdtd/simulation/simulation.h"

/* Planes that are stepped together, and steps in sequence. */
void simulation_choose_slab(struct simulation *simulation);
/* Components that are stepped. */
sonde_status simulation_choose_components(struct simulation *simulation);
/* Whether both fields are stepped at once. */
void simulation_choose_both(struct simulation *simulation);
/* Whether two steps are taken at once, in a run of `steps` more. */
void simulation_choose_pairs(struct simulation *simulation, uint64_t steps);

#endif
