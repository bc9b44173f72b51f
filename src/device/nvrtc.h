/* NVIDIA's run-time compiler, if available. */
#ifndef SONDE_DEVICE_NVRTC_H
#define SONDE_DEVICE_NVRTC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "device/device.h"

/* "NVRTC 13.0", or null with a reason if there is none. It is searched in $SONDE_NVRTC (a file or a folder), by the
 * system's loader, and in the usual folders of CUDA, conda and Python. */
const char *nvrtc_version(const char **reason);

/* 1000 times its major version plus 10 times its minor one, as drivers report theirs; 0 if there is none. */
int nvrtc_version_number(void);

/* The newest architecture that the compiler supports for a device of compute capability `wanted` (90 for 9.0): not
 * above it, and of the same major version, since machine code runs on devices of the same major version and the same
 * or a higher minor one. 0 if there is none. */
int nvrtc_architecture(int wanted);
/* The oldest supported one not below `least`; 0 if there is none. */
int nvrtc_oldest_architecture(int least);

/* Compiles a kernel's text for an architecture to a cubin or, with `ptx`, to PTX as zero-terminated text. *code is to be
 * released with free(), and so is *log, if `log` is not null: registers and spills reported by the assembler. A failure
 * carries the compiler's first error. */
struct nvrtc_target {
	int architecture;
	bool ptx;
};
sonde_status nvrtc_compile(const struct device_kernel_source *source, const struct device_define *defines,
			   size_t define_count, const struct nvrtc_target *target, void **code, size_t *size,
			   char **log);

#endif
