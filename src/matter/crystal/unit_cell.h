/* The unit cell of a crystal: all sites, with occupancies and displacements, from the atoms of its asymmetric unit. */
#ifndef SONDE_MATTER_UNIT_CELL_H
#define SONDE_MATTER_UNIT_CELL_H

#include <stdbool.h>
#include <stdint.h>

#include "matter/crystal/symmetry.h"
#include "sonde/atoms.h"

#define UNIT_CELL_SAME_PLACE 0.01 /* Angstrom: images of an atom that are closer are one site on a special position */

struct unit_cell_site {
	double position[3];           /* fractions of the vectors, from 0 to below 1 */
	char label[SONDE_LABEL_SIZE]; /* as label_parse() accepts it: "O", "Fe3+", "D" */
	char name[24];                /* of its atom of the asymmetric unit in the file: "O1" */
	int64_t atom;                 /* its number in the file, from 0 */
	double occupancy;             /* 0 to 1, of this species */
	bool has_u_iso, has_u;
	double u_iso; /* mean square displacement along any direction, Angstrom^2; a third of the trace if has_u */
	double u
	    [6]; /* tensor of mean square displacements, Angstrom^2: xx, yy, zz, yz, xz, xy in the Cartesian axes of the vectors; only if has_u */
	char disorder_assembly[8], disorder_group[8]; /* as the file gives them; "": none */
};

/* Start from {0}; to be released by unit_cell_free(). */
struct unit_cell {
	double vectors[3][3]; /* rows a, b, c in Angstrom: a along x, b in the xy plane, z of c positive */
	int64_t site_count;
	struct unit_cell_site *sites; /* all images of an atom follow one another, beginning with the atom itself */
	size_t capacity;
	int64_t atom_count;   /* of the asymmetric unit */
	char space_group[48]; /* its symbol in the file, or the one found for it; "": only operations were given */
	int operation_count;  /* of the space group, with its centerings */
	char name[64];        /* of the data block */
};

/* Receives a note of one line for the user. */
typedef void unit_cell_note(void *user, const char *line);

/* Reads the first structure of a CIF, plain or gzip; structure n (from 1) if `frame` is n. `context` receives notes; it
 * may be null. SONDE_INVALID with file and line if the file is wrong, or if this build has no CIF reader. The cell is
 * empty after a failure. */
sonde_status unit_cell_read_cif(sonde_context *context, const char *path, struct unit_cell *cell);
sonde_status unit_cell_read_cif_frame(const char *path, int64_t frame, unit_cell_note *note, void *user,
				      struct unit_cell *cell);
void unit_cell_free(struct unit_cell *cell);

/* Sets the vectors: lengths in Angstrom, angles alpha, beta, gamma in degrees. */
sonde_status unit_cell_set_vectors(const double lengths[3], const double angles[3], struct unit_cell *cell);
/* Angstrom^3. */
double unit_cell_volume(const struct unit_cell *cell);
/* Length of the reciprocal vector a* (k = 0), b* or c* without 2 pi, 1/Angstrom. */
double unit_cell_reciprocal_length(const struct unit_cell *cell, int k);
/* Fractions to Angstrom. */
void unit_cell_cartesian(const struct unit_cell *cell, const double x[3], double r[3]);
/* y - x without whole translations, in fractions, and its length in Angstrom: the shortest for small distances. */
double unit_cell_shortest(const struct unit_cell *cell, const double x[3], const double y[3], double difference[3]);

/* Adds all images of an atom in the cell. The position, and `q`, its tensor of displacements in fractions of the edges
 * (null: none), are averaged over the operations that leave the atom at its place within UNIT_CELL_SAME_PLACE, so that
 * 0.3333 becomes 1/3. *nearest: smallest distance between two images, Angstrom; INFINITY if there is one. */
sonde_status unit_cell_add_atom(struct unit_cell *cell, const struct symmetry_operation *operations, int count,
				const struct unit_cell_site *atom, const double q[3][3], double *nearest);
/* Checks that the occupancies of the atoms that share a place do not exceed 1. */
sonde_status unit_cell_check_occupancies(const struct unit_cell *cell);

#endif
