/* Arrays of numbers by planes, of which the device has a window of planes and the host all. Kernels find each plane at
 * the same address as if all were on the device (device/window.h). */
#ifndef SONDE_FDTD_STREAMING_STREAMING_H
#define SONDE_FDTD_STREAMING_STREAMING_H

#include <stdbool.h>

#include "device/device.h"
#include "fdtd/grid/step_layout.h"
#include "fdtd/streaming/streamed_arrays.h"

/* For the planes of a layout. To be released by streaming_free(), also after a failure. */
sonde_status streaming_make(struct device *device, const struct fdtd_step *layout, const struct schedule *schedule,
			    struct streaming *streaming);
void streaming_free(struct streaming *streaming);

/* Parts of arrays of a layout: `components` equal ones of planes of `size` bytes, the first one at byte `offset`, each
 * `stride` bytes after the one before. */
void streaming_field_parts(const struct streaming *streaming, size_t offset, size_t stride, size_t size,
			   int components, struct plane_numbers *parts);

/* Bytes of some planes of a part. */
struct byte_range streaming_bytes(const struct streaming *streaming, const struct plane_numbers *part,
				  struct plane_range planes);

/* Allocates an array, zeroed: with the arguments of device_allocate() if `streaming` is null or it is small and does
 * not change; else a window of it, and all of it on the host. *buffer is to be released by streaming_release(), and must
 * stay where it is until then. */
sonde_status streaming_allocate(struct streaming *streaming, struct device *device, size_t bytes,
				const struct plane_numbers *parts, int part_count, bool changes, const char *what,
				struct device_buffer *buffer);
/* A window of an array that the host does not have. */
sonde_status streaming_allocate_scratch(struct streaming *streaming, size_t bytes, const struct plane_numbers *parts,
					int part_count, const char *what, struct device_buffer *buffer);
void streaming_release(struct streaming *streaming, struct device *device, struct device_buffer *buffer);
/* device_write() and device_read() of an array that may be streamed, between passes. Of planes of several devices, linked
 * by `beside`, which stay on them or go through them: written to all that have them, read from those whose own they are;
 * bytes of planes of other ranks are not read. */
sonde_status streaming_write(struct streaming *streaming, struct device *device, struct device_buffer *buffer,
			     size_t offset, const void *from, size_t bytes);
sonde_status streaming_read(struct streaming *streaming, struct device *device, const struct device_buffer *buffer,
			    size_t offset, void *to, size_t bytes);
/* Whether an array is streamed; else it is on the device. */
bool streaming_has(struct streaming *streaming, const struct device_buffer *buffer);
/* Visits some bytes of an array on its device. */
typedef sonde_status byte_visitor(struct streaming *streaming, const struct device_buffer *buffer, size_t begin,
				  size_t end, void *user);
/* Those of a range that are of some planes, and if `between` those that are of no plane. Parts are in the order of their
 * offsets. */
sonde_status streaming_visit_bytes(struct streaming *streaming, const struct streamed_array *array,
				   struct plane_range planes, bool between, struct byte_range range,
				   byte_visitor *visitor, void *user);

/* Of planes that ranks share: moves some bytes of an array that are of some planes, which are in the host's memory or in a
 * file here, to or from memory that begins with byte `offset` of the array. */
struct shared_bytes {
	size_t offset;
	const char *from;
	char *to;
};
sonde_status streaming_move_shared(struct streaming *streaming, const struct streamed_array *array,
				   struct plane_range planes, struct byte_range range,
				   const struct shared_bytes *bytes);

/* All numbers of a streamed array on the host; null: the host has none, or only some of them. */
void *streaming_host(struct streaming *streaming, const struct device_buffer *buffer);

/* A pass: `step` is called for each slab on queue 0, after its planes have been loaded and before they are stored. If the
 * planes are shared (schedule.shared), those of all devices of this process that are linked by `beside` go through them at
 * the same time; `on` is the one of the slab. */
typedef sonde_status slab_stepper(void *user, struct streaming *on, const struct streamed_slab *slab,
				  uint32_t number);
sonde_status streaming_pass(struct streaming *streaming, uint32_t steps, slab_stepper *step, void *user);
/* Counts the planes of a step in streaming->done. */
void streaming_count_step(struct streaming *streaming, const struct slab_step *step);
/* Shows all planes to `look`, a slab after the other; nothing is stored. */
sonde_status streaming_visit(struct streaming *streaming, slab_stepper *look, void *user);

#endif
