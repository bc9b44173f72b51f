/* Samples of copies by placements: positions and extents of atoms that are not stored. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "base/vectors.h"
#include "matter/atoms/placed_atoms.h"
#include "pattern/pattern.h"
#include "pattern/resident/resident.h"

#define PARTS 64 /* of the copies of a group */

void pattern_take_copies(const sonde_atoms *atoms, struct pattern_sample *sample)
{
	sonde_atoms *view = &sample->view;
	struct pattern_copies *copies = &sample->copies;
	int64_t first = 0, first_copy = 0;

	sample->count = view->count;
	if (atoms->placements == NULL)
		return;
	copies->placements = atoms->placements;
	copies->count = atoms->group_count;
	sample->count = 0;
	for (int c = 0; c < sample->class_count; ++c)
		view->species[c].atoms = 0;
	for (int g = 0; g < copies->count; ++g) {
		const struct copy_group *group = &atoms->groups[g];
		copies->groups[g] =
		    (struct pattern_copies_of){first, group->atoms, group->copies, first_copy, sample->count};
		for (int64_t i = first; i < first + group->atoms; ++i)
			view->species[view->species_of[i]].atoms += group->copies;
		first += group->atoms;
		first_copy += group->copies;
		sample->count += group->copies * group->atoms;
	}
}

int64_t pattern_copy_count(const struct pattern_sample *sample)
{
	const struct pattern_copies *copies = &sample->copies;
	const struct pattern_copies_of *last = &copies->groups[copies->count > 0 ? copies->count - 1 : 0];

	return copies->count > 0 ? last->first_copy + last->copies : 0;
}

void pattern_position(const struct pattern_sample *sample, int64_t atom, double position[3])
{
	const struct pattern_copies *copies = &sample->copies;
	int g = 0;

	if (copies->count == 0) {
		for (int k = 0; k < 3; ++k)
			position[k] = sample->view.positions[3 * atom + k];
		return;
	}
	while (g + 1 < copies->count && atom >= copies->groups[g + 1].begins)
		++g;
	const struct pattern_copies_of *group = &copies->groups[g];
	const int64_t n = atom - group->begins;
	placement_apply(&copies->placements[group->first_copy + n / group->atoms],
			sample->view.positions + 3 * (group->first + n % group->atoms), position);
}

sonde_status pattern_positions(const struct pattern_sample *sample, const int64_t *atoms, int count,
			       double *positions)
{
	if (pattern_is_resident(sample))
		return pattern_resident_pick(sample, atoms, count, positions);
	for (int n = 0; n < count; ++n)
		pattern_position(sample, atoms[n], positions + 3 * n);
	return SONDE_OK;
}

/* Extents --------------------------------------------------------------------------------------------------------
 *
 * The atoms of a copy are within a ball around its center: only copies whose ball goes beyond the extents that are known already are
 * looked at atom by atom, after the outermost ones. */

struct search {
	const struct pattern_sample *sample;
	const double *origin, (*directions)[3];
	int count;
	const struct pattern_copies_of *group;
	double center[3], radius;     /* of the structure */
	struct pattern_extents known; /* of earlier groups, and of the outermost copies */
	struct pattern_extents parts[PARTS];
};

static void include_low(struct pattern_extents *extents, int d, double t, int64_t atom)
{
	if (t < extents->low[d]) {
		extents->low[d] = t;
		extents->lowest[d] = atom;
	}
}

static void include_high(struct pattern_extents *extents, int d, double t, int64_t atom)
{
	if (t > extents->high[d]) {
		extents->high[d] = t;
		extents->highest[d] = atom;
	}
}

static void include(struct pattern_extents *extents, int d, double t, int64_t atom)
{
	include_low(extents, d, t, atom);
	include_high(extents, d, t, atom);
}

static void begin_extents(struct pattern_extents *extents)
{
	for (int d = 0; d < PATTERN_MOST_DIRECTIONS; ++d) {
		extents->low[d] = INFINITY;
		extents->high[d] = -INFINITY;
		extents->lowest[d] = extents->highest[d] = 0;
	}
}

static double along(const struct search *search, int d, const double r[3])
{
	const double *o = search->origin, apart[3] = {r[0] - o[0], r[1] - o[1], r[2] - o[2]};

	return vector_dot(search->directions[d], apart);
}

/* The atoms of a copy along a direction. */
static void include_copy(const struct search *search, int64_t copy, int d, struct pattern_extents *extents)
{
	const struct pattern_copies_of *group = search->group;
	const struct placement *placement = &search->sample->copies.placements[group->first_copy + copy];

	for (int64_t i = 0; i < group->atoms; ++i) {
		double r[3];
		placement_apply(placement, search->sample->view.positions + 3 * (group->first + i), r);
		include(extents, d, along(search, d, r), group->begins + copy * group->atoms + i);
	}
}

