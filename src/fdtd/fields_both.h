/* Whole time steps of both fields at once, on GPUs: each field is read and written once in a step instead of twice and three times in all, for a second copy
 * of both in memory. */
#ifndef SONDE_FDTD_FIELDS_BOTH_H
#define SONDE_FDTD_FIELDS_BOTH_H

#include "fdtd/fields.h"

#define PLANES_OF_BOTH 32u /* that a group goes through */

/* Whether grid and device allow such steps: conductors, with or without layers, at all walls. */
bool fields_can_step_both(const struct fields *fields);
/* Makes room for them, once. SONDE_RESOURCE where the memory does not suffice: then all is as before. */
sonde_status fields_make_both(struct fields *fields);
void fields_release_both(struct fields *fields);
/* H, then E, of all planes: the same bits as two fields_step(). Poles and what acts on E come after it; nothing may act on H between. */
sonde_status fields_step_both(struct fields *fields);

#endif
