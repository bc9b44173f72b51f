/* The self-test of the kernels on first use: some atoms spread, and the mesh interpolated, compared with plain sums. */
#include "device/self_test.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "pattern/fast/fast.h"
#include "pattern/fast/window.h"

#define WIDTH 5 /* of the window: not a number of registers */
#define NODES 12
#define ROW (2 * NODES + (int)MESH_ROOM)
#define NUMBERS (NODES * NODES * ROW + (int)MESH_ROOM)
#define ATOMS 5
#define TOLERANCE 1e-13

struct self_test {
	struct window window;
	double atoms[ATOMS * ATOM_NUMBERS], places[3 * ATOMS], sums[2 * ATOMS];
	double *mesh, *expected;
};

/* The weight of a node for a place along an axis, by the window's polynomials. */
static double weight(const struct window *window, double place, int node)
{
	const double from = place - 0.5 * WIDTH, *rows = window->frame + FRAME_ROWS;
	const int first = (int)from + 1, v = node - first;
	const double x = 2.0 * (first - from) - 1.0;

	if (v < 0 || v >= WIDTH)
		return 0.0;
	double value = rows[v];
	for (int d = 1; d <= (int)window->frame[FRAME_DEGREE]; ++d)
		value = value * x + rows[d * (int)WINDOW_MOST_WIDTH + v];
	return value;
}

static double weight_of_node(const struct window *window, const double place[3], const int node[3])
{
	return weight(window, place[0], node[0]) * weight(window, place[1], node[1]) *
	       weight(window, place[2], node[2]);
}

/* Adds atoms to the expected mesh, or, to sums, what the mesh has around places. */
static void expect(struct self_test *test, double sums[2 * ATOMS])
{
	int node[3];

	for (node[2] = 0; node[2] < NODES; ++node[2])
		for (node[1] = 0; node[1] < NODES; ++node[1])
			for (node[0] = 0; node[0] < NODES; ++node[0]) {
				double *number = test->expected + ((size_t)node[2] * NODES + (size_t)node[1]) * ROW +
						 2 * (size_t)node[0];
				for (int j = 0; j < ATOMS; ++j)
					for (int part = 0; part < 2; ++part) {
						const double *atom = test->atoms + ATOM_NUMBERS * j;
						if (sums == NULL)
							number[part] += atom[ATOM_REAL + part] *
									weight_of_node(&test->window, atom, node);
						else
							sums[2 * j + part] +=
							    number[part] *
							    weight_of_node(&test->window, test->places + 3 * j, node);
					}
			}
}

static sonde_status run_kernels(struct device *device, struct self_test *test)
{
	const uint32_t row = ROW, rows = NODES, starts[2] = {0, ATOMS}, pencil = 0, points = ATOMS;
	const double *frame = test->window.frame, *atoms = test->atoms, *places = test->places;
	const uint32_t *first = starts, *pencils = &pencil;
	double *sums = test->sums;
	struct device_kernel spread, interpolate;

	CHECK(device_kernel(device, &pattern_program, "pattern_spread", 1, 0, NULL, 0, &spread));
	CHECK(device_kernel(device, &pattern_program, "pattern_interpolate", 1, 0, NULL, 0, &interpolate));
	const struct device_argument of_spread[] = {
	    DEVICE_ARGUMENT(atoms), DEVICE_ARGUMENT(first), DEVICE_ARGUMENT(pencils),   DEVICE_ARGUMENT(frame),
	    DEVICE_ARGUMENT(row),   DEVICE_ARGUMENT(rows),  DEVICE_ARGUMENT(test->mesh)};
	const struct device_argument of_interpolate[] = {
	    DEVICE_ARGUMENT(places), DEVICE_ARGUMENT(points),     DEVICE_ARGUMENT(frame), DEVICE_ARGUMENT(row),
	    DEVICE_ARGUMENT(rows),   DEVICE_ARGUMENT(test->mesh), DEVICE_ARGUMENT(sums)};
	CHECK(device_launch(device, &spread, 1, of_spread, 7));
	CHECK(device_launch(device, &interpolate, 1, of_interpolate, 7));
	return device_wait(device);
}

/* NAN if one of them is. */
static double larger(double a, double b)
{
	return b > a || isnan(b) ? b : a;
}

static sonde_status compare(struct device *device, struct self_test *test)
{
	double sums[2 * ATOMS] = {0.0}, largest = 0.0;

	window_make(WIDTH, 2.0, &test->window);
	for (int k = 0; k < 3; ++k)
		test->window.frame[FRAME_WIDTHS + k] = WIDTH;
	for (int j = 0; j < ATOMS; ++j) {
		for (int k = 0; k < 3; ++k) {
			test->atoms[ATOM_NUMBERS * j + k] = 6.0 + 3.0 * sin(1.0 + 2.0 * j + 3.1 * k);
			test->places[3 * j + k] = 6.0 + 3.0 * cos(0.3 + 1.7 * j + 2.2 * k);
		}
		test->atoms[ATOM_NUMBERS * j + ATOM_REAL] = cos(j);
		test->atoms[ATOM_NUMBERS * j + ATOM_IMAGINARY] = sin(j);
	}
	CHECK(memory_allocate(&test->mesh, NUMBERS, sizeof(double), "the mesh"));
	CHECK(memory_allocate(&test->expected, NUMBERS, sizeof(double), "the mesh"));
	expect(test, NULL);
	expect(test, sums);
	CHECK(run_kernels(device, test));
	for (int n = 0; n < NUMBERS; ++n)
		largest = larger(largest, fabs(test->mesh[n] - test->expected[n]));
	for (int j = 0; j < 2 * ATOMS; ++j)
		largest = larger(largest, fabs(test->sums[j] - sums[j]));
	return self_test_compare(largest, TOLERANCE, "sums on a mesh");
}

sonde_status fast_self_test(struct device *device)
{
	struct self_test *test;

	CHECK(memory_allocate(&test, 1, sizeof *test, "the self-test"));
	const sonde_status status = compare(device, test);
	free(test->mesh);
	free(test->expected);
	free(test);
	return status;
}
