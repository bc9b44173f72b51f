/* Fields on a device, and their steps. Whoever has them says which planes go how far: all that one step does to a plane is done by plane, so that a
 * slab of planes can be ahead of the rest. */
#ifndef SONDE_FDTD_FIELDS_H
#define SONDE_FDTD_FIELDS_H

#include <stdbool.h>

#include "device/device.h"
#include "fdtd/grid.h"
#include "fdtd/medium.h"
#include "fdtd/step_layout.h"

enum field { FIELD_E, FIELD_H };

struct fields {
	struct device *device;
	struct fdtd_grid grid;
	struct fdtd_step layout;
	bool single; /* float32 */
	uint32_t work_items;
	struct device_kernel kernels[2], fill_walls; /* of E, of H */
	struct device_kernel inject, gather, polarise, transform;
	struct device_buffer buffers[2], step, psi, profile, tables[2], index[2], segments[2];
	/* of GPUs, which have kernels of their own: see fields_gpu.h */
	bool on_gpu;
	struct device_kernel around[2], both; /* `kernels` are for the inside */
	struct device_buffer next[2];         /* of the next time */
	bool written;                         /* whether fields were given from outside */
	int polarisation_count;
	struct polarisation *polarisations; /* of media with poles: see polarisation.h */
};

/* All fields 0. `media` is not needed any more on return. Fails with SONDE_RESOURCE where the device has not the memory. To be released by
 * fields_release(), also after a failure. */
sonde_status fields_make(struct device *device, const struct fdtd_grid *grid, const struct media *media, bool single,
			 struct fields *fields);
void fields_release(struct fields *fields);

/* Bytes of device memory that they take; with a second copy (fields_gpu.h) both fields twice. */
double fields_bytes(const struct fdtd_grid *grid, size_t media, bool has_edges, bool has_faces, bool single);

/* Half a step of planes first to first + count - 1 of what grid_end_node() says: H by E, then E by H. */
sonde_status fields_step(struct fields *fields, enum field field, uint32_t first, uint32_t count);
/* Behind a step and what was added then: poles answer to E, and what lies behind the walls follows. */
sonde_status fields_close(struct fields *fields, enum field field, uint32_t first, uint32_t count);

/* One component of all nodes, (cells + 1) of each axis, z fastest, in float64. */
sonde_status fields_read(struct fields *fields, enum field field, int component, double *values);
sonde_status fields_write(struct fields *fields, enum field field, int component, const double *values);

#endif
