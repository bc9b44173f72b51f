#include "fdtd/simulation/step_tiles.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "device/caches.h"
#include "fdtd/grid/layout.h"
#include "fdtd/simulation/tile_pieces.h"

#define WHAT "steps by tiles"
#define PART_OF_CACHE 0.6
#define ROWS 8u
#define MOST_STEPS 32u
#define MOST_IDLE 2u        /* measured: one thread with tiles needs a third of the processor time of two without */
#define STRIPS_OF_THREAD 4u /* at least, so that threads end at about the same time */
#define FAR_APART 16u       /* counters in different lines of the cache */

struct step_tiles {
	struct fields *fields;
	struct skewed_tile shape;
	struct tile_axis axes[2];
	int along_flat; /* axis_of_flat() */
	struct tile_actions actions;
	uint32_t *progress; /* tiles of each strip that are complete */
};

/* Shape -------------------------------------------------------------------------------------- */

/* Bytes of a row of all arrays, on average. */
static double bytes_of_row(const struct fields *fields)
{
	const struct fdtd_step *layout = &fields->layout;
	const double size = fields->single ? 4.0 : 8.0, rows = (double)layout->planes * layout->rows;

	return (fields->grid.bloch ? 2.0 : 1.0) * size *
		   (6.0 * (double)layout->row + (double)layout_psi(layout) / rows) +
	       3.0 * (double)layout->row * layout->index_bytes * (layout->electric + layout->magnetic);
}

static uint32_t at_most(uint32_t a, double b)
{
	return b < 1.0 ? 0 : (double)a < b ? a : (uint32_t)b;
}

/* Whether the nodes of a periodic axis suffice. */
static bool has_room(const struct fields *fields, int axis, uint32_t steps)
{
	const struct tile_axis made = tile_axis_make(fields, axis, 1, steps, tile_actions_are_late(fields));

	return !made.periodic || made.first <= made.end;
}

/* In two dimensions: the axis along which tiles follow each other, usually x; -1 in three. */
static int axis_of_flat(const struct fdtd_grid *grid)
{
	return grid_is_uniform(grid, 1) ? 0 : grid_is_uniform(grid, 0) ? 1 : -1;
}

/* If the rows are periodic, threads cannot follow each other: the first rows are complete when all are. Then one thread takes all
 * tiles, which is as fast as MOST_IDLE threads without tiles. */
static bool are_in_one_thread(const struct fields *fields)
{
	const int along = axis_of_flat(&fields->grid);

	return along >= 0 && fields->grid.walls[along][0] == WALL_PERIODIC;
}

/* In two dimensions tiles of some rows follow each other in time, in different threads: see step_tiles.h. */
static struct skewed_tile flat_shape(const struct fields *fields, uint32_t steps, double rows_in_cache)
{
	const int along = axis_of_flat(&fields->grid);
	const uint32_t all = device_workers(fields->device), workers = are_in_one_thread(fields) ? 1 : all,
		       rows = fields->layout.end[along];
	struct skewed_tile best = {0};

	if (all > workers * (workers < all ? MOST_IDLE : 1))
		return best;
	for (uint32_t n = 2; n * workers <= steps && n <= MOST_STEPS; n *= 2)
		if (ROWS + n <= rows_in_cache && STRIPS_OF_THREAD * workers * (ROWS + n) <= rows &&
		    has_room(fields, along, n))
			best = along == 0 ? (struct skewed_tile){ROWS, 1, n} : (struct skewed_tile){1, ROWS, n};
	return best;
}

/* A tile of w planes and r rows passes through (w + n)(r + n) rows of cells, which are to be in the cache; (w + n)/(w n) of
 * them go to memory and back for each row that is stepped once. */
struct skewed_tile step_tiles_shape(const struct fields *fields, uint32_t steps)
{
	const uint32_t workers = device_workers(fields->device), planes = fields->layout.end[0];
	const double rows_in_cache = PART_OF_CACHE * caches_of_thread((int)workers) / bytes_of_row(fields);
	struct skewed_tile best = {0};
	double least = 1.0;

