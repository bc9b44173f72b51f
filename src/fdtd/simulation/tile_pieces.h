/* Pieces of an axis of tiles (step_tiles.h), and the nodes that each takes in a step.
 *
 * Between walls all borders of pieces move back by one node per step. A periodic axis begins at node 0 with a border that moves
 * forward, the seam: the first piece leaves out what needs nodes before it, and the last one, which goes on beyond the last node
 * with the first ones, takes that. The first piece is wide enough for both of its borders. H of a node needs E there and ahead, E
 * needs H there and behind; E of smooth surfaces and metals needs in addition what the step left in edges behind, or ahead if
 * the edge is along the axis. Hence the nodes of each part of a step. */
#ifndef SONDE_FDTD_SIMULATION_TILE_PIECES_H
#define SONDE_FDTD_SIMULATION_TILE_PIECES_H

#include "fdtd/fields/field_storage.h"

/* Parts of a step: H; E, its sources and poles; E that follows from E of edges behind, and from that ahead; fields beyond walls. */
enum tile_part { TILE_PART_H, TILE_PART_E, TILE_PART_AFTER, TILE_PART_BEHIND, TILE_PART_FILL };
#define TILE_PARTS 5

struct tile_axis {
	uint32_t end, nodes;  /* that are stepped, and of lists of places */
	uint32_t first, size; /* nodes of the first piece, and of the others, before the first step */
	uint32_t steps;       /* at most */
	uint32_t slope;       /* nodes per step by which the seam moves, if it is periodic */
	bool periodic, whole; /* whole: one piece, in which nothing moves */
};

/* One range, or two on both sides of the seam. */
struct tile_ranges {
	int count;
	struct plane_range of[2];
};

/* Fewest nodes of a periodic axis for as many steps at once. */
uint32_t tile_axis_least(uint32_t steps, uint32_t slope);
/* `size` nodes in a piece; `late`: whether E of some edges follows from that of others. */
struct tile_axis tile_axis_make(const struct fields *fields, int axis, uint32_t size, uint32_t steps, bool late);
uint32_t tile_axis_pieces(const struct tile_axis *axis);
/* Whether it goes on beyond the seam. */
bool tile_piece_is_last(const struct tile_axis *axis, uint32_t piece);
/* Nodes of a piece in step `time`, without those that only lists have. */
struct tile_ranges tile_piece_steps(const struct tile_axis *axis, uint32_t piece, uint32_t time, enum tile_part part);
/* The same with them. */
struct tile_ranges tile_piece_takes(const struct tile_axis *axis, uint32_t piece, uint32_t time, enum tile_part part);

#endif
