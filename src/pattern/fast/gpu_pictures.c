#include "pattern/fast/gpu_pictures.h"

#include <stdlib.h>

#include "base/memory.h"
#include "pattern/fast/gpu_parts.h"

#define READING_QUEUE 1 /* copies of a picture overlap with the sums of the next one */

struct gpu_patch {
	struct gpu_shape *shape;
	struct device_buffer places, coefficients, phases, numbers;
	uint32_t count;
};
struct gpu_pictures {
	struct gpu_mesh *gpu;
	struct gpu_patch *patches;
	size_t patch_count, patch_capacity;
	int64_t points;
	bool is_diffuse;
	struct device_buffer amplitudes, diffuse, intensities[2];
	struct device_timer timers[2]; /* of the pictures in progress */
};

static sonde_status make(struct gpu_pictures *pictures, const double *diffuse)
{
	struct device *device = pictures->gpu->device;
	const size_t row = (size_t)pictures->points * sizeof(double);

	for (int slot = 0; slot < 2; ++slot)
		CHECK(device_allocate(device, row, "the pictures", &pictures->intensities[slot]));
	CHECK(device_allocate(device, 2 * row, "the pictures", &pictures->amplitudes));
	return device_upload(device, diffuse, diffuse != NULL ? row : 0, "the pictures", &pictures->diffuse);
}

sonde_status gpu_pictures_make(struct gpu_mesh *gpu, int64_t points, const double *diffuse,
			       struct gpu_pictures **pictures)
{
	CHECK(memory_allocate(pictures, 1, sizeof **pictures, "the pictures"));
	(*pictures)->gpu = gpu;
	(*pictures)->points = points;
	(*pictures)->is_diffuse = diffuse != NULL;
	const sonde_status status = make(*pictures, diffuse);
	if (status != SONDE_OK)
		gpu_pictures_free(pictures);
	return status;
}

static void release_patch(struct gpu_mesh *gpu, struct gpu_patch *patch)
{
	gpu_mesh_release_shape(gpu, &patch->shape);
	device_release(gpu->device, &patch->places);
	device_release(gpu->device, &patch->coefficients);
	device_release(gpu->device, &patch->phases);
	device_release(gpu->device, &patch->numbers);
}

void gpu_pictures_free(struct gpu_pictures **pictures)
{
	struct gpu_pictures *of = *pictures;

	if (of == NULL)
		return;
	struct device *device = of->gpu->device;
	for (size_t k = 0; k < of->patch_count; ++k)
		release_patch(of->gpu, &of->patches[k]);
	for (int slot = 0; slot < 2; ++slot) {
		device_event_release(device, &of->timers[slot].began);
		device_event_release(device, &of->timers[slot].ended);
		device_release(device, &of->intensities[slot]);
	}
	device_release(device, &of->amplitudes);
	device_release(device, &of->diffuse);
	of->gpu->shape = &of->gpu->own;
	of->gpu->rotation = NULL;
	free(of->patches);
	free(of);
	*pictures = NULL;
}

static sonde_status fill_patch(struct gpu_mesh *gpu, int channels, const struct gpu_patch_points *points,
			       struct gpu_patch *patch)
{
	const size_t count = (size_t)points->count, numbers = count * sizeof(double);

	patch->count = (uint32_t)count;
	CHECK(gpu_mesh_keep_shape(gpu, &patch->shape));
	CHECK(device_upload(gpu->device, points->places, 3 * numbers, "the pictures", &patch->places));
	CHECK(device_upload(gpu->device, points->coefficients, 2 * (size_t)channels * numbers, "the pictures",
			    &patch->coefficients));
	CHECK(device_upload(gpu->device, points->phases, numbers, "the pictures", &patch->phases));
	return device_upload(gpu->device, points->numbers, count * sizeof *points->numbers, "the pictures",
			     &patch->numbers);
}

sonde_status gpu_pictures_add_patch(struct gpu_pictures *pictures, int channels,
				    const struct gpu_patch_points *points)
{
	CHECK(memory_grow(&pictures->patches, &pictures->patch_capacity, pictures->patch_count + 1,
			  sizeof *pictures->patches, "the pictures"));
	struct gpu_patch *patch = &pictures->patches[pictures->patch_count++];
	*patch = (struct gpu_patch){.shape = NULL};
	return fill_patch(pictures->gpu, channels, points, patch);
}

