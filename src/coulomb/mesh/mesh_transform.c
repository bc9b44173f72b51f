/* The convolution on a mesh, with the smooth part of a charge's potential and open boundaries. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/threads.h"
#include "coulomb/kernels/kernels.h"
#include "coulomb/mesh/mesh.h"
#include "coulomb/plan.h"
#include "device/device.h"

#define TURN 1.1 /* half of the room for the turning point, in the shortest half waves of the smooth part */

static uint32_t padded(uint32_t number)
{
	return (number + MESH_PADDING - 1) / MESH_PADDING * MESH_PADDING;
}

static uint32_t room_to_turn(const struct mesh_order *order)
{
	return (uint32_t)ceil(TURN * order->c / PI) + 1;
}

bool mesh_has_groups(const struct device *device)
{
	const struct device_properties *has = device_properties(device);

	return has->gpu_kernels && has->most_work_items >= MESH_TILE_ITEMS;
}

uint32_t mesh_open_waves(const struct mesh_order *order, uint32_t nodes)
{
	return 2 * (nodes - 1 + room_to_turn(order));
}

/* Wave j of a row: cosines 0, 1, 2, ... with the sines 1, 2, ... between them. */
static uint32_t wave_number(uint32_t j)
{
	return (j + 1) / 2;
}

/* Cosines and sines of all fractions n/waves of a turn. */
static sonde_status make_turns(uint32_t parts, double **turns)
{
	CHECK(memory_allocate(turns, 2 * (size_t)parts, sizeof **turns, "the waves"));
	for (uint32_t n = 0; n < parts; ++n) {
		(*turns)[n] = cos(2.0 * PI * (double)n / parts);
		(*turns)[parts + n] = sin(2.0 * PI * (double)n / parts);
	}
	return SONDE_OK;
}

static double wave_value(const double *turns, uint32_t j, uint32_t at, uint32_t waves)
{
	uint32_t part = (uint32_t)((uint64_t)wave_number(j) * at % waves);

	return turns[j % 2 == 0 && j > 0 ? waves + part : part];
}

/* Cosines and sines of one direction, with padded rows if these are vectorized. */
static sonde_status make_waves(struct mesh_transform *transform, int k)
{
	uint32_t nodes = transform->extent.nodes[k], waves = transform->extent.waves[k];
	uint32_t first = transform->extent.first[k], wanted = transform->extent.wanted[k];
	uint32_t wide = k == 0 ? transform->columns : waves, long_row = k == 0 ? transform->back_row : wanted;
	double *forward = NULL, *back = NULL, *turns;
	uint32_t *numbers = NULL;
	sonde_status status;

	/* along x [points][waves], along y and z [waves][points] */
	size_t count = k == 0 ? (size_t)nodes * wide : (size_t)waves * nodes,
	       count_back = k == 0 ? (size_t)waves * long_row : (size_t)wanted * waves;
	CHECK_GOTO(status, make_turns(waves, &turns), done);
	CHECK_GOTO(status, memory_allocate(&forward, count, sizeof *forward, "the waves"), done);
	CHECK_GOTO(status, memory_allocate(&back, count_back, sizeof *back, "the waves"), done);
	CHECK_GOTO(status, memory_allocate(&numbers, waves, sizeof *numbers, "the waves"), done);
	for (uint32_t i = 0; i < nodes; ++i) {
		for (uint32_t j = 0; j < waves; ++j) {
			double value = wave_value(turns, j, i, waves);
			forward[k == 0 ? (size_t)i * wide + j : (size_t)j * nodes + i] = value;
			if (i < first || i >= first + wanted)
				continue;
			uint32_t to = i - first;
			back[k == 0 ? (size_t)j * long_row + to : (size_t)to * waves + j] = value;
		}
	}
	for (uint32_t j = 0; j < waves; ++j)
		numbers[j] = wave_number(j);
	CHECK_GOTO(
	    status,
	    device_upload(transform->device, forward, count * sizeof *forward, "the waves", &transform->forward[k]),
	    done);
	CHECK_GOTO(
	    status,
	    device_upload(transform->device, back, count_back * sizeof *back, "the waves", &transform->back[k]),
	    done);
	status =
	    device_upload(transform->device, numbers, waves * sizeof *numbers, "the waves", &transform->numbers[k]);
done:
	free(turns);
	free(forward);
	free(back);
	free(numbers);
	return status;
}

