/* The convolution on a mesh, with the smooth part of a charge's potential and open boundaries. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "coulomb/mesh.h"

#define PI 3.14159265358979323846
#define TURN 1.1 /* half of the room for the turning point, in the smooth part's shortest half waves */

static uint32_t padded(uint32_t number)
{
	return (number + MESH_PADDING - 1) / MESH_PADDING * MESH_PADDING;
}

static uint32_t room_to_turn(const struct mesh_order *order)
{
	return (uint32_t)ceil(TURN * order->c / PI) + 1;
}

/* Wave j of a row: cosines 0, 1, 2, ... with the sines 1, 2, ... between them. */
static uint32_t wave_number(uint32_t j)
{
	return (j + 1) / 2;
}

static double wave_value(uint32_t j, uint32_t at, uint32_t waves)
{
	uint64_t turns = (uint64_t)wave_number(j) * at % waves;
	double angle = 2.0 * PI * (double)turns / waves;

	return j % 2 == 0 && j > 0 ? sin(angle) : cos(angle);
}

static sonde_status upload(struct device *device, const void *from, size_t bytes, const char *what,
			   struct device_buffer *buffer)
{
	CHECK(device_allocate(device, bytes, what, buffer));
	return device_write(device, buffer, 0, from, bytes);
}

/* Cosines and sines of one direction, rows padded where they are what a vector runs along. */
static sonde_status make_waves(struct mesh_transform *transform, int k)
{
	uint32_t nodes = transform->nodes[k], waves = transform->waves[k];
	uint32_t wide = k == 0 ? transform->columns : waves, long_row = k == 0 ? transform->row : nodes;
	double *forward, *back = NULL;
	uint32_t *numbers = NULL;
	sonde_status status;

	/* along x it is points times waves, along y and z waves times points */
	size_t count = k == 0 ? (size_t)nodes * wide : (size_t)waves * nodes,
	       count_back = k == 0 ? (size_t)waves * long_row : (size_t)nodes * waves;
	CHECK_GOTO(status, memory_allocate(&forward, count, sizeof *forward, "the waves"), done);
	CHECK_GOTO(status, memory_allocate(&back, count_back, sizeof *back, "the waves"), done);
	CHECK_GOTO(status, memory_allocate(&numbers, waves, sizeof *numbers, "the waves"), done);
	for (uint32_t i = 0; i < nodes; ++i) {
		for (uint32_t j = 0; j < waves; ++j) {
			double value = wave_value(j, i, waves);
			forward[k == 0 ? (size_t)i * wide + j : (size_t)j * nodes + i] = value;
			back[k == 0 ? (size_t)j * long_row + i : (size_t)i * waves + j] = value;
		}
	}
	for (uint32_t j = 0; j < waves; ++j)
		numbers[j] = wave_number(j);
	CHECK_GOTO(status,
		   upload(transform->device, forward, count * sizeof *forward, "the waves", &transform->forward[k]),
		   done);
	CHECK_GOTO(status,
		   upload(transform->device, back, count_back * sizeof *back, "the waves", &transform->back[k]),
		   done);
	status = upload(transform->device, numbers, waves * sizeof *numbers, "the waves", &transform->numbers[k]);
done:
	free(forward);
	free(back);
	free(numbers);
	return status;
}

static sonde_status multiply(struct mesh_transform *transform, uint32_t batches,
			     const uint32_t numbers[PRODUCT_NUMBERS], const struct device_buffer *a,
			     const struct device_buffer *b, const struct device_buffer *c)
{
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(transform->shape.memory),
						    DEVICE_ARGUMENT(a->memory), DEVICE_ARGUMENT(b->memory),
						    DEVICE_ARGUMENT(c->memory)};
	uint32_t groups = (numbers[PRODUCT_ROWS] + PRODUCT_GROUP_ROWS - 1) / PRODUCT_GROUP_ROWS;

	CHECK(device_wait(transform->device));
	CHECK(device_write(transform->device, &transform->shape, 0, numbers, PRODUCT_NUMBERS * sizeof *numbers));
	return device_launch(transform->device, &transform->product, groups * batches, arguments, 4);
}

/* The distance that stands for `at` mesh points of a row of so many waves: the shorter way round, whose turning point is
 * made smooth. */
static double distance(uint32_t at, uint32_t waves, const struct mesh_order *order, const struct prolate *prolate)
{
	double room = room_to_turn(order), left = 0.5 * waves - at;

	return left >= room ? at : 0.5 * waves - room * prolate_ramp(prolate, left / room);
}

