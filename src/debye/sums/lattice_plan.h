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
/* Errors of I/N due to rounded coordinates, in the place of which the points of the lattice are summed; 0 without a
 * lattice. The estimate is a fraction of <f^2> + I/N; the bound one of 2/N sum |f_a f_b| over all pairs, whose mean of
 * 1/r is `inverse_distance`. */
double debye_lattice_error(const struct debye_classes *classes, double q);
double debye_lattice_bound(const struct debye_classes *classes, double q, double inverse_distance);
/* Mean of 1/r over pairs in a ball of this diameter: 6/(5 R). */
double debye_lattice_inverse_distance(double extent);

#endif
