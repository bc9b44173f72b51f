/* Distances on nodes: what kernels and host share. See kernels/many_spread.k and sums/many_nodes.c. */
#ifndef SONDE_DEBYE_SPREAD_LAYOUT_H
#define SONDE_DEBYE_SPREAD_LAYOUT_H

#define SPREAD_WIDTH 8u         /* nodes to which a distance contributes */
#define SPREAD_BITS 21          /* a contribution of 1 is 2^SPREAD_BITS */
#define SPREAD_SHAPE 19.909     /* beta of the Kaiser-Bessel function */
#define SPREAD_OVERSAMPLING 2.5 /* the step of the nodes is pi over this times the largest q */
#define SPREAD_BEFORE 3         /* nodes below the distance 0 */
#define MANY_WORDS 5            /* of a row: atoms a, end, atoms b, end; whether both are the same */
#define MANY_ROWS 8             /* of a group of many_product */
#define MANY_MOMENTS 4u         /* of a row, for errors */
#define MANY_COLUMNS 32u        /* columns of the matrix are a multiple of this */
#define MANY_MOST_ADDED 2040u   /* contributions that a counter of 32 bits holds */
#define MANY_SCRATCH(nodes) ((nodes) + (nodes) / 2u + 1u) /* words of 64 bits for each worker of a CPU */

#endif
