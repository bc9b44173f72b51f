/* Where ions come to rest: moments of the distribution, without simulating single ions. */
#ifndef SONDE_STOPPING_RANGE_H
#define SONDE_STOPPING_RANGE_H

#include "stopping/stopping.h"

/* Of ions that start at the origin along x, in a medium without surfaces; in nm. */
struct range {
	double path;         /* mean path length */
	double projected;    /* mean x */
	double longitudinal; /* standard deviation of x */
	double lateral;      /* root mean square of y */
};

/* An ion in a material. */
struct passage {
	const struct stopping *stopping;
	enum screening_kind screening;
	int atomic_number;
	double mass; /* amu */
	const struct material *material;
	double factor; /* for its electronic stopping */
};

/* Electronic stopping in eV/nm at an energy in eV. */
double passage_electronic(const struct passage *passage, double energy);

#define RANGE_FIRST 1.0 /* eV, the lowest energy of a table */

struct range_table;
/* For energies from RANGE_FIRST to `last` in eV. Fails in vacuum. To be freed by range_table_free(). */
sonde_status range_table_make(const struct passage *passage, double last, int threads, struct range_table **table);
/* The same with half as many steps of energy and impact parameter: the difference from that table estimates, and
 * since errors fall with a higher power of the step overestimates, the numerical error of that table. */
sonde_status range_table_make_coarse(const struct passage *passage, double last, int threads,
				     struct range_table **table);
void range_table_free(struct range_table **table);
/* At an energy of the table. */
struct range range_table_at(const struct range_table *table, double energy);

#endif
