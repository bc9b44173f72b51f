/* The kernels for GPUs as plain C. */
#include "device/kernel_plain.h"

#include "toy_kernels_plain.h"
