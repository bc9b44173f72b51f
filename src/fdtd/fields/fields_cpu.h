/* Steps of both fields at once on CPUs, in place. */
#ifndef SONDE_FDTD_FIELDS_FIELDS_CPU_H
#define SONDE_FDTD_FIELDS_FIELDS_CPU_H

#include "fdtd/fields/field_storage.h"

/* Whether grid and device allow it: no field beyond a wall follows from another one. */
bool fields_can_step_in_place(const struct fields *fields);
/* Steps H, then E, in planes first to first + count - 1: bit-identical to fields_step() of H and then of E. */
sonde_status fields_step_both_in_place(struct fields *fields, uint32_t first, uint32_t count);

#endif
