/* Geometry files of pyFAI, .poni, versions 1, 2, 2.1, and 3 (https://pyfai.readthedocs.io, "Geometry" and "PONI-file"): "key: value"
 * in rows, of which the last one of a key holds, since pyFAI adds to a file. */
#ifndef SONDE_PATTERN_DETECTOR_PONI_H
#define SONDE_PATTERN_DETECTOR_PONI_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* As in the file: lengths in m, angles in radians; index 0 is the slow dimension, the rows, called 1 there. */
struct poni {
	double distance, poni[2], rotation[3], pixel[2];
	int64_t shape[2];  /* rows and columns; 0: not given */
	int orientation;   /* 1 to 4 */
	double wavelength; /* 0: not given */
};

sonde_status poni_read(const char *path, struct poni *poni);
/* Version 2.1, with a detector without a name. */
sonde_status poni_write(const struct poni *poni, const char *path, bool overwrite);

#endif
