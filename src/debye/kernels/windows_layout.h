/* The layout of kernel exact_windows, shared by kernel and host: see kernels/exact_windows.k. */
#ifndef SONDE_DEBYE_WINDOWS_LAYOUT_H
#define SONDE_DEBYE_WINDOWS_LAYOUT_H

#include "device/matrix_layout.h"

#if !defined(WINDOW_FINE)
#define WINDOW_FINE 8u /* phases b_m, a multiple of 8 */
#endif
#define MOST_WINDOW_FINE 16u
#define WINDOW_COARSE 8u                                    /* phases a_k */
#define WINDOW_NODES_OF(fine) (4u * WINDOW_COARSE * (fine)) /* nodes q_n */
#define WINDOW_PAIRS_PER_GROUP 4u                           /* pairs of tiles of a work-group, all of one window */
#define WINDOW_PARTS_OF_ANGSTROM 16u                        /* unit in which the center of a window is given */
/* local memory for the phases and weights of MATRIX_ITEMS pairs, and MATRIX_MULADD's scratch */
#define WINDOW_BYTES_OF(fine) (16u * MATRIX_ITEMS * (WINDOW_COARSE + (fine) + 1u) + 8u * MATRIX_SCRATCH)

#endif
