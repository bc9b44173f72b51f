#include "debye/sums/exact_device.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "debye/motion/motion.h"
#include "matter/atoms/device_order.h"
#include "debye/kernels/motion_layout.h"
#include "debye/kernels/windows_layout.h"
#include "run/launches.h"

static bool sums_rows(const struct exact_device *run)
{
	return device_properties(run->device)->gpu_kernels;
}

/* Rows that become one. */
static uint32_t count_sums(uint32_t groups)
{
	return (groups + EXACT_ROWS_PER_SUM - 1) / EXACT_ROWS_PER_SUM;
}

static sonde_status prepare_launch(struct exact_device *run, struct exact_launch *launch)
{
	struct device *device = run->device;
	size_t groups = run->most_groups, rows = count_sums(run->most_groups);

	if (sums_rows(run))
		CHECK(device_allocate(device, rows * run->most_points * 2 * sizeof(double), "partial sums",
				      &launch->row_sums));
	else if (run->atoms->motion == NULL && run->fine == 0)
		CHECK(device_allocate(device,
				      (size_t)device_workers(device) * MOST_EXACT_POINTS * WIDTH * sizeof(double),
				      "partial sums", &launch->scratch));
	CHECK(device_allocate(device, groups * run->per_group * sizeof(struct tile_pair), "the tiles",
			      &launch->tile_pairs));
	CHECK(device_allocate(device, groups * run->most_points * sizeof(double), "partial sums", &launch->partial));
	return device_allocate(device, groups * sizeof(uint64_t), "partial sums", &launch->coincident);
}

/* Unless the device has them already. */
static sonde_status bring_atoms(struct exact_device *run, const struct arranged_atoms *atoms)
{
	const size_t bytes = (size_t)atoms->size * sizeof(double);

	if (atoms->ordered != NULL) {
		run->borrowed = true;
		run->x = atoms->ordered->x;
		run->y = atoms->ordered->y;
		run->z = atoms->ordered->z;
		return SONDE_OK;
	}
	CHECK(device_upload(run->device, atoms->x, bytes, "the atoms", &run->x));
	CHECK(device_upload(run->device, atoms->y, bytes, "the atoms", &run->y));
	return device_upload(run->device, atoms->z, bytes, "the atoms", &run->z);
}

static sonde_status prepare(struct exact_device *run, const struct arranged_atoms *atoms, bool f32)
{
	struct device *device = run->device;
	size_t groups = run->most_groups;

	if (sums_rows(run))
		CHECK(shape_sum_rows(device, &run->shape, &run->rows_kernel));
	if (atoms->motion != NULL) {
		CHECK(shape_motion(device, "exact_motion", &run->kernel));
		CHECK(device_upload(device, atoms->u,
				    (size_t)atoms->size * motion_size(atoms->motion) * sizeof(double),
				    "the displacements", &run->u));
		CHECK(device_allocate(device, Q_PASS * sizeof(double), "the points of q", &run->q));
	} else if (run->fine > 0) {
		CHECK(shape_exact_windows(device, run->fine, &run->kernel));
	} else if (sums_rows(run)) {
		CHECK(shape_exact_sums(device, &run->shape, f32, run->most_points, &run->kernel));
	} else {
		CHECK(device_kernel(device, &debye_program, "exact_pairs", 1, 0, NULL, 0, &run->kernel));
	}
	CHECK(bring_atoms(run, atoms));
	const size_t tiles = (size_t)atoms->tile_count + (run->fine > 0 ? 1 : 0);
	CHECK(device_upload(device, atoms->tiles, tiles * sizeof *atoms->tiles, "the tiles", &run->tiles));
	for (uint32_t k = 0; k < run->launch_count; ++k)
		CHECK(prepare_launch(run, &run->launches[k]));
	size_t rows = sums_rows(run) ? 2 * (size_t)count_sums(run->most_groups) : groups;
	CHECK(memory_allocate(&run->partial_host, rows * run->most_points, sizeof(double), "partial sums"));
	CHECK(memory_allocate(&run->pairs_host, groups * run->per_group, sizeof *run->pairs_host, "the tiles"));
	CHECK(memory_allocate(&run->coincident_host, groups, sizeof(uint64_t), "partial sums"));
	return device_wait(device); /* every queue needs the uploaded data */
}

