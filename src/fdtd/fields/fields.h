/* Fields on a device, and their steps. Whoever has them says which planes go how far: all that one step does to a plane is done by plane, so that a
 * slab of planes can be ahead of the rest. */
#ifndef SONDE_FDTD_FIELDS_FIELDS_H
#define SONDE_FDTD_FIELDS_FIELDS_H

#include "fdtd/fields/field_storage.h"

/* All fields 0. `media` is not needed any more on return. Fails with SONDE_RESOURCE where the device has not the memory. To be released by
 * fields_release(), also after a failure. */
sonde_status fields_make(struct device *device, const struct fdtd_grid *grid, const struct media *media, bool single,
			 struct fields *fields);
void fields_release(struct fields *fields);

/* Bytes of device memory that they take; with a second copy (fields_gpu.h) both fields twice. */
double fields_bytes(const struct fdtd_grid *grid, size_t media, bool has_edges, bool has_faces, bool single,
		    bool on_gpu);

/* Only some components change from now on, a bit each; the others must be 0 everywhere. GPUs may step all. */
sonde_status fields_step_only(struct fields *fields, uint32_t of_e, uint32_t of_h);

/* Bytes that a cell's step moves at least, in two passes: all fields read and written once in each, with the numbers of media; of the grid's
 * cells on the average, layers included. */
double fields_bytes_of_step(const struct fields *fields);

/* Half a step of planes first to first + count - 1 of what grid_end_node() says: H by E, then E by H. */
sonde_status fields_step(struct fields *fields, enum field field, uint32_t first, uint32_t count);
/* Behind a step and what was added then: poles answer to E, and what lies behind the walls follows. */
sonde_status fields_close(struct fields *fields, enum field field, uint32_t first, uint32_t count);

/* One component of all nodes, (cells + 1) of each axis, z fastest, in float64. What lies behind two walls at once, which no step needs, may be of an earlier
 * time. */
sonde_status fields_read(struct fields *fields, enum field field, int component, double *values);
/* What lies behind walls follows: of complex fields once the real part is written, behind the imaginary one. */
sonde_status fields_write(struct fields *fields, enum field field, int component, const double *values);

#endif
