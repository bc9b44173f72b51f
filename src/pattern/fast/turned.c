#include "pattern/fast/turned.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/background.h"
#include "base/memory.h"
#include "base/threads.h"
#include "pattern/fast/fast.h"
#include "pattern/fast/gpu_pictures.h"
#include "pattern/fast/patch_sums.h"
#include "pattern/ranks.h"
#include "parallel/parallel.h"

#define POINTS_OF_THREAD 1024
#define PART_OF_MEMORY 0.1    /* of the device, for the points */
#define MOST_POINTS (1 << 30) /* of a picture, whose numbers have 32 bits in kernels */

struct turned_patch {
	double middle[3];
	int moments;
};
/* On one GPU. */
struct turned_device {
	struct fast_sums sums;
	struct patch_worker worker;
	int index; /* of the device in the context */
	struct gpu_pictures *pictures;
	struct turned_patch *patches;
	size_t patch_count;
	struct background_job job;
	const struct turned_work *work; /* of the pictures in progress */
};
struct turned {
	int64_t points;
	int count;
	struct turned_device *devices[CONTEXT_MOST_DEVICES];
};
/* Pictures that GPUs take one after the other. */
struct turned_work {
	const double (*rotations)[3][3];
	int64_t count, points;
	double *intensities;
	atomic_int_fast64_t *next;
};

static bool is_suitable(const struct pattern_plan *plan, const struct device *gpu, int channels)
{
	const double numbers = 10.0 + 2.0 * channels, bytes = numbers * sizeof(double) * (double)plan->pixels.count;

	return plan->pixels.count <= MOST_POINTS && bytes <= PART_OF_MEMORY * (double)device_properties(gpu)->memory;
}

/* Preparation -------------------------------------------------------------------------------------------------- */

/* Factors of the points of a patch for all channels. */
struct combining {
	const struct fast_sums *run;
	const struct patch_worker *worker;
	const struct patch *patch;
	const struct fast_axes *axes;
	double *coefficients, *phases;
};

static void combine_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct combining *combining = state;
	const struct fast_sums *run = combining->run;
	const struct patch *patch = combining->patch;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		const int64_t point = patch->first + n;
		const double wr = combining->worker->factors[2 * n], wi = combining->worker->factors[2 * n + 1];
		combining->phases[n] = patch_phase(run, patch, &combining->axes->axis[2], n);
		for (int k = 0; k < run->channels.count; ++k) {
			double *to = combining->coefficients + 2 * (k * patch->count + n), fr, fi;
			amplitude_of(&run->amplitude_tables, run->channels.class_of[k], run->vectors + 3 * point,
				     run->magnitudes[run->numbers[point]], &fr, &fi);
			to[0] = fr * wr - fi * wi;
			to[1] = fr * wi + fi * wr;
		}
	}
}

static sonde_status add_patch(struct turned_device *turned, const struct patch *patch, double *coefficients,
			      double *phases)
{
	struct fast_sums *run = &turned->sums;
	const double ball = run->patch_atoms.ball, low[3] = {-ball, -ball, -ball}, high[3] = {ball, ball, ball};
	struct fast_axes axes;
	struct combining combining = {run, &turned->worker, patch, &axes, coefficients, phases};
	struct turned_patch *own = &turned->patches[turned->patch_count++];

	patch_axes(patch, &run->patch_atoms, &run->window, low, high, &axes);
	CHECK(fast_mesh_shape(&turned->worker.mesh, &axes, patch_most_atoms(run)));
	CHECK(patch_worker_place(&turned->worker, patch, &axes));
	threads_for(context_threads(run->context), patch->count, POINTS_OF_THREAD, combine_some, &combining);
	for (int k = 0; k < 3; ++k)
		own->middle[k] = patch->middle[k];
	own->moments = axes.axis[2].moments;
	const struct gpu_patch_points points = {patch->count, turned->worker.places, coefficients, phases,
						run->numbers + patch->first};
	return gpu_pictures_add_patch(turned->pictures, run->channels.count, &points);
}

