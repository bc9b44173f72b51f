/* Distance histograms of periodic samples on one device: lists of pairs of tiles and images, some groups of tiles after
 * the other, and the launches that count them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "debye/sums/histogram_device.h"
#include "debye/kernels/ring_layout.h"
#include "run/launches.h"

#define TILES_AT_ONCE 1024  /* whose partners are listed: some 10^6 */
#define QUADS_AT_ONCE 1024  /* the same for GPUs, whose units are larger */
#define TASKS_PER_WORKER 64 /* of one launch of a CPU: tens of milliseconds, so that a cancellation takes effect */
#define GROUPS_PER_WORKER 2 /* of a GPU */
#define FIRST_TASKS 8       /* for each worker in the first launch of a GPU, while its pace is unknown */

static sonde_status upload_corners(struct histogram_device *run)
{
	const uint32_t count = run->atoms->tile_count;
	double *corners;

	CHECK(memory_allocate(&corners, 6 * (size_t)count, sizeof *corners, "the tiles"));
	for (uint32_t t = 0; t < count; ++t)
		for (int k = 0; k < 3; ++k) {
			corners[6 * (size_t)t + (size_t)k] = histogram_units(&run->bins, run->atoms->boxes[t].low[k]);
			corners[6 * (size_t)t + 3 + (size_t)k] =
			    histogram_units(&run->bins, run->atoms->boxes[t].high[k]);
		}
	sonde_status status =
	    device_upload(run->device, corners, 6 * (size_t)count * sizeof *corners, "the tiles", &run->box_corners);
	free(corners);
	return status;
}

static sonde_status upload_vectors(struct histogram_device *run)
{
	const size_t count = images_count(run->images);
	const double(*vectors)[3] = images_vectors(run->images);
	double *units;

	CHECK(memory_allocate(&units, 3 * count, sizeof *units, "the images"));
	for (size_t n = 0; n < count; ++n)
		for (int k = 0; k < 3; ++k)
			units[3 * n + (size_t)k] = histogram_units(&run->bins, vectors[n][k]);
	sonde_status status =
	    device_upload(run->device, units, 3 * count * sizeof *units, "the images", &run->vectors);
	free(units);
	return status;
}

sonde_status histogram_images_prepare(struct histogram_device *run)
{
	struct device *device = run->device;

	CHECK(images_create(run->bins.periodic, run->atoms, run->atoms->boxes, &run->images));
	CHECK(upload_vectors(run));
	if (device_properties(device)->gpu_kernels)
		return shape_histogram_images(device, &run->shape, run->bins.count, &run->kernel,
					      &run->shape.ring_bins);
	run->most_groups = device_launch_groups(device, TASKS_PER_WORKER);
	CHECK(upload_corners(run));
	CHECK(device_kernel(device, &debye_images_program, "histogram_images", 1, 0, NULL, 0, &run->kernel));
	return histogram_allocate_slabs(run);
}

static sonde_status upload_words(struct device *device, const void *words, size_t bytes, struct device_buffer *buffer)
{
	if (buffer->bytes < bytes) {
		device_release(device, buffer);
		CHECK(device_allocate(device, bytes + bytes / 4, "pairs of tiles", buffer));
	}
	return bytes > 0 ? device_write(device, buffer, 0, words, bytes) : SONDE_OK;
}

/* The end of the distances, between two units. */
static double cut_of(const struct histogram_device *run)
{
	const struct histogram_bins *bins = &run->bins;

	return nearbyint(bins->periodic->end * (bins->per_angstrom * bins->units_per_bin)) - 0.5;
}

/* The listed tasks, on the workers of a CPU. */
static sonde_status count_in_slabs(const sonde_context *context, struct histogram_device *run)
{
	const double cut = cut_of(run);
	const struct image_list *list = &run->list;

	for (size_t done = 0; done < list->task_count; done += run->most_groups) {
		const size_t left = list->task_count - done;
		const uint32_t groups = left < run->most_groups ? (uint32_t)left : run->most_groups;
		const struct device_argument arguments[] = {DEVICE_ARGUMENT(run->x.memory),
							    DEVICE_ARGUMENT(run->y.memory),
							    DEVICE_ARGUMENT(run->z.memory),
							    DEVICE_ARGUMENT(run->tiles.memory),
							    DEVICE_ARGUMENT(run->box_corners.memory),
							    DEVICE_ARGUMENT(run->vectors.memory),
							    DEVICE_ARGUMENT(run->tasks.memory),
							    DEVICE_ARGUMENT(run->partners.memory),
							    DEVICE_ARGUMENT(cut),
							    DEVICE_ARGUMENT(run->bins.count),
							    DEVICE_ARGUMENT(run->slabs.memory),
							    DEVICE_ARGUMENT(run->totals.memory)};
		CHECK(upload_words(run->device, list->tasks + done, groups * sizeof *list->tasks, &run->tasks));
		CHECK(device_launch(run->device, &run->kernel, groups, arguments, 12));
		if (context_cancelled(context))
			return status_fail(SONDE_CANCELLED, "stopped on request in the histogram");
	}
	return SONDE_OK;
}

