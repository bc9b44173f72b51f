/* How the grid of a job lies in space and time: its units, and which of the engine's axes is which of the job's.
 *
 * The engine's axes are the job's turned in a circle, so that what nothing depends on is never the engine's z, along which rows run. */
#ifndef SONDE_FDTD_GRID_FRAME_H
#define SONDE_FDTD_GRID_FRAME_H

#include <stdbool.h>

#include "base/constants.h"
#include "base/options.h"

#define VACUUM_IMPEDANCE 376.730313412       /* Ohm: CODATA 2022 */
#define VACUUM_PERMITTIVITY 8.8541878188e-12 /* F/m: CODATA 2022 */

struct fdtd_frame {
	int turn;         /* the engine's axis a is the job's (a + turn) mod 3 */
	bool flat[3];     /* axes, the engine's, that nothing depends on */
	double cell[3];   /* m; of flat ones 1 */
	double origin[3]; /* where node 0 is */
	double side[3];   /* the job's sides, plus and minus this, which the grid's are half a cell from at most */
	double time_step; /* s */
	double index;     /* of refraction of what is between the bodies */
	int inner[3][2];  /* nodes between the layers: the first, the last */
};

int frame_job_axis(const struct fdtd_frame *frame, int axis);
int frame_engine_axis(const struct fdtd_frame *frame, int job_axis);
/* A vector's parts along the engine's axes. */
void frame_turn(const struct fdtd_frame *frame, sonde_vector vector, double turned[3]);
/* Places in nodes; 0 along flat axes. What is on a side of the job, whose size is rounded to whole cells, is on that of the grid. */
double frame_node(const struct fdtd_frame *frame, int axis, double place);
/* The place of what is on a side of the job: on that of the grid; others stay. */
double frame_snap(const struct fdtd_frame *frame, int axis, double place);
/* The place of a node, or of a part of a cell behind it. */
double frame_place(const struct fdtd_frame *frame, int axis, double node);
/* Radians a step. */
double frame_angular(const struct fdtd_frame *frame, double frequency);

#endif
