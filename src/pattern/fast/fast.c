#include "pattern/fast/fast.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/threads.h"
#include "pattern/fast/box.h"
#include "pattern/fast/gpu_mesh.h"
#include "pattern/fast/shared_patches.h"
#include "pattern/joint.h"
#include "pattern/ranks.h"
#include "pattern/resident/resident.h"
#include "parallel/parallel.h"

#define PIXELS_OF_THREAD 1024
#define ALIKE 0.95         /* free memory of GPUs of the same kind */
#define LEAST_TABLED 20000 /* points, for which a table of the window's transform takes less time than its values */
#define TABLE_ERROR 1e-14

/* GPUs whose memory has room for the same meshes. */
static bool suits(void *user, struct device *device)
{
	const struct picture_sums *run = user;

	return device_properties(device)->gpu_kernels && gpu_mesh_longest(device) >= gpu_mesh_longest(run->gpu) &&
	       fast_mesh_bytes(device, run->others) >= ALIKE * run->division->meshes;
}

static sonde_status sum_list(struct picture_sums *run)
{
	CHECK(patch_list_check(&run->list));
	free(run->finished);
	run->finished = NULL;
	CHECK(memory_allocate(&run->finished, run->list.count, 1, "the patches"));
	if (run->gpu == NULL && pattern_has_ranks(run->context))
		return patches_sum_on_hosts(run);
	return run->gpu != NULL ? patches_sum_on_gpus(run, suits) : patches_sum_on_host(run);
}

/* Nothing of it is kept: such a volume takes some seconds. */
static sonde_status sum_on_box(struct picture_sums *run)
{
	for (size_t k = 0; k < run->list.count; ++k) {
		CHECK(fast_box_add(&run->box, &run->list.patches[k]));
		run->done += (double)run->list.patches[k].count;
		CHECK(stage_advance(&run->stage, run->done));
	}
	return SONDE_OK;
}

static sonde_status sum_box(struct picture_sums *run)
{
	CHECK(patches_of_box(&run->of.patch_atoms, &run->of.window, &run->plan->pixels, &run->list));
	if (run->gpu != NULL)
		CHECK(patch_list_check(&run->list));
	if (run->gpu != NULL && context_writes(run->context))
		CHECK(fast_box_begin(&run->of, run->gpu, &run->box));
	uint64_t boxed = run->box.pictured != NULL; /* by the first rank alone */
	CHECK(parallel_broadcast(context_ranks(run->context), &boxed, sizeof boxed));
	if (boxed == 0)
		return sum_list(run);
	return run->box.pictured != NULL ? sum_on_box(run) : SONDE_OK;
}

static void fill_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct fast_sums *of = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		/* the magnitude of a vector of a picture is its circle's, to the last bit */
		of->magnitudes[n] = pattern_pixel(&of->plan->pixels, of->first + n, of->vectors + 3 * n);
		of->numbers[n] = (uint32_t)n;
	}
}

sonde_status fast_sums_divide(struct fast_sums *of, int64_t first, int64_t count, struct patch_list *list)
{
	const int threads = context_threads(of->context);

	of->first = first;
	threads_for(threads, count, PIXELS_OF_THREAD, fill_some, of);
	return patches_of_points(&of->patch_atoms, &of->window, of->vectors, of->numbers, count, threads, list);
}

static sonde_status sum_chunk(struct picture_sums *run, int64_t first, int64_t count)
{
	patch_list_free(&run->list);
	CHECK(fast_sums_divide(&run->of, first, count, &run->list));
	return sum_list(run);
}

sonde_status fast_sums_allocate(struct fast_sums *of, int64_t chunk)
{
	const size_t size = (size_t)chunk;

	CHECK(memory_allocate_to_fill(&of->vectors, 3 * size, sizeof(double), "the pixels"));
	CHECK(memory_allocate_to_fill(&of->magnitudes, size, sizeof(double), "the pixels"));
	return memory_allocate_to_fill(&of->numbers, size, sizeof *of->numbers, "the pixels");
}

static sonde_status sum_points(struct picture_sums *run)
{
	const int64_t all = run->plan->pixels.count, chunk = run->division->chunk < all ? run->division->chunk : all;

	CHECK(fast_sums_allocate(&run->of, chunk));
	for (int64_t first = 0; first < all; first += chunk)
		CHECK(sum_chunk(run, first, all - first < chunk ? all - first : chunk));
	return SONDE_OK;
}

/* Intensities ------------------------------------------------------------------------------------------------- */

double fast_diffuse(const struct pattern_sample *sample, const double vector[3], double q)
{
	double amplitudes[2 * PATTERN_MOST_CLASSES], sum = 0.0;

	for (int c = 0; c < sample->class_count; ++c)
		sum += (double)sample->view.species[c].atoms * pattern_class_amplitude(&sample->classes[c], vector, q,
										       &amplitudes[2 * c],
										       &amplitudes[2 * c + 1]);
	return sample->joint_count > 0 ? sum + pattern_joint_intensity(sample, vector, amplitudes, 1) : sum;
}

