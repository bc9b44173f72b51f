/* Positions in the memory of an NVIDIA GPU, where another library has made them: a copy there, and one on the host once it is needed.
 *
 * The array `positions` of such atoms is null until atoms_need_positions(). Everything that reads it calls that before; what can do with
 * the positions on the GPU asks atoms_on_gpu(). */
#ifndef SONDE_MATTER_ATOMS_GPU_H
#define SONDE_MATTER_ATOMS_GPU_H

#include "matter/atoms/device_order.h"

/* An array of other libraries: coordinate k of atom i is number i row_step + k column_step from `address` on, of 32 or 64 bits. */
struct gpu_array {
	int device; /* number of the GPU for CUDA */
	uint64_t address;
	int bits;
	int64_t row_step, column_step;
};

/* Copies the array of `count` atoms, 1 or more, within the GPU. *gpu is null after a failure. */
sonde_status atoms_gpu_create(const struct gpu_array *array, int64_t count, struct atoms_gpu **gpu);
void atoms_gpu_free(struct atoms_gpu **gpu);
/* Whether most numbers between the first and the last coordinate are others. */
bool gpu_array_is_sparse(const struct gpu_array *array, int64_t count);
/* Copies the array to the host, where there is room for its numbers. */
sonde_status gpu_array_to_host(const struct gpu_array *array, int64_t count, double *positions);

/* Makes the positions of atoms available on the host; of most atoms they are. Atoms that are copies of the same structure, and
 * threads, share one array. SONDE_INVALID if a coordinate is impossible. */
sonde_status atoms_need_positions(const sonde_atoms *atoms);
/* The same, with an array of their own, that may be changed: the GPU's is given up. */
sonde_status atoms_own_positions(sonde_atoms *atoms);
/* The positions of atoms whose host has none so far, in the memory of the device of this name; else null. */
const struct device_positions *atoms_on_gpu(const sonde_atoms *atoms, const char *device);

/* Looks for impossible coordinates; atoms are counted from `first` on in the message. */
sonde_status atoms_check_positions(const double *positions, int64_t first, int64_t count);

#endif
