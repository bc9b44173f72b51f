/* Boxes whose amplitudes are on a GPU. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "pattern/fast/sums.h"

#define TABLE_ERROR 1e-13 /* of the diffuse part */
#define ROOM 1e-9         /* of the range of q, for rounding */
#define PAGE_NUMBERS 512  /* of the smallest pages */
#define NUMBERS_OF_THREAD (1 << 20)
#define AMPLITUDES_AT_ONCE (1 << 22)

static double diffuse_of(const void *of, double q)
{
	const double none[3] = {0.0, 0.0, 0.0};

	return sums_diffuse(of, none, q);
}

/* Whether all functions of q are tables. */
static sonde_status find_tables(struct sums *run, bool *found)
{
	const struct pattern_plan *plan = run->plan;
	const double room = ROOM * plan->pixels.largest;

	*found = !plan->sample.anisotropic && plan->sample.joint_count == 0;
	for (int k = 0; k < run->channels.count && *found; ++k)
		*found = run->amplitude_tables.real[run->channels.class_of[k]].parts > 0;
	if (!*found || !sums_are_diffuse(&plan->sample))
		return SONDE_OK;
	CHECK(piecewise_make(diffuse_of, &plan->sample, fmax(0.0, plan->pixels.smallest - room),
			     plan->pixels.largest + room, TABLE_ERROR, &run->diffuse));
	*found = run->diffuse.parts > 0;
	return SONDE_OK;
}

sonde_status sums_begin_box(struct sums *run)
{
	bool found;

	if (run->mesh.gpu == NULL || run->plan->pixels.geometry != SONDE_PATTERN_BOX)
		return SONDE_OK;
	CHECK(find_tables(run, &found));
	return found ? gpu_box_make(run->mesh.gpu, &run->plan->pixels, run->patch_atoms.mesh_bytes, &run->box)
		     : SONDE_OK;
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

static sonde_status copy_amplitudes(struct sums *run)
{
	const int64_t all = run->plan->pixels.count;
	double *pairs;
	sonde_status status = SONDE_OK;

	CHECK(memory_allocate_to_fill(&pairs, 2 * (size_t)(all < AMPLITUDES_AT_ONCE ? all : AMPLITUDES_AT_ONCE),
				      sizeof *pairs, "the amplitudes"));
	for (int64_t first = 0; first < all && status == SONDE_OK; first += AMPLITUDES_AT_ONCE) {
		const int64_t count = all - first < AMPLITUDES_AT_ONCE ? all - first : AMPLITUDES_AT_ONCE;
		struct splitting splitting = {pairs, run->values->real + first, run->values->imaginary + first};
		status = gpu_box_amplitudes(run->box, first, count, pairs);
		threads_for(context_threads(run->context), count, NUMBERS_OF_THREAD, split_some, &splitting);
	}
	free(pairs);
	return status;
}

static sonde_status copy_checked(struct sums *run)
{
	const int64_t count = pattern_checked(run->plan);

	for (int64_t k = 0; k < count; ++k) {
		const int64_t n = pattern_checked_pixel(run->plan, k);
		double pair[2];
		CHECK(gpu_box_amplitudes(run->box, n, 1, pair));
		run->values->real[n] = pair[0];
		run->values->imaginary[n] = pair[1];
	}
	return SONDE_OK;
}

sonde_status sums_end_box(struct sums *run, bool checked)
{
	const struct pattern_plan *plan = run->plan;
	const bool wanted = plan->options.amplitude || plan->options.partials != SONDE_PATTERN_PARTIALS_NONE;

	threads_for(context_threads(run->context), plan->pixels.count, NUMBERS_OF_THREAD, touch_some,
		    run->values->intensity);
	CHECK(gpu_box_intensities(run->box, run->diffuse.parts > 0 ? &run->diffuse : NULL, run->values->intensity));
	if (wanted)
		return copy_amplitudes(run);
	return checked ? copy_checked(run) : SONDE_OK;
}
