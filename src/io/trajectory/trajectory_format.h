/* What binary formats of trajectories have in common. None has labels of atoms. */
#ifndef SONDE_IO_TRAJECTORY_FORMAT_H
#define SONDE_IO_TRAJECTORY_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* Coordinates in Angstrom beyond which a file is refused. */
#define TRAJECTORY_LARGEST_COORDINATE 1e7

struct trajectory_format {
	const char *name;
	/* Opens a file, plain or gzip, and reads what precedes its first frame, or the numbers with which that begins. */
	sonde_status (*open)(const char *path, void **file);
	/* Closes a file and sets the pointer to null, which may be null. */
	void (*close)(void **file);
	/* Number of atoms of every frame. */
	int64_t (*atoms)(const void *file);
	/* A frame: `positions` are x, y, z of each atom in Angstrom, owned by the file, until the next call; null at the end of the file.
	 * `lattice`: rows a, b, c; null if the frame has no cell. */
	sonde_status (*next)(void *file, const double **positions, const double **lattice);
	/* What is implausible about the frame that next() read, although it can be read; null if nothing is. The pointer itself may
	 * be null. */
	const char *(*doubt)(const void *file);
	/* Skips a frame without reading its positions; *ended at the end of the file. */
	sonde_status (*skip)(void *file, bool *ended);
};

#endif
