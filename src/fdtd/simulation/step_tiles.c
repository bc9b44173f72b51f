#include "fdtd/simulation/step_tiles.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "device/caches.h"
#include "fdtd/fields/polarization.h"
#include "fdtd/simulation/row_lists.h"

#define WHAT "steps by tiles"
#define PART_OF_CACHE 0.6
#define ROWS 4u
#define MOST_STEPS 32u
#define STRIPS_OF_THREAD 4u /* at least, so that threads end at about the same time */
#define FAR_APART 16u       /* counters in different lines of the cache */

enum action_kind { ACTION_SOURCE, ACTION_POLES, ACTION_SUMS, ACTION_TRACE };

/* Something that is done at the places of a list in every step. */
struct action {
	enum action_kind kind;
	enum field field;
	const void *of; /* injection, polarization, Fourier sums, or observation */
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
	double psi = 0.0;

	for (int a = 0; a < 3; ++a)
		psi += 4.0 * (double)layout->psi_size[a];
	return size * (6.0 * (double)layout->row + psi / rows) +
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

/* Finds the rows of a list, which is read from the device: only there it is kept. */
static sonde_status find_rows(const struct fields *fields, const struct device_buffer *places, size_t stride,
			      const uint32_t *first_of_plane, struct row_list *rows)
{
	const uint32_t planes = (uint32_t)fields->grid.cells[0] + 1, count = first_of_plane[planes];
	sonde_status status = SONDE_OK;
	void *all;

	CHECK(memory_allocate_to_fill(&all, (size_t)count + 1, stride, WHAT));
	if (count > 0)
		status = device_read(fields->device, places, 0, all, count * stride);
	if (status == SONDE_OK)
		status = row_list_make(&fields->layout, all, stride, first_of_plane, planes, rows);
	free(all);
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
		const struct injection *source = tiled->sources[n];
		if (source->field == field && source->count > 0)
			CHECK(find_rows(tiled->fields, &source->places, sizeof(struct fdtd_place),
					source->first_of_plane, &add(tiles, ACTION_SOURCE, field, source)->rows));
	}
	return SONDE_OK;
}

static sonde_status add_poles(const struct tiled *tiled, struct step_tiles *tiles)
{
	for (int n = 0; n < tiled->fields->polarization_count; ++n) {
		const struct polarization *of = &tiled->fields->polarizations[n];
		if (of->count > 0)
			CHECK(find_rows(tiled->fields, &of->places, sizeof(uint64_t), of->first_of_plane,
					&add(tiles, ACTION_POLES, FIELD_E, of)->rows));
	}
	return SONDE_OK;
}

static sonde_status add_observation(const struct tiled *tiled, struct step_tiles *tiles, enum action_kind kind,
				    const void *of, const struct observation *observation)
{
	return observation->count == 0
		   ? SONDE_OK
		   : find_rows(tiled->fields, &observation->places, sizeof(uint64_t), observation->first_of_plane,
			       &add(tiles, kind, observation->field, of)->rows);
}

static sonde_status add_observations(const struct tiled *tiled, struct step_tiles *tiles)
{
	for (int n = 0; n < 2 * tiled->sum_count; ++n)
		CHECK(add_observation(tiled, tiles, ACTION_SUMS, tiled->sums[n / 2], &tiled->sums[n / 2]->of[n % 2]));
	for (int n = 0; n < tiled->trace_count; ++n)
		CHECK(add_observation(tiled, tiles, ACTION_TRACE, tiled->traces[n], tiled->traces[n]));
	return SONDE_OK;
}

static sonde_status find_actions(const struct tiled *tiled, struct step_tiles *tiles)
{
	CHECK(add_sources(tiled, tiles, FIELD_H));
	tiles->before = tiles->count;
	CHECK(add_sources(tiled, tiles, FIELD_E));
	CHECK(add_poles(tiled, tiles));
	return add_observations(tiled, tiles);
}

sonde_status step_tiles_make(const struct tiled *tiled, struct skewed_tile shape, struct step_tiles **tiles)
{
	const size_t most = (size_t)(tiled->source_count + tiled->fields->polarization_count + 2 * tiled->sum_count +
				     tiled->trace_count),
		     strips = (tiled->fields->layout.end[0] + shape.steps) / shape.planes + 1;
	sonde_status status;

	CHECK(memory_allocate(tiles, 1, sizeof **tiles, WHAT));
	(*tiles)->fields = tiled->fields;
	(*tiles)->shape = shape;
	status = memory_allocate(&(*tiles)->actions, most + 1, sizeof *(*tiles)->actions, WHAT);
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
	case ACTION_SUMS:
		of = &((const struct fourier_sums *)of)->of[acting->action->field];
		return observation_gather_some(acting->fields, of, acting->time, begin, count);
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

static sonde_status act(const struct sweep *sweep, int begin, int end, uint32_t time, const struct field_tile *tile)
{
	for (int n = begin; n < end; ++n) {
		const struct action *action = &sweep->tiles->actions[n];
		struct acting acting = {sweep->tiles->fields, action, time};
		if (action->kind == ACTION_SUMS &&
		    !fourier_observes(action->of, action->field, sweep->step, time, &acting.time))
			continue;
		CHECK(row_list_visit(&action->rows, tile, act_on, &acting));
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
		struct field_tile around = tile;
		if (tile.planes.begin >= tile.planes.end || tile.rows.begin >= tile.rows.end)
			continue;
		/* places on the last wall belong to the last row that is stepped */
		around.rows.end = tile.rows.end == end[1] ? UINT32_MAX : tile.rows.end;
		CHECK(act(sweep, 0, tiles->before, sweep->first + t, &around));
		CHECK(fields_step_tile(tiles->fields, &tile));
		CHECK(act(sweep, tiles->before, tiles->count, sweep->first + t, &around));
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