/* Matrix product on GPUs; if `weighted`, its result is multiplied by the kernel's coefficients. */
static sonde_status multiply_by_groups(struct mesh_transform *transform, uint32_t batches,
				       const uint32_t numbers[PRODUCT_NUMBERS], const struct device_buffer *a,
				       const struct device_buffer *b, const struct device_buffer *c, bool weighted)
{
	uint32_t own[PRODUCT_NUMBERS], half_y = transform->extent.waves[1] / 2 + 1,
				       weight_columns = weighted ? transform->columns : 0;
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(own[PRODUCT_ROWS]),
						    DEVICE_ARGUMENT(own[PRODUCT_TERMS]),
						    DEVICE_ARGUMENT(own[PRODUCT_COLUMNS]),
						    DEVICE_ARGUMENT(own[PRODUCT_ROW_A]),
						    DEVICE_ARGUMENT(own[PRODUCT_ROW_B]),
						    DEVICE_ARGUMENT(own[PRODUCT_ROW_C]),
						    DEVICE_ARGUMENT(own[PRODUCT_BATCH_A]),
						    DEVICE_ARGUMENT(own[PRODUCT_BATCH_B]),
						    DEVICE_ARGUMENT(own[PRODUCT_BATCH_C]),
						    DEVICE_ARGUMENT(a->memory),
						    DEVICE_ARGUMENT(b->memory),
						    DEVICE_ARGUMENT(c->memory),
						    DEVICE_ARGUMENT(transform->weights.memory),
						    DEVICE_ARGUMENT(half_y),
						    DEVICE_ARGUMENT(weight_columns)};

	memcpy(own, numbers, sizeof own);
	/* contiguous batches with a common b form one product */
	if (own[PRODUCT_BATCH_B] == 0 && own[PRODUCT_BATCH_A] == own[PRODUCT_ROWS] * own[PRODUCT_ROW_A] &&
	    own[PRODUCT_BATCH_C] == own[PRODUCT_ROWS] * own[PRODUCT_ROW_C]) {
		own[PRODUCT_ROWS] *= batches;
		batches = 1;
	}
	uint32_t down = (own[PRODUCT_ROWS] + MULTIPLY_TILE - 1) / MULTIPLY_TILE,
		 across = (own[PRODUCT_COLUMNS] + MULTIPLY_TILE - 1) / MULTIPLY_TILE;
	return device_launch(transform->device, &transform->product, down * across * batches, arguments, 15);
}

static sonde_status multiply(struct mesh_transform *transform, uint32_t batches,
			     const uint32_t numbers[PRODUCT_NUMBERS], const struct device_buffer *a,
			     const struct device_buffer *b, const struct device_buffer *c)
{
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(transform->shape.memory),
						    DEVICE_ARGUMENT(a->memory), DEVICE_ARGUMENT(b->memory),
						    DEVICE_ARGUMENT(c->memory)};
	uint32_t groups = (numbers[PRODUCT_ROWS] + PRODUCT_GROUP_ROWS - 1) / PRODUCT_GROUP_ROWS;

	if (transform->groups)
		return multiply_by_groups(transform, batches, numbers, a, b, c, false);
	CHECK(device_wait(transform->device));
	CHECK(device_write(transform->device, &transform->shape, 0, numbers, PRODUCT_NUMBERS * sizeof *numbers));
	return device_launch(transform->device, &transform->product, groups * batches, arguments, 4);
}

/* The distances for 0, 1, ... mesh points in a periodic row of this many waves: along the shorter way around,
 * whose turning point is smoothed by the `room` numbers of `ramp`. Returns their squares, for half of the waves,
 * which are even in number. */
static void square_distances(uint32_t waves, uint32_t room, const double *ramp, double step, double *squares)
{
	uint32_t half = waves / 2;

	for (uint32_t n = 0; n <= half; ++n) {
		double r = step * (half - n >= room ? n : half - room * ramp[half - n]);
		squares[n] = r * r;
	}
}

