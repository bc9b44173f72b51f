/* The engine's kernels: their texts for compilers at run time, and their entries for the CPU, made by kernels_isa.c. */
#include "fdtd/fdtd.h"

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
#define FOR_THE_CPU(x) x(step_e_f32) x(step_h_f32) x(step_e_f64) x(step_h_f64) x(fill_walls_f32) x(fill_walls_f64)
FOR_THE_CPU(TABLE)

extern const struct device_ptx ptx_step_fields[], ptx_fill_walls[];
extern const char kernel_step_fields[], kernel_fill_walls[];

#define ENTRY(kind) {.name = #kind, .cpu = &cpu_##kind},
static const struct device_kernel_source kernels[] = {
    FOR_THE_CPU(ENTRY){.name = "step_fields", .text = kernel_step_fields, .ptx = ptx_step_fields},
    {.name = "fill_walls", .text = kernel_fill_walls, .ptx = ptx_fill_walls},
    {.name = NULL}};

const struct device_program fdtd_program = {"fdtd", kernels, fdtd_self_test};
