/* The words of a bin of distances of a lattice, shared by the host and kernel lattice_rows. */
#ifndef SONDE_DEBYE_LATTICE_WORDS_H
#define SONDE_DEBYE_LATTICE_WORDS_H

/* A bin of distances has 2^32 units, and these words: the number of pairs, the sum of their offsets in units, and that
 * of offset^2/2^32, rounded down. A sum is split: multiplicities and offsets are below 2^32, and the products are added
 * by their lower and upper 32 bits, which up to 2^32 vectors in a bin do not overflow. */
#define LATTICE_OFFSET_BITS 32
#define LATTICE_PAIRS 0
#define LATTICE_OFFSETS 1 /* and 2: times 2^32 */
#define LATTICE_SQUARES 3 /* and 4: times 2^32 */
#define LATTICE_WORDS 5

#endif
