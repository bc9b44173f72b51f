/* Channels: the transforms of which F is made,
 *
 *     F(q) = sum over channels k of f_k(q) sum_j w_kj exp(i q.r_j),
 *
 * with the amplitude f_k of one class of scatterers each. Classes that differ in occupancy have one channel. Where many classes have
 * similar amplitudes, as those of displacements do, a few of them serve for all: each f_c is a combination of theirs with the weights
 * w_kc, found by a QR factorization with pivoting (P. Businger, G. H. Golub, Numer. Math. 7 (1965) 269) of the classes' amplitudes at
 * some vectors. */
#ifndef SONDE_PATTERN_FAST_CHANNELS_H
#define SONDE_PATTERN_FAST_CHANNELS_H

#include "pattern/pattern.h"

struct fast_channels {
	int count;
	int class_of[PATTERN_MOST_CLASSES]; /* whose amplitude a channel has */
	int group_of
	    [PATTERN_MOST_CLASSES]; /* of each class: the channel that it belongs to, unless all have weights in all */
	bool mixed;                 /* all have */
	double *weights;            /* [channel][class] */
	/* errors of F by one of the windows' errors and by the combinations, relative to sqrt(sum |f|^2) */
	double growth, error;
};
sonde_status fast_channels_make(const struct pattern_plan *plan, struct fast_channels *channels);
void fast_channels_free(struct fast_channels *channels);

#endif
