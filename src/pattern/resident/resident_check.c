/* The error of the direct sum of a resident sample, found by its device. */
#include <stdlib.h>

#include "base/memory.h"
#include "pattern/fast/fast.h"
#include "pattern/fast/gpu_mesh.h"
#include "pattern/resident/resident.h"

/* All atoms, in their order. */
static sonde_status make_records(const struct pattern_sample *sample, struct device_buffer *records)
{
	const size_t count = (size_t)sample->view.count;
	uint32_t *numbers = NULL, *classes = NULL;

	sonde_status status = memory_allocate_to_fill(&numbers, count, sizeof *numbers, "the check");
	if (status == SONDE_OK)
		status = memory_allocate_to_fill(&classes, count, sizeof *classes, "the check");
	for (size_t i = 0; i < count && status == SONDE_OK; ++i) {
		numbers[i] = (uint32_t)i;
		classes[i] = sample->view.species_of[i];
	}
	if (status == SONDE_OK)
		status = pattern_resident_records(sample, numbers, classes, records);
	free(numbers);
	free(classes);
	return status;
}

sonde_status pattern_resident_error(sonde_context *context, const struct pattern_plan *plan,
				    const struct pattern_values *values, double *largest, int64_t *checked)
{
	const struct pattern_sample *sample = &plan->sample;
	struct device *device = sample->resident.device;
	struct device_buffer records = {0};
	struct gpu_mesh *gpu = NULL;

	sonde_status status = make_records(sample, &records);
	const struct fast_atoms atoms = {.records = &records,
					 .count = sample->view.count,
					 .classes = sample->class_count,
					 .largest = 1.0};
	if (status == SONDE_OK)
		status = gpu_mesh_make(context, device, &atoms, &gpu);
	if (status == SONDE_OK)
		status = fast_check_on_gpu(gpu, plan, values, largest, checked);
	gpu_mesh_free(&gpu);
	device_release(device, &records);
	return status;
}
