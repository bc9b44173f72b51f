/* Devices and their speeds; context.h and measure.h have the functions that fill these structures. */
#ifndef SONDE_DEVICE_H
#define SONDE_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include "sonde/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A device that Sonde found, or the reason why there is no device of a kind. */
typedef struct sonde_device_description {
	uint64_t struct_size;   /* set by the function that fills it: the size that the caller was compiled with */
	char name[32];          /* its name for --device */
	char model[128];        /* the manufacturer's name for it */
	char instructions[32];  /* instruction set of its kernels */
	int64_t threads;        /* of a CPU; multiprocessors or compute units */
	uint64_t memory;        /* bytes */
	int chosen;             /* whether the context runs on it */
	char reason[192];       /* why it is chosen or not chosen */
	char software[128];     /* driver and compiler */
	int usable;             /* whether it can run kernels */
	int absent;             /* whether there is no such device: `reason` gives the cause */
	int hidden;             /* for tests: not shown to users */
	int is_cpu;             /* whether it is this machine's processor */
	double peak_matrix_f64; /* FLOP/s of matrix units; 0: it has none */
	double peak_f32, peak_f64, peak_bandwidth; /* maximum FLOP/s and bytes/s, from clock and units; 0 unknown */
} sonde_device_description;

/* Measured, with kernels like those of the engines. */
typedef struct sonde_device_speed {
	uint64_t struct_size; /* set by the function that fills it: the size that the caller was compiled with */
	double f32, f64;      /* FLOP/s of multiply-adds, which count as two */
	double matrix_f64;    /* FLOP/s of matrix products, if the device has units for them; else 0 */
	double bandwidth;     /* bytes/s of a copy in the device's memory, read and written bytes together */
	/* bytes/s of copies from and to pinned memory of the host, in one direction alone, and in each of both at once; 0:
	 * the device is this machine's processor */
	double to_device, to_host, both_ways;
} sonde_device_speed;

/* Copies `bytes` at an address in the memory of an NVIDIA GPU to `host`, for samples whose arrays another library keeps
 * there (PyTorch, CuPy, JAX, programs of the CUDA runtime): all of them and Sonde use the primary context of the GPU.
 * `device` is the GPU's number in this process, as in DLPack. The copy follows all earlier work of the default stream, and
 * is complete on return; the caller's thread keeps its current context. Fails without a driver, without such a GPU, and
 * for an address that is not in its memory. */
SONDE_API sonde_status sonde_cuda_copy_to_host(int device, uint64_t address, void *host, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
