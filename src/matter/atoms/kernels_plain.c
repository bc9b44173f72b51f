/* The kernels for GPUs as plain C. */
#include "device/kernel_plain.h"

#include "matter_kernels_plain.h"
