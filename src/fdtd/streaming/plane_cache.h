/* Access to any bytes of arrays in a scratch file between passes: some planes of a part are in memory, and are written
 * back when others are needed. */
#ifndef SONDE_FDTD_STREAMING_PLANE_CACHE_H
#define SONDE_FDTD_STREAMING_PLANE_CACHE_H

#include "fdtd/streaming/scratch_file.h"
#include "fdtd/streaming/streamed_arrays.h"

struct plane_cache {
	char *bytes;
	size_t capacity, size;
	const struct streamed_array *array; /* null: nothing is in memory */
	int part, copy;
	uint32_t begin, end;
	uint64_t offset; /* in the file */
	bool dirty;
};

/* Either way. */
struct plane_access {
	char *to;
	const char *from;
};

sonde_status plane_cache_access(struct plane_cache *cache, struct scratch_file *file,
				const struct streaming *streaming, const struct streamed_array *array, size_t offset,
				size_t bytes, const struct plane_access *access);
sonde_status plane_cache_flush(struct plane_cache *cache, struct scratch_file *file);
/* What is not in the file is lost. */
void plane_cache_forget(struct plane_cache *cache);
void plane_cache_free(struct plane_cache *cache);

#endif
