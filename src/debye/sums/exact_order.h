/* The order of resident atoms (classes/resident.h) for exact sums: the GPU that has them finds it, and makes the sums alone. */
#ifndef SONDE_DEBYE_EXACT_ORDER_H
#define SONDE_DEBYE_EXACT_ORDER_H

#include "debye/debye.h"
#include "matter/atoms/device_order.h"

struct exact_order {
	struct device_order of; /* device null: the atoms are on the host, or another device makes the sums */
	bool lost;              /* the GPU has failed: the sums are to be made again, of the atoms on the host */
};

/* The order, if the device of the context has the atoms. Released by exact_order_release(), also after a failure. */
sonde_status exact_order_find(sonde_context *context, const sonde_atoms *atoms, struct exact_order *order);
void exact_order_release(struct exact_order *order);
static inline bool exact_order_is_found(const struct exact_order *order)
{
	return order != NULL && order->of.device != NULL;
}
/* Diagonal of the box around all atoms, Angstrom. */
double exact_order_extent(const struct exact_order *order);

/* As arrange_atoms(), with tiles of ORDER_TILE atoms or a power of two times as many, up to ORDER_UNIT. The coordinates remain
 * on the device; the tiles have boxes. */
sonde_status exact_order_arrange(const struct exact_order *order, const sonde_atoms *atoms, uint32_t atoms_per_tile,
				 struct arranged_atoms *arranged);
/* Copies the coordinates of some tiles to the places in x, y, z of these atoms, which are allocated if need be; and back. */
sonde_status exact_order_fetch(const struct exact_order *order, const struct arranged_tile *tiles, size_t count,
			       struct arranged_atoms *arranged);
sonde_status exact_order_return(struct exact_order *order, const struct arranged_tile *tiles, size_t count,
				const struct arranged_atoms *arranged);

/* For struct shared_work: a device has been dropped; one is prepared, which must be that of the order. `order` may be null. */
void exact_order_forget(struct exact_order *order, const struct device *device);
sonde_status exact_order_suits(const struct exact_order *order, const struct device *device);

#endif
