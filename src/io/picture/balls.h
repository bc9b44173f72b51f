/* Balls, as shaded pixels of a view along an axis: pictures of atoms. */
#ifndef SONDE_IO_BALLS_H
#define SONDE_IO_BALLS_H

#include <stdint.h>

#include "io/picture/picture.h"

/* Balls of several kinds. */
struct balls {
	int64_t count, stride; /* one of every `stride` is drawn */
	const double *centers; /* x, y, z of each */
	const uint16_t *kinds; /* of each: index of a radius and a color */
	const double *radii;
	const struct color *colors;
	bool (*cancelled)(
	    const void *user); /* called from time to time; true stops with SONDE_CANCELLED. May be null */
	const void *user;
};

/* A square view without perspective; lengths in the unit of the balls. */
struct balls_view {
	double right[3], up[3], toward[3]; /* unit vectors; the last one points at the viewer */
	double middle[2], half;            /* of the square, along `right` and `up` */
};
/* Sets the square around all balls, and `corner_count` points. */
void balls_find_view(const struct balls *balls, const double (*corners)[3], int corner_count,
		     struct balls_view *view);

/* Draws the balls into a square white picture: what is in front is found pixel by pixel. Light comes from the upper left;
 * the farther a ball is, the paler it is. */
sonde_status balls_draw(const struct balls *balls, const struct balls_view *view, struct picture *picture);

#endif
