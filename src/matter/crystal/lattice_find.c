/* The lattice of atoms, from their positions: a guess (lattice_guess.h), which is verified. Every atom gets its cell and
 * its site, the vectors and the sites are fitted to all atoms by least squares, and every atom has to be at its place.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matter/atoms/atoms.h"
#include "matter/crystal/crystal.h"
#include "matter/crystal/lattice_guess.h"

#define LARGEST_DEVIATION 1e-6 /* Angstrom, of an atom from its place */
#define LEAST_ATOMS 8          /* of a kind that translations are looked for in */
#define MOST_SITES 256
#define MOST_KINDS_TRIED 4
#define MOST_BITS_PER_ATOM 512.0 /* of the boxes of cells */
#define CELLS_PER_WORD 64

/* The search ------------------------------------------------------------------------------------------- */

struct cell_site {
	double fraction[3]; /* of the first atom found on it */
	int kind;
	int64_t low[3], high[3]; /* cells of its atoms */
	int64_t count;
	double n[3], r[3];  /* sums of cells and positions */
	double position[3]; /* fitted, of cell 0 */
	uint64_t *cells;    /* a bit for each in the box */
};

struct search {
	const struct lattice_atoms *atoms;
	double origin[3]; /* an atom near the middle */
	double vectors[3][3], reciprocal[3][3];
	struct cell_site sites[MOST_SITES];
	int site_count;
	double nn[3][3], rn[3][3]; /* sums of products of cells, and of positions and cells */
	double deviation;
};

/* Cells and sites of all atoms ---------------------------------------------------------------------------- */

/* Coordinates in the cell of the origin's, unwrapped. */
static void find_fractions(const struct search *search, const double r[3], double fractions[3])
{
	for (int k = 0; k < 3; ++k) {
		fractions[k] = 0.0;
		for (int m = 0; m < 3; ++m)
			fractions[k] += search->reciprocal[k][m] * (r[m] - search->origin[m]);
	}
}

/* The cell n of a point of a site, and how far the point is from its place, from the fractions of their difference. */
static double find_cell(const struct search *search, const double difference[3], int64_t n[3])
{
	double square = 0.0, rest[3];

	for (int k = 0; k < 3; ++k) {
		rest[k] = difference[k] - round(difference[k]);
		n[k] = (int64_t)round(difference[k]);
	}
	for (int m = 0; m < 3; ++m) {
		double d = 0.0;
		for (int k = 0; k < 3; ++k)
			d += rest[k] * search->vectors[k][m];
		square += d * d;
	}
	return sqrt(square);
}

/* The site of an atom, a new one if it is on no other; null: there are too many. */
static struct cell_site *find_site(struct search *search, int kind, const double fractions[3], int64_t n[3])
{
	for (int s = 0; s < search->site_count; ++s) {
		struct cell_site *site = &search->sites[s];
		const double difference[3] = {fractions[0] - site->fraction[0], fractions[1] - site->fraction[1],
					      fractions[2] - site->fraction[2]};
		if (site->kind == kind && find_cell(search, difference, n) <= LATTICE_COARSE)
			return site;
	}
	if (search->site_count == MOST_SITES)
		return NULL;
	struct cell_site *site = &search->sites[search->site_count++];
	*site = (struct cell_site){.kind = kind};
	for (int k = 0; k < 3; ++k) {
		n[k] = 0;
		site->fraction[k] = fractions[k];
	}
	return site;
}

static void add_to_site(struct search *search, struct cell_site *site, const double r[3], const int64_t n[3])
{
	for (int k = 0; k < 3; ++k) {
		site->low[k] = site->count == 0 || n[k] < site->low[k] ? n[k] : site->low[k];
		site->high[k] = site->count == 0 || n[k] > site->high[k] ? n[k] : site->high[k];
		site->n[k] += (double)n[k];
		site->r[k] += r[k] - search->origin[k];
		for (int m = 0; m < 3; ++m) {
			search->nn[k][m] += (double)n[k] * (double)n[m];
			search->rn[k][m] += (r[k] - search->origin[k]) * (double)n[m];
		}
	}
	++site->count;
}

/* Gives every atom its cell and site; false: there are too many sites for a lattice. */
static bool assign(struct search *search)
{
	const struct lattice_atoms *atoms = search->atoms;
	int64_t n[3];

	search->site_count = 0;
	memset(search->nn, 0, sizeof search->nn);
	memset(search->rn, 0, sizeof search->rn);
	for (int64_t i = 0; i < atoms->count; ++i) {
		double fractions[3];
		find_fractions(search, atoms->positions + 3 * i, fractions);
		struct cell_site *site = find_site(search, search->atoms->kind_of[i], fractions, n);
		if (site == NULL)
			return false;
		add_to_site(search, site, atoms->positions + 3 * i, n);
	}
	return 2.0 * search->site_count <= (double)atoms->count;
}

