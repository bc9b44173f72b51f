#include "fdtd/simulation/step_tiles.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "device/caches.h"
#include "fdtd/grid/layout.h"
#include "fdtd/fields/answering.h"
#include "fdtd/fields/polarization.h"
#include "fdtd/fields/smoothing.h"
#include "fdtd/simulation/row_lists.h"

#define WHAT "steps by tiles"
#define PART_OF_CACHE 0.6
#define ROWS 8u
#define MOST_STEPS 32u
#define STRIPS_OF_THREAD 4u /* at least, so that threads end at about the same time */
#define FAR_APART 16u       /* counters in different lines of the cache */

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

/* Axes along which an action stays behind the step by one plane or row: E of some edges follows from what the steps of
 * the next plane or row leave (smoothing.h), and is observed when that is complete. */
#define BEHIND_ALONG_X 1u
#define BEHIND_ALONG_Y 2u

/* Something that is done at the places of a list in every step. */
struct action {
	enum action_kind kind;
	enum field field;
	const void *of; /* injection, polarization, kind of answers, Fourier sums, or observation */
	uint32_t behind;
	struct row_list rows;
};

struct step_tiles {
	struct fields *fields;
	struct skewed_tile shape;
	int before, count; /* actions before the step: sources of H; all */
	struct action *actions;
	uint32_t *progress; /* tiles of each strip that are complete */
};

/* Shape -------------------------------------------------------------------------------------- */

/* Bytes of a row of all arrays, on average. */
static double bytes_of_row(const struct fields *fields)
{
	const struct fdtd_step *layout = &fields->layout;
	const double size = fields->single ? 4.0 : 8.0, rows = (double)layout->planes * layout->rows;

	return size * (6.0 * (double)layout->row + (double)layout_psi(layout) / rows) +
	       3.0 * (double)layout->row * layout->index_bytes * (layout->electric + layout->magnetic);
}

static uint32_t at_most(uint32_t a, double b)
{
	return b < 1.0 ? 0 : (double)a < b ? a : (uint32_t)b;
}

/* A tile of w planes and r rows passes through (w + n)(r + n) rows of cells, which are to be in the cache; (w + n)/(w n) of
 * them go to memory and back for each row that is stepped once. */
struct skewed_tile step_tiles_shape(const struct fields *fields, uint32_t steps)
{
	const uint32_t workers = device_workers(fields->device), planes = fields->layout.end[0];
	const double rows_in_cache = PART_OF_CACHE * caches_of_thread((int)workers) / bytes_of_row(fields);
	struct skewed_tile best = {0};
	double least = 1.0;

	if (!fields_can_step_tiles(fields) || fields->layout.end[1] < ROWS * workers)
		return best;
	for (uint32_t n = 2; n <= steps && n <= MOST_STEPS; n *= 2) {
		const double most = floor(rows_in_cache / (ROWS + n)) - n,
			     busy = floor((double)(planes + n) / (STRIPS_OF_THREAD * workers));
		const uint32_t w = at_most(at_most(2 * n, most), busy);
		if (w == 0 || (double)(w + n) / (w * n) >= least)
			continue;
		least = (double)(w + n) / (w * n);
		best = (struct skewed_tile){w, ROWS, n};
	}
	return best;
}

/* Lists -------------------------------------------------------------------------------------- */

/* A list of places on the device, where alone it is kept. */
struct listed {
	const struct device_buffer *places;
	size_t stride;
	const uint32_t *first_of_plane;
	int component; /* of which the places are; -1: all */
	bool answers;  /* places are numbers of answers */
};

static void find_rows_of(const struct fields *fields, const struct listed *listed, const char *places, uint32_t count,
			 uint32_t *rows)
{
	const struct fdtd_step *layout = &fields->layout;

	for (uint32_t n = 0; n < count; ++n) {
		const uint64_t place = *(const uint64_t *)(places + n * listed->stride);
		int node[3];
		if (listed->answers)
			rows[n] = fields->answering->rows[place];
		else if (layout_node(layout, place, node) == listed->component || listed->component < 0)
			rows[n] = (uint32_t)node[1];
		else
			rows[n] = ROW_NONE;
	}
}

