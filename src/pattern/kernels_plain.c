/* The kernels for GPUs as plain C. */
#include "device/kernel_plain.h"

#include "pattern_kernels_plain.h"
