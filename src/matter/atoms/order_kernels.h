/* The kernels of device_order.h and device_positions.h, for the sources that launch them. */
#ifndef SONDE_MATTER_ORDER_KERNELS_H
#define SONDE_MATTER_ORDER_KERNELS_H

#include "device/device.h"
#include "matter/kernels/order_layout.h"

struct device_positions;

enum order_kernel {
	ORDERING_GATHER,
	ORDERING_NEAR,
	ORDERING_BOXES,
	ORDERING_DIGITS,
	ORDERING_CUTS,
	ORDERING_MOVE,
	ORDERING_FINISH,
	ORDERING_EXTENTS,
	ORDERING_RECORDS,
	ORDERING_CENTER,
	ORDERING_KERNELS
};

/* order_self_test.c */
sonde_status order_self_test(struct device *device);
/* device_order.c */
sonde_status order_find_kernel(struct device *device, enum order_kernel which, struct device_kernel *kernel);
/* Groups that look at `count` atoms, each alone. */
static inline uint32_t order_groups_of(uint32_t count)
{
	return (count + ORDER_OF_GROUP - 1) / ORDER_OF_GROUP;
}

/* Three arrays of coordinates. */
struct order_coordinates {
	struct device_buffer axis[3];
};
sonde_status order_coordinates_allocate(struct device *device, uint32_t count, struct order_coordinates *coordinates);
void order_coordinates_release(struct device *device, struct order_coordinates *coordinates);

/* Positions of the atoms `numbers`, or of all, if that is null, moved into the cell, unless it is null. */
struct order_gathering {
	const struct device_positions *from;
	const struct device_buffer *numbers;
	const double *cell;
	uint32_t count;
};
/* `wrong` becomes 1 if a coordinate is not within +-ATOMS_LARGEST_PLACE. */
sonde_status order_gather(struct device *device, const struct order_gathering *gathering,
			  struct order_coordinates *to, struct device_buffer *wrong);

#endif
