/* Small value types that options of several engines share. */
#ifndef SONDE_TYPES_H
#define SONDE_TYPES_H

#include <stdint.h>

/* A uniform grid: points values from first to last, both included. Written first:last:points, or as one value. */
typedef struct sonde_grid {
	double first;
	double last;
	int64_t points;
} sonde_grid;

/* Three numbers, x y z. Written x,y,z. */
typedef struct sonde_vector {
	double x, y, z;
} sonde_vector;

#endif
