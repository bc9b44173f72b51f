/* Partly occupied sites: pairs whose occupations depend on each other.
 *
 * A site i is occupied with probability o_i. Averaged over the configurations of the sites, Debye's sum is
 *
 *     I(q) = sum_i o_i |f_i|^2 + sum_{i != j} p_ij Re(f_i f_j*) sin(q r_ij)/(q r_ij)
 *
 * with p_ij the probability that both are occupied: o_i o_j where sites are independent (B. E. Warren, X-ray
 * Diffraction (1969), ch. 12: in the self term <f^2> differs from <f>^2). The methods sum over the pairs of two
 * classes, as over those of two species; the few pairs with another p_ij are corrected afterward.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "debye/classes.h"
#include "device/kernel.h"
#include "device/kernel_math.h"

#define MOST_OF_A_GROUP 5000 /* atoms of one residue */

/* A partly occupied site and its cell of CLASSES_EXCLUSIVE Angstrom. */
struct near_site {
	int32_t cell[3];
	uint32_t group; /* of locations */
	int64_t atom;
	double r[3];
	bool image; /* in another cell of a periodic sample */
};

static double distance_of_sites(const struct near_site *a, const struct near_site *b)
{
	double x = a->r[0] - b->r[0], y = a->r[1] - b->r[1], z = a->r[2] - b->r[2];

	return sqrt(x * x + y * y + z * z);
}

/* Two sites that are both occupied with this probability; of a pair of two cells, which is found from either end,
 * `share` is a half. */
static sonde_status add_joint(struct debye_classes *classes, const struct near_site *site,
			      const struct near_site *other, double share, double probability)
{
	const int64_t i = site->atom, j = other->atom;
	const double r = distance_of_sites(site, other);
	int a = classes->view.species_of[i], b = classes->view.species_of[j];
	double apart = classes->occupancy[a] * classes->occupancy[b];
	double surplus = probability / apart - 1.0;

	if (fabs(surplus) < 1e-14)
		return SONDE_OK;
	CHECK(memory_grow(&classes->joint, &classes->joint_capacity, classes->joint_count + 1, sizeof *classes->joint,
			  "pairs of sites"));
	classes->joint[classes->joint_count++] =
	    (struct joint_pair){.pair = species_pair_index(classes->count, a < b ? a : b, a < b ? b : a),
				.r = r,
				.in_sine = r,
				.surplus = share * surplus,
				.d = {other->r[0] - site->r[0], other->r[1] - site->r[1], other->r[2] - site->r[2]},
				.i = i < j ? i : j,
				.j = i < j ? j : i};
	return SONDE_OK;
}

static int compare_cells(const int32_t *a, const int32_t *b)
{
	for (int k = 0; k < 3; ++k)
		if (a[k] != b[k])
			return a[k] < b[k] ? -1 : 1;
	return 0;
}

static int compare_near(const void *a, const void *b)
{
	const struct near_site *p = a, *q = b;
	int order = compare_cells(p->cell, q->cell);

	return order != 0 ? order : p->atom < q->atom ? -1 : p->atom > q->atom;
}

static int compare_groups(const void *a, const void *b)
{
	const struct near_site *p = a, *q = b;

	if (p->group != q->group)
		return p->group < q->group ? -1 : 1;
	return p->atom < q->atom ? -1 : p->atom > q->atom;
}

/* Two sites closer than CLASSES_EXCLUSIVE that may belong to one atom: never occupied together. */
static sonde_status exclude(struct debye_classes *classes, const struct near_site *a, const struct near_site *b)
{
	const uint16_t *of = classes->view.species_of;
	double sum = classes->occupancy[of[a->atom]] + classes->occupancy[of[b->atom]], r = distance_of_sites(a, b);

	if (sum > CLASSES_FULL || (a->group != 0 && a->group == b->group) || (a->image && b->image) ||
	    r >= CLASSES_EXCLUSIVE)
		return SONDE_OK;
	return add_joint(classes, a, b, a->image || b->image ? 0.5 : 1.0, 0.0);
}

