#include "fdtd/fields/lists.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "fdtd/fields/answering.h"
#include "fdtd/fields/plane_lists.h"
#include "fdtd/fields/plane_sort.h"
#include "fdtd/grid/layout.h"

#define TERMS_OF_PART 16384

static uint32_t groups_of(const struct device_kernel *kernel, uint32_t count)
{
	uint32_t group = kernel->work_items > 1 ? kernel->work_items : PLACES_OF_CPU_ITEM;

	return (count + group - 1) / group;
}

/* Injections ------------------------------------------------------------------------------ */

sonde_status injection_add(struct injection_terms *terms, uint64_t at, uint32_t from, double weight)
{
	CHECK(memory_grow(&terms->terms, &terms->capacity, terms->count + 1, sizeof *terms->terms, "a source"));
	terms->terms[terms->count++] = (struct injection_term){at, from, weight};
	return SONDE_OK;
}

struct keyed {
	uint64_t plane, at;
	uint32_t from;
	double weight;
};

static int compare_terms(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;

	if (x->plane != y->plane)
		return x->plane < y->plane ? -1 : 1;
	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from;
}

static uint32_t plane_of_term(const void *item)
{
	return (uint32_t)((const struct keyed *)item)->plane;
}

struct keying {
	const struct fields *fields;
	struct injection_terms *terms;
	struct keyed *keyed;
};

static void key_terms(void *state, int64_t begin, int64_t end, int worker)
{
	const struct keying *keying = state;

	(void)worker;
	for (int64_t n = begin; n < end; ++n) {
		const struct injection_term *term = &keying->terms->terms[n];
		keying->keyed[n] = (struct keyed){fields_plane_of(keying->fields, FIELD_E, term->at), term->at,
						  term->from, term->weight};
	}
}

static void take_terms(void *state, int64_t begin, int64_t end, int worker)
{
	const struct keying *keying = state;

	(void)worker;
	for (int64_t n = begin; n < end; ++n) {
		const struct keyed *keyed = &keying->keyed[n];
		keying->terms->terms[n] = (struct injection_term){keyed->at, keyed->from, keyed->weight};
	}
}

/* Sorts by planes, unlike the order in memory, where all places of one component follow those of another. */
static sonde_status sort_terms(const struct fields *fields, struct injection_terms *terms)
{
	const struct plane_order order = {(uint32_t)fields->layout.planes, fields->threads, plane_of_term,
					  compare_terms};
	struct keying keying = {fields, terms, NULL};
	const int64_t count = (int64_t)terms->count;
	sonde_status status;

	CHECK(memory_allocate_to_fill(&keying.keyed, terms->count, sizeof *keying.keyed, "a source"));
	threads_for(fields->threads, count, TERMS_OF_PART, key_terms, &keying);
	CHECK_GOTO(status, threads_completed(), done);
	CHECK_GOTO(status, plane_sort(&order, keying.keyed, terms->count, sizeof *keying.keyed), done);
	threads_for(fields->threads, count, TERMS_OF_PART, take_terms, &keying);
	status = threads_completed();
done:
	free(keying.keyed);
	return status;
}

/* Converts float64 numbers to the fields' type; float32 ones in place. */
static const void *in_type_of(const struct fields *fields, double *numbers, size_t count, size_t *bytes)
{
	*bytes = count * (fields->single ? sizeof(float) : sizeof(double));
	if (fields->single)
		for (size_t n = 0; n < count; ++n) {
			const float number = (float)numbers[n];
			memcpy((char *)numbers + n * sizeof number, &number, sizeof number);
		}
	return numbers;
}

/* Sorted terms on their way to the device: each place with its terms. */
struct packed_terms {
	bool single;
	const struct injection_terms *terms;
	size_t *before; /* number of places before each part */
	struct fdtd_place *places;
	uint32_t *from;
	void *weights; /* in the fields' type */
};

static bool begins_place(const struct injection_terms *terms, size_t n)
{
	return n == 0 || terms->terms[n].at != terms->terms[n - 1].at;
}

static void count_places(void *state, int64_t begin, int64_t end, int worker)
{
	const struct packed_terms *packed = state;

	(void)worker;
	for (size_t n = (size_t)begin; n < (size_t)end; ++n)
		packed->before[(size_t)begin / TERMS_OF_PART] += begins_place(packed->terms, n) ? 1 : 0;
}

