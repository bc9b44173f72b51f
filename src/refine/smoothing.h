/* Parameters on which a structure depends in jumps, as sizes, by which atoms are in the structure or not: structures are made at the nodes
 * k h of a grid only, and the curve is a mean over them, whose weights, cubic B-splines, depend on the parameter smoothly. It is that of a
 * distribution with the parameter as mean and the variance h^2/3. */
#ifndef SONDE_REFINE_SMOOTHING_H
#define SONDE_REFINE_SMOOTHING_H

#define SMOOTHING_NODES 4

/* The nodes around x, and their weights, with the sum 1. */
void smoothing_nodes(double x, double h, double nodes[SMOOTHING_NODES], double weights[SMOOTHING_NODES]);

#endif
