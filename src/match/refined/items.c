#include "match/refined/items.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "match/self_scattering.h"
#include "match/size_distribution.h"

#define LEAST_SIZES 3

sonde_status refined_items_begin(struct common *common, struct refined_items *items)
{
	*items = (struct refined_items){.common = common};
	for (int d = 0; d < common->set_count; ++d) {
		const struct candidates *candidates = &common->sets[d].candidates;
		items->rows += common->sets[d].measured.count;
		for (size_t k = 0; k < candidates->source_count; ++k)
			if (candidates->sources[k].points > items->room_points)
				items->room_points = candidates->sources[k].points;
	}
	return memory_allocate(&items->room, 2 * (size_t)items->room_points, sizeof(double), "curves");
}

static void free_item(struct refined_item *item, int sets)
{
	for (int64_t m = 0; m < item->member_count; ++m) {
		for (int d = 0; item->members[m].curves != NULL && d < sets; ++d)
			undeformed_free(&item->members[m].curves[d]);
		free(item->members[m].curves);
	}
	free(item->members);
	free(item->family);
	free(item->sizes);
	free(item->rows);
	free(item->deformations);
}

void refined_items_free(struct refined_items *items)
{
	for (int k = 0; k < items->count; ++k)
		free_item(&items->items[k], items->common->set_count);
	free(items->items);
	free(items->room);
	*items = (struct refined_items){0};
}

/* Room of its own for what changes from fit to fit. */
static sonde_status copy_item(const struct refined_items *items, const struct refined_item *from,
			      struct refined_item *item)
{
	const size_t members = (size_t)from->member_count;

	*item = *from;
	item->sizes = item->atoms = item->parts = item->rows = NULL;
	item->deformations = NULL;
	item->ready = false;
	CHECK(memory_allocate(&item->deformations, (size_t)items->common->set_count, sizeof *item->deformations,
			      "curves"));
	CHECK(memory_allocate(&item->rows, members * (size_t)items->rows, sizeof(double), "curves"));
	if (from->sizes == NULL)
		return SONDE_OK;
	CHECK(memory_allocate(&item->sizes, 3 * members, sizeof(double), "sizes"));
	memcpy(item->sizes, from->sizes, 3 * members * sizeof(double));
	item->atoms = item->sizes + members;
	item->parts = item->atoms + members;
	return SONDE_OK;
}

sonde_status refined_items_copy(const struct refined_items *items, struct common *common, struct refined_items *copy)
{
	*copy = (struct refined_items){.common = common, .rows = items->rows, .room_points = items->room_points};
	CHECK(memory_allocate(&copy->room, 2 * (size_t)items->room_points, sizeof(double), "curves"));
	CHECK(memory_allocate(&copy->items, (size_t)items->count, sizeof *copy->items, "candidates"));
	for (int k = 0; k < items->count; ++k) {
		++copy->count;
		CHECK(copy_item(items, &items->items[k], &copy->items[k]));
	}
	return SONDE_OK;
}

void refined_items_free_copy(struct refined_items *copy)
{
	for (int k = 0; k < copy->count; ++k) {
		free(copy->items[k].sizes);
		free(copy->items[k].rows);
		free(copy->items[k].deformations);
	}
	free(copy->items);
	free(copy->room);
	*copy = (struct refined_items){0};
}

static sonde_status add_item(struct refined_items *items, struct refined_item **item)
{
	CHECK(memory_grow(&items->items, &items->capacity, (size_t)items->count + 1, sizeof *items->items,
			  "candidates"));
	*item = &items->items[items->count++];
	**item = (struct refined_item){.candidate = -1};
	return SONDE_OK;
}

static sonde_status add_member(struct refined_item *item, int64_t candidate, double size, double atoms)
{
	size_t capacity = (size_t)item->capacity;

	CHECK(memory_grow(&item->members, &capacity, (size_t)item->member_count + 1, sizeof *item->members,
			  "candidates"));
	item->capacity = (int64_t)capacity;
	item->members[item->member_count++] =
	    (struct refined_member){.candidate = candidate, .size = size, .atoms = atoms};
	return SONDE_OK;
}

