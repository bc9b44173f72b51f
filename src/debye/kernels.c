/* The engine's kernels for the CPU back end: one entry per instruction set, made by
 * kernels_isa.c. */
#include "debye/debye.h"

#define DECLARE(name, isa) cpu_kernel_entry sonde_kernel_##name##_##isa;
#if defined(SONDE_CPU_X86_ISAS)
#define KERNEL_ENTRIES(name) \
	{#name, {sonde_kernel_##name##_baseline, sonde_kernel_##name##_avx2, sonde_kernel_##name##_avx512}},
#define DECLARE_KERNEL(name) DECLARE(name, baseline) DECLARE(name, avx2) DECLARE(name, avx512)
#else
#define KERNEL_ENTRIES(name) {#name, {sonde_kernel_##name##_baseline, NULL, NULL}},
#define DECLARE_KERNEL(name) DECLARE(name, baseline)
#endif

#define KERNELS(X) X(exact_pairs) X(sinc_sum) X(histogram_pairs) X(histogram_settle)

KERNELS(DECLARE_KERNEL)
static const struct cpu_kernel cpu_kernels[] = {KERNELS(KERNEL_ENTRIES){NULL, {NULL}}};

const struct device_program debye_program = {"debye", cpu_kernels};
