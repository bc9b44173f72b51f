/* The lattice of atoms, from their positions: a guess (lattice_guess.h), which is verified. Every atom gets its cell and
 * its site, the vectors and the sites are fitted to all atoms by least squares, and every atom has to be at its place,
 * but for the rounding of its coordinates.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matter/atoms/atoms.h"
#include "matter/crystal/crystal.h"
#include "matter/crystal/lattice_search.h"

#define LEAST_ATOMS 8 /* of a kind that translations are looked for in */
#define MOST_KINDS_TRIED 4

/* The lattice --------------------------------------------------------------------------------------------- */

/* A site seen along another vector of the cell: axis[k] is the vector of the search that is number k of the lattice.
 */
struct turned_site {
	const struct lattice_cell_site *site;
	int axis[3];
};

static int find_runs(const void *user, int64_t n2, int64_t n3, struct lattice_run *runs)
{
	const struct turned_site *turned = user;
	const struct lattice_cell_site *site = turned->site;
	const int row = turned->axis[0];
	int64_t n[3], began = 0;
	int count = 0;
	bool inside = false;

	n[turned->axis[1]] = n2;
	n[turned->axis[2]] = n3;
	for (int64_t cell = site->sums.low[row]; cell <= site->sums.high[row] + 1; ++cell) {
		n[row] = cell;
		const bool here = cell <= site->sums.high[row] && lattice_search_has_atom(site, n);
		if (here && !inside)
			began = cell;
		if (!here && inside && count++ < LATTICE_MOST_RUNS)
			runs[count - 1] = (struct lattice_run){began, cell};
		inside = here;
	}
	return count;
}

/* The vector along which there are the fewest rows. */
static int choose_rows(const struct lattice_search *search)
{
	double least = INFINITY;
	int found = 0;

	for (int axis = 0; axis < 3; ++axis) {
		double rows = 0.0;
		for (int s = 0; s < search->site_count; ++s) {
			const struct lattice_cell_site *site = &search->sites[s];
			rows += lattice_search_cells_of(site) /
				((double)(site->sums.high[axis] - site->sums.low[axis]) + 1.0);
		}
		if (rows < least) {
			least = rows;
			found = axis;
		}
	}
	return found;
}

static sonde_status add_sites(sonde_context *context, const struct lattice_search *search, sonde_lattice *lattice)
{
	const int rows = choose_rows(search);

	for (int k = 0; k < 3; ++k)
		memcpy(lattice->vectors[k], search->vectors[(rows + k) % 3], sizeof lattice->vectors[k]);
	for (int s = 0; s < search->site_count; ++s) {
		const struct lattice_cell_site *of = &search->sites[s];
		const struct turned_site turned = {of, {rows, (rows + 1) % 3, (rows + 2) % 3}};
		struct lattice_site site = {.kind = of->kind, .row = find_runs, .user = &turned};
		for (int k = 0; k < 3; ++k) {
			site.position[k] = of->position[k] + search->origin[k];
			site.low[k] = of->sums.low[turned.axis[k]];
			site.high[k] = of->sums.high[turned.axis[k]];
		}
		CHECK(lattice_add_site(context, lattice, &site));
	}
	return SONDE_OK;
}

/* Tries one guess of the vectors. */
static sonde_status try_vectors(sonde_context *context, struct lattice_search *search,
				const struct lattice_middle *middle, sonde_lattice *lattice, bool *found)
{
	bool possible;

	*found = false;
	if (!(fabs(crystal_reciprocal((const double(*)[3])search->vectors, search->reciprocal)) > 1e-3) ||
	    !lattice_search_assign_middle(search, middle))
		return SONDE_OK;
	CHECK(lattice_search_assign(search, &possible));
	if (!possible)
		return SONDE_OK;
	sonde_status status = lattice_search_verify(search, found);
	if (status == SONDE_OK && *found)
		status = add_sites(context, search, lattice);
	lattice_search_free_cells(search);
	return status;
}

/* Looks for the translations between atoms of a kind. */
static sonde_status try_kind(sonde_context *context, struct lattice_search *search, int kind, sonde_lattice *lattice,
			     bool *found)
{
	static const size_t tested[] = {48, 12, 400}; /* few in small samples, many in large cells */
	struct lattice_middle middle;
	bool guessed;

	sonde_status status = lattice_middle_take(search->threads, search->atoms, kind, &middle);
	memcpy(search->origin, middle.origin, sizeof search->origin);
	for (int k = 0; k < 3 && status == SONDE_OK && !*found; ++k) {
		status = lattice_guess(&middle, tested[k], search->vectors, &guessed);
		if (status == SONDE_OK && guessed)
			status = try_vectors(context, search, &middle, lattice, found);
	}
	lattice_middle_free(&middle);
	return status;
}

