#include "pattern/fast/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/line_transform.h"
#include "base/memory.h"
#include "base/threads.h"
#include "device/kernel.h"
#include "device/kernel_math.h"
#include "pattern/fast/gpu_mesh.h"
#include "pattern/pattern.h"

#define CHUNKS 32     /* of atoms that are sorted; the order does not depend on the threads */
#define CELL_NODES 16 /* along x, of atoms next to each other in memory */
#define COLORS 4      /* of pencils: those of one color share no nodes */
#define NUMBERS (2 * LINES_AT_ONCE)
#define LINES_OF_THREAD 8
#define CLEARED 65536

sonde_status fast_mesh_make(sonde_context *context, struct device *gpu, const struct fast_atoms *atoms,
			    const struct window *window, struct fast_mesh *mesh)
{
	*mesh = (struct fast_mesh){.context = context, .atoms = *atoms, .window = window};
	if (gpu != NULL)
		return gpu_mesh_make(context, gpu, atoms, &mesh->gpu);
	CHECK(context_host_device(context, &mesh->device));
	CHECK(device_kernel(mesh->device, &pattern_program, "pattern_spread", 1, 0, NULL, 0, &mesh->spread));
	return device_kernel(mesh->device, &pattern_program, "pattern_interpolate", 1, 0, NULL, 0,
			     &mesh->interpolate);
}

void fast_mesh_free(struct fast_mesh *mesh)
{
	for (int k = 0; k < 3; ++k) {
		line_transform_free(mesh->fourier[k]);
		free(mesh->shape.node_factors[k]);
		free(mesh->shape.wave_factors[k]);
	}
	gpu_mesh_free(&mesh->gpu);
	free(mesh->planes);
	free(mesh->placed);
	free(mesh->meshes[0]);
	free(mesh->meshes[1]);
	free(mesh->lines);
	free(mesh->sorted);
	free(mesh->keys);
	free(mesh->counts);
	free(mesh->starts);
	free(mesh->pencils);
	*mesh = (struct fast_mesh){.context = NULL};
}

/* Shape ------------------------------------------------------------------------------------------------------ */

/* Factors that undo the window: of nodes for interpolated waves, of waves for regular ones. */
static sonde_status make_factors(struct fast_mesh *mesh, int k)
{
	const struct fast_axis *axis = &mesh->shape.axes.axis[k];

	CHECK(memory_grow(&mesh->shape.node_factors[k], &mesh->shape.node_capacity[k], (size_t)axis->nodes,
			  sizeof(double), "the waves"));
	CHECK(memory_grow(&mesh->shape.wave_factors[k], &mesh->shape.wave_capacity[k], 2 * (size_t)axis->waves,
			  sizeof(double), "the waves"));
	for (int64_t n = 0; n < axis->nodes; ++n) {
		const double phase = 2.0 * PI * (double)(n + axis->first_node) / (double)axis->size;
		mesh->shape.node_factors[k][n] = axis->regular ? 1.0 : 1.0 / window_transform(mesh->window, phase);
	}
	for (int64_t n = 0; n < axis->waves; ++n) {
		const double wave = (double)(n + axis->first_wave), phase = 2.0 * PI * wave / (double)axis->size;
		const double size = axis->regular ? 1.0 / window_transform(mesh->window, phase) : 1.0,
			     angle = axis->regular ? wave * axis->center : 0.0;
		mesh->shape.wave_factors[k][2 * n] = size * cos(angle);
		mesh->shape.wave_factors[k][2 * n + 1] = size * sin(angle);
	}
	return SONDE_OK;
}

static sonde_status shape_axis(struct fast_mesh *mesh, int k)
{
	line_transform_free(mesh->fourier[k]);
	mesh->fourier[k] = NULL;
	mesh->shape.frame[FRAME_WIDTHS + k] = mesh->shape.axes.axis[k].single ? 1.0 : mesh->window->width;
	if (mesh->shape.axes.axis[k].single)
		return SONDE_OK;
	if (mesh->gpu != NULL)
		return make_factors(mesh, k);
	mesh->fourier[k] = line_transform_make((int)mesh->shape.axes.axis[k].size);
	if (mesh->fourier[k] == NULL)
		return memory_missing("the waves");
	return make_factors(mesh, k);
}

