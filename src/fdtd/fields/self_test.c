/* The device's self-test: a small grid with all features of the kernels, compared with the oracle. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "device/self_test.h"
#include "fdtd/fields/fields.h"
#include "fdtd/media/answers.h"
#include "fdtd/fields/kernels.h"
#include "fdtd/fields/fields_gpu.h"
#include "fdtd/fields/reference.h"
#include "fdtd/media/smooth.h"

#define STEPS 12
#define TOLERANCE_F64 1e-13
#define TOLERANCE_F32 2e-6

/* Pseudorandom numbers from 0 to 1: multiples of the golden ratio. */
static double draw(size_t n)
{
	double x = (double)(n % 1000003) * 0.6180339887498949;

	return x - floor(x);
}

/* In three dimensions: three edges per plane, away from the walls, whose E follows from D at these and at arbitrary
 * other edges. */
static sonde_status add_smooth_edges(const struct fdtd_grid *grid, struct media *media)
{
	const struct medium collecting = {.permittivity = 0.5, .conductivity = 1.0, .permeability = 1.0};
	const size_t count = 3 * (size_t)(grid->cells[0] - 3);
	uint16_t number;

	CHECK(media_add(media, &collecting, &number));
	CHECK(memory_allocate(&media->smooth, 1, sizeof *media->smooth, "the self-test"));
	CHECK(memory_allocate(&media->smooth->edges, count, sizeof *media->smooth->edges, "the self-test"));
	media->smooth->count = count;
	for (size_t n = 0; n < count; ++n) {
		struct smooth_edge *edge = &media->smooth->edges[n];
		edge->component = (int)(n + 1) % 3;
		edge->node[0] = 2 + (int)(n / 3);
		for (int a = 1; a < 3; ++a)
			edge->node[a] = 2 + (int)((2 * n + (size_t)a) % (size_t)(grid->cells[a] - 3));
		edge->own = 0.4 + 0.1 * draw(n);
		for (size_t m = 0; m < NEIGHBORS_OF_EDGE; ++m) {
			edge->neighbors[m] = (uint32_t)((7 * n + 5 * m) % count);
			edge->weights[m] = 0.1 * (draw(8 * n + m) - 0.5);
		}
		CHECK(media_set_number(media->edges[edge->component],
				       media_at(grid, edge->node[0], edge->node[1], edge->node[2]), number));
	}
	return SONDE_OK;
}

/* A ball of a medium with poles next to all the others: the answers at its surface. */
static sonde_status add_answers(const struct fdtd_grid *grid, uint16_t number, struct media *media)
{
	struct body body = {.medium = number};
	const struct scene scene = {
	    .grid = grid, .frame = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, .bodies = &body, .count = 1, .threads = 1};
	double center[3];
	struct shape *shape;

	for (int a = 0; a < 3; ++a)
		center[a] = grid_is_uniform(grid, a) ? 0.0 : 0.5 * grid->cells[a] + 0.1 * a;
	CHECK(shape_create_sphere(center, 2.3, &shape));
	body.shape = shape;
	const sonde_status status = paint_answers(&scene, media);
	shape_free(&shape);
	return status;
}

static sonde_status make_media(const struct fdtd_grid *grid, struct media *media)
{
	size_t count = media_at(grid, grid->cells[0], grid->cells[1], grid->cells[2]) + 1;
	uint16_t numbers[5] = {0};

	CHECK(media_make(grid, 1, 1, media));
	struct medium poles = {.permittivity = 1.5, .conductivity = 0.1, .permeability = 1.0, .poles = 3};
	poles.pole[0] = medium_pole_lorentz(0.7, 0.3, 0.05);
	poles.pole[1] = medium_pole_drude(0.2, 0.02);
	poles.pole[2] = medium_pole_debye(0.4, 7.0);
	CHECK(media_add(media, &(struct medium){.permittivity = 2.0, .conductivity = 0.3, .permeability = 1.0},
			&numbers[1]));
	CHECK(media_add(media,
			&(struct medium){.permittivity = 5.5, .permeability = 1.5, .magnetic_conductivity = 0.2},
			&numbers[2]));
	CHECK(media_add(media, &(struct medium){.permittivity = 1.0, .permeability = 1.0, .conductor = 1},
			&numbers[3]));
	CHECK(media_add(media, &poles, &numbers[4]));
	for (int a = 0; a < 3; ++a)
		for (size_t n = 0; n < count; ++n) {
			CHECK(media_set_number(media->edges[a], n, numbers[(size_t)(5.0 * draw(3 * n + (size_t)a))]));
			CHECK(media_set_number(media->faces[a], n, numbers[(size_t)(3.0 * draw(5 * n + (size_t)a))]));
		}
	if (!grid_is_uniform(grid, 0) && !grid_is_uniform(grid, 1))
		CHECK(add_smooth_edges(grid, media));
	return add_answers(grid, numbers[4], media);
}

