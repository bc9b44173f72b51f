/* A grid's planes on several devices. Each keeps its own planes, and copies of some of its neighbors' planes: as many as
 * `height` steps need. After these the devices exchange planes. All have the arrays of the same grid, with memory for
 * those planes only (device/window.h). */
#ifndef SONDE_FDTD_STREAMING_EXCHANGE_H
#define SONDE_FDTD_STREAMING_EXCHANGE_H

#include "fdtd/streaming/streaming.h"

/* Numbers of some planes, of all arrays that change, one after the other: in a buffer of the same device, or in memory
 * of the host. */
struct plane_packing {
	struct device_buffer *buffer; /* null: they are only counted */
	void *memory;                 /* of the host instead; or null */
	bool unpacks;                 /* to the planes, not from them */
	size_t bytes;                 /* packed so far */
};
sonde_status exchange_pack(struct streaming *streaming, struct plane_range planes, struct plane_packing *packed);

/* Makes the buffers for exchanges; all planes are made, and linked by `beside`. To be released by exchange_free() of
 * each. */
sonde_status exchange_prepare(struct streaming *first);
void exchange_free(struct streaming *streaming);
/* Copies each device's outer planes to its neighbors: behind all work on queue 0 of each, and ahead of later work. */
sonde_status exchange_planes(struct streaming *first);

#endif
