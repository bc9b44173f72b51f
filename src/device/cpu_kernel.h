/* The tables by which the CPU back end finds kernels that were compiled ahead of time. */
#ifndef SONDE_DEVICE_CPU_KERNEL_H
#define SONDE_DEVICE_CPU_KERNEL_H

#include <stddef.h>
#include <stdint.h>

/* A kernel's place: its work-group and the worker (thread, counted from 0) that runs it. A worker runs one group at a
 * time, so that scratch memory is allocated per worker and not per group. */
struct cpu_group {
	uint32_t id;
	uint32_t worker;
	void *local_memory;
	const int *stop; /* not 0 once the caller asked to stop; null: never */
};

typedef void cpu_kernel_entry(const struct cpu_group *group, void *const *arguments);

/* The entries of one kernel, one per instruction set; an entry is NULL where the library was built without that set.
 * Kernels for GPUs, with many work-items per group, have only a plain entry, which runs them with groups of one. */
enum cpu_isa { CPU_ISA_BASELINE, CPU_ISA_AVX2, CPU_ISA_AVX512, CPU_ISA_COUNT };

struct cpu_kernel {
	cpu_kernel_entry *entry[CPU_ISA_COUNT];
	cpu_kernel_entry *plain;
};

#endif
