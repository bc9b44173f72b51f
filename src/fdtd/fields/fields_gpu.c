#include "fdtd/fields/fields_gpu.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fdtd/fields/kernels.h"
#include "fdtd/fields/walls.h"

#define COPIED (1u << 24) /* bytes per copy */

#define ITEMS_OF_ROW 32 /* as in boxes.c */
#define LOADED 16       /* bytes of a work-item's cells */

/* Number of groups for which a multiprocessor must have room: without this hint compilers use too many registers, or
 * spill too many. Measured on an H200, like the numbers of planes below. */
#define GROUPS_OF_WHOLE_STEPS 4u
#define GROUPS_AROUND 5u

/* Planes per group, as powers of two: in half steps, in whole ones, around the inside. */
#define HALF_PLANES_LOG 1
#define WHOLE_PLANES_LOG 5
#define FEW_PLANES_LOG 2
#define AROUND_PLANES_LOG 1

static uint32_t cells_of_item(const struct fields *fields)
{
	return LOADED / (fields->single ? sizeof(float) : sizeof(double));
}

bool fields_suit_gpu(const struct device *device)
{
	const struct device_properties *has = device_properties(device);

	return has->gpu_kernels && has->most_work_items >= ITEMS;
}

/* Bytes of the media numbers of a field. */
static uint32_t media_bytes(const struct fields *fields, enum field field)
{
	const struct fdtd_step *layout = &fields->layout;

	return (field == FIELD_E ? layout->electric : layout->magnetic) != 0 ? layout->index_bytes : 0;
}

/* Uniform axes, one bit each. */
static uint32_t flat_axes(const struct fields *fields)
{
	uint32_t flat = 0;

	for (int a = 0; a < 3; ++a)
		flat |= grid_is_uniform(&fields->grid, a) ? 1u << a : 0;
	return flat;
}

static sonde_status find_half(struct fields *fields, enum field field, uint32_t careful, struct device_kernel *kernel)
{
	const uint32_t flat = flat_axes(fields), components = fields->layout.components[field];
	const struct device_define defines[] = {{"REAL_F32", fields->single ? 1 : 0},
						{"OF_E", field == FIELD_E ? 1 : 0},
						{"MEDIA_BYTES", media_bytes(fields, field)},
						{"CAREFUL", careful},
						{"GROUPS_OF_WORKER", GROUPS_AROUND},
						{"FLAT", flat},
						{"COMPONENTS", components},
						{"STORED_16", 1}};
	struct device_define of_all[6];
	size_t count = careful != 0 ? 5 : 4;

	/* in two dimensions and in one; where no compiler is available the kernel for three dimensions is equivalent */
	if (careful != 0 && flat != 0) {
		const sonde_status status = device_kernel(fields->device, &fdtd_program, "step_cells", ITEMS, 0,
							  defines, fields->grid.in_words ? 8 : 7, kernel);
		if (status != SONDE_RESOURCE)
			return status;
	}
	memcpy(of_all, defines, count * sizeof *of_all);
	if (fields->grid.in_words)
		of_all[count++] = defines[7];
	return device_kernel(fields->device, &fdtd_program, "step_cells", ITEMS, 0, of_all, count, kernel);
}

/* Whether work-items pass on single cells along z in whole steps: in words a single cell costs as much as four. */
static bool passes_along(const struct fields *fields)
{
	return fields->grid.in_words && device_properties(fields->device)->warp == ITEMS_OF_ROW;
}

void fields_go_through_planes(struct fields *fields, uint32_t planes_log)
{
	const uint32_t cells = cells_of_item(fields);
	const struct group_shape half = {ITEMS, cells, HALF_PLANES_LOG, 0},
				 whole = {ITEMS, cells, planes_log, passes_along(fields) ? 1 : 0},
				 around = {ITEMS, cells, AROUND_PLANES_LOG, 0};

	boxes_make(&fields->grid, &fields->layout, &half, &whole, &around);
}