/* Nodes of a pencil along an axis: those of one color have a pencil between them, as wide as the window. */
static int64_t pencils_along(const struct fast_mesh *mesh, int k)
{
	const int64_t width = mesh->window->width;

	return mesh->shape.axes.axis[k].single ? 1 : (mesh->shape.axes.axis[k].nodes + width - 1) / width;
}

static int64_t cells_along(const struct fast_mesh *mesh)
{
	return mesh->shape.axes.axis[0].nodes / CELL_NODES + 1;
}

static sonde_status grow_sorting(struct fast_mesh *mesh, size_t atoms)
{
	const size_t pencils = (size_t)(pencils_along(mesh, 1) * pencils_along(mesh, 2)),
		     keys = pencils * (size_t)cells_along(mesh);

	CHECK(memory_grow(&mesh->sorted, &mesh->sorted_capacity, ATOM_NUMBERS * atoms, sizeof(double), "the atoms"));
	CHECK(memory_grow(&mesh->keys, &mesh->key_capacity, atoms, sizeof *mesh->keys, "the atoms"));
	CHECK(memory_grow(&mesh->counts, &mesh->count_capacity, CHUNKS * keys, sizeof *mesh->counts, "the atoms"));
	CHECK(memory_grow(&mesh->starts, &mesh->start_capacity, pencils + 1, sizeof *mesh->starts, "the atoms"));
	return memory_grow(&mesh->pencils, &mesh->pencil_capacity, pencils, sizeof *mesh->pencils, "the atoms");
}

sonde_status fast_mesh_shape(struct fast_mesh *mesh, const struct fast_axes *axes, size_t atoms)
{
	double sizes[4];
	int64_t longest = 1;

	mesh->shape.axes = *axes;
	memcpy(mesh->shape.frame, mesh->window->frame, sizeof mesh->shape.frame);
	for (int k = 0; k < 3; ++k) {
		CHECK(shape_axis(mesh, k));
		longest = axes->axis[k].size > longest ? axes->axis[k].size : longest;
	}
	if (mesh->gpu != NULL)
		return gpu_mesh_shape(mesh->gpu, &mesh->shape);
	fast_axes_sizes(axes, sizes);
	for (int b = 0; b < 2; ++b) {
		const size_t numbers = 2 * (size_t)fmax(sizes[b], sizes[b + 2]) + 2 * MESH_ROOM;
		if (mesh->mesh_capacity[b] >= numbers)
			continue;
		free(mesh->meshes[b]);
		mesh->mesh_capacity[b] = 0;
		CHECK(memory_allocate(&mesh->meshes[b], numbers, sizeof(double), "the mesh"));
		mesh->mesh_capacity[b] = numbers;
	}
	const size_t line_numbers = (size_t)context_threads(mesh->context) * 2 * NUMBERS * (size_t)longest;
	if (mesh->line_capacity < line_numbers) { /* aligned, as memory_grow() is not */
		free(mesh->lines);
		mesh->line_capacity = 0;
		CHECK(memory_allocate(&mesh->lines, line_numbers, sizeof(double), "the waves"));
		mesh->line_capacity = line_numbers;
	}
	return grow_sorting(mesh, atoms);
}

/* Atoms ------------------------------------------------------------------------------------------------------- */

struct sorting {
	struct fast_mesh *mesh;
	const struct fast_atom *atoms;
	const double *weights; /* of classes */
	int moment;
	int64_t count;
	double middle[3];
	int64_t pencils_y, cells, keys;
};

