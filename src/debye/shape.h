/* The shapes of the kernels for a device: work-items of a group, tiles, local memory. */
#ifndef SONDE_DEBYE_SHAPE_H
#define SONDE_DEBYE_SHAPE_H

#include "device/device.h"

struct debye_shape {
	uint32_t exact_matrix;                               /* exact sums by matrix products: the only parameter */
	uint32_t exact_items, batch_pairs, k_tile, m_tile;   /* of exact_products */
	uint32_t ring_items, ring_bins, unit_tiles, at_once; /* of histogram_ring */
	uint32_t rows_items, list_items;                     /* of sum_rows and sinc_sum */
};

/* The shape for a device: the best found by `sonde devices --tune`, else one that fits. */
struct debye_shape debye_shape_of(const struct device *device);
/* Stores the best shape for later runs. */
void debye_shape_keep(const struct device *device, const struct debye_shape *shape);

/* The kernels in this shape. */
sonde_status shape_exact_sums(struct device *device, const struct debye_shape *shape, bool f32,
			      struct device_kernel *kernel);
sonde_status shape_sum_rows(struct device *device, const struct debye_shape *shape, struct device_kernel *kernel);
sonde_status shape_histogram_ring(struct device *device, const struct debye_shape *shape,
				  struct device_kernel *kernel);
/* exact_motion or list_motion */
sonde_status shape_motion(struct device *device, const char *name, struct device_kernel *kernel);
sonde_status shape_sinc_sum(struct device *device, const struct debye_shape *shape, struct device_kernel *kernel);

#endif
