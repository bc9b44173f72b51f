#include "matter/atoms/joint_sites.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "matter/atoms/atoms.h"

#define MOST_OF_A_GROUP 5000 /* atoms of one residue */

static int compare_cells(const int32_t *a, const int32_t *b)
{
	for (int k = 0; k < 3; ++k)
		if (a[k] != b[k])
			return a[k] < b[k] ? -1 : 1;
	return 0;
}

static int compare_near(const void *a, const void *b)
{
	const struct joint_site *p = a, *q = b;
	int order = compare_cells(p->cell, q->cell);

	return order != 0 ? order : p->atom < q->atom ? -1 : p->atom > q->atom;
}

double joint_sites_distance(const struct joint_site *a, const struct joint_site *b)
{
	double x = a->r[0] - b->r[0], y = a->r[1] - b->r[1], z = a->r[2] - b->r[2];

	return sqrt(x * x + y * y + z * z);
}

/* Number of the residue; 0: an atom with a single location. */
static uint32_t group_of(const struct joint_site *site)
{
	return site->location / LOCATION_LETTERS;
}

static int compare_groups(const void *a, const void *b)
{
	const struct joint_site *p = a, *q = b;

	if (group_of(p) != group_of(q))
		return group_of(p) < group_of(q) ? -1 : 1;
	return p->atom < q->atom ? -1 : p->atom > q->atom;
}

/* What is done with pairs. */
struct pairs {
	joint_pair_body *body;
	void *user;
};

/* Two sites closer than JOINT_EXCLUSIVE that may belong to one atom. */
static sonde_status exclude(const struct pairs *pairs, const struct joint_site *a, const struct joint_site *b)
{
	if (a->occupancy + b->occupancy > JOINT_FULL || (group_of(a) != 0 && group_of(a) == group_of(b)) ||
	    (a->image && b->image) || joint_sites_distance(a, b) >= JOINT_EXCLUSIVE)
		return SONDE_OK;
	return pairs->body(pairs->user, a, b, 0.0);
}

/* The first of `count` sorted sites that is not before a cell. */
static size_t lower_bound(const struct joint_site *sites, size_t count, const int32_t cell[3])
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (compare_cells(sites[middle].cell, cell) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Pairs of a site and later ones: in its own cell and the next one along z, and in rows of three cells for half of
 * the rows around it. */
static sonde_status exclude_near(const struct pairs *pairs, const struct joint_site *sites, size_t count)
{
	static const int32_t rows[4][2] = {{0, 1}, {1, -1}, {1, 0}, {1, 1}};

	for (size_t i = 0; i < count; ++i) {
		const int32_t *c = sites[i].cell;
		const int32_t last[3] = {c[0], c[1], c[2] + 1};
		for (size_t j = i + 1; j < count && compare_cells(sites[j].cell, last) <= 0; ++j)
			CHECK(exclude(pairs, &sites[i], &sites[j]));
		for (int row = 0; row < 4; ++row) {
			const int32_t from[3] = {c[0] + rows[row][0], c[1] + rows[row][1], c[2] - 1};
			const int32_t to[3] = {from[0], from[1], c[2] + 1};
			for (size_t j = lower_bound(sites, count, from);
			     j < count && compare_cells(sites[j].cell, to) <= 0; ++j)
				CHECK(exclude(pairs, &sites[i], &sites[j]));
		}
	}
	return SONDE_OK;
}

/* Atoms of a residue with several locations. Sites are sorted by groups. */
static sonde_status join_groups(const struct pairs *pairs, const struct joint_site *sites, size_t count)
{
	for (size_t i = 0; i < count; ++i) {
		for (size_t j = i + 1;
		     j < count && group_of(&sites[j]) == group_of(&sites[i]) && group_of(&sites[i]) != 0; ++j) {
			if (j - i > MOST_OF_A_GROUP)
				return status_fail(SONDE_INVALID,
						   "more than %d atoms of one residue have several locations",
						   MOST_OF_A_GROUP);
			const bool same = sites[i].location == sites[j].location;
			CHECK(pairs->body(pairs->user, &sites[i], &sites[j],
					  same ? fmin(sites[i].occupancy, sites[j].occupancy) : 0.0));
		}
	}
	return SONDE_OK;
}

/* At most one letter of a residue is present: the largest occupancies of the letters must not add up to more than
 * 1. Sites are sorted by groups. */
static void count_overfull(const struct joint_site *sites, size_t count, int64_t *overfull, double *fullest)
{
	for (size_t first = 0, end; first < count; first = end) {
		double largest[LOCATION_LETTERS] = {0.0}, together = 0.0;
		for (end = first; end < count && group_of(&sites[end]) == group_of(&sites[first]); ++end) {
			double *letter = &largest[sites[end].location % LOCATION_LETTERS];
			*letter = fmax(*letter, sites[end].occupancy);
		}
		for (int k = 0; k < LOCATION_LETTERS; ++k)
			together += largest[k];
		if (group_of(&sites[first]) == 0 || together <= JOINT_FULL)
			continue;
		++*overfull;
		*fullest = fmax(*fullest, together);
	}
}

sonde_status joint_sites_add(struct joint_sites *list, struct joint_site site)
{
	for (int k = 0; k < 3; ++k)
		site.cell[k] = (int32_t)floor(site.r[k] / JOINT_EXCLUSIVE);
	if (list->count == list->capacity)
		CHECK(memory_grow(&list->sites, &list->capacity, list->count + 1, sizeof *list->sites,
				  "pairs of sites"));
	list->sites[list->count++] = site;
	return SONDE_OK;
}

sonde_status joint_sites_of_residues(struct joint_sites *list, joint_pair_body *body, void *user, int64_t *overfull,
				     double *fullest)
{
	const struct pairs pairs = {body, user};

	*overfull = 0;
	if (list->count == 0)
		return SONDE_OK;
	qsort(list->sites, list->count, sizeof *list->sites, compare_groups);
	count_overfull(list->sites, list->count, overfull, fullest);
	return join_groups(&pairs, list->sites, list->count);
}

sonde_status joint_sites_near(struct joint_sites *list, joint_pair_body *body, void *user)
{
	const struct pairs pairs = {body, user};

	if (list->count == 0)
		return SONDE_OK;
	qsort(list->sites, list->count, sizeof *list->sites, compare_near);
	return exclude_near(&pairs, list->sites, list->count);
}
