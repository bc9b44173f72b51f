/* The sums over pairs of many small samples on one device. */
#ifndef SONDE_DEBYE_MANY_DEVICE_H
#define SONDE_DEBYE_MANY_DEVICE_H

#include "debye/debye.h"
#include "debye/kernels/spread_layout.h"
#include "debye/sums/many_nodes.h"

/* Compares the kernels with plain sums; before these, since other runs do not need them. */
sonde_status debye_many_self_test(struct device *device);
extern const struct device_program debye_many_program;

struct many_device {
	struct device *device; /* null: empty */
	const struct many_nodes *nodes;
	struct device_kernel spread, product;
	uint32_t tiles; /* of the columns */
	struct device_buffer matrix, inverse_squares, scratch;
	/* of a launch, kept for the next one */
	struct device_buffer atoms[3], rows, values, sums, moments;
};

/* Rows of pairs of atoms, whose coordinates follow each other from x[0], y[0], z[0] on. */
struct many_rows {
	const double *x, *y, *z;
	uint32_t atoms;
	const uint32_t *words; /* MANY_WORDS of each row */
	uint32_t count;
	uint32_t nodes; /* of the row with the largest distance */
};

/* Whether a device holds the counters of `nodes` nodes. */
bool many_device_holds(const struct device *device, uint32_t nodes);
/* `nodes` outlive the device's state. */
sonde_status many_device_prepare(struct device *device, const struct many_nodes *nodes, struct many_device *on);
void many_device_release(struct many_device *on);
/* sums: nodes->columns numbers of each row; moments: MANY_MOMENTS of each row, see kernels/many_product.k. */
sonde_status many_device_sum(struct many_device *on, const struct many_rows *rows, double *sums, double *moments);

#endif
