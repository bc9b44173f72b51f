#include "fdtd/fields_gpu.h"

#include <stdlib.h>

#include "base/memory.h"
#include "fdtd/fdtd.h"

#define COPIED (1u << 24) /* bytes at once */

#define MOST_ITEMS 128u
#define GROUPS_OF_WORKER 4 /* of whole steps: compilers save too many registers without being told */

/* Work-groups of the kernels: the inside by half steps, by whole ones, and what is around it. Measured on an H200. */
struct shapes {
	struct group_shape half, whole, around;
};
static const struct shapes shapes_f32 = {{128, 4, 1}, {128, 4, 4}, {128, 4, 2}},
			   shapes_f64 = {{128, 2, 2}, {128, 2, 4}, {128, 2, 2}};

static const struct shapes *shapes_of(const struct fields *fields)
{
	return fields->single ? &shapes_f32 : &shapes_f64;
}

bool fields_suit_gpu(struct device *device)
{
	const struct device_properties *has = device_properties(device);

	return has->gpu_kernels && has->most_work_items >= MOST_ITEMS;
}

/* Bytes of the numbers of a field's media. */
static uint32_t media_bytes(const struct fields *fields, enum field field)
{
	const struct fdtd_step *layout = &fields->layout;

	return (field == FIELD_E ? layout->electric : layout->magnetic) != 0 ? layout->index_bytes : 0;
}

static sonde_status find_half(struct fields *fields, enum field field, bool around, struct device_kernel *kernel)
{
	const struct group_shape *shape = around ? &shapes_of(fields)->around : &shapes_of(fields)->half;
	const struct device_define defines[] = {{"REAL_F32", fields->single ? 1 : 0},
						{"OF_E", field == FIELD_E ? 1 : 0},
						{"MEDIA_BYTES", media_bytes(fields, field)},
						{"CAREFUL", around ? 1 : 0},
						{"CELLS_OF_ITEM", shape->cells_of_item}};

	return device_kernel(fields->device, &fdtd_program, "step_cells", shape->items, 0, defines, 5, kernel);
}

sonde_status fields_on_gpu_make(struct fields *fields)
{
	const struct shapes *shapes = shapes_of(fields);

	boxes_make(&fields->layout, &shapes->half, &shapes->whole, &shapes->around);
	for (int f = 0; f < 2; ++f) {
		CHECK(find_half(fields, (enum field)f, false, &fields->kernels[f]));
		CHECK(find_half(fields, (enum field)f, true, &fields->around[f]));
	}
	return SONDE_OK;
}

/* Half a step of a field into a buffer, maybe its own, in boxes begin to end - 1, by the other field as it is in a buffer. */
static sonde_status step_boxes(struct fields *fields, enum field field, const struct device_buffer *to,
			       const struct device_buffer *turning, bool around, uint32_t first, uint32_t end)
{
	const struct device_kernel *kernel = around ? &fields->around[field] : &fields->kernels[field];
	const uint32_t begin_box = around ? BOX_AROUND : BOX_OF_HALF_STEPS,
		       end_box = around ? BOXES : BOX_OF_HALF_STEPS + 1,
		       groups = boxes_groups(&fields->layout, begin_box, end_box, first, end);
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(fields->step.memory),
						    DEVICE_ARGUMENT(fields->buffers[field].memory),
						    DEVICE_ARGUMENT(to->memory),
						    DEVICE_ARGUMENT(turning->memory),
						    DEVICE_ARGUMENT(fields->psi.memory),
						    DEVICE_ARGUMENT(fields->profile.memory),
						    DEVICE_ARGUMENT(fields->tables[field].memory),
						    DEVICE_ARGUMENT(fields->index[field].memory),
						    DEVICE_ARGUMENT(fields->segments[field].memory),
						    DEVICE_ARGUMENT(first),
						    DEVICE_ARGUMENT(end)};

	return groups == 0 ? SONDE_OK : device_launch(fields->device, kernel, groups, arguments, 11);
}

sonde_status fields_step_on_gpu(struct fields *fields, enum field field, uint32_t first, uint32_t end)
{
	const struct device_buffer *to = &fields->buffers[field], *turning = &fields->buffers[1 - field];

	CHECK(step_boxes(fields, field, to, turning, true, first, end));
	return step_boxes(fields, field, to, turning, false, first, end);
}