/* Groups of a launch: those of a piece, or all pairs of tiles if they are few, to keep the buffers small. */
static uint32_t find_most_groups(const struct exact_device *run, bool gpu)
{
	const uint64_t tiles = run->atoms->tile_count, pairs = tiles * (tiles + 1) / 2, rows = EXACT_ROWS_PER_SUM;
	const uint64_t sums = (pairs + rows - 1) / rows, most = !gpu            ? EXACT_PIECE_CPU
								: run->fine > 0 ? 16 * EXACT_PIECE_GPU / run->fine
										: EXACT_PIECE_GPU;

	return sums * rows < most ? (uint32_t)(sums * rows) : (uint32_t)most;
}

static sonde_status prepare_run(struct exact_device *run, bool f32)
{
	const bool gpu = device_properties(run->device)->gpu_kernels;

	run->most_groups = find_most_groups(run, gpu);
	run->launch_count = gpu ? EXACT_LAUNCHES : 1;
	sonde_status status = prepare(run, run->atoms, f32);
	if (status != SONDE_OK)
		exact_device_release(run);
	return status;
}

sonde_status exact_device_prepare(struct device *device, const struct debye_shape *shape,
				  const struct arranged_atoms *atoms, bool f32, uint32_t most_points,
				  struct exact_device *run)
{
	*run = (struct exact_device){
	    .device = device, .shape = *shape, .most_points = most_points, .per_group = 1, .atoms = atoms};
	return prepare_run(run, f32);
}

sonde_status exact_device_prepare_windows(struct device *device, const struct debye_shape *shape,
					  const struct arranged_atoms *atoms, uint32_t fine, struct exact_device *run)
{
	*run = (struct exact_device){.device = device,
				     .shape = *shape,
				     .most_points = 2 * WINDOW_NODES_OF(fine),
				     .fine = fine,
				     .per_group = WINDOW_PAIRS_PER_GROUP,
				     .atoms = atoms};
	return prepare_run(run, false);
}

void exact_device_release(struct exact_device *run)
{
	struct device_buffer *atoms[] = {&run->tiles, &run->u, &run->q, &run->x, &run->y, &run->z};
	const size_t borrowed = run->borrowed ? 3 : 0;

	for (size_t k = 0; k < sizeof atoms / sizeof *atoms - borrowed; ++k)
		device_release(run->device, atoms[k]);
	for (int k = 0; k < EXACT_LAUNCHES; ++k) {
		struct exact_launch *launch = &run->launches[k];
		struct device_buffer *buffers[] = {&launch->tile_pairs, &launch->scratch, &launch->partial,
						   &launch->coincident, &launch->row_sums};
		for (size_t b = 0; b < sizeof buffers / sizeof *buffers; ++b)
			device_release(run->device, buffers[b]);
	}
	free(run->pairs_host);
	free(run->partial_host);
	free(run->coincident_host);
	*run = (struct exact_device){0};
}

/* Works and their progress. */
struct exact_progress {
	struct exact_device *run;
	const struct arranged_atoms *atoms;
	const struct exact_points *points;
	struct exact_work *works;
	uint32_t work_count, work, offset;
	double done; /* terms */
};

/* Writes the pairs of tiles of the next groups, at most `room`, to pairs_host; returns the number of groups. A launch continues with the
 * next work only after complete sums of rows, and ends with such a sum or with a work, so that the sums do not
 * depend on the size of launches. */
static uint32_t take_pairs(struct exact_device *run, struct exact_progress *progress, uint32_t room)
{
	const uint32_t rows = EXACT_ROWS_PER_SUM;
	uint32_t taken = 0;

	room = room / rows * rows;
	room = room > rows ? room : rows;
	room = room < run->most_groups ? room : run->most_groups;
	while (taken < room && taken % rows == 0 && progress->work < progress->work_count) {
		const struct exact_work *work = &progress->works[progress->work];
		uint32_t left = work->count - progress->offset, now = left < room - taken ? left : room - taken;
		memcpy(run->pairs_host + (size_t)taken * run->per_group,
		       work->pairs + (size_t)progress->offset * run->per_group,
		       (size_t)now * run->per_group * sizeof *work->pairs);
		taken += now;
		progress->offset += now;
		if (progress->offset == work->count) {
			++progress->work;
			progress->offset = 0;
		}
	}
	return taken;
}

