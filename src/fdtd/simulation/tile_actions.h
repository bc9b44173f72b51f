/* What acts on the fields, and observes them, while steps are taken by tiles (step_tiles.h): lists of places, by planes and
 * rows, so that a tile takes just its own ones. */
#ifndef SONDE_FDTD_SIMULATION_TILE_ACTIONS_H
#define SONDE_FDTD_SIMULATION_TILE_ACTIONS_H

#include "fdtd/fields/lists.h"
#include "fdtd/monitors/fourier.h"
#include "fdtd/simulation/row_lists.h"
#include "fdtd/simulation/tile_pieces.h"

/* What acts on the fields, in this order, and what observes them. */
struct tiled {
	struct fields *fields;
	const struct injection **sources;
	const struct fourier_sums **sums;
	const struct observation **traces; /* after each step */
	int source_count, sum_count, trace_count;
};

enum action_kind {
	ACTION_SOURCE,
	ACTION_POLES,
	ACTION_ANSWER,
	ACTION_ASSEMBLE,
	ACTION_DISPLACE,
	ACTION_SMOOTH,
	ACTION_WALLS,
	ACTION_SUMS,
	ACTION_TRACE
};

/* Something that is done at the places of a list in every step. */
struct tile_action {
	enum action_kind kind;
	enum field field;
	struct fields *fields; /* a part of them, if they are complex */
	const void *of;        /* injection, polarization, kind of answers, Fourier sums, or observation */
	const struct observation *observation;
	enum tile_part parts[2]; /* of the step, along x and y, in which nodes belong to a tile */
	struct row_list rows;
};

struct tile_actions {
	int before, count; /* those before the step, of sources of H; all */
	struct tile_action *of;
};

/* Whether E of some edges follows from that of others. */
bool tile_actions_are_late(const struct fields *fields);
/* The arrays of `tiled` are not needed any longer. To be released by tile_actions_free(), also after a failure. */
sonde_status tile_actions_make(const struct tiled *tiled, struct tile_actions *actions);
void tile_actions_free(struct tile_actions *actions);
/* On entries `begin` to `begin` + `count` - 1 of the action's list; `time`: of sources, or number of the sample. Not of
 * ACTION_WALLS, which has no list. */
sonde_status tile_action_apply(const struct tile_action *action, uint32_t time, uint32_t begin, uint32_t count);

#endif
