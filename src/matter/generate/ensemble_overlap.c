/* Copies that overlap, by atoms of two of them that are closer to each other than any bond. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "matter/atoms/placed_atoms.h"
#include "matter/generate/ensemble.h"
#include "run/context.h"

#define SHORTEST_BOND 0.7      /* Angstrom; that of H2 has 0.74 */
#define MOST_SEARCHED 10000000 /* copies */
#define MOST_COMPARED 5e7      /* atoms with copies, some seconds */
#define CELLS_OF_ATOM 2.0

/* The atoms of a structure in cells of a grid. */
struct searched {
	const sonde_atoms *atoms;
	double center[3], radius; /* the ball around them */
	double low[3], edge;
	int64_t cells[3];
	int64_t *first; /* of each cell, in `order`; and the number of all */
	int64_t *order;
};

struct overlap {
	const struct ensemble *ensemble;
	struct searched *structures;
	double (*centers)[3];  /* of the balls of copies */
	double edge;           /* of the cells of copies, no less than the reach of two */
	int64_t *heads, *next; /* of the copies of a cell, by its hash; -1: none */
	uint64_t mask;
	double compared;
	int64_t a, b; /* the copies that overlap, -1: none */
	double distance;
};

/* A structure ------------------------------------------------------------------------------------------------------ */

static int64_t cell_along(const struct searched *searched, int k, double r)
{
	const double cell = floor((r - searched->low[k]) / searched->edge);

	return cell < 0.0 ? -1 : cell < (double)searched->cells[k] ? (int64_t)cell : searched->cells[k];
}

static int64_t cell_of(const struct searched *searched, const double r[3])
{
	return (cell_along(searched, 2, r[2]) * searched->cells[1] + cell_along(searched, 1, r[1])) *
		   searched->cells[0] +
	       cell_along(searched, 0, r[0]);
}

static void find_ball(struct searched *searched)
{
	const double *r = searched->atoms->positions;
	const int64_t count = searched->atoms->count;
	double high[3], square = 0.0, volume = 1.0;

	for (int k = 0; k < 3; ++k) {
		searched->low[k] = INFINITY;
		high[k] = -INFINITY;
		for (int64_t i = 0; i < count; ++i) {
			searched->low[k] = fmin(searched->low[k], r[3 * i + k]);
			high[k] = fmax(high[k], r[3 * i + k]);
		}
		searched->center[k] = 0.5 * (searched->low[k] + high[k]);
		volume *= fmax(high[k] - searched->low[k], SHORTEST_BOND);
	}
	for (int64_t i = 0; i < count; ++i) {
		double own = 0.0;
		for (int k = 0; k < 3; ++k)
			own += (r[3 * i + k] - searched->center[k]) * (r[3 * i + k] - searched->center[k]);
		square = fmax(square, own);
	}
	searched->radius = sqrt(square);
	searched->edge = fmax(SHORTEST_BOND, cbrt(volume / (CELLS_OF_ATOM * (double)count)));
	for (int k = 0; k < 3; ++k)
		searched->cells[k] = (int64_t)((high[k] - searched->low[k]) / searched->edge) + 1;
}

static sonde_status fill_cells(struct searched *searched)
{
	const double *r = searched->atoms->positions;
	const int64_t count = searched->atoms->count,
		      cells = searched->cells[0] * searched->cells[1] * searched->cells[2];
	int64_t sum = 0;

	CHECK(memory_allocate(&searched->first, (size_t)cells + 1, sizeof *searched->first, "the atoms"));
	CHECK(memory_allocate(&searched->order, (size_t)count, sizeof *searched->order, "the atoms"));
	for (int64_t i = 0; i < count; ++i)
		++searched->first[cell_of(searched, r + 3 * i)];
	for (int64_t c = 0; c <= cells; ++c) {
		const int64_t own = searched->first[c];
		searched->first[c] = sum;
		sum += own;
	}
	for (int64_t i = count - 1; i >= 0; --i) /* from the end of a cell, which becomes its beginning below */
		searched->order[searched->first[cell_of(searched, r + 3 * i)]++] = i;
	for (int64_t c = cells; c > 0; --c)
		searched->first[c] = searched->first[c - 1];
	searched->first[0] = 0;
	return SONDE_OK;
}

