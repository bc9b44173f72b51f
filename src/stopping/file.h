/* Electronic stopping of one ion in one material from a file of the user. */
#ifndef SONDE_STOPPING_FILE_H
#define SONDE_STOPPING_FILE_H

#include <stddef.h>

#include "base/status.h"

#define STOPPING_FILE_ELEMENTS 16

struct stopping_point {
	double energy, value; /* eV/amu; eV/nm */
};

struct stopping_file {
	size_t count, capacity;
	struct stopping_point *points; /* in ascending order of energy */
	double atoms;                  /* per nm^3 of the material; 0 if the file does not give it */
	double mass;                   /* mass of the ion, amu */
	int element_count;             /* of the target, from SR's heading; 0: not given */
	int elements[STOPPING_FILE_ELEMENTS];
};

/* Reads a table of SRIM's program SR (SR_OUTPUT.txt, "Helium in Silicon.txt"), or columns of energy in keV and
 * stopping in eV/Angstrom, with blanks or a comma between; further columns are ignored, '#' begins a comment. At
 * least two rows, energies ascending. Messages name file and line. To be freed by stopping_file_free(). */
sonde_status stopping_file_read(const char *path, int z1, struct stopping_file **file);
void stopping_file_free(struct stopping_file **file);
/* At an energy in eV/amu, in a material of `atoms` per nm^3: linear in the logarithms; below the first row
 * proportional to the velocity, beyond the last one constant. */
double stopping_file_value(const struct stopping_file *file, double energy, double atoms);
/* The estimated relative error of the interpolation between rows: the difference from a cubic polynomial in the logarithms through the
 * four rows around the energy; with fewer rows from one through all, with two from a line without logarithms. */
double stopping_file_error(const struct stopping_file *file, double energy);

#endif
