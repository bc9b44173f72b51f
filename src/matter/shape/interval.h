/* Intersections of a line with a body, and rotations of bodies. */
#ifndef SONDE_MATTER_SHAPE_INTERVAL_H
#define SONDE_MATTER_SHAPE_INTERVAL_H

/* From begin up to, but not including, end. */
struct interval {
	double begin, end;
};

/* Writes `intervals` without `hollows` to `left`, and returns their number, at most count + hollow_count; all are sorted. */
int intervals_without(const struct interval *intervals, int count, const struct interval *hollows, int hollow_count,
		      struct interval *left);

/* Directions of a body's own axes, one per row. */
struct shape_axes {
	double of[3][3];
};

#endif
