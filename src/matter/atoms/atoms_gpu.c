#include "matter/atoms/atoms_gpu.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "device/cuda_arrays.h"

#define NUMBERS_OF_THREAD 98304 /* coordinates that a thread takes at a time; fewer atoms are taken by one */
#define NAME_SIZE 24

struct atoms_gpu {
	pthread_mutex_t mutex;
	char device[NAME_SIZE];
	struct gpu_array array; /* the copy */
	uint64_t memory;
	struct device_positions at;
	int64_t count;
	double *host; /* the same positions; null until they are needed */
};

/* Coordinates ---------------------------------------------------------------------------------------------------- */

struct looking {
	const double *at;
	int wrong; /* whether there is one */
};

static void look_at_some(void *state, int64_t first, int64_t end, int worker)
{
	struct looking *looking = state;
	bool wrong = false;

	(void)worker;
	for (int64_t k = first; k < end; ++k)
		wrong |= !(fabs(looking->at[k]) <= ATOMS_LARGEST_PLACE);
	if (wrong)
		__atomic_store_n(&looking->wrong, 1, __ATOMIC_RELAXED);
}

sonde_status atoms_check_positions(const double *positions, int64_t first, int64_t count)
{
	struct looking looking = {positions, 0};

	threads_for(3 * count > NUMBERS_OF_THREAD ? threads_available() : 1, 3 * count, NUMBERS_OF_THREAD,
		    look_at_some, &looking);
	for (int64_t k = 0; looking.wrong != 0 && k < 3 * count; ++k)
		if (!(fabs(positions[k]) <= ATOMS_LARGEST_PLACE))
			return status_fail(SONDE_INVALID, "atom %lld: coordinate %g is not within +-%g Angstrom",
					   (long long)(first + k / 3 + 1), positions[k], ATOMS_LARGEST_PLACE);
	return SONDE_OK;
}

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

#define MOST_OF_SPAN 4 /* numbers for each coordinate */

bool gpu_array_is_sparse(const struct gpu_array *array, int64_t count)
{
	int64_t before;

	return span_of(array, count, &before) / (3 * MOST_OF_SPAN) > count;
}

static size_t size_of(const struct gpu_array *array)
{
	return array->bits == 32 ? sizeof(float) : sizeof(double);
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

sonde_status atoms_gpu_create(const struct gpu_array *array, int64_t count, struct atoms_gpu **gpu)
{
	int64_t before;
	const int64_t span = span_of(array, count, &before);
	const size_t bytes = (size_t)span * size_of(array);
	uint64_t memory;

	*gpu = NULL;
	CHECK(cuda_array_copy(array->device, array->address - (uint64_t)before * size_of(array), bytes, &memory));
	const sonde_status status = memory_allocate(gpu, 1, sizeof **gpu, "atoms");
	if (status != SONDE_OK) {
		cuda_array_free(array->device, memory);
		return status;
	}
	(*gpu)->array = *array;
	(*gpu)->array.address = memory + (uint64_t)before * size_of(array);
	(*gpu)->memory = memory;
	(*gpu)->count = count;
	(*gpu)->at = (struct device_positions){.numbers = {.memory = (void *)(uintptr_t)memory, .bytes = bytes},
					       .is_single = array->bits == 32,
					       .first = before,
					       .row_step = array->row_step,
					       .column_step = array->column_step};
	snprintf((*gpu)->device, NAME_SIZE, "cuda:%d", array->device);
	pthread_mutex_init(&(*gpu)->mutex, NULL);
	return SONDE_OK;
}

void atoms_gpu_free(struct atoms_gpu **gpu)
{
	if (*gpu == NULL)
		return;
	cuda_array_free((*gpu)->array.device, (*gpu)->memory);
	pthread_mutex_destroy(&(*gpu)->mutex);
	free((*gpu)->host);
	free(*gpu);
	*gpu = NULL;
}

/* Atoms ---------------------------------------------------------------------------------------------------------- */

/* Called with the mutex held. */
static sonde_status copy_to_host(struct atoms_gpu *gpu)
{
	double *host;

	if (gpu->host != NULL)
		return SONDE_OK;
	CHECK(memory_allocate_to_fill(&host, 3 * (size_t)gpu->count, sizeof *host, "the positions of the atoms"));
	sonde_status status = gpu_array_to_host(&gpu->array, gpu->count, host);
	if (status == SONDE_OK)
		status = status_prefix(atoms_check_positions(host, 0, gpu->count), "positions");
	if (status == SONDE_OK)
		gpu->host = host;
	else
		free(host);
	return status;
}

sonde_status atoms_need_positions(const sonde_atoms *atoms)
{
	struct atoms_gpu *gpu = atoms->gpu;

	if (gpu == NULL)
		return SONDE_OK;
	pthread_mutex_lock(&gpu->mutex);
	const sonde_status status = copy_to_host(gpu);
	/* the same in all threads */
	if (status == SONDE_OK)
		((sonde_atoms *)(uintptr_t)atoms)->positions = gpu->host;
	pthread_mutex_unlock(&gpu->mutex);
	return status;
}

sonde_status atoms_own_positions(sonde_atoms *atoms)
{
	if (atoms->gpu == NULL)
		return SONDE_OK;
	CHECK(atoms_need_positions(atoms));
	atoms->positions_capacity = 3 * (size_t)atoms->count;
	atoms->gpu->host = NULL;
	atoms_gpu_free(&atoms->gpu);
	return SONDE_OK;
}

const struct device_positions *atoms_on_gpu(const sonde_atoms *atoms, const char *device)
{
	const bool there = atoms->positions == NULL && atoms->gpu != NULL && strcmp(atoms->gpu->device, device) == 0;

	return there ? &atoms->gpu->at : NULL;
}

int sonde_atoms_on_gpu(const sonde_atoms *atoms)
{
	struct atoms_gpu *gpu = atoms->gpu;

	if (gpu == NULL)
		return 0;
	pthread_mutex_lock(&gpu->mutex);
	const bool there = gpu->host == NULL;
	pthread_mutex_unlock(&gpu->mutex);
	return there;
}