static sonde_status add_patches(struct turned_device *turned, const struct patch_list *list)
{
	const size_t points = (size_t)turned->sums.plan->pixels.count;
	double *coefficients = NULL, *phases = NULL;
	sonde_status status;

	CHECK_GOTO(status, memory_allocate(&turned->patches, list->count, sizeof *turned->patches, "the pictures"),
		   done);
	CHECK_GOTO(status,
		   memory_allocate_to_fill(&coefficients, 2 * (size_t)turned->sums.channels.count * points,
					   sizeof(double), "the pictures"),
		   done);
	CHECK_GOTO(status, memory_allocate_to_fill(&phases, points, sizeof(double), "the pictures"), done);
	for (size_t k = 0; k < list->count; ++k)
		CHECK_GOTO(status, add_patch(turned, &list->patches[k], coefficients, phases), done);
done:
	free(coefficients);
	free(phases);
	return status;
}

struct filling {
	const struct pattern_plan *plan;
	double *diffuse;
};

static void fill_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct filling *filling = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		double vector[3];
		const double q = pattern_pixel(&filling->plan->pixels, n, vector);
		filling->diffuse[n] = fast_diffuse(&filling->plan->sample, vector, q);
	}
}

static sonde_status make_pictures(struct turned_device *turned)
{
	const struct fast_sums *run = &turned->sums;
	const struct pattern_plan *plan = run->plan;
	struct filling filling = {.plan = plan};

	if (pattern_is_diffuse(&plan->sample)) {
		CHECK(memory_allocate_to_fill(&filling.diffuse, (size_t)plan->pixels.count, sizeof(double),
					      "the pictures"));
		threads_for(context_threads(run->context), plan->pixels.count, POINTS_OF_THREAD, fill_some, &filling);
	}
	const sonde_status status =
	    gpu_pictures_make(turned->worker.mesh.gpu, plan->pixels.count, filling.diffuse, &turned->pictures);
	free(filling.diffuse);
	return status;
}

/* The host needs them no longer. */
static void free_points(struct turned_device *turned)
{
	struct fast_sums *run = &turned->sums;
	struct patch_worker *worker = &turned->worker;
	double **rows[] = {&run->vectors,    &run->magnitudes,    &worker->places,
			   &worker->factors, &worker->amplitudes, &worker->sums};

	for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
		free(*rows[k]);
		*rows[k] = NULL;
	}
	free(run->numbers);
	run->numbers = NULL;
	worker->place_capacity = worker->factor_capacity = worker->sum_capacity = worker->amplitude_capacity = 0;
}

/* *suitable becomes false if the picture is too large. */
static sonde_status prepare(struct turned_device *turned, struct device *gpu, bool *suitable)
{
	struct fast_sums *run = &turned->sums;
	struct pattern_division division = fast_division(run->plan);
	struct patch_list list = {.count = 0};
	struct fast_memory memory;
	sonde_status status;

	fast_find_memory(run->context, run->plan, gpu, &memory);
	division.meshes = memory.meshes;
	CHECK(fast_sums_group(run, &division));
	CHECK(fast_sums_prepare(run, gpu, &division));
	*suitable = is_suitable(run->plan, gpu, run->channels.count) && memory.pixels >= run->plan->pixels.count;
	if (!*suitable)
		return SONDE_OK;
	patch_atoms_turn(&run->plan->sample, &run->patch_atoms);
	CHECK(patch_worker_begin(run, gpu, &turned->worker));
	CHECK(fast_sums_allocate(run, run->plan->pixels.count));
	CHECK_GOTO(status, fast_sums_divide(run, 0, run->plan->pixels.count, &list), done);
	if (list.too_large)
		goto done;
	CHECK_GOTO(status, make_pictures(turned), done);
	status = add_patches(turned, &list);
done:
	*suitable = !list.too_large;
	patch_list_free(&list);
	free_points(turned);
	return status;
}

/* Pictures ------------------------------------------------------------------------------------------------------ */

