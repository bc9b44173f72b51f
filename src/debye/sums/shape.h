/* The shapes of the kernels for a device: work-items of a group, tiles, local memory. */
#ifndef SONDE_DEBYE_SHAPE_H
#define SONDE_DEBYE_SHAPE_H

#include "device/device.h"

struct debye_shape {
	uint32_t exact_matrix;                               /* exact sums by matrix products: the only parameter */
	uint32_t exact_items, batch_pairs, k_tile, m_tile;   /* of exact_products */
	uint32_t ring_items, ring_bins, unit_tiles, at_once; /* of histogram_ring */
	uint32_t matrix_items, matrix_bins;                  /* of histogram_matrix; 0 bins: it is not used */
	uint32_t matrix_relieves;                            /* it empties bins at once: for distances that repeat */
	uint32_t rows_items, list_items;                     /* of sum_rows and sinc_sum */
};

/* The shape for a device: the best found by `sonde devices --tune`, else one that fits. */
struct debye_shape debye_shape_of(const struct device *device);
/* A ring for histogram_matrix, with this many work-items. */
void shape_matrix_ring(const struct device *device, uint32_t items, struct debye_shape *shape);
/* Stores the best shape for later runs. */
void debye_shape_keep(const struct device *device, const struct debye_shape *shape);

/* The points of q of a pass of exact sums at `points` points: Q_PASS; with matrix products as many as make few and
 * equal passes, up to MOST_EXACT_POINTS (series_layout.h). */
uint32_t shape_exact_points(const struct debye_shape *shape, bool f32, int64_t points);

/* The kernels in this shape; that of exact sums for passes of `points` points. */
sonde_status shape_exact_sums(struct device *device, const struct debye_shape *shape, bool f32, uint32_t points,
			      struct device_kernel *kernel);
/* `fine`: WINDOW_FINE of exact_windows; where shape_windows_are_simd(), the kernel is windows_pairs, which has it as an argument. */
bool shape_windows_are_simd(const struct device *device, uint32_t fine);
sonde_status shape_exact_windows(struct device *device, uint32_t fine, struct device_kernel *kernel);
sonde_status shape_sum_rows(struct device *device, const struct debye_shape *shape, struct device_kernel *kernel);
/* histogram_matrix, or histogram_ring */
sonde_status shape_histogram_ring(struct device *device, const struct debye_shape *shape,
				  struct device_kernel *kernel);
/* For periodic samples with `bins` bins; with bins that do not fit into its ring, *ring_bins. */
sonde_status shape_histogram_images(struct device *device, const struct debye_shape *shape, uint64_t bins,
				    struct device_kernel *kernel, uint32_t *ring_bins);
/* exact_motion or list_motion */
sonde_status shape_motion(struct device *device, const char *name, struct device_kernel *kernel);
sonde_status shape_sinc_sum(struct device *device, const struct debye_shape *shape, struct device_kernel *kernel);

#endif
