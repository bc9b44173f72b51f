#include "fdtd/grid/frame.h"

#include <math.h>

#define ON_SIDE 1e-6 /* cells */

int frame_job_axis(const struct fdtd_frame *frame, int axis)
{
	return (axis + frame->turn) % 3;
}

int frame_engine_axis(const struct fdtd_frame *frame, int job_axis)
{
	return (job_axis - frame->turn + 3) % 3;
}

void frame_turn(const struct fdtd_frame *frame, sonde_vector vector, double turned[3])
{
	for (int a = 0; a < 3; ++a)
		turned[a] = vector_part(vector, frame_job_axis(frame, a));
}

/* The side of the job on which a place lies; -1: none. */
static int side_of(const struct fdtd_frame *frame, int axis, double place)
{
	for (int side = 0; side < 2 && !frame->flat[axis]; ++side)
		if (fabs(place - (side == 0 ? -1.0 : 1.0) * frame->side[axis]) < ON_SIDE * frame->cell[axis])
			return side;
	return -1;
}

double frame_snap(const struct fdtd_frame *frame, int axis, double place)
{
	const int side = side_of(frame, axis, place);

	return side < 0 ? place : frame_place(frame, axis, frame->inner[axis][side]);
}

double frame_node(const struct fdtd_frame *frame, int axis, double place)
{
	const int side = side_of(frame, axis, place);

	if (frame->flat[axis])
		return 0.0;
	return side < 0 ? (place - frame->origin[axis]) / frame->cell[axis] : frame->inner[axis][side];
}

double frame_place(const struct fdtd_frame *frame, int axis, double node)
{
	return frame->flat[axis] ? 0.0 : frame->origin[axis] + node * frame->cell[axis];
}

double frame_angular(const struct fdtd_frame *frame, double frequency)
{
	return 2.0 * M_PI * frequency * frame->time_step;
}