struct finishing {
	const struct picture_sums *run;
	bool diffuse;
};

static void finish_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct finishing *finishing = state;
	const struct picture_sums *run = finishing->run;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		const double real = run->of.values->real[n], imaginary = run->of.values->imaginary[n];
		double vector[3], more = 0.0;
		if (finishing->diffuse) {
			const double q = pattern_pixel(&run->plan->pixels, n, vector);
			more = fast_diffuse(&run->plan->sample, vector, q);
		}
		run->of.values->intensity[n] = real * real + imaginary * imaginary + more;
	}
}

/* All --------------------------------------------------------------------------------------------------------- */

/* One over the window's transform. */
static double inverse_of(const void *of, double phase)
{
	return 1.0 / window_transform(of, phase);
}

static sonde_status find_error(const struct picture_sums *run, double *error, int64_t *checked)
{
	if (run->box.pictured != NULL)
		return fast_check_on_gpu(run->box.worker.mesh.gpu, run->plan, run->of.values, error, checked);
	for (int k = 0; k < CONTEXT_MOST_DEVICES; ++k)
		if (run->workers[k].device != NULL)
			return fast_check_on_gpu(run->workers[k].mesh.gpu, run->plan, run->of.values, error, checked);
	return pattern_error(run->context, run->plan, run->of.values, error, checked);
}

sonde_status fast_sums_group(struct fast_sums *of, const struct pattern_division *division)
{
	window_make(division->width, division->oversampling, &of->window);
	CHECK(fast_channels_make(of->plan, &of->channels));
	return fast_group_atoms(of);
}

sonde_status fast_sums_prepare(struct fast_sums *of, const struct device *gpu,
			       const struct pattern_division *division)
{
	const struct pattern_plan *plan = of->plan;

	CHECK(patch_atoms_make(&plan->sample, &of->channels, gpu, division->meshes, fast_error(plan, &of->channels),
			       context_threads(of->context), &of->patch_atoms));
	CHECK(amplitude_tables_make(plan, &of->amplitude_tables));
	return plan->pixels.count < LEAST_TABLED
		   ? SONDE_OK
		   : piecewise_make(inverse_of, &of->window, 0.0, PI / of->window.oversampling, TABLE_ERROR,
				    &of->inverse_transform);
}

static sonde_status finish(struct picture_sums *run, bool checked)
{
	struct finishing finishing = {run, pattern_is_diffuse(&run->plan->sample)};

	if (run->box.pictured != NULL)
		return fast_box_end(&run->box, checked);
	if (!context_writes(run->context))
		return SONDE_OK;
	threads_for(context_threads(run->context), run->plan->pixels.count, PIXELS_OF_THREAD, finish_some,
		    &finishing);
	return SONDE_OK;
}

static sonde_status sum(struct picture_sums *run, double *error, int64_t *checked)
{
	const struct pattern_plan *plan = run->plan;

	/* the GPU itself groups the atoms of a resident sample, and is used by one thread at a time */
	const bool in_background =
	    run->gpu != NULL && plan->pixels.geometry != SONDE_PATTERN_BOX && !pattern_is_resident(&plan->sample);

	if (in_background)
		CHECK(patches_test_gpus(run, suits));
	CHECK(fast_sums_group(&run->of, run->division));
	if (in_background)
		patches_prepare_gpus(run);
	CHECK(fast_sums_prepare(&run->of, run->gpu, run->division));
	stage_begin(&run->stage, run->context, "pattern", "points", (double)plan->pixels.count);
	CHECK(plan->pixels.geometry == SONDE_PATTERN_BOX ? sum_box(run) : sum_points(run));
	CHECK(finish(run, error != NULL));
	if (error == NULL)
		return SONDE_OK;
	if (context_writes(run->context))
		CHECK(find_error(run, error, checked));
	return pattern_ranks_error(run->context, error, checked);
}

void fast_sums_free(struct fast_sums *of)
{
	fast_channels_free(&of->channels);
	amplitude_tables_free(&of->amplitude_tables);
	piecewise_free(&of->inverse_transform);
	free(of->atoms);
	if (of->plan != NULL && pattern_is_resident(&of->plan->sample))
		device_release(of->plan->sample.resident.device, &of->records);
	free(of->copies.runs);
	free(of->vectors);
	free(of->magnitudes);
	free(of->numbers);
	*of = (struct fast_sums){.context = NULL};
}

static void free_sums(struct picture_sums *run)
{
	patches_wait_for_gpus(run);
	fast_box_free(&run->box);
	patch_worker_end(&run->host);
	for (int k = 0; k < CONTEXT_MOST_DEVICES; ++k)
		if (run->workers[k].device != NULL)
			patch_worker_end(&run->workers[k]);
	patch_list_free(&run->list);
	fast_sums_free(&run->of);
	free(run->finished);
	free(run);
}