static sonde_status find_rows(const struct fields *fields, const struct listed *listed, struct row_list *list)
{
	const uint32_t planes = (uint32_t)fields->grid.cells[0] + 1, count = listed->first_of_plane[planes];
	uint32_t *rows = NULL;
	char *places = NULL;
	sonde_status status;

	CHECK_GOTO(status, memory_allocate_to_fill(&places, (size_t)count + 1, listed->stride, WHAT), done);
	CHECK_GOTO(status, memory_allocate_to_fill(&rows, (size_t)count + 1, sizeof *rows, WHAT), done);
	if (count > 0)
		CHECK_GOTO(status, device_read(fields->device, listed->places, 0, places, count * listed->stride),
			   done);
	find_rows_of(fields, listed, places, count, rows);
	status = row_list_make(rows, listed->first_of_plane, planes, list);
done:
	free(places);
	free(rows);
	return status;
}

static struct action *add(struct step_tiles *tiles, enum action_kind kind, enum field field, const void *of)
{
	struct action *action = &tiles->actions[tiles->count++];

	*action = (struct action){.kind = kind, .field = field, .of = of};
	return action;
}

static sonde_status add_sources(const struct tiled *tiled, struct step_tiles *tiles, enum field field)
{
	for (int n = 0; n < tiled->source_count; ++n) {
		const struct injection *of = tiled->sources[n];
		const struct listed listed = {&of->places, sizeof(struct fdtd_place), of->first_of_plane, -1, false};
		if (of->field == field && of->count > 0)
			CHECK(find_rows(tiled->fields, &listed, &add(tiles, ACTION_SOURCE, field, of)->rows));
	}
	return SONDE_OK;
}

static sonde_status add_poles(const struct fields *fields, struct step_tiles *tiles)
{
	for (int n = 0; n < fields->polarization_count; ++n) {
		const struct polarization *of = &fields->polarizations[n];
		const struct listed listed = {&of->places, sizeof(uint64_t), of->first_of_plane, -1, false};
		if (of->count > 0)
			CHECK(find_rows(fields, &listed, &add(tiles, ACTION_POLES, FIELD_E, of)->rows));
	}
	return SONDE_OK;
}

/* E of edges along each axis: those along x from both planes, those along y from both rows that they connect. */
static sonde_status add_edges(const struct fields *fields, struct step_tiles *tiles, enum action_kind kind,
			      const struct device_buffer *places, const uint32_t *first_of_plane)
{
	static const uint32_t behind[3] = {BEHIND_ALONG_X, BEHIND_ALONG_Y, 0};

	for (int a = 0; a < 3; ++a) {
		const struct listed listed = {places, sizeof(uint64_t), first_of_plane, a, false};
		struct action *action = add(tiles, kind, FIELD_E, NULL);
		action->behind = behind[a];
		CHECK(find_rows(fields, &listed, &action->rows));
	}
	return SONDE_OK;
}

static sonde_status add_answers(const struct fields *fields, struct step_tiles *tiles)
{
	const struct answering *answering = fields->answering;

	if (answering == NULL)
		return SONDE_OK;
	for (int n = 0; n < answering->kind_count; ++n) {
		const struct answering_kind *of = &answering->kinds[n];
		if (of->count > 0)
			CHECK(row_list_make(answering->rows + of->first, of->first_of_plane,
					    (uint32_t)fields->grid.cells[0] + 1,
					    &add(tiles, ACTION_ANSWER, FIELD_E, of)->rows));
	}
	return add_edges(fields, tiles, ACTION_ASSEMBLE, &answering->places, answering->first_of_plane);
}

static sonde_status add_smoothing(const struct fields *fields, struct step_tiles *tiles)
{
	const struct smoothing *of = fields->smoothing;

	if (of == NULL)
		return SONDE_OK;
	const struct listed all = {&of->places, sizeof(uint64_t), of->first_of_plane, -1, false};
	CHECK(find_rows(fields, &all, &add(tiles, ACTION_DISPLACE, FIELD_E, NULL)->rows));
	return add_edges(fields, tiles, ACTION_SMOOTH, &of->places, of->first_of_plane);
}

static sonde_status add_observation(const struct fields *fields, struct step_tiles *tiles, enum action_kind kind,
				    const void *of, const struct observation *observation)
{
	const struct listed listed = {&observation->places, sizeof(uint64_t), observation->first_of_plane, -1,
				      observation->field == FIELD_ANSWERS};

	if (observation->count == 0)
		return SONDE_OK;
	struct action *action = add(tiles, kind, observation->field, of);
	if (observation->field != FIELD_H && (fields->smoothing != NULL || fields->answering != NULL))
		action->behind = BEHIND_ALONG_X | BEHIND_ALONG_Y;
	return find_rows(fields, &listed, &action->rows);
}

