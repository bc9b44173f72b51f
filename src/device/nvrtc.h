/* NVIDIA's compiler at run time, if it is there. */
#ifndef SONDE_DEVICE_NVRTC_H
#define SONDE_DEVICE_NVRTC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "device/device.h"

/* "NVRTC 13.0", or null with a reason where there is none. It is looked for in $SONDE_NVRTC (a file or a folder), by the
 * system's loader, and in the usual folders of CUDA, conda and Python. */
const char *nvrtc_version(const char **reason);

/* Compiles a kernel's text for compute capability `major`.`minor`, or for the newest that the compiler knows below it.
 * *code is a cubin, to be released with free(). A failure carries the compiler's first error. */
sonde_status nvrtc_compile(const struct device_kernel_source *source, const struct device_define *defines,
			   size_t define_count, int major, int minor, void **code, size_t *size);

#endif
