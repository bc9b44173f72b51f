/* Pairs of points of a lattice by distance, counted on one device by kernel lattice_rows. */
#ifndef SONDE_DEBYE_LATTICE_DEVICE_H
#define SONDE_DEBYE_LATTICE_DEVICE_H

#include "debye/debye.h"
#include "matter/crystal/lattice.h"

/* Bins of distances, in the layout of lattice_layout.h. */
struct lattice_bins {
	uint64_t count;
	double per_angstrom;
};

/* Work-items of a group, and the largest memory for its counters, in bytes. */
struct lattice_shape {
	uint32_t items, counters;
};
struct lattice_shape lattice_shape_of(const struct device *device);

/* State on the device for one run. */
struct lattice_device {
	struct device *device;
	const sonde_lattice *lattice;
	struct lattice_bins bins;
	struct lattice_shape shape;
	struct device_kernel kernel;
	struct device_buffer rows, scratch, totals;
	uint64_t *at;           /* of each sheet, in `rows` */
	uint64_t counter_words; /* of a work-group, or of a worker */
	bool own_memory;        /* counters are in scratch memory of each worker */
	struct device_pace pace;
	bool counted; /* something is in the totals */
};

sonde_status lattice_device_prepare(struct device *device, const struct lattice_shape *shape,
				    const sonde_lattice *lattice, const struct lattice_bins *bins,
				    struct lattice_device *run);
void lattice_device_release(struct lattice_device *run);

/* Number of lags of the rows of sheets a and b; like ones are counted from that of no lag on. */
uint64_t lattice_lag_count(const struct lattice_sheet *a, const struct lattice_sheet *b);
/* Counts the pairs of sheets a <= b whose rows differ by lags [first, end). */
sonde_status lattice_device_count(sonde_context *context, struct lattice_device *run, int a, int b, uint64_t first,
				  uint64_t end);
/* Adds the counts to totals, LATTICE_WORDS for each bin, and clears them. */
sonde_status lattice_device_collect(struct lattice_device *run, uint64_t *totals);

#endif