static sonde_status add_observations(const struct tiled *tiled, struct step_tiles *tiles)
{
	for (int n = 0; n < tiled->sum_count; ++n)
		for (int f = 0; f < FIELDS_OBSERVED; ++f)
			CHECK(add_observation(tiled->fields, tiles, ACTION_SUMS, tiled->sums[n],
					      &tiled->sums[n]->of[f]));
	for (int n = 0; n < tiled->trace_count; ++n)
		CHECK(add_observation(tiled->fields, tiles, ACTION_TRACE, tiled->traces[n], tiled->traces[n]));
	return SONDE_OK;
}

static sonde_status find_actions(const struct tiled *tiled, struct step_tiles *tiles)
{
	CHECK(add_sources(tiled, tiles, FIELD_H));
	tiles->before = tiles->count;
	CHECK(add_sources(tiled, tiles, FIELD_E));
	CHECK(add_poles(tiled->fields, tiles));
	CHECK(add_answers(tiled->fields, tiles));
	CHECK(add_smoothing(tiled->fields, tiles));
	if (fields_tiles_fill_rows(tiled->fields))
		add(tiles, ACTION_WALLS, FIELD_E, NULL);
	return add_observations(tiled, tiles);
}

/* Room for all of them. */
static size_t most_actions(const struct tiled *tiled)
{
	const struct fields *fields = tiled->fields;
	const int answers = fields->answering != NULL ? fields->answering->kind_count + 3 : 0;

	const int most = tiled->source_count + fields->polarization_count + answers + 5 +
			 FIELDS_OBSERVED * tiled->sum_count + tiled->trace_count;

	return (size_t)most;
}

sonde_status step_tiles_make(const struct tiled *tiled, struct skewed_tile shape, struct step_tiles **tiles)
{
	const size_t strips = (tiled->fields->layout.end[0] + shape.steps) / shape.planes + 1;
	sonde_status status;

	CHECK(memory_allocate(tiles, 1, sizeof **tiles, WHAT));
	(*tiles)->fields = tiled->fields;
	(*tiles)->shape = shape;
	status = memory_allocate(&(*tiles)->actions, most_actions(tiled), sizeof *(*tiles)->actions, WHAT);
	if (status == SONDE_OK)
		status = memory_allocate(&(*tiles)->progress, FAR_APART * strips, sizeof *(*tiles)->progress, WHAT);
	if (status == SONDE_OK)
		status = find_actions(tiled, *tiles);
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
	for (int n = 0; n < (*tiles)->count; ++n)
		row_list_free(&(*tiles)->actions[n].rows);
	free((*tiles)->actions);
	free((*tiles)->progress);
	free(*tiles);
	*tiles = NULL;
}

/* Steps -------------------------------------------------------------------------------------- */

/* An action at a time. */
struct acting {
	struct fields *fields;
	const struct action *action;
	uint32_t time; /* of sources; number of the sample */
};

static sonde_status act_on(void *user, uint32_t begin, uint32_t count)
{
	const struct acting *acting = user;
	const void *of = acting->action->of;

	switch (acting->action->kind) {
	case ACTION_SOURCE:
		return injection_apply_some(acting->fields, of, acting->time, begin, count);
	case ACTION_POLES:
		return polarization_step_some(acting->fields, of, begin, count);
	case ACTION_ANSWER:
		return answering_answer(acting->fields, of, begin, count);
	case ACTION_ASSEMBLE:
		return answering_assemble(acting->fields, begin, count);
	case ACTION_DISPLACE:
		return smoothing_displace(acting->fields, begin, count);
	case ACTION_SMOOTH:
		return smoothing_smooth(acting->fields, begin, count);
	case ACTION_SUMS:
		of = &((const struct fourier_sums *)of)->of[acting->action->field];
		return observation_gather_some(acting->fields, of, acting->time, begin, count);
	case ACTION_WALLS:
	case ACTION_TRACE:
		break;
	}
	return observation_gather_some(acting->fields, of, acting->time, begin, count);
}

/* Steps of all tiles, at most shape.steps of them. */
struct sweep {
	struct step_tiles *tiles;
	uint64_t step;         /* the block's first */
	uint32_t first, count; /* of the block */
	int status;            /* of the first failure */
};

/* Planes or rows that an action takes along an axis where the step has taken `stepped`. Those on the last wall belong to
 * the last one that is stepped. */
static struct plane_range taken(const struct fields *fields, int axis, struct plane_range stepped, bool behind)
{
	const uint32_t by = behind ? 1 : 0, end = fields->layout.end[axis],
		       nodes = (uint32_t)fields->grid.cells[axis] + 1;

