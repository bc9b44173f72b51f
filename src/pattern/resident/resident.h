/* Samples whose positions are in the memory of a GPU alone, as those of arrays of other libraries are (matter/atoms/atoms_gpu.h): the GPU
 * makes of them what the sums take, and the host gets no copy. */
#ifndef SONDE_PATTERN_RESIDENT_H
#define SONDE_PATTERN_RESIDENT_H

#include "matter/atoms/device_positions.h"
#include "pattern/pattern.h"

/* Copies the positions to the host, unless the options and the devices of the run allow them to stay. Waits for the devices if they
 * may. */
sonde_status pattern_resident_choose(sonde_context *context, const sonde_atoms *atoms,
				     const sonde_pattern_options *options);
/* Whether the view of a sample is resident. */
bool pattern_is_resident(const struct pattern_sample *sample);
/* Finds the device of a resident sample, and the box around its atoms. */
sonde_status pattern_resident_begin(sonde_context *context, struct pattern_sample *sample, double low[3],
				    double high[3]);
/* As pattern_find_extents(). */
sonde_status pattern_resident_extents(const struct pattern_sample *sample, const double origin[3],
				      const double (*directions)[3], int count, struct pattern_extents *extents);
/* Positions of some atoms, x, y, z of each in turn. */
sonde_status pattern_resident_pick(const struct pattern_sample *sample, const int64_t *atoms, int count,
				   double *positions);
/* Atoms of the fast method on the device, relative to the center of the sample: those of `numbers`, of classes `classes`. */
sonde_status pattern_resident_records(const struct pattern_sample *sample, const uint32_t *numbers,
				      const uint32_t *classes, struct device_buffer *records);
/* As pattern_tiles_make(): the atoms remain on the device, in tiles->order. */
sonde_status pattern_resident_tiles(const struct pattern_sample *sample, struct pattern_tiles *tiles);
/* Brings tiles of these into a buffer of the device, as float32 if `single`. */
sonde_status pattern_resident_load(const struct pattern_tiles *tiles, uint32_t first, uint32_t count, bool single,
				   struct device_buffer *atoms);

#endif