static void pack_terms(void *state, int64_t begin, int64_t end, int worker)
{
	const struct packed_terms *packed = state;
	const struct injection_terms *terms = packed->terms;
	size_t place = packed->before[(size_t)begin / TERMS_OF_PART];

	(void)worker;
	for (size_t n = (size_t)begin; n < (size_t)end; ++n) {
		const struct injection_term *term = &terms->terms[n];
		packed->from[n] = term->from;
		if (packed->single)
			((float *)packed->weights)[n] = (float)term->weight;
		else
			((double *)packed->weights)[n] = term->weight;
		if (!begins_place(terms, n))
			continue;
		size_t behind = n + 1;
		while (behind < terms->count && terms->terms[behind].at == term->at)
			++behind;
		packed->places[place++] = (struct fdtd_place){term->at, (uint32_t)n, (uint32_t)(behind - n)};
	}
}

/* Makes the lists of places, of signals, and of weights. */
static sonde_status pack(const struct fields *fields, struct packed_terms *packed, uint32_t *count)
{
	const size_t terms = packed->terms->count, parts = (terms + TERMS_OF_PART - 1) / TERMS_OF_PART;
	size_t sum = 0;

	CHECK(memory_allocate(&packed->before, parts, sizeof *packed->before, "a source"));
	threads_for(fields->threads, (int64_t)terms, TERMS_OF_PART, count_places, packed);
	CHECK(threads_completed());
	for (size_t p = 0; p < parts; ++p) {
		const size_t own = packed->before[p];
		packed->before[p] = sum;
		sum += own;
	}
	*count = (uint32_t)sum;
	CHECK(memory_allocate_to_fill(&packed->places, sum, sizeof *packed->places, "a source"));
	CHECK(memory_allocate_to_fill(&packed->from, terms, sizeof *packed->from, "a source"));
	CHECK(memory_allocate_to_fill(&packed->weights, terms, packed->single ? sizeof(float) : sizeof(double),
				      "a source"));
	threads_for(fields->threads, (int64_t)terms, TERMS_OF_PART, pack_terms, packed);
	return threads_completed();
}

static sonde_status upload_terms(struct fields *fields, const struct injection_terms *terms,
				 struct injection *injection)
{
	struct packed_terms packed = {.single = fields->single, .terms = terms};
	sonde_status status;

	CHECK_GOTO(status, pack(fields, &packed, &injection->count), done);
	CHECK_GOTO(status,
		   plane_lists_find(fields, FIELD_E, &packed.places->at, sizeof *packed.places, injection->count,
				    &injection->first_of_plane),
		   done);
	CHECK_GOTO(status,
		   device_upload(fields->device, packed.places, injection->count * sizeof *packed.places,
				 "a list of places", &injection->places),
		   done);
	CHECK_GOTO(status,
		   device_upload(fields->device, packed.from, terms->count * sizeof *packed.from, "a list of places",
				 &injection->from),
		   done);
	status = device_upload(fields->device, packed.weights,
			       terms->count * (fields->single ? sizeof(float) : sizeof(double)), "a list of places",
			       &injection->weights);
done:
	free(packed.before);
	free(packed.places);
	free(packed.from);
	free(packed.weights);
	return status;
}

sonde_status injection_make(struct fields *fields, enum field field, struct injection_terms *terms, uint32_t signals,
			    uint32_t times, struct injection *injection)
{
	size_t size = fields->single ? sizeof(float) : sizeof(double);

	*injection = (struct injection){.device = fields->device, .field = field, .signals = signals, .times = times};
	CHECK(sort_terms(fields, terms));
	CHECK(upload_terms(fields, terms, injection));
	CHECK(device_allocate(fields->device, (size_t)times * signals * size, "the signals of a source",
			      &injection->values));
	if (fields->beside == NULL)
		return SONDE_OK;
	CHECK(memory_allocate(&injection->beside, 1, sizeof *injection->beside, "a source"));
	return injection_make(fields->beside, field, terms, signals, times, injection->beside);
}

void injection_release(struct fields *fields, struct injection *injection)
{
	struct device_buffer *const all[] = {&injection->places, &injection->from, &injection->weights,
					     &injection->values};

	for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
		device_release(injection->device, all[k]);
	if (injection->beside != NULL)
		injection_release(fields, injection->beside);
	free(injection->beside);
	free(injection->first_of_plane);
	*injection = (struct injection){0};
}

sonde_status injection_write(struct fields *fields, struct injection *injection, const double *values, uint32_t times)
{
	size_t count = (size_t)times * injection->signals, bytes;
	double *numbers;

	CHECK(memory_allocate(&numbers, count, sizeof *numbers, "the signals of a source"));
	for (size_t n = 0; n < count; ++n)
		numbers[n] = values[n];
	const void *typed = in_type_of(fields, numbers, count, &bytes);
	sonde_status status = SONDE_OK;
	for (struct injection *on = injection; on != NULL && status == SONDE_OK; on = on->beside)
		status = device_write(on->device, &on->values, 0, typed, bytes);
	free(numbers);
	return status;
}

