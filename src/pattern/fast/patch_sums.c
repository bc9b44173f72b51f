/* Sums at the points of a patch. */
#include "pattern/fast/patch_sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/room.h"
#include "base/threads.h"
#include "device/kernel.h"
#include "device/kernel_math.h"

#define PIXELS_OF_THREAD 1024
#define PLANES_NUMBERS (8 << 20) /* of waves that are copied from a GPU at a time */

static double largest_weight(const struct fast_sums *run)
{
	const int count = run->channels.count * run->plan->sample.class_count;
	double largest = 0.0;

	for (int k = 0; k < count; ++k)
		largest = fmax(largest, fabs(run->channels.weights[k]));
	return largest > 0.0 ? largest : 1.0;
}

sonde_status patch_worker_begin(const struct fast_sums *run, struct device *gpu, struct patch_worker *worker)
{
	const struct fast_atoms atoms = {.atoms = run->atoms,
					 .records = run->records.memory != NULL ? &run->records : NULL,
					 .count = run->plan->sample.view.count,
					 .classes = run->plan->sample.class_count,
					 .largest = largest_weight(run),
					 .copies = run->copies.count > 0 ? &run->copies : NULL};

	*worker = (struct patch_worker){.device = gpu, .run = run};
	const sonde_status status = fast_mesh_make(run->context, gpu, &atoms, &run->window, &worker->mesh);
	if (status != SONDE_OK)
		patch_worker_end(worker);
	return status;
}

void patch_worker_end(struct patch_worker *worker)
{
	fast_mesh_free(&worker->mesh);
	free(worker->places);
	free(worker->factors);
	free(worker->sums);
	free(worker->amplitudes);
	*worker = (struct patch_worker){.device = NULL};
}

size_t patch_most_atoms(const struct fast_sums *run)
{
	int64_t most = 0;

	if (run->copies.count > 0)
		return (size_t)fast_copies_most(&run->plan->sample);
	if (run->channels.mixed)
		return (size_t)run->plan->sample.view.count;
	for (int g = 0; g < run->channels.count; ++g)
		most = run->starts[g + 1] - run->starts[g] > most ? run->starts[g + 1] - run->starts[g] : most;
	return (size_t)most;
}

/* Of all atoms, relative to the center of the sample. */
static sonde_status find_extents(const struct fast_sums *run, const struct fast_axes *axes, double low[3],
				 double high[3])
{
	const struct pattern_sample *sample = &run->plan->sample;
	struct pattern_extents extents;
	double directions[3][3];

	for (int k = 0; k < 3; ++k)
		memcpy(directions[k], axes->axis[k].direction, sizeof directions[k]);
	CHECK(pattern_find_extents(sample, context_threads(run->context), sample->center,
				   (const double(*)[3])directions, 3, &extents));
	memcpy(low, extents.low, 3 * sizeof *low);
	memcpy(high, extents.high, 3 * sizeof *high);
	return SONDE_OK;
}

/* The axes of a patch with the extents of all atoms, for which the mesh is shaped. */
sonde_status patch_worker_shape(struct patch_worker *worker, const struct patch *patch, struct fast_axes *axes)
{
	const struct fast_sums *run = worker->run;
	const struct patch_list none = {.too_large = true};
	double low[3], high[3];

	CHECK(find_extents(run, &patch->axes, low, high));
	patch_axes(patch, &run->patch_atoms, &run->window, low, high, axes);
	return patch_axes_fit(&run->patch_atoms, axes) ? fast_mesh_shape(&worker->mesh, axes, patch_most_atoms(run))
						       : patch_list_check(&none);
}

/* Boxes ------------------------------------------------------------------------------------------------------- */

struct copying {
	const struct fast_sums *run;
	const struct fast_axes *axes;
	int channel;
	int64_t first; /* plane; the waves begin with it */
	const double *waves;
	int64_t row, rows;
};

/* Adds the waves of a block, times the amplitudes of a channel, to those of earlier channels; the first one replaces
 * what a device may have left that failed. */
