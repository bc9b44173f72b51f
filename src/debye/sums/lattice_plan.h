/* Samples that are a lattice: finding it, and the plan of method lattice. */
#ifndef SONDE_DEBYE_LATTICE_PLAN_H
#define SONDE_DEBYE_LATTICE_PLAN_H

#include "debye/classes/classes.h"

/* After the plan is made: finds the lattice of the summed atoms if the method is lattice, or if it was chosen
 * automatically and another one takes long; changes the method to lattice if that is the fastest, and plans its bins.
 * SONDE_INVALID if the method was given and there is no lattice. */
sonde_status debye_lattice_take(sonde_context *context, struct debye_classes *classes, struct debye_plan *plan);
/* Upper limit of the distance of two points of the lattice; 0 without one. */
double debye_lattice_extent(const struct debye_classes *classes);
/* The largest distance of an atom from its place on the lattice that is used for the sums, Angstrom; 0 without one. */
double debye_lattice_deviation(const struct debye_classes *classes);
/* Mean of 1/r over pairs in a ball of this diameter: 6/(5 R). */
double debye_lattice_inverse_distance(double extent);

#endif
