#include "fdtd/fields/survey.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "parallel/parallel.h"

#define WORDS_OF_ITEM 64u   /* minimum */
#define WORDS_OF_CPU 16384u /* of a work-group there */
#define MOST_RESULTS (1u << 18)

static size_t word_size(const struct fields *fields)
{
	return fields->single ? sizeof(uint32_t) : sizeof(uint64_t);
}

#define NUMBERS_OF_BOX 6
#define LARGEST_IN_WORDS 1e30 /* fields that grow without limit are 0 or finite in words beyond float32 */

/* Planes as they lie in memory: one lies before plane 0. */
static sonde_status keep_boxes(struct fields *fields, const struct survey_box *boxes, int count,
			       struct survey *survey)
{
	const size_t size = (size_t)(count > 0 ? count : 1) * NUMBERS_OF_BOX * sizeof(uint32_t);
	uint32_t *numbers;

	CHECK(device_allocate(fields->device, size, "the largest field", &survey->boxes));
	CHECK(memory_allocate(&numbers, size, 1, "the largest field"));
	for (int n = 0; n < count; ++n)
		for (int a = 0; a < 3; ++a) {
			const int before = a == 0 ? 1 : 0;
			numbers[NUMBERS_OF_BOX * n + 2 * a] = (uint32_t)(boxes[n].begin[a] + before);
			numbers[NUMBERS_OF_BOX * n + 2 * a + 1] = (uint32_t)(boxes[n].end[a] + before);
		}
	const sonde_status status = device_write(fields->device, &survey->boxes, 0, numbers, size);
	free(numbers);
	survey->box_count = (uint32_t)count;
	return status;
}

/* Words of a work-group. */
static uint64_t chunk_of(const struct survey *survey, uint64_t words)
{
	const uint32_t items = survey->kernel.work_items;
	uint64_t chunk = items > 1 ? (uint64_t)WORDS_OF_ITEM * items : WORDS_OF_CPU;

	while ((words + chunk - 1) / chunk * items > MOST_RESULTS)
		chunk *= 2;
	return chunk;
}

static uint32_t groups_of(const struct survey *survey, uint64_t words)
{
	const uint64_t chunk = chunk_of(survey, words);

	return (uint32_t)((words + chunk - 1) / chunk);
}

static size_t results_bytes(const struct fields *fields, const struct survey *survey)
{
	return (size_t)survey->most_groups * survey->kernel.work_items * word_size(fields);
}

sonde_status survey_make(struct fields *fields, const struct survey_box *boxes, int count, struct survey *survey)
{
	*survey = (struct survey){.device = fields->device};
	CHECK(fields_find_kernel(fields, "survey", &survey->kernel));
	CHECK(keep_boxes(fields, boxes, count, survey));
	/* of fewer words there are at most twice as many groups: see chunk_of() */
	survey->most_groups = MOST_RESULTS / survey->kernel.work_items;
	const uint32_t groups = groups_of(survey, fields->layout.volume);
	if (2 * groups < survey->most_groups)
		survey->most_groups = 2 * groups;
	for (int k = 0; k < 2; ++k)
		CHECK(device_allocate(fields->device, results_bytes(fields, survey), "the largest field",
				      &survey->largest[k]));
	if (fields->beside == NULL)
		return SONDE_OK;
	CHECK(memory_allocate(&survey->beside, 1, sizeof *survey->beside, "the largest field"));
	return survey_make(fields->beside, boxes, count, survey->beside);
}

void survey_release(struct fields *fields, struct survey *survey)
{
	device_release(survey->device, &survey->largest[0]);
	device_release(survey->device, &survey->largest[1]);
	device_release(survey->device, &survey->boxes);
	if (survey->beside != NULL)
		survey_release(fields, survey->beside);
	free(survey->beside);
	*survey = (struct survey){0};
}

static double largest_single(const uint32_t *words, size_t count)
{
	uint32_t most = 0;
	float value;

	for (size_t k = 0; k < count; ++k)
		most = words[k] > most ? words[k] : most;
	memcpy(&value, &most, sizeof value);
	return isfinite(value) ? (double)value : INFINITY;
}

static double largest_double(const uint64_t *words, size_t count)
{
	uint64_t most = 0;
	double value;

	for (size_t k = 0; k < count; ++k)
		most = words[k] > most ? words[k] : most;
	memcpy(&value, &most, sizeof value);
	return isfinite(value) ? value : INFINITY;
}

