/* Small value types shared by the options of several engines. */
#ifndef SONDE_TYPES_H
#define SONDE_TYPES_H

#include <stddef.h>
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

/* A list of a job; the items are the caller's. */
#define SONDE_LIST(item)                                                                          \
	struct {                                                                                  \
		int64_t count;                                                                    \
		const item *items;                                                                \
		const size_t *lines; /* where each stands in a file, for messages; may be null */ \
	}

#endif
