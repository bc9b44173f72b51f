#include "fdtd/fields/two_steps.h"

#include <string.h>

#include "fdtd/fields/fields_gpu.h"
#include "fdtd/fields/kernels.h"
#include "fdtd/grid/layout.h"

#define ALL_COMPONENTS 7u
#define MOST_SLABS 16u
/* Tiles: fewer rows repeat more work, and for more rows there are too few registers. */
#define MOST_ROWS 16u
#define LEAST_ROWS 8u
#define ITEMS_OF_ROW 32u
#define MOST_ITEMS_ALONG_Z 16u
#define PLANES_AHEAD 1u /* of both fields, copied while earlier ones are stepped, unless they are loaded as words */
#define SECTOR 32u      /* bytes: tiles along z begin at multiples of this */

bool two_steps_are_possible(const struct fields *fields)
{
	const struct fdtd_step *layout = &fields->layout;
	bool possible = fields->on_gpu && fields->streaming == NULL && fields->imaginary == NULL &&
			fields->answering == NULL && !device_properties(fields->device)->fixed_kernels &&
			layout->components[FIELD_E] == ALL_COMPONENTS &&
			layout->components[FIELD_H] == ALL_COMPONENTS;

	for (int a = 0; a < 3; ++a)
		possible = possible && !grid_is_uniform(&fields->grid, a) &&
			   fields->grid.walls[a][0] == WALL_CONDUCTOR && fields->grid.walls[a][1] == WALL_CONDUCTOR;
	return possible;
}

static uint32_t number_size(const struct fields *fields)
{
	return fields->single ? sizeof(float) : sizeof(double);
}

static uint32_t cells_of_item(const struct fields *fields)
{
	return 16 / number_size(fields);
}

static uint32_t planes_ahead(const struct fields *fields)
{
	return fields->grid.in_words ? 0 : PLANES_AHEAD;
}

/* Rows of a tile that are only read; those of words are loaded to the registers of work-items, which each row has. */
static uint32_t rim_rows(const struct fields *fields)
{
	return fields->grid.in_words ? 0 : 1;
}

static uint32_t quotient_up(uint32_t count, uint32_t by)
{
	return (count + by - 1) / by;
}

/* Planes of both fields, some copied ahead, and H after two steps: see kernels/tile.h. */
uint32_t two_steps_local_memory(const struct fields *fields, const struct tile_shape *shape)
{
	const uint32_t units = shape->rows * shape->items, cells = cells_of_item(fields), area = units * cells,
		       planes = 2 * planes_ahead(fields) + 3, edges = quotient_up(units, cells) * cells,
		       ahead = planes_ahead(fields) > 1 ? planes_ahead(fields) : 1,
		       along_z = (ahead + 2) * 4 * (shape->rows - rim_rows(fields)) * shape->items_along_z * cells;

	return (3 * planes * area + 2 * area + edges + along_z) * number_size(fields) +
	       3 * shape->rows * (uint32_t)sizeof(uint64_t);
}

uint32_t two_steps_items_along_z(const struct fields *fields)
{
	const struct fdtd_step *layout = &fields->layout;
	const uint64_t items = layout->psi_planes[2] > 0 ? layout->psi_row[2] / cells_of_item(fields) : 0;

	return items <= MOST_ITEMS_ALONG_Z ? (uint32_t)items : 0;
}

struct tile_shape two_steps_shape(const struct fields *fields)
{
	const struct device_properties *has = device_properties(fields->device);

	const uint32_t along_z = two_steps_items_along_z(fields);

	for (uint32_t rows = MOST_ROWS; rows >= LEAST_ROWS; rows -= 4)
		for (int n = 0; n < 2; ++n) {
			const struct tile_shape shape = {rows + rim_rows(fields), ITEMS_OF_ROW, rows * ITEMS_OF_ROW,
							 n == 0 ? along_z : 0};
			if (shape.work_items <= has->most_work_items &&
			    two_steps_local_memory(fields, &shape) <= has->local_memory)
				return shape;
		}
	return (struct tile_shape){0};
}

/* Tiles of equal width. Their groups go through all planes, or through a part of them, which keeps more of the device's
 * multiprocessors busy in its last round, of which half is lost on average, but repeats three planes. */
