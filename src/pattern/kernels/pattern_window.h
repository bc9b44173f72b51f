/* The window's values at the mesh points around a place, weights of all points from the returned one on; beyond its width they are 0. */
#ifndef SONDE_PATTERN_KERNELS_PATTERN_WINDOW_H
#define SONDE_PATTERN_KERNELS_PATTERN_WINDOW_H

/* The first point, and the position between two points from -1 to 1, on which the weights depend. */
DEVICE_FUNCTION u32 pattern_window_first(u32 width, f64 place, f64 *between)
{
	if (width == 1u) {
		*between = 0.0;
		return 0u;
	}
	const f64 from = place - 0.5 * (f64)width;
	const u32 first = (u32)from + 1u;

	*between = 2.0 * ((f64)first - from) - 1.0;
	return first;
}

/* The weights of points v to v + LANES - 1 from the first one on. */
DEVICE_FUNCTION lanes_f64 pattern_window_value(GLOBAL const f64 *frame, f64 between, u32 v)
{
	const u32 degree = (u32)frame[FRAME_DEGREE];
	GLOBAL const f64 *const of = frame + FRAME_ROWS + v;
	lanes_f64 value = LANES_LOAD(of);

	for (u32 d = 1; d <= degree; ++d)
		value = LANES_MULADD(value, LANES_SPLAT(between), LANES_LOAD(of + d * WINDOW_MOST_WIDTH));
	return value;
}

DEVICE_FUNCTION u32 pattern_window(GLOBAL const f64 *frame, u32 axis, f64 place, f64 *weights)
{
	const u32 width = (u32)frame[FRAME_WIDTHS + axis];
	f64 between;
	const u32 first = pattern_window_first(width, place, &between);

	if (width == 1u) {
		weights[0] = 1.0;
		return 0u;
	}
	for (u32 v = 0; v < width; v += LANES)
		LANES_STORE(weights + v, pattern_window_value(frame, between, v));
	return first;
}

#endif
