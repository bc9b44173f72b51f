#include "matter/atoms/neighbors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matter/atoms/atoms_box.h"
#include "run/context.h"

#define SAME_PLACE 1e-3 /* Angstrom */
#define MOST_RANGE 40   /* cells on each side: thinner ones than this are not of a crystal */
#define MOST_WORK 3e10  /* distances */

/* Atoms sorted by cells of at least NEIGHBORS_REACH, in the coordinates of the box. */
struct cells {
	struct atoms_box box;
	bool periodic[3];
	double low[3], span[3]; /* in units of the edges */
	int64_t counts[3], range[3];
	int64_t *first;    /* first atom of each cell, and the end */
	double *positions; /* sorted */
	uint16_t *species;
};

static void free_cells(struct cells *cells)
{
	free(cells->first);
	free(cells->positions);
	free(cells->species);
}

static void fractions_of(const struct cells *cells, const double position[3], double fractions[3])
{
	atoms_box_fractions(&cells->box, position, fractions);
	for (int k = 0; k < 3; ++k)
		if (cells->periodic[k])
			fractions[k] -= floor(fractions[k]);
}

static void find_extent(const sonde_atoms *atoms, struct cells *cells)
{
	double high[3] = {-INFINITY, -INFINITY, -INFINITY}, fractions[3];

	for (int k = 0; k < 3; ++k)
		cells->low[k] = INFINITY;
	for (int64_t i = 0; i < atoms->count; ++i) {
		fractions_of(cells, atoms->positions + 3 * i, fractions);
		for (int k = 0; k < 3; ++k) {
			cells->low[k] = fmin(cells->low[k], fractions[k]);
			high[k] = fmax(high[k], fractions[k]);
		}
	}
	for (int k = 0; k < 3; ++k) {
		cells->low[k] = cells->periodic[k] ? 0.0 : cells->low[k];
		cells->span[k] = cells->periodic[k] ? 1.0 : high[k] - cells->low[k];
	}
}

/* Distances of opposite faces of the box: the volume over the areas of the faces. */
static void find_heights(const struct atoms_box *box, double heights[3])
{
	const double *edges = box->edges, volume = atoms_box_volume(box);

	for (int k = 0; k < 3; ++k) {
		const double *p = edges + (k + 1) % 3 * 3, *q = edges + (k + 2) % 3 * 3;
		const double x = p[1] * q[2] - p[2] * q[1], y = p[2] * q[0] - p[0] * q[2],
			     z = p[0] * q[1] - p[1] * q[0];
		heights[k] = volume / sqrt(x * x + y * y + z * z);
	}
}

/* At most about as many cells as atoms. False if a cell is too thin. */
static bool divide(const sonde_atoms *atoms, struct cells *cells)
{
	double heights[3], wanted = 1.0;

	find_heights(&cells->box, heights);
	for (int k = 0; k < 3; ++k)
		wanted *= fmax(1.0, cells->span[k] * heights[k] / NEIGHBORS_REACH);
	const double wider = fmax(1.0, cbrt(wanted / (double)(atoms->count + 1000)));
	for (int k = 0; k < 3; ++k) {
		const double extent = cells->span[k] * heights[k];
		cells->counts[k] = (int64_t)fmax(1.0, fmin(1e6, floor(extent / (NEIGHBORS_REACH * wider))));
		cells->range[k] =
		    cells->periodic[k] ? (int64_t)ceil(NEIGHBORS_REACH * (double)cells->counts[k] / heights[k]) : 1;
		if (cells->range[k] > MOST_RANGE)
			return false;
	}
	return (double)cells->counts[0] * (double)cells->counts[1] * (double)cells->counts[2] < 1e9;
}

static void cell_of(const struct cells *cells, const double fractions[3], int64_t cell[3])
{
	for (int k = 0; k < 3; ++k) {
		const double span = cells->span[k] > 0.0 ? cells->span[k] : 1.0;
		const int64_t index = (int64_t)((fractions[k] - cells->low[k]) / span * (double)cells->counts[k]);
		cell[k] = index < 0 ? 0 : index < cells->counts[k] ? index : cells->counts[k] - 1;
	}
}

