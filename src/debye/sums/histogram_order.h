/* The order of atoms for the rings of a GPU, found by the GPU itself: their coordinates stay in its memory. */
#ifndef SONDE_DEBYE_HISTOGRAM_ORDER_H
#define SONDE_DEBYE_HISTOGRAM_ORDER_H

#include "debye/sums/histogram_device.h"

/* As histogram_tile() for rings, with the coordinates in `order`, which has to outlive the tiles and is to be released with
 * device_order_release(), also after a failure. `from`: the positions in the memory of the device, not yet in the cell of a periodic
 * sample; null: those of the atoms. Fails with SONDE_RESOURCE if the device cannot do it. */
sonde_status histogram_order(struct device *device, const sonde_atoms *atoms, const struct device_positions *from,
			     const struct histogram_bins *bins, struct device_order *order,
			     struct tiled_atoms *tiled);
/* histogram_repeats() for such atoms. */
sonde_status histogram_order_repeats(const struct arranged_atoms *atoms, int species,
				     const struct histogram_bins *bins, bool *repeats);

#endif
