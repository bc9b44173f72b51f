/* The engine's kernels: their source text for run-time compilers, and their CPU entry points, made by kernels_isa.c. */
#include "fdtd/fields/kernels.h"

#define FORMS(x, kind) x(kind##_f32) x(kind##_f64)
#define FOR_THE_CPU(x)       \
	FORMS(x, step_e)     \
	FORMS(x, step_h)     \
	FORMS(x, fill_walls) \
	FORMS(x, inject)     \
	FORMS(x, gather)     \
	FORMS(x, polarise)   \
	FORMS(x, displace)   \
	FORMS(x, smooth) FORMS(x, answer) FORMS(x, assemble) FORMS(x, survey) FORMS(x, transform) FORMS(x, turn_walls)
FOR_THE_CPU(CPU_KERNEL_TABLE)

#define FOR_GPUS(x)                                                                                              \
	x(step_both) x(step_cells) x(fill_walls) x(inject) x(gather) x(polarise) x(displace) x(smooth) x(answer) \
	    x(assemble) x(survey) x(transform) x(turn_walls)
#define DECLARE(kind)                                \
	extern const struct device_ptx ptx_##kind[]; \
	extern const char kernel_##kind[];
FOR_GPUS(DECLARE)

#define ENTRY(kind) {.name = #kind, .cpu = &cpu_##kind},
#define TEXT(kind) {.name = #kind, .text = kernel_##kind, .ptx = ptx_##kind},
static const struct device_kernel_source kernels[] = {FOR_THE_CPU(ENTRY) FOR_GPUS(TEXT){.name = NULL}};

const struct device_program fdtd_program = {"fdtd", kernels, fdtd_self_test};