	return (struct plane_range){stepped.begin > 0 ? stepped.begin - by : 0,
				    stepped.end < end ? stepped.end - by : nodes};
}

/* Beyond the walls of what is complete now: E of the planes and rows before may be so only since this tile's step. */
static sonde_status fill_rows(struct fields *fields, const struct field_tile *tile)
{
	const uint32_t plane = tile->planes.begin, row = tile->rows.begin;
	const struct field_tile filled = {{plane > 0 ? plane - 1 : 0, tile->planes.end},
					  {row > 0 ? row - 1 : 0, tile->rows.end}};

	return fields_fill_rows(fields, &filled);
}

static sonde_status act(const struct sweep *sweep, int begin, int end, uint32_t time, const struct field_tile *tile)
{
	struct fields *fields = sweep->tiles->fields;

	for (int n = begin; n < end; ++n) {
		const struct action *action = &sweep->tiles->actions[n];
		struct acting acting = {fields, action, time};
		const struct field_tile around = {
		    taken(fields, 0, tile->planes, (action->behind & BEHIND_ALONG_X) != 0),
		    taken(fields, 1, tile->rows, (action->behind & BEHIND_ALONG_Y) != 0)};
		if (action->kind == ACTION_SUMS &&
		    !fourier_observes(action->of, action->field, sweep->step, time, &acting.time))
			continue;
		CHECK(action->kind == ACTION_WALLS ? fill_rows(fields, tile)
						   : row_list_visit(&action->rows, &around, act_on, &acting));
	}
	return SONDE_OK;
}

static struct plane_range moved_back(uint32_t begin, uint32_t size, uint32_t by, uint32_t most)
{
	const uint32_t end = begin + size;
	const struct plane_range range = {begin > by ? begin - by : 0, end > by ? end - by : 0};

	return (struct plane_range){range.begin, range.end < most ? range.end : most};
}

static sonde_status step_tile(const struct sweep *sweep, uint32_t plane, uint32_t row)
{
	struct step_tiles *tiles = sweep->tiles;
	const uint32_t *end = tiles->fields->layout.end;

	for (uint32_t t = 0; t < sweep->count; ++t) {
		const struct field_tile tile = {moved_back(plane, tiles->shape.planes, t, end[0]),
						moved_back(row, tiles->shape.rows, t, end[1])};
		if (tile.planes.begin >= tile.planes.end || tile.rows.begin >= tile.rows.end)
			continue;
		CHECK(act(sweep, 0, tiles->before, sweep->first + t, &tile));
		CHECK(fields_step_tile(tiles->fields, &tile));
		CHECK(act(sweep, tiles->before, tiles->count, sweep->first + t, &tile));
	}
	return SONDE_OK;
}

static void step_strip(void *state, int64_t strip, int64_t end, int worker)
{
	struct sweep *sweep = state;
	struct step_tiles *tiles = sweep->tiles;
	const uint32_t rows = tiles->fields->layout.end[1] + sweep->count - 1;
	uint32_t *progress = tiles->progress + FAR_APART * strip, complete = 0;
	(void)end;
	(void)worker;

	for (uint32_t row = 0; row < rows; row += tiles->shape.rows) {
		if (strip > 0)
			threads_wait_for(progress - FAR_APART, complete + 1);
		if (__atomic_load_n(&sweep->status, __ATOMIC_RELAXED) == SONDE_OK) {
			const sonde_status status = step_tile(sweep, (uint32_t)strip * tiles->shape.planes, row);
			if (status != SONDE_OK)
				__atomic_store_n(&sweep->status, (int)status, __ATOMIC_RELAXED);
		}
		threads_tell(progress, ++complete);
	}
}

sonde_status step_tiles_run(struct step_tiles *tiles, uint64_t step, uint32_t times)
{
	const struct skewed_tile *shape = &tiles->shape;

	for (uint32_t first = 0; first < times; first += shape->steps) {
		struct sweep sweep = {tiles, step, first, times - first < shape->steps ? times - first : shape->steps,
				      SONDE_OK};
		const uint32_t planes = tiles->fields->layout.end[0] + sweep.count - 1,
			       strips = (planes + shape->planes - 1) / shape->planes;
		for (uint32_t n = 0; n < strips; ++n)
			threads_tell(tiles->progress + FAR_APART * n, 0);
		threads_for((int)device_workers(tiles->fields->device), strips, 1, step_strip, &sweep);
		if (sweep.status != SONDE_OK)
			return (sonde_status)sweep.status;
	}
	return SONDE_OK;
}
