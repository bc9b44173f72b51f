/* Exact sums by windows of distances, on GPUs with units for matrix products: see kernels/exact_windows.k.
 *
 * The distances between the atoms of two compact tiles differ by little. Pairs of tiles are sorted by the middle of
 * their distances and cut into pieces within a window R - D to R + D; the sums of a piece are found at nodes of q, fewer
 * than points, and then at the points. What is known of the tiles are the boxes around them, whose diagonals limit D. */
#ifndef SONDE_DEBYE_WINDOWS_H
#define SONDE_DEBYE_WINDOWS_H

#include "debye/debye.h"
#include "debye/sums/exact_order.h"
#include "debye/sums/images.h"

struct windows {
	uint32_t fine;     /* WINDOW_FINE of the kernel */
	double step;       /* of the nodes */
	double half_width; /* D */
};

/* Windows for `points` uniform points up to q_last, with the fine phases `fine`; false if the sums at the points are
 * not slower. */
bool windows_for(double q_last, int64_t points, uint32_t fine, struct windows *windows);
/* Whether windows are considered at all for such sums: large ones, of few species, of a compact sample. Constants, so
 * that the bits of a result do not depend on the machine. */
bool windows_suit(double pairs, int64_t points, int species, double diameter);
/* Bytes that such sums take. */
double windows_memory(double pairs);

/* Atoms in tiles whose diagonals are below windows->half_width, followed by an empty tile; their boxes, and the diagonal of
 * the box around all. */
struct window_tiles {
	struct arranged_atoms atoms;
	struct box *boxes;
	double extent;
};
/* Chooses the windows with the fewest nodes that do not leave too few atoms in a tile; windows->fine is 0 if there are none.
 * `order`: null, or where the atoms are if it is found; of atoms on the device, those in tiles that are split change their places. Freed
 * by window_tiles_free(), also after a failure. */
sonde_status window_tiles_make(const sonde_context *context, const sonde_atoms *atoms, struct exact_order *order,
			       double q_last, int64_t points, struct windows *windows, struct window_tiles *tiles);
void window_tiles_free(struct window_tiles *tiles);

/* Pairs of tiles in a window, followed by empty ones: whole sums of rows of exact_device.h. */
struct window_piece {
	int species_a, species_b;
	uint32_t center; /* R, in 1/WINDOW_PARTS_OF_ANGSTROM of 1 Angstrom */
	uint64_t first;  /* in the list */
	uint32_t count, padded;
	uint64_t coincident; /* pairs of atoms at one place, once summed */
};

/* The pairs of tiles of some rows, sorted. Empty at first: zeroes. */
struct window_list {
	struct tile_pair *pairs; /* with the center of their piece in first_bin */
	struct window_piece *pieces;
	size_t pair_capacity, piece_count, piece_capacity;
	uint64_t pair_count;
	uint64_t room;            /* pairs of a list, if not a single row has more; 0: the usual number */
	int species_a, species_b; /* of the next row */
	uint32_t row;             /* its number, from 0, among the tiles of species_a */
};
/* Replaces the list by that of the next rows of all species; its piece_count is 0 after the last one. */
sonde_status window_list_next(const sonde_context *context, const struct window_tiles *tiles, int species,
			      const struct windows *windows, struct window_list *list);
void window_list_free(struct window_list *list);

/* Whether such sums are faster than those at the points, as far as is known before the tiles are made; all devices
 * need units for matrix products. The points are a grid then, and the atoms have no motion. */
sonde_status windows_are_usable(sonde_context *context, const sonde_atoms *atoms, double diameter,
				const struct pair_sums *sums, bool *usable);
/* As exact_pair_sums(), except at q = 0; *done is false if tiles would have too few atoms. `order` may be null; `room`: pairs of tiles of a
 * list, as in struct window_list. */
sonde_status window_pair_sums(sonde_context *context, const sonde_atoms *atoms, struct exact_order *order,
			      uint64_t room, struct pair_sums *sums, bool *done);

/* Compares the kernel with plain sums, before the first such sums on a device. */
sonde_status debye_self_test_windows(struct device *device);

#endif
