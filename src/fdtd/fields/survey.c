#include "fdtd/fields/survey.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define WORDS_OF_ITEM 64u   /* minimum */
#define WORDS_OF_CPU 16384u /* of a work-group there */
#define MOST_RESULTS (1u << 18)

static size_t word_size(const struct fields *fields)
{
	return fields->single ? sizeof(uint32_t) : sizeof(uint64_t);
}

#define NUMBERS_OF_BOX 6

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

sonde_status survey_make(struct fields *fields, const struct survey_box *boxes, int count, struct survey *survey)
{
	uint64_t words = fields->layout.before + 3 * fields->layout.volume;

	*survey = (struct survey){0};
	CHECK(fields_find_kernel(fields, "survey", &survey->kernel));
	CHECK(keep_boxes(fields, boxes, count, survey));
	uint32_t items = survey->kernel.work_items;
	uint64_t chunk = items > 1 ? (uint64_t)WORDS_OF_ITEM * items : WORDS_OF_CPU;
	while ((words + chunk - 1) / chunk * items > MOST_RESULTS)
		chunk *= 2;
	survey->chunk = (uint32_t)chunk;
	survey->groups = (uint32_t)((words + chunk - 1) / chunk);
	return device_allocate(fields->device, (size_t)survey->groups * items * word_size(fields),
			       "the largest field", &survey->largest);
}

void survey_release(struct fields *fields, struct survey *survey)
{
	device_release(fields->device, &survey->largest);
	device_release(fields->device, &survey->boxes);
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

static sonde_status take(struct fields *fields, const struct survey *survey, uint32_t boxes, double *largest)
{
	const struct fdtd_step *layout = &fields->layout;
	uint64_t words = layout->before + 3 * layout->volume;
	size_t count = (size_t)survey->groups * survey->kernel.work_items;
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(fields->buffers[FIELD_E].memory),
						    DEVICE_ARGUMENT(words),
						    DEVICE_ARGUMENT(survey->chunk),
						    DEVICE_ARGUMENT(survey->largest.memory),
						    DEVICE_ARGUMENT(survey->boxes.memory),
						    DEVICE_ARGUMENT(boxes),
						    DEVICE_ARGUMENT(layout->before),
						    DEVICE_ARGUMENT(layout->volume),
						    DEVICE_ARGUMENT(layout->plane),
						    DEVICE_ARGUMENT(layout->row)};
	void *results;

	CHECK(device_launch(fields->device, &survey->kernel, survey->groups, arguments, 10));
	CHECK(memory_allocate(&results, count, word_size(fields), "the largest field"));
	sonde_status status = device_read(fields->device, &survey->largest, 0, results, count * word_size(fields));
	*largest = fields->single ? largest_single(results, count) : largest_double(results, count);
	free(results);
	return status;
}

static sonde_status take_parts(struct fields *fields, const struct survey *survey, uint32_t boxes, double *largest)
{
	double imaginary;

	CHECK(take(fields, survey, boxes, largest));
	if (fields->imaginary == NULL)
		return SONDE_OK;
	CHECK(take(fields->imaginary, survey, boxes, &imaginary));
	*largest = fmax(*largest, imaginary);
	return SONDE_OK;
}

sonde_status survey_take(struct fields *fields, const struct survey *survey, double *largest)
{
	return take_parts(fields, survey, 0, largest);
}

sonde_status survey_take_away(struct fields *fields, const struct survey *survey, double *largest)
{
	return take_parts(fields, survey, survey->box_count, largest);
}
