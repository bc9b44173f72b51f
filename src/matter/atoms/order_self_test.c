/* Compares the kernels of orders and positions with the host, before the first use of any of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vectors.h"
#include "device/self_test.h"
#include "matter/atoms/device_order.h"
#include "matter/atoms/order_kernels.h"

#define TESTED 2400 /* atoms, a third of them of the second species */
#define EDGE_X 90.0
#define EDGE_Y 60.0
#define STEP_Z 0.0625              /* Angstrom: the third coordinate tells which atom it is */
#define MOST_OF_EDGES (3.0 * 35.0) /* Angstrom: of the mean tile; in the given order they are above 150 */

static void test_position(int i, double r[3])
{
	r[0] = EDGE_X * fmod(0.618034 * i, 1.0);
	r[1] = EDGE_Y * fmod(0.414214 * i, 1.0);
	r[2] = STEP_Z * i;
}

static sonde_status make_tested(sonde_atoms **atoms)
{
	sonde_status status = sonde_atoms_create(atoms);

	for (int i = 0; i < TESTED && status == SONDE_OK; ++i) {
		double r[3];
		test_position(i, r);
		status = sonde_atoms_add(*atoms, i % 3 == 2 ? "O" : "Co", r);
	}
	return status;
}

/* Numbers that are wrong: atoms that are not where they belong, or more than once, and boxes. */
static uint64_t count_wrong(const double *const at[3], const uint32_t *places, const struct device_order *order)
{
	const uint32_t counts[] = {TESTED - TESTED / 3, TESTED / 3};
	bool seen[TESTED] = {false};
	double edges = 0.0;
	uint64_t wrong = 0;
	uint32_t tile = 0;

	for (uint32_t s = 0; s < 2; ++s)
		for (uint32_t first = 0; first < counts[s]; first += ORDER_TILE, ++tile) {
			double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
			for (uint32_t p = first; p < first + ORDER_TILE && p < counts[s]; ++p) {
				const uint32_t place = places[s] + p;
				const int i = (int)(at[2][place] / STEP_Z);
				double r[3] = {0.0};
				if (i < 0 || i >= TESTED || seen[i] || (uint32_t)(i % 3 == 2) != s) {
					++wrong;
					continue;
				}
				seen[i] = true;
				test_position(i, r);
				for (int k = 0; k < 3; ++k) {
					wrong += at[k][place] != r[k];
					low[k] = fmin(low[k], r[k]);
					high[k] = fmax(high[k], r[k]);
				}
			}
			for (int k = 0; k < 3; ++k) {
				wrong += order->boxes[tile][k] != low[k] || order->boxes[tile][3 + k] != high[k];
				edges += high[k] - low[k];
			}
		}
	return wrong + (order->tile_count != tile) + (edges > MOST_OF_EDGES * tile);
}

/* The first tile of the order relative to a middle, in both precisions. */
static sonde_status test_tile(const struct device_order *order, const double *const at[3])
{
	static const double middles[][3] = {{1.5, -2.25, 0.125}};
	const struct device_order_tile tile = {0, ORDER_TILE - 1};
	struct device_buffer buffer = {0};
	double numbers[3 * ORDER_TILE];
	float singles[3 * ORDER_TILE];
	uint64_t wrong = 0;
	sonde_status status;

	CHECK(device_allocate(order->device, sizeof numbers, "the self-test", &buffer));
	CHECK_GOTO(status, device_order_center(order, &tile, middles, 1, ORDER_TILE, false, &buffer), done);
	CHECK_GOTO(status, device_read(order->device, &buffer, 0, numbers, sizeof numbers), done);
	CHECK_GOTO(status, device_order_center(order, &tile, middles, 1, ORDER_TILE, true, &buffer), done);
	CHECK_GOTO(status, device_read(order->device, &buffer, 0, singles, sizeof singles), done);
	for (uint32_t n = 0; n < 3 * ORDER_TILE; ++n) {
		const uint32_t k = n / ORDER_TILE, a = n % ORDER_TILE;
		const double r = a < tile.count ? at[k][a] - middles[0][k] : 0.0;
		wrong += numbers[n] != r || singles[n] != (float)r;
	}
	status = self_test_count(wrong, 0, "wrong coordinates of atoms in tiles");
done:
	device_release(order->device, &buffer);
	return status;
}

