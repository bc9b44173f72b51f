#include "device/host_pieces.h"

size_t host_piece_end(const char *bytes, size_t count)
{
	const size_t left = HOST_PIECE - (uintptr_t)bytes % HOST_PIECE;

	return left < count ? left : count;
}

sonde_status device_copy_from_host(struct device *device, copy_from_host *copy, void *memory, size_t offset,
				   const char *from, size_t bytes)
{
	for (size_t at = 0, count; at < bytes; at += count) {
		count = host_piece_end(from + at, bytes - at);
		CHECK(copy(device, memory, offset + at, from + at, count));
	}
	return SONDE_OK;
}

sonde_status device_copy_to_host(struct device *device, copy_to_host *copy, void *memory, size_t offset, char *to,
				 size_t bytes)
{
	for (size_t at = 0, count; at < bytes; at += count) {
		count = host_piece_end(to + at, bytes - at);
		CHECK(copy(device, memory, offset + at, to + at, count));
	}
	return SONDE_OK;
}
