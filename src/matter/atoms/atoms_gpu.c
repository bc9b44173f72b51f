#include "matter/atoms/atoms_gpu.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/cuda_arrays.h"
#include "parallel/parallel.h"

#define NAME_SIZE 24

struct kept_array {
	struct positions_owner as; /* the functions below */
	pthread_mutex_t mutex;
	char device[NAME_SIZE];
	struct gpu_array array; /* the copy of an array of another library, */
	uint64_t memory;
	struct device *of; /* or one that this device has made; else null */
	struct device_buffer buffer;
	struct device_positions at;
	int64_t count;
	double *host; /* the same positions; null until they are needed */
};

/* Arrays --------------------------------------------------------------------------------------------------------- */

/* The numbers from the first one in memory to the last one: how many, and how many of them precede the first coordinate. */
static int64_t span_of(const struct gpu_array *array, int64_t count, int64_t *before)
{
	const int64_t rows = (count - 1) * array->row_step, columns = 2 * array->column_step,
		      low = (rows < 0 ? rows : 0) + (columns < 0 ? columns : 0),
		      high = (rows > 0 ? rows : 0) + (columns > 0 ? columns : 0);

	*before = -low;
	return high - low + 1;
}

static size_t size_of(const struct gpu_array *array)
{
	return array->bits == 32 ? sizeof(float) : sizeof(double);
}

#define MOST_OF_SPAN 4 /* numbers between the first and the last coordinate, for each coordinate */
#define LARGEST_STEP (INT64_C(1) << 40)

bool gpu_array_is_possible(const struct gpu_array *array, int64_t count)
{
	int64_t before;

	if (array->row_step < -LARGEST_STEP || array->row_step > LARGEST_STEP || array->column_step < -LARGEST_STEP ||
	    array->column_step > LARGEST_STEP || count > UINT32_MAX)
		return false;
	const double numbers = (double)count * fabs((double)array->row_step) + 3.0 * fabs((double)array->column_step);
	if (numbers > (double)LARGEST_STEP)
		return false;
	(void)span_of(array, count, &before);
	return array->address / size_of(array) > (uint64_t)before;
}

bool gpu_array_is_sparse(const struct gpu_array *array, int64_t count)
{
	int64_t before;

	return span_of(array, count, &before) / (3 * MOST_OF_SPAN) > count;
}

sonde_status gpu_array_to_host(const struct gpu_array *array, int64_t count, double *positions)
{
	int64_t before;
	const int64_t span = span_of(array, count, &before);
	const size_t size = size_of(array);
	void *numbers;

	if (array->bits == 64 && array->row_step == 3 && array->column_step == 1)
		return sonde_cuda_copy_to_host(array->device, array->address, positions,
					       3 * (size_t)count * sizeof(double));
	CHECK(memory_allocate_pages(&numbers, (size_t)span * size, "the positions of the atoms"));
	const sonde_status status = sonde_cuda_copy_to_host(array->device, array->address - (uint64_t)before * size,
							    numbers, (size_t)span * size);
	for (int64_t i = 0; i < count && status == SONDE_OK; ++i)
		for (int64_t k = 0; k < 3; ++k) {
			const int64_t place = before + i * array->row_step + k * array->column_step;
			positions[3 * i + k] = array->bits == 32 ? (double)((const float *)numbers)[place]
								 : ((const double *)numbers)[place];
		}
	memory_release_pages(numbers);
	return status;
}

static struct kept_array *kept_of(const struct positions_owner *owner)
{
	return (struct kept_array *)(uintptr_t)owner;
}

/* Called with the mutex held. */
static sonde_status copy_to_host(struct kept_array *kept)
{
	double *host;

	if (kept->host != NULL)
		return SONDE_OK;
	CHECK(memory_allocate_to_fill(&host, 3 * (size_t)kept->count, sizeof *host, "the positions of the atoms"));
	sonde_status status =
	    kept->of != NULL ? device_read(kept->of, &kept->buffer, 0, host, 3 * (size_t)kept->count * sizeof *host)
			     : gpu_array_to_host(&kept->array, kept->count, host);
	if (status == SONDE_OK)
		status = status_prefix(atoms_check_positions(host, 0, kept->count), "positions");
	if (status == SONDE_OK)
		kept->host = host;
	else
		free(host);
	return status;
}