static void copy_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct copying *copying = state;
	const struct fast_sums *run = copying->run;
	const struct fast_axis *x = &copying->axes->axis[0], *y = &copying->axes->axis[1],
			       *z = &copying->axes->axis[2];
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
			const double earlier_real = copying->channel > 0 ? run->values->real[n] : 0.0,
				     earlier_imaginary = copying->channel > 0 ? run->values->imaginary[n] : 0.0;
			run->values->real[n] = earlier_real + (real * from[2 * i] - imaginary * from[2 * i + 1]);
			run->values->imaginary[n] =
			    earlier_imaginary + (real * from[2 * i + 1] + imaginary * from[2 * i]);
		}
	}
}

/* Transforms end early, and leave meshes of other shapes. */
static sonde_status stopped(const struct patch_worker *worker)
{
	return context_cancelled(worker->run->context) ? status_fail(SONDE_CANCELLED, "stopped on request")
						       : SONDE_OK;
}

sonde_status patch_worker_transform(struct patch_worker *worker, const double middle[3], int channel, int moment)
{
	const struct fast_sums *run = worker->run;
	const int64_t first = run->channels.mixed ? 0 : run->starts[channel],
		      end = run->channels.mixed ? run->plan->sample.view.count : run->starts[channel + 1];

	CHECK(fast_mesh_transform(&worker->mesh, first, end - first,
				  run->channels.weights + (size_t)channel * (size_t)run->plan->sample.class_count,
				  moment, middle));
	return stopped(worker);
}

/* Planes of waves at a time. */
static sonde_status add_planes(struct patch_worker *worker, const struct fast_axes *axes, int channel)
{
	const struct fast_sums *run = worker->run;
	const int64_t lines = axes->axis[1].count, planes = axes->axis[2].count,
		      fit = PLANES_NUMBERS / (2 * fast_row(axes->axis[0].waves) * lines);
	struct copying copying = {.run = run, .axes = axes, .channel = channel};

	for (int64_t count, first = 0; first < planes; first += count) {
		count = planes - first < fit ? planes - first : fit < 1 ? 1 : fit;
		copying.first = first;
		CHECK(fast_mesh_waves(&worker->mesh, first, count, &copying.waves, &copying.row, &copying.rows));
		threads_for(context_threads(run->context), count * lines, 16, copy_some, &copying);
	}
	return SONDE_OK;
}

static sonde_status sum_block(struct patch_worker *worker, const struct patch *patch)
{
	const int channels = worker->run->channels.count;
	struct fast_axes axes;

	CHECK(patch_worker_shape(worker, patch, &axes));
	for (int k = 0; k < channels; ++k) {
		CHECK(patch_worker_transform(worker, patch->middle, k, 0));
		CHECK(add_planes(worker, &axes, k));
		if (worker->stage != NULL && k + 1 < channels)
			CHECK(stage_advance(worker->stage, worker->done + (double)patch->count * (k + 1) / channels));
	}
	return SONDE_OK;
}

/* Points ------------------------------------------------------------------------------------------------------ */

struct placing {
	const struct fast_sums *run;
	const struct patch_worker *worker;
	const struct patch *patch;
	const struct fast_axes *axes;
	int channel, moment;
};

/* Places among the waves, and factors that undo the window and the centers of the axes. */
static void place_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct placing *placing = state;
	const struct fast_sums *run = placing->run;
	const struct patch_worker *own = placing->worker;
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
			own->places[3 * n + k] = axis->single ? 0.0 : along / axis->step - (double)axis->first_wave;
			if (!axis->single)
				size *= tabled ? piecewise_value(&run->inverse_transform, fabs(along) / axis->scale)
					       : 1.0 / window_transform(&run->window, along / axis->scale);
		}
		lanes_sincos(LANES_SPLAT(phase), &s, &c, 0);
		own->factors[2 * n] = LANES_FIRST(c) * size;
		own->factors[2 * n + 1] = LANES_FIRST(s) * size;
		own->amplitudes[2 * n] = own->amplitudes[2 * n + 1] = 0.0;
	}
}

double patch_phase(const struct fast_sums *run, const struct patch *patch, const struct fast_axis *axis, int64_t n)
{
	const double *q = run->vectors + 3 * (patch->first + n), *middle = patch->middle, *e = axis->direction;

	return (e[0] * (q[0] - middle[0]) + e[1] * (q[1] - middle[1]) + e[2] * (q[2] - middle[2])) * axis->half;
}

