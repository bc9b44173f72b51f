/* Electronic stopping of one ion in one material from a user's file. */
#ifndef SONDE_STOPPING_FILE_H
#define SONDE_STOPPING_FILE_H

#include <stddef.h>

#include "base/status.h"

#define STOPPING_FILE_ELEMENTS 16

struct stopping_point {
	double energy, value; /* eV for an amu; eV/nm */
};

struct stopping_file {
	size_t count, capacity;
	struct stopping_point *points; /* in the order of their energies */
	double atoms;                  /* in a nm^3 of the material; 0 where the file does not say */
	double mass;                   /* of the ion, amu */
	int element_count;             /* of the target, as SR's heading says; 0: not said */
	int elements[STOPPING_FILE_ELEMENTS];
};

/* Reads a table of SRIM's program SR (SR_OUTPUT.txt, "Helium in Silicon.txt"), or columns of energy in keV and stopping in
 * eV/Angstrom, with blanks or a comma between; further columns are passed over, '#' begins a comment. At least two rows, energies
 * rising. Messages name file and line. To be freed by stopping_file_free(). */
sonde_status stopping_file_read(const char *path, int z1, struct stopping_file **file);
void stopping_file_free(struct stopping_file **file);
/* At an energy in eV for an amu, in a material of so many atoms in a nm^3: linear in the logarithms; below the first row as the
 * velocity, beyond the last that row's. */
double stopping_file_value(const struct stopping_file *file, double energy, double atoms);

#endif
