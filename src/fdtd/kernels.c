/* The engine's kernels: their texts for compilers at run time, and their entries for the CPU, made by kernels_isa.c. */
#include "fdtd/fdtd.h"

#define FORMS(x, kind) x(kind##_f32) x(kind##_f64)
#define FOR_THE_CPU(x)                                                                            \
	FORMS(x, step_e)                                                                          \
	FORMS(x, step_h)                                                                          \
	FORMS(x, fill_walls)                                                                      \
	FORMS(x, inject) FORMS(x, gather) FORMS(x, polarise) FORMS(x, survey) FORMS(x, transform) \
	    FORMS(x, turn_walls)
FOR_THE_CPU(CPU_KERNEL_TABLE)

extern const struct device_ptx ptx_step_fields[], ptx_fill_walls[], ptx_inject[], ptx_gather[], ptx_polarise[],
    ptx_survey[], ptx_transform[], ptx_turn_walls[];
extern const char kernel_step_fields[], kernel_fill_walls[], kernel_inject[], kernel_gather[], kernel_polarise[],
    kernel_survey[], kernel_transform[], kernel_turn_walls[];

#define ENTRY(kind) {.name = #kind, .cpu = &cpu_##kind},
#define TEXT(kind) {.name = #kind, .text = kernel_##kind, .ptx = ptx_##kind},
static const struct device_kernel_source kernels[] = {FOR_THE_CPU(ENTRY) TEXT(step_fields) TEXT(fill_walls) TEXT(
    inject) TEXT(gather) TEXT(polarise) TEXT(survey) TEXT(transform) TEXT(turn_walls){.name = NULL}};

const struct device_program fdtd_program = {"fdtd", kernels, fdtd_self_test};