/* The device and the oracle begin with the same E everywhere except on the walls, where it stays 0. The two parts use
 * different pseudorandom numbers. */
static sonde_status begin(struct fdtd_reference *reference, struct fields *fields, size_t from)
{
	for (int a = 0; a < 3; ++a) {
		for (size_t n = 0; n < reference->count; ++n) {
			const int *cells = reference->grid.cells;
			int node[3] = {(int)(n / reference->stride[0]),
				       (int)(n / reference->stride[1]) % (cells[1] + 1),
				       (int)(n % reference->stride[1])};
			bool inside = node[a] < cells[a];
			for (int b = 0; b < 3; ++b)
				inside &= a == b || (node[b] >= grid_first_node(&reference->grid, b) &&
						     node[b] < grid_end_node(&reference->grid, b));
			reference->e[a][n] = inside ? (float)(draw(7 * n + (size_t)a + from) - 0.5) : 0.0;
		}
		CHECK(fields_write(fields, FIELD_E, a, reference->e[a]));
	}
	return SONDE_OK;
}

static sonde_status deviation(struct fields *fields, const struct fdtd_reference *reference, double *worst)
{
	double *values;
	sonde_status status = SONDE_OK;

	CHECK(memory_allocate(&values, reference->count, sizeof *values, "the self-test"));
	for (int a = 0; a < 3 && status == SONDE_OK; ++a) {
		const int *cells = reference->grid.cells;
		status = fields_read(fields, FIELD_E, a, values);
		for (int i = 0; i < cells[0]; ++i)
			for (int j = 0; j < cells[1]; ++j)
				for (int k = 0; k < cells[2]; ++k) {
					size_t n = media_at(&reference->grid, i, j, k);
					*worst = fmax(*worst, fabs(values[n] - reference->e[a][n]));
				}
	}
	free(values);
	return status;
}

/* One field after the other; in the second half of the steps both at once, where possible. */
static sonde_status step(struct fields *fields, bool at_once)
{
	uint32_t planes = fields->layout.end[0];

	if (at_once) {
		CHECK(fields_step_both(fields, 0, fields->layout.end[0]));
		return fields_close(fields, FIELD_E, 0, planes);
	}
	for (int field = FIELD_H; field >= FIELD_E; --field) {
		CHECK(fields_step(fields, (enum field)field, 0, planes));
		CHECK(fields_close(fields, (enum field)field, 0, planes));
	}
	return SONDE_OK;
}

static sonde_status run_both(struct fields *fields, struct fdtd_reference *reference, double *worst)
{
	bool at_once = fields_can_step_both(fields);

	if (reference->imaginary != NULL)
		CHECK(begin(reference->imaginary, fields->imaginary, 500));
	CHECK(begin(reference, fields, 0));
	if (at_once)
		CHECK(fields_make_both(fields));
	for (int n = 0; n < STEPS; ++n) {
		fdtd_reference_step_h(reference);
		fdtd_reference_step_e(reference);
		fdtd_reference_polarize(reference);
		CHECK(step(fields, at_once && n >= STEPS / 2));
	}
	*worst = 0.0;
	CHECK(deviation(fields, reference, worst));
	return reference->imaginary != NULL ? deviation(fields->imaginary, reference->imaginary, worst) : SONDE_OK;
}

static sonde_status compare(struct device *device, const struct fdtd_grid *grid, bool single)
{
	struct media media;
	struct fdtd_reference *reference = NULL;
	struct fields fields = {0};
	double worst = INFINITY;
	sonde_status status = make_media(grid, &media);

	if (status == SONDE_OK)
		status = fdtd_reference_make(grid, &media, &reference);
	if (status == SONDE_OK)
		status = fields_make(device, grid, &media, single, &fields);
	if (status == SONDE_OK)
		status = run_both(&fields, reference, &worst);
	fields_release(&fields);
	fdtd_reference_free(&reference);
	media_free(&media);
	CHECK(status);
	return self_test_compare(worst, single ? TOLERANCE_F32 : TOLERANCE_F64, "fields");
}