	if (!fields_can_step_tiles(fields))
		return best;
	if (axis_of_flat(&fields->grid) >= 0)
		return flat_shape(fields, steps, rows_in_cache);
	if (fields->layout.end[1] < ROWS * workers)
		return best;
	for (uint32_t n = 2; n <= steps && n <= MOST_STEPS; n *= 2) {
		const double most = floor(rows_in_cache / (ROWS + n)) - n,
			     busy = floor((double)(planes + n) / (STRIPS_OF_THREAD * workers));
		const uint32_t w = at_most(at_most(2 * n, most), busy);
		if (w == 0 || (double)(w + n) / (w * n) >= least || !has_room(fields, 0, n) ||
		    !has_room(fields, 1, n))
			continue;
		least = (double)(w + n) / (w * n);
		best = (struct skewed_tile){w, ROWS, n};
	}
	return best;
}

/* Making ------------------------------------------------------------------------------------- */

static bool is_flat(const struct step_tiles *tiles)
{
	return tiles->along_flat >= 0;
}

/* The axis of a strip's tiles. */
static const struct tile_axis *axis_of_strip(const struct step_tiles *tiles)
{
	return &tiles->axes[is_flat(tiles) ? tiles->along_flat : 1];
}

/* At most. */
static size_t strips_of(const struct step_tiles *tiles)
{
	return is_flat(tiles) ? MOST_SAMPLES / tiles->shape.steps + 1 : tile_axis_pieces(&tiles->axes[0]);
}

sonde_status step_tiles_make(const struct tiled *tiled, struct skewed_tile shape, struct step_tiles **tiles)
{
	sonde_status status;

	CHECK(memory_allocate(tiles, 1, sizeof **tiles, WHAT));
	struct step_tiles *made = *tiles;
	while (shape.steps > 1 &&
	       !(has_room(tiled->fields, 0, shape.steps) && has_room(tiled->fields, 1, shape.steps)))
		--shape.steps;
	made->fields = tiled->fields;
	made->shape = shape;
	made->along_flat = axis_of_flat(&tiled->fields->grid);
	for (int a = 0; a < 2; ++a)
		made->axes[a] = tile_axis_make(tiled->fields, a, a == 0 ? shape.planes : shape.rows, shape.steps,
					       tile_actions_are_late(tiled->fields));
	status = memory_allocate(&made->progress, FAR_APART * strips_of(made), sizeof *made->progress, WHAT);
	if (status == SONDE_OK)
		status = tile_actions_make(tiled, &made->actions);
	if (status == SONDE_OK)
		status = fields_prepare_tiles(tiled->fields);
	if (status != SONDE_OK)
		step_tiles_release(tiles);
	return status;
}

void step_tiles_release(struct step_tiles **tiles)
{
	if (*tiles == NULL)
		return;
	tile_actions_free(&(*tiles)->actions);
	free((*tiles)->progress);
	free(*tiles);
	*tiles = NULL;
}

/* Steps -------------------------------------------------------------------------------------- */

/* Steps of all tiles, at most shape.steps of them in each. */
struct sweep {
	struct step_tiles *tiles;
	uint64_t step;         /* the block's first */
	uint32_t first, count; /* of the block */
	int status;            /* of the first failure */
};

/* A tile in a step of the block. */
struct tile_step {
	const struct sweep *sweep;
	uint32_t pieces[2]; /* along x and y */
	uint32_t time, block_time;
};

typedef sonde_status tile_visitor(void *user, const struct field_tile *tile);

static sonde_status visit_all(const struct tile_ranges *planes, const struct tile_ranges *rows, tile_visitor *visit,
			      void *user)
{
	for (int i = 0; i < planes->count; ++i)
		for (int j = 0; j < rows->count; ++j) {
			const struct field_tile tile = {planes->of[i], rows->of[j]};
			CHECK(visit(user, &tile));
		}
	return SONDE_OK;
}

