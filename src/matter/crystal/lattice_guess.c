/* The first guess of a lattice: vectors between atoms of one kind near the middle of the sample that carry most of the
 * atoms there to atoms of the same kind. */
#include "matter/crystal/lattice_guess.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"

#define LEAST_ATOMS 8       /* of the kind */
#define MIDDLE_ATOMS 6000.0 /* looked at around the middle */
#define MOST_CANDIDATES 500
#define CARRIED \
	0.7 /* part of the atoms that a translation carries to others: the rest may be outside of the sample */

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

/* Passes over all atoms, by blocks, whose results are joined in their order: they do not depend on the threads. */
#define BLOCK_ATOMS ((int64_t)32768)

struct block {
	double sum[3]; /* of positions relative to that of the first atom */
	double least;  /* square of the distance of atom `nearest` from the middle */
	int64_t nearest, of_kind;
	int64_t inside; /* atoms within the radius, and the largest of their distances */
	double largest;
};

struct pass {
	const struct lattice_atoms *atoms;
	struct block *blocks;
	int64_t block_count;
	int threads, kind;
	double middle[3], radius; /* of the box around the atoms; around the origin */
	const double *origin;
};

static int64_t end_of(const struct pass *pass, int64_t block)
{
	const int64_t end = (block + 1) * BLOCK_ATOMS;

	return end < pass->atoms->count ? end : pass->atoms->count;
}

static void sum_positions(void *state, int64_t first, int64_t end, int worker)
{
	const struct pass *pass = state;
	const double *r = pass->atoms->positions;

	(void)worker;
	for (int64_t block = first; block < end; ++block) {
		double sum[3] = {0.0, 0.0, 0.0};
		for (int64_t i = block * BLOCK_ATOMS; i < end_of(pass, block); ++i)
			for (int k = 0; k < 3; ++k)
				sum[k] += r[3 * i + k] - r[k];
		memcpy(pass->blocks[block].sum, sum, sizeof sum);
	}
}

static void find_nearest(void *state, int64_t first, int64_t end, int worker)
{
	const struct pass *pass = state;
	const double *positions = pass->atoms->positions;

	(void)worker;
	for (int64_t block = first; block < end; ++block) {
		struct block of = pass->blocks[block];
		of.least = INFINITY;
		for (int64_t i = block * BLOCK_ATOMS; i < end_of(pass, block); ++i) {
			double square = 0.0;
			if (pass->atoms->kind_of[i] != pass->kind)
				continue;
			++of.of_kind;
			for (int k = 0; k < 3; ++k) {
				const double d = positions[3 * i + k] - positions[k] - pass->middle[k];
				square += d * d;
			}
			if (square < of.least) {
				of.least = square;
				of.nearest = i;
			}
		}
		pass->blocks[block] = of;
	}
}

static void count_inside(void *state, int64_t first, int64_t end, int worker)
{
	const struct pass *pass = state;

	(void)worker;
	for (int64_t block = first; block < end; ++block) {
		int64_t inside = 0;
		double largest = 0.0;
		for (int64_t i = block * BLOCK_ATOMS; i < end_of(pass, block); ++i) {
			const double *r = pass->atoms->positions + 3 * i, x = r[0] - pass->origin[0],
				     y = r[1] - pass->origin[1], z = r[2] - pass->origin[2];
			const double distance = sqrt(x * x + y * y + z * z);
			const bool is_inside = distance <= pass->radius;
			inside += is_inside;
			largest = is_inside && distance > largest ? distance : largest;
		}
		pass->blocks[block].inside = inside;
		pass->blocks[block].largest = largest;
	}
}

static void run_pass(struct pass *pass, threads_body *body)
{
	threads_for(pass->threads, pass->block_count, 1, body, pass);
}

