/* Sites and cells of atoms on a lattice: what the parts of the search for it share (lattice_find.c). */
#ifndef SONDE_MATTER_LATTICE_SEARCH_H
#define SONDE_MATTER_LATTICE_SEARCH_H

#include "matter/crystal/lattice.h"
#include "matter/crystal/lattice_guess.h"

#define LATTICE_MOST_SITES 256
/* Angstrom, of an atom from its place: coordinates with three decimals; and of single atoms */
#define LATTICE_LARGEST_DEVIATION 1e-3
#define LATTICE_ANY_DEVIATION 1e-6

/* Sums over the atoms of a site. */
struct lattice_site_sums {
	int64_t low[3], high[3]; /* cells of its atoms */
	int64_t count;
	double n[3], r[3]; /* sums of cells and positions */
};

struct lattice_cell_site {
	double fraction[3]; /* of an atom on it, in the cell that counts as 0 */
	int kind;
	struct lattice_site_sums sums;
	double position[3]; /* fitted, of cell 0 */
	uint64_t *cells;    /* a bit for each in the box */
};

/* Sums over atoms of products of cells, and of positions and cells. */
struct lattice_products {
	double nn[3][3], rn[3][3];
};

struct lattice_search {
	const struct lattice_atoms *atoms;
	int threads;
	double origin[3]; /* an atom near the middle */
	double vectors[3][3], reciprocal[3][3];
	struct lattice_cell_site sites[LATTICE_MOST_SITES];
	int site_count;
	struct lattice_products products;
	double deviation, spread, slow; /* see struct sonde_lattice */
};

/* The cell n of a point of a site, and the point's difference from its place, from the fractions of that difference.
 * Returns its length. */
double lattice_search_find_cell(const struct lattice_search *search, const double fractions[3], int64_t n[3],
				double difference[3]);

/* The sites of the atoms near the middle, and vectors fitted to these: those between two atoms, whose coordinates may be
 * rounded, do not lead to the right place across many cells. False: this is no lattice. */
bool lattice_search_assign_middle(struct lattice_search *search, const struct lattice_middle *middle);

/* Gives every atom its cell and site; then fits vectors and sites to all of them. *possible: false if there are too many
 * sites for a lattice, or the cells lie in a plane. */
sonde_status lattice_search_assign(struct lattice_search *search, bool *possible);

/* Finds the cells of the sites that have atoms, and how far these are from their places. *right: every atom is at a place
 * of its own. To be freed by lattice_search_free_cells(), also after a failure. */
sonde_status lattice_search_verify(struct lattice_search *search, bool *right);
void lattice_search_free_cells(struct lattice_search *search);
/* Number of cells in the box around the atoms of a site, and whether one has an atom. */
double lattice_search_cells_of(const struct lattice_cell_site *site);
bool lattice_search_has_atom(const struct lattice_cell_site *site, const int64_t n[3]);

/* Passes over all atoms, by blocks, whose results are joined in their order: they do not depend on the threads. */
#define LATTICE_BLOCK_ATOMS ((int64_t)32768)
#define LATTICE_MOST_STRANGE 32 /* atoms of a block on no known site that are looked at */

struct lattice_block {
	struct lattice_site_sums *sites;
	struct lattice_products products;
	int64_t strange[LATTICE_MOST_STRANGE];
	int strange_count;
	double deviation; /* the largest */
	bool misplaced;
};

struct lattice_pass {
	struct lattice_search *search;
	struct lattice_block *blocks;
	struct lattice_site_sums *sites; /* of all blocks */
	int64_t block_count;
};

sonde_status lattice_search_pass_make(struct lattice_search *search, struct lattice_pass *pass);
void lattice_search_pass_free(struct lattice_pass *pass);
/* The end of the atoms of a block. */
int64_t lattice_search_end_of(const struct lattice_pass *pass, int64_t block);
/* The position of an atom from the origin. */
void lattice_search_relative(const struct lattice_search *search, int64_t atom, double r[3]);

#endif
