#include "debye/sums/many_device.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "device/self_test.h"

#define RESERVED_LOCAL_MEMORY 1024u /* for drivers */
#define SPREAD_ITEMS 256u
#define PRODUCT_ITEMS 128u
#define CPU_PLACES 2u /* PLACES of kernels/many_product.k */

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Local memory of a group with `copies` counters of each node. */
static uint64_t bytes_of(uint32_t nodes, uint32_t copies)
{
	return (uint64_t)nodes * (8u + 4u * copies);
}

/* Copies of the counters; 0 if the memory does not hold any. */
static uint32_t copies_of(const struct device *device, uint32_t nodes)
{
	const struct device_properties *has = device_properties(device);
	const uint32_t local =
	    has->local_memory > RESERVED_LOCAL_MEMORY ? has->local_memory - RESERVED_LOCAL_MEMORY : 0;

	if (!has->gpu_kernels || has->most_work_items < SPREAD_ITEMS)
		return !has->gpu_kernels || bytes_of(nodes, 1) <= local ? 1 : 0;
	return bytes_of(nodes, 8) <= local ? 8 : bytes_of(nodes, 2) <= local ? 2 : 0;
}

bool many_device_holds(const struct device *device, uint32_t nodes)
{
	return copies_of(device, nodes) > 0;
}

static sonde_status find_spread(struct many_device *on, uint32_t nodes)
{
	const struct device_properties *has = device_properties(on->device);
	const uint32_t copies = copies_of(on->device, nodes), items = copies > 1 ? SPREAD_ITEMS : 1;
	const struct device_define define = {"SPREAD_COPIES", copies};

	if (copies == 0)
		return status_fail(SONDE_RESOURCE, "%s: the local memory does not hold %u nodes",
				   device_name(on->device), nodes);
	/* the local memory of a kernel is fixed: in steps, for few variants */
	const uint32_t local = has->gpu_kernels ? (uint32_t)((bytes_of(nodes, copies) + 8191) / 8192 * 8192) : 0;
	return device_kernel(on->device, &debye_many_program, "many_spread", items, smaller(local, has->local_memory),
			     &define, copies > 1 ? 1 : 0, &on->spread);
}

sonde_status many_device_prepare(struct device *device, const struct many_nodes *nodes, struct many_device *on)
{
	const struct device_properties *has = device_properties(device);
	const uint32_t items = has->gpu_kernels ? smaller(PRODUCT_ITEMS, has->most_work_items) : 1,
		       places = has->gpu_kernels ? items : CPU_PLACES * has->lanes;
	const uint64_t scratch = has->gpu_kernels ? 1 : (uint64_t)device_workers(device) * MANY_SCRATCH(nodes->count);
	sonde_status status;

	*on = (struct many_device){.device = device, .nodes = nodes};
	on->tiles = (nodes->columns + places - 1) / places;
	CHECK_GOTO(status, find_spread(on, nodes->count), failed);
	CHECK_GOTO(status,
		   device_kernel(device, &debye_many_program, "many_product", items, 0, NULL, 0, &on->product),
		   failed);
	CHECK_GOTO(status,
		   device_upload(device, nodes->matrix, (size_t)nodes->count * nodes->columns * sizeof(double),
				 "the matrix", &on->matrix),
		   failed);
	CHECK_GOTO(status,
		   device_upload(device, nodes->inverse_squares, nodes->count * sizeof(double), "the matrix",
				 &on->inverse_squares),
		   failed);
	CHECK_GOTO(status, device_allocate(device, scratch * sizeof(uint64_t), "the counters", &on->scratch), failed);
	return SONDE_OK;
failed:
	many_device_release(on);
	return status;
}

void many_device_release(struct many_device *on)
{
	struct device_buffer *buffers[] = {&on->matrix,   &on->inverse_squares, &on->scratch, &on->atoms[0],
					   &on->atoms[1], &on->atoms[2],        &on->rows,    &on->values,
					   &on->sums,     &on->moments};

	for (size_t k = 0; k < sizeof buffers / sizeof *buffers; ++k)
		device_release(on->device, buffers[k]);
	*on = (struct many_device){0};
}

static sonde_status reserve(struct many_device *on, size_t bytes, struct device_buffer *buffer)
{
	if (bytes <= buffer->bytes)
		return SONDE_OK;
	device_release(on->device, buffer);
	return device_allocate(on->device, bytes + bytes / 4, "many samples", buffer);
}

static sonde_status send(struct many_device *on, const void *from, size_t bytes, struct device_buffer *buffer)
{
	CHECK(reserve(on, bytes, buffer));
	return device_write(on->device, buffer, 0, from, bytes);
}

