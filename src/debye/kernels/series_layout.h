/* The layout of the kernels' sums over q, shared by kernels and host: see kernels/sinc_series.h. */
#ifndef SONDE_DEBYE_SERIES_LAYOUT_H
#define SONDE_DEBYE_SERIES_LAYOUT_H

#define WIDTH 8u    /* columns over which the distances are distributed; a multiple of every device's LANES */
#define Q_BLOCK 32u /* q points of one recurrence */
#define Q_PASS 1024 /* q points of one launch, a multiple of Q_BLOCK */
#define MOST_EXACT_POINTS 1536 /* of exact sums, if all other devices have matrix products; likewise */

#endif