/* The kinds with the fewest atoms first. */
static sonde_status try_kinds(sonde_context *context, struct lattice_search *search, sonde_lattice *lattice,
			      bool *found)
{
	int64_t tried = 0;

	for (int trial = 0; trial < MOST_KINDS_TRIED && !*found; ++trial) {
		int best = -1;
		for (int k = 0; k < lattice->kind_count; ++k) {
			const int64_t atoms = lattice->kinds[k].atoms * lattice->kind_count + k;
			if (lattice->kinds[k].atoms >= LEAST_ATOMS && atoms > tried &&
			    (best < 0 || atoms < lattice->kinds[best].atoms * lattice->kind_count + best))
				best = k;
		}
		if (best < 0)
			return SONDE_OK;
		tried = lattice->kinds[best].atoms * lattice->kind_count + best;
		CHECK(try_kind(context, search, best, lattice, found));
	}
	return SONDE_OK;
}

sonde_status lattice_find(sonde_context *context, const struct lattice_atoms *atoms, const char *name,
			  sonde_lattice *lattice)
{
	struct lattice_search *search;
	bool found = false;

	CHECK(memory_allocate(&search, 1, sizeof *search, "the lattice"));
	search->atoms = atoms;
	search->threads = context_threads(context);
	for (int64_t i = 0; i < atoms->count; ++i)
		++lattice->kinds[atoms->kind_of[i]].atoms;
	sonde_status status = try_kinds(context, search, lattice, &found);
	lattice->deviation = search->deviation;
	lattice->diameter = cbrt(6.0 / M_PI * (double)atoms->count *
				 fabs(crystal_reciprocal((const double(*)[3])search->vectors, search->reciprocal)) /
				 fmax(1.0, search->site_count));
	lattice->spread = search->spread;
	lattice->slow = search->slow;
	free(search);
	CHECK(status);
	if (!found)
		return status_fail(
		    SONDE_INVALID,
		    "%.300s: the atoms are not on a lattice: no three translations, with at most %d atoms in "
		    "their cell, give the position of every atom within %g Angstrom, or within the rounding of "
		    "coordinates; `method auto` sums any sample",
		    name, LATTICE_MOST_SITES, LATTICE_ANY_DEVIATION);
	return lattice_finish(lattice);
}

/* The atoms with an occupancy above 0, copied. */
static sonde_status take_atoms(const sonde_atoms *atoms, sonde_lattice *lattice, struct lattice_atoms *taken,
			       double *positions, uint16_t *kinds)
{
	const double *occupancies = sonde_atoms_occupancies(atoms);
	int kind;

	*taken = (struct lattice_atoms){.positions = positions, .kind_of = kinds};
	for (int64_t i = 0; i < atoms->count; ++i) {
		const double occupancy = occupancies != NULL ? occupancies[i] : 1.0;
		if (occupancy == 0.0)
			continue;
		CHECK(lattice_find_kind(lattice, atoms->species[atoms->species_of[i]].label, occupancy, &kind));
		if (kind >= LATTICE_MOST_SITES)
			return status_fail(SONDE_INVALID,
					   "more than %d kinds of atoms of one label and one occupancy",
					   LATTICE_MOST_SITES);
		memcpy(positions + 3 * taken->count, atoms->positions + 3 * i, 3 * sizeof *positions);
		kinds[taken->count++] = (uint16_t)kind;
	}
	return SONDE_OK;
}

sonde_status sonde_lattice_find(sonde_context *context, const sonde_atoms *atoms, sonde_lattice **lattice)
{
	struct lattice_atoms taken;
	double *positions = NULL;
	uint16_t *kinds = NULL;
	sonde_status status;

	*lattice = NULL;
	if (context == NULL || atoms == NULL)
		return status_fail(SONDE_INVALID, "a context and atoms are needed, one of them is null");
	CHECK(atoms_need_positions(atoms));
	const size_t count = (size_t)atoms->count;
	const char *name = atoms->source.bytes != NULL ? atoms->source.bytes : "sample";
	CHECK_GOTO(status, lattice_create(lattice), done);
	CHECK_GOTO(status, memory_allocate(&positions, 3 * count, sizeof *positions, "the lattice"), done);
	CHECK_GOTO(status, memory_allocate(&kinds, count, sizeof *kinds, "the lattice"), done);
	CHECK_GOTO(status, take_atoms(atoms, *lattice, &taken, positions, kinds), done);
	CHECK_GOTO(status, lattice_find(context, &taken, name, *lattice), done);
	text_append(&(*lattice)->source, "%s", name);
	memcpy((*lattice)->sha256, atoms->sha256, sizeof(*lattice)->sha256);
	status = text_status(&(*lattice)->source);
done:
	free(positions);
	free(kinds);
	if (status != SONDE_OK)
		sonde_lattice_free(lattice);
	return status;
}