sonde_status gpu_pictures_begin(struct gpu_pictures *pictures, const double rotation[3][3])
{
	pictures->gpu->rotation = rotation;
	return device_clear(pictures->gpu->device, &pictures->amplitudes, 0,
			    2 * (size_t)pictures->points * sizeof(double));
}

void gpu_pictures_use_patch(struct gpu_pictures *pictures, size_t patch)
{
	pictures->gpu->shape = pictures->patches[patch].shape;
}

static uint64_t groups_of(int64_t points)
{
	return ((uint64_t)points + ADDED_POINTS - 1) / ADDED_POINTS;
}

sonde_status gpu_pictures_add(struct gpu_pictures *pictures, size_t number, int channel, int moment)
{
	struct gpu_mesh *gpu = pictures->gpu;
	const struct gpu_patch *patch = &pictures->patches[number];
	const uint32_t of_channel = (uint32_t)channel, power = (uint32_t)moment;
	uint32_t first = 0;

	CHECK(gpu_mesh_gather(gpu, &patch->places, patch->count));
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(gpu->sums.memory),
						    DEVICE_ARGUMENT(patch->coefficients.memory),
						    DEVICE_ARGUMENT(patch->phases.memory),
						    DEVICE_ARGUMENT(patch->numbers.memory),
						    DEVICE_ARGUMENT(of_channel),
						    DEVICE_ARGUMENT(power),
						    DEVICE_ARGUMENT(first),
						    DEVICE_ARGUMENT(patch->count),
						    DEVICE_ARGUMENT(pictures->amplitudes.memory)};
	struct gpu_launch launch = {.gpu = gpu,
				    .kernel = ADDITION,
				    .arguments = arguments,
				    .argument_count = sizeof arguments / sizeof *arguments,
				    .first = &first,
				    .scale = ADDED_POINTS,
				    .all = groups_of(patch->count)};
	return gpu_mesh_launch(&launch);
}

sonde_status gpu_pictures_end(struct gpu_pictures *pictures, int slot)
{
	struct gpu_mesh *gpu = pictures->gpu;
	const uint32_t is_diffuse = pictures->is_diffuse, count = (uint32_t)pictures->points;
	uint32_t first = 0;
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(pictures->amplitudes.memory),
						    DEVICE_ARGUMENT(pictures->diffuse.memory),
						    DEVICE_ARGUMENT(is_diffuse),
						    DEVICE_ARGUMENT(first),
						    DEVICE_ARGUMENT(count),
						    DEVICE_ARGUMENT(pictures->intensities[slot].memory)};
	struct gpu_launch launch = {.gpu = gpu,
				    .kernel = SQUARES,
				    .arguments = arguments,
				    .argument_count = sizeof arguments / sizeof *arguments,
				    .first = &first,
				    .scale = ADDED_POINTS,
				    .all = groups_of(pictures->points)};

	gpu->rotation = NULL;
	CHECK(device_timer_begin(gpu->device, &pictures->timers[slot]));
	CHECK(gpu_mesh_launch(&launch));
	return device_event_record(gpu->device, &pictures->timers[slot].ended);
}

sonde_status gpu_pictures_read(struct gpu_pictures *pictures, int slot, double *intensities)
{
	struct device *device = pictures->gpu->device;
	struct device_timer *timer = &pictures->timers[slot];
	double seconds;

	CHECK(device_event_elapsed(device, &timer->began, &timer->ended, &seconds));
	device_use_queue(device, READING_QUEUE);
	const sonde_status status = device_read(device, &pictures->intensities[slot], 0, intensities,
						(size_t)pictures->points * sizeof(double));
	device_use_queue(device, 0);
	return status;
}

sonde_status gpu_pictures_amplitudes(struct gpu_pictures *pictures, double *amplitudes)
{
	return device_read(pictures->gpu->device, &pictures->amplitudes, 0, amplitudes,
			   2 * (size_t)pictures->points * sizeof(double));
}
