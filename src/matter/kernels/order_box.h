/* Boxes around atoms, found by the work-items of a group. */
#ifndef SONDE_MATTER_ORDER_BOX_H
#define SONDE_MATTER_ORDER_BOX_H

#include "device/kernel.h"
#include "matter/kernels/order_layout.h"

/* Work-item n has its box in ends[k LOCAL_SIZE + n], k from 0 to 5; afterward the first one has that of all. LOCAL_SIZE is a power
 * of two. */
DEVICE_FUNCTION void order_join_boxes(LOCAL f64 *ends)
{
	BARRIER();
	for (u32 step = LOCAL_SIZE / 2u; step > 0u; step /= 2u) {
		if (LOCAL_ID < step) {
			for (u32 k = 0; k < ORDER_BOX; ++k) {
				const f64 own = ends[k * LOCAL_SIZE + LOCAL_ID],
					  other = ends[k * LOCAL_SIZE + LOCAL_ID + step];
				if (k % 2u == 0u ? other < own : other > own)
					ends[k * LOCAL_SIZE + LOCAL_ID] = other;
			}
		}
		BARRIER();
	}
}

/* The longest edge; of equal ones the first. */
DEVICE_FUNCTION u32 order_longest(f64 x, f64 y, f64 z)
{
	const u32 longest = y > x ? 1u : 0u;

	return z > (longest == 1u ? y : x) ? 2u : longest;
}

/* The place of a coordinate along the longest edge of its piece. */
DEVICE_FUNCTION u32 order_digit(f64 r, f64 low, f64 scale)
{
	const u32 digit = (u32)((r - low) * scale);

	return digit < ORDER_DIGITS ? digit : ORDER_DIGITS - 1u;
}

#endif