static sonde_status bring(const sonde_atoms *atoms)
{
	struct kept_array *kept = kept_of(atoms->owner);

	if (__atomic_load_n(&atoms->positions, __ATOMIC_ACQUIRE) != NULL)
		return SONDE_OK;
	pthread_mutex_lock(&kept->mutex);
	const sonde_status status = copy_to_host(kept);
	/* every thread stores the same pointer */
	if (status == SONDE_OK)
		__atomic_store_n(&((sonde_atoms *)(uintptr_t)atoms)->positions, kept->host, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&kept->mutex);
	return status;
}

static bool is_alone(const struct positions_owner *owner)
{
	struct kept_array *kept = kept_of(owner);

	pthread_mutex_lock(&kept->mutex);
	const bool alone = kept->host == NULL;
	pthread_mutex_unlock(&kept->mutex);
	return alone;
}

static void free_kept(const struct positions_owner *owner)
{
	struct kept_array *kept = kept_of(owner);

	if (kept->of != NULL)
		device_release(kept->of, &kept->buffer);
	else
		cuda_array_free(kept->array.device, kept->memory);
	pthread_mutex_destroy(&kept->mutex);
	free(kept->host);
	free(kept);
}

static sonde_status give(sonde_atoms *atoms)
{
	struct kept_array *kept = kept_of(atoms->owner);

	CHECK(bring(atoms));
	atoms->positions_capacity = 3 * (size_t)atoms->count;
	kept->host = NULL;
	free_kept(atoms->owner);
	atoms->owner = NULL;
	return SONDE_OK;
}

sonde_status atoms_gpu_create(const struct gpu_array *array, int64_t count, const struct positions_owner **owner)
{
	int64_t before;
	const int64_t span = span_of(array, count, &before);
	const size_t size = size_of(array), bytes = (size_t)span * size;
	struct kept_array *kept;
	uint64_t memory;

	CHECK(cuda_array_copy(array->device, array->address - (uint64_t)before * size, bytes, &memory));
	const sonde_status status = memory_allocate(&kept, 1, sizeof *kept, "atoms");
	if (status != SONDE_OK) {
		cuda_array_free(array->device, memory);
		return status;
	}
	kept->as = (struct positions_owner){bring, give, free_kept, is_alone};
	kept->array = *array;
	kept->array.address = memory + (uint64_t)before * size;
	kept->memory = memory;
	kept->count = count;
	kept->at = (struct device_positions){.numbers = {.memory = (void *)(uintptr_t)memory, .bytes = bytes},
					     .is_single = array->bits == 32,
					     .first = before,
					     .row_step = array->row_step,
					     .column_step = array->column_step};
	snprintf(kept->device, NAME_SIZE, "cuda:%d", array->device);
	pthread_mutex_init(&kept->mutex, NULL);
	*owner = &kept->as;
	return SONDE_OK;
}

sonde_status atoms_gpu_upload(struct device *device, const double *positions, int64_t count,
			      const struct positions_owner **owner)
{
	struct kept_array *kept;

	CHECK(memory_allocate(&kept, 1, sizeof *kept, "atoms"));
	const sonde_status status = device_upload(device, positions, 3 * (size_t)count * sizeof *positions,
						  "the positions of the atoms", &kept->buffer);
	if (status != SONDE_OK) {
		free(kept);
		return status;
	}
	kept->as = (struct positions_owner){bring, give, free_kept, is_alone};
	kept->of = device;
	kept->count = count;
	kept->at = (struct device_positions){.numbers = kept->buffer, .row_step = 3, .column_step = 1};
	snprintf(kept->device, NAME_SIZE, "%s", device_name(device));
	pthread_mutex_init(&kept->mutex, NULL);
	*owner = &kept->as;
	return SONDE_OK;
}

const struct device_positions *atoms_on_gpu(const sonde_atoms *atoms, const char *device)
{
	/* without an array on the host the owner is a GPU */
	const struct kept_array *kept = atoms->positions == NULL ? kept_of(atoms->owner) : NULL;

	return kept != NULL && strcmp(kept->device, device) == 0 ? &kept->at : NULL;
}

sonde_status atoms_gpu_works_alone(sonde_context *context, const sonde_atoms *atoms, bool *alone)
{
	struct device_count count;
	struct device *device;

	*alone = false;
	if (parallel_size(context_ranks(context)) > 1)
		return SONDE_OK;
	CHECK(context_expect(context, INFINITY)); /* the array is on a GPU, which is used then */
	CHECK(context_count_devices(context, &count));
	CHECK(context_device(context, &device));
	*alone = count.all == 1 && count.gpus == 1 && atoms_on_gpu(atoms, device_name(device)) != NULL;
	return SONDE_OK;
}
