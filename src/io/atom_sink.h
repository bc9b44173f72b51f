/* Where readers of files with atoms deliver what they find. */
#ifndef SONDE_IO_ATOM_SINK_H
#define SONDE_IO_ATOM_SINK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

#define ATOM_ALL_FRAMES (-1) /* instead of the number of a frame */
#define ATOM_MOST_CHARGES 16 /* that a line of a file may have */

struct atom_sink {
	void *user;
	/* Called once per atom, with the label and the position in Angstrom (finite). */
	sonde_status (*atom)(void *user, const char *label, const double position[3]);
	/* Called before the atoms, if the file has a cell; rows are a, b, c in Angstrom. `periodic`: along which of them the
	 * atoms are repeated; null where the file does not say. A file may claim that without a cell: then `lattice` is
	 * null. May be null. */
	sonde_status (*lattice)(void *user, const double lattice[9], const bool periodic[3]);
	/* Called now and then; true stops the reading with SONDE_CANCELLED. May be null. */
	bool (*cancelled)(void *user);
	int threads; /* that may read the numbers of large files; the functions here are called by the caller's */
	/* Called after an atom whose charge the file says, in e; `count` charges, of as many sets. May be null. */
	sonde_status (*charges)(void *user, const double *charges, int count);
	/* Called before the second and every later frame, where all are read. */
	sonde_status (*frame)(void *user);
	/* Called after an atom of which the file says the residue and the name, and perhaps the radius in Angstrom (else
	 * 0). May be null. */
	sonde_status (*site)(void *user, const char *residue, const char *name, double radius);
	/* Called after an atom of which the file says how much of it there is on the average, 0 to 1; NaN takes back those of
	 * all atoms of this frame, which turn out to be something else. May be null. */
	sonde_status (*occupancy)(void *user, double occupancy);
	/* Called after an atom that stands at one of several locations: atoms of the same `group` are there together
	 * if their letters are the same, and never otherwise. May be null. */
	sonde_status (*location)(void *user, uint32_t group, char letter);
	/* Called with a line that the user should know. May be null. */
	void (*remark)(void *user, const char *line);
};

#endif