static struct tile_ranges steps_along(const struct tile_step *at, int axis, enum tile_part part)
{
	return tile_piece_steps(&at->sweep->tiles->axes[axis], at->pieces[axis], at->time, part);
}

/* Fields beyond the walls of a periodic axis, where that has more than a row or plane: */
struct filling {
	struct fields *fields;
	enum field field;
	uint32_t axis;
};

static sonde_status fill(void *user, const struct field_tile *tile)
{
	const struct filling *filling = user;

	return fields_fill_tile(filling->fields, filling->field, filling->axis, tile);
}

/* beyond x and y by the tiles at the seam, beyond z by all, of H only if the kernel does not fill it. */
static sonde_status fill_walls(const struct tile_step *at, enum field field)
{
	const struct step_tiles *tiles = at->sweep->tiles;
	const struct fdtd_grid *grid = &tiles->fields->grid;
	const enum tile_part part = field == FIELD_E ? TILE_PART_FILL : TILE_PART_H;
	const struct tile_ranges planes = steps_along(at, 0, part), rows = steps_along(at, 1, part),
				 one = {1, {{0, 1}}};

	for (uint32_t a = 0; a < 3; ++a) {
		struct filling filling = {tiles->fields, field, a};
		if (grid_is_uniform(grid, (int)a) || grid->walls[a][0] != WALL_PERIODIC)
			continue;
		if (a < 2 ? !tile_piece_is_last(&tiles->axes[a], at->pieces[a])
			  : field == FIELD_H && grid->phase[2] == 0.0)
			continue;
		CHECK(visit_all(a == 0 ? &one : &planes, a == 1 ? &one : &rows, fill, &filling));
	}
	return SONDE_OK;
}

/* An action at a time. */
struct acting {
	const struct tile_action *action;
	uint32_t time; /* of sources; number of the sample */
};

static sonde_status act_on(void *user, uint32_t begin, uint32_t count)
{
	const struct acting *acting = user;

	return tile_action_apply(acting->action, acting->time, begin, count);
}

static sonde_status act_in(void *user, const struct field_tile *tile)
{
	struct acting *acting = user;

	return row_list_visit(&acting->action->rows, tile, act_on, acting);
}

static sonde_status act(const struct tile_step *at, int begin, int end)
{
	const struct step_tiles *tiles = at->sweep->tiles;

	for (int n = begin; n < end; ++n) {
		const struct tile_action *action = &tiles->actions.of[n];
		struct acting acting = {action, at->block_time};
		if (action->kind == ACTION_WALLS) {
			CHECK(fill_walls(at, FIELD_E));
			continue;
		}
		if (action->kind == ACTION_SUMS &&
		    !fourier_observes(action->of, action->field, at->sweep->step, at->block_time, &acting.time))
			continue;
		const struct tile_ranges planes = tile_piece_takes(&tiles->axes[0], at->pieces[0], at->time,
								   action->parts[0]),
					 rows = tile_piece_takes(&tiles->axes[1], at->pieces[1], at->time,
								 action->parts[1]);
		CHECK(visit_all(&planes, &rows, act_in, &acting));
	}
	return SONDE_OK;
}

struct stepping_part {
	struct fields *fields;
	enum tile_fields stepped;
};

static sonde_status step_part(void *user, const struct field_tile *tile)
{
	const struct stepping_part *part = user;

	return fields_step_tile(part->fields, tile, part->stepped);
}

/* Whether H and E have the same nodes, and nothing but the kernel acts between their steps. */
static bool are_stepped_together(const struct tile_step *at)
{
	const struct step_tiles *tiles = at->sweep->tiles;
	bool together = tiles->fields->grid.phase[2] == 0.0;

	for (int a = 0; a < 2; ++a)
		together = together && (!tiles->axes[a].periodic ||
					(at->pieces[a] > 0 && !tile_piece_is_last(&tiles->axes[a], at->pieces[a])));
	return together;
}

