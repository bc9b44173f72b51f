/* Files of orientations. */
#ifndef SONDE_PATTERN_AVERAGE_TURN_LIST_H
#define SONDE_PATTERN_AVERAGE_TURN_LIST_H

#include <stdint.h>

#include "base/status.h"

/* Reads rows of Euler angles phi theta psi in degrees, or of quaternions w x y z with or without a weight, or of any of these in the
 * order that a row of names gives. The weights, at least 0, are divided by their sum. Both arrays are to be freed, also after a
 * failure. */
sonde_status turn_list_read(const char *path, double (**rotations)[3][3], double **weights, int64_t *count);

#endif
