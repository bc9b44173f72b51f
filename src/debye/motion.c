#include "debye/motion.h"

#include <stdlib.h>

#include "base/memory.h"

double motion_law(const struct pair_motion *motion, double d)
{
	const double inverse = d > 0.0 ? 1.0 / d : 0.0, broad = motion->qbroad * d;

	return 1.0 - motion->delta1 * inverse - motion->delta2 * inverse * inverse + broad * broad;
}

static struct pair_width width_of(const struct pair_motion *motion, double d, double along, double trace)
{
	const double square = d * d + trace - 3.0 * along;

	return (struct pair_width){sqrt(fmax(square, 0.0)), fmax(along * motion_law(motion, d), 0.0)};
}

struct pair_width motion_of_species(const struct pair_motion *motion, int a, int b, double d)
{
	const double along = motion->of_species[a] + motion->of_species[b];

	return width_of(motion, d, along, 3.0 * along);
}

static double distance(const double *a, const double *b, double d[3])
{
	for (int k = 0; k < 3; ++k)
		d[k] = b[k] - a[k];
	return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

struct pair_width motion_of_tensor(const struct pair_motion *motion, const double *at_i, const double *at_j,
				   const double u[6])
{
	double d[3];
	const double length = distance(at_i, at_j, d), trace = u[0] + u[1] + u[2];
	const double form = u[0] * d[0] * d[0] + u[1] * d[1] * d[1] + u[2] * d[2] * d[2] +
			    2.0 * (u[3] * d[1] * d[2] + u[4] * d[0] * d[2] + u[5] * d[0] * d[1]);

	return width_of(motion, length, length > 0.0 ? form / (length * length) : trace / 3.0, trace);
}

struct pair_width motion_of_pair(const struct pair_motion *motion, const sonde_atoms *atoms, int64_t i, int64_t j)
{
	const double *at_i = atoms->positions + 3 * i, *at_j = atoms->positions + 3 * j;
	double d[3], u[6];

	if (motion->tensors == NULL)
		return motion_of_species(motion, atoms->species_of[i], atoms->species_of[j], distance(at_i, at_j, d));
	for (int k = 0; k < 6; ++k)
		u[k] = motion->tensors[6 * i + k] + motion->tensors[6 * j + k];
	return motion_of_tensor(motion, at_i, at_j, u);
}

const struct pair_motion *debye_structure_motion(const struct debye_classes *classes, int number,
						 struct pair_motion *law)
{
	if (classes->motion == NULL)
		return NULL;
	*law = *classes->motion;
	if (classes->tensors != NULL)
		law->tensors = classes->tensors + 6 * classes->structures[number].first;
	return law;
}

uint32_t motion_size(const struct pair_motion *motion)
{
	return motion->tensors != NULL && motion->anisotropic ? 6 : 1;
}

sonde_status motion_arrange(const struct pair_motion *motion, const sonde_atoms *atoms,
			    struct arranged_atoms *arranged)
{
	const uint32_t size = motion_size(motion);

	CHECK(memory_allocate(&arranged->u, (size_t)arranged->size * size, sizeof *arranged->u, "the displacements"));
	for (uint32_t t = 0; t < arranged->tile_count; ++t)
		for (uint32_t p = arranged->tiles[t].first; p < arranged->tiles[t].end; ++p) {
			const uint32_t atom = arranged->atom[p];
			for (uint32_t k = 0; k < size; ++k)
				arranged->u[(size_t)k * arranged->size + p] =
				    motion->tensors != NULL ? motion->tensors[6 * (size_t)atom + k]
							    : motion->of_species[atoms->species_of[atom]];
		}
	arranged->motion = motion;
	return SONDE_OK;
}

/* Negative mean squares ----------------------------------------------------------------------- */

/* The distance below which the law is negative; 0: it is positive everywhere. It grows with the distance. */
static double find_root(const struct pair_motion *motion)
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

	return order != 0 ? order : p->atom < q->atom ? -1 : p->atom > q->atom;
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
	int64_t count;
	struct joint_pair *excluded; /* pairs that are never present together, sorted */
	size_t excluded_count;
	int64_t i, j; /* the closest pair found */
	double nearest;
};

static bool is_excluded(const struct search *search, int64_t i, int64_t j)
{
	const struct joint_pair key = {.i = i < j ? i : j, .j = i < j ? j : i};

	return search->excluded_count > 0 &&
	       bsearch(&key, search->excluded, search->excluded_count, sizeof key, compare_joint) != NULL;
}

static void look_at(struct search *search, int64_t i, int64_t j)
{
	const double *r = search->classes->view.positions;
	double d[3];
	const double length = distance(r + 3 * i, r + 3 * j, d);

	if (length >= search->nearest || is_excluded(search, i, j))
		return;
	search->nearest = length;
	search->i = i < j ? i : j;
	search->j = i < j ? j : i;
}