/* Groups of whole steps go through many planes, since H of the plane before the first one is extra work, as long as
 * there is a group for each slot of the device. Where the device works on whole planes at once, groups drift apart
 * and no longer find in the cache the data that others have read from their plane: then they go through few planes. */
static void share_cells(struct fields *fields)
{
	const struct fdtd_step *layout = &fields->layout;
	const uint32_t enough = GROUPS_OF_WHOLE_STEPS * device_properties(fields->device)->workers;
	uint32_t planes_log = WHOLE_PLANES_LOG;

	fields_go_through_planes(fields, planes_log);
	if (layout->boxes[BOX_OF_WHOLE_STEPS].groups_of_plane < enough)
		fields_go_through_planes(fields, planes_log = FEW_PLANES_LOG);
	/* of streamed fields no more planes than a slab has */
	while (planes_log > HALF_PLANES_LOG && fields->streaming != NULL &&
	       1u << planes_log > fields->streaming->schedule.width)
		fields_go_through_planes(fields, --planes_log);
	while (planes_log > HALF_PLANES_LOG &&
	       boxes_groups(layout, BOX_OF_WHOLE_STEPS, BOX_OF_WHOLE_STEPS + 1, 0, layout->end[0]) < enough)
		fields_go_through_planes(fields, --planes_log);
}

sonde_status fields_on_gpu_make(struct fields *fields)
{
	share_cells(fields);
	return fields_find_half_steps(fields);
}

sonde_status fields_find_half_steps(struct fields *fields)
{
	for (int f = 0; f < 2; ++f) {
		CHECK(find_half(fields, (enum field)f, 0, &fields->kernels[f]));
		CHECK(find_half(fields, (enum field)f, 1, &fields->around[f]));
		fields->kernels[f].early = fields->around[f].early = true;
	}
	return SONDE_OK;
}

/* Half a step of a field in boxes of a layout, of the inside or around it. `beside`: whether it is independent of the
 * previous launch: then one begins as the other ends. */
static sonde_status launch_half(struct fields *fields, const struct fdtd_step *layout, const struct half_way *way,
				bool around, uint32_t beside, uint32_t first, uint32_t end)
{
	const enum field field = way->field;
	const struct device_kernel *kernel = around ? &fields->around[field] : &fields->kernels[field];
	const uint32_t groups = around ? boxes_groups(layout, 0, BOXES_AROUND, first, end)
				       : boxes_groups(layout, BOX_OF_HALF_STEPS, BOX_OF_HALF_STEPS + 1, first, end);
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(*layout),
						    DEVICE_ARGUMENT(way->from->memory),
						    DEVICE_ARGUMENT(way->to->memory),
						    DEVICE_ARGUMENT(way->turning->memory),
						    DEVICE_ARGUMENT(way->psi->memory),
						    DEVICE_ARGUMENT(way->psi_to->memory),
						    DEVICE_ARGUMENT(fields->profile.memory),
						    DEVICE_ARGUMENT(fields->tables[field].memory),
						    DEVICE_ARGUMENT(fields->index[field].memory),
						    DEVICE_ARGUMENT(fields->segments[field].memory),
						    DEVICE_ARGUMENT(first),
						    DEVICE_ARGUMENT(end),
						    DEVICE_ARGUMENT(beside)};

	return groups == 0 ? SONDE_OK : device_launch(fields->device, kernel, groups, arguments, 13);
}

/* The same in the grid's own boxes. The result goes to a buffer, possibly that of the field itself; the other field is
 * read from a buffer. */
static sonde_status step_boxes(struct fields *fields, enum field field, bool around, uint32_t beside,
			       const struct device_buffer *to, const struct device_buffer *turning, uint32_t first,
			       uint32_t end)
{
	const struct half_way way = {field, &fields->buffers[field], to, turning, &fields->psi, &fields->psi};

	return launch_half(fields, &fields->layout, &way, around, beside, first, end);
}