static int64_t number_of(const struct cells *cells, const int64_t cell[3])
{
	return (cell[0] * cells->counts[1] + cell[1]) * cells->counts[2] + cell[2];
}

static void put(const sonde_atoms *atoms, struct cells *cells, int64_t atom, const double fractions[3], int64_t to)
{
	const double *edges = cells->box.edges;

	for (int k = 0; k < 3; ++k)
		cells->positions[3 * to + k] =
		    fractions[0] * edges[k] + fractions[1] * edges[3 + k] + fractions[2] * edges[6 + k];
	cells->species[to] = atoms->species_of[atom];
}

/* Counts the atoms of each cell, then puts them there: first[c + 1] moves from the beginning of cell c to its end. */
static void sort(const sonde_atoms *atoms, struct cells *cells, int64_t total)
{
	double fractions[3];
	int64_t cell[3];

	for (int64_t i = 0; i < atoms->count; ++i) {
		fractions_of(cells, atoms->positions + 3 * i, fractions);
		cell_of(cells, fractions, cell);
		++cells->first[number_of(cells, cell) + 2];
	}
	for (int64_t c = 0; c < total; ++c)
		cells->first[c + 2] += cells->first[c + 1];
	for (int64_t i = 0; i < atoms->count; ++i) {
		fractions_of(cells, atoms->positions + 3 * i, fractions);
		cell_of(cells, fractions, cell);
		put(atoms, cells, i, fractions, cells->first[number_of(cells, cell) + 1]++);
	}
}

/* *feasible: the work is not too much. */
static sonde_status make_cells(const sonde_atoms *atoms, struct cells *cells, bool *feasible)
{
	*feasible = false;
	if (atoms_box_make(atoms, &cells->box) != SONDE_OK)
		return SONDE_OK; /* a cell without volume */
	for (int k = 0; k < 3; ++k)
		cells->periodic[k] = atoms->has_lattice && atoms->periodic[k > 0 && cells->box.swapped ? 3 - k : k];
	find_extent(atoms, cells);
	if (!divide(atoms, cells))
		return SONDE_OK;
	const int64_t total = cells->counts[0] * cells->counts[1] * cells->counts[2];
	CHECK(memory_allocate(&cells->first, (size_t)total + 2, sizeof *cells->first, "the neighbors of the atoms"));
	CHECK(memory_allocate(&cells->positions, 3 * (size_t)atoms->count, sizeof *cells->positions,
			      "the neighbors of the atoms"));
	CHECK(memory_allocate(&cells->species, (size_t)atoms->count, sizeof *cells->species,
			      "the neighbors of the atoms"));
	sort(atoms, cells, total);
	double pairs = 0.0;
	for (int64_t c = 0; c < total; ++c)
		pairs += pow((double)(cells->first[c + 1] - cells->first[c]), 2.0);
	for (int k = 0; k < 3; ++k)
		pairs *= 2.0 * (double)cells->range[k] + 1.0;
	*feasible = pairs / (double)atoms->count * fmin((double)atoms->count, NEIGHBORS_MOST_CENTERS) < MOST_WORK;
	return SONDE_OK;
}

/* What is looked for around each center: first the distances, then, with shells, the numbers. */
struct search {
	const struct cells *cells;
	int64_t stride;
	int species;
	double *nearest;      /* squares, by center and species; infinite: none */
	const double *shells; /* squares, by pairs of species; null at first */
	int32_t *numbers;     /* by center and species */
};

