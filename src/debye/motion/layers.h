/* The atoms of a slab by their place z across it, in thin cells with moments.
 *
 * The sums over pairs of a slab (profile.h) take a time that does not grow with the pairs of atoms: the integrals to infinity
 * separate,
 *
 *     sum_ij cos(q (z_i - z_j)) = Re F_a F_b*,      F_a = sum_{j in a} exp(i q z_j),
 *
 * and those below the cut-off need the distribution of z_j - z_i only, whose number, mean, and variance for each difference of
 * two cells follow from the moments of the cells.
 */
#ifndef SONDE_DEBYE_LAYERS_H
#define SONDE_DEBYE_LAYERS_H

#include <stdint.h>

#include "debye/classes/classes.h"
#include "debye/motion/distances.h"

struct layers;

/* `z` of each atom, `first` and `atoms` the order of the classes; cells of the width h from the lowest z on, `count` in all. */
sonde_status layers_create(const struct debye_classes *classes, const double *z, const int64_t *atoms,
			   const int64_t *first, double h, int64_t count, struct layers **layers);
void layers_free(struct layers **layers);

/* Re F_a F_b* at q, half of it for a = b, where each pair counts once and each atom with itself one half. */
sonde_status layers_amplitudes(const sonde_context *context, struct layers *layers, const struct pair_sums *sums);
double layers_intensity(const struct layers *layers, int a, int b, int64_t k);
/* The distances below the cut-off with the numbers of their pairs, counted in the same way, in increasing order. */
sonde_status layers_distances(const sonde_context *context, const struct layers *layers, int a, int b, double cutoff,
			      struct distances *list);

/* Estimate of the cycles of a core. */
double layers_cycles(double atoms, int classes, double cells, double lags, double points);

#endif
