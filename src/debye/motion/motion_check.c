/* Mean squares that would be negative: the closest pairs of a cluster, of a periodic sample with images, and of a lattice
 * without a list of atoms. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "debye/motion/motion.h"
#include "matter/crystal/crystal.h"
#include "matter/atoms/joint_sites.h"
#include "matter/crystal/lattice.h"

#define SAME_DISTANCE 1e-6 /* Angstrom */

double motion_root(const struct pair_motion *motion)
{
	double low = 0.0, high = motion->delta1 + sqrt(motion->delta2);

	for (int step = 0; step < 200 && high > 0.0; ++step) {
		const double middle = 0.5 * (low + high);
		if (middle > 0.0 && motion_law(motion, middle) >= 0.0)
			high = middle;
		else
			low = middle;
	}
	return high;
}

/* An atom and its cell, as wide as the distance that is looked for. */
struct celled_atom {
	int64_t cell[3], atom;
	double r[3];
	bool image; /* in another cell of a periodic sample */
};

static int compare_cells(const int64_t *a, const int64_t *b)
{
	for (int k = 0; k < 3; ++k)
		if (a[k] != b[k])
			return a[k] < b[k] ? -1 : 1;
	return 0;
}

static int compare_atoms(const void *a, const void *b)
{
	const struct celled_atom *p = a, *q = b;
	const int order = compare_cells(p->cell, q->cell);

	if (order != 0 || p->atom != q->atom)
		return order != 0 ? order : p->atom < q->atom ? -1 : 1;
	for (int k = 0; k < 3; ++k)
		if (p->r[k] != q->r[k])
			return p->r[k] < q->r[k] ? -1 : 1;
	return 0;
}

static int compare_joint(const void *a, const void *b)
{
	const struct joint_pair *p = a, *q = b;

	if (p->i != q->i)
		return p->i < q->i ? -1 : 1;
	return p->j < q->j ? -1 : p->j > q->j;
}

struct search {
	const struct debye_classes *classes;
	int64_t first, end; /* atoms of the view that are looked at */
	double reach;
	struct celled_atom *atoms;
	size_t count, capacity;
	struct joint_pair *excluded; /* pairs that are never present together, sorted */
	size_t excluded_count;
	int64_t i, j; /* the closest pair found; of a lattice, its classes */
	double nearest;
};