static void find_place(const struct sorting *sorting, const struct fast_atom *atom, double place[3])
{
	for (int k = 0; k < 3; ++k) {
		const struct fast_axis *axis = &sorting->mesh->shape.axes.axis[k];
		const double *e = axis->direction;
		place[k] = axis->single ? 0.0
					: fast_axis_place(axis, e[0] * atom->r[0] + e[1] * atom->r[1] +
								    e[2] * atom->r[2] - axis->center);
	}
}

static uint32_t key_of(const struct sorting *sorting, const double place[3])
{
	const struct fast_mesh *mesh = sorting->mesh;
	const double half = 0.5 * mesh->window->width;
	int64_t pencil[3] = {0, 0, 0};

	for (int k = 1; k < 3; ++k)
		if (!mesh->shape.axes.axis[k].single)
			pencil[k] = ((int64_t)(place[k] - half) + 1) / mesh->window->width;
	return (uint32_t)((pencil[2] * sorting->pencils_y + pencil[1]) * sorting->cells +
			  (int64_t)place[0] / CELL_NODES);
}

static int64_t chunk_begin(const struct sorting *sorting, int64_t chunk)
{
	return sorting->count * chunk / CHUNKS;
}

static void count_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct sorting *sorting = state;

	(void)worker;
	for (int64_t chunk = first; chunk < end; ++chunk) {
		uint32_t *counts = sorting->mesh->counts + chunk * sorting->keys;
		memset(counts, 0, (size_t)sorting->keys * sizeof *counts);
		for (int64_t i = chunk_begin(sorting, chunk); i < chunk_begin(sorting, chunk + 1); ++i) {
			double place[3];
			find_place(sorting, &sorting->atoms[i], place);
			sorting->mesh->keys[i] = key_of(sorting, place);
			++counts[sorting->mesh->keys[i]];
		}
	}
}

static double factor_of(const struct sorting *sorting, const struct fast_atom *atom)
{
	const struct fast_axis *axis = &sorting->mesh->shape.axes.axis[2];
	const double *e = axis->direction;
	double factor = sorting->weights[atom->class];

	for (int m = 0; m < sorting->moment; ++m)
		factor *= (e[0] * atom->r[0] + e[1] * atom->r[1] + e[2] * atom->r[2] - axis->center) / axis->half;
	return factor;
}

static void move_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct sorting *sorting = state;
	const double *q = sorting->middle;

	(void)worker;
	for (int64_t chunk = first; chunk < end; ++chunk)
		for (int64_t i = chunk_begin(sorting, chunk); i < chunk_begin(sorting, chunk + 1); ++i) {
			const struct fast_atom *atom = &sorting->atoms[i];
			const uint32_t key = sorting->mesh->keys[i];
			double *to = sorting->mesh->sorted +
				     ATOM_NUMBERS * (size_t)sorting->mesh->counts[chunk * sorting->keys + key]++;
			const double factor = factor_of(sorting, atom);
			lanes_f64 s, c;
			find_place(sorting, atom, to + ATOM_PLACE);
			lanes_sincos(LANES_SPLAT(q[0] * atom->r[0] + q[1] * atom->r[1] + q[2] * atom->r[2]), &s, &c,
				     0);
			to[ATOM_REAL] = factor * LANES_FIRST(c);
			to[ATOM_IMAGINARY] = factor * LANES_FIRST(s);
		}
}

/* Where the atoms of each key and chunk begin, and those of each pencil. */
static void find_starts(const struct sorting *sorting)
{
	struct fast_mesh *mesh = sorting->mesh;
	uint32_t sum = 0;

	for (int64_t key = 0; key < sorting->keys; ++key) {
		if (key % sorting->cells == 0)
			mesh->starts[key / sorting->cells] = sum;
		for (int64_t chunk = 0; chunk < CHUNKS; ++chunk) {
			uint32_t *count = &mesh->counts[chunk * sorting->keys + key];
			const uint32_t own = *count;
			*count = sum;
			sum += own;
		}
	}
	mesh->starts[sorting->keys / sorting->cells] = sum;
}