static void share_tiles(const struct fields *fields, struct two_steps *two)
{
	const struct fdtd_step *layout = &fields->layout;
	const uint32_t cells = cells_of_item(fields), sector = SECTOR / (uint32_t)fields_stored_size(fields),
		       halo = (fields->grid.in_words ? TILE_HALO : quotient_up(TILE_HALO, cells)) * cells,
		       workers = device_properties(fields->device)->workers;
	const uint32_t most = two->shape.items * cells - 2 * halo;
	struct fdtd_tiles *tiles = &two->tiles;
	double best = 0.0;

	*tiles = (struct fdtd_tiles){0};
	for (int a = 0; a < 3; ++a)
		tiles->end[a] = layout->end[a];
	tiles->along_z = quotient_up(layout->end[2], most);
	const uint32_t equal = quotient_up(layout->end[2], tiles->along_z);
	tiles->cells = quotient_up(equal, 2 * sector) * 2 * sector;
	if (tiles->cells > most)
		tiles->cells = quotient_up(equal, sector) * sector;
	if (tiles->cells > most)
		tiles->cells = most;
	tiles->along_z = quotient_up(layout->end[2], tiles->cells);
	tiles->along_y = quotient_up(layout->end[1], two->shape.rows - 2 * TILE_HALO);
	for (uint32_t slabs = 1; slabs <= MOST_SLABS && slabs <= layout->end[0]; ++slabs) {
		const uint32_t planes = quotient_up(layout->end[0], slabs), all = quotient_up(layout->end[0], planes),
			       groups = all * tiles->along_z * tiles->along_y,
			       rounds = quotient_up(groups, workers > 0 ? workers : 1);
		const double busy = 1.0 / ((rounds + 0.5) * (planes + 3));
		if (busy > 1.001 * best) {
			best = busy;
			tiles->planes = planes;
			two->groups = groups;
		}
	}
}

/* Bytes of the media numbers of a field. */
static uint32_t media_bytes(const struct fields *fields, enum field field)
{
	const struct fdtd_step *layout = &fields->layout;

	return (field == FIELD_E ? layout->electric : layout->magnetic) != 0 ? layout->index_bytes : 0;
}

/* Whether layers scale differences. */
static bool has_scales(const struct fdtd_grid *grid)
{
	bool scales = false;

	for (int a = 0; a < 3; ++a)
		for (int side = 0; side < 2; ++side)
			scales = scales || (grid->layers[a][side].cells > 0 && grid->layers[a][side].kappa != 1.0);
	return scales;
}

/* The media of tiles. */
static sonde_status find_kinds(struct fields *fields, struct two_steps *two, const struct device_define *defines,
			       size_t define_count)
{
	const struct fdtd_tiles *tiles = &two->tiles;
	const uint32_t count = tiles->along_y * tiles->along_z * (fields->layout.end[0] + 1);
	struct device_kernel kernel;

	CHECK(device_allocate(fields->device, (size_t)count * sizeof(uint32_t), "two steps at once", &two->kinds));
	if (media_bytes(fields, FIELD_E) == 0)
		return SONDE_OK;
	CHECK(device_kernel(fields->device, &fdtd_program, "tile_media", ITEMS, 0, defines, define_count, &kernel));
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(fields->layout), DEVICE_ARGUMENT(two->tiles),
						    DEVICE_ARGUMENT(fields->segments[FIELD_E].memory),
						    DEVICE_ARGUMENT(fields->tables[FIELD_E].memory),
						    DEVICE_ARGUMENT(two->kinds.memory)};
	return device_launch(fields->device, &kernel, quotient_up(count, ITEMS), arguments, 5);
}

#define DEFINES 11
#define DEFINES_OF_MEDIA 5 /* the first ones */

static void set_defines(const struct fields *fields, const struct tile_shape *shape,
			struct device_define defines[DEFINES])
{
	const struct device_define all[] = {{"REAL_F32", fields->single ? 1 : 0},
					    {"TILE_ROWS", shape->rows},
					    {"TILE_ITEMS", shape->items},
					    {"STORED_16", fields->grid.in_words ? 1 : 0},
					    {"RIM_ROWS", rim_rows(fields)},
					    {"E_BYTES", media_bytes(fields, FIELD_E)},
					    {"H_BYTES", media_bytes(fields, FIELD_H)},
					    {"GROUPS_OF_WORKER", 1},
					    {"PLANES_AHEAD", planes_ahead(fields)},
					    {"Z_ITEMS", shape->items_along_z},
					    {"SCALED", has_scales(&fields->grid) ? 1 : 0}};

	memcpy(defines, all, sizeof all);
}

static sonde_status find_kernel(struct fields *fields, const struct tile_shape *shape, struct device_kernel *kernel)
{
	struct device_define defines[DEFINES];

	set_defines(fields, shape, defines);
	return device_kernel(fields->device, &fdtd_program, "step_twice", shape->work_items,
			     two_steps_local_memory(fields, shape), defines, DEFINES, kernel);
}

void two_steps_request(struct fields *fields)
{
	const struct tile_shape shape = two_steps_shape(fields);
	struct device_define defines[DEFINES];
	struct device_kernel kernel;

	if (shape.rows == 0)
		return;
	(void)find_kernel(fields, &shape, &kernel);
	set_defines(fields, &shape, defines);
	(void)device_kernel(fields->device, &fdtd_program, "tile_media", ITEMS, 0, defines, DEFINES_OF_MEDIA,
			    &kernel);
}

