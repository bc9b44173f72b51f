/* Copies of arrays of other libraries in the memory of NVIDIA GPUs; sonde_cuda_copy_to_host() is in sonde/device.h. */
#ifndef SONDE_DEVICE_CUDA_ARRAYS_H
#define SONDE_DEVICE_CUDA_ARRAYS_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Copies `bytes` bytes, 1 or more, from `address` within the memory of the NVIDIA GPU `device`, after the work of its default stream;
 * *copy is the address, to be freed by cuda_array_free(). Kernels of a device "cuda:N" can use it. SONDE_INVALID if the process has no
 * GPU of this number, SONDE_RESOURCE if the driver is missing, or the GPU lacks memory or fails. */
sonde_status cuda_array_copy(int device, uint64_t address, size_t bytes, uint64_t *copy);
void cuda_array_free(int device, uint64_t copy);

#endif