static void sort_atoms(struct fast_mesh *mesh, const struct fast_atom *atoms, int64_t count, const double *weights,
		       int moment, const double middle[3])
{
	struct sorting sorting = {.mesh = mesh,
				  .atoms = atoms,
				  .weights = weights,
				  .moment = moment,
				  .count = count,
				  .pencils_y = pencils_along(mesh, 1),
				  .cells = cells_along(mesh)};
	const int threads = context_threads(mesh->context);

	memcpy(sorting.middle, middle, sizeof sorting.middle);
	sorting.keys = sorting.pencils_y * pencils_along(mesh, 2) * sorting.cells;
	threads_for(threads, CHUNKS, 1, count_some, &sorting);
	find_starts(&sorting);
	threads_for(threads, CHUNKS, 1, move_some, &sorting);
}

static void clear_some(void *state, int64_t first, int64_t end, int worker)
{
	(void)worker;
	memset((double *)state + first, 0, (size_t)(end - first) * sizeof(double));
}

/* The nonempty pencils of one color. */
static uint32_t list_pencils(const struct fast_mesh *mesh, int color)
{
	const int64_t along_y = pencils_along(mesh, 1), along_z = pencils_along(mesh, 2);
	uint32_t count = 0;

	for (int64_t z = color / 2; z < along_z; z += 2)
		for (int64_t y = color % 2; y < along_y; y += 2) {
			const uint32_t pencil = (uint32_t)(z * along_y + y);
			if (mesh->starts[pencil + 1] > mesh->starts[pencil])
				mesh->pencils[count++] = pencil;
		}
	return count;
}

static void clear(struct fast_mesh *mesh)
{
	double sizes[4];

	fast_axes_sizes(&mesh->shape.axes, sizes);
	threads_for(context_threads(mesh->context), 2 * (int64_t)sizes[0] + MESH_ROOM, CLEARED, clear_some,
		    mesh->meshes[0]);
}

static sonde_status spread(struct fast_mesh *mesh)
{
	const uint32_t row = 2 * (uint32_t)fast_row(mesh->shape.axes.axis[0].nodes),
		       rows = (uint32_t)mesh->shape.axes.axis[1].nodes;
	const double *frame = mesh->shape.frame, *sorted = mesh->sorted;

	for (int color = 0; color < COLORS; ++color) {
		const uint32_t count = list_pencils(mesh, color);
		const struct device_argument arguments[] = {
		    DEVICE_ARGUMENT(sorted),         DEVICE_ARGUMENT(mesh->starts), DEVICE_ARGUMENT(mesh->pencils),
		    DEVICE_ARGUMENT(frame),          DEVICE_ARGUMENT(row),          DEVICE_ARGUMENT(rows),
		    DEVICE_ARGUMENT(mesh->meshes[0])};
		if (count > 0)
			CHECK(device_launch(mesh->device, &mesh->spread, count, arguments, 7));
	}
	return device_wait(mesh->device);
}

/* Batch after batch of the atoms of all copies. */
static sonde_status spread_copies(struct fast_mesh *mesh, int64_t first, int64_t count, const double *weights,
				  int moment, const double middle[3])
{
	const struct fast_copies *copies = mesh->atoms.copies;
	struct fast_batch batch = {.run = NULL};

	CHECK(memory_grow(&mesh->placed, &mesh->placed_capacity, (size_t)fast_copies_most(copies->sample),
			  sizeof *mesh->placed, "the atoms"));
	while (fast_copies_next(copies, first, first + count, &batch) && !context_cancelled(mesh->context)) {
		fast_copies_place(copies, mesh->atoms.atoms, &batch, context_threads(mesh->context), mesh->placed);
		sort_atoms(mesh, mesh->placed, batch.count, weights, moment, middle);
		CHECK(spread(mesh));
	}
	return SONDE_OK;
}