/* Whether the kernel of the inside can step a box. */
static bool is_inside(const struct fdtd_step *layout, const struct cell_box *box)
{
	const struct fdtd_box *inside = &layout->boxes[BOX_OF_HALF_STEPS];
	bool within = inside->groups_of_plane > 0;

	for (int a = 0; a < 3; ++a)
		within = within && box->begin[a] >= inside->begin[a] && box->end[a] <= inside->end[a];
	return within;
}

sonde_status fields_step_cells(struct fields *fields, const struct half_way *way, const struct cell_boxes *region)
{
	const uint32_t cells = cells_of_item(fields), planes = fields->layout.end[0];
	struct fdtd_step layout = fields->layout;
	uint32_t boxes = 0;

	for (size_t n = 0; n < region->count; ++n) {
		const struct cell_box *box = &region->boxes[n];
		const bool inside = is_inside(&fields->layout, box);
		struct group_shape shape = {ITEMS, cells, AROUND_PLANES_LOG, 0};
		if (inside)
			shape.planes_log = HALF_PLANES_LOG;
		boxes_set_one(&layout, inside ? BOX_OF_HALF_STEPS : boxes, box->begin, box->end, &shape);
		if (inside)
			CHECK(launch_half(fields, &layout, way, false, 0, 0, planes));
		else
			++boxes;
		if (boxes == 0 || (boxes < BOXES_AROUND && n + 1 < region->count))
			continue;
		while (boxes < BOXES_AROUND)
			layout.boxes[boxes++] = (struct fdtd_box){0};
		CHECK(launch_half(fields, &layout, way, true, 0, 0, planes));
		boxes = 0;
	}
	return SONDE_OK;
}

sonde_status fields_step_on_gpu(struct fields *fields, enum field field, uint32_t first, uint32_t end)
{
	const struct device_buffer *to = &fields->buffers[field], *turning = &fields->buffers[1 - field];

	const bool inside = boxes_groups(&fields->layout, BOX_OF_HALF_STEPS, BOX_OF_HALF_STEPS + 1, first, end) > 0;

	CHECK(step_boxes(fields, field, false, 0, to, turning, first, end));
	return step_boxes(fields, field, true, inside ? 1 : 0, to, turning, first, end);
}

bool fields_can_step_both(const struct fields *fields)
{
	return fields->on_gpu && fields->layout.boxes[BOX_OF_WHOLE_STEPS].groups_of_plane > 0;
}

static sonde_status copy_buffer(struct device *device, const struct device_buffer *from, struct device_buffer *to)
{
	sonde_status status = SONDE_OK;
	unsigned char *bytes;

	CHECK(memory_allocate_to_fill(&bytes, from->bytes < COPIED ? from->bytes : COPIED, 1, "the fields"));
	for (size_t at = 0; at < from->bytes && status == SONDE_OK; at += COPIED) {
		const size_t count = from->bytes - at < COPIED ? from->bytes - at : COPIED;
		status = device_read(device, from, at, bytes, count);
		if (status == SONDE_OK)
			status = device_write(device, to, at, bytes, count);
	}
	free(bytes);
	return status;
}

static sonde_status allocate_next(struct fields *fields, size_t bytes, struct device_buffer *next)
{
	const struct fdtd_step *layout = &fields->layout;
	const size_t size = fields_stored_size(fields);
	struct plane_numbers parts[3];

	if (fields->streaming == NULL)
		return device_allocate(fields->device, bytes, "the next fields", next);
	streaming_field_parts(fields->streaming, layout->before * size, layout->volume * size, layout->plane * size,
			      3, parts);
	return streaming_allocate_scratch(fields->streaming, bytes, parts, 3, "the next fields", next);
}

sonde_status fields_count_next(struct fields *fields, size_t bytes)
{
	for (int f = 0; f < 2; ++f)
		CHECK(allocate_next(fields, bytes, &fields->next[f]));
	return SONDE_OK;
}

