/* Partners of tiles by a tree of boxes. The tiles of a species are in the order in which they were cut, so that a range
 * of numbers halved again and again is a tree of compact boxes, and nothing has to be sorted. */
#include "debye/sums/images.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "debye/kernels/ring_layout.h"

#define PARTNERS_OF_TASK 128u /* at most: some 10^5 pairs of atoms */
#define MARGIN 1e-6           /* Angstrom: for the rounding of boxes */
#define QUADS_OF_PART 4
#define MOST_THREADS 64

struct images {
	const struct periodic *periodic;
	const struct arranged_atoms *atoms;
	const struct box *boxes;
	struct box *nodes; /* of all species; a species with n tiles has 2n - 1 */
	uint32_t *first_node;
	size_t count;
	double (*vectors)[3];
	bool *ahead; /* the first number that is not 0 is positive: one of two opposite images */
};

/* The middle of a range of tiles, where they were cut into groups. */
static uint32_t middle_of(uint32_t first, uint32_t end)
{
	const uint32_t count = end - first, quads = (count + QUAD - 1) / QUAD;

	return first + (quads > 1 ? quads / 2 * QUAD : count / 2);
}

/* The node of the upper half: those of the lower half come first. */
static uint32_t upper_node(uint32_t node, uint32_t first, uint32_t middle)
{
	return node + 2 * (middle - first);
}

static void join_boxes(const struct box *a, const struct box *b, struct box *joined)
{
	for (int k = 0; k < 3; ++k) {
		joined->low[k] = fmin(a->low[k], b->low[k]);
		joined->high[k] = fmax(a->high[k], b->high[k]);
	}
}

/* The nodes of the tiles `first` to `end` - 1, the first of them at `node`. */
static void fill_nodes(struct images *images, uint32_t node, uint32_t first, uint32_t end)
{
	if (end - first == 1) {
		images->nodes[node] = images->boxes[first];
		return;
	}
	const uint32_t middle = middle_of(first, end), upper = upper_node(node, first, middle);
	fill_nodes(images, node + 1, first, middle);
	fill_nodes(images, upper, middle, end);
	join_boxes(&images->nodes[node + 1], &images->nodes[upper], &images->nodes[node]);
}

static sonde_status make_nodes(struct images *images)
{
	const struct arranged_atoms *atoms = images->atoms;
	int species = 0;

	while (atoms->species_first_tile[species] < atoms->tile_count)
		++species;
	CHECK(memory_allocate(&images->nodes, 2 * (size_t)atoms->tile_count, sizeof *images->nodes, "the tiles"));
	CHECK(memory_allocate(&images->first_node, (size_t)species + 1, sizeof *images->first_node, "the tiles"));
	for (int s = 0; s < species; ++s) {
		const uint32_t first = atoms->species_first_tile[s], end = atoms->species_first_tile[s + 1];
		images->first_node[s] = 2 * first;
		if (end > first)
			fill_nodes(images, 2 * first, first, end);
	}
	return SONDE_OK;
}

/* Square of the distance of two boxes, the first one moved back by a vector. */
static double square_of_gap(const struct box *a, const double vector[3], const struct box *b)
{
	double square = 0.0;

	for (int k = 0; k < 3; ++k) {
		const double below = a->low[k] - vector[k] - b->high[k], above = b->low[k] - a->high[k] + vector[k];
		const double gap = below > above ? below : above; /* not fmax(), which is a call */
		square += gap > 0.0 ? gap * gap : 0.0;
	}
	return square;
}

static double limit_of(const struct periodic *periodic)
{
	return (periodic->cutoff + MARGIN) * (periodic->cutoff + MARGIN);
}