/* Waves ------------------------------------------------------------------------------------------------------- */

/* Strides, in complex numbers: from one outer index, line, and number of a line to the next. */
struct strides {
	int64_t outer, line, number;
};
struct lines {
	struct fast_mesh *mesh;
	int axis;
	int64_t line_count, groups; /* of lines, for each outer index */
	struct strides in, out;
	const double *from;
	double *to;
	int64_t longest;
};

/* `count` of LINES_AT_ONCE lines, a constant where all are there. */
static inline void load(const struct lines *lines, const double *from, const int count, double *buffer)
{
	const struct fast_axis *axis = &lines->mesh->shape.axes.axis[lines->axis];
	const double *factors = lines->mesh->shape.node_factors[lines->axis];
	const int64_t line = 2 * lines->in.line;
	int64_t at = (axis->first_node % axis->size + axis->size) % axis->size;

	memset(buffer, 0, (size_t)axis->size * NUMBERS * sizeof *buffer);
	for (int64_t n = 0; n < axis->nodes; ++n) {
		double *to = buffer + NUMBERS * at;
		for (int l = 0; l < count; ++l) {
			to[l] += factors[n] * from[l * line];
			to[LINES_AT_ONCE + l] += factors[n] * from[l * line + 1];
		}
		from += 2 * lines->in.number;
		at = at + 1 < axis->size ? at + 1 : 0;
	}
}

static inline void store(const struct lines *lines, double *to, const int count, const double *buffer)
{
	const struct fast_axis *axis = &lines->mesh->shape.axes.axis[lines->axis];
	const double *factors = lines->mesh->shape.wave_factors[lines->axis];
	const int64_t line = 2 * lines->out.line;
	int64_t at = (axis->first_wave % axis->size + axis->size) % axis->size;

	for (int64_t n = 0; n < axis->waves; ++n) {
		const double *from = buffer + NUMBERS * at, fr = factors[2 * n], fi = factors[2 * n + 1];
		for (int l = 0; l < count; ++l) {
			const double real = from[l], imaginary = from[LINES_AT_ONCE + l];
			to[l * line] = fr * real - fi * imaginary;
			to[l * line + 1] = fr * imaginary + fi * real;
		}
		to += 2 * lines->out.number;
		at = at + 1 < axis->size ? at + 1 : 0;
	}
}

static void transform_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct lines *lines = state;
	double *in = lines->mesh->lines + (size_t)worker * 2 * NUMBERS * (size_t)lines->longest,
	       *out = in + NUMBERS * lines->longest;

	for (int64_t k = first; k < end; ++k) {
		const int64_t outer = k / lines->groups, line = k % lines->groups * LINES_AT_ONCE,
			      left = lines->line_count - line;
		const double *from = lines->from + 2 * (outer * lines->in.outer + line * lines->in.line);
		double *to = lines->to + 2 * (outer * lines->out.outer + line * lines->out.line);
		if (left >= LINES_AT_ONCE) {
			load(lines, from, LINES_AT_ONCE, in);
			line_transform_run(lines->mesh->fourier[lines->axis], in, out);
			store(lines, to, LINES_AT_ONCE, out);
		} else {
			load(lines, from, (int)left, in);
			line_transform_run(lines->mesh->fourier[lines->axis], in, out);
			store(lines, to, (int)left, out);
		}
	}
}

