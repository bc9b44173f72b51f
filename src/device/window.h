/* Buffers of which only a window is in memory: parts of a buffer's addresses share memory, so that kernels find every
 * place at the same address as in a whole buffer, as long as they stay within the window. */
#ifndef SONDE_DEVICE_WINDOW_H
#define SONDE_DEVICE_WINDOW_H

#include "device/device_types.h"

/* Part of a buffer, of which any `window` consecutive bytes can be in use at a time. Parts are in the order of their
 * offsets and do not overlap. */
struct device_part {
	size_t offset, bytes, window;
};

/* How chunks of addresses are mapped to chunks of memory. Chunks between parts, or with ends of several parts, have
 * memory of their own. */
struct device_window {
	size_t chunk; /* bytes */
	uint32_t chunks, memory_chunks;
	uint32_t *memory_of_chunk; /* owned */
	void *state;               /* of the back end */
};

/* To be released by device_window_free(), also after a failure. */
sonde_status device_window_make(size_t bytes, size_t chunk, const struct device_part *parts, int count,
				const char *what, struct device_window *window);
void device_window_free(struct device_window *window);
/* Bytes of memory that it would have. */
uint64_t device_window_memory(size_t bytes, size_t chunk, const struct device_part *parts, int count);
/* Number of consecutive chunks from `chunk` on with consecutive memory. */
uint32_t device_window_run(const struct device_window *window, uint32_t chunk);

/* In main memory: for back ends whose kernels run on the host. *memory is the address of the buffer. */
sonde_status device_window_map(struct device_window *window, const char *what, void **memory);
void device_window_unmap(const struct device_window *window, void *memory);
size_t device_window_page(void);

#endif
