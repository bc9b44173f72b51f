/* Sites of atoms, and the vectors of a lattice that fit best. */
#include "matter/crystal/lattice_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "base/vectors.h"
#include "matter/crystal/crystal.h"

#define ROUNDER 6755399441055744.0 /* 1.5 2^52 */

/* As nearbyint(), which is a slower call. */
static double nearest_integer(double x)
{
	return x + ROUNDER - ROUNDER;
}

double lattice_search_find_cell(const struct lattice_search *search, const double fractions[3], int64_t n[3],
				double difference[3])
{
	double square = 0.0, rest[3];

	for (int k = 0; k < 3; ++k) {
		const double cell = nearest_integer(fractions[k]);
		rest[k] = fractions[k] - cell;
		n[k] = (int64_t)cell;
	}
	for (int m = 0; m < 3; ++m) {
		difference[m] = 0.0;
		for (int k = 0; k < 3; ++k)
			difference[m] += rest[k] * search->vectors[k][m];
		square += difference[m] * difference[m];
	}
	return sqrt(square);
}

static void find_fractions(const struct lattice_search *search, const double r[3], double fractions[3])
{
	for (int k = 0; k < 3; ++k)
		fractions[k] = vector_dot(search->reciprocal[k], r);
}

/* The number of the site of an atom; -1: it is on none. */
static int find_site(const struct lattice_search *search, int kind, const double fractions[3], int64_t n[3])
{
	double unused[3];

	for (int s = 0; s < search->site_count; ++s) {
		const struct lattice_cell_site *site = &search->sites[s];
		const double difference[3] = {fractions[0] - site->fraction[0], fractions[1] - site->fraction[1],
					      fractions[2] - site->fraction[2]};
		if (site->kind == kind && lattice_search_find_cell(search, difference, n, unused) <= LATTICE_COARSE)
			return s;
	}
	return -1;
}

/* The same with a new site if it is on no other; -1: there are too many. */
static int find_or_add_site(struct lattice_search *search, int kind, const double fractions[3], int64_t n[3])
{
	const int found = find_site(search, kind, fractions, n);

	if (found >= 0 || search->site_count == LATTICE_MOST_SITES)
		return found;
	struct lattice_cell_site *site = &search->sites[search->site_count];
	*site = (struct lattice_cell_site){.kind = kind};
	for (int k = 0; k < 3; ++k) {
		n[k] = 0;
		site->fraction[k] = fractions[k];
	}
	return search->site_count++;
}

/* Adds an atom at r from the origin. */
static void add_to_site(struct lattice_site_sums *site, struct lattice_products *products, const double r[3],
			const int64_t n[3])
{
	for (int k = 0; k < 3; ++k) {
		site->low[k] = site->count == 0 || n[k] < site->low[k] ? n[k] : site->low[k];
		site->high[k] = site->count == 0 || n[k] > site->high[k] ? n[k] : site->high[k];
		site->n[k] += (double)n[k];
		site->r[k] += r[k];
		for (int m = 0; m < 3; ++m) {
			products->nn[k][m] += (double)n[k] * (double)n[m];
			products->rn[k][m] += r[k] * (double)n[m];
		}
	}
	++site->count;
}

/* Least squares of r = o_site + n A: with deviations from the means of each site, A = (sum n n^T)^-1 sum n r^T. False:
 * the cells lie in a plane. */
static bool fit(struct lattice_search *search)
{
	struct lattice_products of = search->products;
	double inverse[3][3];

	for (int s = 0; s < search->site_count; ++s) {
		const struct lattice_site_sums *site = &search->sites[s].sums;
		for (int k = 0; k < 3; ++k)
			for (int m = 0; m < 3; ++m) {
				of.nn[k][m] -= site->n[k] * site->n[m] / (double)site->count;
				of.rn[k][m] -= site->r[k] * site->n[m] / (double)site->count;
			}
	}
	/* rows of the inverse's transpose, which is symmetric */
	if (!(fabs(crystal_reciprocal((const double(*)[3])of.nn, inverse)) > 1e-3))
		return false;
	for (int k = 0; k < 3; ++k)
		for (int m = 0; m < 3; ++m) {
			search->vectors[k][m] = 0.0;
			for (int j = 0; j < 3; ++j)
				search->vectors[k][m] += inverse[k][j] * of.rn[m][j];
		}
	for (int s = 0; s < search->site_count; ++s) {
		struct lattice_cell_site *site = &search->sites[s];
		for (int m = 0; m < 3; ++m) {
			site->position[m] = site->sums.r[m] / (double)site->sums.count;
			for (int k = 0; k < 3; ++k)
				site->position[m] -=
				    site->sums.n[k] / (double)site->sums.count * search->vectors[k][m];
		}
	}
	return fabs(crystal_reciprocal((const double(*)[3])search->vectors, search->reciprocal)) > 1e-3;
}