/* Input for samples of the smooth part. */
struct sampling {
	const struct coulomb_plan *plan;
	const struct mesh_smooth *smooth, *outer; /* the latter may be null */
	const double *squares[3];
	uint32_t size[3], row;
	double *samples;
};

static double sample_at(const struct sampling *sampling, double square)
{
	const struct mesh_smooth *outer = sampling->outer;

	if (outer == NULL)
		return mesh_smooth_at(sampling->plan, sampling->smooth, square);
	if (square >= outer->cutoff * outer->cutoff)
		return 0.0;
	return mesh_smooth_at(sampling->plan, sampling->smooth, square) -
	       mesh_smooth_at(sampling->plan, outer, square);
}

static void sample_planes(void *state, int64_t first, int64_t end, int worker)
{
	const struct sampling *sampling = state;
	const uint32_t *size = sampling->size;

	(void)worker;
	for (int64_t z = first; z < end; ++z)
		for (uint32_t y = 0; y < size[1]; ++y)
			for (uint32_t x = 0; x < size[0]; ++x)
				sampling->samples[((size_t)z * size[1] + y) * sampling->row + x] =
				    sample_at(sampling, sampling->squares[0][x] + sampling->squares[1][y] +
							    sampling->squares[2][z]);
}

/* Samples the smooth part on the host. */
static sonde_status sample_on_host(const struct mesh_transform *transform, struct sampling *sampling,
				   struct device_buffer *buffer)
{
	size_t count = (size_t)sampling->size[2] * sampling->size[1] * sampling->row;

	CHECK(memory_allocate(&sampling->samples, count, sizeof(double), "the mesh"));
	threads_for(transform->threads, sampling->size[2], 1, sample_planes, sampling);
	sonde_status status =
	    device_upload(transform->device, sampling->samples, count * sizeof(double), "the mesh", buffer);
	free(sampling->samples);
	return status;
}

static sonde_status sample_on_device(const struct mesh_transform *transform, const struct sampling *sampling,
				     const struct device_buffer *near_frame, struct device_buffer *buffer)
{
	const uint32_t *size = sampling->size;
	uint32_t all = size[0] * size[1] * size[2], form = sampling->plan->form;
	struct device_buffer squares = {0};

	CHECK(device_allocate(transform->device, (size_t)size[2] * size[1] * sampling->row * sizeof(double),
			      "the mesh", buffer));
	CHECK(device_upload(transform->device, sampling->squares[0],
			    ((size_t)size[0] + size[1] + size[2]) * sizeof(double), "the mesh", &squares));
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(squares.memory),
						    DEVICE_ARGUMENT(size[0]),
						    DEVICE_ARGUMENT(size[1]),
						    DEVICE_ARGUMENT(size[2]),
						    DEVICE_ARGUMENT(sampling->row),
						    DEVICE_ARGUMENT(form),
						    DEVICE_ARGUMENT(near_frame->memory),
						    DEVICE_ARGUMENT(buffer->memory)};
	sonde_status status =
	    device_launch(transform->device, &transform->samples, (all + MESH_ITEMS - 1) / MESH_ITEMS, arguments, 8);
	if (status == SONDE_OK)
		status = device_wait(transform->device);
	device_release(transform->device, &squares);
	return status;
}

/* Samples of the smooth part between mesh points, for half of them along each edge; the other half is the mirror
 * image. */
static sonde_status sample(const struct mesh_transform *transform, const struct coulomb_plan *plan,
			   const struct mesh_order *order, const struct mesh_smooth *smooth,
			   const struct mesh_smooth *outer, const struct device_buffer *near_frame, double step,
			   struct device_buffer *buffer)
{
	struct sampling sampling = {.plan = plan, .smooth = smooth, .outer = outer};
	uint32_t room = room_to_turn(order);
	struct prolate prolate;
	double *squares, *ramp;
	bool turns[3];
	size_t all = 0;