static sonde_status apply(struct fields *fields, const struct injection *injection, bool imaginary, uint32_t time,
			  uint32_t begin, uint32_t places)
{
	const uint32_t now = time * injection->signals;
	const struct fields *part = imaginary ? fields->imaginary : fields;
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(part->buffers[injection->field].memory),
						    DEVICE_ARGUMENT(injection->places.memory),
						    DEVICE_ARGUMENT(injection->from.memory),
						    DEVICE_ARGUMENT(injection->weights.memory),
						    DEVICE_ARGUMENT(injection->values.memory),
						    DEVICE_ARGUMENT(now),
						    DEVICE_ARGUMENT(begin),
						    DEVICE_ARGUMENT(places)};

	return places == 0
		   ? SONDE_OK
		   : device_launch(fields->device, &fields->inject, groups_of(&fields->inject, places), arguments, 8);
}

sonde_status injection_apply_some(struct fields *fields, const struct injection *injection, uint32_t time,
				  uint32_t begin, uint32_t places)
{
	return apply(fields, injection, injection->imaginary, time, begin, places);
}

sonde_status injection_apply(struct fields *fields, const struct injection *injection, uint32_t time, uint32_t first,
			     uint32_t count)
{
	const uint32_t planes = (uint32_t)fields->grid.cells[0] + 1,
		       behind = first + count < planes ? first + count : planes;
	const struct injection *on = injection;

	while (on != NULL && on->device != fields->device)
		on = on->beside;
	if (on == NULL)
		return SONDE_OK;
	const uint32_t begin = on->first_of_plane[first];
	return apply(fields, on, injection->imaginary, time, begin, on->first_of_plane[behind] - begin);
}

/* Observations ---------------------------------------------------------------------------- */

sonde_status observation_make(struct fields *fields, enum field field, const uint64_t *places, uint32_t count,
			      uint32_t frequencies, struct observation *observation)
{
	return observation_make_short(fields, field, places, count, frequencies, fields->most_times, observation);
}

/* Of the places those in the planes that this device observes. */
static void find_own(const struct fields *fields, struct observation *observation)
{
	const uint32_t *first = observation->first_of_plane, behind = fields->own.end,
		       end = behind < fields->layout.end[0] ? first[behind] : observation->count;

	observation->first_own = first[fields->own.begin];
	observation->own = end - observation->first_own;
}

static sonde_status make_imaginary(struct fields *fields, const uint64_t *places, uint32_t times,
				   struct observation *observation)
{
	if (fields->imaginary == NULL)
		return SONDE_OK;
	CHECK(memory_allocate(&observation->imaginary, 1, sizeof *observation->imaginary, "a monitor"));
	return observation_make_short(fields->imaginary, observation->field, places, observation->count,
				      observation->frequencies, times, observation->imaginary);
}

sonde_status observation_make_short(struct fields *fields, enum field field, const uint64_t *places, uint32_t count,
				    uint32_t frequencies, uint32_t times, struct observation *observation)
{
	size_t size = fields->single ? sizeof(float) : sizeof(double);

	*observation = (struct observation){.in_turn = fields->in_turn,
					    .device = fields->device,
					    .field = field,
					    .count = count,
					    .frequencies = frequencies,
					    .room = times};
	if (count > UINT32_MAX / MOST_SAMPLES)
		return status_fail(SONDE_INVALID, "a monitor has %u places, at most %u are possible; use a stride",
				   count, UINT32_MAX / MOST_SAMPLES);
	CHECK(plane_lists_find(fields, field, places, sizeof *places, count, &observation->first_of_plane));
	find_own(fields, observation);
	CHECK(device_upload(fields->device, places + observation->first_own, observation->own * sizeof *places,
			    "a list of places", &observation->places));
	const size_t own = observation->own > 0 ? observation->own : 1; /* kernels need a buffer */
	CHECK(device_allocate(fields->device, times * own * size, "the samples of a monitor", &observation->samples));
	CHECK(make_imaginary(fields, places, times, observation));
	if (fields->beside != NULL) {
		CHECK(memory_allocate(&observation->beside, 1, sizeof *observation->beside, "a monitor"));
		CHECK(observation_make_short(fields->beside, field, places, count, fields->in_turn ? 0 : frequencies,
					     times, observation->beside));
	}
	if (frequencies == 0)
		return SONDE_OK;
	const uint32_t at_once = frequencies < FREQUENCIES_AT_ONCE ? frequencies : FREQUENCIES_AT_ONCE;
	CHECK(device_allocate(fields->device, 2 * times * (size_t)at_once * size, "the waves of a monitor",
			      &observation->waves));
	return device_allocate(fields->device, 2 * (size_t)frequencies * own * sizeof(double),
			       "the sums of a monitor", &observation->sums);
}