/* All ranks divide the picture in the same way, for the least of their memories. */
static sonde_status agree_on_memory(const sonde_context *context, struct fast_memory *memory)
{
	double pixels = (double)memory->pixels;

	CHECK(parallel_least(context_ranks(context), &memory->meshes));
	CHECK(parallel_least(context_ranks(context), &pixels));
	memory->pixels = (int64_t)pixels;
	return SONDE_OK;
}

/* GPUs are used if all ranks have some. */
static sonde_status choose_gpu(sonde_context *context, int *index, struct device **gpu)
{
	CHECK(fast_find_gpu(context, index, gpu));
	uint64_t lacking = *gpu == NULL;
	CHECK(parallel_sum(context_ranks(context), &lacking, 1));
	*gpu = lacking > 0 ? NULL : *gpu;
	return SONDE_OK;
}

/* `gpu`: the first one, or null for the host; `kept` may be null. */
static sonde_status sum_on(sonde_context *context, struct device *gpu, const struct pattern_patches *kept,
			   const struct pattern_plan *plan, const struct pattern_values *values,
			   struct pattern_division *division, double *error, int64_t *checked,
			   enum sums_outcome *outcome)
{
	struct fast_memory memory;
	struct picture_sums *run;

	fast_find_memory(context, plan, gpu, &memory);
	CHECK(agree_on_memory(context, &memory));
	if (pattern_is_resident(&plan->sample) && plan->sample.resident.device != gpu)
		return status_fail(SONDE_INTERNAL, "the atoms are in the memory of another device");
	division->chunk = memory.pixels;
	division->meshes = memory.meshes;
	division->on_gpu = gpu != NULL;
	if (kept != NULL) /* all have read a checkpoint before rank 0 writes one */
		CHECK(parallel_agree(context_ranks(context), kept->begin(kept->user, division)));
	CHECK(memory_allocate(&run, 1, sizeof *run, "the sums"));
	run->of.context = run->context = context;
	run->of.plan = run->plan = plan;
	run->of.values = values;
	run->gpu = gpu;
	run->others = memory.device;
	run->division = division;
	run->kept = kept;
	const sonde_status status = sum(run, error, checked);
	*outcome = run->outcome;
	free_sums(run);
	return status;
}

static sonde_status drop_gpu(sonde_context *context, sonde_status status)
{
	char message[512];
	struct device *gpu;
	int index;

	snprintf(message, sizeof message, "%s", status_message());
	CHECK(fast_find_gpu(context, &index, &gpu)); /* others may have been dropped */
	status_set_message("%s", message);
	return gpu != NULL ? context_drop_device(context, index, status) : SONDE_OK;
}

/* With the check of some points, unless `error` is null. */
static sonde_status sum_and_check(sonde_context *context, const struct pattern_patches *kept,
				  const struct pattern_plan *plan, const struct pattern_values *values,
				  struct pattern_division *division, double *error, int64_t *checked)
{
	struct device *gpu = NULL;
	enum sums_outcome outcome = FIRST_GPU;
	int index;

	if (plan->fast.on_gpu)
		CHECK(choose_gpu(context, &index, &gpu));
	const sonde_status status = sum_on(context, gpu, kept, plan, values, division, error, checked, &outcome);
	if (status != SONDE_RESOURCE || gpu == NULL || outcome == NO_DEVICE || pattern_has_ranks(context))
		return status;
	/* by the next one, or, unless a GPU was requested, by the CPU */
	if (outcome == FIRST_GPU)
		CHECK(drop_gpu(context, status));
	return sum_and_check(context, kept, plan, values, division, error, checked);
}

struct pattern_division fast_division(const struct pattern_plan *plan)
{
	return (struct pattern_division){.oversampling = plan->fast.oversampling, .width = plan->fast.width};
}

sonde_status fast_sums(sonde_context *context, const struct pattern_plan *plan, const struct pattern_values *values)
{
	struct pattern_division division = fast_division(plan);

	return sum_and_check(context, NULL, plan, values, &division, NULL, NULL);
}

sonde_status fast_widen(sonde_context *context, double error, const struct pattern_division *division,
			struct pattern_plan *plan)
{
	const double finer = fast_finer(division->oversampling);
	const int most = (int)WINDOW_MOST_WIDTH;

	if (division->width == most && finer == division->oversampling)
		return status_fail_option(SONDE_INVALID, "tolerance",
					  "the error of the fast method is %.2g; allow more, or use `method direct`",
					  error);
	context_notef(
	    context, "the error was %.2g, more than the tolerance: summed again with a wider window and finer meshes",
	    error);
	plan->fast.oversampling = finer;
	plan->fast.width = division->width + 2 < most ? division->width + 2 : most;
	return SONDE_OK;
}

sonde_status fast_run(sonde_context *context, struct pattern_plan *plan, const struct pattern_values *values,
		      double *error, int64_t *checked)
{
	const double tolerance = plan->fast.tolerance;

	for (;;) {
		struct pattern_division division = fast_division(plan);
		CHECK(sum_and_check(context, plan->patches, plan, values, &division, error, checked));
		if (*error <= tolerance)
			return SONDE_OK;
		CHECK(fast_widen(context, *error, &division, plan));
	}
}
