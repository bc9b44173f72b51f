/* Trajectories: frames of the same atoms, read one after the other in one pass over the file, in the memory of one frame. */
#ifndef SONDE_MATTER_TRAJECTORY_H
#define SONDE_MATTER_TRAJECTORY_H

#include <stdint.h>

#include "sonde/atoms.h"

struct trajectory;

/* Opens extended XYZ, a dump of LAMMPS (.dump, .lammpstrj) or a binary trajectory (.dcd, .xtc, .trr), plain or gzip. `structure`,
 * which is copied, has the labels of the atoms in the order of the file; dumps have that of the atoms' numbers. It is necessary for
 * binary files and for dumps without elements; others may have null, and their first frame gives the labels. `context` may be null; it is for
 * cancellation. *trajectory is null after a failure. */
sonde_status trajectory_open(sonde_context *context, const char *path, const sonde_atoms *structure,
			     struct trajectory **trajectory);
/* Reads the next frame. *frame has its positions and cell, without charges, and the occupancies, mean square displacements, and
 * groups of the structure, or of the first frame; it belongs to `trajectory`, and is valid until the next call; null after the last frame. The message about atoms that are not those of the structure, or of the first frame,
 * names the frame and the first such atom. After a failure the trajectory can only be closed. */
sonde_status trajectory_next(struct trajectory *trajectory, const sonde_atoms **frame);
/* Skips up to `most` frames without reading their numbers; *skipped is smaller where the file ends. Atoms of skipped frames
 * are not compared. */
sonde_status trajectory_skip(struct trajectory *trajectory, int64_t most, int64_t *skipped);
/* Number of the frame that trajectory_next() read or trajectory_skip() skipped last, from 0; -1 before the first. */
int64_t trajectory_frame(const struct trajectory *trajectory);
void trajectory_close(struct trajectory **trajectory);

#endif
