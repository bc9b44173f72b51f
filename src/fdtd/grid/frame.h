/* How the grid of a job lies in space and time: its units, and the mapping of the engine's axes to the job's.
 *
 * The engine's axes are a cyclic permutation of the job's, so that a uniform axis is never mapped to the engine's z,
 * along which rows run. */
#ifndef SONDE_FDTD_GRID_FRAME_H
#define SONDE_FDTD_GRID_FRAME_H

#include <stdbool.h>

#include "base/constants.h"
#include "base/options.h"

#define VACUUM_IMPEDANCE 376.730313412 /* Ohm: CODATA 2022 */

struct fdtd_frame {
	int turn;         /* the engine's axis a is the job's (a + turn) mod 3 */
	bool flat[3];     /* uniform axes of the engine */
	double cell[3];   /* m; of uniform axes 1 */
	double origin[3]; /* coordinates of node 0 */
	double side[3];   /* the job's sides, plus and minus this, at most half a cell from the grid's */
	double time_step; /* s */
	double index;     /* of refraction of the medium between the bodies */
	int inner[3][2];  /* nodes between the layers: the first, the last */
};

int frame_job_axis(const struct fdtd_frame *frame, int axis);
int frame_engine_axis(const struct fdtd_frame *frame, int job_axis);
/* Components of a vector along the engine's axes. */
void frame_turn(const struct fdtd_frame *frame, sonde_vector vector, double turned[3]);
/* Positions in nodes; 0 along uniform axes. A position on a side of the job, whose size is rounded to whole cells, is
 * mapped to that side of the grid. */
double frame_node(const struct fdtd_frame *frame, int axis, double place);
/* Maps a position on a side of the job to that side of the grid; others are unchanged. */
double frame_snap(const struct fdtd_frame *frame, int axis, double place);
/* The position of a node, or of a point a fraction of a cell after it. */
double frame_place(const struct fdtd_frame *frame, int axis, double node);
/* Radians per step. */
double frame_angular(const struct fdtd_frame *frame, double frequency);

#endif
