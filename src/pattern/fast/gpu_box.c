#include "pattern/fast/gpu_box.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "pattern/fast/gpu_parts.h"

#define PART_OF_MEMORY 0.95    /* of the device, for the amplitudes and meshes */
#define AT_ONCE (1 << 23)      /* intensities that are copied at a time, while the device computes others */
#define MOST_POINTS (1u << 31) /* whose numbers have 32 bits in kernels */
#define READING_QUEUE 1

struct gpu_box {
	struct gpu_mesh *gpu;
	const struct pattern_pixels *pixels;
	struct device_buffer amplitudes, points, block, tables[2], intensities[2];
	struct device_timer timers[2]; /* of the intensities in progress */
};

static sonde_status upload_points(struct gpu_box *box)
{
	const struct pattern_pixels *pixels = box->pixels;
	const size_t count = BOX_VALUES + (size_t)(pixels->sizes[0] + pixels->sizes[1] + pixels->sizes[2]);
	double *numbers, *to;

	CHECK(memory_allocate(&numbers, count, sizeof *numbers, "the box"));
	memcpy(numbers + BOX_BASIS, pixels->basis, sizeof pixels->basis);
	to = numbers + BOX_VALUES;
	for (int axis = 0; axis < 3; ++axis) {
		memcpy(to, pixels->axes[axis], (size_t)pixels->sizes[axis] * sizeof *to);
		to += pixels->sizes[axis];
	}
	const sonde_status status =
	    device_upload(box->gpu->device, numbers, count * sizeof *numbers, "the box", &box->points);
	free(numbers);
	return status;
}

static sonde_status make(struct gpu_box *box)
{
	struct device *device = box->gpu->device;
	const size_t count = (size_t)box->pixels->count;

	CHECK(upload_points(box));
	CHECK(device_allocate(device, BLOCK_NUMBERS * sizeof(uint64_t), "the box", &box->block));
	for (int slot = 0; slot < 2; ++slot)
		CHECK(device_allocate(device, (count < AT_ONCE ? count : AT_ONCE) * sizeof(double), "the box",
				      &box->intensities[slot]));
	return device_allocate(device, 2 * count * sizeof(double), "the box", &box->amplitudes);
}

sonde_status gpu_box_make(struct gpu_mesh *gpu, const struct pattern_pixels *pixels, double others,
			  struct gpu_box **box)
{
	const double bytes = 2.0 * sizeof(double) * ((double)pixels->count + AT_ONCE);

	*box = NULL;
	if (pixels->count >= MOST_POINTS ||
	    bytes + others > PART_OF_MEMORY * (double)device_properties(gpu->device)->memory)
		return SONDE_OK;
	CHECK(memory_allocate(box, 1, sizeof **box, "the box"));
	(*box)->gpu = gpu;
	(*box)->pixels = pixels;
	const sonde_status status = make(*box);
	if (status == SONDE_OK)
		return SONDE_OK;
	gpu_box_free(box);
	return status == SONDE_RESOURCE ? SONDE_OK : status; /* by parts, then */
}

void gpu_box_free(struct gpu_box **box)
{
	struct gpu_box *of = *box;

	if (of == NULL)
		return;
	struct device *device = of->gpu->device;
	struct device_buffer *buffers[] = {&of->amplitudes, &of->points,         &of->block,         &of->tables[0],
					   &of->tables[1],  &of->intensities[0], &of->intensities[1]};
	for (size_t k = 0; k < sizeof buffers / sizeof *buffers; ++k)
		device_release(device, buffers[k]);
	for (int slot = 0; slot < 2; ++slot) {
		device_event_release(device, &of->timers[slot].began);
		device_event_release(device, &of->timers[slot].ended);
	}
	free(of);
	*box = NULL;
}

static sonde_status send_table(struct gpu_box *box, const struct piecewise *from, struct device_buffer *table)
{
	_Static_assert(PIECEWISE_NUMBERS == TABLE_COEFFICIENTS, "tables are as the kernels take them");
	const size_t count = PIECEWISE_NUMBERS * (size_t)from->parts;
	double *numbers;

	CHECK(memory_allocate(&numbers, TABLE_VALUES + count, sizeof *numbers, "the amplitudes"));
	numbers[TABLE_LOW] = from->low;
	numbers[TABLE_SCALE] = from->scale;
	numbers[TABLE_PARTS] = from->parts;
	if (count > 0)
		memcpy(numbers + TABLE_VALUES, from->numbers, count * sizeof *numbers);
	device_release(box->gpu->device, table);
	const sonde_status status = device_upload(box->gpu->device, numbers, (TABLE_VALUES + count) * sizeof *numbers,
						  "the amplitudes", table);
	free(numbers);
	return status;
}

static const struct piecewise no_table = {.parts = 0};

static void describe_block(const struct gpu_box *box, const struct fast_axes *axes, uint64_t block[BLOCK_NUMBERS])
{
	const uint64_t row = (uint64_t)fast_row(axes->axis[0].waves),
		       steps[3] = {1, row, row * (uint64_t)axes->axis[1].waves};
	int lines = 0;

	for (int k = 0; k < 3; ++k) {
		const struct fast_axis *axis = &axes->axis[k];
		block[BLOCK_SIZES + k] = (uint64_t)box->pixels->sizes[k];
		block[BLOCK_COUNTS + k] = (uint64_t)axis->count;
		block[BLOCK_BEGINS + k] = (uint64_t)axis->begin;
		block[BLOCK_STRIDES + k] = (uint64_t)axis->stride;
		block[BLOCK_AXES + k] = (uint64_t)axis->edge;
		block[BLOCK_STEPS + k] = steps[k];
		if (axis->count > 1 && (axes->axis[lines].count == 1 || axis->stride < axes->axis[lines].stride))
			lines = k;
	}
	block[BLOCK_LINES] = (uint64_t)lines;
}