sonde_status refined_items_add(struct refined_items *items, int64_t candidate)
{
	struct refined_item *item;

	CHECK(add_item(items, &item));
	item->candidate = candidate;
	return add_member(item, candidate, NAN, 1.0);
}

/* Families -------------------------------------------------------------------------------------------------------------------- */

static struct refined_item *find_family(struct refined_items *items, const char *name)
{
	for (int k = 0; k < items->count; ++k)
		if (strcmp(items->items[k].family, name) == 0)
			return &items->items[k];
	return NULL;
}

static sonde_status add_family(struct refined_items *items, const char *name, struct refined_item **item)
{
	CHECK(add_item(items, item));
	return memory_copy_text(name, &(*item)->family, "a family");
}

static sonde_status name_families(const char *names, struct refined_items *items)
{
	struct refined_item *item;
	char *list, *rest;

	CHECK(memory_copy_text(names, &list, "text"));
	sonde_status status = SONDE_OK;
	for (char *name = strtok_r(list, ",", &rest); name != NULL && status == SONDE_OK;
	     name = strtok_r(NULL, ",", &rest)) {
		name += strspn(name, " ");
		status = find_family(items, name) == NULL
			     ? add_family(items, name, &item)
			     : status_fail_option(SONDE_INVALID, "sizes", "names '%.60s' twice", name);
	}
	free(list);
	return status;
}

static int compare_sizes(const void *a, const void *b)
{
	const struct refined_member *p = a, *q = b;

	return p->size != q->size ? (p->size > q->size) - (p->size < q->size)
				  : (p->candidate > q->candidate) - (p->candidate < q->candidate);
}

/* Members in the order of their sizes, which must differ. */
static sonde_status order_family(struct refined_item *item)
{
	const size_t count = (size_t)item->member_count;

	if (item->member_count < LEAST_SIZES)
		return status_fail_option(SONDE_INVALID, "sizes",
					  "the family '%.60s' has %lld candidates with a size, and a distribution "
					  "needs %d or more",
					  item->family, (long long)item->member_count, LEAST_SIZES);
	qsort(item->members, count, sizeof *item->members, compare_sizes);
	for (size_t m = 1; m < count; ++m)
		if (!(item->members[m].size > item->members[m - 1].size))
			return status_fail_option(SONDE_INVALID, "sizes",
						  "the family '%.60s' has two candidates of size %g Angstrom",
						  item->family, item->members[m].size);
	CHECK(memory_allocate(&item->sizes, 3 * count, sizeof(double), "sizes"));
	item->atoms = item->sizes + count;
	item->parts = item->atoms + count;
	for (size_t m = 0; m < count; ++m) {
		item->sizes[m] = item->members[m].size;
		item->atoms[m] = item->members[m].atoms;
	}
	return SONDE_OK;
}

/* A candidate of a family that is wanted joins it. */
static sonde_status sort_candidate(struct refined_items *items, bool all, int64_t candidate,
				   const struct library_entry *entry, bool *member_of)
{
	struct refined_item *item = find_family(items, entry->family);

	if (!(entry->size > 0.0) || entry->atoms == 0)
		return SONDE_OK;
	if (item == NULL && all && entry->family[0] != '\0')
		CHECK(add_family(items, entry->family, &item));
	if (item == NULL)
		return SONDE_OK;
	member_of[candidate] = true;
	return add_member(item, candidate, entry->size, (double)entry->atoms);
}

/* With `all`, families of fewer sizes are none. */
static void drop_small(struct refined_items *items, bool *member_of)
{
	int kept = 0;

	for (int k = 0; k < items->count; ++k) {
		if (items->items[k].member_count >= LEAST_SIZES) {
			items->items[kept++] = items->items[k];
			continue;
		}
		for (int64_t m = 0; m < items->items[k].member_count; ++m)
			member_of[items->items[k].members[m].candidate] = false;
		free_item(&items->items[k], items->common->set_count);
	}
	items->count = kept;
}

