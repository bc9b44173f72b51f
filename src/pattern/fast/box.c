/* Boxes whose amplitudes are on a GPU. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "pattern/fast/box.h"

#define TABLE_ERROR 1e-13 /* of the diffuse part */
#define ROOM 1e-9         /* of the range of q, for rounding */
#define PAGE_NUMBERS 512  /* of the smallest pages */
#define NUMBERS_OF_THREAD (1 << 20)
#define AMPLITUDES_AT_ONCE (1 << 22)

static double diffuse_of(const void *of, double q)
{
	const double none[3] = {0.0, 0.0, 0.0};

	return fast_diffuse(of, none, q);
}

/* Whether all functions of q are tables. */
static sonde_status find_tables(struct fast_box *box, bool *found)
{
	const struct fast_sums *run = box->worker.run;
	const struct pattern_plan *plan = run->plan;
	const double room = ROOM * plan->pixels.largest;

	*found = !plan->sample.anisotropic && plan->sample.joint_count == 0;
	for (int k = 0; k < run->channels.count && *found; ++k)
		*found = run->amplitude_tables.real[run->channels.class_of[k]].parts > 0;
	if (!*found || !pattern_is_diffuse(&plan->sample))
		return SONDE_OK;
	CHECK(piecewise_make(diffuse_of, &plan->sample, fmax(0.0, plan->pixels.smallest - room),
			     plan->pixels.largest + room, TABLE_ERROR, &box->diffuse));
	*found = box->diffuse.parts > 0;
	return SONDE_OK;
}

sonde_status fast_box_begin(const struct fast_sums *run, struct device *gpu, struct fast_box *box)
{
	bool found;

	CHECK(patch_worker_begin(run, gpu, &box->worker));
	CHECK(find_tables(box, &found));
	if (found)
		CHECK(gpu_box_make(box->worker.mesh.gpu, &run->plan->pixels, run->patch_atoms.mesh_bytes,
				   &box->pictured));
	if (box->pictured == NULL)
		fast_box_free(box);
	return SONDE_OK;
}

void fast_box_free(struct fast_box *box)
{
	gpu_box_free(&box->pictured);
	patch_worker_end(&box->worker);
	piecewise_free(&box->diffuse);
}

sonde_status fast_box_add(struct fast_box *box, const struct patch *patch)
{
	const struct fast_sums *run = box->worker.run;
	const struct amplitude_tables *tables = &run->amplitude_tables;
	struct fast_axes axes;

	CHECK(patch_worker_shape(&box->worker, patch, &axes));
	for (int k = 0; k < run->channels.count; ++k) {
		const int class = run->channels.class_of[k];
		CHECK(patch_worker_transform(&box->worker, patch->middle, k, 0));
		CHECK(gpu_box_add(box->pictured, &axes, &tables->real[class],
				  tables->imaginary != NULL ? &tables->imaginary[class] : NULL));
	}
	return SONDE_OK;
}

/* Memory that the system provides on the first access: by all threads, since copies from a device are made by one. */
static void touch_some(void *state, int64_t first, int64_t end, int worker)
{
	double *numbers = state;

	(void)worker;
	for (int64_t n = first; n < end; n += PAGE_NUMBERS)
		numbers[n] = 0.0;
}

struct splitting {
	const double *pairs;
	double *real, *imaginary;
};

static void split_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct splitting *splitting = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		splitting->real[n] = splitting->pairs[2 * n];
		splitting->imaginary[n] = splitting->pairs[2 * n + 1];
	}
}

static sonde_status copy_amplitudes(const struct fast_sums *run, struct gpu_box *box)
{
	const int64_t all = run->plan->pixels.count;
	double *pairs;
	sonde_status status = SONDE_OK;

	CHECK(memory_allocate_to_fill(&pairs, 2 * (size_t)(all < AMPLITUDES_AT_ONCE ? all : AMPLITUDES_AT_ONCE),
				      sizeof *pairs, "the amplitudes"));
	for (int64_t first = 0; first < all && status == SONDE_OK; first += AMPLITUDES_AT_ONCE) {
		const int64_t count = all - first < AMPLITUDES_AT_ONCE ? all - first : AMPLITUDES_AT_ONCE;
		struct splitting splitting = {pairs, run->values->real + first, run->values->imaginary + first};
		status = gpu_box_amplitudes(box, first, count, pairs);
		threads_for(context_threads(run->context), count, NUMBERS_OF_THREAD, split_some, &splitting);
	}
	free(pairs);
	return status;
}

static sonde_status copy_checked(const struct fast_sums *run, struct gpu_box *box)
{
	const int64_t count = pattern_checked(run->plan);

	for (int64_t k = 0; k < count; ++k) {
		const int64_t n = pattern_checked_pixel(run->plan, k);
		double pair[2];
		CHECK(gpu_box_amplitudes(box, n, 1, pair));
		run->values->real[n] = pair[0];
		run->values->imaginary[n] = pair[1];
	}
	return SONDE_OK;
}

sonde_status fast_box_end(struct fast_box *box, bool checked)
{
	const struct fast_sums *run = box->worker.run;
	const struct pattern_plan *plan = run->plan;
	const bool wanted = plan->options.amplitude || plan->options.partials != SONDE_PATTERN_PARTIALS_NONE;

	threads_for(context_threads(run->context), plan->pixels.count, NUMBERS_OF_THREAD, touch_some,
		    run->values->intensity);
	CHECK(gpu_box_intensities(box->pictured, box->diffuse.parts > 0 ? &box->diffuse : NULL,
				  run->values->intensity));
	if (wanted)
		return copy_amplitudes(run, box->pictured);
	return checked ? copy_checked(run, box->pictured) : SONDE_OK;
}
