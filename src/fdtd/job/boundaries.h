/* Boundaries and background that plane waves and their boxes may touch. */
#ifndef SONDE_FDTD_JOB_BOUNDARIES_H
#define SONDE_FDTD_JOB_BOUNDARIES_H

#include "fdtd/job/space.h"
#include "fdtd/sources/plane_source.h"
#include "fdtd/sources/total_field.h"

/* SONDE_INVALID if a plane wave, its direction and E of length 1, is incompatible with the walls of the grid next to
 * it: between conductors E must be across them, between magnetic walls along them; and where it meets a wall, there
 * must be none next to it. */
sonde_status job_check_wave_sides(const struct job_space *space, const struct total_field_box *box,
				  const double direction[3], const double polarization[3]);
/* The same for a sheet of currents along `polarization`, which may have a component normal to the sheet. */
sonde_status job_check_sheet_sides(const struct job_space *space, const struct source_plane *plane,
				   const double polarization[3]);
/* *is_free: whether all edges in the face of a box, at its low side (0) or its high one, are in the background. Nodes; of
 * painted media, those of all ranks, which all come here. */
sonde_status job_face_is_free(const struct job_space *space, const int low[3], const int high[3], int axis, int side,
			      bool *is_free);

#endif
