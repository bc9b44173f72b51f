#include "pattern/fast/gpu_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "device/staged_copy.h"
#include "pattern/fast/gpu_parts.h"
#include "pattern/pattern.h"

#define WORK_ITEMS 256
#define FIRST_GROUPS 64         /* of a multiprocessor, in the first launch */
#define LINE_BYTES (64u << 10)  /* of lines in local memory, for several groups on a multiprocessor; */
#define MOST_BYTES (112u << 10) /* if a few lines need more: two work-groups on one of 228 KB */
#define RESERVED_BYTES 1024u    /* for drivers */
#define LINE_SECTOR 2           /* lines next to each other, of which memory is read at least */
#define MOST_TOGETHER 16
#define NUMBER_BYTES (2 * sizeof(double))
#define INTEGER_BITS 61 /* of a sum of all atoms */

/* Local memory of the kernel of long lines. */
static uint32_t long_bytes_of(const struct device *device)
{
	const uint32_t local = device_properties(device)->local_memory - RESERVED_BYTES;

	return local < MOST_BYTES ? local : MOST_BYTES;
}

int64_t gpu_mesh_longest(const struct device *device)
{
	return long_bytes_of(device) / (int64_t)NUMBER_BYTES;
}

static sonde_status find_kernels(struct gpu_mesh *gpu)
{
	static const char *const names[KERNELS] = {
	    "pattern_deposit", "pattern_assemble", "pattern_waves",  "pattern_waves", "pattern_gather",
	    "pattern_check",   "pattern_add",      "pattern_square", "pattern_block", "pattern_volume"};
	const struct device_properties *has = device_properties(gpu->device);
	const uint32_t local = has->local_memory - RESERVED_BYTES,
		       items = has->most_work_items < WORK_ITEMS ? has->most_work_items : WORK_ITEMS;

	gpu->line_bytes = local < LINE_BYTES ? local : LINE_BYTES;
	gpu->long_bytes = long_bytes_of(gpu->device);
	const uint32_t bytes[KERNELS] = {DEPOSIT_LOCAL * sizeof(double),
					 0,
					 gpu->line_bytes,
					 gpu->long_bytes,
					 GATHER_LOCAL * sizeof(double),
					 2 * items * sizeof(double),
					 0,
					 0};
	for (int k = 0; k < KERNELS; ++k)
		CHECK(device_kernel(gpu->device, &pattern_program, names[k], items, bytes[k], NULL, 0,
				    &gpu->kernels[k]));
	return SONDE_OK;
}

sonde_status gpu_mesh_test(struct device *device)
{
	struct gpu_mesh gpu = {.device = device};

	return find_kernels(&gpu);
}

static sonde_status make(struct gpu_mesh *gpu, const struct fast_atoms *of)
{
	const struct fast_atom *atoms = of->atoms;

	_Static_assert(sizeof *atoms == SOURCE_NUMBERS * sizeof(double), "atoms are as the kernel takes them");

	CHECK(find_kernels(gpu));
	if (gpu->copies != NULL)
		CHECK(gpu_copies_send(gpu));
	if (of->records != NULL) {
		gpu->atoms = *of->records;
		gpu->borrowed = true;
		return SONDE_OK;
	}
	const size_t bytes = (size_t)gpu->atom_count * sizeof *atoms;
	CHECK(device_allocate(gpu->device, bytes > 0 ? bytes : sizeof *atoms, "the atoms", &gpu->atoms));
	return device_write_large(gpu->device, &gpu->atoms, 0, atoms, bytes);
}

sonde_status gpu_mesh_make(sonde_context *context, struct device *device, const struct fast_atoms *atoms,
			   struct gpu_mesh **gpu)
{
	const int64_t all = atoms->copies != NULL ? atoms->copies->sample->count : atoms->count;

