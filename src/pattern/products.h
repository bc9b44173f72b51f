/* The direct sum at the points of a plane or volume as products of matrices of float64: on GPUs with units for them by
 * kernels/pattern_products.k, on CPUs by kernels/pattern_planes.k. */
#ifndef SONDE_PATTERN_PRODUCTS_H
#define SONDE_PATTERN_PRODUCTS_H

#include "pattern/nodes.h"
#include "pattern/pattern.h"

/* plan->products: whether all devices are CPUs, or all have units for such products, and these take less time than other ways to the
 * sum, in float32 where that is allowed. */
sonde_status products_choose(sonde_context *context, struct pattern_plan *plan);
/* The axis of the rows of points that the kernel takes; -1: they are not in rows and columns. */
int products_axis(const struct pattern_pixels *pixels);
/* Whether a device can do it; GPUs without such units slowly, for tests. */
bool products_run_on(const struct device *device);
/* Of CPUs: cycles of a core with AVX2 for each atom at each point. */
double products_cycles(const struct pattern_pixels *pixels);
/* The same of the way that takes less of them, this one or another one. */
double products_least_cycles(const struct pattern_plan *plan, double otherwise);
/* Of GPUs: operations for each atom, with those of rows and columns that fill up the last blocks. */
double products_operations(const struct pattern_pixels *pixels);
/* Columns of points along that axis. */
void products_make_sets(const struct pattern_pixels *pixels, struct pixel_sets *sets);

#endif
