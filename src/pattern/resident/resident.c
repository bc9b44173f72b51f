#include "pattern/resident/resident.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matter/atoms/atoms_gpu.h"

/* Whether the atoms are taken as they are. */
static bool options_allow(const sonde_atoms *atoms, const sonde_pattern_options *options)
{
	const bool turned = options->orientations[0] != '\0' && strncmp(options->orientations, "random:", 7) != 0;

	return !turned && /* the largest distance from the center is needed for a note on others */
	       atoms->count >= ATOMS_RESIDENT_LEAST && atoms->count <= (int64_t)UINT32_MAX &&
	       atoms->occupancies == NULL && atoms->placements == NULL && options->placements[0] == '\0' &&
	       options->labels[0] == '\0' && options->copies == SONDE_PATTERN_COPIES_EXACT &&
	       options->copy_atoms == 0 && options->partials == SONDE_PATTERN_PARTIALS_NONE &&
	       strcmp(options->displacement, "sample") != 0;
}

sonde_status pattern_resident_choose(sonde_context *context, const sonde_atoms *atoms,
				     const sonde_pattern_options *options)
{
	bool allow = false;

	if (!atoms_are_resident(atoms))
		return SONDE_OK;
	if (options_allow(atoms, options))
		CHECK(atoms_gpu_works_alone(context, atoms, &allow));
	return allow ? SONDE_OK : atoms_need_positions(atoms);
}

bool pattern_is_resident(const struct pattern_sample *sample)
{
	return sample->resident.device != NULL;
}

sonde_status pattern_resident_begin(sonde_context *context, struct pattern_sample *sample, double low[3],
				    double high[3])
{
	double box[ORDER_BOX];
	struct device *device;
	bool within;

	CHECK(context_device(context, &device));
	const struct device_positions *from = atoms_on_gpu(&sample->view, device_name(device));
	if (from == NULL)
		return status_fail(SONDE_RESOURCE, "the positions of the atoms are in the memory of another device");
	CHECK(device_positions_box(device, from, sample->view.count, box, &within));
	if (!within) { /* for the message */
		CHECK(atoms_need_positions(&sample->view));
		return status_fail(SONDE_INTERNAL, "the GPU has found impossible coordinates, and the host none");
	}
	sample->resident = (struct pattern_resident){device, from};
	for (int k = 0; k < 3; ++k) {
		low[k] = box[2 * k];
		high[k] = box[2 * k + 1];
	}
	return SONDE_OK;
}

sonde_status pattern_resident_extents(const struct pattern_sample *sample, const double origin[3],
				      const double (*directions)[3], int count, struct pattern_extents *extents)
{
	struct device_extents found;

	_Static_assert(PATTERN_MOST_DIRECTIONS <= DEVICE_MOST_DIRECTIONS, "the device takes all directions");
	CHECK(device_positions_extents(sample->resident.device, sample->resident.from, (uint32_t)sample->view.count,
				       origin, directions, (uint32_t)count, &found));
	for (int d = 0; d < count; ++d) {
		extents->low[d] = found.low[d];
		extents->high[d] = found.high[d];
		extents->lowest[d] = found.lowest[d];
		extents->highest[d] = found.highest[d];
	}
	return SONDE_OK;
}

sonde_status pattern_resident_pick(const struct pattern_sample *sample, const int64_t *atoms, int count,
				   double *positions)
{
	uint32_t *numbers;

	CHECK(memory_allocate(&numbers, (size_t)count, sizeof *numbers, "the atoms"));
	for (int n = 0; n < count; ++n)
		numbers[n] = (uint32_t)atoms[n];
	const sonde_status status = device_positions_pick(sample->resident.device, sample->resident.from, numbers,
							  (uint32_t)count, positions);
	free(numbers);
	return status;
}

sonde_status pattern_resident_records(const struct pattern_sample *sample, const uint32_t *numbers,
				      const uint32_t *classes, struct device_buffer *records)
{
	return device_positions_records(sample->resident.device, sample->resident.from, numbers, classes,
					(uint32_t)sample->view.count, sample->center, records);
}
