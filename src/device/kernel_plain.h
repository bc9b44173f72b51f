/* The kernel dialect as plain C: kernels for GPUs, run with work-groups of one work-item where there is none. */
#ifndef SONDE_DEVICE_KERNEL_PLAIN_H
#define SONDE_DEVICE_KERNEL_PLAIN_H

#if !defined(SONDE_ISA) /* the end of the symbols' names */
#define SONDE_ISA plain
#endif
#define SONDE_ISA_PLAIN
#include "device/kernel.h"

#endif