	for (int k = 0; k < 3; ++k) {
		sampling.size[k] = transform->extent.waves[k] / 2 + 1;
		all += sampling.size[k];
	}
	sampling.row = padded(sampling.size[0]);
	CHECK(memory_allocate(&squares, all + room, sizeof(double), "the mesh"));
	ramp = squares + all;
	/* a kernel that ends before the turning point needs no room there */
	for (int k = 0; k < 3; ++k)
		turns[k] = transform->extent.waves[k] == mesh_open_waves(order, transform->extent.nodes[k]);
	if (turns[0] || turns[1] || turns[2]) {
		prolate_make(order->c, &prolate);
		prolate_ramp(&prolate, room, ramp);
	}
	for (int k = 0; k < 3; ++k) {
		double *to = squares + (k > 0 ? sampling.size[0] : 0) + (k > 1 ? sampling.size[1] : 0);
		square_distances(transform->extent.waves[k], turns[k] ? room : 0, ramp, step, to);
		sampling.squares[k] = to;
	}
	sonde_status status = transform->groups ? sample_on_device(transform, &sampling, near_frame, buffer)
						: sample_on_host(transform, &sampling, buffer);
	free(squares);
	return status;
}

/* Cosines that turn samples into coefficients, including the window correction: [points][waves, all of them] along
 * x, else [waves][points], half of both. */
static sonde_status make_cosines(const struct mesh_transform *transform, const struct mesh_window *window, int k,
				 struct device_buffer *buffer)
{
	uint32_t waves = transform->extent.waves[k], half = waves / 2 + 1, columns = transform->columns;
	size_t count = (size_t)half * (k == 0 ? columns : half);
	double *matrix, *turns = NULL, *influence = NULL;
	sonde_status status;

	CHECK(memory_allocate(&matrix, count, sizeof *matrix, "the mesh"));
	CHECK_GOTO(status, make_turns(waves, &turns), done);
	CHECK_GOTO(status, memory_allocate(&influence, half, sizeof *influence, "the mesh"), done);
	for (uint32_t m = 0; m < half; ++m)
		influence[m] = mesh_window_influence(window, 2.0 * PI * m / waves) *
			       (m == 0 || m == waves / 2 ? 1.0 : 2.0) / waves;
	for (uint32_t j = 0; j < (k == 0 ? waves : half); ++j) {
		uint32_t m = k == 0 ? wave_number(j) : j;
		for (uint32_t i = 0; i < half; ++i) {
			double value =
			    (i == 0 || i == waves / 2 ? 1.0 : 2.0) * influence[m] * turns[(uint64_t)m * i % waves];
			matrix[k == 0 ? (size_t)i * columns + j : (size_t)j * half + i] = value;
		}
	}
	status = device_upload(transform->device, matrix, count * sizeof *matrix, "the mesh", buffer);
done:
	free(matrix);
	free(turns);
	free(influence);
	return status;
}

/* The kernel's coefficients. */
static sonde_status make_weights(struct mesh_transform *transform, const struct coulomb_plan *plan,
				 const struct mesh_order *order, const struct mesh_smooth *smooth,
				 const struct mesh_smooth *outer, const struct device_buffer *near_frame,
				 const struct mesh_window *window, double step)
{
	struct device *device = transform->device;
	struct device_buffer cosines[3] = {{0}}, from = {0}, between = {0};
	uint32_t half[3], columns = transform->columns, row;
	sonde_status status;

	for (int k = 0; k < 3; ++k)
		half[k] = transform->extent.waves[k] / 2 + 1;
	row = padded(half[0]);
	size_t planes = (size_t)half[1] * half[2], bytes = planes * columns * sizeof(double);
	CHECK_GOTO(status, sample(transform, plan, order, smooth, outer, near_frame, step, &from), done);
	for (int k = 0; k < 3; ++k)
		CHECK_GOTO(status, make_cosines(transform, window, k, &cosines[k]), done);
	CHECK_GOTO(status, device_allocate(device, bytes, "the mesh", &between), done);
	CHECK_GOTO(status, device_allocate(device, bytes, "the mesh", &transform->weights), done);
	const uint32_t x[PRODUCT_NUMBERS] = {half[1],       half[0], columns,          row, columns, columns,
					     half[1] * row, 0,       half[1] * columns};
	CHECK_GOTO(status, multiply(transform, half[2], x, &from, &cosines[0], &transform->weights), done);
	const uint32_t y[PRODUCT_NUMBERS] = {half[1], half[1], columns,           half[1],          columns,
					     columns, 0,       half[1] * columns, half[1] * columns};
	CHECK_GOTO(status, multiply(transform, half[2], y, &cosines[1], &transform->weights, &between), done);
	const uint32_t z[PRODUCT_NUMBERS] = {half[2],           half[2], columns, half[2], half[1] * columns,
					     half[1] * columns, 0,       columns, columns};
	CHECK_GOTO(status, multiply(transform, half[1], z, &cosines[2], &between, &transform->weights), done);
	status = device_wait(device);
done:
	for (int k = 0; k < 3; ++k)
		device_release(device, &cosines[k]);
	device_release(device, &from);
	device_release(device, &between);
	return status;
}

