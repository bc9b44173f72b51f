/* The first guess of a lattice: vectors between atoms of one kind near the middle of the sample that carry most of the
 * atoms there to atoms of the same kind. */
#include "matter/crystal/lattice_guess.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define LEAST_ATOMS 8       /* of the kind */
#define MIDDLE_ATOMS 6000.0 /* looked at around the middle */
#define MOST_CANDIDATES 500
#define CARRIED \
	0.7 /* part of the atoms that a translation carries to others: the rest may be outside of the sample */

/* Atoms around the middle, sorted by their coordinate along a direction in which no lattice plane lies. */
struct near_atom {
	double along, r[3], distance;
	int kind;
};
static const double direction[3] = {0.537193, 0.673211, 0.508127};

static double along(const double r[3])
{
	return r[0] * direction[0] + r[1] * direction[1] + r[2] * direction[2];
}

static int compare_along(const void *a, const void *b)
{
	const struct near_atom *p = a, *q = b;

	return p->along < q->along ? -1 : p->along > q->along;
}

static int compare_distances(const void *a, const void *b)
{
	const struct near_atom *p = a, *q = b;

	if (p->distance != q->distance)
		return p->distance < q->distance ? -1 : 1;
	return compare_along(a, b);
}

static bool is_occupied(const struct lattice_middle *middle, const double r[3], int kind)
{
	const double low = along(r) - LATTICE_COARSE;
	size_t first = 0, end = middle->count;

	while (first < end) {
		const size_t half = first + (end - first) / 2;
		if (middle->atoms[half].along < low)
			first = half + 1;
		else
			end = half;
	}
	for (; first < middle->count && middle->atoms[first].along <= low + 2.0 * LATTICE_COARSE; ++first) {
		const double *at = middle->atoms[first].r, x = at[0] - r[0], y = at[1] - r[1], z = at[2] - r[2];
		if (middle->atoms[first].kind == kind && x * x + y * y + z * z <= LATTICE_COARSE * LATTICE_COARSE)
			return true;
	}
	return false;
}

/* The atom of a kind that is closest to the middle of all; -1: there are too few. */
static int64_t find_origin(const struct lattice_atoms *atoms, int kind)
{
	double middle[3] = {0.0, 0.0, 0.0}, least = INFINITY;
	int64_t found = -1, count = 0;

	for (int64_t i = 0; i < atoms->count; ++i)
		for (int k = 0; k < 3; ++k)
			middle[k] += (atoms->positions[3 * i + k] - atoms->positions[k]) / (double)atoms->count;
	for (int64_t i = 0; i < atoms->count; ++i) {
		double square = 0.0;
		if (atoms->kind_of[i] != kind)
			continue;
		++count;
		for (int k = 0; k < 3; ++k) {
			const double d = atoms->positions[3 * i + k] - atoms->positions[k] - middle[k];
			square += d * d;
		}
		if (square < least) {
			least = square;
			found = i;
		}
	}
	return count >= LEAST_ATOMS ? found : -1;
}

/* A radius around the origin with some MIDDLE_ATOMS in it, by the density of the box around all atoms, or by the
 * numbers in spheres. */
static double find_radius(const struct lattice_atoms *atoms, const double origin[3])
{
	double radius = INFINITY;

	for (int trial = 0; trial < 64; ++trial) {
		int64_t inside = 0;
		double largest = 0.0;
		for (int64_t i = 0; i < atoms->count; ++i) {
			const double *r = atoms->positions + 3 * i, x = r[0] - origin[0], y = r[1] - origin[1],
				     z = r[2] - origin[2];
			const double distance = sqrt(x * x + y * y + z * z);
			if (distance > radius)
				continue;
			++inside;
			largest = fmax(largest, distance);
		}
		if ((double)inside <= 2.0 * MIDDLE_ATOMS)
			break;
		radius = largest * cbrt(MIDDLE_ATOMS / (double)inside);
	}
	return radius;
}

void lattice_middle_free(struct lattice_middle *middle)
{
	free(middle->atoms);
	*middle = (struct lattice_middle){.count = 0};
}

sonde_status lattice_middle_take(const struct lattice_atoms *atoms, int kind, struct lattice_middle *middle)
{
	const int64_t origin_atom = find_origin(atoms, kind);

	*middle = (struct lattice_middle){.kind = kind};
	if (origin_atom < 0)
		return SONDE_OK;
	const double *origin = atoms->positions + 3 * origin_atom, radius = find_radius(atoms, origin);
	memcpy(middle->origin, origin, sizeof middle->origin);
	size_t capacity = 0;

	for (int64_t i = 0; i < atoms->count; ++i) {
		struct near_atom atom = {.kind = atoms->kind_of[i]};
		double square = 0.0;
		for (int k = 0; k < 3; ++k) {
			atom.r[k] = atoms->positions[3 * i + k] - origin[k];
			square += atom.r[k] * atom.r[k];
		}
		atom.distance = sqrt(square);
		atom.along = along(atom.r);
		if (atom.distance > radius)
			continue;
		CHECK(memory_grow(&middle->atoms, &capacity, middle->count + 1, sizeof atom, "the lattice"));
		middle->atoms[middle->count++] = atom;
	}
	if (middle->count > 0)
		qsort(middle->atoms, middle->count, sizeof *middle->atoms, compare_along);
	return SONDE_OK;
}

/* Whether most of the `tested` atoms closest to the origin are carried to others of their kind. */
static bool carries(const struct lattice_middle *middle, const struct near_atom *by_distance, size_t tested,
		    const double vector[3])
{
	size_t carried = 0;

	for (size_t i = 0; i < tested; ++i) {
		double r[3];
		for (int k = 0; k < 3; ++k)
			r[k] = by_distance[i].r[k] + vector[k];
		carried += is_occupied(middle, r, by_distance[i].kind);
	}
	return (double)carried >= CARRIED * (double)tested;
}

sonde_status lattice_guess(const struct lattice_middle *middle, size_t tested, double vectors[3][3], bool *guessed)
{
	double(*carrying)[3];
	struct near_atom *by_distance;
	size_t count = 0, candidates = 0;

	*guessed = false;
	if (middle->count == 0)
		return SONDE_OK;
	tested = tested < middle->count ? tested : middle->count;
	CHECK(memory_allocate(&carrying, MOST_CANDIDATES, sizeof *carrying, "the lattice"));
	sonde_status status = memory_allocate(&by_distance, middle->count, sizeof *by_distance, "the lattice");
	if (status == SONDE_OK) {
		memcpy(by_distance, middle->atoms, middle->count * sizeof *by_distance);
		qsort(by_distance, middle->count, sizeof *by_distance, compare_distances);
	}
	for (size_t i = 0; status == SONDE_OK && i < middle->count && candidates < MOST_CANDIDATES; ++i) {
		if (by_distance[i].kind != middle->kind || by_distance[i].distance < LATTICE_COARSE)
			continue;
		++candidates;
		if (carries(middle, by_distance, tested, by_distance[i].r))
			memcpy(carrying[count++], by_distance[i].r, sizeof *carrying);
	}
	*guessed = status == SONDE_OK && lattice_shortest(carrying, count, vectors);
	free(carrying);
	free(by_distance);
	return status;
}
