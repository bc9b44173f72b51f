/* The text of the kernels for GPUs as plain C, run by the device "emulated". */
#include "device/kernel_plain.h"

#include "ions/kernels/histories.k"
