/* Positions of any layout (device_positions.h). */
#ifndef SONDE_MATTER_ORDER_POSITION_H
#define SONDE_MATTER_ORDER_POSITION_H

#include "device/kernel.h"
#include "matter/kernels/order_layout.h"

/* A coordinate: number `at` of 64 bits, or, if `single`, of 32 bits, in the same memory. */
DEVICE_FUNCTION f64 order_coordinate(GLOBAL const f64 *from, GLOBAL const f32 *from_single, u32 single, i64 at)
{
	return single != 0u ? (f64)from_single[at] : from[at];
}

#endif
