/* Atoms in an order in which consecutive ones are near each other, found by a GPU: as by compact_atoms.h in units of ORDER_UNIT and
 * tiles of ORDER_TILE atoms, of which only those near a cut may be in another tile than there. The positions may be in the memory of the
 * GPU already; those in the new order stay there. */
#ifndef SONDE_MATTER_DEVICE_ORDER_H
#define SONDE_MATTER_DEVICE_ORDER_H

#include "device/device.h"
#include "matter/atoms/atoms.h"
#include "matter/kernels/order_layout.h"

/* Positions in the memory of a device: coordinate k of atom i is number first + i row_step + k column_step, of 64 bits, or of 32 if
 * `is_single`. */
struct device_positions {
	struct device_buffer numbers; /* only its memory is used */
	bool is_single;
	int64_t first, row_step, column_step;
};

/* What is made of the positions, in Angstrom. */
struct device_order_form {
	const uint32_t *places; /* of the first atom of each species in the order */
	uint32_t size;      /* of the arrays of the order, with places between and after the species, which are 0 */
	const double *cell; /* ORDER_CELL_NUMBERS numbers: the cell into which atoms are moved; null: they are not */
	double factor;      /* of the coordinates */
	double fractions; /* a power of two: the products are rounded to multiples of 1/fractions; 0: they are not */
};

/* The order. Begins as {0}. */
struct device_order {
	struct device *device;
	struct device_buffer x, y, z;
	uint32_t tile_count;
	/* of the tiles of one species after the other: low ends, high ends; Angstrom, without the factor */
	double (*boxes)[ORDER_BOX];
};

/* Finds the order of atoms with the positions `from`, or, if that is null, those of the atoms. Species have fewer than 2^31 atoms, and
 * those with atoms come one after the other. *order is to be released, also after a failure. SONDE_RESOURCE if the device lacks memory
 * or fails, as of the functions below; SONDE_INVALID if a coordinate is not within +-ATOMS_LARGEST_PLACE. */
sonde_status device_order_find(struct device *device, const sonde_atoms *atoms, const struct device_positions *from,
			       const struct device_order_form *form, struct device_order *order);
void device_order_release(struct device_order *order);

/* The smallest box around `count` positions, low and high end along each axis; *within: whether all coordinates are within
 * +-ATOMS_LARGEST_PLACE, and the box is known. */
sonde_status device_positions_box(struct device *device, const struct device_positions *from, int64_t count,
				  double box[ORDER_BOX], bool *within);
/* Numbers of the atoms in a box, sorted; *found: how many there are, which may be more than the `most` that are listed. */
sonde_status device_positions_within(struct device *device, const struct device_positions *from, uint32_t count,
				     const double box[ORDER_BOX], uint32_t most, uint32_t *numbers, uint32_t *found);
/* Copies the positions of some atoms to the host: x, y, z of each in turn, 3 count numbers. */
sonde_status device_positions_pick(struct device *device, const struct device_positions *from,
				   const uint32_t *numbers, uint32_t count, double *positions);

#endif