static sonde_status find_kernels(struct mesh_transform *transform)
{
	struct device *device = transform->device;
	uint32_t local = MULTIPLY_DEEP * (2 * MULTIPLY_TILE + 4) * sizeof(double);

	if (transform->groups) {
		CHECK(device_kernel(device, &coulomb_points_program, "mesh_multiply", MULTIPLY_ITEMS, local, NULL, 0,
				    &transform->product));
		return device_kernel(device, &coulomb_points_program, "mesh_samples", MESH_ITEMS, 0, NULL, 0,
				     &transform->samples);
	}
	CHECK(device_kernel(device, &coulomb_points_program, "mesh_product", 1, 0, NULL, 0, &transform->product));
	return device_kernel(device, &coulomb_points_program, "mesh_columns", 1, 0, NULL, 0,
			     &transform->columns_kernel);
}

static sonde_status make(struct mesh_transform *transform, const struct coulomb_plan *plan,
			 const struct mesh_order *order, const struct mesh_smooth *smooth,
			 const struct mesh_smooth *outer, const struct device_buffer *near_frame,
			 const struct mesh_window *window, double step)
{
	struct device *device = transform->device;
	const uint32_t *nodes = transform->extent.nodes, *waves = transform->extent.waves;

	CHECK(find_kernels(transform));
	CHECK(device_allocate(device, PRODUCT_NUMBERS * sizeof(uint32_t), "the mesh", &transform->shape));
	for (int k = 0; k < 3; ++k)
		CHECK(make_waves(transform, k));
	CHECK(make_weights(transform, plan, order, smooth, outer, near_frame, window, step));
	size_t of_row = transform->columns * sizeof(double), planes = (size_t)nodes[2] * of_row;
	/* vectors may extend beyond the last row */
	CHECK(device_allocate(device,
			      ((size_t)nodes[2] * nodes[1] * transform->row + 2 * MESH_MOST_WIDTH) * sizeof(double),
			      "the mesh", &transform->mesh));
	CHECK(device_allocate(device, planes * nodes[1], "the mesh", &transform->half));
	if (transform->groups)
		CHECK(
		    device_allocate(device, (size_t)waves[2] * waves[1] * of_row, "the mesh", &transform->spectrum));
	return device_allocate(device, planes * waves[1], "the mesh", &transform->all);
}

sonde_status mesh_transform_make(struct device *device, int threads, const struct coulomb_plan *plan,
				 const struct mesh_order *order, const struct mesh_smooth *smooth,
				 const struct mesh_smooth *outer, const struct device_buffer *near_frame,
				 const struct mesh_window *window, const struct mesh_shape *extent, double step,
				 struct mesh_transform *transform)
{
	*transform = (struct mesh_transform){
	    .device = device, .groups = mesh_has_groups(device), .threads = threads, .extent = *extent};
	for (int k = 0; k < 3; ++k)
		if (extent->waves[k] > MESH_MOST_NODES)
			return status_fail(SONDE_INTERNAL, "a mesh of %u points along an edge is too large",
					   extent->nodes[k]);
	transform->row = padded(extent->nodes[0]) + MESH_PADDING;
	transform->columns = padded(transform->extent.waves[0]);
	transform->back_row = padded(extent->wanted[0]) + MESH_PADDING;
	return make(transform, plan, order, smooth, outer, near_frame, window, step);
}

