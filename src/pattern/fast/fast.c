#include "pattern/fast/fast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/threads.h"
#include "device/kernel.h"
#include "device/kernel_math.h"
#include "pattern/fast/sums.h"
#include "pattern/joint.h"

#define EXTENT_PARTS 64 /* of the atoms */
#define PIXELS_OF_THREAD 1024
#define CLEARED_AT_ONCE 65536
#define LEAST_TABLED 20000 /* points, for which a table of the window's transform takes less time than its values */
#define TABLE_ERROR 1e-14
#define PLANES_NUMBERS (8 << 20) /* of waves that are copied from a GPU at a time */

/* Extents ---------------------------------------------------------------------------------------------------- */

struct extents {
	const struct sums *run;
	const struct fast_axes *axes;
	double low[EXTENT_PARTS][3], high[EXTENT_PARTS][3];
};

static void find_some(void *state, int64_t first, int64_t end, int worker)
{
	struct extents *extents = state;
	const int64_t all = extents->run->plan->sample.view.count;

	(void)worker;
	for (int64_t part = first; part < end; ++part) {
		/* not in the arrays, whose lines of the cache other threads write, too */
		double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
		for (int64_t i = all * part / EXTENT_PARTS; i < all * (part + 1) / EXTENT_PARTS; ++i)
			for (int k = 0; k < 3; ++k) {
				const double *e = extents->axes->axis[k].direction, *r = extents->run->atoms[i].r;
				const double t = e[0] * r[0] + e[1] * r[1] + e[2] * r[2];
				low[k] = t < low[k] ? t : low[k];
				high[k] = t > high[k] ? t : high[k];
			}
		memcpy(extents->low[part], low, sizeof low);
		memcpy(extents->high[part], high, sizeof high);
	}
}

/* The axes of a patch with the extents of all atoms, for which the mesh is shaped. */
static sonde_status shape_mesh(struct sums *run, const struct patch *patch, struct fast_axes *axes)
{
	const struct patch_list none = {.too_large = true};
	struct extents extents = {.run = run, .axes = &patch->axes};

	threads_for(context_threads(run->context), EXTENT_PARTS, 1, find_some, &extents);
	for (int part = 1; part < EXTENT_PARTS; ++part)
		for (int k = 0; k < 3; ++k) {
			extents.low[0][k] = fmin(extents.low[0][k], extents.low[part][k]);
			extents.high[0][k] = fmax(extents.high[0][k], extents.high[part][k]);
		}
	patch_axes(patch, &run->patch_atoms, &run->window, extents.low[0], extents.high[0], axes);
	return patch_axes_fit(&run->patch_atoms, axes) ? fast_mesh_shape(&run->mesh, axes, sums_most_atoms(run))
						       : patch_list_check(&none);
}

/* Boxes ------------------------------------------------------------------------------------------------------- */

struct copying {
	const struct sums *run;
	int channel;
	int64_t first; /* plane; the waves begin with it */
	const double *waves;
	int64_t row, rows;
};

/* Adds the waves of a block, times the amplitudes of a channel. */
static void copy_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct copying *copying = state;
	const struct sums *run = copying->run;
	const struct fast_axis *x = &run->mesh.shape.axes.axis[0], *y = &run->mesh.shape.axes.axis[1],
			       *z = &run->mesh.shape.axes.axis[2];
	const int class = run->channels.class_of[copying->channel];

	(void)worker;
	for (int64_t line = first; line < end; ++line) {
		const int64_t j = line % y->count, k = line / y->count;
		const double *from = copying->waves + 2 * (k * copying->rows + j) * copying->row;
		int64_t n =
		    (z->begin + copying->first + k) * z->stride + (y->begin + j) * y->stride + x->begin * x->stride;
		for (int64_t i = 0; i < x->count; ++i, n += x->stride) {
			double vector[3], real, imaginary;
			const double q = pattern_pixel(&run->plan->pixels, n, vector);
			amplitude_of(&run->amplitude_tables, class, vector, q, &real, &imaginary);
			run->values->real[n] += real * from[2 * i] - imaginary * from[2 * i + 1];
			run->values->imaginary[n] += real * from[2 * i + 1] + imaginary * from[2 * i];
		}
	}
}

sonde_status sums_transform(struct sums *run, const double middle[3], int channel, int moment)
{
	const int64_t first = run->channels.mixed ? 0 : run->starts[channel],
		      end = run->channels.mixed ? run->plan->sample.view.count : run->starts[channel + 1];

	return fast_mesh_transform(&run->mesh, first, end - first,
				   run->channels.weights + (size_t)channel * (size_t)run->plan->sample.class_count,
				   moment, middle);
}