sonde_status fields_find_both(struct fields *fields)
{
	const uint32_t planes_log = fields->layout.boxes[BOX_OF_WHOLE_STEPS].planes_log;
	const struct device_define defines[] = {{"REAL_F32", fields->single ? 1 : 0},
						{"E_BYTES", media_bytes(fields, FIELD_E)},
						{"H_BYTES", media_bytes(fields, FIELD_H)},
						{"GROUPS_OF_WORKER", GROUPS_OF_WHOLE_STEPS},
						{"FEW_PLANES", planes_log <= FEW_PLANES_LOG ? 1 : 0},
						{"STORED_16", 1},
						{"PASS_ALONG", fields->layout.boxes[BOX_OF_WHOLE_STEPS].overlap}};

	CHECK(device_kernel(fields->device, &fdtd_program, "step_both", ITEMS, 0, defines,
			    fields->grid.in_words ? 7 : 5, &fields->both));
	fields->both.early = true;
	return SONDE_OK;
}

static sonde_status make(struct fields *fields)
{
	CHECK(fields_find_both(fields));
	for (int f = 0; f < 2; ++f) {
		CHECK(allocate_next(fields, fields->buffers[f].bytes, &fields->next[f]));
		/* places on walls are not stepped */
		if (fields->written)
			CHECK(copy_buffer(fields->device, &fields->buffers[f], &fields->next[f]));
	}
	return SONDE_OK;
}

sonde_status fields_make_both(struct fields *fields)
{
	sonde_status status = SONDE_OK;

	if (fields->next[FIELD_H].memory != NULL)
		return SONDE_OK;
	for (struct fields *part = fields; part != NULL && status == SONDE_OK; part = part->imaginary)
		status = make(part);
	if (status == SONDE_OK && fields->beside != NULL)
		status = fields_make_both(fields->beside);
	if (status != SONDE_OK)
		fields_forget_next(fields);
	return status;
}

void fields_forget_next(struct fields *fields)
{
	for (struct fields *part = fields; part != NULL; part = part->imaginary)
		for (int f = 0; f < 2; ++f)
			streaming_release(part->streaming, part->device, &part->next[f]);
}

/* Both fields of the inside, into the next ones. */
static sonde_status step_inside(struct fields *fields, uint32_t first, uint32_t end)
{
	const uint32_t groups = boxes_groups(&fields->layout, BOX_OF_WHOLE_STEPS, BOX_OF_WHOLE_STEPS + 1, first, end);
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(fields->layout),
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
						    DEVICE_ARGUMENT(fields->segments[FIELD_H].memory),
						    DEVICE_ARGUMENT(first),
						    DEVICE_ARGUMENT(end)};

	return groups == 0 ? SONDE_OK : device_launch(fields->device, &fields->both, groups, arguments, 14);
}

static void go_on(struct fields *fields, enum field field)
{
	const struct device_buffer before = fields->buffers[field];

	fields->buffers[field] = fields->next[field];
	fields->next[field] = before;
}

/* Around the inside H is stepped together with it and E afterward, since E needs H of the inside's rim and the places
 * beyond walls. */
sonde_status fields_step_both(struct fields *fields, uint32_t first, uint32_t end)
{
	for (struct fields *part = fields; part != NULL; part = part->imaginary) {
		const bool inside =
		    boxes_groups(&part->layout, BOX_OF_WHOLE_STEPS, BOX_OF_WHOLE_STEPS + 1, first, end) > 0;
		CHECK(step_inside(part, first, end));
		CHECK(step_boxes(part, FIELD_H, true, inside ? 1 : 0, &part->next[FIELD_H], &part->buffers[FIELD_E],
				 first, end));
		go_on(part, FIELD_H);
	}
	CHECK(walls_fill(fields, FIELD_H, first, end - first));
	for (struct fields *part = fields; part != NULL; part = part->imaginary) {
		CHECK(step_boxes(part, FIELD_E, true, 0, &part->next[FIELD_E], &part->buffers[FIELD_H], first, end));
		go_on(part, FIELD_E);
	}
	return SONDE_OK;
}

void fields_exchange(struct fields *fields)
{
	for (struct fields *part = fields; part != NULL; part = part->imaginary)
		for (int f = 0; f < 2; ++f)
			go_on(part, (enum field)f);
}