/* Whether all atoms near the middle are close to the places of their fitted sites. */
static bool middle_fits(const struct lattice_search *search, const struct lattice_middle *middle)
{
	for (size_t i = 0; i < middle->count; ++i) {
		double fractions[3], difference[3];
		int64_t n[3];
		find_fractions(search, middle->atoms[i].r, fractions);
		const int site = find_site(search, middle->atoms[i].kind, fractions, n);
		if (site < 0)
			return false;
		for (int k = 0; k < 3; ++k)
			fractions[k] -= search->sites[site].fraction[k];
		if (lattice_search_find_cell(search, fractions, n, difference) > 2.0 * LATTICE_LARGEST_DEVIATION)
			return false;
	}
	return true;
}

/* The sites of the atoms up to a distance from the origin, and vectors fitted to these. False: there are too many sites, or
 * too few cells. */
static bool assign_near(struct lattice_search *search, const struct lattice_middle *middle, double distance)
{
	search->site_count = 0;
	search->products = (struct lattice_products){0};
	for (size_t i = 0; i < middle->count; ++i) {
		const struct near_atom *atom = &middle->atoms[i];
		double fractions[3];
		int64_t n[3];
		if (atom->distance > distance)
			continue;
		find_fractions(search, atom->r, fractions);
		const int site = find_or_add_site(search, atom->kind, fractions, n);
		if (site < 0)
			return false;
		add_to_site(&search->sites[site].sums, &search->products, atom->r, n);
	}
	return fit(search);
}

bool lattice_search_assign_middle(struct lattice_search *search, const struct lattice_middle *middle)
{
	double farthest = 0.0, vectors[3][3];

	for (size_t i = 0; i < middle->count; ++i)
		farthest = fmax(farthest, middle->atoms[i].distance);
	memcpy(vectors, search->vectors, sizeof vectors);
	if (!assign_near(search, middle, 0.4 * farthest)) {
		memcpy(search->vectors, vectors, sizeof vectors);
		(void)crystal_reciprocal((const double(*)[3])search->vectors, search->reciprocal);
	}
	if (!assign_near(search, middle, farthest))
		return false;
	for (int s = 0; s < search->site_count; ++s)
		find_fractions(search, search->sites[s].position, search->sites[s].fraction);
	return middle_fits(search, middle);
}

sonde_status lattice_search_pass_make(struct lattice_search *search, struct lattice_pass *pass)
{
	*pass = (struct lattice_pass){
	    .search = search, .block_count = (search->atoms->count + LATTICE_BLOCK_ATOMS - 1) / LATTICE_BLOCK_ATOMS};
	return memory_allocate(&pass->blocks, (size_t)pass->block_count, sizeof *pass->blocks, "the lattice");
}

void lattice_search_pass_free(struct lattice_pass *pass)
{
	free(pass->blocks);
	free(pass->sites);
}

int64_t lattice_search_end_of(const struct lattice_pass *pass, int64_t block)
{
	const int64_t end = (block + 1) * LATTICE_BLOCK_ATOMS;

	return end < pass->search->atoms->count ? end : pass->search->atoms->count;
}

void lattice_search_relative(const struct lattice_search *search, int64_t atom, double r[3])
{
	for (int k = 0; k < 3; ++k)
		r[k] = search->atoms->positions[3 * atom + k] - search->origin[k];
}