/* Planes of waves at a time. */
static sonde_status add_planes(struct sums *run, const struct fast_axes *axes, int channel)
{
	const int64_t lines = axes->axis[1].count, planes = axes->axis[2].count,
		      fit = PLANES_NUMBERS / (2 * fast_row(axes->axis[0].waves) * lines);
	struct copying copying = {.run = run, .channel = channel};

	for (int64_t count, first = 0; first < planes; first += count) {
		count = planes - first < fit ? planes - first : fit < 1 ? 1 : fit;
		copying.first = first;
		CHECK(fast_mesh_waves(&run->mesh, first, count, &copying.waves, &copying.row, &copying.rows));
		threads_for(context_threads(run->context), count * lines, 16, copy_some, &copying);
	}
	return SONDE_OK;
}

static sonde_status add_on_gpu(struct sums *run, const struct fast_axes *axes, int channel)
{
	const int class = run->channels.class_of[channel];
	const struct amplitude_tables *tables = &run->amplitude_tables;

	return gpu_box_add(run->box, axes, &tables->real[class],
			   tables->imaginary != NULL ? &tables->imaginary[class] : NULL);
}

static sonde_status add_block(struct sums *run, const struct patch *patch)
{
	struct fast_axes axes;

	CHECK(shape_mesh(run, patch, &axes));
	for (int k = 0; k < run->channels.count; ++k) {
		CHECK(sums_transform(run, patch->middle, k, 0));
		CHECK(run->box != NULL ? add_on_gpu(run, &axes, k) : add_planes(run, &axes, k));
		run->done += (double)patch->count / run->channels.count;
		CHECK(stage_advance(&run->stage, run->done));
	}
	return SONDE_OK;
}

static void clear_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct sums *run = state;

	(void)worker;
	memset(run->values->real + first, 0, (size_t)(end - first) * sizeof(double));
	memset(run->values->imaginary + first, 0, (size_t)(end - first) * sizeof(double));
}

static sonde_status sum_box(struct sums *run)
{
	struct patch_list list = {.count = 0};

	if (run->box == NULL)
		threads_for(context_threads(run->context), run->plan->pixels.count, CLEARED_AT_ONCE, clear_some,
			    (void *)run);
	sonde_status status = patches_of_box(&run->patch_atoms, &run->window, &run->plan->pixels, &list);
	if (status == SONDE_OK)
		status = patch_list_check(&list);
	for (size_t k = 0; k < list.count && status == SONDE_OK; ++k)
		status = add_block(run, &list.patches[k]);
	patch_list_free(&list);
	return status;
}

/* Points ------------------------------------------------------------------------------------------------------ */

struct placing {
	const struct sums *run;
	const struct patch *patch;
	const struct fast_axes *axes;
	int64_t first; /* pixel of the chunk */
	int channel, moment;
};

/* Places among the waves, and factors that undo the window and the centers of the axes. */
static void place_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct placing *placing = state;
	const struct sums *run = placing->run;
	const bool tabled = run->inverse_transform.parts > 0;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		const double *q = run->vectors + 3 * (placing->patch->first + n), *middle = placing->patch->middle;
		double phase = 0.0, size = 1.0;
		lanes_f64 s, c;
		for (int k = 0; k < 3; ++k) {
			const struct fast_axis *axis = &placing->axes->axis[k];
			const double *e = axis->direction;
			const double along =
			    e[0] * (q[0] - middle[0]) + e[1] * (q[1] - middle[1]) + e[2] * (q[2] - middle[2]);
			phase += along * axis->center;
			run->places[3 * n + k] = axis->single ? 0.0 : along / axis->step - (double)axis->first_wave;
			if (!axis->single)
				size *= tabled ? piecewise_value(&run->inverse_transform, fabs(along) / axis->scale)
					       : 1.0 / window_transform(&run->window, along / axis->scale);
		}
		lanes_sincos(LANES_SPLAT(phase), &s, &c, 0);
		run->factors[2 * n] = LANES_FIRST(c) * size;
		run->factors[2 * n + 1] = LANES_FIRST(s) * size;
		run->amplitudes[2 * n] = run->amplitudes[2 * n + 1] = 0.0;
	}
}

