/* The points of a box, and functions of the magnitude of q. */
#ifndef SONDE_PATTERN_KERNELS_PATTERN_BOX_H
#define SONDE_PATTERN_KERNELS_PATTERN_BOX_H

/* |h u + k v + l w| of point l, k, h. */
DEVICE_FUNCTION f64 pattern_box_magnitude(GLOBAL const f64 *box, GLOBAL const u64 *sizes, u64 l, u64 k, u64 h)
{
	GLOBAL const f64 *const values = box + BOX_VALUES;
	const f64 at[3] = {values[sizes[0] + sizes[1] + h], values[sizes[0] + k], values[l]};
	f64 square = 0.0;

	for (u32 c = 0; c < 3u; ++c) {
		const f64 q = FMA(at[0], box[BOX_BASIS + c],
				  FMA(at[1], box[BOX_BASIS + 3u + c], at[2] * box[BOX_BASIS + 6u + c]));
		square = FMA(q, q, square);
	}
	return sqrt(square);
}

/* As piecewise_value() of base/piecewise.h. */
DEVICE_FUNCTION f64 pattern_table_value(GLOBAL const f64 *table, f64 q)
{
	const f64 place = (q - table[TABLE_LOW]) * table[TABLE_SCALE];
	const i64 last = (i64)table[TABLE_PARTS] - 1, part = place < 0.0 ? 0 : place < (f64)last ? (i64)place : last;
	const f64 y = 2.0 * (place - (f64)part) - 1.0;
	GLOBAL const f64 *const of = table + TABLE_VALUES + TABLE_COEFFICIENTS * (u64)part;
	f64 value = of[TABLE_COEFFICIENTS - 1u];

	for (u32 k = TABLE_COEFFICIENTS - 1u; k > 0u; --k)
		value = FMA(value, y, of[k - 1u]);
	return value;
}

#endif
