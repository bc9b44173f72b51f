/* Cells with atoms, and the deviations of these from the lattice. */
#include "matter/crystal/lattice_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "base/vectors.h"
#include "matter/crystal/lattice_residues.h"

#define MOST_TIMES_SPREAD \
	12.0 /* of a deviation above LATTICE_ANY_DEVIATION; rounded coordinates have no larger ones */
#define EXACT_DEVIATION 1e-10    /* of coordinates in float64 */
#define MOST_BITS_PER_ATOM 512.0 /* of the boxes of cells */
#define CELLS_PER_WORD 64

double lattice_search_cells_of(const struct lattice_cell_site *site)
{
	double cells = 1.0;

	for (int k = 0; k < 3; ++k)
		cells *= (double)(site->sums.high[k] - site->sums.low[k]) + 1.0;
	return cells;
}

static size_t bit_of(const struct lattice_cell_site *site, const int64_t n[3])
{
	const int64_t *low = site->sums.low, *high = site->sums.high;
	const size_t width = (size_t)(high[1] - low[1]) + 1, length = (size_t)(high[0] - low[0]) + 1;

	return ((size_t)(n[2] - low[2]) * width + (size_t)(n[1] - low[1])) * length + (size_t)(n[0] - low[0]);
}

bool lattice_search_has_atom(const struct lattice_cell_site *site, const int64_t n[3])
{
	const size_t bit = bit_of(site, n);

	return (site->cells[bit / CELLS_PER_WORD] >> bit % CELLS_PER_WORD & 1) != 0;
}

static sonde_status allocate_cells(struct lattice_search *search, bool *possible)
{
	double cells = 0.0;

	for (int s = 0; s < search->site_count; ++s)
		cells += lattice_search_cells_of(&search->sites[s]);
	*possible = cells <= MOST_BITS_PER_ATOM * (double)search->atoms->count + 1e5;
	for (int s = 0; s < search->site_count && *possible; ++s)
		CHECK(memory_allocate(&search->sites[s].cells,
				      (size_t)lattice_search_cells_of(&search->sites[s]) / CELLS_PER_WORD + 1,
				      sizeof(uint64_t), "the lattice"));
	return SONDE_OK;
}

void lattice_search_free_cells(struct lattice_search *search)
{
	for (int s = 0; s < search->site_count; ++s) {
		free(search->sites[s].cells);
		search->sites[s].cells = NULL;
	}
}

/* The site at whose place an atom is, r from the origin, its cell, and its difference from the place; -1: at none. */
static int find_place(const struct lattice_search *search, int kind, const double r[3], int64_t n[3],
		      double difference[3])
{
	for (int s = 0; s < search->site_count; ++s) {
		const struct lattice_cell_site *site = &search->sites[s];
		double relative[3], fractions[3];
		if (site->kind != kind)
			continue;
		for (int k = 0; k < 3; ++k)
			relative[k] = r[k] - site->position[k];
		for (int k = 0; k < 3; ++k)
			fractions[k] = vector_dot(search->reciprocal[k], relative);
		if (lattice_search_find_cell(search, fractions, n, difference) <= LATTICE_LARGEST_DEVIATION)
			return s;
	}
	return -1;
}

/* Puts an atom in its cell; false if it is not at its place, or another one is there. */
static bool place_atom(const struct lattice_search *search, int64_t atom, double *largest)
{
	double r[3], difference[3];
	int64_t n[3];

	lattice_search_relative(search, atom, r);
	const int found = find_place(search, search->atoms->kind_of[atom], r, n, difference);
	if (found < 0)
		return false;
	const struct lattice_cell_site *site = &search->sites[found];
	for (int k = 0; k < 3; ++k)
		if (n[k] < site->sums.low[k] || n[k] > site->sums.high[k])
			return false;
	const size_t bit = bit_of(site, n);
	const uint64_t mask = UINT64_C(1) << bit % CELLS_PER_WORD;
	*largest = fmax(*largest, sqrt(vector_dot(difference, difference)));
	return (__atomic_fetch_or(&site->cells[bit / CELLS_PER_WORD], mask, __ATOMIC_RELAXED) & mask) == 0;
}