void sums_place(struct sums *run, const struct patch *patch, const struct fast_axes *axes)
{
	struct placing placing = {.run = run, .patch = patch, .axes = axes};

	threads_for(context_threads(run->context), patch->count, PIXELS_OF_THREAD, place_some, &placing);
}

double sums_phase(const struct sums *run, const struct patch *patch, const struct fast_axis *axis, int64_t n)
{
	const double *q = run->vectors + 3 * (patch->first + n), *middle = patch->middle, *e = axis->direction;

	return (e[0] * (q[0] - middle[0]) + e[1] * (q[1] - middle[1]) + e[2] * (q[2] - middle[2])) * axis->half;
}

/* (i s half)^m/m! along the third axis. */
static void apply_moment(const struct placing *placing, int64_t n, double *real, double *imaginary)
{
	const double phase = sums_phase(placing->run, placing->patch, &placing->axes->axis[2], n);

	for (int m = 1; m <= placing->moment; ++m) {
		const double before = *real;
		*real = -*imaginary * phase / m;
		*imaginary = before * phase / m;
	}
}

static void add_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct placing *placing = state;
	const struct sums *run = placing->run;
	const int class = run->channels.class_of[placing->channel];

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		const double sr = run->sums[2 * n], si = run->sums[2 * n + 1], wr = run->factors[2 * n],
			     wi = run->factors[2 * n + 1], real = sr * wr - si * wi, imaginary = sr * wi + si * wr;
		double fr, fi;
		const int64_t point = placing->patch->first + n;
		amplitude_of(&run->amplitude_tables, class, run->vectors + 3 * point,
			     run->magnitudes[run->numbers[point]], &fr, &fi);
		apply_moment(placing, n, &fr, &fi);
		run->amplitudes[2 * n] += fr * real - fi * imaginary;
		run->amplitudes[2 * n + 1] += fr * imaginary + fi * real;
	}
}

static void deliver_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct placing *placing = state;
	const struct sums *run = placing->run;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		const int64_t to = placing->first + (int64_t)run->numbers[placing->patch->first + n];
		run->values->real[to] = run->amplitudes[2 * n];
		run->values->imaginary[to] = run->amplitudes[2 * n + 1];
	}
}

static sonde_status add_patch(struct sums *run, const struct patch *patch, int64_t first)
{
	const int threads = context_threads(run->context);
	struct fast_axes axes;
	struct placing placing = {.run = run, .patch = patch, .axes = &axes, .first = first};

	CHECK(shape_mesh(run, patch, &axes));
	sums_place(run, patch, &axes);
	CHECK(fast_mesh_set_points(&run->mesh, run->places, patch->count));
	for (int k = 0; k < run->channels.count * axes.axis[2].moments && !context_cancelled(run->context); ++k) {
		placing.channel = k / axes.axis[2].moments;
		placing.moment = k % axes.axis[2].moments;
		CHECK(sums_transform(run, patch->middle, placing.channel, placing.moment));
		CHECK(fast_mesh_interpolate(&run->mesh, run->sums));
		threads_for(threads, patch->count, PIXELS_OF_THREAD, add_some, &placing);
	}
	threads_for(threads, patch->count, PIXELS_OF_THREAD, deliver_some, &placing);
	return SONDE_OK;
}

struct filling {
	struct sums *run;
	int64_t first;
};

static void fill_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct filling *filling = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		/* the magnitude of a vector of a picture is its circle's, to the last bit */
		filling->run->magnitudes[n] =
		    pattern_pixel(&filling->run->plan->pixels, filling->first + n, filling->run->vectors + 3 * n);
		filling->run->numbers[n] = (uint32_t)n;
	}
}

sonde_status sums_divide(struct sums *run, int64_t first, int64_t count, struct patch_list *list)
{
	struct filling filling = {run, first};

	threads_for(context_threads(run->context), count, PIXELS_OF_THREAD, fill_some, &filling);
	CHECK(patches_of_points(&run->patch_atoms, &run->window, run->vectors, run->numbers, count,
				context_threads(run->context), list));
	return patch_list_check(list);
}

static sonde_status sum_chunk(struct sums *run, int64_t first, int64_t count)
{
	struct patch_list list = {.count = 0};
	double done = run->done;

	sonde_status status = sums_divide(run, first, count, &list);
	for (size_t k = 0; k < list.count && status == SONDE_OK; ++k) {
		status = add_patch(run, &list.patches[k], first);
		done += (double)list.patches[k].count;
		if (status == SONDE_OK)
			status = stage_advance(&run->stage, done);
	}
	patch_list_free(&list);
	run->done = done;
	return status;
}

