#include "fdtd/simulation/step_pairs.h"

#include <stdlib.h>

#include "base/memory.h"
#include "fdtd/fields/fields_gpu.h"
#include "fdtd/fields/polarization.h"
#include "fdtd/fields/smoothing.h"
#include "fdtd/kernels/stored.h"

#define LEAST_CELLS \
	1e12 /* cells times steps, done and ahead, from which on pairs are tried: the trial takes some tenths of a second */
#define MOST_SURROUNDINGS 6u   /* at most one cell in so many is stepped alone */
#define MOST_BOXES 256u        /* of the surroundings of a monitor */
#define MOST_PLACES (1u << 24) /* of a list */
#define TIMED_BLOCKS 4         /* two of single steps, two of pairs, of which the second ones count */
#define BATCH (1u << 20)

/* Lists of places, read from the device, where alone they are kept. */
struct lists {
	struct fields *fields;
	int count;
	struct place_list *lists;
};

static sonde_status read_list(struct lists *lists, const struct device_buffer *buffer, size_t stride, size_t count)
{
	void *places;

	CHECK(memory_allocate_to_fill(&places, count + 1, stride, "the surroundings of sources and monitors"));
	lists->lists[lists->count++] = (struct place_list){places, stride, count};
	return count == 0 ? SONDE_OK : device_read(lists->fields->device, buffer, 0, places, count * stride);
}

static void forget_lists(struct lists *lists)
{
	for (int n = 0; n < lists->count; ++n)
		free((void *)lists->lists[n].places);
	lists->count = 0;
}

/* Distances in cells, along each axis, within which neighbors of places are different in the second step: in words, those that
 * are rounded together. */
static void find_margin(const struct fields *fields, uint32_t margin[3])
{
	margin[0] = margin[1] = 1;
	margin[2] = fields->grid.in_words ? WORD_CELLS : 1;
}

/* The sources of both fields act between two steps: on E after the first one, on H before the second one. Neighbors of
 * their places are different in the second step. */
static sonde_status find_sources(const struct paired *paired, struct lists *lists, struct step_pairs *pairs)
{
	uint32_t margin[3];

	find_margin(paired->fields, margin);
	for (int n = 0; n < paired->source_count; ++n)
		CHECK(read_list(lists, &paired->sources[n]->places, sizeof(struct fdtd_place),
				paired->sources[n]->count));
	return cell_boxes_of_places(&paired->fields->layout, lists->lists, lists->count, margin,
				    paired->fields->threads, &pairs->apart);
}

/* Media that respond to E after its step act as sources do. They fill bodies, or surround them: one box contains a whole
 * list. */
static sonde_status add_media(struct lists *lists, struct step_pairs *pairs, const struct device_buffer *places,
			      uint32_t count)
{
	const struct fdtd_step *layout = &lists->fields->layout;
	struct cell_boxes boxes = {0};
	uint32_t margin[3];
	sonde_status status = read_list(lists, places, sizeof(uint64_t), count);

	find_margin(lists->fields, margin);
	if (status == SONDE_OK)
		status =
		    cell_boxes_of_places(layout, lists->lists, lists->count, margin, lists->fields->threads, &boxes);
	for (size_t n = 1; n < boxes.count; ++n)
		for (int a = 0; a < 3; ++a) {
			struct cell_box *all = &boxes.boxes[0];
			const struct cell_box *box = &boxes.boxes[n];
			all->begin[a] = box->begin[a] < all->begin[a] ? box->begin[a] : all->begin[a];
			all->end[a] = box->end[a] > all->end[a] ? box->end[a] : all->end[a];
		}
	if (status == SONDE_OK && boxes.count > 0)
		status = cell_boxes_add(layout, &pairs->apart, &boxes.boxes[0], 0, 0, true);
	cell_boxes_free(&boxes);
	forget_lists(lists);
	return status;
}

static bool media_are_few(const struct fields *fields)
{
	bool few = fields->smoothing == NULL || fields->smoothing->count <= MOST_PLACES;

	for (int n = 0; n < fields->polarization_count; ++n)
		few = few && fields->polarizations[n].count <= MOST_PLACES;
	return few;
}

static sonde_status find_apart(const struct paired *paired, struct lists *lists, struct step_pairs *pairs)
{
	const struct fields *fields = paired->fields;

	CHECK(find_sources(paired, lists, pairs));
	forget_lists(lists);
	for (int n = 0; n < fields->polarization_count; ++n)
		CHECK(add_media(lists, pairs, &fields->polarizations[n].places, fields->polarizations[n].count));
	return fields->smoothing == NULL
		   ? SONDE_OK
		   : add_media(lists, pairs, &fields->smoothing->places, fields->smoothing->count);
}

