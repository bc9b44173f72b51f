#include "pattern/fast/gpu_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "pattern/pattern.h"
#include "run/launches.h"

#define WORK_ITEMS 256
#define FIRST_GROUPS 64         /* of a multiprocessor, in the first launch */
#define LINE_BYTES (64u << 10)  /* of lines in local memory, for several groups on a multiprocessor; */
#define MOST_BYTES (112u << 10) /* if a few lines need more: two work-groups on one of 228 KB */
#define RESERVED_BYTES 1024u    /* for drivers */
#define LINE_SECTOR 2           /* lines next to each other, of which memory is read at least */
#define MOST_TOGETHER 16
#define NUMBER_BYTES (2 * sizeof(double))
#define INTEGER_BITS 61 /* of a sum of all atoms */

enum { DEPOSIT, WAVES, LONG_WAVES, GATHER, CHECKING, KERNELS };

struct gpu_axis {
	struct device_buffer shape, node_factors, wave_factors, roots, order;
	uint64_t groups;
	bool is_long;
};
struct gpu_mesh {
	sonde_context *context;
	struct device *device;
	struct device_kernel kernels[KERNELS];
	struct device_pace paces[KERNELS];
	uint32_t line_bytes, long_bytes;
	int64_t atom_count, point_count;
	double unit; /* the integer that stands for 1 */
	struct fast_axes axes;
	struct gpu_axis axis[3];
	double *roots; /* work space of the host */
	uint32_t *order;
	size_t root_capacity, order_capacity;
	struct device_buffer atoms, weights, frame, deposit, meshes[2], places, sums;
	int latest; /* holds the waves */
};

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
	static const char *const names[KERNELS] = {"pattern_deposit", "pattern_waves", "pattern_waves",
						   "pattern_gather", "pattern_check"};
	const struct device_properties *has = device_properties(gpu->device);
	const uint32_t local = has->local_memory - RESERVED_BYTES,
		       items = has->most_work_items < WORK_ITEMS ? has->most_work_items : WORK_ITEMS;

	gpu->line_bytes = local < LINE_BYTES ? local : LINE_BYTES;
	gpu->long_bytes = long_bytes_of(gpu->device);
	const uint32_t bytes[KERNELS] = {DEPOSIT_LOCAL * sizeof(double), gpu->line_bytes, gpu->long_bytes,
					 GATHER_LOCAL * sizeof(double), 2 * items * sizeof(double)};
	for (int k = 0; k < KERNELS; ++k)
		CHECK(device_kernel(gpu->device, &pattern_program, names[k], items, bytes[k], NULL, 0,
				    &gpu->kernels[k]));
	return SONDE_OK;
}

static sonde_status make(struct gpu_mesh *gpu, const struct fast_atom *atoms)
{
	_Static_assert(sizeof *atoms == SOURCE_NUMBERS * sizeof(double), "atoms are as the kernel takes them");

	CHECK(find_kernels(gpu));
	return device_upload(gpu->device, atoms, (size_t)gpu->atom_count * sizeof *atoms, "the atoms", &gpu->atoms);
}

sonde_status gpu_mesh_make(sonde_context *context, struct device *device, const struct fast_atom *atoms,
			   int64_t count, double largest, struct gpu_mesh **gpu)
{
	CHECK(memory_allocate(gpu, 1, sizeof **gpu, "the mesh"));
	(*gpu)->context = context;
	(*gpu)->device = device;
	(*gpu)->atom_count = count;
	(*gpu)->unit = ldexp(1.0, INTEGER_BITS - (int)ceil(log2(fmax(1.0, (double)count) * largest)));
	const sonde_status status = make(*gpu, atoms);
	if (status != SONDE_OK)
		gpu_mesh_free(gpu);
	return status;
}

