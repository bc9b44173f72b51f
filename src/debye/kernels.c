/* The engine's kernels: their texts for run-time compilers, and their entries for the CPU, made by kernels_isa.c. */
#include "debye/debye.h"

#if defined(SONDE_CPU_X86_ISAS)
#define DECLARE_ENTRIES(name) \
	cpu_kernel_entry sonde_kernel_##name##_baseline, sonde_kernel_##name##_avx2, sonde_kernel_##name##_avx512;
#define ENTRIES(name) \
	.entry = {sonde_kernel_##name##_baseline, sonde_kernel_##name##_avx2, sonde_kernel_##name##_avx512}
#else
#define DECLARE_ENTRIES(name) cpu_kernel_entry sonde_kernel_##name##_baseline;
#define ENTRIES(name) .entry = {sonde_kernel_##name##_baseline, NULL, NULL}
#endif

/* kernels for SIMD registers, and kernels for work-groups of many work-items */
#define SIMD_KERNELS(X) X(exact_pairs) X(sinc_sum) X(histogram_pairs) X(histogram_settle)
#define GROUP_KERNELS(X) X(exact_products) X(sum_rows) X(histogram_ring)

#define SIMD_TABLE(name) static const struct cpu_kernel cpu_##name = {ENTRIES(name)};
#define GROUP_DECLARE(name) cpu_kernel_entry sonde_kernel_##name##_plain;
#define GROUP_TABLE(name) static const struct cpu_kernel cpu_##name = {.plain = sonde_kernel_##name##_plain};
SIMD_KERNELS(DECLARE_ENTRIES)
GROUP_KERNELS(GROUP_DECLARE)
SIMD_KERNELS(SIMD_TABLE)
GROUP_KERNELS(GROUP_TABLE)

extern const struct device_ptx ptx_exact_products[], ptx_sum_rows[], ptx_histogram_ring[], ptx_sinc_sum[];
extern const char kernel_exact_matrix[], kernel_exact_products[], kernel_sum_rows[], kernel_histogram_ring[],
    kernel_sinc_sum[];

static const struct device_kernel_source kernels[] = {
    {.name = "exact_pairs", .cpu = &cpu_exact_pairs},
    {.name = "histogram_pairs", .cpu = &cpu_histogram_pairs},
    {.name = "histogram_settle", .cpu = &cpu_histogram_settle},
    {.name = "sinc_sum", .text = kernel_sinc_sum, .ptx = ptx_sinc_sum, .cpu = &cpu_sinc_sum},
    {.name = "exact_products", .text = kernel_exact_products, .ptx = ptx_exact_products, .cpu = &cpu_exact_products},
    {.name = "exact_matrix", .text = kernel_exact_matrix},
    {.name = "sum_rows", .text = kernel_sum_rows, .ptx = ptx_sum_rows, .cpu = &cpu_sum_rows},
    {.name = "histogram_ring", .text = kernel_histogram_ring, .ptx = ptx_histogram_ring, .cpu = &cpu_histogram_ring},
    {.name = NULL}};

const struct device_program debye_program = {"debye", kernels, debye_self_test};