/* In a step E of a cell depends on H of it and of cells before, which H depends on E of them and of cells behind. */
static sonde_status find_surroundings(const struct paired *paired, struct step_pairs *pairs)
{
	const struct fdtd_step *layout = &paired->fields->layout;
	struct lists lists = {.fields = paired->fields};

	CHECK(memory_allocate(&lists.lists, (size_t)paired->source_count + 1, sizeof *lists.lists,
			      "the surroundings of sources and monitors"));
	const sonde_status status = find_apart(paired, &lists, pairs);
	forget_lists(&lists);
	free(lists.lists);
	CHECK(status);
	CHECK(cell_boxes_add_all(layout, &pairs->h_second, &pairs->apart, 1, 0, true));
	CHECK(cell_boxes_add_all(layout, &pairs->sources.e, &pairs->apart, 1, 1, false));
	if (paired->fields->grid.in_words) /* another word before along z, not only another cell */
		return cell_boxes_add_all(layout, &pairs->sources.h, &pairs->sources.e, 1, 0, false);
	return cell_boxes_add_all(layout, &pairs->sources.h, &pairs->apart, 2, 1, false);
}

static sonde_status add_monitor(struct fields *fields, const struct observation *observation,
				struct surroundings *around)
{
	const uint32_t before = observation->field == FIELD_E ? 1 : 0, margin[3] = {0};
	struct place_list list;
	struct lists lists = {.fields = fields, .lists = &list};
	struct cell_boxes boxes = {0};
	sonde_status status = read_list(&lists, &observation->places, sizeof(uint64_t), observation->count);

	if (status == SONDE_OK)
		status = cell_boxes_of_places(&fields->layout, &list, 1, margin, fields->threads, &boxes);
	if (status == SONDE_OK && observation->field == FIELD_E)
		status = cell_boxes_add_all(&fields->layout, &around->e, &boxes, 0, 0, false);
	if (status == SONDE_OK)
		status = cell_boxes_add_all(&fields->layout, &around->h, &boxes, before, 0, false);
	cell_boxes_free(&boxes);
	forget_lists(&lists);
	return status;
}

static sonde_status find_monitors(const struct paired *paired, struct step_pairs *pairs)
{
	const int count = paired->monitor_count;

	CHECK(memory_allocate(&pairs->monitors, (size_t)count + 1, sizeof *pairs->monitors,
			      "the surroundings of monitors"));
	pairs->monitor_count = count;
	for (int n = 0; n < count; ++n) {
		const struct paired_monitor *monitor = &paired->monitors[n];
		pairs->monitors[n].every = monitor->every;
		for (int f = 0; f < 2; ++f) {
			const struct observation *observation = monitor->of[f];
			if (observation == NULL || observation->count == 0)
				continue;
			if (observation->count > MOST_PLACES)
				pairs->monitors[n].too_large = true;
			else
				CHECK(add_monitor(paired->fields, observation, &pairs->monitors[n].around));
		}
		pairs->monitors[n].too_large |= pairs->monitors[n].around.h.count > MOST_BOXES;
	}
	return SONDE_OK;
}

/* Whether the cells around are few. */
static bool are_few(const struct fields *fields, uint64_t cells)
{
	const struct fdtd_step *layout = &fields->layout;

	return cells <= (uint64_t)layout->end[0] * layout->end[1] * layout->end[2] / MOST_SURROUNDINGS;
}

bool step_pairs_are_likely(const int64_t cells[3], int64_t steps)
{
	return (double)cells[0] * (double)cells[1] * (double)cells[2] * (double)steps >= LEAST_CELLS;
}

bool step_pairs_are_worth_it(const struct fields *fields, uint64_t steps)
{
	const struct fdtd_step *layout = &fields->layout;
	const double cells = (double)layout->end[0] * layout->end[1] * layout->end[2];

	return device_properties(fields->device)->copies_to_local && cells * (double)steps >= LEAST_CELLS;
}

static sonde_status make(const struct paired *paired, struct step_pairs *pairs, bool *possible)
{
	struct fields *fields = paired->fields;
	const struct tile_shape shape = two_steps_shape(fields);

	CHECK(find_surroundings(paired, pairs));
	*possible = shape.rows > 0 && pairs->apart.count <= TILE_MOST_APART &&
		    (pairs->always || are_few(fields, cell_boxes_volume(&pairs->sources.h)));
	if (!*possible)
		return SONDE_OK;
	CHECK(find_monitors(paired, pairs));
	CHECK(two_steps_make(fields, &shape, &pairs->two));
	two_steps_set_apart(&pairs->two, &pairs->apart);
	return SONDE_OK;
}