static sonde_status launch_motion(struct exact_device *run, struct exact_launch *launch, uint32_t count,
				  const struct exact_points *points)
{
	const struct pair_motion *motion = run->atoms->motion;
	const uint32_t stride = run->atoms->size, size = motion_size(motion);
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(run->x.memory),
						    DEVICE_ARGUMENT(run->y.memory),
						    DEVICE_ARGUMENT(run->z.memory),
						    DEVICE_ARGUMENT(run->u.memory),
						    DEVICE_ARGUMENT(stride),
						    DEVICE_ARGUMENT(size),
						    DEVICE_ARGUMENT(run->tiles.memory),
						    DEVICE_ARGUMENT(launch->tile_pairs.memory),
						    DEVICE_ARGUMENT(motion->delta1),
						    DEVICE_ARGUMENT(motion->delta2),
						    DEVICE_ARGUMENT(motion->qbroad),
						    DEVICE_ARGUMENT(run->q.memory),
						    DEVICE_ARGUMENT(points->step),
						    DEVICE_ARGUMENT(points->count),
						    DEVICE_ARGUMENT(launch->partial.memory)};

	return device_launch(run->device, &run->kernel, count, arguments, 15);
}

static sonde_status launch_windows(struct exact_device *run, struct exact_launch *launch, uint32_t count,
				   const struct exact_points *points)
{
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(run->x.memory),
						    DEVICE_ARGUMENT(run->y.memory),
						    DEVICE_ARGUMENT(run->z.memory),
						    DEVICE_ARGUMENT(run->tiles.memory),
						    DEVICE_ARGUMENT(launch->tile_pairs.memory),
						    DEVICE_ARGUMENT(points->step),
						    DEVICE_ARGUMENT(launch->partial.memory),
						    DEVICE_ARGUMENT(launch->coincident.memory),
						    DEVICE_ARGUMENT(run->fine)}; /* of windows_pairs */

	return device_launch(run->device, &run->kernel, count, arguments,
			     shape_windows_are_simd(run->device, run->fine) ? 9 : 8);
}

static sonde_status launch_kernels(struct exact_device *run, struct exact_launch *launch, uint32_t count,
				   const struct exact_points *points)
{
	uint32_t per_group = run->per_group, per_sum = EXACT_ROWS_PER_SUM;
	const struct device_argument simd[] = {DEVICE_ARGUMENT(run->x.memory),
					       DEVICE_ARGUMENT(run->y.memory),
					       DEVICE_ARGUMENT(run->z.memory),
					       DEVICE_ARGUMENT(run->tiles.memory),
					       DEVICE_ARGUMENT(launch->tile_pairs.memory),
					       DEVICE_ARGUMENT(points->first),
					       DEVICE_ARGUMENT(points->step),
					       DEVICE_ARGUMENT(points->count),
					       DEVICE_ARGUMENT(launch->scratch.memory),
					       DEVICE_ARGUMENT(launch->partial.memory),
					       DEVICE_ARGUMENT(launch->coincident.memory)};
	const struct device_argument groups[] = {DEVICE_ARGUMENT(run->x.memory),
						 DEVICE_ARGUMENT(run->y.memory),
						 DEVICE_ARGUMENT(run->z.memory),
						 DEVICE_ARGUMENT(run->tiles.memory),
						 DEVICE_ARGUMENT(launch->tile_pairs.memory),
						 DEVICE_ARGUMENT(count),
						 DEVICE_ARGUMENT(per_group),
						 DEVICE_ARGUMENT(points->first),
						 DEVICE_ARGUMENT(points->step),
						 DEVICE_ARGUMENT(points->count),
						 DEVICE_ARGUMENT(launch->partial.memory),
						 DEVICE_ARGUMENT(launch->coincident.memory)};
	const struct device_argument rows[] = {DEVICE_ARGUMENT(launch->partial.memory), DEVICE_ARGUMENT(count),
					       DEVICE_ARGUMENT(per_sum), DEVICE_ARGUMENT(points->count),
					       DEVICE_ARGUMENT(launch->row_sums.memory)};

	CHECK(device_write(run->device, &launch->tile_pairs, 0, run->pairs_host,
			   (size_t)count * run->per_group * sizeof *run->pairs_host));
	const bool moving = run->atoms->motion != NULL;
	if (!sums_rows(run) && !moving && run->fine == 0)
		return device_launch(run->device, &run->kernel, count, simd, 11);
	CHECK(device_clear(run->device, &launch->coincident, 0, count * sizeof(uint64_t)));
	CHECK(moving          ? launch_motion(run, launch, count, points)
	      : run->fine > 0 ? launch_windows(run, launch, count, points)
			      : device_launch(run->device, &run->kernel, count, groups, 12));
	if (!sums_rows(run))
		return SONDE_OK;
	return device_launch(run->device, &run->rows_kernel, (count + per_sum - 1) / per_sum, rows, 5);
}

