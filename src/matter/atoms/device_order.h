/* Atoms in an order in which consecutive ones are near each other, found by a GPU: as by compact_atoms.h in units of some and
 * tiles of ORDER_TILE atoms, of which only those near a cut may be in another tile than there. The positions may be in the memory of the
 * GPU already; those in the new order stay there. */
#ifndef SONDE_MATTER_DEVICE_ORDER_H
#define SONDE_MATTER_DEVICE_ORDER_H

#include "matter/atoms/device_positions.h"

/* What is made of the positions, in Angstrom. */
struct device_order_form {
	const uint32_t *places; /* of the first atom of each species in the order */
	uint32_t size;      /* of the arrays of the order, with places between and after the species, which are 0 */
	const double *cell; /* ORDER_CELL_NUMBERS numbers: the cell into which atoms are moved; null: they are not */
	double factor;      /* of the coordinates */
	double fractions; /* a power of two: the products are rounded to multiples of 1/fractions; 0: they are not */
	uint32_t unit;    /* atoms of a unit, ORDER_UNIT or twice as many; 0: ORDER_UNIT */
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

/* Atoms that follow each other in the order: the first place, and their number. */
struct device_order_tile {
	uint32_t first, count;
};
/* The atoms of `count` tiles relative to their middles, [tile][x y z][tile_atoms], as float32 if `single`, into a buffer of the device. */
sonde_status device_order_center(const struct device_order *order, const struct device_order_tile *tiles,
				 const double (*middles)[3], uint32_t count, uint32_t tile_atoms, bool single,
				 struct device_buffer *to);

#endif
