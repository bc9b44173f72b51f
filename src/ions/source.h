/* The beam: which ion, how fast, where to. */
#ifndef SONDE_IONS_SOURCE_H
#define SONDE_IONS_SOURCE_H

#include <stdbool.h>

#include "sonde/ions.h"

#define SOURCE_PARTS 1024 /* of equal probability, of a spectrum */

struct source {
	char symbol[16];
	int atomic_number;
	double mass;         /* amu */
	double energy, most; /* mean and largest, eV */
	bool has_spectrum;
	float ends[SOURCE_PARTS + 1]; /* of the parts, eV */
};

/* As the options say. Messages name the option or the file and its line. */
sonde_status source_make(const sonde_ions_options *options, struct source *source);

#endif