/* The smooth part between mesh points, of half of them along each edge: the other half is its mirror image. */
static sonde_status sample(const struct mesh_transform *transform, const struct coulomb_plan *plan,
			   const struct mesh_order *order, const struct mesh_smooth *smooth, double step,
			   uint32_t row, double *samples)
{
	double *squares[3] = {NULL, NULL, NULL};
	uint32_t half[3];
	struct prolate prolate;
	sonde_status status = SONDE_OK;

	prolate_make(order->c, &prolate);
	for (int k = 0; k < 3 && status == SONDE_OK; ++k) {
		half[k] = transform->waves[k] / 2 + 1;
		status = memory_allocate(&squares[k], half[k], sizeof(double), "the mesh");
		for (uint32_t n = 0; status == SONDE_OK && n < half[k]; ++n) {
			double r = step * distance(n, transform->waves[k], order, &prolate);
			squares[k][n] = r * r;
		}
	}
	if (status == SONDE_OK) {
#pragma omp parallel for num_threads((int)device_workers(transform->device))
		for (uint32_t z = 0; z < half[2]; ++z)
			for (uint32_t y = 0; y < half[1]; ++y)
				for (uint32_t x = 0; x < half[0]; ++x)
					samples[((size_t)z * half[1] + y) * row + x] = mesh_smooth_at(
					    plan, smooth, squares[0][x] + squares[1][y] + squares[2][z]);
	}
	for (int k = 0; k < 3; ++k)
		free(squares[k]);
	return status;
}

/* Cosines that make coefficients of samples, with what the window wants: [points][waves, all of them] along x, else
 * [waves][points], half of both. */
static sonde_status make_cosines(const struct mesh_transform *transform, const struct mesh_window *window, int k,
				 struct device_buffer *buffer)
{
	uint32_t waves = transform->waves[k], half = waves / 2 + 1, columns = transform->columns;
	double *matrix, *influence;

	CHECK(memory_allocate(&matrix, (size_t)half * (k == 0 ? columns : half), sizeof *matrix, "the mesh"));
	sonde_status status = memory_allocate(&influence, half, sizeof *influence, "the mesh");
	for (uint32_t m = 0; status == SONDE_OK && m < half; ++m)
		influence[m] = mesh_window_influence(window, 2.0 * PI * m / waves) *
			       (m == 0 || m == waves / 2 ? 1.0 : 2.0) / waves;
	for (uint32_t j = 0; status == SONDE_OK && j < (k == 0 ? waves : half); ++j) {
		uint32_t m = k == 0 ? wave_number(j) : j;
		for (uint32_t i = 0; i < half; ++i) {
			double value = (i == 0 || i == waves / 2 ? 1.0 : 2.0) * influence[m] *
				       cos(2.0 * PI * (double)((uint64_t)m * i % waves) / waves);
			matrix[k == 0 ? (size_t)i * columns + j : (size_t)j * half + i] = value;
		}
	}
	if (status == SONDE_OK)
		status = upload(transform->device, matrix, (size_t)half * (k == 0 ? columns : half) * sizeof *matrix,
				"the mesh", buffer);
	free(matrix);
	free(influence);
	return status;
}

/* The kernel's coefficients. */
static sonde_status make_weights(struct mesh_transform *transform, const struct coulomb_plan *plan,
				 const struct mesh_order *order, const struct mesh_smooth *smooth,
				 const struct mesh_window *window, double step)
{
	struct device *device = transform->device;
	struct device_buffer cosines[3] = {{0}}, from = {0}, between = {0};
	uint32_t half[3], columns = transform->columns, row;
	double *samples = NULL;
	sonde_status status;

	for (int k = 0; k < 3; ++k)
		half[k] = transform->waves[k] / 2 + 1;
	row = padded(half[0]);
	size_t planes = (size_t)half[1] * half[2], bytes = planes * columns * sizeof(double);
	CHECK_GOTO(status, memory_allocate(&samples, planes * row, sizeof *samples, "the mesh"), done);
	CHECK_GOTO(status, sample(transform, plan, order, smooth, step, row, samples), done);
	for (int k = 0; k < 3; ++k)
		CHECK_GOTO(status, make_cosines(transform, window, k, &cosines[k]), done);
	CHECK_GOTO(status, upload(device, samples, planes * row * sizeof *samples, "the mesh", &from), done);
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
	free(samples);
	return status;
}

