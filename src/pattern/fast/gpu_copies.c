/* Atoms of copies by placements, placed on the device. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "pattern/fast/gpu_parts.h"

sonde_status gpu_copies_send(struct gpu_mesh *gpu)
{
	const struct pattern_sample *sample = gpu->copies->sample;
	const size_t copies = (size_t)pattern_copy_count(sample);
	double center[COPIES_PLACES];

	_Static_assert(sizeof *sample->copies.placements == COPY_NUMBERS * sizeof(double),
		       "placements are as the kernel takes them");
	memcpy(center, sample->center, sizeof center);
	CHECK(device_allocate(gpu->device, sizeof center + copies * sizeof *sample->copies.placements, "the copies",
			      &gpu->placements));
	CHECK(device_write(gpu->device, &gpu->placements, 0, center, sizeof center));
	CHECK(device_write(gpu->device, &gpu->placements, sizeof center, sample->copies.placements,
			   copies * sizeof *sample->copies.placements));
	return device_allocate(gpu->device, (size_t)fast_copies_most(sample) * sizeof(struct fast_atom), "the copies",
			       &gpu->placed);
}

sonde_status gpu_copies_place(struct gpu_mesh *gpu, const struct fast_batch *batch)
{
	const struct fast_run *run = batch->run;
	const uint32_t each = (uint32_t)run->count, skipped = (uint32_t)(batch->first % run->count),
		       first_copy = (uint32_t)(run->group->first_copy + batch->first / run->count),
		       structure = (uint32_t)run->first, count = (uint32_t)batch->count;
	uint32_t first = 0;
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(gpu->atoms.memory),
						    DEVICE_ARGUMENT(structure),
						    DEVICE_ARGUMENT(gpu->placements.memory),
						    DEVICE_ARGUMENT(first_copy),
						    DEVICE_ARGUMENT(each),
						    DEVICE_ARGUMENT(skipped),
						    DEVICE_ARGUMENT(first),
						    DEVICE_ARGUMENT(count),
						    DEVICE_ARGUMENT(gpu->placed.memory)};
	struct gpu_launch launch = {.gpu = gpu,
				    .kernel = ASSEMBLY,
				    .arguments = arguments,
				    .argument_count = sizeof arguments / sizeof *arguments,
				    .first = &first,
				    .scale = ADDED_POINTS,
				    .all = ((uint64_t)batch->count + ADDED_POINTS - 1) / ADDED_POINTS};

	return gpu_mesh_launch(&launch);
}