bool fields_can_step_both(const struct fields *fields)
{
	const struct fdtd_grid *grid = &fields->grid;

	if (!fields->on_gpu)
		return false;
	for (int a = 0; a < 3; ++a)
		for (int side = 0; side < 2; ++side)
			if (grid->walls[a][side] != WALL_CONDUCTOR && grid->courant[a] != 0.0)
				return false;
	return true;
}

static sonde_status copy_buffer(struct device *device, const struct device_buffer *from, struct device_buffer *to)
{
	sonde_status status = SONDE_OK;
	unsigned char *bytes;

	CHECK(memory_allocate(&bytes, COPIED, 1, "the fields"));
	for (size_t at = 0; at < from->bytes && status == SONDE_OK; at += COPIED) {
		const size_t count = from->bytes - at < COPIED ? from->bytes - at : COPIED;
		status = device_read(device, from, at, bytes, count);
		if (status == SONDE_OK)
			status = device_write(device, to, at, bytes, count);
	}
	free(bytes);
	return status;
}

static sonde_status make(struct fields *fields)
{
	const struct group_shape *shape = &shapes_of(fields)->whole;
	const struct device_define defines[] = {{"REAL_F32", fields->single ? 1 : 0},
						{"E_BYTES", media_bytes(fields, FIELD_E)},
						{"H_BYTES", media_bytes(fields, FIELD_H)},
						{"CELLS_OF_ITEM", shape->cells_of_item},
						{"GROUPS_OF_WORKER", GROUPS_OF_WORKER}};

	CHECK(device_kernel(fields->device, &fdtd_program, "step_both", shape->items, 0, defines, 5, &fields->both));
	for (int f = 0; f < 2; ++f) {
		CHECK(device_allocate(fields->device, fields->buffers[f].bytes, "the next fields", &fields->next[f]));
		/* what lies on walls is not stepped */
		if (fields->written)
			CHECK(copy_buffer(fields->device, &fields->buffers[f], &fields->next[f]));
	}
	return SONDE_OK;
}

sonde_status fields_make_both(struct fields *fields)
{
	if (fields->next[FIELD_H].memory != NULL)
		return SONDE_OK;
	const sonde_status status = make(fields);
	if (status != SONDE_OK)
		fields_forget_next(fields);
	return status;
}

void fields_forget_next(struct fields *fields)
{
	for (int f = 0; f < 2; ++f)
		device_release(fields->device, &fields->next[f]);
}

/* Both fields, inside, into the next ones. */
static sonde_status step_inside(struct fields *fields)
{
	const uint32_t groups =
	    boxes_groups(&fields->layout, BOX_OF_WHOLE_STEPS, BOX_OF_WHOLE_STEPS + 1, 0, fields->layout.end[0]);
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(fields->step.memory),
						    DEVICE_ARGUMENT(fields->buffers[FIELD_E].memory),
						    DEVICE_ARGUMENT(fields->buffers[FIELD_H].memory),
						    DEVICE_ARGUMENT(fields->next[FIELD_E].memory),
						    DEVICE_ARGUMENT(fields->next[FIELD_H].memory),
						    DEVICE_ARGUMENT(fields->profile.memory),
						    DEVICE_ARGUMENT(fields->tables[FIELD_E].memory),
						    DEVICE_ARGUMENT(fields->tables[FIELD_H].memory),
						    DEVICE_ARGUMENT(fields->index[FIELD_E].memory),
						    DEVICE_ARGUMENT(fields->index[FIELD_H].memory),
						    DEVICE_ARGUMENT(fields->segments[FIELD_E].memory),
						    DEVICE_ARGUMENT(fields->segments[FIELD_H].memory)};

	return groups == 0 ? SONDE_OK : device_launch(fields->device, &fields->both, groups, arguments, 12);
}

/* The inside at once, around it H before and E behind that. */
sonde_status fields_step_both(struct fields *fields)
{
	const uint32_t end = fields->layout.end[0];
	struct device_buffer *next = fields->next;

	CHECK(step_boxes(fields, FIELD_H, &next[FIELD_H], &fields->buffers[FIELD_E], true, 0, end));
	CHECK(step_inside(fields));
	CHECK(step_boxes(fields, FIELD_E, &next[FIELD_E], &next[FIELD_H], true, 0, end));
	for (int f = 0; f < 2; ++f) {
		const struct device_buffer before = fields->buffers[f];
		fields->buffers[f] = next[f];
		next[f] = before;
	}
	return SONDE_OK;
}