static void look_into(const struct search *search, int64_t cell, const double from[3], double *nearest,
		      const double *shells, int32_t *numbers)
{
	const struct cells *cells = search->cells;

	for (int64_t j = cells->first[cell]; j < cells->first[cell + 1]; ++j) {
		const double *position = cells->positions + 3 * j, x = position[0] - from[0],
			     y = position[1] - from[1], z = position[2] - from[2], square = x * x + y * y + z * z;
		const int s = search->species > 1 ? cells->species[j] : 0;
		if (square < SAME_PLACE * SAME_PLACE || square > NEIGHBORS_REACH * NEIGHBORS_REACH)
			continue;
		if (shells != NULL)
			numbers[s] += square <= shells[s];
		else if (square < nearest[s])
			nearest[s] = square;
	}
}

/* The cell at an index that may be beyond the boundary; *shift is in edges. False if there is none. */
static bool wrap(const struct cells *cells, int axis, int64_t *index, double *shift)
{
	const int64_t count = cells->counts[axis];

	*shift = 0.0;
	if (*index >= 0 && *index < count)
		return true;
	if (!cells->periodic[axis])
		return false;
	const int64_t turns = *index >= 0 ? *index / count : -((count - 1 - *index) / count);
	*index -= turns * count;
	*shift = (double)turns;
	return true;
}

static void look_around(const struct search *search, int64_t atom, double *nearest, const double *shells,
			int32_t *numbers)
{
	const struct cells *cells = search->cells;
	const double *edges = cells->box.edges, *position = cells->positions + 3 * atom;
	double fractions[3], shift[3], from[3];
	int64_t cell[3], at[3];

	fractions[2] = position[2] / edges[8];
	fractions[1] = (position[1] - fractions[2] * edges[7]) / edges[4];
	fractions[0] = (position[0] - fractions[1] * edges[3] - fractions[2] * edges[6]) / edges[0];
	cell_of(cells, fractions, cell);
	for (int64_t a = -cells->range[0]; a <= cells->range[0]; ++a) {
		for (int64_t b = -cells->range[1]; b <= cells->range[1]; ++b) {
			for (int64_t c = -cells->range[2]; c <= cells->range[2]; ++c) {
				at[0] = cell[0] + a;
				at[1] = cell[1] + b;
				at[2] = cell[2] + c;
				if (!wrap(cells, 0, &at[0], &shift[0]) || !wrap(cells, 1, &at[1], &shift[1]) ||
				    !wrap(cells, 2, &at[2], &shift[2]))
					continue;
				for (int k = 0; k < 3; ++k)
					from[k] = position[k] - shift[0] * edges[k] - shift[1] * edges[3 + k] -
						  shift[2] * edges[6 + k];
				look_into(search, number_of(cells, at), from, nearest, shells, numbers);
			}
		}
	}
}

static void search_part(void *state, int64_t first, int64_t end, int worker)
{
	const struct search *search = state;
	const size_t species = (size_t)search->species;

	(void)worker;
	for (int64_t center = first; center < end; ++center) {
		const int64_t atom = center * search->stride;
		const size_t row = species > 1 ? search->cells->species[atom] : 0;
		look_around(search, atom, search->nearest + (size_t)center * species,
			    search->shells != NULL ? search->shells + row * species : NULL,
			    search->numbers + (size_t)center * species);
	}
}

/* Of all centers, in their order. */
static void sum_distances(const struct search *search, struct neighbors *found, double *centers_of)
{
	const int species = search->species;
	int64_t with = 0;

	found->shortest = INFINITY;
	for (int64_t center = 0; center < found->centers; ++center) {
		const int a = species > 1 ? search->cells->species[center * search->stride] : 0;
		double least = INFINITY;
		for (int b = 0; b < species; ++b) {
			const double distance = sqrt(search->nearest[center * species + b]);
			struct neighbor_pair *pair = &found->pairs[a * species + b];
			least = fmin(least, distance);
			if (isinf(distance))
				continue;
			pair->shortest = pair->coordination > 0.0 ? fmin(pair->shortest, distance) : distance;
			pair->mean += distance;
			pair->coordination += 1.0; /* atoms with such a neighbor, for now */
		}
		centers_of[a] += 1.0;
		found->shortest = fmin(found->shortest, least);
		found->mean += isinf(least) ? 0.0 : least;
		with += !isinf(least);
	}
	found->mean = with > 0 ? found->mean / (double)with : 0.0;
	found->shortest = with > 0 ? found->shortest : 0.0;
	for (int p = 0; p < species * species; ++p) {
		struct neighbor_pair *pair = &found->pairs[p];
		pair->mean = pair->coordination > 0.0 ? pair->mean / pair->coordination : 0.0;
		pair->shell = NEIGHBORS_SHELL * pair->mean;
		pair->coordination = 0.0;
	}
}

