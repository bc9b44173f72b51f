/* The nodes of sums over windows of distances, from sums of products: exact_windows.k explains them. */
#ifndef SONDE_DEBYE_WINDOW_NODES_H
#define SONDE_DEBYE_WINDOW_NODES_H

#include "device/kernel.h"
#include "debye/kernels/windows_layout.h"

/* F at the four nodes of a_k and b_m, of `fine` ones, from sums over pairs: c[0 .. 3] of c cos cos, c sin cos, c cos sin, c
 * sin sin, and d of the same with d. `adds`: to what is there. */
DEVICE_FUNCTION void write_nodes(GLOBAL f64 *row, const u32 fine, u32 k, u32 m, const f64 *c, const f64 *d, u32 adds)
{
	/* of 64 bits: NVRTC 13.0 takes parts of differences of 32 bits for addresses, although they may be negative */
	const u64 center = WINDOW_NODES_OF(fine) / 2u, a = (2u * (u64)k + 1u) * fine, b = m;
	const u64 nodes[4] = {center + a + b, center - a - 1u - b, center + a - 1u - b, center - a + b};
	const f64 reals[4] = {(c[0] - c[3]) - (d[1] + d[2]), (c[0] - c[3]) + (d[1] + d[2]),
			      (c[0] + c[3]) - (d[1] - d[2]), (c[0] + c[3]) + (d[1] - d[2])};
	const f64 imaginaries[4] = {(d[0] - d[3]) + (c[1] + c[2]), (d[0] - d[3]) - (c[1] + c[2]),
				    (d[0] + d[3]) + (c[1] - c[2]), (d[0] + d[3]) - (c[1] - c[2])};

	UNROLL
	for (u32 n = 0; n < 4u; ++n) {
		GLOBAL f64 *x = row + nodes[n], *y = x + WINDOW_NODES_OF(fine);
		*x = (adds != 0u ? *x : 0.0) + reals[n];
		*y = (adds != 0u ? *y : 0.0) + imaginaries[n];
	}
}

#endif
