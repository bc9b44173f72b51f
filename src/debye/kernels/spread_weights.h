/* The contributions of a distance to the SPREAD_WIDTH nodes around it: with z the distance from a node in steps of the nodes, W = SPREAD_WIDTH,
 *
 *     phi(z) = I0(beta sqrt(1 - (2 z/W)^2)) / I0(beta),   |z| <= W/2,
 *
 * the function of Kaiser and Bessel (J. F. Kaiser, in: F. F. Kuo and J. F. Kaiser, System Analysis by Digital Computer, Wiley 1966), by
 * polynomials of its even and odd parts around the middle between two nodes, fitted at Chebyshev's points; they deviate by 1e-10. Nothing is fused: the contributions are the same on every device. */
#ifndef SONDE_DEBYE_SPREAD_WEIGHTS_H
#define SONDE_DEBYE_SPREAD_WEIGHTS_H

#include "debye/kernels/spread_layout.h"
#include "device/kernel.h"

#if ITEMS_ARE_ADJACENT || LANES == 1
#define SPREAD_LOOP UNROLL
#else
#define SPREAD_LOOP SIMD_LOOP
#endif

/* A number from 0 to 1 that looks random, from those of two atoms: contributions are rounded up or down by it. Pairs of a crystal have few
 * distances; rounded to nearest, their errors would be the same and add up. */
DEVICE_INLINE f64 spread_dither(u32 i, u32 j)
{
	u32 bits = i * 0x9e3779b1u + 0x7f4a7c15u;

	/* rounds of a hash function with good constants (C. Wellons, hash-prospector) */
	bits = (bits ^ (bits >> 16)) * 0x21f0aaadu + j;
	bits = (bits ^ (bits >> 15)) * 0x735a2d97u;
	bits ^= bits >> 15;
	return (f64)(int)(bits >> 8) * (1.0 / 16777216.0);
}

/* weights[n] of node n, the first one being SPREAD_WIDTH/2 - 1 below the node next to the distance from below; `t`, from -1/2 to 1/2: the
 * distance from the middle. In units of 2^-SPREAD_BITS. */
DEVICE_INLINE void spread_weights(f64 t, f64 *weights)
{
	/* columns: even parts of nodes 0 to 3, odd parts; rows: powers of t^2 */
	const f64 coefficients[5][8] = {
	    {105.16035739528127, 30159.498668772674, 509730.60910554201, 1801137.2126802416, -895.49866211282415,
	     -116252.008056498, -998087.49218110857, -1100476.0574352294},
	    {3291.3422336782337, 186409.90437309057, 591586.34003119403, -781287.96796317108, -6846.041229966926,
	     -152140.18086811891, 76293.604939270153, 579764.71319315617},
	    {8823.3866020039095, 53466.182738454663, -213307.79776195367, 151022.31424282194, -7135.9349111479842,
	     10224.541152944419, 48200.259147199256, -145921.0093384184},
	    {3307.230075476692, -16422.472611743218, 29475.060412085055, -16356.490510940555, -423.21883335150778,
	     4131.5191980719565, -13578.210219833256, 23370.471745669853},
	    {-441.52468128949414, 1299.2304531097413, -1834.3352487564091, 919.24395847320568, 232.02333769798284,
	     -813.58894882202162, 1758.4782157659533, -2547.1711809158328},
	};
	const f64 square = t * t;
	f64 parts[8];

	SPREAD_LOOP
	for (u32 n = 0; n < 8u; ++n) {
		f64 sum = coefficients[4][n];
		sum = sum * square + coefficients[3][n];
		sum = sum * square + coefficients[2][n];
		sum = sum * square + coefficients[1][n];
		parts[n] = sum * square + coefficients[0][n];
	}
	/* node 7 - n is the mirror image of node n */
	SPREAD_LOOP
	for (u32 n = 0; n < 4u; ++n) {
		weights[n] = parts[n] + parts[4u + n] * t;
		weights[7u - n] = parts[n] - parts[4u + n] * t;
	}
}

/* The same, rounded. */
DEVICE_INLINE void spread_counts(f64 t, f64 dither, u32 *counts)
{
	f64 weights[8];

	spread_weights(t, weights);
	SPREAD_LOOP
	for (u32 n = 0; n < 8u; ++n)
		counts[n] = (u32)(int)(weights[n] + dither);
}

#endif