static void sum_numbers(const struct search *search, struct neighbors *found, const double *centers_of)
{
	const int species = search->species;

	for (int64_t center = 0; center < found->centers; ++center) {
		const int a = species > 1 ? search->cells->species[center * search->stride] : 0;
		for (int b = 0; b < species; ++b)
			found->pairs[a * species + b].coordination += search->numbers[center * species + b];
	}
	for (int p = 0; p < species * species; ++p)
		if (centers_of[p / species] > 0.0)
			found->pairs[p].coordination /= centers_of[p / species];
}

static sonde_status search_all(sonde_context *context, struct search *search, struct neighbors *found)
{
	double shells[NEIGHBORS_MOST_SPECIES * NEIGHBORS_MOST_SPECIES], centers_of[NEIGHBORS_MOST_SPECIES] = {0};
	const int threads = context_threads(context), pairs = search->species * search->species;
	const size_t values = (size_t)found->centers * (size_t)search->species;

	for (size_t k = 0; k < values; ++k)
		search->nearest[k] = INFINITY;
	threads_for(threads, found->centers, threads_grain(threads, found->centers), search_part, search);
	sum_distances(search, found, centers_of);
	for (int p = 0; p < pairs; ++p)
		shells[p] = found->pairs[p].shell * found->pairs[p].shell;
	search->shells = shells;
	threads_for(threads, found->centers, threads_grain(threads, found->centers), search_part, search);
	sum_numbers(search, found, centers_of);
	return context_cancelled(context) ? status_fail(SONDE_CANCELLED, "stopped while counting neighbors")
					  : SONDE_OK;
}

static sonde_status search_cells(sonde_context *context, const sonde_atoms *atoms, const struct cells *cells,
				 struct neighbors *found)
{
	const bool few = atoms->species_count <= NEIGHBORS_MOST_SPECIES;
	struct search search = {.cells = cells, .species = few ? atoms->species_count : 1};
	sonde_status status;

	search.stride = found->stride = (atoms->count - 1) / NEIGHBORS_MOST_CENTERS + 1;
	found->centers = (atoms->count - 1) / search.stride + 1;
	found->species = few ? atoms->species_count : 0;
	const size_t species = (size_t)search.species, values = (size_t)found->centers * species;
	CHECK_GOTO(status, memory_allocate(&search.nearest, values, sizeof *search.nearest, "distances"), end);
	CHECK_GOTO(status, memory_allocate(&search.numbers, values, sizeof *search.numbers, "neighbors"), end);
	CHECK_GOTO(status, memory_allocate(&found->pairs, species * species, sizeof *found->pairs, "neighbors"), end);
	status = search_all(context, &search, found);
end:
	free(search.nearest);
	free(search.numbers);
	return status;
}

sonde_status neighbors_find(sonde_context *context, const sonde_atoms *atoms, struct neighbors *neighbors)
{
	struct cells cells = {.first = NULL};
	bool feasible;

	*neighbors = (struct neighbors){.centers = 0};
	if (atoms->count == 0 || atoms->count > NEIGHBORS_MOST_ATOMS)
		return SONDE_OK;
	sonde_status status = make_cells(atoms, &cells, &feasible);
	if (status == SONDE_OK && feasible)
		status = search_cells(context, atoms, &cells, neighbors);
	free_cells(&cells);
	if (status != SONDE_OK)
		neighbors_free(neighbors);
	return status;
}

void neighbors_free(struct neighbors *neighbors)
{
	free(neighbors->pairs);
	*neighbors = (struct neighbors){.centers = 0};
}