static uint64_t scratch_numbers(const struct fields *fields, const struct two_steps *two)
{
	return (uint64_t)two->groups * TILE_SCRATCH * two->shape.rows * two->shape.items * cells_of_item(fields);
}

double two_steps_bytes(struct device *device, const struct fdtd_grid *grid, bool single)
{
	struct fields fields = {.device = device, .grid = *grid, .single = single, .on_gpu = fields_suit_gpu(device)};
	struct layout_sizes sizes;

	layout_make(grid, true, &fields.layout, &sizes);
	fields.layout.components[FIELD_E] = fields.layout.components[FIELD_H] = ALL_COMPONENTS;
	if (grid->bloch || !two_steps_are_possible(&fields))
		return 0.0;
	struct two_steps two = {.shape = two_steps_shape(&fields)};
	if (two.shape.rows == 0)
		return 0.0;
	share_tiles(&fields, &two);
	return 2.0 * (double)sizes.field * (double)fields_stored_size(&fields) +
	       ((double)sizes.psi + (double)scratch_numbers(&fields, &two)) * number_size(&fields);
}

static sonde_status make(struct fields *fields, struct two_steps *two)
{
	const struct tile_shape *shape = &two->shape;
	struct device_define defines[DEFINES];
	const uint64_t scratch = scratch_numbers(fields, two);

	CHECK(find_kernel(fields, shape, &two->kernel));
	two->kernel.early = true;
	set_defines(fields, shape, defines);
	CHECK(fields_make_both(fields));
	CHECK(device_allocate(fields->device, fields->psi.bytes, "the absorbing layers", &two->psi));
	CHECK(device_allocate(fields->device, scratch * number_size(fields), "two steps at once", &two->between));
	return find_kinds(fields, two, defines, DEFINES_OF_MEDIA);
}

sonde_status two_steps_make(struct fields *fields, const struct tile_shape *shape, struct two_steps *two)
{
	*two = (struct two_steps){.shape = *shape};
	share_tiles(fields, two);
	const sonde_status status = make(fields, two);
	if (status != SONDE_OK)
		two_steps_release(fields, two);
	return status;
}

void two_steps_release(struct fields *fields, struct two_steps *two)
{
	device_release(fields->device, &two->psi);
	device_release(fields->device, &two->between);
	device_release(fields->device, &two->kinds);
}

static void exchange(struct device_buffer *a, struct device_buffer *b)
{
	const struct device_buffer before = *a;

	*a = *b;
	*b = before;
}

void two_steps_exchange(struct fields *fields, struct two_steps *two)
{
	for (int f = 0; f < 2; ++f)
		exchange(&fields->buffers[f], &fields->next[f]);
	exchange(&fields->psi, &two->psi);
}

sonde_status two_steps_launch(struct fields *fields, struct two_steps *two)
{
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(fields->layout),
						    DEVICE_ARGUMENT(two->tiles),
						    DEVICE_ARGUMENT(fields->next[FIELD_E].memory),
						    DEVICE_ARGUMENT(fields->next[FIELD_H].memory),
						    DEVICE_ARGUMENT(fields->buffers[FIELD_E].memory),
						    DEVICE_ARGUMENT(fields->buffers[FIELD_H].memory),
						    DEVICE_ARGUMENT(two->psi.memory),
						    DEVICE_ARGUMENT(fields->psi.memory),
						    DEVICE_ARGUMENT(two->between.memory),
						    DEVICE_ARGUMENT(fields->profile.memory),
						    DEVICE_ARGUMENT(fields->tables[FIELD_E].memory),
						    DEVICE_ARGUMENT(fields->tables[FIELD_H].memory),
						    DEVICE_ARGUMENT(fields->index[FIELD_E].memory),
						    DEVICE_ARGUMENT(fields->index[FIELD_H].memory),
						    DEVICE_ARGUMENT(fields->segments[FIELD_E].memory),
						    DEVICE_ARGUMENT(fields->segments[FIELD_H].memory),
						    DEVICE_ARGUMENT(two->kinds.memory)};

	return device_launch(fields->device, &two->kernel, two->groups, arguments, 17);
}

sonde_status two_steps_take(struct fields *fields, struct two_steps *two)
{
	two_steps_exchange(fields, two);
	return two_steps_launch(fields, two);
}

void two_steps_set_apart(struct two_steps *two, const struct cell_boxes *region)
{
	two->tiles.apart = (uint32_t)region->count;
	for (size_t n = 0; n < region->count; ++n)
		for (int a = 0; a < 3; ++a) {
			two->tiles.apart_begin[n][a] = region->boxes[n].begin[a];
			two->tiles.apart_end[n][a] = region->boxes[n].end[a];
		}
}
