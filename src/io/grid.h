/* Grids of points, as files of volumes describe them. */
#ifndef SONDE_IO_GRID_H
#define SONDE_IO_GRID_H

#include <stdint.h>

/* Points origin + i steps[0] + j steps[1] + k steps[2]; values are stored with the first index fastest. */
struct grid {
	int64_t size[3];
	double origin[3], steps[3][3]; /* Angstrom */
};

#endif
