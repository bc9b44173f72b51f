/* Surfaces met by flights. */
#ifndef SONDE_IONS_SURFACES_H
#define SONDE_IONS_SURFACES_H

#include "ions/kernels/tallies.h"

/* Distance beyond a surface, so that rounding does not place an atom in front of it. */
#define NUDGE 1e-7 /* nm */

/* The surface met by a flight: where, as a fraction of the flight (1 or more: none), and the region beyond. */
struct met_surface {
	f64 part;
	f32 normal_x, normal_y, normal_z; /* of length 1, along the flight */
	u32 region, out;                  /* beyond it; out: outside the target */
};

/* A flight from `from` by `by` in units of the body's half size: the fractions at which it enters and leaves a
 * slab from -1 to 1. */
DEVICE_FUNCTION void cut_slab(f64 from, f64 by, f64 *first, f64 *last)
{
	if (by > -1e-300 && by < 1e-300) {
		*first = from >= -1.0 && from <= 1.0 ? -1e300 : 1e300;
		*last = from >= -1.0 && from <= 1.0 ? 1e300 : -1e300;
		return;
	}
	const f64 a = (-1.0 - from) / by, b = (1.0 - from) / by;
	*first = a < b ? a : b;
	*last = a < b ? b : a;
}

#endif
