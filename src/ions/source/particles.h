/* Lists of particles with which histories start: SRIM's TRIM.DAT, or a table with named columns. */
#ifndef SONDE_IONS_SOURCE_PARTICLES_H
#define SONDE_IONS_SOURCE_PARTICLES_H

#include <stdbool.h>
#include <stddef.h>

#include "ions/kernels/history_layout.h"
#include "stopping/projectile.h"

#define PARTICLES_MOST_SPECIES 64
#define PARTICLES_MOST 10000000

struct particles {
	size_t count;
	struct ions_start
	    *starts; /* owned; lengths in nm, energies in units; `species` is an index into the species below */
	bool has_species, has_energy, has_place, has_direction;
	int species_count;
	struct projectile species[PARTICLES_MOST_SPECIES];
	int64_t rows[PARTICLES_MOST_SPECIES];
	double least[PARTICLES_MOST_SPECIES], most[PARTICLES_MOST_SPECIES]; /* energy of each, eV */
	double mean;                                                        /* energy, eV */
	double depth_factor; /* from the list's depths to nm, and their unit */
	char depth_unit[16];
};

/* Messages name the file, the line and the column. To be freed also after a failure. */
sonde_status particles_read(const char *path, struct particles *particles);
/* Moves particles of a list without directions that start in front of the surface to it, along this direction,
 * which leads there. */
void particles_fly_to_surface(struct particles *particles, const double direction[3]);
void particles_free(struct particles *particles);

#endif
