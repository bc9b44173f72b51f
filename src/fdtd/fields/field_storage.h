/* Storage of the fields on a device: their numbers, kernels and lists. fields.h steps them. */
#ifndef SONDE_FDTD_FIELDS_FIELD_STORAGE_H
#define SONDE_FDTD_FIELDS_FIELD_STORAGE_H

#include <stdbool.h>

#include "device/device.h"
#include "fdtd/grid/grid.h"
#include "fdtd/grid/step_layout.h"
#include "fdtd/media/medium.h"
#include "fdtd/streaming/streaming.h"

/* Observable quantities: the fields, and the answers of media at metal surfaces (answers.h), addressed by the numbers
 * of the answers. */
enum field { FIELD_E, FIELD_H, FIELD_ANSWERS };
#define FIELDS_OBSERVED 3

#define ITEMS 128u /* of a work-group of GPUs */

struct parallel;

struct fields {
	struct device *device;
	struct fdtd_grid grid;
	struct fdtd_step layout;
	bool single;                 /* float32 */
	int threads;                 /* of the host, to make lists with */
	struct streaming *streaming; /* null: all planes are on the device */
	bool owns_streaming;
	struct plane_range
	    own; /* planes that are observed on this device: all, unless several devices have the grid */
	struct fields *beside;  /* the same grid's fields on the next device; null: none */
	struct parallel *ranks; /* whose devices have the other planes; null: those of this process have all */
	bool in_turn;           /* planes go through these devices, one after the other (chain.h) */
	uint32_t most_times;    /* steps for which sources and observations have room */
	uint32_t work_items;
	struct device_kernel kernels[2], fill_walls; /* of E, of H */
	struct device_kernel inject, gather, polarize, transform;
	struct device_buffer buffers[2], step, psi, profile, tables[2], index[2], segments[2];
	/* of CPUs: see fields_cpu.h */
	struct device_kernel both_in_place, tile, fill_rows, turn_rows;
	struct device_buffer counters;
	/* of GPUs, which have kernels of their own: see fields_gpu.h */
	bool on_gpu;
	struct device_kernel around[2], both; /* `kernels` are for the inside */
	struct device_buffer next[2];         /* at the next time */
	bool written;                         /* whether fields were set from outside */
	int polarization_count;
	struct polarization *polarizations; /* of media with poles: see polarization.h */
	struct smoothing *smoothing;        /* of smooth surfaces: see smoothing.h; or null */
	struct answering *answering;        /* of metal surfaces: see answering.h; or null */
	struct fields *imaginary;           /* of a grid with Bloch walls; see below */
	struct device_kernel turn_walls;
	struct device_buffer turns; /* cosine and sine of the grid's phases */
};

/* Complex fields are two real ones, coupled only at Bloch walls, where the field ahead is exp(i phase) times that on
 * the other side. Calls for the real part step both; an observation has both parts, an injection only one. The grid
 * of the imaginary part alone has no phases. */

/* A grid on several devices: each has fields with memory for its own planes and some of its neighbors' (exchange.h). Lists
 * of sources and monitors are made and read through the fields of the first device, and are on all of them; what acts on
 * planes is called with the fields of each device. Devices of several ranks do the same: each rank has the fields of its own
 * ones, and what is read of the fields is merged, for all ranks, which therefore read the same things in the same order. */

/* The form in which CPUs have the fields, as in names of kernels; bytes of a number, and of a number of the fields in
 * memory. */
const char *fields_form(const struct fields *fields);
size_t fields_number_size(const struct fields *fields);
size_t fields_stored_size(const struct fields *fields);
/* Finds the kernel for the number type of the fields: KIND on GPUs, KIND_f32, KIND_f64 or KIND_f16 on CPUs. */
sonde_status fields_find_kernel(struct fields *fields, const char *kind, struct device_kernel *kernel);
/* The same for numbers that are not those of fields: never in words. */
sonde_status fields_find_kernel_of_numbers(struct fields *fields, const char *kind, struct device_kernel *kernel);
/* Allocates three components, the first one from byte `offset` on, whose planes have `size` bytes: all of it, or a window of
 * planes if the fields are streamed (streaming.h). */
sonde_status fields_allocate_planes(struct fields *fields, size_t offset, size_t size, size_t bytes, bool changes,
				    const char *what, struct device_buffer *buffer);
/* Of a list by planes, which edges follow from those of the planes from `first` on: their own ones, and those along x of
 * the plane before, if this device has it. */
uint32_t fields_first_along_x(const struct fields *fields, uint32_t first, const uint32_t *first_of_plane,
			      const uint32_t *first_along_x);
/* Place of the edge or face of a component at a node in the fields of a layout. */
uint64_t fields_place(const struct fields *fields, int component, int i, int j, int k);

#endif