	CHECK(memory_allocate(gpu, 1, sizeof **gpu, "the mesh"));
	(*gpu)->context = context;
	(*gpu)->device = device;
	(*gpu)->atom_count = atoms->count;
	(*gpu)->copies = atoms->copies;
	(*gpu)->unit = ldexp(1.0, INTEGER_BITS - (int)ceil(log2(fmax(1.0, (double)all) * atoms->largest)));
	const sonde_status status = make(*gpu, atoms);
	if (status != SONDE_OK)
		gpu_mesh_free(gpu);
	return status;
}

static void release_shape(struct gpu_mesh *gpu, struct gpu_shape *shape)
{
	device_release(gpu->device, &shape->frame);
	for (int k = 0; k < 3; ++k) {
		struct gpu_axis *axis = &shape->axis[k];
		device_release(gpu->device, &axis->shape);
		device_release(gpu->device, &axis->node_factors);
		device_release(gpu->device, &axis->wave_factors);
		device_release(gpu->device, &axis->roots);
		device_release(gpu->device, &axis->order);
	}
}

void gpu_mesh_free(struct gpu_mesh **gpu)
{
	struct gpu_mesh *of = *gpu;

	if (of == NULL)
		return;
	struct device_buffer *buffers[] = {&of->atoms,     &of->placements, &of->placed, &of->weights, &of->deposit,
					   &of->meshes[0], &of->meshes[1],  &of->places, &of->sums};
	for (size_t k = of->borrowed ? 1 : 0; k < sizeof buffers / sizeof *buffers; ++k)
		device_release(of->device, buffers[k]);
	release_shape(of, &of->own);
	free(of->roots);
	free(of->order);
	free(of);
	*gpu = NULL;
}

/* Shape ------------------------------------------------------------------------------------------------------ */

/* A buffer of at least this size; its contents are lost if it grows. */
static sonde_status grow(struct gpu_mesh *gpu, struct device_buffer *buffer, size_t bytes, const char *what)
{
	if (buffer->bytes >= bytes)
		return SONDE_OK;
	device_release(gpu->device, buffer);
	return device_allocate(gpu->device, bytes, what, buffer);
}

sonde_status gpu_mesh_send(struct gpu_mesh *gpu, struct device_buffer *buffer, const void *from, size_t bytes,
			   const char *what)
{
	CHECK(grow(gpu, buffer, bytes, what));
	return device_write(gpu->device, buffer, 0, from, bytes);
}

/* The stages of a size of factors 2, 3 and 5, and the places of the waves after them. */
static uint64_t find_stages(uint32_t size, uint64_t *radices, uint32_t *order)
{
	static const uint32_t possible[] = {4, 2, 3, 5};
	uint64_t count = 0;

	for (uint32_t left = size; left > 1;) {
		size_t k = 0;
		while (left % possible[k] != 0)
			++k;
		radices[count++] = possible[k];
		left /= possible[k];
	}
	for (uint32_t wave = 0; wave < size; ++wave) {
		uint32_t rest = wave, block = size, place = 0;
		for (uint64_t s = 0; s < count; ++s) {
			const uint32_t radix = (uint32_t)radices[s];
			block /= radix;
			place += rest % radix * block;
			rest /= radix;
		}
		order[wave] = place;
	}
	return count;
}

static sonde_status send_roots(struct gpu_mesh *gpu, struct gpu_axis *to, uint32_t size, uint64_t *shape)
{
	CHECK(memory_grow(&gpu->roots, &gpu->root_capacity, 2 * (size_t)size, sizeof(double), "the waves"));
	CHECK(memory_grow(&gpu->order, &gpu->order_capacity, size, sizeof(uint32_t), "the waves"));
	shape[LINE_STAGES] = find_stages(size, shape + LINE_RADICES, gpu->order);
	for (uint32_t n = 0; n < size; ++n) {
		const double angle = 2.0 * PI * n / size;
		gpu->roots[2 * n] = cos(angle);
		gpu->roots[2 * n + 1] = sin(angle);
	}
	CHECK(gpu_mesh_send(gpu, &to->roots, gpu->roots, NUMBER_BYTES * size, "the waves"));
	return gpu_mesh_send(gpu, &to->order, gpu->order, size * sizeof(uint32_t), "the waves");
}