sonde_status survey_begin(struct fields *fields, struct survey *survey)
{
	for (int k = 0; k < 2; ++k)
		CHECK(device_clear(fields->device, &survey->largest[k], 0, results_bytes(fields, survey)));
	return fields->beside == NULL ? SONDE_OK : survey_begin(fields->beside, survey->beside);
}

/* Words of E from `first` on, before `behind`. */
static sonde_status look_at(struct fields *fields, const struct survey *survey, bool away, uint64_t first,
			    uint64_t behind)
{
	const struct fdtd_step *layout = &fields->layout;
	const uint32_t boxes = away ? survey->box_count : 0, chunk = (uint32_t)chunk_of(survey, behind - first);
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(fields->buffers[FIELD_E].memory),
						    DEVICE_ARGUMENT(first),
						    DEVICE_ARGUMENT(behind),
						    DEVICE_ARGUMENT(chunk),
						    DEVICE_ARGUMENT(survey->largest[away ? 1 : 0].memory),
						    DEVICE_ARGUMENT(survey->boxes.memory),
						    DEVICE_ARGUMENT(boxes),
						    DEVICE_ARGUMENT(layout->before),
						    DEVICE_ARGUMENT(layout->volume),
						    DEVICE_ARGUMENT(layout->plane),
						    DEVICE_ARGUMENT(layout->row)};

	return device_launch(fields->device, &survey->kernel, groups_of(survey, behind - first), arguments, 11);
}

/* With the last plane those beyond the wall. */
static sonde_status look_at_part(struct fields *fields, const struct survey *survey, uint32_t first, uint32_t count)
{
	const struct fdtd_step *layout = &fields->layout;
	const uint64_t begin = first > 0 ? first + 1 : 0,
		       end = first + count >= layout->end[0] ? layout->planes : first + count + 1;

	for (uint64_t a = 0; a < 3; ++a) {
		const uint64_t component = layout->before + a * layout->volume;
		for (int away = 0; away < (survey->box_count > 0 ? 2 : 1); ++away)
			CHECK(look_at(fields, survey, away != 0, component + begin * layout->plane,
				      component + end * layout->plane));
	}
	return SONDE_OK;
}

sonde_status survey_planes(struct fields *fields, const struct survey *survey, uint32_t first, uint32_t count)
{
	while (survey != NULL && survey->device != fields->device)
		survey = survey->beside;
	if (survey == NULL)
		return SONDE_OK;
	CHECK(look_at_part(fields, survey, first, count));
	return fields->imaginary == NULL ? SONDE_OK : look_at_part(fields->imaginary, survey, first, count);
}

static sonde_status end_of_device(struct fields *fields, const struct survey *survey, double *anywhere, double *away)
{
	const size_t bytes = results_bytes(fields, survey), count = bytes / word_size(fields);
	double *const largest[] = {anywhere, away};
	void *results;
	sonde_status status = SONDE_OK;

	CHECK(memory_allocate(&results, bytes, 1, "the largest field"));
	for (int k = 0; k < (survey->box_count > 0 ? 2 : 1) && status == SONDE_OK; ++k) {
		status = device_read(fields->device, &survey->largest[k], 0, results, bytes);
		*largest[k] = fields->single ? largest_single(results, count) : largest_double(results, count);
		if (fields->grid.in_words && *largest[k] > LARGEST_IN_WORDS)
			*largest[k] = INFINITY;
	}
	if (survey->box_count == 0)
		*away = *anywhere;
	free(results);
	return status;
}

sonde_status survey_end(struct fields *fields, const struct survey *survey, double *anywhere, double *away)
{
	double here[2];

	*anywhere = *away = 0.0;
	struct fields *on = fields;
	do {
		CHECK(end_of_device(on, survey, &here[0], &here[1]));
		*anywhere = fmax(*anywhere, here[0]);
		*away = fmax(*away, here[1]);
		on = on->beside;
		survey = survey->beside;
	} while (on != NULL);
	here[0] = *anywhere;
	here[1] = *away;
	CHECK(parallel_largest(fields->ranks, here, 2));
	*anywhere = here[0];
	*away = here[1];
	return SONDE_OK;
}