static double center_along(const struct search *search, int64_t copy, int d)
{
	double r[3];

	placement_apply(&search->sample->copies.placements[search->group->first_copy + copy], search->center, r);
	return along(search, d, r);
}

/* The copies with the outermost centers, whose atoms leave few others to look at. */
static void include_outermost(const struct search *search, struct pattern_extents *extents)
{
	for (int d = 0; d < search->count; ++d) {
		int64_t lowest = 0, highest = 0;
		double low = INFINITY, high = -INFINITY;
		for (int64_t copy = 0; copy < search->group->copies; ++copy) {
			const double t = center_along(search, copy, d);
			lowest = t < low ? copy : lowest;
			low = fmin(low, t);
			highest = t > high ? copy : highest;
			high = fmax(high, t);
		}
		include_copy(search, lowest, d, extents);
		include_copy(search, highest, d, extents);
	}
}

static void search_copies(const struct search *search, int64_t first, int64_t end, int d,
			  struct pattern_extents *extents)
{
	const double *e = search->directions[d], reach = search->radius * sqrt(vector_dot(e, e));

	for (int64_t copy = first; copy < end; ++copy) {
		const double t = center_along(search, copy, d);
		if (t - reach < extents->low[d] || t + reach > extents->high[d])
			include_copy(search, copy, d, extents);
	}
}

static void search_some(void *state, int64_t first, int64_t end, int worker)
{
	struct search *search = state;
	const int64_t all = search->group->copies;

	(void)worker;
	for (int64_t part = first; part < end; ++part) {
		/* not in the array, whose lines of the cache other threads write, too */
		struct pattern_extents found = search->known;
		const int64_t begin = all * part / PARTS, stop = all * (part + 1) / PARTS;
		for (int d = 0; d < search->count; ++d)
			search_copies(search, begin, stop, d, &found);
		search->parts[part] = found;
	}
}

/* The ball around a structure, about the mean of its positions, with room for rounding. */
static void find_ball(struct search *search)
{
	const struct pattern_copies_of *group = search->group;
	const double *positions = search->sample->view.positions + 3 * group->first;
	double square = 0.0;

	for (int k = 0; k < 3; ++k) {
		search->center[k] = 0.0;
		for (int64_t i = 0; i < group->atoms; ++i)
			search->center[k] += positions[3 * i + k] / (double)group->atoms;
	}
	for (int64_t i = 0; i < group->atoms; ++i) {
		const double x = positions[3 * i] - search->center[0], y = positions[3 * i + 1] - search->center[1],
			     z = positions[3 * i + 2] - search->center[2];
		square = fmax(square, x * x + y * y + z * z);
	}
	search->radius = sqrt(square) * (1.0 + 1e-9) + 1e-6;
}

static void add_parts(const struct search *search, struct pattern_extents *extents)
{
	for (int part = 0; part < PARTS; ++part)
		for (int d = 0; d < search->count; ++d) {
			const struct pattern_extents *found = &search->parts[part];
			include_low(extents, d, found->low[d], found->lowest[d]);
			include_high(extents, d, found->high[d], found->highest[d]);
		}
}

/* Of the atoms of the view: each direction by a thread. */
struct searching {
	const struct pattern_sample *sample;
	const double *origin, (*directions)[3];
	struct pattern_extents *extents;
};

static void search_directions(void *state, int64_t first, int64_t end, int worker)
{
	const struct searching *searching = state;
	const struct pattern_sample *sample = searching->sample;

	(void)worker;
	for (int64_t d = first; d < end; ++d) {
		struct outermost lowest, highest;
		atom_boxes_search(&sample->boxes, sample->view.positions, sample->view.count, searching->origin,
				  searching->directions[d], &lowest, &highest);
		include_low(searching->extents, (int)d, lowest.t, lowest.atom);
		include_high(searching->extents, (int)d, highest.t, highest.atom);
	}
}

sonde_status pattern_find_extents(const struct pattern_sample *sample, int threads, const double origin[3],
				  const double (*directions)[3], int count, struct pattern_extents *extents)
{
	struct search *search;

	begin_extents(extents);
	if (pattern_is_resident(sample))
		return pattern_resident_extents(sample, origin, directions, count, extents);
	if (sample->copies.count == 0) {
		struct searching searching = {sample, origin, directions, extents};
		threads_for(threads, count, 1, search_directions, &searching);
		return SONDE_OK;
	}
	CHECK(memory_allocate(&search, 1, sizeof *search, "the extents of the sample"));
	search->sample = sample;
	search->origin = origin;
	search->directions = directions;
	search->count = count;
	for (int g = 0; g < sample->copies.count; ++g) {
		search->group = &sample->copies.groups[g];
		search->known = *extents;
		find_ball(search);
		include_outermost(search, &search->known);
		threads_for(threads, PARTS, 1, search_some, search);
		add_parts(search, extents);
	}
	free(search);
	return SONDE_OK;
}