static void verify_blocks(void *state, int64_t first, int64_t end, int worker)
{
	const struct lattice_pass *pass = state;

	(void)worker;
	for (int64_t number = first; number < end; ++number) {
		bool misplaced = false;
		double deviation = 0.0;
		for (int64_t i = number * LATTICE_BLOCK_ATOMS; i < lattice_search_end_of(pass, number) && !misplaced;
		     ++i)
			misplaced = !place_atom(pass->search, i, &deviation);
		pass->blocks[number].misplaced = misplaced;
		pass->blocks[number].deviation = deviation;
	}
}

static sonde_status place_atoms(struct lattice_search *search, bool *right)
{
	struct lattice_pass pass;

	CHECK(lattice_search_pass_make(search, &pass));
	threads_for(search->threads, pass.block_count, 1, verify_blocks, &pass);
	*right = true;
	search->deviation = search->spread = search->slow = 0.0;
	for (int64_t number = 0; number < pass.block_count; ++number) {
		*right = *right && !pass.blocks[number].misplaced;
		search->deviation = fmax(search->deviation, pass.blocks[number].deviation);
	}
	lattice_search_pass_free(&pass);
	return SONDE_OK;
}

/* The atoms in parts, which do not depend on the threads. */
#define MOST_PARTS 16
#define SITES_OF_PARTS 64 /* in all parts */

struct measuring {
	const struct lattice_search *search;
	struct lattice_residues parts[MOST_PARTS];
	int64_t count;
};

static void measure_parts(void *state, int64_t first, int64_t end, int worker)
{
	struct measuring *measuring = state;
	const struct lattice_search *search = measuring->search;
	const int64_t atoms = search->atoms->count;

	(void)worker;
	for (int64_t part = first; part < end; ++part) {
		struct lattice_residues residues = measuring->parts[part];
		for (int64_t i = atoms * part / measuring->count; i < atoms * (part + 1) / measuring->count; ++i) {
			double r[3], difference[3];
			int64_t n[3];
			lattice_search_relative(search, i, r);
			const int site = find_place(search, search->atoms->kind_of[i], r, n, difference);
			lattice_residues_add(&residues, site, r, difference);
		}
		measuring->parts[part] = residues;
	}
}

static void find_box(const struct lattice_search *search, double low[3], double high[3])
{
	for (int k = 0; k < 3; ++k)
		low[k] = high[k] = search->atoms->positions[k] - search->origin[k];
	for (int64_t i = 1; i < search->atoms->count; ++i) {
		double r[3];
		lattice_search_relative(search, i, r);
		for (int k = 0; k < 3; ++k) {
			low[k] = r[k] < low[k] ? r[k] : low[k];
			high[k] = r[k] > high[k] ? r[k] : high[k];
		}
	}
}

static int64_t count_parts(const struct lattice_search *search)
{
	const int64_t by_atoms = search->atoms->count / LATTICE_BLOCK_ATOMS + 1,
		      by_sites = SITES_OF_PARTS / search->site_count + 1,
		      parts = by_atoms < by_sites ? by_atoms : by_sites;

	return parts < MOST_PARTS ? parts : MOST_PARTS;
}

/* How the coordinates are rounded; *right is false if the deviations are those of single atoms. */
static sonde_status measure_residues(struct lattice_search *search, bool *right)
{
	double low[3], high[3];

	if (search->deviation <= EXACT_DEVIATION)
		return SONDE_OK;
	find_box(search, low, high);
	struct measuring measuring = {.search = search, .count = count_parts(search)};
	sonde_status status = SONDE_OK;
	for (int64_t part = 0; part < measuring.count && status == SONDE_OK; ++part)
		status = lattice_residues_make(search->site_count, low, high, &measuring.parts[part]);
	if (status == SONDE_OK) {
		struct lattice_residues *all = &measuring.parts[0];
		threads_for(search->threads, measuring.count, 1, measure_parts, &measuring);
		for (int64_t part = 1; part < measuring.count; ++part)
			lattice_residues_join(all, &measuring.parts[part]);
		search->spread = lattice_residues_spread(all);
		search->slow = lattice_residues_slow(all);
		*right = search->deviation <= LATTICE_ANY_DEVIATION ||
			 search->deviation <= MOST_TIMES_SPREAD * search->spread;
	}
	for (int64_t part = 0; part < measuring.count; ++part)
		lattice_residues_free(&measuring.parts[part]);
	return status;
}

sonde_status lattice_search_verify(struct lattice_search *search, bool *right)
{
	CHECK(allocate_cells(search, right));
	if (*right)
		CHECK(place_atoms(search, right));
	return *right ? measure_residues(search, right) : SONDE_OK;
}
