/* Positions in the memory of an NVIDIA GPU, where another library has made them: a copy there, and one on the host once it is needed.
 * The array `positions` of such atoms is null until atoms_need_positions() of atoms.h. */
#ifndef SONDE_MATTER_ATOMS_GPU_H
#define SONDE_MATTER_ATOMS_GPU_H

#include "matter/atoms/device_order.h"
#include "run/context.h"

/* An array of other libraries: coordinate k of atom i is number i row_step + k column_step from `address` on, of 32 or 64 bits. */
struct gpu_array {
	int device; /* number of the GPU for CUDA */
	uint64_t address;
	int bits;
	int64_t row_step, column_step; /* in numbers; may be negative or 0 */
};

/* Copies the array of `count` atoms, 1 or more, within the GPU, for new atoms, which free the copy. */
sonde_status atoms_gpu_create(const struct gpu_array *array, int64_t count, const struct positions_owner **owner);
/* Copies positions, x, y, z of each atom in turn, to any device, which is to be closed after the atoms are freed. */
sonde_status atoms_gpu_upload(struct device *device, const double *positions, int64_t count,
			      const struct positions_owner **owner);
/* Whether the array is within the address space. */
bool gpu_array_is_possible(const struct gpu_array *array, int64_t count);
/* Whether most numbers between the first and the last coordinate are others. */
bool gpu_array_is_sparse(const struct gpu_array *array, int64_t count);
/* Copies the array to the host: x, y, z of each atom in turn. */
sonde_status gpu_array_to_host(const struct gpu_array *array, int64_t count, double *positions);

/* Whether the positions are in the memory of a GPU alone, so far. */
static inline bool atoms_are_resident(const sonde_atoms *atoms)
{
	return atoms->owner != NULL && __atomic_load_n(&atoms->positions, __ATOMIC_ACQUIRE) == NULL;
}

#define ATOMS_RESIDENT_LEAST 4096 /* atoms: fewer are prepared by the host in less time than launches take */
/* Whether the GPU with the positions of such atoms does all work of the context, for which it waits. */
sonde_status atoms_gpu_works_alone(sonde_context *context, const sonde_atoms *atoms, bool *alone);
/* The positions of atoms without any on the host so far, in the memory of the device of this name; else null. */
const struct device_positions *atoms_on_gpu(const sonde_atoms *atoms, const char *device);

#endif
