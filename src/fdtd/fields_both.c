#include "fdtd/fields_both.h"

#include <stdlib.h>

#include "base/memory.h"
#include "fdtd/fdtd.h"

#define ITEMS 128u       /* of a work-group */
#define COPIED (1u << 24) /* bytes at once */

bool fields_can_step_both(const struct fields *fields)
{
	const struct device_properties *has = device_properties(fields->device);
	const struct fdtd_grid *grid = &fields->grid;

	if (!has->gpu_kernels || has->most_work_items < ITEMS)
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
	const struct device_define defines[] = {
	    {"REAL_F32", fields->single ? 1 : 0},
	    {"E_BYTES", fields->layout.electric != 0 ? fields->layout.index_bytes : 0},
	    {"H_BYTES", fields->layout.magnetic != 0 ? fields->layout.index_bytes : 0}};

	CHECK(device_kernel(fields->device, &fdtd_program, "step_both", ITEMS, 0, defines, 3, &fields->both));
	for (int f = 0; f < 2; ++f) {
		CHECK(
		    device_allocate(fields->device, fields->buffers[f].bytes, "the next fields", &fields->next[f]));
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
		fields_release_both(fields);
	return status;
}

void fields_release_both(struct fields *fields)
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

sonde_status fields_step_both(struct fields *fields)
{
	const struct fdtd_step *layout = &fields->layout;
	const uint32_t slabs = (layout->end[0] + layout->planes_of_both - 1) / layout->planes_of_both;
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

	CHECK(device_launch(fields->device, &fields->both, slabs * layout->groups_of_plane, arguments, 14));
	for (int f = 0; f < 2; ++f)
		swap(&fields->buffers[f], &fields->next[f]);
	swap(&fields->psi, &fields->next_psi);
	return SONDE_OK;
}
