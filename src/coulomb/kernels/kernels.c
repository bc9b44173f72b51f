/* The engine's kernels: their texts for run-time compilers, and their entries for the CPU, made by kernels_isa.c. */
#include "coulomb/kernels/kernels.h"

/* Kernels of a kind by SINGLE, FIELD, SCREENED and SETS, of the C code made by kernels_variants.h. */
#define FORMS(x, kind, sets)                                                                                \
	x(kind##_000##sets) x(kind##_010##sets) x(kind##_100##sets) x(kind##_110##sets) x(kind##_001##sets) \
	    x(kind##_011##sets) x(kind##_002##sets) x(kind##_012##sets)
#define FOR_THE_CPU(x)                                                                                        \
	FORMS(x, direct_points, 1)                                                                            \
	FORMS(x, direct_points, 4)                                                                            \
	x(direct_points_0031) x(direct_points_0131) x(ewald_waves_0) x(ewald_waves_1) FORMS(x, block_sums, 1) \
	    FORMS(x, block_sums, 4) FORMS(x, mesh_near, 1) FORMS(x, mesh_near, 4) x(mesh_columns)             \
		x(mesh_interpolate) x(mesh_product) x(mesh_spread)
FOR_THE_CPU(CPU_KERNEL_TABLE)
CPU_KERNEL_TABLE(block_interpolate)

extern const struct device_ptx ptx_direct_points[], ptx_direct_grid[], ptx_sum_segments[], ptx_ewald_waves[],
    ptx_block_sums[], ptx_block_interpolate[], ptx_mesh_gather[], ptx_mesh_multiply[], ptx_mesh_read[],
    ptx_mesh_samples[], ptx_mesh_sort[], ptx_mesh_tiles[];
extern const char kernel_direct_points[], kernel_direct_grid[], kernel_sum_segments[], kernel_ewald_waves[],
    kernel_block_sums[], kernel_block_interpolate[], kernel_mesh_gather[], kernel_mesh_multiply[], kernel_mesh_read[],
    kernel_mesh_samples[], kernel_mesh_sort[], kernel_mesh_tiles[];

#define ENTRY(kind) {.name = #kind, .cpu = &cpu_##kind},
static const struct device_kernel_source kernels[] = {
    FOR_THE_CPU(ENTRY){.name = "ewald_waves", .text = kernel_ewald_waves, .ptx = ptx_ewald_waves},
    {.name = "direct_points", .text = kernel_direct_points, .ptx = ptx_direct_points},
    {.name = "direct_grid", .text = kernel_direct_grid, .ptx = ptx_direct_grid},
    {.name = "sum_segments", .text = kernel_sum_segments, .ptx = ptx_sum_segments},
    {.name = "block_sums", .text = kernel_block_sums, .ptx = ptx_block_sums},
    {.name = "block_interpolate",
     .text = kernel_block_interpolate,
     .ptx = ptx_block_interpolate,
     .cpu = &cpu_block_interpolate},
    {.name = "mesh_gather", .text = kernel_mesh_gather, .ptx = ptx_mesh_gather},
    {.name = "mesh_multiply", .text = kernel_mesh_multiply, .ptx = ptx_mesh_multiply},
    {.name = "mesh_read", .text = kernel_mesh_read, .ptx = ptx_mesh_read},
    {.name = "mesh_samples", .text = kernel_mesh_samples, .ptx = ptx_mesh_samples},
    {.name = "mesh_sort", .text = kernel_mesh_sort, .ptx = ptx_mesh_sort},
    {.name = "mesh_tiles", .text = kernel_mesh_tiles, .ptx = ptx_mesh_tiles},
    {.name = NULL}};

const struct device_program coulomb_program = {"coulomb", kernels, coulomb_self_test};
const struct device_program coulomb_sets_program = {"coulomb of sets", kernels, coulomb_self_test_of_sets};
const struct device_program coulomb_points_program = {"coulomb of points", kernels, coulomb_self_test_of_points};
