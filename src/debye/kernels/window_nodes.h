/* The nodes of sums over windows of distances, from sums of products: exact_windows.k explains them. */
#ifndef SONDE_DEBYE_WINDOW_NODES_H
#define SONDE_DEBYE_WINDOW_NODES_H

#include "device/kernel.h"
#include "debye/kernels/windows_layout.h"

/* F at the four nodes of a_k and b_m, of `fine` ones, from sums over pairs: c[0 .. 3] of c cos cos, c sin cos, c cos sin, c sin sin, and d
 * of the same with d. */
DEVICE_FUNCTION void write_nodes(GLOBAL f64 *row, const u32 fine, u32 k, u32 m, const f64 *c, const f64 *d)
{
	GLOBAL f64 *above = row + WINDOW_NODES_OF(fine) / 2u + (2u * k + 1u) * fine,
		   *below = row + WINDOW_NODES_OF(fine) / 2u - (2u * k + 1u) * fine;

	above[m] = (c[0] - c[3]) - (d[1] + d[2]);
	below[-1 - (int)m] = (c[0] - c[3]) + (d[1] + d[2]);
	above[-1 - (int)m] = (c[0] + c[3]) - (d[1] - d[2]);
	below[m] = (c[0] + c[3]) + (d[1] - d[2]);
	above += WINDOW_NODES_OF(fine);
	below += WINDOW_NODES_OF(fine);
	above[m] = (d[0] - d[3]) + (c[1] + c[2]);
	below[-1 - (int)m] = (d[0] - d[3]) - (c[1] + c[2]);
	above[-1 - (int)m] = (d[0] + d[3]) + (c[1] - c[2]);
	below[m] = (d[0] + d[3]) - (c[1] - c[2]);
}

#endif
