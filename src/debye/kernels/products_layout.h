/* The layout of kernel exact_products, shared by kernel and host: see kernels/exact_products.k. */
#ifndef SONDE_DEBYE_PRODUCTS_LAYOUT_H
#define SONDE_DEBYE_PRODUCTS_LAYOUT_H

#include "device/matrix_layout.h"

#define COARSE 16u /* phases a_k */
#if !defined(FINE)
#define FINE 32u /* phases b_m; exact_matrix takes other multiples of 8 */
#endif
#define POINTS_PER_COARSE (2u * FINE) /* q points of one a_k */
#define PHASE_STRIDE \
	(COARSE + FINE + 1u) /* pairs of numbers of one pair of atoms in local memory; odd, so that
					       work-items do not share a bank */

/* kernel exact_matrix: the most fine phases, whose sums fill the registers; and phases of a pair that are not rotated from others, and the local memory for seeds, steps and
 * MATRIX_MULADD's scratch */
#define MATRIX_MOST_FINE 48u
#define MATRIX_FINE_STEP 16u
#define SEEDS 8u
#define MATRIX_BYTES (16u * MATRIX_ITEMS * (2u * SEEDS + 2u) + 8u * MATRIX_SCRATCH)

/* the default shape of the kernel */
#define DEFAULT_BATCH_PAIRS 64u
#define DEFAULT_K_TILE 4u
#define DEFAULT_M_TILE 4u

#endif