static sonde_status make(struct mesh_transform *transform, const struct coulomb_plan *plan,
			 const struct mesh_order *order, const struct mesh_smooth *smooth,
			 const struct mesh_window *window, double step)
{
	struct device *device = transform->device;
	const uint32_t *nodes = transform->nodes, *waves = transform->waves;

	CHECK(device_kernel(device, &coulomb_program, "mesh_product", 1, 0, NULL, 0, &transform->product));
	CHECK(device_kernel(device, &coulomb_program, "mesh_columns", 1, 0, NULL, 0, &transform->columns_kernel));
	CHECK(device_allocate(device, PRODUCT_NUMBERS * sizeof(uint32_t), "the mesh", &transform->shape));
	for (int k = 0; k < 3; ++k)
		CHECK(make_waves(transform, k));
	CHECK(make_weights(transform, plan, order, smooth, window, step));
	size_t planes = (size_t)nodes[2] * transform->columns * sizeof(double);
	/* vectors reach beyond the last row */
	CHECK(device_allocate(device,
			      ((size_t)nodes[2] * nodes[1] * transform->row + 2 * MESH_MOST_WIDTH) * sizeof(double),
			      "the mesh", &transform->mesh));
	CHECK(device_allocate(device, planes * nodes[1], "the mesh", &transform->half));
	return device_allocate(device, planes * waves[1], "the mesh", &transform->all);
}

sonde_status mesh_transform_make(struct device *device, const struct coulomb_plan *plan,
				 const struct mesh_order *order, const struct mesh_smooth *smooth,
				 const struct mesh_window *window, const uint32_t nodes[3], double step,
				 struct mesh_transform *transform)
{
	*transform = (struct mesh_transform){.device = device};
	for (int k = 0; k < 3; ++k) {
		transform->nodes[k] = nodes[k];
		transform->waves[k] = 2 * (nodes[k] - 1 + room_to_turn(order));
		if (transform->waves[k] > MESH_MOST_NODES)
			return status_fail(SONDE_INTERNAL, "a mesh of %u points along an edge is too large",
					   nodes[k]);
	}
	transform->row = padded(nodes[0]) + MESH_PADDING;
	transform->columns = padded(transform->waves[0]);
	return make(transform, plan, order, smooth, window, step);
}

sonde_status mesh_transform_run(struct mesh_transform *t)
{
	const uint32_t *nodes = t->nodes, *waves = t->waves, row = t->row, columns = t->columns;
	uint32_t half_y = waves[1] / 2 + 1;
	const uint32_t x[PRODUCT_NUMBERS] = {nodes[1],       nodes[0], columns,           row, columns, columns,
					     nodes[1] * row, 0,        nodes[1] * columns};
	const uint32_t y[PRODUCT_NUMBERS] = {
	    waves[1], nodes[1], columns, nodes[1], columns, columns, 0, nodes[1] * columns, waves[1] * columns};
	const uint32_t back_y[PRODUCT_NUMBERS] = {
	    nodes[1], waves[1], columns, waves[1], columns, columns, 0, waves[1] * columns, nodes[1] * columns};
	const uint32_t back_x[PRODUCT_NUMBERS] = {nodes[1], waves[0],           row, columns,       row,
						  row,      nodes[1] * columns, 0,   nodes[1] * row};
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(waves[1]),
						    DEVICE_ARGUMENT(columns),
						    DEVICE_ARGUMENT(nodes[2]),
						    DEVICE_ARGUMENT(waves[2]),
						    DEVICE_ARGUMENT(half_y),
						    DEVICE_ARGUMENT(t->forward[2].memory),
						    DEVICE_ARGUMENT(t->back[2].memory),
						    DEVICE_ARGUMENT(t->numbers[1].memory),
						    DEVICE_ARGUMENT(t->numbers[2].memory),
						    DEVICE_ARGUMENT(t->weights.memory),
						    DEVICE_ARGUMENT(t->all.memory)};

	CHECK(multiply(t, nodes[2], x, &t->mesh, &t->forward[0], &t->half));
	CHECK(multiply(t, nodes[2], y, &t->forward[1], &t->half, &t->all));
	CHECK(device_launch(t->device, &t->columns_kernel, waves[1], arguments, 11));
	CHECK(multiply(t, nodes[2], back_y, &t->back[1], &t->all, &t->half));
	return multiply(t, nodes[2], back_x, &t->half, &t->back[0], &t->mesh);
}

void mesh_transform_free(struct mesh_transform *transform)
{
	struct device_buffer *buffers[] = {&transform->weights, &transform->shape, &transform->half, &transform->mesh,
					   &transform->all};

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