sonde_status refined_items_add_families(const char *names, struct refined_items *items, bool *member_of)
{
	const struct common *common = items->common;
	const bool all = strcmp(names, "all") == 0;

	if (names[0] == '\0')
		return SONDE_OK;
	if (!all)
		CHECK(name_families(names, items));
	for (int64_t j = 0; j < common->count; ++j) {
		struct library_entry entry;
		CHECK(candidates_entry(&common->sets[0].candidates, common_number(common, 0, j), &entry));
		const sonde_status status = sort_candidate(items, all, j, &entry, member_of);
		library_entry_free(&entry);
		CHECK(status);
	}
	if (all)
		drop_small(items, member_of);
	if (items->count == 0)
		return status_fail_option(SONDE_INVALID, "sizes",
					  "no family of the candidates has %d different sizes", LEAST_SIZES);
	for (int k = 0; k < items->count; ++k)
		CHECK(order_family(&items->items[k]));
	return SONDE_OK;
}

/* Curves ---------------------------------------------------------------------------------------------------------------------- */

static sonde_status load_curve(struct data_set *set, int64_t number, struct undeformed *curve)
{
	struct candidate_source *source = candidates_source(&set->candidates, number);
	double *self = NULL;
	float *row;

	CHECK(memory_allocate(&row, (size_t)source->points, sizeof *row, "a curve"));
	sonde_status status = candidates_read(source, set->candidates.curve, number - source->first, 1, row);
	if (status == SONDE_OK && set->candidates.curve == LIBRARY_I_PER_ATOM)
		status = self_scattering_find(&set->candidates, number, &self);
	if (status == SONDE_OK)
		status = undeformed_make(set->candidates.curve, source->axis, source->points, row, self, curve);
	free(row);
	return status;
}

sonde_status refined_item_load(struct refined_items *items, int number)
{
	struct refined_item *item = &items->items[number];
	const struct common *common = items->common;
	const size_t sets = (size_t)common->set_count;

	if (item->rows != NULL)
		return SONDE_OK;
	for (int64_t m = 0; m < item->member_count; ++m) {
		struct refined_member *member = &item->members[m];
		CHECK(memory_allocate(&member->curves, sets, sizeof *member->curves, "curves"));
		for (int d = 0; d < common->set_count; ++d)
			CHECK(load_curve(&common->sets[d], common_number(common, d, member->candidate),
					 &member->curves[d]));
	}
	CHECK(memory_allocate(&item->deformations, sets, sizeof *item->deformations, "curves"));
	return memory_allocate(&item->rows, (size_t)(item->member_count * items->rows), sizeof(double), "curves");
}

static bool equal(const struct deformation *a, const struct deformation *b)
{
	return a->strain == b->strain && a->b == b->b && a->qdamp_2 == b->qdamp_2 && a->qbroad_2 == b->qbroad_2;
}

/* Curves of the members of a set, where they are not at hand. */
static void deform_set(struct refined_items *items, struct refined_item *item, int d, int64_t begin,
		       const struct deformation *deformation)
{
	struct data_set *set = &items->common->sets[d];
	double *curve = items->room + items->room_points;

	if (item->ready && equal(&item->deformations[d], deformation))
		return;
	for (int64_t m = 0; m < item->member_count; ++m) {
		const int64_t number = common_number(items->common, d, item->members[m].candidate);
		const struct candidate_source *source = candidates_source(&set->candidates, number);
		deform(&item->members[m].curves[d], deformation, items->room, curve);
		data_set_resample_reals(set, (size_t)(source - set->candidates.sources), curve,
					item->rows + m * items->rows + begin);
	}
	item->deformations[d] = *deformation;
}

void refined_item_curve(struct refined_items *items, int number, const struct deformation *deformations, double mean,
			double width, double *raw)
{
	struct refined_item *item = &items->items[number];
	int64_t begin = 0;

	for (int d = 0; d < items->common->set_count; ++d) {
		deform_set(items, item, d, begin, &deformations[d]);
		begin += items->common->sets[d].measured.count;
	}
	item->ready = true;
	if (item->family == NULL) {
		memcpy(raw, item->rows, (size_t)items->rows * sizeof *raw);
		return;
	}
	item->left_out =
	    size_distribution_parts(mean, width, item->sizes, item->atoms, item->member_count, item->parts);
	memset(raw, 0, (size_t)items->rows * sizeof *raw);
	for (int64_t m = 0; m < item->member_count; ++m)
		for (int64_t k = 0; item->parts[m] > 0.0 && k < items->rows; ++k)
			raw[k] += item->parts[m] * item->rows[m * items->rows + k];
}