static sonde_status begin_picture(struct turned_device *turned, const double rotation[3][3], int slot)
{
	struct fast_sums *run = &turned->sums;

	CHECK(gpu_pictures_begin(turned->pictures, rotation));
	for (size_t p = 0; p < turned->patch_count; ++p) {
		const struct turned_patch *patch = &turned->patches[p];
		gpu_pictures_use_patch(turned->pictures, p);
		for (int k = 0; k < run->channels.count * patch->moments; ++k) {
			const int channel = k / patch->moments, moment = k % patch->moments;
			CHECK(patch_worker_transform(&turned->worker, patch->middle, channel, moment));
			CHECK(gpu_pictures_add(turned->pictures, p, channel, moment));
		}
	}
	return gpu_pictures_end(turned->pictures, slot);
}

/* Each is copied while the device computes the next one. */
static sonde_status run_device(void *user)
{
	struct turned_device *turned = user;
	const struct turned_work *work = turned->work;
	int64_t before = work->count;

	for (int slot = 0;; slot = 1 - slot) {
		const int64_t k = atomic_fetch_add(work->next, 1);
		if (k < work->count)
			CHECK(begin_picture(turned, work->rotations[k], slot));
		if (before < work->count)
			CHECK(
			    gpu_pictures_read(turned->pictures, 1 - slot, work->intensities + before * work->points));
		if (k >= work->count)
			return SONDE_OK;
		before = k;
	}
}

sonde_status turned_pictures(struct turned *turned, const double (*rotations)[3][3], int64_t count,
			     double *intensities, int *failed)
{
	atomic_int_fast64_t next = 0;
	const struct turned_work work = {rotations, count, turned->points, intensities, &next};

	for (int d = 0; d < turned->count; ++d)
		turned->devices[d]->work = &work;
	for (int d = 1; d < turned->count; ++d)
		background_start(&turned->devices[d]->job, run_device, turned->devices[d]);
	sonde_status status = run_device(turned->devices[0]);
	*failed = turned->devices[0]->index;
	for (int d = 1; d < turned->count; ++d) {
		const sonde_status other = background_finish(&turned->devices[d]->job, status);
		if (status == SONDE_OK && other != SONDE_OK)
			*failed = turned->devices[d]->index;
		status = other;
	}
	return status;
}

/* The error ------------------------------------------------------------------------------------------------------ */

static sonde_status check(struct turned *turned, const struct pattern_plan *of_first, const double first[3][3],
			  double *error, int64_t *checked)
{
	const size_t points = (size_t)of_first->pixels.count;
	struct turned turned_first = {.points = turned->points, .count = 1, .devices = {turned->devices[0]}};
	struct pattern_values values = {NULL, NULL, NULL};
	double *amplitudes;
	int failed;

	CHECK(memory_allocate_to_fill(&amplitudes, 4 * points, sizeof(double), "the check"));
	values.real = amplitudes + 2 * points;
	values.imaginary = values.real + points;
	sonde_status status = turned_pictures(&turned_first, (const double(*)[3][3])first, 1, values.real, &failed);
	if (status == SONDE_OK)
		status = gpu_pictures_amplitudes(turned->devices[0]->pictures, amplitudes);
	for (size_t n = 0; n < points && status == SONDE_OK; ++n) {
		values.real[n] = amplitudes[2 * n];
		values.imaginary[n] = amplitudes[2 * n + 1];
	}
	if (status == SONDE_OK)
		status = fast_check_on_gpu(turned->devices[0]->worker.mesh.gpu, of_first, &values, error, checked);
	free(amplitudes);
	return status;
}

/* The plan of the picture in the first orientation, for the check. */
static sonde_status check_first(struct turned *turned, const struct pattern_plan *plan, const double first[3][3],
				double *error, int64_t *checked)
{
	struct pattern_plan *of_first;

	CHECK(memory_allocate(&of_first, 1, sizeof *of_first, "the plan"));
	*of_first = *plan; /* its arrays belong to `plan` */
	of_first->pixels.rotations = (const double(*)[3][3])first;
	of_first->pixels.picture = plan->pixels.count;
	const sonde_status status = check(turned, of_first, first, error, checked);
	free(of_first);
	return status;
}

