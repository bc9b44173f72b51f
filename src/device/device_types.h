/* Types shared by engines and back ends: kernels, their arguments, buffers, properties of devices. */
#ifndef SONDE_DEVICE_DEVICE_TYPES_H
#define SONDE_DEVICE_DEVICE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "device/cpu_kernel.h"
#include "sonde/device.h"

struct device;

/* A constant of a kernel, known when it is compiled at run time. */
struct device_define {
	const char *name;
	uint32_t value;
};

/* A shape of a kernel that was compiled when Sonde was built, with its constants: LOCAL_SIZE first. */
struct device_precompiled {
	const char *format; /* "ptx": a back end takes those that it knows */
	const char *code;
	const struct device_define *defines;
	size_t define_count;
};

/* One kernel of a program: its text for compilers at run time, with everything that it includes (null: none), the shapes
 * that were compiled when Sonde was built, for devices without such a compiler (a list that ends with a null code; empty if
 * the build had no compiler), and its entries for the CPU. See kernel_table.h. */
struct device_kernel_source {
	const char *name;
	const char *text;
	const struct device_precompiled *precompiled;
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
	bool early; /* see device_launch(); false unless set by the caller */
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

/* A buffer: `memory` is its address for kernels. Passed to kernels as DEVICE_ARGUMENT(buffer.memory). */
struct device_buffer {
	void *memory;
	size_t bytes;
	struct device_window *window; /* null: all of it is in memory; see device_allocate_window() */
};

/* Properties on which engines base decisions. */
struct device_properties {
	bool fixed_kernels;    /* kernels exist only in some shapes: those of their PTX, or one */
	bool matrix_f64;       /* has units for matrix products of float64: MATRIX_MULADD of kernel.h */
	bool gpu_kernels;      /* runs the kernels for many work-items per group; else those for SIMD registers */
	bool copies_to_local;  /* copies to local memory need not be waited for: COPY_TO_LOCAL */
	uint32_t warp;         /* WARP_SIZE of kernel.h, where that is more than 1; else 0 */
	uint32_t lanes;        /* number of float64 values in a SIMD register of those; else 1 */
	uint32_t workers;      /* threads of a CPU; multiprocessors */
	uint32_t local_memory; /* bytes available to a work-group */
	uint32_t most_work_items;
	uint32_t large_kernel_items; /* the same for kernels that need many registers, if they are to be fast */
	uint64_t memory;             /* total bytes of buffers allowed */
	int host_threads;            /* of the host, for work in parallel with the device */
};

/* Settings for opening devices. */
struct device_settings {
	int64_t threads;          /* of the CPU; 0: all that the process may use */
	uint64_t memory;          /* bytes per device; 0: all free memory */
	double launch_limit;      /* maximum seconds of a launch */
	const char *kernel_cache; /* folder, "off", or "" for the default */
	const int *stop;          /* not 0 once the caller asked to stop; may be null */
};

/* An environment variable of a kind of devices. */
struct device_variable {
	const char *name;
	const char *help;  /* for the manual; null: not for users */
	const char *value; /* set by the program unless the user has; null: none */
};

/* A kind of devices: those of one back end. */
struct device_kind {
	const char *name;                        /* of the devices, up to the colon */
	const char *help;                        /* what they are: "NVIDIA GPUs" */
	bool is_numbered;                        /* their names have a number: "cuda:0" */
	bool offers_gpus;                        /* GPUs that are not named are looked for here */
	bool opens_together;                     /* several may be opened by threads at the same time */
	bool is_hidden;                          /* for tests: not shown to users */
	const struct device_variable *variables; /* ends with a null name; null: none */
};

#define DEVICE_QUEUES 3
/* One more queue, whose groups begin before those that wait in other queues, also of other contexts, where a device can do that: for
 * short work that a run waits for. */
#define DEVICE_QUEUE_AHEAD DEVICE_QUEUES
#define DEVICE_ALL_QUEUES (DEVICE_QUEUES + 1)

/* A point in time of the queue. */
struct device_event {
	void *handle;
	double seconds; /* of back ends without events of their own */
};

#endif
