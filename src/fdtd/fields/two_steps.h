/* Two time steps of both fields on GPUs with one passage through memory (kernels/step_twice.k): H, E, H, E without
 * anything between them. Results have the same bits as fields_step() of both fields, twice. The new fields go to the
 * second copy, as in whole steps (fields_gpu.h); the convolutions of absorbing layers have one, too. */
#ifndef SONDE_FDTD_FIELDS_TWO_STEPS_H
#define SONDE_FDTD_FIELDS_TWO_STEPS_H

#include "fdtd/fields/field_storage.h"
#include "fdtd/fields/cell_boxes.h"
#include "fdtd/grid/tile_layout.h"

/* The tile of a work-group, and its number of work-items, which divides rows times items. */
struct tile_shape {
	uint32_t rows,
	    items; /* the last row may be only read; `items` of four numbers of float32 or two of float64 lie side by side along z */
	uint32_t work_items;
	uint32_t items_along_z; /* of a row in layers along z, whose convolutions stay in local memory; 0: none */
};

struct two_steps {
	struct tile_shape shape;
	struct device_kernel kernel;
	struct fdtd_tiles tiles;
	uint32_t groups;
	struct device_buffer psi, between; /* the second copy of the convolutions; those after the first step */
	struct device_buffer kinds;        /* the medium of E in each plane of each tile */
};

/* Whether two steps at once are possible: on a GPU for which kernels can be compiled, in three dimensions, between
 * conductors (with or without layers). Sources, monitors, and media that respond after the step of E are the
 * caller's matter: nothing may act on the fields, or observe them, after the first of the two steps. */
bool two_steps_are_possible(const struct fields *fields);
/* The fastest shape of tiles known for the device; 0 rows if it lacks the local memory. */
struct tile_shape two_steps_shape(const struct fields *fields);
/* `items_along_z` of shapes for these fields; 0 if there are none, or too many. */
uint32_t two_steps_items_along_z(const struct fields *fields);
/* Bytes of local memory that a shape needs. */
uint32_t two_steps_local_memory(const struct fields *fields, const struct tile_shape *shape);
/* Finds the kernel and allocates second copies. SONDE_RESOURCE if the memory does not suffice, or no kernel is
 * available. To be released by two_steps_release() before the fields, also after a failure. */
sonde_status two_steps_make(struct fields *fields, const struct tile_shape *shape, struct two_steps *two);
void two_steps_release(struct fields *fields, struct two_steps *two);
/* Bytes of memory that pairs of steps need in addition to the fields: second copies of these and of the convolutions, and
 * those between the steps; 0 if they are impossible for the grid. Answers at metals, which prevent them, are the caller's
 * matter. */
double two_steps_bytes(struct device *device, const struct fdtd_grid *grid, bool single);
/* Asks for the kernel alone: see device_request_kernels(). */
void two_steps_request(struct fields *fields);
/* Steps all cells twice. */
sonde_status two_steps_take(struct fields *fields, struct two_steps *two);
/* Its two parts: exchanges the second copies of fields and convolutions for the present ones; then takes two steps from
 * those copies to the present ones. */
void two_steps_exchange(struct fields *fields, struct two_steps *two);
sonde_status two_steps_launch(struct fields *fields, struct two_steps *two);
/* Results are not stored in these boxes, at most TILE_MOST_APART, from now on. Along z they begin and end with whole
 * work-items. */
void two_steps_set_apart(struct two_steps *two, const struct cell_boxes *region);

#endif