/* Records of some atoms, and the outermost ones. */
static sonde_status compare_positions(struct device *device, const sonde_atoms *atoms,
				      const struct device_positions *from, struct device_buffer *records)
{
	static const double center[3] = {3.0, 4.0, 5.0}, directions[][3] = {{0.0, 0.0, -1.0}, {0.5, -0.25, 0.0}};
	static const uint32_t numbers[] = {7, 2399, 0}, kinds[] = {1, 5, 0};
	double read[12];
	struct device_extents extents;
	uint64_t wrong = 0;

	CHECK(device_positions_records(device, from, numbers, kinds, 3, center, records));
	CHECK(device_read(device, records, 0, read, sizeof read));
	for (int n = 0; n < 3; ++n) {
		int64_t kind;
		memcpy(&kind, &read[4 * n + 3], sizeof kind);
		wrong += kind != kinds[n];
		for (int k = 0; k < 3; ++k)
			wrong += read[4 * n + k] != atoms->positions[3 * numbers[n] + (uint32_t)k] - center[k];
	}
	CHECK(device_positions_extents(device, from, TESTED, center, directions, 2, &extents));
	for (int d = 0; d < 2; ++d) {
		double low = INFINITY, high = -INFINITY;
		uint32_t lowest = 0, highest = 0;
		for (uint32_t i = 0; i < TESTED; ++i) {
			const double *r = atoms->positions + 3 * (size_t)i,
				     apart[3] = {r[0] - center[0], r[1] - center[1], r[2] - center[2]},
				     t = vector_dot(directions[d], apart);
			lowest = t < low ? i : lowest;
			low = fmin(low, t);
			highest = t > high ? i : highest;
			high = fmax(high, t);
		}
		wrong += extents.low[d] != low || extents.high[d] != high || extents.lowest[d] != lowest ||
			 extents.highest[d] != highest;
	}
	return self_test_count(wrong, 0, "wrong positions of atoms");
}

static sonde_status test_positions(struct device *device, const sonde_atoms *atoms)
{
	struct device_positions from = {.row_step = 3, .column_step = 1};
	struct device_buffer records = {0};

	CHECK(device_upload(device, atoms->positions, 3 * TESTED * sizeof(double), "the self-test", &from.numbers));
	const sonde_status status = compare_positions(device, atoms, &from, &records);
	device_release(device, &records);
	device_release(device, &from.numbers);
	return status;
}

/* Compiles all kernels at the same time, unless they are in the cache. */
static void request_kernels(struct device *device)
{
	struct device_kernel unused;

	if (!device_request_kernels(device, true))
		return;
	for (int k = 0; k < ORDERING_KERNELS; ++k)
		(void)order_find_kernel(device, (enum order_kernel)k, &unused);
	(void)device_request_kernels(device, false);
}

sonde_status order_self_test(struct device *device)
{
	const uint32_t places[] = {0, TESTED - TESTED / 3 + 16};
	const struct device_order_form form = {.places = places, .size = TESTED + 32, .factor = 1.0};
	double *read = NULL;
	struct device_order order = {0};
	sonde_atoms *atoms = NULL;
	sonde_status status;

	request_kernels(device);
	CHECK_GOTO(status, make_tested(&atoms), done);
	CHECK_GOTO(status, memory_allocate(&read, 3 * (size_t)form.size, sizeof *read, "the self-test"), done);
	CHECK_GOTO(status, device_order_find(device, atoms, NULL, &form, &order), done);
	const struct device_buffer *const buffers[] = {&order.x, &order.y, &order.z};
	for (size_t k = 0; k < 3; ++k)
		CHECK_GOTO(status, device_read(device, buffers[k], 0, read + k * form.size, form.size * sizeof *read),
			   done);
	const double *const at[] = {read, read + form.size, read + 2 * (size_t)form.size};
	CHECK_GOTO(status,
		   self_test_count(count_wrong(at, places, &order), 0, "wrong places of atoms in their order"), done);
	CHECK_GOTO(status, test_tile(&order, at), done);
	status = test_positions(device, atoms);
done:
	device_order_release(&order);
	sonde_atoms_free(&atoms);
	free(read);
	return status;
}