void observation_release(struct fields *fields, struct observation *observation)
{
	struct device_buffer *const all[] = {&observation->places, &observation->samples, &observation->waves,
					     &observation->sums};

	for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
		device_release(observation->device, all[k]);
	if (observation->imaginary != NULL)
		observation_release(fields, observation->imaginary);
	if (observation->beside != NULL)
		observation_release(fields, observation->beside);
	free(observation->imaginary);
	free(observation->beside);
	free(observation->first_of_plane);
	*observation = (struct observation){0};
}

static uint32_t within(uint32_t number, uint32_t begin, uint32_t end)
{
	return number < begin ? begin : number < end ? number : end;
}

sonde_status observation_gather_some(struct fields *fields, const struct observation *observation, uint32_t time,
				     uint32_t begin, uint32_t places)
{
	const uint32_t now = time * observation->own;
	const bool of_answers = observation->field == FIELD_ANSWERS;
	const struct device_buffer *from =
	    of_answers ? &fields->answering->values : &fields->buffers[observation->field];
	const struct device_kernel *kernel = of_answers ? &fields->answering->gather : &fields->gather;
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(from->memory),
						    DEVICE_ARGUMENT(observation->places.memory),
						    DEVICE_ARGUMENT(observation->samples.memory),
						    DEVICE_ARGUMENT(now),
						    DEVICE_ARGUMENT(begin),
						    DEVICE_ARGUMENT(places)};

	return places == 0 ? SONDE_OK
			   : device_launch(fields->device, kernel, groups_of(kernel, places), arguments, 6);
}

static sonde_status gather(struct fields *fields, const struct observation *observation, uint32_t time,
			   uint32_t first, uint32_t count)
{
	const uint32_t planes = (uint32_t)fields->grid.cells[0] + 1, before = observation->first_own,
		       behind = first + count < planes ? first + count : planes, end = before + observation->own;
	const uint32_t begin = within(observation->first_of_plane[first], before, end),
		       places = within(observation->first_of_plane[behind], before, end) - begin;

	if (observation->imaginary != NULL)
		CHECK(gather(fields->imaginary, observation->imaginary, time, first, count));
	return observation_gather_some(fields, observation, time, begin - before, places);
}

sonde_status observation_gather(struct fields *fields, const struct observation *observation, uint32_t time,
				uint32_t first, uint32_t count)
{
	while (observation != NULL && observation->device != fields->device)
		observation = observation->beside;
	return observation == NULL ? SONDE_OK : gather(fields, observation, time, first, count);
}

sonde_status observation_transform(struct fields *fields, struct observation *observation, uint32_t begin,
				   const double *waves, uint32_t first, uint32_t count)
{
	size_t numbers_count = 2 * (size_t)observation->times * count, bytes;
	uint32_t points = observation->own, times = observation->times;
	uint32_t at_once = fields->transform.work_items > 1 ? fields->transform.work_items : 64u;
	double *numbers;

	if (times == 0)
		return SONDE_OK;
	if (observation->beside != NULL && !observation->in_turn) {
		observation->beside->times = times;
		CHECK(observation_transform(fields->beside, observation->beside, begin, waves, first, count));
	}
	if (points == 0)
		return SONDE_OK;
	if (observation->imaginary != NULL) {
		observation->imaginary->times = times;
		CHECK(observation_transform(fields->imaginary, observation->imaginary, begin, waves, first, count));
	}
	CHECK(memory_allocate(&numbers, numbers_count, sizeof *numbers, "the waves of a monitor"));
	memcpy(numbers, waves, numbers_count * sizeof *numbers);
	const void *typed = in_type_of(fields, numbers, numbers_count, &bytes);
	sonde_status status = device_write(fields->device, &observation->waves, 0, typed, bytes);
	free(numbers);
	CHECK(status);
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(observation->samples.memory),
						    DEVICE_ARGUMENT(observation->waves.memory),
						    DEVICE_ARGUMENT(observation->sums.memory),
						    DEVICE_ARGUMENT(points),
						    DEVICE_ARGUMENT(begin),
						    DEVICE_ARGUMENT(observation->room),
						    DEVICE_ARGUMENT(times),
						    DEVICE_ARGUMENT(first),
						    DEVICE_ARGUMENT(count)};
	return device_launch(fields->device, &fields->transform, (points + at_once - 1) / at_once, arguments, 9);
}