static sonde_status step_both(const struct tile_step *at)
{
	struct stepping_part part = {at->sweep->tiles->fields, TILE_BOTH};
	struct tile_ranges planes = steps_along(at, 0, TILE_PART_H), rows = steps_along(at, 1, TILE_PART_H);

	if (are_stepped_together(at))
		return visit_all(&planes, &rows, step_part, &part);
	part.stepped = TILE_H;
	CHECK(visit_all(&planes, &rows, step_part, &part));
	CHECK(fill_walls(at, FIELD_H));
	planes = steps_along(at, 0, TILE_PART_E);
	rows = steps_along(at, 1, TILE_PART_E);
	part.stepped = TILE_E;
	return visit_all(&planes, &rows, step_part, &part);
}

/* All steps of a tile. */
static sonde_status step_tile(const struct sweep *sweep, uint32_t strip, uint32_t piece)
{
	const struct step_tiles *tiles = sweep->tiles;
	const uint32_t first = is_flat(tiles) ? strip * tiles->shape.steps : sweep->first,
		       left = sweep->first + sweep->count - first;
	struct tile_step at = {.sweep = sweep};

	at.pieces[0] = is_flat(tiles) ? 0 : strip;
	at.pieces[is_flat(tiles) ? tiles->along_flat : 1] = piece;

	for (at.time = 0; at.time < left && at.time < tiles->shape.steps; ++at.time) {
		at.block_time = first + at.time;
		CHECK(act(&at, 0, tiles->actions.before));
		CHECK(step_both(&at));
		CHECK(act(&at, tiles->actions.before, tiles->actions.count));
	}
	return SONDE_OK;
}

/* Tiles of the strip before that must be complete before a strip's tile number `piece`: that one; or, if the strips are steps of
 * the same rows, those up to the last row that its steps need. */
static uint32_t tiles_ahead(const struct step_tiles *tiles, uint32_t piece)
{
	const struct tile_axis *axis = axis_of_strip(tiles);
	const uint32_t pieces = tile_axis_pieces(axis),
		       more = is_flat(tiles) ? (axis->steps + axis->size) / axis->size + 1 : 0;

	if (axis->periodic && more > 0)
		return pieces;
	return piece + more < pieces ? piece + 1 + more : pieces;
}

static void step_strip(void *state, int64_t strip, int64_t end, int worker)
{
	struct sweep *sweep = state;
	struct step_tiles *tiles = sweep->tiles;
	const uint32_t pieces = tile_axis_pieces(axis_of_strip(tiles));
	uint32_t *progress = tiles->progress + FAR_APART * strip;
	(void)end;
	(void)worker;

	for (uint32_t piece = 0; piece < pieces; ++piece) {
		if (strip > 0)
			threads_wait_for(progress - FAR_APART, tiles_ahead(tiles, piece));
		if (__atomic_load_n(&sweep->status, __ATOMIC_RELAXED) == SONDE_OK) {
			const sonde_status status = step_tile(sweep, (uint32_t)strip, piece);
			if (status != SONDE_OK)
				__atomic_store_n(&sweep->status, (int)status, __ATOMIC_RELAXED);
		}
		threads_tell(progress, piece + 1);
	}
}

sonde_status step_tiles_run(struct step_tiles *tiles, uint64_t step, uint32_t times)
{
	const uint32_t steps = tiles->shape.steps, at_once = is_flat(tiles) ? times : steps;

	for (uint32_t first = 0; first < times; first += at_once) {
		struct sweep sweep = {tiles, step, first, times - first < at_once ? times - first : at_once,
				      SONDE_OK};
		const uint32_t strips =
		    is_flat(tiles) ? (times + steps - 1) / steps : tile_axis_pieces(&tiles->axes[0]);
		for (uint32_t n = 0; n < strips; ++n)
			threads_tell(tiles->progress + FAR_APART * n, 0);
		threads_for(are_in_one_thread(tiles->fields) ? 1 : (int)device_workers(tiles->fields->device), strips,
			    1, step_strip, &sweep);
		if (sweep.status != SONDE_OK)
			return (sonde_status)sweep.status;
	}
	return SONDE_OK;
}