/* Cell 0 first. */
static sonde_status list_images(struct images *images)
{
	struct box all = images->boxes[0];
	int most[3], n[3];
	size_t capacity = 0, flags = 0;

	for (uint32_t t = 1; t < images->atoms->tile_count; ++t)
		join_boxes(&all, &images->boxes[t], &all);
	periodic_images(images->periodic, most);
	CHECK(memory_grow(&images->vectors, &capacity, 1, sizeof *images->vectors, "the images"));
	CHECK(memory_grow(&images->ahead, &flags, 1, sizeof *images->ahead, "the images"));
	images->count = 1;
	memset(images->vectors, 0, sizeof *images->vectors);
	images->ahead[0] = false;
	for (n[0] = -most[0]; n[0] <= most[0]; ++n[0])
		for (n[1] = -most[1]; n[1] <= most[1]; ++n[1])
			for (n[2] = -most[2]; n[2] <= most[2]; ++n[2]) {
				double vector[3];
				periodic_vector(images->periodic, n, vector);
				if ((n[0] == 0 && n[1] == 0 && n[2] == 0) ||
				    square_of_gap(&all, vector, &all) > limit_of(images->periodic))
					continue;
				CHECK(memory_grow(&images->vectors, &capacity, images->count + 1,
						  sizeof *images->vectors, "the images"));
				CHECK(memory_grow(&images->ahead, &flags, images->count + 1, sizeof *images->ahead,
						  "the images"));
				memcpy(images->vectors[images->count], vector, sizeof vector);
				images->ahead[images->count++] = n[0] != 0   ? n[0] > 0
								 : n[1] != 0 ? n[1] > 0
									     : n[2] > 0;
			}
	return SONDE_OK;
}

sonde_status images_create(const struct periodic *periodic, const struct arranged_atoms *atoms,
			   const struct box *boxes, struct images **created)
{
	struct images *images;

	*created = NULL;
	CHECK(memory_allocate(&images, 1, sizeof *images, "the images"));
	*images = (struct images){.periodic = periodic, .atoms = atoms, .boxes = boxes};
	sonde_status status = make_nodes(images);
	if (status == SONDE_OK)
		status = list_images(images);
	*created = images;
	if (status != SONDE_OK)
		images_free(created);
	return status;
}

void images_free(struct images **freed)
{
	struct images *images = *freed;

	if (images == NULL)
		return;
	free(images->nodes);
	free(images->first_node);
	free(images->vectors);
	free(images->ahead);
	free(images);
	*freed = NULL;
}

size_t images_count(const struct images *images)
{
	return images->count;
}

const double (*images_vectors(const struct images *images))[3]
{
	return (const double(*)[3])images->vectors;
}

void image_list_free(struct image_list *list)
{
	for (int k = 0; list->parts != NULL && k < MOST_THREADS; ++k)
		image_list_free(&list->parts[k]);
	free(list->parts);
	free(list->tasks);
	free(list->partners);
	*list = (struct image_list){0};
}

/* The search for partners of one unit of tiles. */
struct unit_search {
	const struct images *images;
	const struct image_search *search;
	struct box box;
	uint32_t quad_first, quad_end; /* tiles of its group */
	size_t image;
	uint32_t from; /* tiles before are not partners for this image */
	struct image_list *list;
};

static uint32_t center_bin(const struct unit_search *unit, const double vector[3], const struct box *box)
{
	double square = 0.0;

	for (int k = 0; k < 3; ++k) {
		const double d =
		    0.5 * (box->low[k] + box->high[k] - unit->box.low[k] - unit->box.high[k]) + vector[k];
		square += d * d;
	}
	return (uint32_t)(sqrt(square) * unit->search->per_angstrom);
}

static sonde_status add_partner(struct unit_search *unit, uint32_t tile)
{
	const struct images *images = unit->images;
	struct image_list *list = unit->list;
	const bool near = unit->search->species_a == unit->search->species_b && unit->image == 0 &&
			  tile >= unit->quad_first && tile < unit->quad_end;

	if (list->partner_count == list->partner_capacity)
		CHECK(memory_grow(&list->partners, &list->partner_capacity, list->partner_count + 1,
				  sizeof *list->partners, "pairs of tiles"));
	list->partners[list->partner_count++] =
	    (struct image_partner){tile, (uint32_t)unit->image | (near ? PARTNER_NEAR : 0u),
				   center_bin(unit, images->vectors[unit->image], &images->boxes[tile])};
	return SONDE_OK;
}

