/* Pixels in sets of related scattering vectors, which the direct sum computes together (kernels/pattern_sums.k). */
#ifndef SONDE_PATTERN_PIXEL_SETS_H
#define SONDE_PATTERN_PIXEL_SETS_H

#include "pattern/kernels/pattern_layout.h"
#include "pattern/pixels.h"

/* Of tiles of atoms: no atom is farther from the center of its tile, in all and along each axis; Angstrom. */
struct tile_reach {
	double radius, half[3];
};

struct pixel_sets {
	const struct pattern_pixels *pixels;
	int arrangement;   /* ARRANGED_LIST: sets of one pixel */
	int pixels_of_set; /* SET_PIXELS of it */
	int64_t count;     /* of sets */
	/* Of pairs and lines: the pixels of a picture are [outer][length][inner], and sets lie along the middle, of which pairs are
	 * the first half. */
	int64_t length, inner, of_length, of_picture; /* the last two: sets */
	/* By columns: sets of the points of an axis follow each other, for one after the other of the sets next to it, of which a
	 * row of points has `of_row`, and a piece of the work `columns`. points 0: in the order of pixels. */
	int64_t points, of_row, columns;
};

/* `single`: for sums in float32 of tiles of atoms, which are no farther than `reach` from the center of theirs. The same for
 * all devices, and independent of how pixels are divided, since a sum depends on the set of its pixel. */
void pixel_sets_make(const struct pattern_pixels *pixels, bool single, double reach, struct pixel_sets *sets);
/* Of sets that are not along this axis, nor along one before it. */
void pixel_sets_beside(const struct pattern_pixels *pixels, int axis, bool single, double reach,
		       struct pixel_sets *sets);
/* The same arrangement for other points of the axis, by columns. */
void pixel_sets_by_columns(const struct pixel_sets *beside, const struct pattern_pixels *pixels, int axis,
			   struct pixel_sets *sets);
/* Sets of one pixel. */
void pixel_sets_list(const struct pattern_pixels *pixels, struct pixel_sets *sets);
/* Sets of a piece, of PIXELS_OF_PIECE pixels, or by columns some whole columns: sums do not depend on how pixels are cut into pieces. */
#define PIXELS_OF_PIECE 1024
static inline int64_t pixel_sets_of_piece(const struct pixel_sets *sets)
{
	return sets->points > 0 ? sets->points * sets->columns : PIXELS_OF_PIECE / sets->pixels_of_set;
}
/* The pixels of a set, in the order of the kernel's vectors, and whether it is the set that owns them: the only one, of all
 * that have a pixel. */
void pixel_sets_get(const struct pixel_sets *sets, int64_t set, int64_t pixels[MOST_SET_PIXELS],
		    bool owned[MOST_SET_PIXELS]);

#endif
