/* Distance histograms on one device. */
#ifndef SONDE_DEBYE_HISTOGRAM_DEVICE_H
#define SONDE_DEBYE_HISTOGRAM_DEVICE_H

#include "debye/debye.h"
#include "debye/kernels/histogram_layout.h"
#include "debye/kernels/ring_layout.h"
#include "debye/sums/images.h"
#include "debye/sums/shape.h"

/* Two tilings of the atoms, with their parts of pairs of tiles: for the slabs of CPUs and for the rings of GPUs. A
 * run has one of them; a CPU can handle both, rings more slowly. */
enum tiling { TILING_SLAB, TILING_RING };
struct tiled_atoms {
	struct arranged_atoms atoms; /* coordinates in Angstrom */
	bool ready;
};

/* The bins of a run. */
struct histogram_bins {
	uint64_t count; /* including the spare one at the end, or SPARE_BINS of a periodic sample */
	double units_per_bin, per_angstrom;
	const struct periodic *periodic; /* pairs up to the first spare bin, with all images; null: of a cluster */
	double fractions; /* of a unit, a power of two, to which coordinates are rounded; 0: they are not */
};
/* A coordinate in units. */
double histogram_units(const struct histogram_bins *bins, double angstrom);

/* State on the device for one run. */
struct histogram_device {
	struct device *device;
	int threads; /* of the host, to prepare the atoms */
	enum tiling tiling;
	const struct arranged_atoms *atoms;
	struct histogram_bins bins;
	struct debye_shape shape;
	struct device_kernel kernel, settle_kernel;
	struct device_buffer x, y, z, tiles, tile_pairs, slabs, totals, centers, orders[2];
	bool borrowed; /* x, y, z belong to the order of the atoms */
	uint32_t most_groups;
	uint64_t first_bin, last_bin; /* range of the bins of two species, the last included */
	struct tile_pair *pairs;
	int species_a, species_b; /* species of the pairs in the totals; -1: none */
	struct images *images;    /* of a periodic sample */
	struct image_list list;
	struct device_buffer box_corners, vectors, tasks, partners;
	struct device_pace pace;
	struct stage *stage; /* for progress reports of a device that works alone; else null */
	double stage_done;
	double pairs_expected; /* of the two species, for progress reports: of a periodic sample */
};

/* What a device keeps for the next one of many similar samples: memory, and how much it does in one launch. One for each
 * place of a device in the context; begins as {0}. */
struct histogram_kept {
	struct image_list list;
	struct device_pace pace;
};

enum tiling histogram_tiling(const struct device *device);
/* Arranges the atoms as required by the device, and finds the boxes of the tiles, unless done before. */
sonde_status histogram_tile(const sonde_context *context, const sonde_atoms *atoms, enum tiling tiling,
			    struct tiled_atoms *tiled);
sonde_status histogram_device_prepare(const sonde_context *context, struct device *device,
				      const struct debye_shape *shape, enum tiling tiling,
				      const struct arranged_atoms *atoms, const struct histogram_bins *bins,
				      struct histogram_device *run);
void histogram_device_release(struct histogram_device *run);
/* Counts parts [part, part_end) of `parts` of the pairs of two species on the device, in addition to those of the
 * same two species counted before. *pairs grows by their number. */
sonde_status histogram_device_count(sonde_context *context, struct histogram_device *run, int species_a,
				    int species_b, uint64_t part, uint64_t part_end, uint64_t parts, double *pairs);
/* Adds the counts to totals[0 ..), TOTAL_WORDS per bin from first_bin on, and clears them. The bins lie between
 * first_bin and last_bin of the device. */
sonde_status histogram_device_collect(struct histogram_device *run, uint64_t *totals);
/* first_bin and last_bin, which are the same for all devices of a run. */
void histogram_window(const struct arranged_atoms *atoms, const struct histogram_bins *bins, int species_a,
		      int species_b, uint64_t *first, uint64_t *last);

/* Whether very many pairs of atoms of a species, in the tiling of rings, have the same distances, within a bin: as in perfect crystals,
 * for which kernel histogram_matrix loses pairs unless it empties bins at once. */
bool histogram_repeats(const struct arranged_atoms *atoms, int species, double per_angstrom);
/* Its parts: the first tiles of the quads of a species that are looked at, and their number; and whether the distances repeat, from the
 * coordinates of these quads, axis by axis, of which 1/per_unit is a bin. */
#define QUADS_LOOKED_AT 8
#define QUAD_ATOMS (QUAD * RING_TILE)
uint32_t histogram_quads_looked_at(const struct arranged_atoms *atoms, int species, uint32_t tiles[QUADS_LOOKED_AT]);
bool histogram_quads_repeat(const struct arranged_atoms *atoms, const uint32_t *tiles, uint32_t count,
			    double (*quads)[3][QUAD_ATOMS], double per_unit);

/* The slabs of a CPU's workers, and the kernel that empties them. */
sonde_status histogram_allocate_slabs(struct histogram_device *run);
/* Periodic samples: histogram_images.c. */
sonde_status histogram_images_prepare(struct histogram_device *run);
sonde_status histogram_images_count(sonde_context *context, struct histogram_device *run, uint64_t part,
				    uint64_t part_end, uint64_t parts, double *pairs);
#endif