/* The partners among the tiles `first` to `end` - 1 of a node. */
static sonde_status search_node(struct unit_search *unit, uint32_t node, uint32_t first, uint32_t end)
{
	const struct images *images = unit->images;

	if (end <= unit->from || square_of_gap(&unit->box, images->vectors[unit->image], &images->nodes[node]) >
				     limit_of(images->periodic))
		return SONDE_OK;
	if (end - first == 1)
		return add_partner(unit, first);
	const uint32_t middle = middle_of(first, end);
	CHECK(search_node(unit, node + 1, first, middle));
	return search_node(unit, upper_node(node, first, middle), middle, end);
}

static int compare_partners(const void *a, const void *b)
{
	const struct image_partner *p = a, *q = b;

	return p->bin < q->bin ? -1 : p->bin > q->bin;
}

/* Adds tasks for the partners from number `first` on. */
static sonde_status add_tasks(const struct unit_search *unit, uint32_t tile, uint32_t tile_end, size_t first)
{
	struct image_list *list = unit->list;

	if (unit->search->sorted)
		qsort(list->partners + first, list->partner_count - first, sizeof *list->partners, compare_partners);
	for (; first < list->partner_count; first += PARTNERS_OF_TASK) {
		const size_t left = list->partner_count - first;
		const uint32_t count = left < PARTNERS_OF_TASK ? (uint32_t)left : PARTNERS_OF_TASK;
		CHECK(memory_grow(&list->tasks, &list->task_capacity, list->task_count + 1, sizeof *list->tasks,
				  "pairs of tiles"));
		list->tasks[list->task_count++] =
		    (struct image_task){tile, tile_end, (uint32_t)first, (uint32_t)first + count};
	}
	return SONDE_OK;
}

/* For one species, the pairs of atoms in two groups are those of the first with all images of the second; in one group,
 * those of the cell itself, each once, and all pairs with one of two opposite images, an atom and its own image
 * included. */
static sonde_status search_unit(struct unit_search *unit, uint32_t tile, uint32_t tile_end)
{
	const struct images *images = unit->images;
	const uint32_t *first_tile = images->atoms->species_first_tile;
	const int b = unit->search->species_b;
	const bool like = unit->search->species_a == b;
	const size_t first = unit->list->partner_count;

	unit->box = images->boxes[tile];
	for (uint32_t t = tile + 1; t < tile_end; ++t)
		join_boxes(&unit->box, &images->boxes[t], &unit->box);
	for (unit->image = 0; unit->image < images->count; ++unit->image) {
		unit->from = !like                        ? first_tile[b]
			     : unit->image == 0           ? tile
			     : images->ahead[unit->image] ? unit->quad_first
							  : unit->quad_end;
		CHECK(search_node(unit, images->first_node[b], first_tile[b], first_tile[b + 1]));
	}
	return add_tasks(unit, tile, tile_end, first);
}

/* What was found for some adjacent quads: a stretch of the list of the thread that took them. Which one that is differs from run to run. */
struct stretch {
	int worker;
	size_t first_task, end_task, first_partner, end_partner;
};

/* The lists of the threads. */
struct parts {
	const struct images *images;
	const struct image_search *search;
	struct image_list *lists;
	struct stretch *stretches; /* of QUADS_OF_PART quads each, in their order */
	sonde_status *status;
};

static void search_quads(void *state, int64_t first, int64_t end, int worker)
{
	const struct parts *parts = state;
	const struct image_search *search = parts->search;
	const uint32_t *first_tile = parts->images->atoms->species_first_tile + search->species_a;
	struct image_list *list = &parts->lists[worker];
	struct unit_search unit = {.images = parts->images, .search = search, .list = list};
	struct stretch *stretch = &parts->stretches[first / QUADS_OF_PART];

	*stretch =
	    (struct stretch){.worker = worker, .first_task = list->task_count, .first_partner = list->partner_count};
	for (int64_t q = first; q < end && parts->status[worker] == SONDE_OK; ++q) {
		unit.quad_first = first_tile[0] + (search->first + (uint32_t)q) * QUAD;
		unit.quad_end = first_tile[1] - unit.quad_first < QUAD ? first_tile[1] : unit.quad_first + QUAD;
		for (uint32_t t = unit.quad_first; t < unit.quad_end && parts->status[worker] == SONDE_OK;
		     t += search->unit)
			parts->status[worker] = search_unit(
			    &unit, t, unit.quad_end - t < search->unit ? unit.quad_end : t + search->unit);
	}
	stretch->end_task = list->task_count;
	stretch->end_partner = list->partner_count;
}

