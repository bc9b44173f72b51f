#include "debye/exact_device.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"

#define ROWS_PER_SUM 64 /* partial sums that a device adds up to one */

static sonde_status upload(struct device *device, struct device_buffer *buffer, const void *from, size_t bytes,
			   const char *what)
{
	CHECK(device_allocate(device, bytes, what, buffer));
	return device_write(device, buffer, 0, from, bytes);
}

static sonde_status prepare(struct exact_device *run, const struct arranged_atoms *atoms, bool f32)
{
	struct device *device = run->device;
	bool gpu = device_properties(device)->gpu_kernels;
	size_t coordinates = (size_t)atoms->size * sizeof(double);
	uint32_t most = run->most_pairs, rows = gpu ? (most + ROWS_PER_SUM - 1) / ROWS_PER_SUM : most;

	if (gpu) {
		CHECK(shape_exact_products(device, &run->shape, f32, &run->kernel));
		CHECK(shape_sum_rows(device, &run->shape, &run->rows_kernel));
		CHECK(device_allocate(device, (size_t)rows * Q_PASS * 2 * sizeof(double), "partial sums",
				      &run->row_sums));
	} else {
		CHECK(device_kernel(device, &debye_program, "exact_pairs", 1, 0, NULL, 0, &run->kernel));
		CHECK(device_allocate(device, (size_t)device_workers(device) * Q_PASS * WIDTH * sizeof(double),
				      "partial sums", &run->scratch));
	}
	CHECK(upload(device, &run->x, atoms->x, coordinates, "the atoms"));
	CHECK(upload(device, &run->y, atoms->y, coordinates, "the atoms"));
	CHECK(upload(device, &run->z, atoms->z, coordinates, "the atoms"));
	CHECK(
	    upload(device, &run->tiles, atoms->tiles, (size_t)atoms->tile_count * sizeof *atoms->tiles, "the tiles"));
	CHECK(device_allocate(device, most * sizeof(struct tile_pair), "the tiles", &run->tile_pairs));
	CHECK(device_allocate(device, (size_t)most * Q_PASS * sizeof(double), "partial sums", &run->partial));
	CHECK(device_allocate(device, most * sizeof(uint64_t), "partial sums", &run->coincident));
	CHECK(memory_allocate(&run->partial_host, (size_t)rows * Q_PASS * (gpu ? 2 : 1), sizeof(double),
			      "partial sums"));
	return memory_allocate(&run->coincident_host, most, sizeof(uint64_t), "partial sums");
}

sonde_status exact_device_prepare(struct device *device, const struct debye_shape *shape,
				  const struct arranged_atoms *atoms, bool f32, struct exact_device *run)
{
	*run = (struct exact_device){.device = device,
				     .shape = *shape,
				     .most_pairs =
					 device_properties(device)->gpu_kernels ? EXACT_PIECE_GPU : EXACT_PIECE_CPU};
	sonde_status status = prepare(run, atoms, f32);
	if (status != SONDE_OK)
		exact_device_release(run);
	return status;
}

void exact_device_release(struct exact_device *run)
{
	struct device_buffer *buffers[] = {&run->x,       &run->y,          &run->z,
					   &run->tiles,   &run->tile_pairs, &run->scratch,
					   &run->partial, &run->coincident, &run->row_sums};

	for (size_t k = 0; k < sizeof buffers / sizeof *buffers; ++k)
		device_release(run->device, buffers[k]);
	free(run->partial_host);
	free(run->coincident_host);
	*run = (struct exact_device){0};
}

