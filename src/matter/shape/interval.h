/* Intersections of a line with a body, and rotations of bodies. */
#ifndef SONDE_MATTER_SHAPE_INTERVAL_H
#define SONDE_MATTER_SHAPE_INTERVAL_H

/* From begin up to, but not including, end. */
struct interval {
	double begin, end;
};

/* Directions of a body's own axes, one per row. */
struct shape_axes {
	double of[3][3];
};

#endif