/* Lines of a group of work-items. */
static uint64_t choose_together(const struct gpu_mesh *gpu, uint64_t size, bool adjacent, bool *is_long)
{
	const uint64_t fit = gpu->line_bytes / (NUMBER_BYTES * size);

	*is_long = fit < (adjacent ? LINE_SECTOR : 1);
	const uint64_t most = *is_long ? gpu->long_bytes / (NUMBER_BYTES * size) : fit;
	return most < MOST_TOGETHER ? most : MOST_TOGETHER;
}

/* Meshes are [z][y][x], x being axis 0. */
static void find_strides(const struct fast_axes *axes, int k, uint64_t *shape)
{
	const struct fast_axis *x = &axes->axis[0], *y = &axes->axis[1], *z = &axes->axis[2];
	const uint64_t row = (uint64_t)fast_row(k == 0 ? x->nodes : x->waves), row_out = (uint64_t)fast_row(x->waves),
		       nodes = (uint64_t)y->nodes, waves = (uint64_t)y->waves;

	shape[LINE_ADJACENT] = k > 0;
	shape[LINE_COUNT] = k == 0 ? nodes * (uint64_t)z->nodes : k == 1 ? (uint64_t)x->waves : waves * row;
	shape[LINE_IN_OUTER] = k == 1 ? nodes * row : 0;
	shape[LINE_OUT_OUTER] = k == 1 ? waves * row : 0;
	shape[LINE_IN_LINE] = k == 0 ? row : 1;
	shape[LINE_OUT_LINE] = k == 0 ? row_out : 1;
	shape[LINE_IN_NUMBER] = k == 0 ? 1 : k == 1 ? row : waves * row;
	shape[LINE_OUT_NUMBER] = shape[LINE_IN_NUMBER];
}

static sonde_status shape_axis(struct gpu_mesh *gpu, const struct mesh_shape *mesh, int k)
{
	const struct fast_axis *axis = &mesh->axes.axis[k];
	struct gpu_axis *to = &gpu->own.axis[k];
	static const double one[2] = {1.0, 0.0};
	uint64_t shape[LINE_NUMBERS] = {0};
	const double inverse_unit = k == 0 ? 1.0 / gpu->unit : 0.0;

	shape[LINE_SIZE] = (uint64_t)axis->size;
	shape[LINE_NODES] = (uint64_t)axis->nodes;
	shape[LINE_WAVES] = (uint64_t)axis->waves;
	shape[LINE_FIRST_NODE] = (uint64_t)((axis->first_node % axis->size + axis->size) % axis->size);
	shape[LINE_FIRST_WAVE] = (uint64_t)((axis->first_wave % axis->size + axis->size) % axis->size);
	memcpy(&shape[LINE_INTEGERS], &inverse_unit, sizeof inverse_unit);
	find_strides(&mesh->axes, k, shape);
	shape[LINE_TOGETHER] = choose_together(gpu, shape[LINE_SIZE], k > 0, &to->is_long);
	shape[LINE_GROUPS] = (shape[LINE_COUNT] + shape[LINE_TOGETHER] - 1) / shape[LINE_TOGETHER];
	to->groups = shape[LINE_GROUPS] * (k == 1 ? (uint64_t)mesh->axes.axis[2].nodes : 1);
	CHECK(send_roots(gpu, to, (uint32_t)axis->size, shape));
	CHECK(gpu_mesh_send(gpu, &to->shape, shape, sizeof shape, "the waves"));
	CHECK(gpu_mesh_send(gpu, &to->node_factors, axis->single ? one : mesh->node_factors[k],
			    (size_t)axis->nodes * sizeof(double), "the waves"));
	return gpu_mesh_send(gpu, &to->wave_factors, axis->single ? one : mesh->wave_factors[k],
			     (size_t)axis->waves * NUMBER_BYTES, "the waves");
}