/* The first of `count` sorted sites that is not before a cell. */
static size_t lower_bound(const struct near_site *sites, size_t count, const int32_t cell[3])
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
static sonde_status exclude_near(struct debye_classes *classes, const struct near_site *sites, size_t count)
{
	static const int32_t rows[4][2] = {{0, 1}, {1, -1}, {1, 0}, {1, 1}};

	for (size_t i = 0; i < count; ++i) {
		const int32_t *c = sites[i].cell;
		const int32_t last[3] = {c[0], c[1], c[2] + 1};
		for (size_t j = i + 1; j < count && compare_cells(sites[j].cell, last) <= 0; ++j)
			CHECK(exclude(classes, &sites[i], &sites[j]));
		for (int row = 0; row < 4; ++row) {
			const int32_t from[3] = {c[0] + rows[row][0], c[1] + rows[row][1], c[2] - 1};
			const int32_t to[3] = {from[0], from[1], c[2] + 1};
			for (size_t j = lower_bound(sites, count, from);
			     j < count && compare_cells(sites[j].cell, to) <= 0; ++j)
				CHECK(exclude(classes, &sites[i], &sites[j]));
		}
	}
	return SONDE_OK;
}

/* Atoms of a residue with several locations: those of one letter occur together, those of different letters never. */
static sonde_status join_groups(struct debye_classes *classes, const struct near_site *sites, size_t count)
{
	const uint16_t *of = classes->view.species_of;

	for (size_t i = 0; i < count; ++i) {
		for (size_t j = i + 1; j < count && sites[j].group == sites[i].group && sites[i].group != 0; ++j) {
			if (j - i > MOST_OF_A_GROUP)
				return status_fail(SONDE_INVALID,
						   "more than %d atoms of one residue have several locations",
						   MOST_OF_A_GROUP);
			bool same = classes->locations[sites[i].atom] == classes->locations[sites[j].atom];
			double a = classes->occupancy[of[sites[i].atom]], b = classes->occupancy[of[sites[j].atom]];
			CHECK(add_joint(classes, &sites[i], &sites[j], 1.0, same ? fmin(a, b) : 0.0));
		}
	}
	return SONDE_OK;
}

/* At most one letter of a residue is present: the largest occupancies of the letters must not add up to more than
 * 1. Sites are sorted by groups. */
static void count_overfull(struct debye_classes *classes, const struct near_site *sites, size_t count)
{
	for (size_t first = 0, end; first < count; first = end) {
		double largest[LOCATION_LETTERS] = {0.0}, together = 0.0;
		for (end = first; end < count && sites[end].group == sites[first].group; ++end) {
			double occupancy = classes->occupancy[classes->view.species_of[sites[end].atom]];
			double *letter = &largest[classes->locations[sites[end].atom] % LOCATION_LETTERS];
			*letter = fmax(*letter, occupancy);
		}
		for (int k = 0; k < LOCATION_LETTERS; ++k)
			together += largest[k];
		if (sites[first].group == 0 || together <= CLASSES_FULL)
			continue;
		++classes->overfull;
		classes->fullest = fmax(classes->fullest, together);
	}
}

static int compare_joint(const void *a, const void *b)
{
	const struct joint_pair *p = a, *q = b;

	if (p->pair != q->pair)
		return p->pair < q->pair ? -1 : 1;
	if (p->r != q->r)
		return p->r < q->r ? -1 : 1;
	return p->surplus < q->surplus ? -1 : p->surplus > q->surplus;
}

/* A list of sites that grows. */
struct site_list {
	struct near_site *sites;
	size_t count, capacity;
};

static sonde_status add_site(struct site_list *list, struct near_site site)
{
	for (int k = 0; k < 3; ++k)
		site.cell[k] = (int32_t)floor(site.r[k] / CLASSES_EXCLUSIVE);
	if (list->count == list->capacity)
		CHECK(memory_grow(&list->sites, &list->capacity, list->count + 1, sizeof *list->sites,
				  "pairs of sites"));
	list->sites[list->count++] = site;
	return SONDE_OK;
}

/* The partly occupied sites. */
static sonde_status list_sites(const struct debye_classes *classes, struct site_list *list)
{
	const sonde_atoms *view = &classes->view;

	for (int64_t i = 0; i < view->count; ++i) {
		struct near_site site = {.group = classes->locations[i] / LOCATION_LETTERS, .atom = i};
		memcpy(site.r, view->positions + 3 * i, sizeof site.r);
		if (classes->occupancy[view->species_of[i]] < 1.0)
			CHECK(add_site(list, site));
	}
	return SONDE_OK;
}