sonde_status many_device_sum(struct many_device *on, const struct many_rows *rows, double *sums, double *moments)
{
	const struct many_nodes *nodes = on->nodes;
	const size_t atoms = rows->atoms * sizeof(double), row = nodes->columns * sizeof(double);
	const uint32_t groups = (rows->count + MANY_ROWS - 1) / MANY_ROWS * on->tiles;

	CHECK(send(on, rows->x, atoms, &on->atoms[0]));
	CHECK(send(on, rows->y, atoms, &on->atoms[1]));
	CHECK(send(on, rows->z, atoms, &on->atoms[2]));
	CHECK(send(on, rows->words, (size_t)rows->count * MANY_WORDS * sizeof *rows->words, &on->rows));
	CHECK(reserve(on, (size_t)rows->count * rows->nodes * sizeof(double), &on->values));
	CHECK(reserve(on, rows->count * row, &on->sums));
	CHECK(reserve(on, (size_t)rows->count * MANY_MOMENTS * sizeof(double), &on->moments));
	if (device_properties(on->device)->gpu_kernels)
		CHECK(find_spread(on, rows->nodes));
	const struct device_argument spread[] = {
	    DEVICE_ARGUMENT(on->atoms[0].memory), DEVICE_ARGUMENT(on->atoms[1].memory),
	    DEVICE_ARGUMENT(on->atoms[2].memory), DEVICE_ARGUMENT(on->rows.memory),
	    DEVICE_ARGUMENT(rows->nodes),         DEVICE_ARGUMENT(nodes->per_angstrom),
	    DEVICE_ARGUMENT(on->scratch.memory),  DEVICE_ARGUMENT(on->values.memory)};
	CHECK(device_launch(on->device, &on->spread, rows->count, spread, 8));
	const struct device_argument product[] = {DEVICE_ARGUMENT(on->values.memory),
						  DEVICE_ARGUMENT(rows->count),
						  DEVICE_ARGUMENT(rows->nodes),
						  DEVICE_ARGUMENT(on->matrix.memory),
						  DEVICE_ARGUMENT(nodes->columns),
						  DEVICE_ARGUMENT(on->tiles),
						  DEVICE_ARGUMENT(on->inverse_squares.memory),
						  DEVICE_ARGUMENT(on->sums.memory),
						  DEVICE_ARGUMENT(on->moments.memory)};
	CHECK(device_launch(on->device, &on->product, groups, product, 9));
	CHECK(device_read(on->device, &on->sums, 0, sums, rows->count * row));
	return device_read(on->device, &on->moments, 0, moments, (size_t)rows->count * MANY_MOMENTS * sizeof(double));
}

/* The self-test ----------------------------------------------------------------------------------------------------- */

#define ATOMS_A 41 /* an odd and an even number, of which one exceeds a half of the other */
#define ATOMS_B 30
#define POINTS 33
#define TOLERANCE 1e-4 /* of sums over some hundreds of pairs */

static double wanted_sum(const double *x, const double *y, const double *z, const uint32_t *row, double q)
{
	double sum = 0.0;

	for (uint32_t i = row[0]; i < row[1]; ++i)
		for (uint32_t j = row[4] != 0 ? i + 1 : row[2]; j < row[3]; ++j) {
			const double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i],
				     p = q * sqrt(dx * dx + dy * dy + dz * dz);
			sum += p > 0.0 ? sin(p) / p : 1.0;
		}
	return sum;
}

sonde_status debye_many_self_test(struct device *device)
{
	static const uint32_t words[3 * MANY_WORDS] = {0,       ATOMS_A,           0,       ATOMS_A,           1,
						       0,       ATOMS_A,           ATOMS_A, ATOMS_A + ATOMS_B, 0,
						       ATOMS_A, ATOMS_A + ATOMS_B, ATOMS_A, ATOMS_A + ATOMS_B, 1};
	double x[ATOMS_A + ATOMS_B], y[ATOMS_A + ATOMS_B], z[ATOMS_A + ATOMS_B], q[POINTS], worst = 0.0;
	double *sums = NULL, moments[3 * MANY_MOMENTS];
	struct many_nodes nodes = {0};
	struct many_device on = {0};
	sonde_status status;

	for (int i = 0; i < ATOMS_A + ATOMS_B; ++i) {
		x[i] = 0.06 * i * cos(1.7 * i);
		y[i] = 0.05 * i * sin(1.3 * i);
		z[i] = 5.0 * cos(0.21 * i);
	}
	for (int k = 0; k < POINTS; ++k)
		q[k] = 0.1 + 0.3 * k;
	CHECK_GOTO(status, many_nodes_make(q, POINTS, 20.0, 1, &nodes), done);
	CHECK_GOTO(status, memory_allocate(&sums, (size_t)3 * nodes.columns, sizeof *sums, "the sums"), done);
	CHECK_GOTO(status, many_device_prepare(device, &nodes, &on), done);
	const struct many_rows rows = {x, y, z, ATOMS_A + ATOMS_B, words, 3, nodes.count};
	CHECK_GOTO(status, many_device_sum(&on, &rows, sums, moments), done);
	for (int row = 0; row < 3; ++row)
		for (int k = 0; k < POINTS; ++k) {
			const double error = fabs(sums[row * (int)nodes.columns + k] -
						  wanted_sum(x, y, z, words + row * (int)MANY_WORDS, q[k]));
			worst = error > worst || isnan(error) ? error : worst;
		}
	status = self_test_compare(worst, TOLERANCE, "sums of many samples");
done:
	if (on.device != NULL)
		many_device_release(&on);
	many_nodes_free(&nodes);
	free(sums);
	return status;
}