sonde_status gpu_mesh_shape(struct gpu_mesh *gpu, const struct mesh_shape *mesh)
{
	double sizes[4];

	gpu->shape = &gpu->own;
	gpu->own.axes = mesh->axes;
	CHECK(gpu_mesh_send(gpu, &gpu->own.frame, mesh->frame, sizeof mesh->frame, "the mesh"));
	/* the first axis is transformed also if it has one point, which makes numbers of integers */
	for (int k = 0; k < 3; ++k)
		if (k == 0 || !mesh->axes.axis[k].single)
			CHECK(shape_axis(gpu, mesh, k));
	fast_axes_sizes(&mesh->axes, sizes);
	for (int b = 0; b < 2; ++b)
		CHECK(grow(gpu, &gpu->meshes[b],
			   (2 * (size_t)fmax(sizes[b], sizes[b + 2]) + 2 * MESH_ROOM) * sizeof(double), "the mesh"));
	return SONDE_OK;
}

sonde_status gpu_mesh_keep_shape(struct gpu_mesh *gpu, struct gpu_shape **shape)
{
	CHECK(memory_allocate(shape, 1, sizeof **shape, "the mesh"));
	**shape = gpu->own;
	gpu->own = (struct gpu_shape){.axes = gpu->own.axes};
	return SONDE_OK;
}

void gpu_mesh_release_shape(struct gpu_mesh *gpu, struct gpu_shape **shape)
{
	if (*shape != NULL)
		release_shape(gpu, *shape);
	free(*shape);
	*shape = NULL;
}

/* Launches ---------------------------------------------------------------------------------------------------- */

static uint32_t groups_left(void *user)
{
	const struct gpu_launch *launch = user;
	const uint64_t left = launch->all - launch->done;

	return left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;
}

static sonde_status begin(void *user, int slot, uint32_t room, uint32_t *groups)
{
	struct gpu_launch *launch = user;
	const uint64_t left = launch->all - launch->done;

	(void)slot;
	*groups = left < room ? (uint32_t)left : room;
	*launch->first = launch->base + (uint32_t)launch->done * launch->scale;
	launch->done += *groups;
	return device_launch(launch->gpu->device, &launch->gpu->kernels[launch->kernel], *groups, launch->arguments,
			     launch->argument_count);
}

static sonde_status end(void *user, int slot, uint32_t groups)
{
	(void)user;
	(void)slot;
	(void)groups;
	return SONDE_OK;
}

sonde_status gpu_mesh_launch(struct gpu_launch *launch)
{
	struct gpu_mesh *gpu = launch->gpu;
	const struct launches launches = {.device = gpu->device,
					  .pace = &gpu->paces[launch->kernel],
					  .count = 1,
					  .first_groups = FIRST_GROUPS * device_workers(gpu->device),
					  .what = "pattern",
					  .user = launch,
					  .left = groups_left,
					  .begin = begin,
					  .end = end};

	/* known to be short: without waiting for its end, which takes longer than many of these launches */
	if (gpu->timed[launch->kernel] && launch->all <= launches.pace->groups) {
		uint32_t groups;
		if (context_cancelled(gpu->context))
			return status_fail(SONDE_CANCELLED, "stopped on request in the %s", launches.what);
		return begin(launch, 0, (uint32_t)launch->all, &groups);
	}
	CHECK(launches_run(gpu->context, &launches));
	gpu->timed[launch->kernel] = true;
	return SONDE_OK;
}

/* Atoms ------------------------------------------------------------------------------------------------------- */

/* e.(R r) = (R^T e).r */
static void turn(const struct gpu_mesh *gpu, const double from[3], double to[3])
{
	const double(*r)[3] = gpu->rotation;

	for (int k = 0; k < 3; ++k)
		to[k] = r != NULL ? r[0][k] * from[0] + r[1][k] * from[1] + r[2][k] * from[2] : from[k];
}

