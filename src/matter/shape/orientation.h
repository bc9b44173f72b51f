/* Orientations of a lattice. */
#ifndef SONDE_MATTER_SHAPE_ORIENTATION_H
#define SONDE_MATTER_SHAPE_ORIENTATION_H

#include "base/status.h"

/* The rotation of option `orient`, not "", for a cell with these vectors:
 * "z-x-z:phi,theta,psi", degrees: by psi about the last axis, then by theta about the one in the middle, then by phi
 * about the first one; the axes are those of the laboratory;
 * "hkl:h,k,l": the normal of the planes (hkl) to z, by the shortest rotation; "hkl:h,k,l/uvw:u,v,w": also the direction
 * [uvw], which must lie in these planes, to x. */
sonde_status orientation_parse(const char *text, const double vectors[3][3], double rotation[3][3]);

#endif