/* The smallest distance of a point from the atoms, or more than that of a bond. */
static double distance_from(const struct searched *searched, const double r[3])
{
	int64_t low[3], high[3];
	double square = INFINITY;

	for (int k = 0; k < 3; ++k) {
		low[k] = cell_along(searched, k, r[k] - SHORTEST_BOND);
		high[k] = cell_along(searched, k, r[k] + SHORTEST_BOND);
		low[k] = low[k] < 0 ? 0 : low[k];
		high[k] = high[k] < searched->cells[k] ? high[k] : searched->cells[k] - 1;
	}
	for (int64_t z = low[2]; z <= high[2]; ++z)
		for (int64_t y = low[1]; y <= high[1]; ++y)
			for (int64_t x = low[0]; x <= high[0]; ++x) {
				const int64_t cell = (z * searched->cells[1] + y) * searched->cells[0] + x;
				for (int64_t n = searched->first[cell]; n < searched->first[cell + 1]; ++n) {
					const double *other = searched->atoms->positions + 3 * searched->order[n],
						     d[3] = {r[0] - other[0], r[1] - other[1], r[2] - other[2]};
					square = fmin(square, d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
				}
			}
	return sqrt(square);
}

/* Copies ----------------------------------------------------------------------------------------------------------- */

static const struct searched *structure_of(const struct overlap *overlap, int64_t copy)
{
	const int32_t *numbers = overlap->ensemble->structure_of;

	return &overlap->structures[numbers != NULL ? numbers[copy] : 0];
}

static double distance_between(const double a[3], const double b[3])
{
	return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* Atoms of copy a, in the frame of copy b. */
static void compare(struct overlap *overlap, int64_t a, int64_t b)
{
	const struct searched *of_a = structure_of(overlap, a), *of_b = structure_of(overlap, b);
	const struct placement *place_a = &overlap->ensemble->placements[a],
			       *place_b = &overlap->ensemble->placements[b];
	double nearest = SHORTEST_BOND;

	overlap->compared += (double)of_a->atoms->count;
	for (int64_t i = 0; i < of_a->atoms->count; ++i) {
		double placed[3], r[3];
		placement_apply(place_a, of_a->atoms->positions + 3 * i, placed);
		if (distance_between(placed, overlap->centers[b]) > of_b->radius + SHORTEST_BOND)
			continue;
		for (int k = 0; k < 3; ++k) {
			r[k] = 0.0;
			for (int c = 0; c < 3; ++c)
				r[k] += place_b->rotation[c][k] * (placed[c] - place_b->position[c]);
		}
		nearest = fmin(nearest, distance_from(of_b, r));
	}
	if (nearest < SHORTEST_BOND) {
		overlap->a = a;
		overlap->b = b;
		overlap->distance = nearest;
	}
}

static uint64_t head_of(const struct overlap *overlap, const int64_t cell[3])
{
	uint64_t hash = 0;

	for (int k = 0; k < 3; ++k)
		hash = (hash ^ (uint64_t)cell[k]) * UINT64_C(0x9E3779B97F4A7C15);
	return (hash >> 20) & overlap->mask;
}

/* With the earlier copies near it. */
static void compare_copy(struct overlap *overlap, int64_t copy)
{
	const double *center = overlap->centers[copy], radius = structure_of(overlap, copy)->radius;
	int64_t own[3], near[3];

	for (int k = 0; k < 3; ++k)
		own[k] = (int64_t)floor(center[k] / overlap->edge);
	for (int n = 0; n < 27; ++n) {
		near[0] = own[0] + n % 3 - 1;
		near[1] = own[1] + n / 3 % 3 - 1;
		near[2] = own[2] + n / 9 - 1;
		for (int64_t other = overlap->heads[head_of(overlap, near)]; other >= 0 && overlap->a < 0;
		     other = overlap->next[other])
			if (distance_between(center, overlap->centers[other]) <
			    radius + structure_of(overlap, other)->radius + SHORTEST_BOND)
				compare(overlap, copy, other);
	}
	int64_t *const head = &overlap->heads[head_of(overlap, own)];
	overlap->next[copy] = *head;
	*head = copy;
}

static sonde_status search(sonde_context *context, int structures, struct overlap *overlap)
{
	const struct ensemble *ensemble = overlap->ensemble;
	const size_t count = (size_t)ensemble->count;

	for (int s = 0; s < structures; ++s) {
		find_ball(&overlap->structures[s]);
		CHECK(fill_cells(&overlap->structures[s]));
		overlap->edge = fmax(overlap->edge, 2.0 * overlap->structures[s].radius + SHORTEST_BOND);
	}
	for (overlap->mask = 1; overlap->mask < count;)
		overlap->mask *= 2;
	CHECK(memory_allocate(&overlap->centers, count, sizeof *overlap->centers, "the copies"));
	CHECK(memory_allocate(&overlap->next, count, sizeof *overlap->next, "the copies"));
	CHECK(memory_allocate(&overlap->heads, (size_t)overlap->mask, sizeof *overlap->heads, "the copies"));
	for (uint64_t k = 0; k < overlap->mask; ++k)
		overlap->heads[k] = -1;
	--overlap->mask;
	for (int64_t copy = 0; copy < ensemble->count && overlap->a < 0; ++copy) {
		placement_apply(&ensemble->placements[copy], structure_of(overlap, copy)->center,
				overlap->centers[copy]);
		compare_copy(overlap, copy);
		if (context_cancelled(context))
			return status_fail(SONDE_CANCELLED, "stopped on request while looking for overlaps");
		if (overlap->compared > MOST_COMPARED) {
			context_notef(context, "only the first %lld of %lld copies were compared for overlaps",
				      (long long)copy + 1, (long long)ensemble->count);
			break;
		}
	}
	return SONDE_OK;
}

sonde_status ensemble_note_overlap(sonde_context *context, int structures, sonde_atoms *const *structure,
				   const struct ensemble *ensemble)
{
	struct searched searched[ENSEMBLE_MOST_STRUCTURES] = {{.atoms = NULL}};
	struct overlap overlap = {.ensemble = ensemble, .structures = searched, .a = -1};

	if (ensemble->count < 2)
		return SONDE_OK;
	if (ensemble->count > MOST_SEARCHED) {
		context_notef(context, "%lld copies were not compared for overlaps", (long long)ensemble->count);
		return SONDE_OK;
	}
	for (int s = 0; s < structures; ++s) {
		searched[s].atoms = structure[s];
		if (structure[s]->count == 0)
			return SONDE_OK;
	}
	const sonde_status status = search(context, structures, &overlap);
	if (status == SONDE_OK && overlap.a >= 0)
		context_notef(context,
			      "copies %lld and %lld overlap: two of their atoms are %.2g Angstrom from each other",
			      (long long)overlap.b + 1, (long long)overlap.a + 1, overlap.distance);
	for (int s = 0; s < structures; ++s) {
		free(searched[s].first);
		free(searched[s].order);
	}
	free(overlap.centers);
	free(overlap.next);
	free(overlap.heads);
	return status;
}
