/* The mean density of slabs and rods, samples that repeat along two edges or one.
 *
 * Pairs beyond the cut-off r_c, and those that the factor w(r) leaves out below it, have the density of the sample
 * averaged along its periodic directions (docs/debye.md, "Slabs and rods"):
 *
 *     I(q)/N = <f^2> + 1/N sum_i sum_{j != i, images} Re(f_i f_j*) w(r_ij) sin(q r_ij)/(q r_ij)
 *              + 1/N sum_ij Re(f_i f_j*) int_s^infinity m_ij(r) (1 - w(r)) sin(q r)/(q r) dr,
 *
 * with the distance s_ij of the two atoms across these directions, and the mean number m_ij(r) dr of images of j at r to r + dr:
 *
 *     slab, area A of the cell:  m = 2 pi r/A,                     int m sin(q r)/(q r) dr = 2 pi cos(q s)/(A q^2)
 *     rod, length c:             m = 2 r/(c sqrt(r^2 - s^2)),      int m sin(q r)/(q r) dr = pi J_0(q s)/(c q)
 */
#ifndef SONDE_DEBYE_PROFILE_H
#define SONDE_DEBYE_PROFILE_H

#include "debye/classes/classes.h"

/* Adds the last sum to those of the pairs of classes, and to the undamped sums, once. The q of `sums` are above 0. */
sonde_status debye_add_profile(sonde_context *context, const struct debye_classes *classes, struct pair_sums *sums);

/* Fails if a slab or rod is too wide for bins at this q. */
sonde_status profile_check(const struct periodic *periodic, double last_q);

/* Bound of the error of I/N by bins at q, in units of <f^2>; an estimate, where third moments have both signs, is PROFILE_ERROR of
 * <f^2> + I/N. */
#define PROFILE_ERROR 2e-8
double profile_bound(const struct periodic *periodic, double atoms, double q, double last_q);

/* Estimate of the cycles of a core that the sums take. */
double profile_cycles(const struct periodic *periodic, double atoms, int classes, const sonde_grid *q);

#endif