sonde_status sums_allocate(struct sums *run, int64_t chunk)
{
	const size_t size = (size_t)chunk;

	CHECK(memory_allocate_to_fill(&run->vectors, 3 * size, sizeof(double), "the pixels"));
	CHECK(memory_allocate_to_fill(&run->magnitudes, size, sizeof(double), "the pixels"));
	CHECK(memory_allocate_to_fill(&run->numbers, size, sizeof *run->numbers, "the pixels"));
	CHECK(memory_allocate_to_fill(&run->places, 3 * size, sizeof(double), "the pixels"));
	CHECK(memory_allocate_to_fill(&run->factors, 2 * size, sizeof(double), "the pixels"));
	CHECK(memory_allocate_to_fill(&run->sums, 2 * size, sizeof(double), "the pixels"));
	return memory_allocate_to_fill(&run->amplitudes, 2 * size, sizeof(double), "the pixels");
}

static sonde_status sum_points(struct sums *run)
{
	const int64_t all = run->plan->pixels.count, chunk = run->chunk < all ? run->chunk : all;

	CHECK(sums_allocate(run, chunk));
	for (int64_t first = 0; first < all; first += chunk)
		CHECK(sum_chunk(run, first, all - first < chunk ? all - first : chunk));
	return SONDE_OK;
}

/* Intensities ------------------------------------------------------------------------------------------------- */

bool sums_are_diffuse(const struct pattern_sample *sample)
{
	for (int c = 0; c < sample->class_count; ++c)
		for (int k = 0; k < 6; ++k)
			if (sample->classes[c].occupancy != 1.0 || sample->classes[c].u[k] != 0.0)
				return true;
	return false;
}

double sums_diffuse(const struct pattern_sample *sample, const double vector[3], double q)
{
	double amplitudes[2 * PATTERN_MOST_CLASSES], sum = 0.0;

	for (int c = 0; c < sample->class_count; ++c)
		sum += (double)sample->view.species[c].atoms * pattern_class_amplitude(&sample->classes[c], vector, q,
										       &amplitudes[2 * c],
										       &amplitudes[2 * c + 1]);
	return sample->joint_count > 0 ? sum + pattern_joint_intensity(sample, vector, amplitudes, 1) : sum;
}

struct finishing {
	const struct sums *run;
	bool diffuse;
};

static void finish_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct finishing *finishing = state;
	const struct sums *run = finishing->run;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		const double real = run->values->real[n], imaginary = run->values->imaginary[n];
		double vector[3], more = 0.0;
		if (finishing->diffuse) {
			const double q = pattern_pixel(&run->plan->pixels, n, vector);
			more = sums_diffuse(&run->plan->sample, vector, q);
		}
		run->values->intensity[n] = real * real + imaginary * imaginary + more;
	}
}

/* All --------------------------------------------------------------------------------------------------------- */

/* One over the window's transform. */
static double inverse_of(const void *of, double phase)
{
	return 1.0 / window_transform(of, phase);
}

static double largest_weight(const struct sums *run)
{
	const int count = run->channels.count * run->plan->sample.class_count;
	double largest = 0.0;

	for (int k = 0; k < count; ++k)
		largest = fmax(largest, fabs(run->channels.weights[k]));
	return largest > 0.0 ? largest : 1.0;
}

sonde_status sums_prepare(struct sums *run, struct device *gpu)
{
	const struct pattern_plan *plan = run->plan;
	struct fast_memory memory;

	fast_find_memory(run->context, plan, gpu, &memory);
	run->chunk = memory.pixels;
	window_make(plan->fast.width, plan->fast.oversampling, &run->window);
	CHECK(fast_channels_make(plan, &run->channels));
	CHECK(sums_group_atoms(run));
	const struct fast_atoms atoms = {run->atoms, plan->sample.view.count, plan->sample.class_count,
					 largest_weight(run)};
	CHECK(fast_mesh_make(run->context, gpu, &atoms, &run->window, &run->mesh));
	CHECK(patch_atoms_make(&plan->sample, &run->channels, gpu, memory.meshes, fast_error(plan, &run->channels),
			       context_threads(run->context), &run->patch_atoms));
	CHECK(amplitude_tables_make(plan, &run->amplitude_tables));
	if (plan->pixels.count >= LEAST_TABLED)
		CHECK(piecewise_make(inverse_of, &run->window, 0.0, PI / run->window.oversampling, TABLE_ERROR,
				     &run->inverse_transform));
	return SONDE_OK;
}