static void describe_deposit(const struct gpu_mesh *gpu, int moment, const double middle[3],
			     double deposit[DEPOSIT_NUMBERS])
{
	for (int k = 0; k < 3; ++k) {
		const struct fast_axis *axis = &gpu->shape->axes.axis[k];
		double *to = deposit + AXIS_NUMBERS * k;
		turn(gpu, axis->direction, to + AXIS_DIRECTION);
		to[AXIS_CENTER] = axis->center;
		to[AXIS_SCALE] = axis->scale;
		to[AXIS_PERIOD] = axis->wraps ? (double)axis->size : 0.0;
		to[AXIS_FIRST] = (double)axis->first_node;
	}
	turn(gpu, middle, deposit + DEPOSIT_MIDDLE);
	deposit[DEPOSIT_MOMENT] = moment;
	deposit[DEPOSIT_INVERSE_HALF] = moment > 0 ? 1.0 / gpu->shape->axes.axis[2].half : 0.0;
	deposit[DEPOSIT_UNIT] = gpu->unit;
}

static sonde_status deposit_atoms(struct gpu_mesh *gpu, const struct device_buffer *atoms, int64_t first,
				  int64_t count)
{
	const uint32_t row = 2 * (uint32_t)fast_row(gpu->shape->axes.axis[0].nodes),
		       rows = (uint32_t)gpu->shape->axes.axis[1].nodes, end = (uint32_t)(first + count);
	uint32_t from = 0;
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(atoms->memory),
						    DEVICE_ARGUMENT(gpu->weights.memory),
						    DEVICE_ARGUMENT(gpu->shape->frame.memory),
						    DEVICE_ARGUMENT(gpu->deposit.memory),
						    DEVICE_ARGUMENT(from),
						    DEVICE_ARGUMENT(end),
						    DEVICE_ARGUMENT(row),
						    DEVICE_ARGUMENT(rows),
						    DEVICE_ARGUMENT(gpu->meshes[0].memory)};
	struct gpu_launch launch = {.gpu = gpu,
				    .kernel = DEPOSIT,
				    .arguments = arguments,
				    .argument_count = sizeof arguments / sizeof *arguments,
				    .first = &from,
				    .base = (uint32_t)first,
				    .scale = FAST_BATCH,
				    .all = ((uint64_t)count + FAST_BATCH - 1) / FAST_BATCH};

	return gpu_mesh_launch(&launch);
}

/* Batch after batch of the atoms of all copies. */
static sonde_status deposit_copies(struct gpu_mesh *gpu, int64_t first, int64_t count)
{
	struct fast_batch batch = {.run = NULL};

	while (fast_copies_next(gpu->copies, first, first + count, &batch)) {
		CHECK(gpu_copies_place(gpu, &batch));
		CHECK(deposit_atoms(gpu, &gpu->placed, 0, batch.count));
	}
	return SONDE_OK;
}

static sonde_status transform_axis(struct gpu_mesh *gpu, int k)
{
	struct gpu_axis *axis = &gpu->shape->axis[k];
	uint32_t first = 0;
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(axis->shape.memory),
						    DEVICE_ARGUMENT(axis->node_factors.memory),
						    DEVICE_ARGUMENT(axis->wave_factors.memory),
						    DEVICE_ARGUMENT(axis->roots.memory),
						    DEVICE_ARGUMENT(axis->order.memory),
						    DEVICE_ARGUMENT(first),
						    DEVICE_ARGUMENT(gpu->meshes[gpu->latest].memory),
						    DEVICE_ARGUMENT(gpu->meshes[1 - gpu->latest].memory)};
	struct gpu_launch launch = {.gpu = gpu,
				    .kernel = axis->is_long ? LONG_WAVES : WAVES,
				    .arguments = arguments,
				    .argument_count = sizeof arguments / sizeof *arguments,
				    .first = &first,
				    .scale = 1,
				    .all = axis->groups};

	gpu->latest = 1 - gpu->latest;
	return gpu_mesh_launch(&launch);
}

