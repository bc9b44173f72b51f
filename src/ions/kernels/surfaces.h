/* Surfaces that flights meet. */
#ifndef SONDE_IONS_SURFACES_H
#define SONDE_IONS_SURFACES_H

#include "ions/kernels/tallies.h"

/* Behind a surface by so much, so that roundings do not put an atom before it. */
#define NUDGE 1e-7 /* nm */

/* A surface that a flight meets: where, as a part of the flight (1 or more: none), and what is behind. */
struct met_surface {
	f64 part;
	f32 normal_x, normal_y, normal_z; /* of length 1, along the flight */
	u32 region, out;                  /* behind it; out: of the target */
};

/* A flight from `from` by `by` in units of the body's half size: the parts of it at which a slab from -1 to 1 begins and ends. */
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