/* Fields whose kernels are only requested. */
static void request_some(struct device *device, const struct fdtd_grid *grid, bool single)
{
	struct media media;
	struct fields fields = {0};

	if (make_media(grid, &media) == SONDE_OK && fields_make(device, grid, &media, single, &fields) == SONDE_OK &&
	    fields_can_step_both(&fields))
		(void)fields_make_both(&fields);
	fields_release(&fields);
	media_free(&media);
}

/* On a new machine kernels are compiled, which takes some tenths of a second for each, by as many threads as there are.
 * Failures are found again below. */
static void request_kernels(struct device *device, const struct fdtd_grid *const *grids, int count)
{
	struct fields first = {.device = device, .on_gpu = fields_suit_gpu(device)};
	struct device_kernel kernel;

	if (!device_request_kernels(device, true))
		return;
	(void)fields_find_kernel(&first, "transform", &kernel);
	for (int n = 0; n < 2 * count && device_requested_kernels(device) > 0; ++n)
		request_some(device, grids[n / 2], n % 2 != 0);
	(void)device_request_kernels(device, false);
}

sonde_status fdtd_self_test(struct device *device)
{
	const struct absorbing_layer thin = absorbing_layer_of(3), thick = absorbing_layer_of(4), none = {0};
	const struct fdtd_grid absorbing = {.cells = {11, 9, 21},
					    .courant = {0.5, 0.57, 0.6},
					    .layers = {{thin, thick}, {thick, none}, {thick, thin}}};
	/* some cells are far from all layers and walls: GPUs step them separately; rows have no room for the media on the
	 * last conductor */
	const struct fdtd_grid wide = {.cells = {24, 10, 192},
				       .courant = {0.5, 0.57, 0.6},
				       .layers = {{thin, none}, {none, thin}, {thick, thin}}};
	const struct fdtd_grid flat = {.cells = {14, 1, 40},
				       .courant = {0.6, 0.0, 0.7},
				       .walls = {{WALL_CONDUCTOR}, {WALL_PERIODIC, WALL_PERIODIC}},
				       .layers = {{thin, none}, {none, none}, {thick, thin}}};
	const struct fdtd_grid line = {.cells = {1, 1, 70},
				       .courant = {0.0, 0.0, 0.9},
				       .walls = {{WALL_PERIODIC, WALL_PERIODIC},
						 {WALL_PERIODIC, WALL_PERIODIC},
						 {WALL_CONDUCTOR, WALL_MAGNETIC}},
				       .layers = {{none, none}, {none, none}, {thick, none}}};
	const struct fdtd_grid walled = {.cells = {7, 6, 5},
					 .courant = {0.5, 0.57, 0.6},
					 .walls = {{WALL_PERIODIC, WALL_PERIODIC},
						   {WALL_MAGNETIC, WALL_CONDUCTOR},
						   {WALL_MAGNETIC, WALL_MAGNETIC}}};
	const struct fdtd_grid tight = {.cells = {7, 6, 64},
					.courant = {0.5, 0.57, 0.6},
					.walls = {{WALL_CONDUCTOR, WALL_MAGNETIC}, {WALL_PERIODIC, WALL_PERIODIC}},
					.layers = {{none, none}, {none, none}, {thin, none}}};
	const struct fdtd_grid bloch = {
	    .cells = {5, 6, 36},
	    .courant = {0.5, 0.57, 0.6},
	    .walls = {{WALL_PERIODIC, WALL_PERIODIC}, {WALL_PERIODIC, WALL_PERIODIC}, {WALL_PERIODIC, WALL_PERIODIC}},
	    .bloch = true,
	    .phase = {0.7, -2.0, 1.1}};

	const struct fdtd_grid *const grids[] = {&absorbing, &flat, &line, &walled, &tight, &bloch, &wide};
	const int count = device_properties(device)->gpu_kernels ? 7 : 6;

	request_kernels(device, grids, count);
	for (int n = 0; n < 2 * count; ++n)
		CHECK(compare(device, grids[n / 2], n % 2 != 0));
	return SONDE_OK;
}
