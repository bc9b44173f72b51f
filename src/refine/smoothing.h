/* Parameters on which a structure depends in jumps, as sizes, by which atoms are in the structure or not: structures are made at the nodes
 * k h of a grid only, and the curve is a mean over them, whose weights depend on the parameter smoothly. They are those of a normal
 * distribution of a given standard deviation around the parameter, or, without one, cubic B-splines, whose variance is h^2/3. */
#ifndef SONDE_REFINE_SMOOTHING_H
#define SONDE_REFINE_SMOOTHING_H

#define SMOOTHING_SPLINE 4  /* nodes without a spread */
#define SMOOTHING_MOST 256  /* nodes */
#define SMOOTHING_LEAST 0.6 /* spread, in units of h: with less, weights of single nodes change too fast */

/* Nodes around x, with weights of the sum 1; spread 0: splines. Their number, or 0 if it is larger than SMOOTHING_MOST. Nodes that are not above 0
 * are left out if x is. */
int smoothing_nodes(double x, double h, double spread, double nodes[SMOOTHING_MOST], double weights[SMOOTHING_MOST]);

#endif
