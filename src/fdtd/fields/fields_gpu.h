/* Steps on GPUs, which have kernels of their own: half steps as everywhere, and whole ones of both fields at once. These read and write
 * each field once, where half steps read each twice and write it once, for a second copy of both in memory. */
#ifndef SONDE_FDTD_FIELDS_FIELDS_GPU_H
#define SONDE_FDTD_FIELDS_FIELDS_GPU_H

#include "fdtd/grid/boxes.h"
#include "fdtd/fields/field_storage.h"

/* Whether a device runs the kernels for GPUs. */
bool fields_suit_gpu(const struct device *device);
/* For fields.c. Cuts the grid, whose layout it must be given before, and finds the kernels of half steps. */
sonde_status fields_on_gpu_make(struct fields *fields);
/* Again when other components are stepped than before. */
sonde_status fields_find_half_steps(struct fields *fields);
sonde_status fields_step_on_gpu(struct fields *fields, enum field field, uint32_t first, uint32_t end);

/* Whether grid and device allow such steps: with cells that are far from layers and walls. */
bool fields_can_step_both(const struct fields *fields);
/* Their work-groups go through 2^planes_log planes from now on, instead of as many as seem best; said before fields_make_both(). */
void fields_go_through_planes(struct fields *fields, uint32_t planes_log);
/* Makes room for them, once. SONDE_RESOURCE where the memory does not suffice: then all is as before. */
sonde_status fields_make_both(struct fields *fields);
void fields_forget_next(struct fields *fields);
/* H, and what lies behind walls then, and E, of all planes: the same bits as fields_step() of either with fields_close() of H between. What acts on H
 * comes before it, what acts on E, and fields_close() of E, after it. */
sonde_status fields_step_both(struct fields *fields);

#endif