/* All -------------------------------------------------------------------------------------------------------------- */

static void free_device(struct turned_device *device)
{
	gpu_pictures_free(&device->pictures);
	patch_worker_end(&device->worker);
	fast_sums_free(&device->sums);
	free(device->patches);
	free(device);
}

/* Adds a device if it is suitable. */
static sonde_status add_device(struct turned *turned, sonde_context *context, int index, struct device *gpu,
			       const struct pattern_plan *plan)
{
	struct turned_device *device;
	bool suitable = false;

	CHECK(memory_allocate(&device, 1, sizeof *device, "the pictures"));
	device->index = index;
	device->sums.context = context;
	device->sums.plan = plan;
	const sonde_status status = prepare(device, gpu, &suitable);
	if (status == SONDE_OK && suitable)
		turned->devices[turned->count++] = device;
	else
		free_device(device);
	return status;
}

static sonde_status add_devices(struct turned *turned, sonde_context *context, const struct pattern_plan *plan)
{
	struct device **devices;
	int count;

	CHECK(context_devices(context, &devices, &count));
	for (int k = 0; k < count; ++k) {
		if (devices[k] == NULL || !device_properties(devices[k])->gpu_kernels)
			continue;
		const sonde_status status = add_device(turned, context, k, devices[k], plan);
		if (status != SONDE_RESOURCE) {
			CHECK(status);
			continue;
		}
		CHECK(context_drop_device(context, k, status));
		CHECK(context_devices(context, &devices, &count)); /* the CPU may have replaced them */
	}
	return SONDE_OK;
}

static sonde_status make(sonde_context *context, const struct pattern_plan *plan, struct turned **turned)
{
	CHECK(memory_allocate(turned, 1, sizeof **turned, "the pictures"));
	(*turned)->points = plan->pixels.count;
	sonde_status status = add_devices(*turned, context, plan);
	uint64_t lacking = (*turned)->count == 0; /* ranks */
	if (status == SONDE_OK)
		status = parallel_sum(context_ranks(context), &lacking, 1);
	if (status != SONDE_OK || lacking > 0)
		turned_free(turned);
	return status;
}

/* *again becomes true if other devices, or a wider window, are to be tried. */
static sonde_status check_error(sonde_context *context, struct pattern_plan *plan, const double first[3][3],
				double *error, int64_t *checked, struct turned **turned, bool *again)
{
	const int index = (*turned)->devices[0]->index;
	sonde_status status = check_first(*turned, plan, first, error, checked);

	if (pattern_has_ranks(context)) {
		CHECK(status);
		status = pattern_ranks_error(context, error, checked);
	}

	*again = status == SONDE_RESOURCE || (status == SONDE_OK && !(*error <= plan->fast.tolerance));
	if (status == SONDE_OK && !*again)
		return SONDE_OK;
	turned_free(turned);
	if (status == SONDE_RESOURCE)
		return context_drop_device(context, index, status);
	if (status != SONDE_OK)
		return status;
	const struct pattern_division division = fast_division(plan);
	return fast_widen(context, *error, &division, plan);
}

sonde_status turned_make(sonde_context *context, struct pattern_plan *plan, const double first[3][3], double *error,
			 int64_t *checked, struct turned **turned)
{
	*turned = NULL;
	if (!plan->fast.turned)
		return SONDE_OK;
	for (bool again = true; again;) {
		CHECK(make(context, plan, turned));
		if (*turned == NULL || error == NULL)
			return SONDE_OK;
		CHECK(check_error(context, plan, first, error, checked, turned, &again));
	}
	return SONDE_OK;
}

void turned_free(struct turned **turned)
{
	if (*turned == NULL)
		return;
	for (int d = 0; d < (*turned)->count; ++d)
		free_device((*turned)->devices[d]);
	free(*turned);
	*turned = NULL;
}
