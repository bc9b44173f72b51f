/* Compiled kernels kept in files from run to run: DIR/KEY.kernel, each with a checksum, written under another name
 * and renamed, in a folder of mode 0700 of limited size. No failure here affects a run: a cache that cannot be read
 * or written is ignored. */
#ifndef SONDE_DEVICE_KERNEL_CACHE_H
#define SONDE_DEVICE_KERNEL_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#define KERNEL_CACHE_LIMIT (64u << 20) /* bytes of all files together */

struct kernel_cache {
	char folder[512]; /* "" if there is none */
};

/* `where`: a folder, "off", or "" for $XDG_CACHE_HOME/sonde (~/.cache/sonde). */
void kernel_cache_open(struct kernel_cache *cache, const char *where);
/* Whether there is a folder for files. */
bool kernel_cache_is_open(const struct kernel_cache *cache);
/* The bytes stored under `key`, to be released with free(); null if there are none or they are damaged. */
void *kernel_cache_get(const struct kernel_cache *cache, const char *key, size_t *size);
/* Stores bytes under `key`; the oldest files are removed to make room. */
void kernel_cache_put(const struct kernel_cache *cache, const char *key, const void *bytes, size_t size);

#endif
