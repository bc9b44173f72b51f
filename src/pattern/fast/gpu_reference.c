/* Amplitudes at some points on a GPU, every atom at each of them, for the check of the transforms. */
#include <stdlib.h>

#include "base/memory.h"
#include "pattern/fast/gpu_mesh.h"
#include "pattern/fast/gpu_parts.h"

/* Sums of chunks of atoms, in device memory and then in that of the host. */
struct check {
	struct gpu_mesh *gpu;
	struct device_buffer vectors, amplitudes, sums;
	double *parts, *total;
	size_t part_capacity;
	int points, classes;
};

_Static_assert(COPIES_BATCH % CHECK_ATOMS == 0, "batches are whole chunks");

/* Adds the sums over the atoms of a buffer. */
static sonde_status add_atoms(struct check *check, const struct device_buffer *buffer, int64_t count)
{
	struct gpu_mesh *gpu = check->gpu;
	const uint32_t chunks = (uint32_t)((count + CHECK_ATOMS - 1) / CHECK_ATOMS), atoms = (uint32_t)count,
		       classes = (uint32_t)check->classes;
	const size_t parts = (size_t)check->points * chunks, bytes = 2 * parts * sizeof(double);
	uint32_t first = 0;

	if (check->sums.bytes < bytes) {
		device_release(gpu->device, &check->sums);
		CHECK(device_allocate(gpu->device, bytes, "the check", &check->sums));
	}
	CHECK(memory_grow(&check->parts, &check->part_capacity, 2 * parts, sizeof(double), "the check"));
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(buffer->memory),
						    DEVICE_ARGUMENT(atoms),
						    DEVICE_ARGUMENT(check->vectors.memory),
						    DEVICE_ARGUMENT(check->amplitudes.memory),
						    DEVICE_ARGUMENT(classes),
						    DEVICE_ARGUMENT(chunks),
						    DEVICE_ARGUMENT(first),
						    DEVICE_ARGUMENT(check->sums.memory)};
	struct gpu_launch launch = {.gpu = gpu,
				    .kernel = CHECKING,
				    .arguments = arguments,
				    .argument_count = sizeof arguments / sizeof *arguments,
				    .first = &first,
				    .scale = 1,
				    .all = parts};
	CHECK(gpu_mesh_launch(&launch));
	CHECK(device_read(gpu->device, &check->sums, 0, check->parts, bytes));
	for (int k = 0; k < 2 * check->points; ++k)
		for (uint32_t chunk = 0; chunk < chunks; ++chunk)
			check->total[k] += check->parts[2 * ((size_t)(k / 2) * chunks + chunk) + (size_t)(k % 2)];
	return SONDE_OK;
}

static sonde_status add_copies(struct check *check)
{
	struct gpu_mesh *gpu = check->gpu;
	struct fast_batch batch = {.run = NULL};

	while (fast_copies_next(gpu->copies, 0, gpu->atom_count, &batch)) {
		CHECK(gpu_copies_place(gpu, &batch));
		CHECK(add_atoms(check, &gpu->placed, batch.count));
	}
	return SONDE_OK;
}

static sonde_status run_check(struct check *check, const double *vectors, const double *amplitudes)
{
	struct gpu_mesh *gpu = check->gpu;
	const size_t points = (size_t)check->points;

	CHECK(device_upload(gpu->device, vectors, 3 * points * sizeof(double), "the check", &check->vectors));
	CHECK(device_upload(gpu->device, amplitudes, 2 * points * (size_t)check->classes * sizeof(double),
			    "the check", &check->amplitudes));
	return gpu->copies != NULL ? add_copies(check) : add_atoms(check, &gpu->atoms, gpu->atom_count);
}

sonde_status gpu_mesh_check(struct gpu_mesh *gpu, const double *vectors, const double *amplitudes, int count,
			    int classes, double *sums)
{
	struct check check = {.gpu = gpu, .total = sums, .points = count, .classes = classes};

	for (int k = 0; k < 2 * count; ++k)
		sums[k] = 0.0;
	const sonde_status status = run_check(&check, vectors, amplitudes);
	device_release(gpu->device, &check.vectors);
	device_release(gpu->device, &check.amplitudes);
	device_release(gpu->device, &check.sums);
	free(check.parts);
	return status;
}
