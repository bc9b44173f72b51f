#include "fdtd/fields_gpu.h"

#include <stdlib.h>

#include "base/memory.h"
#include "fdtd/fdtd.h"

#define COPIED (1u << 24) /* bytes at once */

#define MOST_ITEMS 256u

/* Work-groups of the kernels, measured on an H200. */
static const struct group_shape inside_f32[2] = {{128, 4, 3}, {256, 4, 4}},
				inside_f64[2] = {{128, 2, 3}, {256, 2, 4}},
				around_f32[2] = {{128, 4, 2}, {128, 2, 3}},
				around_f64[2] = {{128, 2, 2}, {128, 2, 3}};

bool fields_suit_gpu(struct device *device)
{
	const struct device_properties *has = device_properties(device);

	return has->gpu_kernels && has->most_work_items >= MOST_ITEMS;
}

static sonde_status find(struct fields *fields, const char *name, const struct group_shape *inside,
			 const struct group_shape *around, const struct device_define *defines, size_t count,
			 struct gpu_kernels *kernels)
{
	struct device_define all[8] = {{"REAL_F32", fields->single ? 1 : 0}};

	for (size_t n = 0; n < count; ++n)
		all[1 + n] = defines[n];
	for (uint32_t careful = 0; careful < 2; ++careful) {
		const struct group_shape *shape = careful != 0 ? around : inside;
		all[1 + count] = (struct device_define){"CAREFUL", careful};
		all[2 + count] = (struct device_define){"CELLS_OF_ITEM", shape->cells_of_item};
		CHECK(device_kernel(fields->device, &fdtd_program, name, shape->items, 0, all, count + 3,
				    careful != 0 ? &kernels->around : &kernels->inside));
	}
	return SONDE_OK;
}

/* Bytes of the numbers of a field's media. */
static uint32_t media_bytes(const struct fields *fields, enum field field)
{
	const struct fdtd_step *layout = &fields->layout;

	return (field == FIELD_E ? layout->electric : layout->magnetic) != 0 ? layout->index_bytes : 0;
}

sonde_status fields_on_gpu_make(struct fields *fields)
{
	for (int s = 0; s < 2; ++s) {
		const struct group_shape *inside = fields->single ? inside_f32 : inside_f64,
					 *around = fields->single ? around_f32 : around_f64;
		boxes_make(&fields->layout, (enum stepping)s, &inside[s], &around[s]);
		for (int f = 0; f < 2 && s == HALF_STEPS; ++f) {
			const struct device_define defines[] = {{"OF_E", f == FIELD_E ? 1 : 0},
								{"MEDIA_BYTES", media_bytes(fields, (enum field)f)}};
			CHECK(find(fields, "step_cells", &inside[s], &around[s], defines, 2, &fields->half_steps[f]));
		}
	}
	return SONDE_OK;
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
	const struct device_define defines[] = {{"E_BYTES", media_bytes(fields, FIELD_E)},
						{"H_BYTES", media_bytes(fields, FIELD_H)}};

	CHECK(find(fields, "step_both", fields->single ? &inside_f32[WHOLE_STEPS] : &inside_f64[WHOLE_STEPS],
		   fields->single ? &around_f32[WHOLE_STEPS] : &around_f64[WHOLE_STEPS], defines, 2,
		   &fields->whole_steps));
	for (int f = 0; f < 2; ++f) {
		CHECK(device_allocate(fields->device, fields->buffers[f].bytes, "the next fields", &fields->next[f]));
		/* what lies on walls is not stepped */
		if (fields->written)
			CHECK(copy_buffer(fields->device, &fields->buffers[f], &fields->next[f]));
	}
	return device_allocate(fields->device, fields->psi.bytes, "the absorbing layers", &fields->next_psi);
}

sonde_status fields_make_both(struct fields *fields)
{
	if (fields->next_psi.memory != NULL)
		return SONDE_OK;
	const sonde_status status = make(fields);
	if (status != SONDE_OK)
		fields_forget_next(fields);
	return status;
}

void fields_forget_next(struct fields *fields)
{
	device_release(fields->device, &fields->next_psi);
	for (int f = 0; f < 2; ++f)
		device_release(fields->device, &fields->next[f]);
}

static void swap(struct device_buffer *one, struct device_buffer *other)
{
	const struct device_buffer kept = *one;

	*one = *other;
	*other = kept;
}

sonde_status fields_launch_gpu(struct fields *fields, const struct gpu_kernels *kernels, enum stepping stepping,
			       uint32_t first, uint32_t end, const struct device_argument *arguments, size_t count)
{
	for (int around = 0; around < 2; ++around) {
		const uint32_t groups = boxes_groups(&fields->layout, stepping, around != 0, first, end);
		if (groups > 0)
			CHECK(device_launch(fields->device, around != 0 ? &kernels->around : &kernels->inside, groups,
					    arguments, count));
	}
	return SONDE_OK;
}

sonde_status fields_step_both(struct fields *fields)
{
	const struct fdtd_step *layout = &fields->layout;
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(fields->step.memory),
						    DEVICE_ARGUMENT(fields->buffers[FIELD_E].memory),
						    DEVICE_ARGUMENT(fields->buffers[FIELD_H].memory),
						    DEVICE_ARGUMENT(fields->next[FIELD_E].memory),
						    DEVICE_ARGUMENT(fields->next[FIELD_H].memory),
						    DEVICE_ARGUMENT(fields->psi.memory),
						    DEVICE_ARGUMENT(fields->next_psi.memory),
						    DEVICE_ARGUMENT(fields->profile.memory),
						    DEVICE_ARGUMENT(fields->tables[FIELD_E].memory),
						    DEVICE_ARGUMENT(fields->tables[FIELD_H].memory),
						    DEVICE_ARGUMENT(fields->index[FIELD_E].memory),
						    DEVICE_ARGUMENT(fields->index[FIELD_H].memory),
						    DEVICE_ARGUMENT(fields->segments[FIELD_E].memory),
						    DEVICE_ARGUMENT(fields->segments[FIELD_H].memory)};

	CHECK(fields_launch_gpu(fields, &fields->whole_steps, WHOLE_STEPS, 0, layout->end[0], arguments, 14));
	for (int f = 0; f < 2; ++f)
		swap(&fields->buffers[f], &fields->next[f]);
	swap(&fields->psi, &fields->next_psi);
	return SONDE_OK;
}