static uint64_t groups_of_block(const uint64_t block[BLOCK_NUMBERS])
{
	const uint64_t a = block[BLOCK_LINES], b = a == 0 ? 1 : 0, c = 3 - a - b;

	return (block[BLOCK_COUNTS + b] + BLOCK_TOGETHER - 1) / BLOCK_TOGETHER * block[BLOCK_COUNTS + c];
}

sonde_status gpu_box_add(struct gpu_box *box, const struct fast_axes *axes, const struct piecewise *real,
			 const struct piecewise *imaginary)
{
	struct gpu_mesh *gpu = box->gpu;
	const uint32_t is_complex = imaginary != NULL;
	uint64_t block[BLOCK_NUMBERS];
	uint32_t first = 0;

	describe_block(box, axes, block);
	CHECK(device_write(gpu->device, &box->block, 0, block, sizeof block));
	CHECK(send_table(box, real, &box->tables[0]));
	CHECK(send_table(box, imaginary != NULL ? imaginary : &no_table, &box->tables[1]));
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(gpu->meshes[gpu->latest].memory),
						    DEVICE_ARGUMENT(box->block.memory),
						    DEVICE_ARGUMENT(box->points.memory),
						    DEVICE_ARGUMENT(box->tables[0].memory),
						    DEVICE_ARGUMENT(box->tables[1].memory),
						    DEVICE_ARGUMENT(is_complex),
						    DEVICE_ARGUMENT(first),
						    DEVICE_ARGUMENT(box->amplitudes.memory)};
	struct gpu_launch launch = {.gpu = gpu,
				    .kernel = BLOCKS,
				    .arguments = arguments,
				    .argument_count = sizeof arguments / sizeof *arguments,
				    .first = &first,
				    .scale = 1,
				    .all = groups_of_block(block)};
	return gpu_mesh_launch(&launch);
}

/* Intensities of points `begin` to end - 1 into a slot. */
static sonde_status begin_part(struct gpu_box *box, uint32_t is_diffuse, uint32_t begin, uint32_t end, int slot)
{
	struct gpu_mesh *gpu = box->gpu;
	uint32_t first = begin;
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(box->amplitudes.memory),
						    DEVICE_ARGUMENT(box->block.memory),
						    DEVICE_ARGUMENT(box->points.memory),
						    DEVICE_ARGUMENT(box->tables[0].memory),
						    DEVICE_ARGUMENT(is_diffuse),
						    DEVICE_ARGUMENT(begin),
						    DEVICE_ARGUMENT(first),
						    DEVICE_ARGUMENT(end),
						    DEVICE_ARGUMENT(box->intensities[slot].memory)};
	struct gpu_launch launch = {.gpu = gpu,
				    .kernel = VOLUMES,
				    .arguments = arguments,
				    .argument_count = sizeof arguments / sizeof *arguments,
				    .first = &first,
				    .base = begin,
				    .scale = ADDED_POINTS,
				    .all = ((uint64_t)(end - begin) + ADDED_POINTS - 1) / ADDED_POINTS};

	CHECK(device_timer_begin(gpu->device, &box->timers[slot]));
	CHECK(gpu_mesh_launch(&launch));
	return device_event_record(gpu->device, &box->timers[slot].ended);
}

static sonde_status read_part(struct gpu_box *box, int64_t count, int slot, double *to)
{
	struct device *device = box->gpu->device;
	double seconds;

	CHECK(device_event_elapsed(device, &box->timers[slot].began, &box->timers[slot].ended, &seconds));
	device_use_queue(device, READING_QUEUE);
	const sonde_status status = device_read(device, &box->intensities[slot], 0, to, (size_t)count * sizeof *to);
	device_use_queue(device, 0);
	return status;
}

sonde_status gpu_box_intensities(struct gpu_box *box, const struct piecewise *diffuse, double *intensities)
{
	const int64_t all = box->pixels->count, parts = (all + AT_ONCE - 1) / AT_ONCE;
	uint64_t block[BLOCK_NUMBERS] = {0};

	for (int k = 0; k < 3; ++k)
		block[BLOCK_SIZES + k] = (uint64_t)box->pixels->sizes[k];
	CHECK(device_write(box->gpu->device, &box->block, 0, block, sizeof block));
	CHECK(send_table(box, diffuse != NULL ? diffuse : &no_table, &box->tables[0]));
	for (int64_t part = 0; part <= parts; ++part) {
		const int64_t first = part * AT_ONCE, end = all - first < AT_ONCE ? all : first + AT_ONCE;
		if (part < parts)
			CHECK(begin_part(box, diffuse != NULL, (uint32_t)first, (uint32_t)end, (int)(part % 2)));
		if (part > 0)
			CHECK(read_part(box, (first < all ? first : all) - (first - AT_ONCE), (int)((part - 1) % 2),
					intensities + first - AT_ONCE));
	}
	return SONDE_OK;
}

sonde_status gpu_box_amplitudes(struct gpu_box *box, int64_t first, int64_t count, double *amplitudes)
{
	const size_t number = 2 * sizeof(double);

	return device_read(box->gpu->device, &box->amplitudes, (size_t)first * number, amplitudes,
			   (size_t)count * number);
}
