/* The kernels' text as C. Compiled once per instruction set, named by SONDE_ISA. */
#include "device/kernel.h"

#include "debye/kernels/exact_pairs.k"
#include "debye/kernels/histogram.k"
#include "debye/kernels/sinc_sum.k"
