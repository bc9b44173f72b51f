/* Terms of G(r), added in the same order by the kernel and by the host. */
#ifndef SONDE_DEBYE_DISTRIBUTION_SUM_H
#define SONDE_DEBYE_DISTRIBUTION_SUM_H

#include "device/kernel.h"

/* Terms of even and of odd numbers are added separately, in their order, whatever the LANES, of which there are 2 or more. */
DEVICE_INLINE void distribution_add(f64 sums[2], lanes_f64 weights, lanes_f64 sines)
{
	f64 terms[LANES];

	LANES_STORE(terms, weights * sines);
	for (u32 lane = 0; lane < LANES; lane += 2) {
		sums[0] = sums[0] + terms[lane];
		sums[1] = sums[1] + terms[lane + 1];
	}
}

#endif
