/* Pieces of the host's memory, each of which is pinned by itself (host_memory.c), and copies that are within one piece. */
#ifndef SONDE_DEVICE_HOST_PIECES_H
#define SONDE_DEVICE_HOST_PIECES_H

#include "device/device_types.h"

#define HOST_PIECE ((size_t)256 << 20) /* pieces end at addresses that are multiples of this */
/* Bytes of the piece that begins at an address, at most `count`. */
size_t host_piece_end(const char *bytes, size_t count);

typedef sonde_status copy_from_host(struct device *device, void *memory, size_t offset, const void *from,
				    size_t bytes);
typedef sonde_status copy_to_host(struct device *device, void *memory, size_t offset, void *to, size_t bytes);

/* Of a range that the buffer has. */
sonde_status device_copy_from_host(struct device *device, copy_from_host *copy, void *memory, size_t offset,
				   const char *from, size_t bytes);
sonde_status device_copy_to_host(struct device *device, copy_to_host *copy, void *memory, size_t offset, char *to,
				 size_t bytes);

#endif
