/* Steps on GPUs, with separate kernels: half steps as on all devices, and whole steps of both fields at once. These
 * read and write each field once, where half steps read each twice and write it once, but need a second copy of both
 * in memory. */
#ifndef SONDE_FDTD_FIELDS_FIELDS_GPU_H
#define SONDE_FDTD_FIELDS_FIELDS_GPU_H

#include "fdtd/grid/boxes.h"
#include "fdtd/fields/field_storage.h"
#include "fdtd/fields/cell_boxes.h"

/* Whether a device runs the kernels for GPUs. */
bool fields_suit_gpu(const struct device *device);
/* For fields.c. Divides the grid, whose layout must be set before, and finds the kernels of half steps. */
sonde_status fields_on_gpu_make(struct fields *fields);
/* Finds the kernels of half steps again, after the set of stepped components has changed. */
sonde_status fields_find_half_steps(struct fields *fields);
/* The kernel of both fields at once. */
sonde_status fields_find_both(struct fields *fields);
sonde_status fields_step_on_gpu(struct fields *fields, enum field field, uint32_t first, uint32_t end);

/* Whether grid and device allow whole steps: there must be cells away from layers and walls. */
bool fields_can_step_both(const struct fields *fields);
/* From now on the work-groups of whole steps go through 2^planes_log planes instead of the default number; to be
 * called before fields_make_both(). */
void fields_go_through_planes(struct fields *fields, uint32_t planes_log);
/* Allocates the second copy for whole steps, once. SONDE_RESOURCE if the memory does not suffice; then nothing has
 * changed. */
sonde_status fields_make_both(struct fields *fields);
/* Counts the bytes of streamed fields (streaming.h) with those of the second copy. */
sonde_status fields_count_next(struct fields *fields, size_t bytes);
void fields_forget_next(struct fields *fields);
/* Steps H with the places beyond its walls, then E, in planes first to end - 1: bit-identical to fields_step() of H,
 * fields_close() of H, and fields_step() of E. Sources act on H before this call, on E after it, followed by
 * fields_close() of E. */
sonde_status fields_step_both(struct fields *fields, uint32_t first, uint32_t end);

/* Half a step of a field: from a buffer to another, or the same, with the other field; likewise the convolutions of
 * layers. */
struct half_way {
	enum field field;
	const struct device_buffer *from, *to, *turning, *psi, *psi_to;
};

/* Half a step of the cells of a region, without what follows after it (fields_close()). In place, or with convolutions
 * in place, its boxes must not overlap. */
sonde_status fields_step_cells(struct fields *fields, const struct half_way *way, const struct cell_boxes *region);

/* What fields_step_both() does to a range without planes: the next fields are the present ones. */
void fields_exchange(struct fields *fields);

#endif