/* The first of the excluded pairs that is not before this one. */
static size_t find_excluded(const struct search *search, const struct joint_pair *key)
{
	size_t low = 0, high = search->excluded_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (compare_joint(&search->excluded[middle], key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Two sites may exclude each other at one distance, and be occupied independently at that of another image. */
static bool is_excluded(const struct search *search, int64_t i, int64_t j, double r)
{
	const struct joint_pair key = {.i = i < j ? i : j, .j = i < j ? j : i};

	for (size_t n = find_excluded(search, &key);
	     n < search->excluded_count && compare_joint(&search->excluded[n], &key) == 0; ++n)
		if (fabs(search->excluded[n].r - r) <= SAME_DISTANCE)
			return true;
	return false;
}

static void look_at(struct search *search, const struct celled_atom *a, const struct celled_atom *b)
{
	const double x = b->r[0] - a->r[0], y = b->r[1] - a->r[1], z = b->r[2] - a->r[2];
	const double length = sqrt(x * x + y * y + z * z);

	if (length >= search->nearest || (a->image && b->image) || is_excluded(search, a->atom, b->atom, length))
		return;
	search->nearest = length;
	search->i = a->atom < b->atom ? a->atom : b->atom;
	search->j = a->atom < b->atom ? b->atom : a->atom;
}

/* The first atom that is not in a cell before this one. */
static size_t lower_bound(const struct search *search, const int64_t cell[3])
{
	size_t low = 0, high = search->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (compare_cells(search->atoms[middle].cell, cell) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Pairs of atom number n and those after it, in half of the cells around it. */
static void look_around(struct search *search, size_t n)
{
	static const int rows[4][2] = {{0, 1}, {1, -1}, {1, 0}, {1, 1}};
	const struct celled_atom *atoms = search->atoms;
	const int64_t *c = atoms[n].cell, own_end[3] = {c[0], c[1], c[2] + 1};

	for (size_t m = n + 1; m < search->count && compare_cells(atoms[m].cell, own_end) <= 0; ++m)
		look_at(search, &atoms[n], &atoms[m]);
	for (int row = 0; row < 4; ++row) {
		const int64_t from[3] = {c[0] + rows[row][0], c[1] + rows[row][1], c[2] - 1},
			      to[3] = {from[0], from[1], c[2] + 1};
		for (size_t m = lower_bound(search, from); m < search->count && compare_cells(atoms[m].cell, to) <= 0;
		     ++m)
			look_at(search, &atoms[n], &atoms[m]);
	}
}

static sonde_status list_excluded(struct search *search)
{
	const struct debye_classes *classes = search->classes;

	if (classes->joint_count == 0)
		return SONDE_OK;
	CHECK(memory_allocate(&search->excluded, classes->joint_count, sizeof *search->excluded, "pairs of sites"));
	for (size_t n = 0; n < classes->joint_count; ++n)
		if (classes->joint[n].surplus == -1.0 || classes->joint[n].surplus == -0.5)
			search->excluded[search->excluded_count++] = classes->joint[n];
	qsort(search->excluded, search->excluded_count, sizeof *search->excluded, compare_joint);
	return SONDE_OK;
}

static sonde_status add_atom(struct search *search, int64_t atom, const double r[3], bool image)
{
	struct celled_atom *added;

	CHECK(memory_grow(&search->atoms, &search->capacity, search->count + 1, sizeof *search->atoms,
			  "the nearest atoms"));
	added = &search->atoms[search->count++];
	*added = (struct celled_atom){.atom = atom, .r = {r[0], r[1], r[2]}, .image = image};
	for (int k = 0; k < 3; ++k)
		added->cell[k] = (int64_t)floor(r[k] / search->reach);
	return SONDE_OK;
}

/* Images of an atom outside of the cell, but not farther from it than the reach along any edge. */
static sonde_status add_images(struct search *search, const struct periodic *periodic, int64_t atom)
{
	const double *at = search->classes->view.positions + 3 * atom;
	int low[3], high[3], n[3];

	for (int k = 0; k < 3; ++k) {
		const double *reciprocal = periodic->inverse[k], beyond = search->reach / periodic->height[k],
			     fraction = reciprocal[0] * at[0] + reciprocal[1] * at[1] + reciprocal[2] * at[2];
		low[k] = (int)ceil(-beyond - fraction);
		high[k] = (int)floor(1.0 + beyond - fraction);
	}
	for (n[0] = low[0]; n[0] <= high[0]; ++n[0])
		for (n[1] = low[1]; n[1] <= high[1]; ++n[1])
			for (n[2] = low[2]; n[2] <= high[2]; ++n[2]) {
				double r[3];
				if (n[0] == 0 && n[1] == 0 && n[2] == 0)
					continue;
				periodic_vector(periodic, n, r);
				for (int k = 0; k < 3; ++k)
					r[k] += at[k];
				CHECK(add_atom(search, atom, r, true));
			}
	return SONDE_OK;
}

static sonde_status find_nearest(struct search *search, const struct periodic *periodic)
{
	const double *positions = search->classes->view.positions;

	CHECK(list_excluded(search));
	for (int64_t i = search->first; i < search->end; ++i) {
		CHECK(add_atom(search, i, positions + 3 * i, false));
		if (periodic != NULL)
			CHECK(add_images(search, periodic, i));
	}
	if (search->count == 0)
		return SONDE_OK;
	qsort(search->atoms, search->count, sizeof *search->atoms, compare_atoms);
	/* the first pair that is too close suffices */
	for (size_t n = 0; n < search->count && search->nearest >= search->reach; ++n)
		look_around(search, n);
	return SONDE_OK;
}

/* Lattices ------------------------------------------------------------------------------------------------ */

/* The vectors between the sites of two sheets that are shorter than the reach. */
static void look_at_sheets(struct search *search, const double reciprocal[3][3], int a, int b)
{
	const sonde_lattice *lattice = search->classes->lattice;
	const struct lattice_sheet *s = &lattice->sheets[a], *t = &lattice->sheets[b];
	const int *class_of = search->classes->class_of_kind;
	const double *occupancy = search->classes->occupancy;
	const double first = occupancy[class_of[s->kind]], second = occupancy[class_of[t->kind]];
	const bool exclusive = a != b && first < 1.0 && second < 1.0 && first + second <= JOINT_FULL;
	int64_t low[3], high[3], lag[3];

	for (int k = 0; k < 3; ++k) {
		double fraction = 0.0, square = 0.0;
		for (int m = 0; m < 3; ++m) {
			fraction += reciprocal[k][m] * (t->origin[m] - s->origin[m]);
			square += reciprocal[k][m] * reciprocal[k][m];
		}
		low[k] = (int64_t)ceil(-search->reach * sqrt(square) - fraction);
		high[k] = (int64_t)floor(search->reach * sqrt(square) - fraction);
	}
	for (lag[0] = low[0]; lag[0] <= high[0]; ++lag[0])
		for (lag[1] = low[1]; lag[1] <= high[1]; ++lag[1])
			for (lag[2] = low[2]; lag[2] <= high[2]; ++lag[2]) {
				double square = 0.0;
				for (int m = 0; m < 3; ++m) {
					double x = t->origin[m] - s->origin[m];
					for (int k = 0; k < 3; ++k)
						x += (double)lag[k] * lattice->vectors[k][m];
					square += x * x;
				}
				const double r = sqrt(square);
				if (r >= search->nearest || (exclusive && r < JOINT_EXCLUSIVE) ||
				    (a == b && lag[0] == 0 && lag[1] == 0 && lag[2] == 0) ||
				    lattice_pairs_at(lattice, a, b, lag) == 0)
					continue;
				search->nearest = r;
				search->i = class_of[s->kind];
				search->j = class_of[t->kind];
			}
}

static void find_nearest_of_lattice(struct search *search)
{
	const sonde_lattice *lattice = search->classes->lattice;
	double reciprocal[3][3];

	crystal_reciprocal(lattice->vectors, reciprocal);
	for (int a = 0; a < lattice->sheet_count; ++a)
		for (int b = a; b < lattice->sheet_count && search->nearest >= search->reach; ++b)
			look_at_sheets(search, (const double(*)[3])reciprocal, a, b);
}

/* The check ----------------------------------------------------------------------------------------------- */

/* Of a lattice without a list of atoms, i and j are classes. */
static sonde_status fail_law(const struct search *search)
{
	const struct pair_motion *motion = search->classes->motion;
	const sonde_atoms *atoms = &search->classes->view;
	const bool listed = atoms->positions != NULL;
	const struct species *a = &atoms->species[listed ? atoms->species_of[search->i] : search->i],
			     *b = &atoms->species[listed ? atoms->species_of[search->j] : search->j];
	char numbers[80] = "";

	if (listed)
		snprintf(numbers, sizeof numbers, " (atoms %lld and %lld)", (long long)search->i + 1,
			 (long long)search->j + 1);
	return status_fail_option(
	    SONDE_INVALID, motion->delta2 > 0.0 ? "delta2" : "delta1",
	    "too large: the relative mean square displacement of the pair %s-%s at %.4g "
	    "Angstrom%s "
	    "would be negative, 1 - delta1/r - delta2/r^2 + (qbroad r)^2 = %.3g; it is positive "
	    "above %.4g Angstrom",
	    a->label, b->label, search->nearest, numbers, motion_law(motion, search->nearest), motion_root(motion));
}

/* The atoms of the view from `first` to `end`. */
static sonde_status check_law(const struct debye_classes *classes, const struct periodic *periodic, int64_t first,
			      int64_t end)
{
	const struct pair_motion *motion = classes->motion;
	const double root = motion_root(motion);
	struct search search = {
	    .classes = classes, .first = first, .end = end, .reach = fmax(root, 1e-3), .nearest = fmax(root, 1e-3)};
	sonde_status status = SONDE_OK;

	if (motion->delta1 == 0.0 && motion->delta2 == 0.0)
		return SONDE_OK;
	if (classes->view.positions != NULL)
		status = find_nearest(&search, periodic);
	else
		find_nearest_of_lattice(&search);
	free(search.atoms);
	free(search.excluded);
	CHECK(status);
	return search.nearest >= root ? SONDE_OK : fail_law(&search);
}

/* The classes of pair number `pair`. */
static void classes_of_pair(int count, int pair, int *a, int *b)
{
	for (*a = 0; pair >= count - *a; ++*a)
		pair -= count - *a;
	*b = *a + pair;
}

sonde_status motion_check(struct debye_classes *classes, const struct periodic *periodic)
{
	struct pair_motion of_view;

	if (classes->motion == NULL)
		return SONDE_OK;
	of_view = *classes->motion;
	of_view.tensors = classes->tensors;
	if (classes->structure_count == 0)
		CHECK(check_law(classes, periodic, 0, classes->view.count));
	for (int s = 0; s < classes->structure_count; ++s) {
		const struct debye_structure *structure = &classes->structures[s];
		CHECK(check_law(classes, NULL, structure->first, structure->first + structure->count));
	}
	for (size_t n = 0; n < classes->joint_count; ++n) {
		struct joint_pair *joint = &classes->joint[n];
		struct pair_width width;
		int a, b;
		classes_of_pair(classes->count, joint->pair, &a, &b);
		width = of_view.tensors != NULL ? motion_along(&of_view, &classes->view, joint->i, joint->j, joint->d)
						: motion_of_species(&of_view, a, b, joint->r);
		joint->in_sine = width.r;
		joint->s = width.s;
	}
	return SONDE_OK;
}