/* Images of sites of the cell, outside of it but near enough to exclude one inside. */
static sonde_status add_images(const struct periodic *periodic, struct site_list *list)
{
	const size_t inside = list->count;

	for (size_t i = 0; i < inside; ++i)
		for (int image = 0; image < 27; ++image) {
			const int n[3] = {image / 9 - 1, image / 3 % 3 - 1, image % 3 - 1};
			struct near_site site = list->sites[i];
			double vector[3];
			bool near = image != 13;
			periodic_vector(periodic, n, vector);
			for (int k = 0; k < 3; ++k)
				site.r[k] += vector[k];
			for (int k = 0; k < 3; ++k) {
				const double *reciprocal = periodic->inverse[k];
				const double beyond = CLASSES_EXCLUSIVE / periodic->height[k];
				double fraction =
				    reciprocal[0] * site.r[0] + reciprocal[1] * site.r[1] + reciprocal[2] * site.r[2];
				near &= fraction >= -beyond && fraction <= 1.0 + beyond;
			}
			site.image = true;
			if (near)
				CHECK(add_site(list, site));
		}
	return SONDE_OK;
}

static sonde_status wrap_sites(const struct periodic *periodic, struct site_list *list)
{
	const size_t count = list->count;

	list->count = 0;
	for (size_t i = 0; i < count; ++i) {
		periodic_wrap(periodic, list->sites[i].r);
		CHECK(add_site(list, list->sites[i]));
	}
	return add_images(periodic, list);
}

/* The atoms are not wrapped yet: those of a residue are together. */
sonde_status debye_find_joint(struct debye_classes *classes, const struct periodic *periodic)
{
	struct site_list list = {0};
	sonde_status status;

	if (classes->locations == NULL)
		return SONDE_OK;
	classes->joint_count = 0;
	classes->overfull = 0;
	CHECK_GOTO(status, list_sites(classes, &list), done);
	if (list.count == 0)
		goto done;
	qsort(list.sites, list.count, sizeof *list.sites, compare_groups);
	count_overfull(classes, list.sites, list.count);
	CHECK_GOTO(status, join_groups(classes, list.sites, list.count), done);
	if (periodic != NULL)
		CHECK_GOTO(status, wrap_sites(periodic, &list), done);
	qsort(list.sites, list.count, sizeof *list.sites, compare_near);
	CHECK_GOTO(status, exclude_near(classes, list.sites, list.count), done);
	/* so that no sum depends on the order of the atoms in a file */
	if (classes->joint_count > 0)
		qsort(classes->joint, classes->joint_count, sizeof *classes->joint, compare_joint);
done:
	free(list.sites);
	return status;
}

/* sum of surplus w(r) sin(q r)/(q r) over pairs */
static double joint_sum(const struct periodic *periodic, const struct joint_pair *pairs, size_t count, double q)
{
	double sum = 0.0;

	for (size_t n = 0; n < count; ++n) {
		double x = q * pairs[n].in_sine, term = 1.0;
		if (x != 0.0) {
			lanes_f64 s, c;
			lanes_sincos(LANES_SPLAT(x), &s, &c, 0);
			term = LANES_FIRST(s) / x;
		}
		if (pairs[n].s > 0.0)
			term *= LANES_FIRST(lanes_exp(LANES_SPLAT(-0.5 * q * q * pairs[n].s), 0));
		sum += pairs[n].surplus * periodic_weight(periodic, pairs[n].r) * term;
	}
	return sum;
}

/* The sums of some pairs of sites, all of one pair of classes. */
struct joint_row {
	const struct joint_pair *pairs;
	size_t count;
	const struct pair_sums *sums;
	double *row;
};

static void add_to_row(void *state, int64_t first, int64_t end, int worker)
{
	const struct joint_row *joint = state;

	(void)worker;
	for (int64_t k = first; k < end; ++k)
		joint->row[k] +=
		    joint_sum(joint->sums->periodic, joint->pairs, joint->count, pair_sums_q(joint->sums, k));
}

sonde_status debye_add_joint(const sonde_context *context, const struct debye_classes *classes,
			     struct pair_sums *sums)
{
	for (size_t first = 0, end; first < classes->joint_count; first = end) {
		const struct joint_pair *pairs = classes->joint + first;
		for (end = first; end < classes->joint_count && classes->joint[end].pair == pairs->pair;)
			++end;
		struct joint_row joint = {pairs, end - first, sums, sums->sums + pairs->pair * sums->q.points};
		int threads = context_threads(context);
		threads_for(threads, sums->q.points, threads_grain(threads, sums->q.points), add_to_row, &joint);
		if (context_cancelled(context))
			return status_fail(SONDE_CANCELLED, "stopped on request at pairs of sites");
	}
	return SONDE_OK;
}