sonde_status step_pairs_make(const struct paired *paired, bool always, struct step_pairs **pairs)
{
	bool possible = false;

	if (!two_steps_are_possible(paired->fields) || !media_are_few(paired->fields))
		return SONDE_OK;
	CHECK(memory_allocate(pairs, 1, sizeof **pairs, "steps in pairs"));
	(*pairs)->always = always;
	const sonde_status status = make(paired, *pairs, &possible);
	if (status != SONDE_OK || !possible)
		step_pairs_release(paired->fields, pairs);
	return status;
}

static void forget(struct surroundings *around)
{
	cell_boxes_free(&around->e);
	cell_boxes_free(&around->h);
}

void step_pairs_release(struct fields *fields, struct step_pairs **pairs)
{
	if (*pairs == NULL)
		return;
	two_steps_release(fields, &(*pairs)->two);
	forget(&(*pairs)->sources);
	cell_boxes_free(&(*pairs)->h_second);
	cell_boxes_free(&(*pairs)->apart);
	for (int n = 0; n < (*pairs)->monitor_count; ++n)
		forget(&(*pairs)->monitors[n].around);
	free((*pairs)->monitors);
	free(*pairs);
	*pairs = NULL;
}

bool step_pairs_take_next(const struct step_pairs *pairs, const struct fields *fields, uint64_t step)
{
	uint64_t cells = cell_boxes_volume(&pairs->sources.h);

	for (int n = 0; n < pairs->monitor_count; ++n) {
		const struct monitor_surroundings *monitor = &pairs->monitors[n];
		if (step % monitor->every != 0)
			continue;
		if (monitor->too_large)
			return false;
		cells += cell_boxes_volume(&monitor->around.h);
	}
	return pairs->always || are_few(fields, cells);
}

/* The first step of a field in all surroundings. */
static sonde_status first_of(struct step_pairs *pairs, struct fields *fields, uint64_t step, enum field field)
{
	const struct half_way way = {field,
				     &fields->next[field],
				     &fields->buffers[field],
				     field == FIELD_H ? &fields->next[FIELD_E] : &fields->buffers[FIELD_H],
				     &pairs->two.psi,
				     &fields->psi};

	CHECK(fields_step_cells(fields, &way, field == FIELD_E ? &pairs->sources.e : &pairs->sources.h));
	for (int n = 0; n < pairs->monitor_count; ++n) {
		const struct surroundings *around = &pairs->monitors[n].around;
		if (step % pairs->monitors[n].every == 0)
			CHECK(fields_step_cells(fields, &way, field == FIELD_E ? &around->e : &around->h));
	}
	return SONDE_OK;
}

sonde_status step_pairs_first(struct step_pairs *pairs, struct fields *fields, uint64_t step)
{
	two_steps_exchange(fields, &pairs->two);
	CHECK(first_of(pairs, fields, step, FIELD_H));
	return first_of(pairs, fields, step, FIELD_E);
}

sonde_status step_pairs_second(struct step_pairs *pairs, struct fields *fields)
{
	for (int f = FIELD_H; f >= FIELD_E; --f) {
		const struct device_buffer *own = &fields->buffers[f];
		const struct half_way way = {(enum field)f,           own,          own,
					     &fields->buffers[1 - f], &fields->psi, &fields->psi};
		CHECK(fields_step_cells(fields, &way, f == FIELD_H ? &pairs->h_second : &pairs->apart));
	}
	return two_steps_launch(fields, &pairs->two);
}

bool step_pairs_in_block(const struct step_pairs *pairs)
{
	if (pairs == NULL)
		return false;
	if (pairs->always)
		return true;
	return pairs->blocks < TIMED_BLOCKS ? pairs->blocks >= TIMED_BLOCKS / 2 : pairs->faster;
}

bool step_pairs_are_timed(const struct step_pairs *pairs)
{
	return pairs != NULL && !pairs->always && pairs->blocks < TIMED_BLOCKS;
}

void step_pairs_learn(struct step_pairs *pairs, double seconds)
{
	pairs->seconds[pairs->blocks / 2] = seconds;
	++pairs->blocks;
	pairs->faster = pairs->seconds[1] < pairs->seconds[0];
}