/* Least squares of r = o_site + n A: with deviations from the means of each site, A = (sum n n^T)^-1 sum n r^T. False:
 * the cells lie in a plane. */
static bool fit(struct search *search)
{
	double nn[3][3], rn[3][3], inverse[3][3];

	memcpy(nn, search->nn, sizeof nn);
	memcpy(rn, search->rn, sizeof rn);
	for (int s = 0; s < search->site_count; ++s) {
		const struct cell_site *site = &search->sites[s];
		for (int k = 0; k < 3; ++k)
			for (int m = 0; m < 3; ++m) {
				nn[k][m] -= site->n[k] * site->n[m] / (double)site->count;
				rn[k][m] -= site->r[k] * site->n[m] / (double)site->count;
			}
	}
	/* rows of the inverse's transpose, which is symmetric */
	if (!(fabs(crystal_reciprocal((const double(*)[3])nn, inverse)) > 1e-3))
		return false;
	for (int k = 0; k < 3; ++k)
		for (int m = 0; m < 3; ++m) {
			search->vectors[k][m] = 0.0;
			for (int j = 0; j < 3; ++j)
				search->vectors[k][m] += inverse[k][j] * rn[m][j];
		}
	for (int s = 0; s < search->site_count; ++s) {
		struct cell_site *site = &search->sites[s];
		for (int m = 0; m < 3; ++m) {
			site->position[m] = site->r[m] / (double)site->count;
			for (int k = 0; k < 3; ++k)
				site->position[m] -= site->n[k] / (double)site->count * search->vectors[k][m];
		}
	}
	return fabs(crystal_reciprocal((const double(*)[3])search->vectors, search->reciprocal)) > 1e-3;
}

/* The cells of the sites, as bits --------------------------------------------------------------------------- */

static double cells_of(const struct cell_site *site)
{
	double cells = 1.0;

	for (int k = 0; k < 3; ++k)
		cells *= (double)(site->high[k] - site->low[k]) + 1.0;
	return cells;
}

static size_t bit_of(const struct cell_site *site, const int64_t n[3])
{
	const size_t width = (size_t)(site->high[1] - site->low[1]) + 1,
		     length = (size_t)(site->high[0] - site->low[0]) + 1;

	return ((size_t)(n[2] - site->low[2]) * width + (size_t)(n[1] - site->low[1])) * length +
	       (size_t)(n[0] - site->low[0]);
}

static sonde_status allocate_cells(struct search *search, bool *possible)
{
	double cells = 0.0;

	for (int s = 0; s < search->site_count; ++s)
		cells += cells_of(&search->sites[s]);
	*possible = cells <= MOST_BITS_PER_ATOM * (double)search->atoms->count + 1e5;
	for (int s = 0; s < search->site_count && *possible; ++s)
		CHECK(memory_allocate(&search->sites[s].cells,
				      (size_t)cells_of(&search->sites[s]) / CELLS_PER_WORD + 1, sizeof(uint64_t),
				      "the lattice"));
	return SONDE_OK;
}

static void free_cells(struct search *search)
{
	for (int s = 0; s < search->site_count; ++s) {
		free(search->sites[s].cells);
		search->sites[s].cells = NULL;
	}
}

/* Puts an atom in its cell; false if it is not at its place, or another one is there. */
static bool place_atom(struct search *search, int kind, const double r[3])
{
	for (int s = 0; s < search->site_count; ++s) {
		struct cell_site *site = &search->sites[s];
		double relative[3], fractions[3];
		int64_t n[3];
		if (site->kind != kind)
			continue;
		for (int k = 0; k < 3; ++k)
			relative[k] = r[k] - site->position[k];
		find_fractions(search, relative, fractions);
		const double deviation = find_cell(search, fractions, n);
		if (deviation > LARGEST_DEVIATION)
			continue;
		for (int k = 0; k < 3; ++k)
			if (n[k] < site->low[k] || n[k] > site->high[k])
				return false;
		const size_t bit = bit_of(site, n);
		const uint64_t mask = UINT64_C(1) << bit % CELLS_PER_WORD;
		if ((site->cells[bit / CELLS_PER_WORD] & mask) != 0)
			return false;
		site->cells[bit / CELLS_PER_WORD] |= mask;
		search->deviation = fmax(search->deviation, deviation);
		return true;
	}
	return false;
}

static bool verify(struct search *search)
{
	const struct lattice_atoms *atoms = search->atoms;

	search->deviation = 0.0;
	for (int64_t i = 0; i < atoms->count; ++i)
		if (!place_atom(search, search->atoms->kind_of[i], atoms->positions + 3 * i))
			return false;
	return true;
}

/* The lattice --------------------------------------------------------------------------------------------- */

static bool has_atom(const struct cell_site *site, size_t bit)
{
	return (site->cells[bit / CELLS_PER_WORD] >> bit % CELLS_PER_WORD & 1) != 0;
}

/* A site seen along another vector of the cell: axis[k] is the vector of the search that is number k of the lattice.
 */