void gpu_mesh_free(struct gpu_mesh **gpu)
{
	struct gpu_mesh *of = *gpu;

	if (of == NULL)
		return;
	struct device_buffer *buffers[] = {&of->atoms,     &of->weights,   &of->frame,  &of->deposit,
					   &of->meshes[0], &of->meshes[1], &of->places, &of->sums};
	for (size_t k = 0; k < sizeof buffers / sizeof *buffers; ++k)
		device_release(of->device, buffers[k]);
	for (int k = 0; k < 3; ++k) {
		struct gpu_axis *axis = &of->axis[k];
		device_release(of->device, &axis->shape);
		device_release(of->device, &axis->node_factors);
		device_release(of->device, &axis->wave_factors);
		device_release(of->device, &axis->roots);
		device_release(of->device, &axis->order);
	}
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

static sonde_status send(struct gpu_mesh *gpu, struct device_buffer *buffer, const void *from, size_t bytes,
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
	CHECK(send(gpu, &to->roots, gpu->roots, NUMBER_BYTES * size, "the waves"));
	return send(gpu, &to->order, gpu->order, size * sizeof(uint32_t), "the waves");
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
	struct gpu_axis *to = &gpu->axis[k];
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
	CHECK(send(gpu, &to->shape, shape, sizeof shape, "the waves"));
	CHECK(send(gpu, &to->node_factors, axis->single ? one : mesh->node_factors[k],
		   (size_t)axis->nodes * sizeof(double), "the waves"));
	return send(gpu, &to->wave_factors, axis->single ? one : mesh->wave_factors[k],
		    (size_t)axis->waves * NUMBER_BYTES, "the waves");
}

sonde_status gpu_mesh_shape(struct gpu_mesh *gpu, const struct mesh_shape *mesh)
{
	double sizes[4];

	gpu->axes = mesh->axes;
	CHECK(send(gpu, &gpu->frame, mesh->frame, sizeof mesh->frame, "the mesh"));
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

/* Launches ---------------------------------------------------------------------------------------------------- */

/* Groups of a kernel, some at a time; `first` is an argument of the kernel. */
struct gpu_launch {
	struct gpu_mesh *gpu;
	int kernel;
	const struct device_argument *arguments;
	size_t argument_count;
	uint32_t *first, base, scale; /* the argument is base + scale times the number of the first group */
	uint64_t done, all;
};

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

static sonde_status run(struct gpu_launch *launch)
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

	return launches_run(gpu->context, &launches);
}

/* Atoms ------------------------------------------------------------------------------------------------------- */

static void describe_deposit(const struct gpu_mesh *gpu, int moment, const double middle[3],
			     double deposit[DEPOSIT_NUMBERS])
{
	for (int k = 0; k < 3; ++k) {
		const struct fast_axis *axis = &gpu->axes.axis[k];
		double *to = deposit + AXIS_NUMBERS * k;
		memcpy(to + AXIS_DIRECTION, axis->direction, sizeof axis->direction);
		to[AXIS_CENTER] = axis->center;
		to[AXIS_SCALE] = axis->scale;
		to[AXIS_PERIOD] = axis->wraps ? (double)axis->size : 0.0;
		to[AXIS_FIRST] = (double)axis->first_node;
		deposit[DEPOSIT_MIDDLE + k] = middle[k];
	}
	deposit[DEPOSIT_MOMENT] = moment;
	deposit[DEPOSIT_INVERSE_HALF] = moment > 0 ? 1.0 / gpu->axes.axis[2].half : 0.0;
	deposit[DEPOSIT_UNIT] = gpu->unit;
}

static sonde_status deposit_atoms(struct gpu_mesh *gpu, int64_t first, int64_t count)
{
	const uint32_t row = 2 * (uint32_t)fast_row(gpu->axes.axis[0].nodes),
		       rows = (uint32_t)gpu->axes.axis[1].nodes, end = (uint32_t)(first + count);
	uint32_t from = 0;
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(gpu->atoms.memory),
						    DEVICE_ARGUMENT(gpu->weights.memory),
						    DEVICE_ARGUMENT(gpu->frame.memory),
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

	return run(&launch);
}

static sonde_status transform_axis(struct gpu_mesh *gpu, int k)
{
	struct gpu_axis *axis = &gpu->axis[k];
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
	return run(&launch);
}

sonde_status gpu_mesh_transform(struct gpu_mesh *gpu, int64_t first, int64_t count, const double *weights,
				int classes, int moment, const double middle[3])
{
	double sizes[4], deposit[DEPOSIT_NUMBERS];

	fast_axes_sizes(&gpu->axes, sizes);
	describe_deposit(gpu, moment, middle, deposit);
	CHECK(send(gpu, &gpu->weights, weights, (size_t)classes * sizeof *weights, "the mesh"));
	CHECK(send(gpu, &gpu->deposit, deposit, sizeof deposit, "the mesh"));
	CHECK(device_clear(gpu->device, &gpu->meshes[0], 0, 2 * (size_t)sizes[0] * sizeof(double)));
	CHECK(deposit_atoms(gpu, first, count));
	gpu->latest = 0;
	for (int k = 0; k < 3; ++k)
		if (k == 0 || !gpu->axes.axis[k].single)
			CHECK(transform_axis(gpu, k));
	return SONDE_OK;
}

/* Waves ------------------------------------------------------------------------------------------------------- */

sonde_status gpu_mesh_waves(struct gpu_mesh *gpu, int64_t first, int64_t count, double *waves)
{
	const size_t plane = NUMBER_BYTES * (size_t)(fast_row(gpu->axes.axis[0].waves) * gpu->axes.axis[1].waves);

	return device_read(gpu->device, &gpu->meshes[gpu->latest], (size_t)first * plane, waves,
			   (size_t)count * plane);
}

sonde_status gpu_mesh_set_points(struct gpu_mesh *gpu, const double *places, int64_t count)
{
	gpu->point_count = count;
	CHECK(send(gpu, &gpu->places, places, 3 * (size_t)count * sizeof *places, "the points"));
	return grow(gpu, &gpu->sums, NUMBER_BYTES * (size_t)count, "the points");
}

sonde_status gpu_mesh_interpolate(struct gpu_mesh *gpu, double *sums)
{
	const int64_t count = gpu->point_count;
	const uint32_t row = 2 * (uint32_t)fast_row(gpu->axes.axis[0].waves),
		       rows = (uint32_t)gpu->axes.axis[1].waves, end = (uint32_t)count;
	uint32_t first = 0;

	const struct device_argument arguments[] = {DEVICE_ARGUMENT(gpu->places.memory),
						    DEVICE_ARGUMENT(first),
						    DEVICE_ARGUMENT(end),
						    DEVICE_ARGUMENT(gpu->frame.memory),
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
	CHECK(run(&launch));
	return device_read(gpu->device, &gpu->sums, 0, sums, NUMBER_BYTES * (size_t)count);
}

/* The check --------------------------------------------------------------------------------------------------- */

/* Sums of chunks of atoms, in device memory and then in that of the host. */
struct check {
	struct device_buffer vectors, amplitudes, sums;
	double *parts;
	uint32_t chunks;
};

static sonde_status run_check(struct gpu_mesh *gpu, struct check *check, const double *vectors,
			      const double *amplitudes, int count, int classes)
{
	const size_t points = (size_t)count, parts = points * check->chunks;
	const uint32_t atoms = (uint32_t)gpu->atom_count, class_count = (uint32_t)classes;
	uint32_t first = 0;

	CHECK(send(gpu, &check->vectors, vectors, 3 * points * sizeof(double), "the check"));
	CHECK(send(gpu, &check->amplitudes, amplitudes, NUMBER_BYTES * points * (size_t)classes, "the check"));
	CHECK(grow(gpu, &check->sums, NUMBER_BYTES * parts, "the check"));
	CHECK(memory_allocate(&check->parts, 2 * parts, sizeof(double), "the check"));
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(gpu->atoms.memory),
						    DEVICE_ARGUMENT(atoms),
						    DEVICE_ARGUMENT(check->vectors.memory),
						    DEVICE_ARGUMENT(check->amplitudes.memory),
						    DEVICE_ARGUMENT(class_count),
						    DEVICE_ARGUMENT(check->chunks),
						    DEVICE_ARGUMENT(first),
						    DEVICE_ARGUMENT(check->sums.memory)};
	struct gpu_launch launch = {.gpu = gpu,
				    .kernel = CHECKING,
				    .arguments = arguments,
				    .argument_count = sizeof arguments / sizeof *arguments,
				    .first = &first,
				    .scale = 1,
				    .all = parts};
	CHECK(run(&launch));
	return device_read(gpu->device, &check->sums, 0, check->parts, NUMBER_BYTES * parts);
}

sonde_status gpu_mesh_check(struct gpu_mesh *gpu, const double *vectors, const double *amplitudes, int count,
			    int classes, double *sums)
{
	struct check check = {.chunks = (uint32_t)((gpu->atom_count + CHECK_ATOMS - 1) / CHECK_ATOMS)};

	const sonde_status status = run_check(gpu, &check, vectors, amplitudes, count, classes);
	for (int k = 0; status == SONDE_OK && k < 2 * count; ++k) {
		sums[k] = 0.0;
		for (uint32_t chunk = 0; chunk < check.chunks; ++chunk)
			sums[k] += check.parts[2 * ((size_t)(k / 2) * check.chunks + chunk) + (size_t)(k % 2)];
	}
	device_release(gpu->device, &check.vectors);
	device_release(gpu->device, &check.amplitudes);
	device_release(gpu->device, &check.sums);
	free(check.parts);
	return status;
}