/* Tasks of a list still to be launched. */
struct ring_progress {
	struct histogram_device *run;
	uint32_t task;
	double cut;
};

static uint32_t tasks_left(void *user)
{
	const struct ring_progress *progress = user;

	return (uint32_t)progress->run->list.task_count - progress->task;
}

static sonde_status launch_tasks(void *user, int slot, uint32_t room, uint32_t *tasks)
{
	struct ring_progress *progress = user;
	const struct histogram_device *run = progress->run;
	const uint32_t first = progress->task, left = tasks_left(user),
		       most = GROUPS_PER_WORKER * device_workers(run->device);
	const uint32_t end = first + (room < left ? room : left), groups = end - first < most ? end - first : most,
		       bins = (uint32_t)run->bins.count;
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(run->x.memory),
						    DEVICE_ARGUMENT(run->y.memory),
						    DEVICE_ARGUMENT(run->z.memory),
						    DEVICE_ARGUMENT(run->tiles.memory),
						    DEVICE_ARGUMENT(run->vectors.memory),
						    DEVICE_ARGUMENT(run->tasks.memory),
						    DEVICE_ARGUMENT(run->partners.memory),
						    DEVICE_ARGUMENT(first),
						    DEVICE_ARGUMENT(end),
						    DEVICE_ARGUMENT(groups),
						    DEVICE_ARGUMENT(progress->cut),
						    DEVICE_ARGUMENT(bins),
						    DEVICE_ARGUMENT(run->totals.memory)};

	(void)slot;
	*tasks = end - first;
	progress->task = end;
	return device_launch(run->device, &run->kernel, groups, arguments, 13);
}

static sonde_status finish_tasks(void *user, int slot, uint32_t tasks)
{
	(void)user;
	(void)slot;
	(void)tasks;
	return SONDE_OK;
}

static sonde_status count_in_ring(const sonde_context *context, struct histogram_device *run)
{
	struct ring_progress progress = {.run = run, .cut = cut_of(run)};
	const struct launches launches = {.device = run->device,
					  .pace = &run->pace,
					  .count = 2,
					  .first_groups = FIRST_TASKS * device_workers(run->device),
					  .what = "histogram",
					  .user = &progress,
					  .left = tasks_left,
					  .begin = launch_tasks,
					  .end = finish_tasks};

	CHECK(
	    upload_words(run->device, run->list.tasks, run->list.task_count * sizeof *run->list.tasks, &run->tasks));
	CHECK(device_wait(run->device)); /* both queues need the uploaded and cleared buffers */
	return launches_run(context, &launches);
}

sonde_status histogram_images_count(sonde_context *context, struct histogram_device *run, uint64_t part,
				    uint64_t part_end, uint64_t parts, double *pairs)
{
	const uint32_t *first_tile = run->atoms->species_first_tile;
	const bool ring = device_properties(run->device)->gpu_kernels;
	const uint64_t quads = (first_tile[run->species_a + 1] - first_tile[run->species_a] + QUAD - 1) / QUAD;
	const uint64_t first = quads * part / parts, end = quads * part_end / parts,
		       step = ring ? QUADS_AT_ONCE : TILES_AT_ONCE / QUAD;
	struct image_search search = {.species_a = run->species_a,
				      .species_b = run->species_b,
				      .unit = ring ? run->shape.unit_tiles : 1,
				      .per_angstrom = run->bins.per_angstrom,
				      .sorted = ring && run->bins.count > run->shape.ring_bins,
				      .threads = run->threads};

	for (uint64_t now = first; now < end; now += step) {
		search.first = (uint32_t)now;
		search.end = (uint32_t)(end - now < step ? end : now + step);
		CHECK(images_find(run->images, &search, &run->list));
		CHECK(upload_words(run->device, run->list.partners,
				   run->list.partner_count * sizeof *run->list.partners, &run->partners));
		CHECK(ring ? count_in_ring(context, run) : count_in_slabs(context, run));
		*pairs += run->pairs_expected * (double)(search.end - search.first) / (double)quads;
		if (run->stage != NULL)
			CHECK(stage_advance(run->stage, run->stage_done + *pairs));
	}
	return SONDE_OK;
}
