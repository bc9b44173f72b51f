/* The kernels' text as C, in variants by field and type: step_e_f32 and so on. Compiled once per instruction set,
 * with SONDE_ISA naming it. */
#include "device/kernel.h"

#include "fdtd/fields/kernels_variants.h"
