/* The beam: ion, energy and direction. */
#ifndef SONDE_IONS_SOURCE_SOURCE_H
#define SONDE_IONS_SOURCE_SOURCE_H

#include <stdbool.h>

#include "ions/source/particles.h"
#include "sonde/ions.h"

#define SOURCE_PARTS 1024 /* parts of equal probability of a spectrum */

struct source {
	char symbol[16];            /* "several" if there are several species */
	int atomic_number;          /* of the first species */
	double mass;                /* of the first species, amu */
	double energy, least, most; /* mean, smallest and largest of all, eV; `least` is not set for a list */
	struct particles particles; /* of a list; count 0: none. In both cases the species: */
	int species_count;
	struct source_species {
		int atomic_number;
		double mass, least, most; /* least, most: smallest and largest energy, eV */
		char symbol[16];
		int64_t rows; /* of the list; 0 without one */
	} species[PARTICLES_MOST_SPECIES];
	double start, start_last; /* range of start depths, nm */
	bool has_spectrum;
	float ends[SOURCE_PARTS + 1]; /* edges of the parts, eV */
};

/* The source given by the options. Messages name the option or the file and its line. To be freed also after a
 * failure. */
sonde_status source_make(const sonde_ions_options *options, struct source *source);
void source_free(struct source *source);

#endif