/* The stretches one after the other. */
struct joining {
	const struct parts *parts;
	struct image_list *list;
	size_t *first_task, *first_partner; /* of each stretch */
};

static void join_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct joining *joining = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		const struct stretch *stretch = &joining->parts->stretches[n];
		const struct image_list *part = &joining->parts->lists[stretch->worker];
		const uint32_t there = (uint32_t)joining->first_partner[n], here = (uint32_t)stretch->first_partner;
		struct image_task *tasks = joining->list->tasks + joining->first_task[n];
		if (stretch->end_partner > stretch->first_partner)
			memcpy(joining->list->partners + there, part->partners + here,
			       (stretch->end_partner - stretch->first_partner) * sizeof *part->partners);
		for (size_t k = stretch->first_task; k < stretch->end_task; ++k, ++tasks) {
			*tasks = part->tasks[k];
			tasks->first = tasks->first - here + there;
			tasks->end = tasks->end - here + there;
		}
	}
}

/* In the order of the quads, as sums over the list are made in its order. */
static sonde_status join_lists(const struct parts *parts, size_t count, size_t *starts, struct image_list *list)
{
	struct joining joining = {
	    .parts = parts, .list = list, .first_task = starts, .first_partner = starts + count};

	list->task_count = list->partner_count = 0;
	for (size_t n = 0; n < count; ++n) {
		const struct stretch *stretch = &parts->stretches[n];
		joining.first_task[n] = list->task_count;
		joining.first_partner[n] = list->partner_count;
		list->task_count += stretch->end_task - stretch->first_task;
		list->partner_count += stretch->end_partner - stretch->first_partner;
	}
	if (list->partner_count > UINT32_MAX)
		return status_fail(SONDE_RESOURCE, "more than 4e9 pairs of tiles");
	CHECK(memory_grow(&list->tasks, &list->task_capacity, list->task_count + 1, sizeof *list->tasks,
			  "pairs of tiles"));
	CHECK(memory_grow(&list->partners, &list->partner_capacity, list->partner_count + 1, sizeof *list->partners,
			  "pairs of tiles"));
	threads_for(parts->search->threads, (int64_t)count, 1, join_some, &joining);
	return SONDE_OK;
}

static sonde_status find_and_join(struct parts *parts, size_t count, struct image_list *list)
{
	const struct image_search *search = parts->search;
	const int threads = search->threads < MOST_THREADS ? search->threads : MOST_THREADS;
	size_t *starts;

	threads_for(threads, search->end - search->first, QUADS_OF_PART, search_quads, parts);
	for (int k = 0; k < threads; ++k)
		if (parts->status[k] != SONDE_OK)
			return status_fail(parts->status[k], "not enough memory for the list of pairs of tiles");
	CHECK(memory_allocate(&starts, 2 * count, sizeof *starts, "pairs of tiles"));
	const sonde_status status = join_lists(parts, count, starts, list);
	free(starts);
	return status;
}

sonde_status images_find(const struct images *images, const struct image_search *search, struct image_list *list)
{
	sonde_status states[MOST_THREADS] = {SONDE_OK};
	const size_t count = (search->end - search->first + QUADS_OF_PART - 1) / QUADS_OF_PART;
	struct stretch *stretches;

	list->task_count = list->partner_count = 0;
	if (count == 0)
		return SONDE_OK;
	if (list->parts == NULL)
		CHECK(memory_allocate(&list->parts, MOST_THREADS, sizeof *list->parts, "pairs of tiles"));
	for (int k = 0; k < MOST_THREADS; ++k)
		list->parts[k].task_count = list->parts[k].partner_count = 0;
	CHECK(memory_allocate(&stretches, count, sizeof *stretches, "pairs of tiles"));
	struct parts parts = {images, search, list->parts, stretches, states};
	const sonde_status status = find_and_join(&parts, count, list);
	free(stretches);
	return status;
}
