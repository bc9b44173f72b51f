/* Deviations of atoms from the points of a lattice that was fitted to them, as those of rounded coordinates. */
#ifndef SONDE_MATTER_LATTICE_RESIDUES_H
#define SONDE_MATTER_LATTICE_RESIDUES_H

#include <stdint.h>

#include "base/status.h"

/* How much the deviations of each site vary slowly across the sample. Independent deviations of many atoms change the
 * powder pattern by a part that falls as 1/sqrt(N); what changes it most are means over the sample of a deviation times a
 * slowly varying function (docs/debye.md). They are collected in cells of the box around the sample and in slabs along
 * its axes. */
struct lattice_residues {
	int sites;
	double low[3], scale[3]; /* of the box: to 0 ... 1 */
	double (*slabs)[3];      /* sums of deviations: of site, axis, and slab, */
	double (*cells)[3];      /* and of site and cell */
	int64_t *counts;         /* atoms of each site */
	double squares;          /* sum of all squares */
};

/* To be freed by lattice_residues_free(), also after a failure. */
sonde_status lattice_residues_make(int sites, const double low[3], const double high[3],
				   struct lattice_residues *residues);
void lattice_residues_free(struct lattice_residues *residues);
void lattice_residues_add(struct lattice_residues *residues, int site, const double r[3], const double deviation[3]);

/* Adds those of other atoms of the same sites in the same box. */
void lattice_residues_join(struct lattice_residues *residues, const struct lattice_residues *more);

/* Root mean square of a coordinate's deviation. */
double lattice_residues_spread(const struct lattice_residues *residues);
/* The largest mean over the sample of a deviation times one of some slowly varying functions with mean square 1:
 * products of Legendre polynomials of the coordinates. The largest of each site, weighted by its atoms. */
double lattice_residues_slow(const struct lattice_residues *residues);

#endif