sonde_status gpu_mesh_transform(struct gpu_mesh *gpu, int64_t first, int64_t count, const double *weights,
				int classes, int moment, const double middle[3])
{
	double sizes[4], deposit[DEPOSIT_NUMBERS];

	fast_axes_sizes(&gpu->shape->axes, sizes);
	describe_deposit(gpu, moment, middle, deposit);
	CHECK(gpu_mesh_send(gpu, &gpu->weights, weights, (size_t)classes * sizeof *weights, "the mesh"));
	CHECK(gpu_mesh_send(gpu, &gpu->deposit, deposit, sizeof deposit, "the mesh"));
	CHECK(device_clear(gpu->device, &gpu->meshes[0], 0, 2 * (size_t)sizes[0] * sizeof(double)));
	CHECK(gpu->copies != NULL ? deposit_copies(gpu, first, count)
				  : deposit_atoms(gpu, &gpu->atoms, first, count));
	gpu->latest = 0;
	for (int k = 0; k < 3; ++k)
		if (k == 0 || !gpu->shape->axes.axis[k].single)
			CHECK(transform_axis(gpu, k));
	return SONDE_OK;
}

/* Waves ------------------------------------------------------------------------------------------------------- */

sonde_status gpu_mesh_waves(struct gpu_mesh *gpu, int64_t first, int64_t count, double *waves)
{
	const size_t plane =
	    NUMBER_BYTES * (size_t)(fast_row(gpu->shape->axes.axis[0].waves) * gpu->shape->axes.axis[1].waves);

	return device_read(gpu->device, &gpu->meshes[gpu->latest], (size_t)first * plane, waves,
			   (size_t)count * plane);
}

sonde_status gpu_mesh_set_points(struct gpu_mesh *gpu, const double *places, int64_t count)
{
	gpu->point_count = count;
	return gpu_mesh_send(gpu, &gpu->places, places, 3 * (size_t)count * sizeof *places, "the points");
}

sonde_status gpu_mesh_gather(struct gpu_mesh *gpu, const struct device_buffer *places, int64_t count)
{
	const uint32_t row = 2 * (uint32_t)fast_row(gpu->shape->axes.axis[0].waves),
		       rows = (uint32_t)gpu->shape->axes.axis[1].waves, end = (uint32_t)count;
	uint32_t first = 0;

	const struct device_argument arguments[] = {DEVICE_ARGUMENT(places->memory),
						    DEVICE_ARGUMENT(first),
						    DEVICE_ARGUMENT(end),
						    DEVICE_ARGUMENT(gpu->shape->frame.memory),
						    DEVICE_ARGUMENT(row),
						    DEVICE_ARGUMENT(rows),
						    DEVICE_ARGUMENT(gpu->meshes[gpu->latest].memory),
						    DEVICE_ARGUMENT(gpu->sums.memory)};
	struct gpu_launch launch = {.gpu = gpu,
				    .kernel = GATHER,
				    .arguments = arguments,
				    .argument_count = sizeof arguments / sizeof *arguments,
				    .first = &first,
				    .scale = FAST_BATCH,
				    .all = ((uint64_t)count + FAST_BATCH - 1) / FAST_BATCH};
	CHECK(grow(gpu, &gpu->sums, NUMBER_BYTES * (size_t)count, "the points"));
	return gpu_mesh_launch(&launch);
}

sonde_status gpu_mesh_interpolate(struct gpu_mesh *gpu, double *sums)
{
	CHECK(gpu_mesh_gather(gpu, &gpu->places, gpu->point_count));
	return device_read(gpu->device, &gpu->sums, 0, sums, NUMBER_BYTES * (size_t)gpu->point_count);
}
