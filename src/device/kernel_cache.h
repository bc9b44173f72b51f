/* Compiled kernels kept in files from run to run: DIR/KEY.kernel, each with a checksum, written aside and renamed, in
 * a folder of mode 0700 whose size is capped. Nothing here fails a run: a cache that cannot be read or written is as
 * good as none. */
#ifndef SONDE_DEVICE_KERNEL_CACHE_H
#define SONDE_DEVICE_KERNEL_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#define KERNEL_CACHE_LIMIT (64u << 20) /* bytes of all files together */

struct kernel_cache {
	char folder[512]; /* "" where there is none */
};

/* `where`: a folder, "off", or "" for $XDG_CACHE_HOME/sonde (~/.cache/sonde). */
void kernel_cache_open(struct kernel_cache *cache, const char *where);
/* The bytes kept under `key`, to be released with free(); null where there are none or they are damaged. */
void *kernel_cache_get(const struct kernel_cache *cache, const char *key, size_t *size);
/* Keeps bytes under `key`; the oldest files make room. */
void kernel_cache_put(const struct kernel_cache *cache, const char *key, const void *bytes, size_t size);

#endif
