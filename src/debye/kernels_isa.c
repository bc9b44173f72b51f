/* The kernels' text as C. Compiled once per instruction set, with SONDE_ISA naming it. */
#include "device/kernel.h"

#include "debye/kernels/exact_pairs.k"
#include "debye/kernels/histogram.k"
#include "debye/kernels/sinc_sum.k"
