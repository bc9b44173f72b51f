/* XYZ and extended XYZ files. */
#ifndef SONDE_IO_XYZ_H
#define SONDE_IO_XYZ_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"

/* Where the reader delivers what it finds. */
struct xyz_sink {
	void *user;
	/* Called once per atom, with the label and the position in Angstrom (finite). */
	sonde_status (*atom)(void *user, const char *label, const double position[3]);
	/* Called before the atoms, if the comment line has Lattice="..."; rows are a, b, c. */
	sonde_status (*lattice)(void *user, const double lattice[9]);
	/* Called now and then; true stops the reading with SONDE_CANCELLED. */
	bool (*cancelled)(void *user);
	int threads; /* that may read the numbers of large files; the functions here are called by the caller's */
};

/* Reads frame `frame` (from 1) of the file, plain or gzip; 0 demands that there is one frame only.
 * Columns are label x y z, or as the comment line's Properties say. */
sonde_status xyz_read(const char *path, int64_t frame, const struct xyz_sink *sink);

#endif
