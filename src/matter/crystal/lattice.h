/* Samples whose atoms are points o + n1 a1 + n2 a2 + n3 a3 of a lattice, as runs of cells along a1. */
#ifndef SONDE_MATTER_LATTICE_H
#define SONDE_MATTER_LATTICE_H

#include <stdbool.h>

#include "base/text.h"
#include "run/context.h"
#include "sonde/lattice.h"

#define LATTICE_MOST_RUNS 16     /* of a row */
#define LATTICE_MOST_SHEETS 4096 /* of a lattice */
#define LATTICE_MOST_ROWS 2e8    /* of a sheet, empty ones included */
#define LATTICE_MOST_CELLS 1e9   /* along a row */

/* Atoms of one label and one occupancy. */
struct lattice_kind {
	char label[SONDE_LABEL_SIZE];
	double occupancy;
	int64_t atoms;
	int number; /* in the order of lattice_add_kind(); equal ones may be distinguished by their callers */
};

/* Rows of one site and one kind, with at most one run of cells each. A row with several runs is in several sheets. */
struct lattice_sheet {
	double origin[3];    /* of cell 0 of row (0, 0), Angstrom */
	int64_t atoms, rows; /* in runs; rows that are not empty */
	int kind;
	uint32_t length, width, height; /* cells along a1, rows n2 along a2 and lines n3 along a3 */
	uint32_t *begin, *end;          /* of row n3 * width + n2, the cells [begin, end) along a1; equal: empty */
	uint32_t *first, *last;         /* of line n3: the rows from `first` to below `last`, others are empty */
};

struct sonde_lattice {
	double vectors[3][3]; /* a1, a2, a3, Angstrom */
	int kind_count, sheet_count;
	struct lattice_kind *kinds; /* in the order of labels and then of occupancies */
	struct lattice_sheet *sheets;
	size_t kinds_capacity, sheets_capacity;
	int64_t count, rows;
	double extent;    /* upper limit of the distance of two atoms, Angstrom */
	double deviation; /* largest distance of an atom from its point, Angstrom; 0: the points are the sample */
	double diameter;  /* of a ball of the same volume, Angstrom; of lattices found in atoms, as the following */
	double spread,
	    slow; /* of rounded coordinates: their root mean square deviation, and the part that varies slowly
				across the sample (lattice_residues.h), Angstrom */
	struct text source;
	char sha256[65];
};

sonde_status lattice_create(sonde_lattice **lattice);
/* Adds a kind; *kind is its index until lattice_finish(). */
sonde_status lattice_add_kind(sonde_lattice *lattice, const char *label, double occupancy, int *kind);
/* The same, unless there is one with this label and occupancy. */
sonde_status lattice_find_kind(sonde_lattice *lattice, const char *label, double occupancy, int *kind);

struct lattice_run {
	int64_t begin, end; /* cells along a1, the end not included */
};
/* Finds the runs of row (n2, n3), at most LATTICE_MOST_RUNS, in increasing order; returns their number, or more than
 * that if there are more. Called by several threads. */
typedef int lattice_row(const void *user, int64_t n2, int64_t n3, struct lattice_run *runs);

/* A site with the rows that may have atoms. */
struct lattice_site {
	double position[3];      /* of cell (0, 0, 0) */
	int64_t low[3], high[3]; /* of n1, n2, n3, included */
	int kind;
	lattice_row *row;
	const void *user;
};
/* Adds the sheets of a site. */
sonde_status lattice_add_site(sonde_context *context, sonde_lattice *lattice, const struct lattice_site *site);

/* Sorts the kinds, drops those without atoms, and counts. */
sonde_status lattice_finish(sonde_lattice *lattice);

/* Number of pairs of cells, one of sheet a and one of sheet b, that differ by this many cells along a1, a2, a3. */
int64_t lattice_pairs_at(const sonde_lattice *lattice, int a, int b, const int64_t lag[3]);

/* Atoms whose lattice is looked for; their kinds are those of the lattice to be filled. */
struct lattice_atoms {
	int64_t count;
	const double *positions;
	const uint16_t *kind_of;
};
/* Fills an empty lattice that has the kinds; SONDE_INVALID, with a message that begins with `name`, if the atoms are
 * not on one. */
sonde_status lattice_find(sonde_context *context, const struct lattice_atoms *atoms, const char *name,
			  sonde_lattice *lattice);

/* The three shortest vectors of `count` that are independent, shortest first; false if there are none. In three
 * dimensions they generate the lattice that all vectors belong to, if they are all of its short vectors (Minkowski's
 * successive minima; J. W. S. Cassels, An Introduction to the Geometry of Numbers, 1959, ch. VIII). Sorts `vectors`. */
bool lattice_shortest(double (*vectors)[3], size_t count, double basis[3][3]);

#endif
