/* The window's values at the mesh points around a place, weights of all points from the returned one on; beyond its width they are 0. */
#ifndef SONDE_PATTERN_KERNELS_PATTERN_WINDOW_H
#define SONDE_PATTERN_KERNELS_PATTERN_WINDOW_H

DEVICE_FUNCTION u32 pattern_window(GLOBAL const f64 *frame, u32 axis, f64 place, f64 *weights)
{
	const u32 degree = (u32)frame[FRAME_DEGREE], width = (u32)frame[FRAME_WIDTHS + axis];

	if (width == 1u) {
		weights[0] = 1.0;
		return 0u;
	}
	const f64 from = place - 0.5 * (f64)width;
	const u32 first = (u32)from + 1u;
	const f64 x = 2.0 * ((f64)first - from) - 1.0; /* -1 to 1: the position between two points */
	for (u32 v = 0; v < width; v += LANES) {
		GLOBAL const f64 *const of = frame + FRAME_ROWS + v;
		lanes_f64 value = LANES_LOAD(of);
		for (u32 d = 1; d <= degree; ++d)
			value = LANES_MULADD(value, LANES_SPLAT(x), LANES_LOAD(of + d * WINDOW_MOST_WIDTH));
		LANES_STORE(weights + v, value);
	}
	return first;
}

#endif
