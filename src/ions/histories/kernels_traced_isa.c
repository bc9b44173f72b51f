/* The same that writes down the paths of all atoms: few ions are followed so, once more. */
#include "device/kernel.h"

#define TRACED
#define HISTORIES_NAME histories_traced
#include "ions/kernels/histories.k"
