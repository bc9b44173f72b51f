/* Intersections of a line with a body, sides of it, and rotations of bodies. */
#ifndef SONDE_MATTER_SHAPE_INTERVAL_H
#define SONDE_MATTER_SHAPE_INTERVAL_H

/* From begin up to, but not including, end. */
struct interval {
	double begin, end;
};

/* Where a box lies, seen from a body: see shape_side_of_box(). */
enum shape_side { SHAPE_PERHAPS_ACROSS, SHAPE_OUTSIDE, SHAPE_INSIDE };

/* Directions of a body's own axes, one per row. */
struct shape_axes {
	double of[3][3];
};

#endif