/* (i s half)^m/m! along the third axis. */
static void apply_moment(const struct placing *placing, int64_t n, double *real, double *imaginary)
{
	const double phase = patch_phase(placing->run, placing->patch, &placing->axes->axis[2], n);

	for (int m = 1; m <= placing->moment; ++m) {
		const double before = *real;
		*real = -*imaginary * phase / m;
		*imaginary = before * phase / m;
	}
}

static void add_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct placing *placing = state;
	const struct fast_sums *run = placing->run;
	const struct patch_worker *own = placing->worker;
	const int class = run->channels.class_of[placing->channel];

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		const double sr = own->sums[2 * n], si = own->sums[2 * n + 1], wr = own->factors[2 * n],
			     wi = own->factors[2 * n + 1], real = sr * wr - si * wi, imaginary = sr * wi + si * wr;
		double fr, fi;
		const int64_t point = placing->patch->first + n;
		amplitude_of(&run->amplitude_tables, class, run->vectors + 3 * point,
			     run->magnitudes[run->numbers[point]], &fr, &fi);
		apply_moment(placing, n, &fr, &fi);
		own->amplitudes[2 * n] += fr * real - fi * imaginary;
		own->amplitudes[2 * n + 1] += fr * imaginary + fi * real;
	}
}

static void deliver_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct placing *placing = state;
	const struct fast_sums *run = placing->run;
	const struct patch_worker *own = placing->worker;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		const int64_t to = run->first + (int64_t)run->numbers[placing->patch->first + n];
		run->values->real[to] = own->amplitudes[2 * n];
		run->values->imaginary[to] = own->amplitudes[2 * n + 1];
	}
}

static sonde_status grow_points(struct patch_worker *worker, int64_t points)
{
	const size_t count = (size_t)points;

	CHECK(room_make(&worker->places, &worker->place_capacity, 3 * count, sizeof(double), "the pixels"));
	CHECK(room_make(&worker->factors, &worker->factor_capacity, 2 * count, sizeof(double), "the pixels"));
	CHECK(room_make(&worker->sums, &worker->sum_capacity, 2 * count, sizeof(double), "the pixels"));
	return room_make(&worker->amplitudes, &worker->amplitude_capacity, 2 * count, sizeof(double), "the pixels");
}

sonde_status patch_worker_place(struct patch_worker *worker, const struct patch *patch, const struct fast_axes *axes)
{
	struct placing placing = {.run = worker->run, .worker = worker, .patch = patch, .axes = axes};

	CHECK(grow_points(worker, patch->count));
	threads_for(context_threads(worker->run->context), patch->count, PIXELS_OF_THREAD, place_some, &placing);
	return SONDE_OK;
}

static sonde_status place_points(struct patch_worker *worker, const struct patch *patch, const struct fast_axes *axes)
{
	CHECK(patch_worker_place(worker, patch, axes));
	return fast_mesh_set_points(&worker->mesh, worker->places, patch->count);
}

static sonde_status sum_points(struct patch_worker *worker, const struct patch *patch)
{
	const struct fast_sums *run = worker->run;
	const int threads = context_threads(run->context);
	struct fast_axes axes;
	struct placing placing = {.run = run, .worker = worker, .patch = patch, .axes = &axes};

	CHECK(patch_worker_shape(worker, patch, &axes));
	for (int k = 0; k < run->channels.count * axes.axis[2].moments; ++k) {
		placing.channel = k / axes.axis[2].moments;
		placing.moment = k % axes.axis[2].moments;
		CHECK(patch_worker_transform(worker, patch->middle, placing.channel, placing.moment));
		if (k == 0) /* while a GPU transforms the mesh */
			CHECK(place_points(worker, patch, &axes));
		CHECK(fast_mesh_interpolate(&worker->mesh, worker->sums));
		threads_for(threads, patch->count, PIXELS_OF_THREAD, add_some, &placing);
	}
	threads_for(threads, patch->count, PIXELS_OF_THREAD, deliver_some, &placing);
	return SONDE_OK;
}

sonde_status patch_worker_sum(struct patch_worker *worker, const struct patch *patch)
{
	CHECK(worker->run->plan->pixels.geometry == SONDE_PATTERN_BOX ? sum_block(worker, patch)
								      : sum_points(worker, patch));
	return stopped(worker); /* launches end early as well */
}
