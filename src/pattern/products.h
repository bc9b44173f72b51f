/* The direct sum at the points of a plane or volume as products of matrices of float64: on GPUs with units for them by
 * kernels/pattern_products.k, on CPUs by kernels/pattern_planes.k. */
#ifndef SONDE_PATTERN_PRODUCTS_H
#define SONDE_PATTERN_PRODUCTS_H

#include "pattern/nodes.h"
#include "pattern/sums_device.h"

/* plan->products: whether all devices are CPUs, or all have units for such products, and these take less time than other ways to the
 * sum. */
sonde_status products_choose(sonde_context *context, struct pattern_plan *plan);
/* The axis of the rows of points that the kernel takes; -1: they are not in rows and columns. */
int products_axis(const struct pattern_pixels *pixels);
/* Whether a device can do it; GPUs without such units slowly, for tests. */
bool products_run_on(const struct device *device);
/* Of CPUs: cycles of a core with AVX2 for each atom at each point. */
double products_cycles(const struct pattern_pixels *pixels);
/* Of GPUs: operations for each atom, with those of rows and columns that fill up the last blocks. */
double products_operations(const struct pattern_pixels *pixels);
/* Columns of points along that axis. */
void products_make_sets(const struct pattern_pixels *pixels, struct pixel_sets *sets);

/* On one device, as the functions of sums_device.h. */
static inline bool products_used(const struct sums_device *run)
{
	return run->sets->points > 0 && run->nodes->weights == NULL;
}
sonde_status products_prepare(struct sums_device *run);
sonde_status products_launch(struct pixel_range *range);

#endif
