/* What a line has in common with a body, and how a body is turned. */
#ifndef SONDE_MATTER_SHAPE_INTERVAL_H
#define SONDE_MATTER_SHAPE_INTERVAL_H

/* From begin up to, but without, end. */
struct interval {
	double begin, end;
};

/* Directions of a body's own axes, one a row. */
struct shape_axes {
	double of[3][3];
};

#endif