struct turned_site {
	const struct cell_site *site;
	int axis[3];
};

static int find_runs(const void *user, int64_t n2, int64_t n3, struct lattice_run *runs)
{
	const struct turned_site *turned = user;
	const struct cell_site *site = turned->site;
	const int row = turned->axis[0];
	int64_t n[3], began = 0;
	int count = 0;
	bool inside = false;

	n[turned->axis[1]] = n2;
	n[turned->axis[2]] = n3;
	for (int64_t cell = site->low[row]; cell <= site->high[row] + 1; ++cell) {
		n[row] = cell;
		const bool here = cell <= site->high[row] && has_atom(site, bit_of(site, n));
		if (here && !inside)
			began = cell;
		if (!here && inside && count++ < LATTICE_MOST_RUNS)
			runs[count - 1] = (struct lattice_run){began, cell};
		inside = here;
	}
	return count;
}

/* The vector along which there are the fewest rows. */
static int choose_rows(const struct search *search)
{
	double least = INFINITY;
	int found = 0;

	for (int axis = 0; axis < 3; ++axis) {
		double rows = 0.0;
		for (int s = 0; s < search->site_count; ++s) {
			const struct cell_site *site = &search->sites[s];
			rows += cells_of(site) / ((double)(site->high[axis] - site->low[axis]) + 1.0);
		}
		if (rows < least) {
			least = rows;
			found = axis;
		}
	}
	return found;
}

static sonde_status add_sites(sonde_context *context, const struct search *search, sonde_lattice *lattice)
{
	const int rows = choose_rows(search);

	for (int k = 0; k < 3; ++k)
		memcpy(lattice->vectors[k], search->vectors[(rows + k) % 3], sizeof lattice->vectors[k]);
	for (int s = 0; s < search->site_count; ++s) {
		const struct cell_site *of = &search->sites[s];
		const struct turned_site turned = {of, {rows, (rows + 1) % 3, (rows + 2) % 3}};
		struct lattice_site site = {.kind = of->kind, .row = find_runs, .user = &turned};
		for (int k = 0; k < 3; ++k) {
			site.position[k] = of->position[k] + search->origin[k];
			site.low[k] = of->low[turned.axis[k]];
			site.high[k] = of->high[turned.axis[k]];
		}
		CHECK(lattice_add_site(context, lattice, &site));
	}
	return SONDE_OK;
}

/* Tries one guess of the vectors; *found: the atoms are its lattice. */
static sonde_status try_vectors(sonde_context *context, struct search *search, sonde_lattice *lattice, bool *found)
{
	bool possible = false;

	*found = false;
	if (!(fabs(crystal_reciprocal((const double(*)[3])search->vectors, search->reciprocal)) > 1e-3) ||
	    !assign(search) || !fit(search))
		return SONDE_OK;
	sonde_status status = allocate_cells(search, &possible);
	if (status == SONDE_OK && possible && verify(search)) {
		status = add_sites(context, search, lattice);
		*found = status == SONDE_OK;
	}
	free_cells(search);
	return status;
}

/* Looks for the translations between atoms of a kind. */
static sonde_status try_kind(sonde_context *context, struct search *search, int kind, sonde_lattice *lattice,
			     bool *found)
{
	static const size_t tested[] = {48, 12, 400}; /* few in small samples, many in large cells */
	struct lattice_middle middle;
	bool guessed;

	sonde_status status = lattice_middle_take(search->atoms, kind, &middle);
	memcpy(search->origin, middle.origin, sizeof search->origin);
	for (int k = 0; k < 3 && status == SONDE_OK && !*found; ++k) {
		status = lattice_guess(&middle, tested[k], search->vectors, &guessed);
		if (status == SONDE_OK && guessed)
			status = try_vectors(context, search, lattice, found);
	}
	lattice_middle_free(&middle);
	return status;
}

/* The kinds with the fewest atoms first. */
static sonde_status try_kinds(sonde_context *context, struct search *search, sonde_lattice *lattice, bool *found)
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
	struct search *search;
	bool found = false;

	CHECK(memory_allocate(&search, 1, sizeof *search, "the lattice"));
	search->atoms = atoms;
	for (int64_t i = 0; i < atoms->count; ++i)
		++lattice->kinds[atoms->kind_of[i]].atoms;
	sonde_status status = try_kinds(context, search, lattice, &found);
	lattice->deviation = search->deviation;
	free(search);
	CHECK(status);
	if (!found)
		return status_fail(
		    SONDE_INVALID,
		    "%.300s: the atoms are not on a lattice: no three translations, with at most %d atoms in "
		    "their cell, give the position of every atom within %g Angstrom; `method auto` sums any "
		    "sample",
		    name, MOST_SITES, LARGEST_DEVIATION);
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
		if (kind >= MOST_SITES)
			return status_fail(SONDE_INVALID,
					   "more than %d kinds of atoms of one label and one occupancy", MOST_SITES);
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