static sonde_status sum(struct sums *run, struct device *gpu, double *error, int64_t *checked)
{
	const struct pattern_plan *plan = run->plan;
	struct finishing finishing = {run, sums_are_diffuse(&plan->sample)};

	CHECK(sums_prepare(run, gpu));
	CHECK(sums_begin_box(run));
	stage_begin(&run->stage, run->context, "pattern", "points", (double)plan->pixels.count);
	CHECK(plan->pixels.geometry == SONDE_PATTERN_BOX ? sum_box(run) : sum_points(run));
	if (run->box != NULL)
		CHECK(sums_end_box(run, error != NULL));
	else
		threads_for(context_threads(run->context), plan->pixels.count, PIXELS_OF_THREAD, finish_some,
			    &finishing);
	if (error == NULL)
		return SONDE_OK;
	return run->mesh.gpu != NULL ? fast_check_on_gpu(run->mesh.gpu, plan, run->values, error, checked)
				     : pattern_error(run->context, plan, run->values, error, checked);
}

void sums_free_points(struct sums *run)
{
	double **rows[] = {&run->vectors, &run->magnitudes, &run->places,
			   &run->factors, &run->sums,       &run->amplitudes};

	for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
		free(*rows[k]);
		*rows[k] = NULL;
	}
	free(run->numbers);
	run->numbers = NULL;
}

void sums_free(struct sums *run)
{
	gpu_box_free(&run->box);
	piecewise_free(&run->diffuse);
	fast_mesh_free(&run->mesh);
	fast_channels_free(&run->channels);
	amplitude_tables_free(&run->amplitude_tables);
	piecewise_free(&run->inverse_transform);
	free(run->atoms);
	sums_free_points(run);
}

static sonde_status sum_on(sonde_context *context, struct device *gpu, const struct pattern_plan *plan,
			   const struct pattern_values *values, double *error, int64_t *checked)
{
	struct sums *run;

	CHECK(memory_allocate(&run, 1, sizeof *run, "the sums"));
	run->context = context;
	run->plan = plan;
	run->values = values;
	const sonde_status status = sum(run, gpu, error, checked);
	sums_free(run);
	free(run);
	return status;
}

/* With the check of some points, unless `error` is null. */
static sonde_status sum_and_check(sonde_context *context, const struct pattern_plan *plan,
				  const struct pattern_values *values, double *error, int64_t *checked)
{
	struct device *gpu = NULL;
	int index = 0;

	if (plan->fast.on_gpu)
		CHECK(fast_find_gpu(context, &index, &gpu));
	const sonde_status status = sum_on(context, gpu, plan, values, error, checked);
	if (status != SONDE_RESOURCE || gpu == NULL)
		return status;
	/* by the next one, or, unless a GPU was requested, by the CPU */
	CHECK(context_drop_device(context, index, status));
	return sum_and_check(context, plan, values, error, checked);
}

sonde_status fast_sums(sonde_context *context, const struct pattern_plan *plan, const struct pattern_values *values)
{
	return sum_and_check(context, plan, values, NULL, NULL);
}

sonde_status fast_widen(sonde_context *context, double error, struct pattern_plan *plan)
{
	const double finer = fast_finer(plan->fast.oversampling);

	if (plan->fast.width == (int)WINDOW_MOST_WIDTH && finer == plan->fast.oversampling)
		return status_fail_option(SONDE_INVALID, "tolerance",
					  "the error of the fast method is %.2g; allow more, or use `method direct`",
					  error);
	context_notef(
	    context, "the error was %.2g, more than the tolerance: summed again with a wider window and finer meshes",
	    error);
	plan->fast.oversampling = finer;
	plan->fast.width =
	    plan->fast.width + 2 < (int)WINDOW_MOST_WIDTH ? plan->fast.width + 2 : (int)WINDOW_MOST_WIDTH;
	return SONDE_OK;
}

sonde_status fast_run(sonde_context *context, struct pattern_plan *plan, const struct pattern_values *values,
		      double *error, int64_t *checked)
{
	const double tolerance = plan->fast.tolerance;

	for (;;) {
		CHECK(sum_and_check(context, plan, values, error, checked));
		if (*error <= tolerance)
			return SONDE_OK;
		CHECK(fast_widen(context, *error, plan));
	}
}
