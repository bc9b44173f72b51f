/* Tiles of copies by placements, placed on the device. */
#include <string.h>

#include "pattern/kernels/fast_layout.h"
#include "pattern/sums_device.h"

#define WORK_ITEMS 128 /* as in kernels.def */

static sonde_status find_kernel(struct sums_device *run)
{
	static const char *const names[] = {"pattern_tiles_0", "pattern_tiles_1"};
	const struct device_properties *has = device_properties(run->device);
	const struct device_define defines[] = {{"SINGLE", run->single}};
	const uint32_t items = has->most_work_items < WORK_ITEMS ? has->most_work_items : WORK_ITEMS;

	/* as in sums_device.c */
	if (!has->gpu_kernels || has->most_work_items <= 1)
		return device_kernel(run->device, &pattern_program, names[run->single], 1, 0, NULL, 0,
				     &run->assembly);
	return device_kernel(run->device, &pattern_program, "pattern_tiles", items, 0, defines, 1, &run->assembly);
}

static sonde_status send_placements(struct sums_device *run)
{
	const struct pattern_sample *sample = &run->plan->sample;
	const size_t bytes = (size_t)pattern_copy_count(sample) * sizeof *sample->copies.placements;
	double center[COPIES_PLACES];

	_Static_assert(sizeof *sample->copies.placements == COPY_NUMBERS * sizeof(double),
		       "placements are as the kernel takes them");
	memcpy(center, sample->center, sizeof center);
	CHECK(device_allocate(run->device, sizeof center + bytes, "the copies", &run->placements));
	CHECK(device_write(run->device, &run->placements, 0, center, sizeof center));
	return device_write(run->device, &run->placements, sizeof center, sample->copies.placements, bytes);
}

sonde_status copies_device_prepare(struct sums_device *run)
{
	const struct pattern_tiles *tiles = run->tiles;
	const size_t stored = tiles->stored;

	CHECK(find_kernel(run));
	CHECK(send_placements(run));
	CHECK(device_upload(run->device, tiles->atoms, 3 * TILE_ATOMS * stored * sizeof(double), "the atoms",
			    &run->structure_atoms));
	CHECK(device_upload(run->device, tiles->centers, 3 * stored * sizeof(double), "the atoms",
			    &run->structure_centers));
	return device_upload(run->device, tiles->tiles, 2 * stored * sizeof *tiles->tiles, "the atoms",
			     &run->structure_tiles);
}

void copies_device_release(struct sums_device *run)
{
	device_release(run->device, &run->structure_atoms);
	device_release(run->device, &run->structure_centers);
	device_release(run->device, &run->structure_tiles);
	device_release(run->device, &run->placements);
}

/* `count` tiles of the copies of a group from number `skipped` on, as those from `to` on. */
struct placing_tiles {
	uint32_t structure, each, first_copy, skipped, to, count;
};

static sonde_status place(struct sums_device *run, const struct placing_tiles *placing)
{
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(run->structure_atoms.memory),
						    DEVICE_ARGUMENT(run->structure_centers.memory),
						    DEVICE_ARGUMENT(run->structure_tiles.memory),
						    DEVICE_ARGUMENT(placing->structure),
						    DEVICE_ARGUMENT(run->placements.memory),
						    DEVICE_ARGUMENT(placing->first_copy),
						    DEVICE_ARGUMENT(placing->each),
						    DEVICE_ARGUMENT(placing->skipped),
						    DEVICE_ARGUMENT(placing->to),
						    DEVICE_ARGUMENT(run->atoms.memory),
						    DEVICE_ARGUMENT(run->centers.memory),
						    DEVICE_ARGUMENT(run->classes.memory)};

	return device_launch(run->device, &run->assembly, placing->count, arguments,
			     sizeof arguments / sizeof *arguments);
}

sonde_status copies_device_place(struct sums_device *run, uint32_t first, uint32_t count)
{
	const struct pattern_tiles *tiles = run->tiles;
	uint64_t begins = 0; /* the tiles of a group */
	uint32_t structure = 0, done = 0;

	for (int g = 0; g < tiles->copies->count && done < count; ++g) {
		const struct pattern_copies_of *group = &tiles->copies->groups[g];
		const uint32_t each = tiles->of_group[g];
		const uint64_t ends = begins + (uint64_t)each * (uint64_t)group->copies,
			       from = (uint64_t)first + done;
		if (from < ends) {
			const uint64_t own = from - begins, left = ends - from;
			const struct placing_tiles placing = {structure,
							      each,
							      (uint32_t)((uint64_t)group->first_copy + own / each),
							      (uint32_t)(own % each),
							      done,
							      left < count - done ? (uint32_t)left : count - done};
			CHECK(place(run, &placing));
			done += placing.count;
		}
		begins = ends;
		structure += each;
	}
	return device_wait(run->device);
}
