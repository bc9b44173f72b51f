/* Plane waves of Yee's scheme in a uniform medium. With k~ = (2/Delta) sin(k Delta/2) of each axis and omega~ = 2
 * sin(omega/2) they obey
 *     k~ x E = omega~ mu H,  k~ x H = -omega~ epsilon E,  k~^2 = epsilon mu omega~^2
 * where E and H are those of the waves at their own places and times (Taflove and Hagness (2005), chapter 4). Lengths
 * are in c dt, frequencies in radians per step. */
#ifndef SONDE_FDTD_SOURCES_GRID_WAVE_H
#define SONDE_FDTD_SOURCES_GRID_WAVE_H

#include "base/status.h"

/* k along a direction (of length 1; 0 along uniform axes) in a medium with epsilon mu = index_squared. SONDE_INVALID
 * if no wave of that frequency can propagate. */
sonde_status grid_wave_along(const double courant[3], const double direction[3], double omega, double index_squared,
			     double k[3]);
/* The wave whose k~ is along a direction. Its E and H are those of the continuum's wave with that
 * direction. */
sonde_status grid_wave_of(const double courant[3], const double direction[3], double omega, double index_squared,
			  double k[3]);
/* k~ of k. */
void grid_wave_tilde(const double courant[3], const double k[3], double tilde[3]);

#endif