/* Along one axis; meshes are [z][y][x], x being axis 0. */
static void transform_axis(struct fast_mesh *mesh, int k)
{
	const struct fast_axis *x = &mesh->shape.axes.axis[0], *y = &mesh->shape.axes.axis[1],
			       *z = &mesh->shape.axes.axis[2], *own = &mesh->shape.axes.axis[k];
	const int64_t row = fast_row(k == 0 ? x->nodes : x->waves), row_out = fast_row(x->waves);
	struct lines lines = {.mesh = mesh,
			      .axis = k,
			      .from = mesh->meshes[mesh->latest],
			      .to = mesh->meshes[1 - mesh->latest],
			      .longest = own->size};
	int64_t outer = 1;

	if (own->single)
		return;
	if (k == 0) {
		lines.line_count = y->nodes * z->nodes;
		lines.in = (struct strides){0, row, 1};
		lines.out = (struct strides){0, row_out, 1};
	} else if (k == 1) {
		outer = z->nodes;
		lines.line_count = x->waves;
		lines.in = (struct strides){y->nodes * row, 1, row};
		lines.out = (struct strides){y->waves * row, 1, row};
	} else {
		lines.line_count = y->waves * row;
		lines.in = lines.out = (struct strides){0, 1, y->waves * row};
	}
	lines.groups = (lines.line_count + LINES_AT_ONCE - 1) / LINES_AT_ONCE;
	threads_for(context_threads(mesh->context), outer * lines.groups, LINES_OF_THREAD, transform_some, &lines);
	mesh->latest = 1 - mesh->latest;
}

sonde_status fast_mesh_transform(struct fast_mesh *mesh, int64_t first, int64_t count, const double *weights,
				 int moment, const double middle[3])
{
	if (mesh->gpu != NULL)
		return gpu_mesh_transform(mesh->gpu, first, count, weights, mesh->atoms.classes, moment, middle);
	clear(mesh);
	if (mesh->atoms.copies != NULL) {
		CHECK(spread_copies(mesh, first, count, weights, moment, middle));
	} else {
		sort_atoms(mesh, mesh->atoms.atoms + first, count, weights, moment, middle);
		CHECK(spread(mesh));
	}
	mesh->latest = 0;
	for (int k = 0; k < 3 && !context_cancelled(mesh->context); ++k)
		transform_axis(mesh, k);
	return SONDE_OK;
}

sonde_status fast_mesh_waves(struct fast_mesh *mesh, int64_t first, int64_t count, const double **waves, int64_t *row,
			     int64_t *rows)
{
	*row = fast_row(mesh->shape.axes.axis[0].waves);
	*rows = mesh->shape.axes.axis[1].waves;
	const int64_t plane = 2 * *row * *rows;
	if (mesh->gpu == NULL) {
		*waves = mesh->meshes[mesh->latest] + first * plane;
		return SONDE_OK;
	}
	CHECK(
	    memory_grow(&mesh->planes, &mesh->plane_capacity, (size_t)(count * plane), sizeof(double), "the waves"));
	*waves = mesh->planes;
	return gpu_mesh_waves(mesh->gpu, first, count, mesh->planes);
}

sonde_status fast_mesh_set_points(struct fast_mesh *mesh, const double *places, int64_t count)
{
	mesh->places = places;
	mesh->point_count = count;
	return mesh->gpu != NULL ? gpu_mesh_set_points(mesh->gpu, places, count) : SONDE_OK;
}

sonde_status fast_mesh_interpolate(struct fast_mesh *mesh, double *sums)
{
	if (mesh->gpu != NULL)
		return gpu_mesh_interpolate(mesh->gpu, sums);
	const uint32_t row = 2 * (uint32_t)fast_row(mesh->shape.axes.axis[0].waves),
		       rows = (uint32_t)mesh->shape.axes.axis[1].waves, points = (uint32_t)mesh->point_count;
	const double *frame = mesh->shape.frame, *places = mesh->places;
	const struct device_argument arguments[] = {
	    DEVICE_ARGUMENT(places), DEVICE_ARGUMENT(points), DEVICE_ARGUMENT(frame),
	    DEVICE_ARGUMENT(row),    DEVICE_ARGUMENT(rows),   DEVICE_ARGUMENT(mesh->meshes[mesh->latest]),
	    DEVICE_ARGUMENT(sums)};

	CHECK(device_launch(mesh->device, &mesh->interpolate, (points + INTERPOLATED - 1) / INTERPOLATED, arguments,
			    7));
	return device_wait(mesh->device);
}
