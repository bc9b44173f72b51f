/* Compilation of kernels in the background, by several threads. */
#ifndef SONDE_DEVICE_CUDA_AHEAD_H
#define SONDE_DEVICE_CUDA_AHEAD_H

#include <stdbool.h>
#include <stddef.h>

#include "device/device.h"

struct cuda_ahead;

/* A kernel to be compiled, identified by its key in the cache. */
struct cuda_ahead_kernel {
	const char *key;
	const struct device_kernel_source *source;
	const struct device_define *defines;
	size_t define_count;
	int architecture;
};

/* Begins to compile a kernel, on one of `threads` threads; *ahead is null at first. A failure has no consequences: the
 * kernel is then compiled when it is needed. */
void cuda_ahead_begin(struct cuda_ahead **ahead, int threads, const struct cuda_ahead_kernel *kernel);
/* The machine code of a kernel, which is waited for; null if it was not requested, or failed. To be released with
 * free(). */
void *cuda_ahead_take(struct cuda_ahead *ahead, const char *key, size_t *size);
/* Ends all threads; *ahead becomes null. */
void cuda_ahead_end(struct cuda_ahead **ahead);

#endif
