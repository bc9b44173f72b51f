/* Fields on a device, and their steps. Whoever has them says which planes go how far: all that one step does to a plane is done by plane, so that a
 * slab of planes can be ahead of the rest. */
#ifndef SONDE_FDTD_FIELDS_FIELDS_H
#define SONDE_FDTD_FIELDS_FIELDS_H

#include <stdbool.h>

#include "device/device.h"
#include "fdtd/grid/grid.h"
#include "fdtd/media/medium.h"
#include "fdtd/grid/step_layout.h"

/* What can be observed: the fields, and what media at surfaces of metals answer (answers.h), whose places are the numbers of the answers. */
enum field { FIELD_E, FIELD_H, FIELD_ANSWERS };
#define FIELDS_OBSERVED 3

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
	struct smoothing *smoothing;        /* of smooth surfaces: see smoothing.h; null: none */
	struct answering *answering;        /* of surfaces of metals: see answering.h; null: none */
	struct fields *imaginary;           /* of a grid with Bloch's walls; see below */
	struct device_kernel turn_walls;
	struct device_buffer turns; /* cosine and sine of the grid's phases */
};

/* Complex fields are two real ones, which know nothing of one another but at Bloch's walls, where what is ahead is exp(i phase) times what is on the other
 * side. They are stepped together, by what is done to their real part; observations have both parts, injections one. The grid of the imaginary
 * part alone has no phases. */

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

/* A kernel for the type of the fields' numbers: KIND on GPUs, KIND_f32 or KIND_f64 on CPUs. */
sonde_status fields_find_kernel(struct fields *fields, const char *kind, struct device_kernel *kernel);

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
