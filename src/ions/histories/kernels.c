/* The engine's kernels: their texts for run-time compilers, and their entries for the CPU, made by kernels_isa.c. */
#include "ions/histories/kernels.h"

#if defined(SONDE_CPU_X86_ISAS)
cpu_kernel_entry sonde_kernel_histories_baseline, sonde_kernel_histories_avx2, sonde_kernel_histories_avx512,
    sonde_kernel_histories_plain;
static const struct cpu_kernel cpu_histories = {
    .entry = {sonde_kernel_histories_baseline, sonde_kernel_histories_avx2, sonde_kernel_histories_avx512},
    .plain = sonde_kernel_histories_plain};
cpu_kernel_entry sonde_kernel_histories_traced_baseline, sonde_kernel_histories_traced_avx2,
    sonde_kernel_histories_traced_avx512;
static const struct cpu_kernel cpu_histories_traced = {.entry = {sonde_kernel_histories_traced_baseline,
								 sonde_kernel_histories_traced_avx2,
								 sonde_kernel_histories_traced_avx512}};
#else
cpu_kernel_entry sonde_kernel_histories_baseline, sonde_kernel_histories_plain;
static const struct cpu_kernel cpu_histories = {.entry = {sonde_kernel_histories_baseline, NULL, NULL},
						.plain = sonde_kernel_histories_plain};
cpu_kernel_entry sonde_kernel_histories_traced_baseline;
static const struct cpu_kernel cpu_histories_traced = {.entry = {sonde_kernel_histories_traced_baseline, NULL, NULL}};
#endif

extern const struct device_ptx ptx_histories[];
extern const char kernel_histories[];

static const struct device_kernel_source kernels[] = {
    {.name = "histories", .text = kernel_histories, .ptx = ptx_histories, .cpu = &cpu_histories},
    {.name = "histories_traced", .cpu = &cpu_histories_traced},
    {.name = NULL}};

const struct device_program ions_program = {"ions", kernels, ions_self_test};
