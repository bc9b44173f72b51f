/* The engine's kernels: their texts for compilers at run time, and their entries for the CPU, made by kernels_isa.c. */
#include "coulomb/coulomb.h"

#if defined(SONDE_CPU_X86_ISAS)
#define TABLE(name)                                                                                                \
	cpu_kernel_entry sonde_kernel_##name##_baseline, sonde_kernel_##name##_avx2, sonde_kernel_##name##_avx512; \
	cpu_kernel_entry sonde_kernel_##name##_plain;                                                              \
	static const struct cpu_kernel cpu_##name = {                                                              \
	    .entry = {sonde_kernel_##name##_baseline, sonde_kernel_##name##_avx2, sonde_kernel_##name##_avx512},   \
	    .plain = sonde_kernel_##name##_plain};
#else
#define TABLE(name)                                                                                         \
	cpu_kernel_entry sonde_kernel_##name##_baseline, sonde_kernel_##name##_plain;                       \
	static const struct cpu_kernel cpu_##name = {.entry = {sonde_kernel_##name##_baseline, NULL, NULL}, \
						     .plain = sonde_kernel_##name##_plain};
#endif
TABLE(direct_points_000)
TABLE(direct_points_010)
TABLE(direct_points_100)
TABLE(direct_points_110)
TABLE(direct_points_001)
TABLE(direct_points_011)
TABLE(direct_points_002)
TABLE(direct_points_012)
TABLE(direct_points_003)
TABLE(direct_points_013)
TABLE(ewald_waves_0)
TABLE(ewald_waves_1)
TABLE(block_sums_000)
TABLE(block_sums_010)
TABLE(block_sums_100)
TABLE(block_sums_110)
TABLE(block_sums_001)
TABLE(block_sums_011)
TABLE(block_sums_002)
TABLE(block_sums_012)
TABLE(block_interpolate_0)
TABLE(block_interpolate_1)

extern const struct device_ptx ptx_direct_points[], ptx_direct_grid[], ptx_sum_segments[], ptx_ewald_waves[],
    ptx_block_sums[], ptx_block_interpolate[];
extern const char kernel_direct_points[], kernel_direct_grid[], kernel_sum_segments[], kernel_ewald_waves[],
    kernel_block_sums[], kernel_block_interpolate[];

static const struct device_kernel_source kernels[] = {
    {.name = "direct_points_000", .cpu = &cpu_direct_points_000},
    {.name = "direct_points_010", .cpu = &cpu_direct_points_010},
    {.name = "direct_points_100", .cpu = &cpu_direct_points_100},
    {.name = "direct_points_110", .cpu = &cpu_direct_points_110},
    {.name = "direct_points_001", .cpu = &cpu_direct_points_001},
    {.name = "direct_points_011", .cpu = &cpu_direct_points_011},
    {.name = "direct_points_002", .cpu = &cpu_direct_points_002},
    {.name = "direct_points_012", .cpu = &cpu_direct_points_012},
    {.name = "direct_points_003", .cpu = &cpu_direct_points_003},
    {.name = "direct_points_013", .cpu = &cpu_direct_points_013},
    {.name = "ewald_waves_0", .cpu = &cpu_ewald_waves_0},
    {.name = "ewald_waves_1", .cpu = &cpu_ewald_waves_1},
    {.name = "block_sums_000", .cpu = &cpu_block_sums_000},
    {.name = "block_sums_010", .cpu = &cpu_block_sums_010},
    {.name = "block_sums_100", .cpu = &cpu_block_sums_100},
    {.name = "block_sums_110", .cpu = &cpu_block_sums_110},
    {.name = "block_sums_001", .cpu = &cpu_block_sums_001},
    {.name = "block_sums_011", .cpu = &cpu_block_sums_011},
    {.name = "block_sums_002", .cpu = &cpu_block_sums_002},
    {.name = "block_sums_012", .cpu = &cpu_block_sums_012},
    {.name = "block_interpolate_0", .cpu = &cpu_block_interpolate_0},
    {.name = "block_interpolate_1", .cpu = &cpu_block_interpolate_1},
    {.name = "ewald_waves", .text = kernel_ewald_waves, .ptx = ptx_ewald_waves},
    {.name = "direct_points", .text = kernel_direct_points, .ptx = ptx_direct_points},
    {.name = "direct_grid", .text = kernel_direct_grid, .ptx = ptx_direct_grid},
    {.name = "sum_segments", .text = kernel_sum_segments, .ptx = ptx_sum_segments},
    {.name = "block_sums", .text = kernel_block_sums, .ptx = ptx_block_sums},
    {.name = "block_interpolate", .text = kernel_block_interpolate, .ptx = ptx_block_interpolate},
    {.name = NULL}};

const struct device_program coulomb_program = {"coulomb", kernels, coulomb_self_test};