/* Forward and back along z, with the multiplication by the kernel's coefficients in between: all columns together,
 * or, on the CPU, a few at a time. */
static sonde_status convolve_columns(struct mesh_transform *t)
{
	const uint32_t *nodes = t->extent.nodes, *waves = t->extent.waves, *wanted = t->extent.wanted,
		       columns = t->columns, plane = waves[1] * columns;
	uint32_t half_y = waves[1] / 2 + 1;
	const uint32_t z[PRODUCT_NUMBERS] = {waves[2], nodes[2], plane, nodes[2], plane, plane, 0, 0, 0};
	const uint32_t back_z[PRODUCT_NUMBERS] = {wanted[2], waves[2], plane, waves[2], plane, plane, 0, 0, 0};
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(waves[1]),
						    DEVICE_ARGUMENT(columns),
						    DEVICE_ARGUMENT(nodes[2]),
						    DEVICE_ARGUMENT(waves[2]),
						    DEVICE_ARGUMENT(wanted[2]),
						    DEVICE_ARGUMENT(half_y),
						    DEVICE_ARGUMENT(t->forward[2].memory),
						    DEVICE_ARGUMENT(t->back[2].memory),
						    DEVICE_ARGUMENT(t->numbers[1].memory),
						    DEVICE_ARGUMENT(t->numbers[2].memory),
						    DEVICE_ARGUMENT(t->weights.memory),
						    DEVICE_ARGUMENT(t->all.memory)};

	if (!t->groups)
		return device_launch(t->device, &t->columns_kernel, waves[1], arguments, 12);
	CHECK(multiply_by_groups(t, 1, z, &t->forward[2], &t->all, &t->spectrum, true));
	return multiply_by_groups(t, 1, back_z, &t->back[2], &t->spectrum, &t->all, false);
}

sonde_status mesh_transform_run(struct mesh_transform *t)
{
	const uint32_t *nodes = t->extent.nodes, *waves = t->extent.waves, *wanted = t->extent.wanted, row = t->row,
		       columns = t->columns, back = t->back_row;
	const uint32_t x[PRODUCT_NUMBERS] = {nodes[1],       nodes[0], columns,           row, columns, columns,
					     nodes[1] * row, 0,        nodes[1] * columns};
	const uint32_t y[PRODUCT_NUMBERS] = {
	    waves[1], nodes[1], columns, nodes[1], columns, columns, 0, nodes[1] * columns, waves[1] * columns};
	const uint32_t back_y[PRODUCT_NUMBERS] = {
	    wanted[1], waves[1], columns, waves[1], columns, columns, 0, waves[1] * columns, wanted[1] * columns};
	const uint32_t back_x[PRODUCT_NUMBERS] = {
	    wanted[1], waves[0], back, columns, back, back, wanted[1] * columns, 0, wanted[1] * back};

	CHECK(multiply(t, nodes[2], x, &t->mesh, &t->forward[0], &t->half));
	CHECK(multiply(t, nodes[2], y, &t->forward[1], &t->half, &t->all));
	CHECK(convolve_columns(t));
	CHECK(multiply(t, wanted[2], back_y, &t->back[1], &t->all, &t->half));
	return multiply(t, wanted[2], back_x, &t->half, &t->back[0], &t->mesh);
}

void mesh_transform_free(struct mesh_transform *transform)
{
	struct device_buffer *buffers[] = {&transform->weights, &transform->shape, &transform->half,
					   &transform->mesh,    &transform->all,   &transform->spectrum};

	if (transform->device == NULL)
		return;
	for (size_t k = 0; k < sizeof buffers / sizeof *buffers; ++k)
		device_release(transform->device, buffers[k]);
	for (int k = 0; k < 3; ++k) {
		device_release(transform->device, &transform->forward[k]);
		device_release(transform->device, &transform->back[k]);
		device_release(transform->device, &transform->numbers[k]);
	}
	*transform = (struct mesh_transform){0};
}