/* The first atom that is not in a cell before this one. */
static int64_t lower_bound(const struct search *search, const int64_t cell[3])
{
	int64_t low = 0, high = search->count;

	while (low < high) {
		const int64_t middle = low + (high - low) / 2;
		if (compare_cells(search->atoms[middle].cell, cell) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Pairs of atom number n and those after it, in half of the cells around it. */
static void look_around(struct search *search, int64_t n)
{
	static const int rows[4][2] = {{0, 1}, {1, -1}, {1, 0}, {1, 1}};
	const struct celled_atom *atoms = search->atoms;
	const int64_t *c = atoms[n].cell, own_end[3] = {c[0], c[1], c[2] + 1};

	for (int64_t m = n + 1; m < search->count && compare_cells(atoms[m].cell, own_end) <= 0; ++m)
		look_at(search, atoms[n].atom, atoms[m].atom);
	for (int row = 0; row < 4; ++row) {
		const int64_t from[3] = {c[0] + rows[row][0], c[1] + rows[row][1], c[2] - 1},
			      to[3] = {from[0], from[1], c[2] + 1};
		for (int64_t m = lower_bound(search, from);
		     m < search->count && compare_cells(atoms[m].cell, to) <= 0; ++m)
			look_at(search, atoms[n].atom, atoms[m].atom);
	}
}

static sonde_status list_excluded(struct search *search)
{
	const struct debye_classes *classes = search->classes;

	if (classes->joint_count == 0)
		return SONDE_OK;
	CHECK(memory_allocate(&search->excluded, classes->joint_count, sizeof *search->excluded, "pairs of sites"));
	for (size_t n = 0; n < classes->joint_count; ++n)
		if (classes->joint[n].surplus == -1.0)
			search->excluded[search->excluded_count++] = classes->joint[n];
	qsort(search->excluded, search->excluded_count, sizeof *search->excluded, compare_joint);
	return SONDE_OK;
}

static sonde_status find_nearest(struct search *search)
{
	const double *positions = search->classes->view.positions;

	CHECK(list_excluded(search));
	search->count = search->end - search->first;
	CHECK(memory_allocate(&search->atoms, (size_t)search->count, sizeof *search->atoms, "the nearest atoms"));
	for (int64_t n = 0; n < search->count; ++n) {
		search->atoms[n].atom = search->first + n;
		for (int k = 0; k < 3; ++k)
			search->atoms[n].cell[k] =
			    (int64_t)floor(positions[3 * (search->first + n) + k] / search->reach);
	}
	qsort(search->atoms, (size_t)search->count, sizeof *search->atoms, compare_atoms);
	/* the first pair that is too close suffices */
	for (int64_t n = 0; n < search->count && search->nearest >= search->reach; ++n)
		look_around(search, n);
	return SONDE_OK;
}

/* The atoms of the view from `first` to `end`. */
static sonde_status check_law(const struct debye_classes *classes, int64_t first, int64_t end)
{
	const struct pair_motion *motion = classes->motion;
	const double root = find_root(motion);
	struct search search = {
	    .classes = classes, .first = first, .end = end, .reach = fmax(root, 1e-3), .nearest = fmax(root, 1e-3)};

	if (motion->delta1 == 0.0 && motion->delta2 == 0.0)
		return SONDE_OK;
	const sonde_status status = find_nearest(&search);
	free(search.atoms);
	free(search.excluded);
	CHECK(status);
	if (search.nearest >= root)
		return SONDE_OK;
	const sonde_atoms *atoms = &classes->view;
	return status_fail_option(
	    SONDE_INVALID, motion->delta2 > 0.0 ? "delta2" : "delta1",
	    "too large: the relative mean square displacement of the pair %s-%s at %.4g Angstrom (atoms %lld and "
	    "%lld) "
	    "would be negative, 1 - delta1/r - delta2/r^2 + (qbroad r)^2 = %.3g; it is positive above %.4g Angstrom",
	    atoms->species[atoms->species_of[search.i]].label, atoms->species[atoms->species_of[search.j]].label,
	    search.nearest, (long long)search.i + 1, (long long)search.j + 1, motion_law(motion, search.nearest),
	    root);
}

sonde_status motion_check(struct debye_classes *classes)
{
	struct pair_motion of_view = *classes->motion;

	of_view.tensors = classes->tensors;
	if (classes->structure_count == 0)
		CHECK(check_law(classes, 0, classes->view.count));
	for (int s = 0; s < classes->structure_count; ++s) {
		const struct debye_structure *structure = &classes->structures[s];
		CHECK(check_law(classes, structure->first, structure->first + structure->count));
	}
	for (size_t n = 0; n < classes->joint_count; ++n) {
		struct joint_pair *joint = &classes->joint[n];
		const struct pair_width width = motion_of_pair(&of_view, &classes->view, joint->i, joint->j);
		joint->r = width.r;
		joint->s = width.s;
	}
	return SONDE_OK;
}

double motion_steepness(const struct pair_motion *motion, int a, int b, double nearest, double farthest, double q)
{
	const double n = fmax(nearest, 1e-3), half = 0.5 * q * q * (motion->of_species[a] + motion->of_species[b]),
		     broad = motion->qbroad * motion->qbroad;
	/* bounds of the derivatives of q^2 s/2; with exp(-q^2 s/2) <= 1 Faa di Bruno's formula gives the sum below */
	const double first = half *
			     (motion->delta1 / (n * n) + 2.0 * motion->delta2 / (n * n * n) + 2.0 * broad * farthest),
		     second = half * (2.0 * motion->delta1 / (n * n * n) + 6.0 * motion->delta2 / (n * n * n * n) +
				      2.0 * broad),
		     third = half * (6.0 * motion->delta1 / pow(n, 4.0) + 24.0 * motion->delta2 / pow(n, 5.0)),
		     fourth = half * (24.0 * motion->delta1 / pow(n, 5.0) + 120.0 * motion->delta2 / pow(n, 6.0));

	return first + sqrt(2.0 * second) + cbrt(third) + sqrt(sqrt(fourth));
}