/* Sums are those of the thread until the block ends: threads do not write to adjacent memory. */
static void assign_block(const struct lattice_pass *pass, int64_t number)
{
	const struct lattice_search *search = pass->search;
	struct lattice_block *block = &pass->blocks[number];
	struct lattice_site_sums sums[LATTICE_MOST_SITES];
	struct lattice_products products = {.nn = {{0.0}}};

	memset(sums, 0, (size_t)search->site_count * sizeof *sums);
	for (int64_t i = number * LATTICE_BLOCK_ATOMS; i < lattice_search_end_of(pass, number); ++i) {
		double r[3], fractions[3];
		int64_t n[3];
		lattice_search_relative(search, i, r);
		find_fractions(search, r, fractions);
		const int site = find_site(search, search->atoms->kind_of[i], fractions, n);
		if (site >= 0)
			add_to_site(&sums[site], &products, r, n);
		else if (block->strange_count < LATTICE_MOST_STRANGE)
			block->strange[block->strange_count++] = i;
	}
	memcpy(block->sites, sums, (size_t)search->site_count * sizeof *sums);
	block->products = products;
}

static void assign_blocks(void *state, int64_t first, int64_t end, int worker)
{
	(void)worker;
	for (int64_t number = first; number < end; ++number)
		assign_block(state, number);
}

static void join_sums(struct lattice_site_sums *sums, const struct lattice_site_sums *more)
{
	if (more->count == 0)
		return;
	for (int k = 0; k < 3; ++k) {
		sums->low[k] = sums->count == 0 || more->low[k] < sums->low[k] ? more->low[k] : sums->low[k];
		sums->high[k] = sums->count == 0 || more->high[k] > sums->high[k] ? more->high[k] : sums->high[k];
		sums->n[k] += more->n[k];
		sums->r[k] += more->r[k];
	}
	sums->count += more->count;
}

/* Adds the sites of strange atoms; false: there are too many. *strange: there are such atoms. */
static bool add_sites_of_strange(const struct lattice_pass *pass, bool *strange)
{
	struct lattice_search *search = pass->search;

	*strange = false;
	for (int64_t number = 0; number < pass->block_count; ++number)
		for (int m = 0; m < pass->blocks[number].strange_count; ++m) {
			const int64_t atom = pass->blocks[number].strange[m];
			double r[3], fractions[3];
			int64_t n[3];
			lattice_search_relative(search, atom, r);
			find_fractions(search, r, fractions);
			*strange = true;
			if (find_or_add_site(search, search->atoms->kind_of[atom], fractions, n) < 0)
				return false;
		}
	return true;
}

/* Gives every atom its cell and site, and adds up; again, with more sites, as long as there are strange atoms. */
static sonde_status assign_in(struct lattice_pass *pass, bool *possible)
{
	struct lattice_search *search = pass->search;
	bool strange = true;

	for (*possible = true; *possible && strange;) {
		const size_t sites = (size_t)search->site_count;
		free(pass->sites);
		pass->sites = NULL;
		CHECK(memory_allocate(&pass->sites, (size_t)pass->block_count * sites, sizeof *pass->sites,
				      "the lattice"));
		for (int64_t number = 0; number < pass->block_count; ++number)
			pass->blocks[number] = (struct lattice_block){.sites = pass->sites + (size_t)number * sites};
		threads_for(search->threads, pass->block_count, 1, assign_blocks, pass);
		*possible = add_sites_of_strange(pass, &strange);
	}
	search->products = (struct lattice_products){0};
	for (int s = 0; s < search->site_count; ++s)
		search->sites[s].sums = (struct lattice_site_sums){.count = 0};
	for (int64_t number = 0; number < pass->block_count && *possible; ++number) {
		const struct lattice_block *block = &pass->blocks[number];
		for (int s = 0; s < search->site_count; ++s)
			join_sums(&search->sites[s].sums, &block->sites[s]);
		for (int k = 0; k < 3; ++k)
			for (int m = 0; m < 3; ++m) {
				search->products.nn[k][m] += block->products.nn[k][m];
				search->products.rn[k][m] += block->products.rn[k][m];
			}
	}
	*possible = *possible && 2.0 * search->site_count <= (double)search->atoms->count;
	return SONDE_OK;
}

sonde_status lattice_search_assign(struct lattice_search *search, bool *possible)
{
	struct lattice_pass pass;

	sonde_status status = lattice_search_pass_make(search, &pass);
	if (status == SONDE_OK)
		status = assign_in(&pass, possible);
	lattice_search_pass_free(&pass);
	*possible = status == SONDE_OK && *possible && fit(search);
	return status;
}
