/* The window's values at the mesh points around a position: weights of `width` points from *first on; others are
 * 0. */
#ifndef SONDE_COULOMB_MESH_WINDOW_H
#define SONDE_COULOMB_MESH_WINDOW_H

/* WINDOW is the width if known at compile time, so that weights can be kept in registers; 0: not known. */
#if !defined(WINDOW)
#define WINDOW 0u
#endif
#if WINDOW > 0
#define MESH_WIDTH_OF(frame) WINDOW
#define MESH_WEIGHTS WINDOW
#define UNROLL_WINDOW UNROLL
#else
#define MESH_WIDTH_OF(frame) ((u32)(frame)[MESH_WIDTH])
#define MESH_WEIGHTS MESH_MOST_WIDTH
#define UNROLL_WINDOW
#endif

/* `place` in mesh points from the first one; `slopes`, if requested, get the derivatives. */
DEVICE_FUNCTION u32 mesh_window(GLOBAL const f64 *frame, f64 place, f64 *weights, f64 *slopes, u32 with_slopes)
{
	const u32 degree = (u32)frame[MESH_DEGREE], width = MESH_WIDTH_OF(frame);
	/* points within half the width */
	const u32 first = (u32)(place - 0.5 * frame[MESH_WIDTH]) + 1u;
	/* -1 to 1: the position between two such points */
	const f64 x = 2.0 * ((f64)first - (place - 0.5 * frame[MESH_WIDTH])) - 1.0;

	UNROLL_WINDOW
	for (u32 v = 0; v < width; v += LANES) {
		GLOBAL const f64 *const of = frame + MESH_WINDOW + v;
		lanes_f64 value = LANES_LOAD(of), slope = LANES_SPLAT(0.0);
		for (u32 d = 1; d <= degree; ++d) {
			if (with_slopes)
				slope = LANES_MULADD(slope, LANES_SPLAT(x), value);
			value = LANES_MULADD(value, LANES_SPLAT(x), LANES_LOAD(of + d * MESH_MOST_WIDTH));
		}
		LANES_STORE(weights + v, value);
		if (with_slopes) /* x decreases by 2 from mesh point to mesh point */
			LANES_STORE(slopes + v, slope * -2.0);
	}
	return first;
}

#endif