static uint32_t pairs_left(void *user)
{
	const struct exact_progress *progress = user;

	return progress->work < progress->work_count ? UINT32_MAX : 0;
}

static sonde_status begin(void *user, int slot, uint32_t room, uint32_t *groups)
{
	struct exact_progress *progress = user;
	struct exact_launch *launch = &progress->run->launches[slot];

	launch->work = progress->work;
	launch->offset = progress->offset;
	*groups = take_pairs(progress->run, progress, room);
	return launch_kernels(progress->run, launch, *groups, progress->points);
}

/* Adds the rows of one work to its sums. */
static void add_rows(const struct exact_device *run, struct exact_work *work, size_t first_group, uint32_t groups,
		     uint32_t points)
{
	if (!sums_rows(run)) {
		ordered_sum_add_arrays(work->sums, run->partial_host + first_group * points, groups, points);
	} else {
		const double *row = run->partial_host + first_group / EXACT_ROWS_PER_SUM * points * 2;
		for (uint32_t done = 0; done < groups; done += EXACT_ROWS_PER_SUM, row += 2 * (size_t)points) {
			for (uint32_t k = 0; k < points; ++k) {
				ordered_sum_add(&work->sums[k], row[2 * k]);
				ordered_sum_add(&work->sums[k], row[2 * k + 1]);
			}
		}
	}
	for (uint32_t g = 0; g < groups; ++g)
		work->coincident += run->coincident_host[first_group + g];
}

static sonde_status fetch(struct exact_device *run, int queue, uint32_t groups, uint32_t points)
{
	struct exact_launch *launch = &run->launches[queue];
	const struct device_buffer *rows = sums_rows(run) ? &launch->row_sums : &launch->partial;
	size_t count = sums_rows(run) ? 2 * (size_t)count_sums(groups) : groups;

	device_use_queue(run->device, queue);
	sonde_status status =
	    device_read(run->device, rows, 0, run->partial_host, count * points * sizeof *run->partial_host);
	if (status == SONDE_OK)
		status = device_read(run->device, &launch->coincident, 0, run->coincident_host,
				     groups * sizeof *run->coincident_host);
	device_use_queue(run->device, 0);
	return status;
}

/* Adds the sums of a launch to their works. */
static sonde_status end(void *user, int slot, uint32_t groups)
{
	struct exact_progress *progress = user;
	struct exact_device *run = progress->run;
	const struct exact_launch *launch = &run->launches[slot];
	const uint32_t points = progress->points->count;
	const double terms = progress->points->terms > 0.0 ? progress->points->terms : (double)points;
	uint32_t offset = launch->offset;
	struct exact_work *work = &progress->works[launch->work];

	CHECK(fetch(run, slot, groups, points));
	for (uint32_t group = 0; group < groups; ++work, offset = 0) {
		uint32_t left = groups - group, now = work->count - offset;
		now = now < left ? now : left;
		add_rows(run, work, group, now, points);
		const struct tile_pair *pairs = work->pairs + (size_t)offset * run->per_group;
		for (uint32_t k = 0; run->stage != NULL && k < now * run->per_group; ++k)
			progress->done += tile_pair_pairs(progress->atoms, &pairs[k]) * terms;
		group += now;
	}
	return run->stage != NULL ? stage_advance(run->stage, run->stage_done + progress->done) : SONDE_OK;
}

sonde_status exact_device_sum(sonde_context *context, struct exact_device *run, const struct arranged_atoms *atoms,
			      struct exact_work *works, uint32_t work_count, const struct exact_points *points)
{
	struct exact_progress progress = {
	    .run = run, .atoms = atoms, .points = points, .works = works, .work_count = work_count};
	const struct launches launches = {.device = run->device,
					  .pace = &run->pace,
					  .count = (int)run->launch_count,
					  .first_groups = 16 * device_workers(run->device),
					  .what = "pairs (exact)",
					  .user = &progress,
					  .left = pairs_left,
					  .begin = begin,
					  .end = end};

	if (points->q != NULL) {
		const size_t padded = (points->count + MOTION_BLOCK - 1) / MOTION_BLOCK * MOTION_BLOCK;
		CHECK(device_write(run->device, &run->q, 0, points->q, padded * sizeof(double)));
		CHECK(device_wait(run->device)); /* every queue needs them */
	}
	return launches_run(context, &launches);
}