/* The atom of a kind that is closest to the middle of all; -1: there are too few. */
static int64_t find_origin(struct pass *pass)
{
	double least = INFINITY;
	int64_t found = -1, count = 0;

	run_pass(pass, sum_positions);
	for (int64_t block = 0; block < pass->block_count; ++block)
		for (int k = 0; k < 3; ++k)
			pass->middle[k] += pass->blocks[block].sum[k] / (double)pass->atoms->count;
	run_pass(pass, find_nearest);
	for (int64_t block = 0; block < pass->block_count; ++block) {
		const struct block *of = &pass->blocks[block];
		count += of->of_kind;
		if (of->least < least) {
			least = of->least;
			found = of->nearest;
		}
	}
	return count >= LEAST_ATOMS ? found : -1;
}

/* A radius around the origin with some MIDDLE_ATOMS in it, by the density of the box around all atoms, or by the
 * numbers in spheres. */
static void find_radius(struct pass *pass)
{
	pass->radius = INFINITY;
	for (int trial = 0; trial < 64; ++trial) {
		int64_t inside = 0;
		double largest = 0.0;
		run_pass(pass, count_inside);
		for (int64_t block = 0; block < pass->block_count; ++block) {
			inside += pass->blocks[block].inside;
			largest = fmax(largest, pass->blocks[block].largest);
		}
		if ((double)inside <= 2.0 * MIDDLE_ATOMS)
			return;
		pass->radius = largest * cbrt(MIDDLE_ATOMS / (double)inside);
	}
}

void lattice_middle_free(struct lattice_middle *middle)
{
	free(middle->atoms);
	*middle = (struct lattice_middle){.count = 0};
}

static sonde_status take_middle(const struct pass *pass, struct lattice_middle *middle)
{
	const struct lattice_atoms *atoms = pass->atoms;
	const double *origin = middle->origin, beyond = pass->radius * pass->radius * (1.0 + 1e-9);
	size_t capacity = 0;

	for (int64_t i = 0; i < atoms->count; ++i) {
		struct near_atom atom = {.kind = atoms->kind_of[i]};
		double square = 0.0;
		for (int k = 0; k < 3; ++k) {
			atom.r[k] = atoms->positions[3 * i + k] - origin[k];
			square += atom.r[k] * atom.r[k];
		}
		if (square > beyond)
			continue;
		atom.distance = sqrt(square);
		atom.along = along(atom.r);
		if (atom.distance > pass->radius)
			continue;
		CHECK(memory_grow(&middle->atoms, &capacity, middle->count + 1, sizeof atom, "the lattice"));
		middle->atoms[middle->count++] = atom;
	}
	if (middle->count > 0)
		qsort(middle->atoms, middle->count, sizeof *middle->atoms, compare_along);
	return SONDE_OK;
}

sonde_status lattice_middle_take(int threads, const struct lattice_atoms *atoms, int kind,
				 struct lattice_middle *middle)
{
	struct pass pass = {.atoms = atoms,
			    .kind = kind,
			    .threads = threads,
			    .block_count = (atoms->count + BLOCK_ATOMS - 1) / BLOCK_ATOMS};
	sonde_status status = SONDE_OK;

	*middle = (struct lattice_middle){.kind = kind};
	CHECK(memory_allocate(&pass.blocks, (size_t)pass.block_count, sizeof *pass.blocks, "the lattice"));
	const int64_t origin_atom = find_origin(&pass);
	if (origin_atom >= 0) {
		pass.origin = atoms->positions + 3 * origin_atom;
		memcpy(middle->origin, pass.origin, sizeof middle->origin);
		find_radius(&pass);
		status = take_middle(&pass, middle);
	}
	free(pass.blocks);
	return status;
}

/* Whether most of the `tested` atoms closest to the origin are carried to others of their kind. */
static bool carries(const struct lattice_middle *middle, const struct near_atom *by_distance, size_t tested,
		    const double vector[3])
{
	const double needed = CARRIED * (double)tested;
	size_t carried = 0;

	for (size_t i = 0; i < tested && (double)(carried + tested - i) >= needed; ++i) {
		double r[3];
		for (int k = 0; k < 3; ++k)
			r[k] = by_distance[i].r[k] + vector[k];
		carried += is_occupied(middle, r, by_distance[i].kind);
	}
	return (double)carried >= needed;
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
