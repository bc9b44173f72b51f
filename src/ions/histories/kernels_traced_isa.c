/* The same kernels with recording of the paths of all atoms: a few ions are followed again for this. */
#include "device/kernel.h"

#define TRACED
#define KERNEL_NAME histories_traced
#include "ions/kernels/histories.k"