/* Launches pairs of tiles first to first + count - 1 of those on the device. */
static sonde_status launch(struct exact_device *run, uint32_t count, const struct exact_points *points)
{
	uint32_t per_group = 1;
	const struct device_argument simd[] = {
	    DEVICE_ARGUMENT(run->x.memory),          DEVICE_ARGUMENT(run->y.memory),
	    DEVICE_ARGUMENT(run->z.memory),          DEVICE_ARGUMENT(run->tiles.memory),
	    DEVICE_ARGUMENT(run->tile_pairs.memory), DEVICE_ARGUMENT(points->first),
	    DEVICE_ARGUMENT(points->step),           DEVICE_ARGUMENT(points->count),
	    DEVICE_ARGUMENT(run->scratch.memory),    DEVICE_ARGUMENT(run->partial.memory),
	    DEVICE_ARGUMENT(run->coincident.memory)};
	const struct device_argument groups[] = {DEVICE_ARGUMENT(run->x.memory),
						 DEVICE_ARGUMENT(run->y.memory),
						 DEVICE_ARGUMENT(run->z.memory),
						 DEVICE_ARGUMENT(run->tiles.memory),
						 DEVICE_ARGUMENT(run->tile_pairs.memory),
						 DEVICE_ARGUMENT(count),
						 DEVICE_ARGUMENT(per_group),
						 DEVICE_ARGUMENT(points->first),
						 DEVICE_ARGUMENT(points->step),
						 DEVICE_ARGUMENT(points->count),
						 DEVICE_ARGUMENT(run->partial.memory),
						 DEVICE_ARGUMENT(run->coincident.memory)};

	if (!device_properties(run->device)->gpu_kernels)
		return device_launch(run->device, &run->kernel, count, simd, 11);
	CHECK(device_clear(run->device, &run->coincident, 0, count * sizeof(uint64_t)));
	return device_launch(run->device, &run->kernel, count, groups, 12);
}

/* Adds the partial sums of `count` pairs of tiles. */
static sonde_status add_rows(struct exact_device *run, uint32_t count, uint32_t q_count, struct ordered_sum *sums)
{
	uint32_t per_sum = ROWS_PER_SUM, rows = (count + per_sum - 1) / per_sum;
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(run->partial.memory), DEVICE_ARGUMENT(count),
						    DEVICE_ARGUMENT(per_sum), DEVICE_ARGUMENT(q_count),
						    DEVICE_ARGUMENT(run->row_sums.memory)};

	if (!device_properties(run->device)->gpu_kernels) {
		CHECK(device_read(run->device, &run->partial, 0, run->partial_host,
				  (size_t)count * q_count * sizeof(double)));
		ordered_sum_add_arrays(sums, run->partial_host, count, q_count);
		return SONDE_OK;
	}
	CHECK(device_launch(run->device, &run->rows_kernel, rows, arguments, 5));
	CHECK(device_read(run->device, &run->row_sums, 0, run->partial_host,
			  (size_t)rows * q_count * 2 * sizeof(double)));
	for (size_t row = 0; row < rows; ++row) {
		for (size_t k = 0; k < q_count; ++k) {
			ordered_sum_add(&sums[k], run->partial_host[2 * (row * q_count + k)]);
			ordered_sum_add(&sums[k], run->partial_host[2 * (row * q_count + k) + 1]);
		}
	}
	return SONDE_OK;
}

sonde_status exact_device_sum(sonde_context *context, struct exact_device *run, const struct tile_pair *pairs,
			      uint32_t count, const struct exact_points *points, struct ordered_sum *sums,
			      uint64_t *coincident)
{
	struct device *device = run->device;

	for (uint32_t done = 0; done < count;) {
		/* a whole number of row sums, so that their bits do not depend on the pace */
		uint32_t now = device_pace_groups(device, &run->pace, 4 * device_workers(device), count - done);
		now = now < count - done ? (now + ROWS_PER_SUM - 1) / ROWS_PER_SUM * ROWS_PER_SUM : now;
		now = now < count - done ? now : count - done;
		double began = clock_seconds();
		CHECK(device_write(device, &run->tile_pairs, 0, pairs + done, now * sizeof *pairs));
		CHECK(launch(run, now, points));
		CHECK(add_rows(run, now, points->count, sums));
		CHECK(device_read(device, &run->coincident, 0, run->coincident_host, now * sizeof(uint64_t)));
		device_pace_learn(device, &run->pace, now, clock_seconds() - began);
		for (uint32_t g = 0; g < now; ++g)
			*coincident += run->coincident_host[g];
		done += now;
		if (context_cancelled(context))
			return status_fail(SONDE_CANCELLED, "stopped on request in the pairs (exact)");
	}
	return SONDE_OK;
}
