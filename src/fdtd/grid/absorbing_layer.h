/* Absorbing walls: convolutional perfectly matched layers with a complex frequency shift (Roden and Gedney, Microw.
 * Opt. Technol. Lett. 27 (2000) 334). Coefficients along one axis, shared by all fields. */
#ifndef SONDE_FDTD_GRID_ABSORBING_LAYER_H
#define SONDE_FDTD_GRID_ABSORBING_LAYER_H

#include "base/status.h"

/* A layer of `cells` cells in front of a wall; 0 cells: none. At a depth of a part u of it
 *     sigma = sigma_factor sigma_opt u^order,  sigma_opt = 0.8 (order + 1)/(eta_0 Delta)   (Taflove and Hagness (2005), 7.66)
 *     kappa = 1 + (kappa - 1) u^order,  alpha = alpha (1 - u)^alpha_order, alpha in units of epsilon_0 c/Delta.
 * Bodies that extend through it may have a conductivity of `losses` (epsilon - 1) sigma in addition: see
 * paint_losses(). */
struct absorbing_layer {
	int cells;
	double order, sigma_factor, kappa, alpha, alpha_order, losses;
};

/* The layer with the least reflection at this number of cells: -118 dB at 11 cells for ten and more, else -88 dB at
 * 8. */
struct absorbing_layer absorbing_layer_of(int cells);

/* sigma at a depth in cells, times dt/epsilon_0. */
double absorbing_layer_sigma(const struct absorbing_layer *layer, double courant, double depth);

/* Amplitude reflection of a plane wave at normal incidence, in the discrete scheme: for a wave of `angular` radians
 * per step, below pi, in a medium where light travels `courant` cells per step. */
double absorbing_layer_reflection(const struct absorbing_layer *layer, double courant, double angular);

/* Coefficients at nodes 0 to `cells`, where derivatives of H are taken, and between them, where those of E are:
 *     psi' = b psi + c difference,  derivative = difference/kappa + psi'. */
struct absorbing_profile {
	int cells;
	double *node_b, *node_c, *node_kappa; /* cells + 1 */
	double *half_b, *half_c, *half_kappa; /* cells */
};

/* Makes the profile of an axis of this many cells with a layer at either end; `courant` is c dt/Delta there. Fails if
 * the layers overlap, naming the axis. To be freed by absorbing_profile_free(), also after a failure. */
sonde_status absorbing_profile_make(char axis, int cells, double courant, const struct absorbing_layer layers[2],
				    struct absorbing_profile *profile);
void absorbing_profile_free(struct absorbing_profile *profile);

#endif
