/* Operations of space groups on fractional coordinates. */
#ifndef SONDE_MATTER_SYMMETRY_H
#define SONDE_MATTER_SYMMETRY_H

#include "base/status.h"
#include "matter/crystal/symmetry_operation.h"

/* Parses "x,y,z", "-y, x-y, z+1/3", "0.5+X,-Y,Z". */
sonde_status symmetry_parse(const char *text, struct symmetry_operation *operation);
void symmetry_apply(const struct symmetry_operation *operation, const double x[3], double image[3]);
/* R q R^T, for tensors of displacements in fractions of the edges. */
void symmetry_rotate(const struct symmetry_operation *operation, const double q[3][3], double rotated[3][3]);
/* Checks that the operations form a group modulo lattice translations. Messages count them from 1. */
sonde_status symmetry_check(const struct symmetry_operation *operations, int count);
/* Checks that each of them preserves the lengths in a cell (rows: its vectors), R^T G R = G with the metric G, within 1
 * percent, which allows for measured cells. */
sonde_status symmetry_check_cell(const struct symmetry_operation *operations, int count, const double vectors[3][3]);

#endif
