/* What engines and back ends say to each other: kernels, their arguments, buffers, properties of devices. */
#ifndef SONDE_DEVICE_DEVICE_TYPES_H
#define SONDE_DEVICE_DEVICE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "device/cpu_kernel.h"
#include "sonde/context.h"

struct device;

/* A constant of a kernel, known when it is compiled at run time. */
struct device_define {
	const char *name;
	uint32_t value;
};

/* A kernel that was compiled to PTX when Sonde was built, with the constants that it was given: LOCAL_SIZE first. */
struct device_ptx {
	const char *text;
	const struct device_define *defines;
	size_t define_count;
};

/* One kernel of a program: its text for compilers at run time, with everything that it includes, its PTX for CUDA
 * without such a compiler (a list that ends with a null text, made by tools/embed_ptx.c; empty where the build had no
 * compiler; null: never), and its entries for the CPU (null where it is not made for it). */
struct device_kernel_source {
	const char *name;
	const char *text;
	const struct device_ptx *ptx;
	const struct cpu_kernel *cpu;
};

/* The kernels of an engine. */
struct device_program {
	const char *name;                           /* "debye" */
	const struct device_kernel_source *kernels; /* ends with a null name */
	/* Compares the kernels with a reference on small work; run once on every device before its first use. */
	sonde_status (*self_test)(struct device *device);
};

/* A kernel that is ready to be launched on one device; owned by the device. */
struct device_kernel {
	const char *name;
	cpu_kernel_entry *cpu_entry;
	void *handle;          /* of the back end */
	uint32_t work_items;   /* of a work-group */
	uint32_t local_memory; /* bytes of a work-group */
	int registers, spilled_bytes;
	bool early; /* see device_launch(); false unless whoever asked for it says so */
};

/* One argument of a kernel: a number, or the memory of a buffer. */
struct device_argument {
	size_t size;
	const void *value;
};
#define DEVICE_ARGUMENT(x)      \
	{                       \
		sizeof(x), &(x) \
	}

/* A buffer: `memory` is where kernels see it. Given to kernels as DEVICE_ARGUMENT(buffer.memory). */
struct device_buffer {
	void *memory;
	size_t bytes;
};

/* What engines decide by. */
struct device_properties {
	bool fixed_kernels;    /* kernels are there in some shapes only: those of their PTX, or one */
	bool matrix_f64;       /* has units for matrix products of float64: MATRIX_MULADD of kernel.h */
	bool gpu_kernels;      /* runs the kernels for many work-items a group; else those for SIMD registers */
	uint32_t lanes;        /* numbers of float64 in a register of the kernels for those; else 1 */
	uint32_t workers;      /* threads of a CPU; multiprocessors */
	uint32_t local_memory; /* bytes that a work-group may have */
	uint32_t most_work_items;
	uint64_t memory;  /* bytes that buffers may take together */
	int host_threads; /* of the host, for work beside the device */
};

/* How to open devices. */
struct device_settings {
	int64_t threads;          /* of the CPU; 0: all that the process may use */
	uint64_t memory;          /* bytes a device; 0: what it has */
	double launch_limit;      /* seconds that a launch may take */
	const char *kernel_cache; /* folder, "off", or "" for the usual one */
	const int *stop;          /* not 0 once the caller asked to stop; may be null */
};

#define DEVICE_QUEUES 2

/* A moment of the queue. */
struct device_event {
	void *handle;
	double seconds; /* of back ends without events of their own */
};

#endif
