#include "fdtd/monitors/fourier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"

#define GIGABYTE 1e9
#define WAVES_OF_PART 1024 /* frequencies, of a thread */
#define PLACES_OF_PART 16384
#define NUMBERS_OF_BLOCK (1u << 21) /* complex, of one field */
#define PRODUCTS_AT_ONCE (1u << 28) /* of samples and waves, between looks at a request to stop */
#define MIN(a, b) ((a) < (b) ? (a) : (b))

double fourier_bytes(double places, uint32_t frequencies, bool single)
{
	double size = single ? sizeof(float) : sizeof(double);

	return places * (sizeof(uint64_t) + MOST_SAMPLES * size + 2.0 * frequencies * sizeof(double));
}

uint32_t fourier_capacity(uint32_t steps, uint32_t every)
{
	return (steps + every - 1) / every + MOST_SAMPLES - 1;
}

/* CPUs without a limit have the free memory. */
static double memory_of(const struct device *device)
{
	uint64_t memory = device_properties(device)->memory;

	return (double)(memory == UINT64_MAX ? memory_available() : memory);
}

static sonde_status check_memory(const struct fields *fields, const struct fourier_places places[FIELDS_OBSERVED],
				 uint32_t frequencies)
{
	double count = (double)places[FIELD_E].count + places[FIELD_H].count + places[FIELD_ANSWERS].count,
	       bytes = (fields->imaginary != NULL ? 2.0 : 1.0) * fourier_bytes(count, frequencies, fields->single),
	       memory = memory_of(fields->device);

	if (bytes <= memory)
		return SONDE_OK;
	return status_fail(SONDE_RESOURCE,
			   "a monitor of %.0f places at %u frequencies takes %.3g GB, but %s has %.3g GB: use a "
			   "stride, a smaller region, or fewer frequencies",
			   count, frequencies, bytes / GIGABYTE, device_name(fields->device), memory / GIGABYTE);
}

sonde_status fourier_make(struct fields *fields, const struct fourier_places places[FIELDS_OBSERVED],
			  const double *angular_frequencies, uint32_t frequencies, uint32_t every,
			  struct fourier_sums *sums)
{
	*sums = (struct fourier_sums){.frequencies = frequencies, .every = every, .capacity = MOST_SAMPLES};
	if (frequencies < 1 || every < 1)
		return status_fail(
		    SONDE_INVALID,
		    "a monitor has %u frequencies and an interval of %u steps: each must be at least 1", frequencies,
		    every);
	if (fields->streaming != NULL && !fields->streaming->schedule.kept)
		sums->capacity = fourier_capacity(fields->most_times, every);
	CHECK(check_memory(fields, places, frequencies));
	CHECK(memory_allocate(&sums->angular_frequencies, frequencies, sizeof *angular_frequencies, "a monitor"));
	memcpy(sums->angular_frequencies, angular_frequencies, frequencies * sizeof *angular_frequencies);
	for (int field = 0; field < FIELDS_OBSERVED; ++field)
		if (places[field].count > 0)
			CHECK(observation_make_short(fields, (enum field)field, places[field].places,
						     places[field].count, frequencies, sums->capacity,
						     &sums->of[field]));
	return SONDE_OK;
}

void fourier_release(struct fields *fields, struct fourier_sums *sums)
{
	for (int field = 0; field < FIELDS_OBSERVED; ++field)
		observation_release(fields, &sums->of[field]);
	free(sums->angular_frequencies);
	*sums = (struct fourier_sums){0};
}

/* Multiples of `every` among the steps. */
uint32_t fourier_looks(const struct fourier_sums *sums, uint64_t step, uint32_t steps)
{
	uint64_t every = sums->every;

	return (uint32_t)((step + steps + every - 1) / every - (step + every - 1) / every);
}

/* Cosine and sine of each time and of some of the frequencies. */
struct waves {
	const struct fourier_sums *sums;
	enum field field;
	uint32_t times, first, count;
	double *values;
};

static void fill_some(void *state, int64_t begin, int64_t end, int worker)
{
	const struct waves *waves = state;
	const struct fourier_sums *sums = waves->sums;

	(void)worker;
	for (uint32_t t = 0; t < waves->times; ++t)
		for (int64_t f = begin; f < end; ++f) {
			double time = (double)(sums->first + (uint64_t)t * sums->every) +
				      (waves->field == FIELD_H ? 0.5 : 1.0),
			       phase = sums->angular_frequencies[waves->first + f] * time;
			double *wave = waves->values + 2 * ((size_t)t * waves->count + (size_t)f);
			wave[0] = sums->every * cos(phase);
			wave[1] = sums->every * sin(phase);
		}
}

static sonde_status transform_block(struct fields *fields, struct fourier_sums *sums, uint32_t times, uint32_t first,
				    uint32_t count, double *values)
{
	for (int field = 0; field < FIELDS_OBSERVED; ++field) {
		struct waves waves = {sums, (enum field)field, times, first, count, values};
		if (sums->of[field].count == 0)
			continue;
		threads_for(device_properties(fields->device)->host_threads, count, WAVES_OF_PART, fill_some, &waves);
		sums->of[field].times = times;
		CHECK(observation_transform(fields, &sums->of[field], sums->begin, values, first, count));
	}
	return SONDE_OK;
}

/* Number of frequencies that are updated at a time: few enough for a request to stop to be noticed soon. */
static uint32_t updated_at_once(const struct fourier_sums *sums, uint32_t times)
{
	uint64_t samples = 0;

	for (int field = 0; field < FIELDS_OBSERVED; ++field)
		samples += (uint64_t)sums->of[field].count * times;
	const uint64_t most = PRODUCTS_AT_ONCE / (samples > 0 ? samples : 1);
	const uint32_t at_once = MIN(FREQUENCIES_AT_ONCE, sums->frequencies);
	return most >= at_once ? at_once : most > 1 ? (uint32_t)most : 1;
}

static bool cancelled(const struct fourier_sums *sums)
{
	return sums->cancel != NULL && __atomic_load_n(sums->cancel, __ATOMIC_RELAXED) != 0;
}

/* Samples of the first group when it is complete: MOST_SAMPLES consecutive ones, fewer before a step at which sums are
 * needed whatever the steps of a call. */
static uint32_t complete_group(const struct fourier_sums *sums)
{
	const uint64_t until = (sums->first / STEPS_OF_SUMS + 1) * STEPS_OF_SUMS,
		       here = (until - sums->first + sums->every - 1) / sums->every;

	return here < MOST_SAMPLES ? (uint32_t)here : MOST_SAMPLES;
}

/* Adds the first samples to the sums: a whole group, or all that there are. */
static sonde_status transform_group(struct fields *fields, struct fourier_sums *sums)
{
	const uint32_t frequencies = sums->frequencies, times = MIN(sums->times, complete_group(sums)),
		       at_once = updated_at_once(sums, times);
	sonde_status status = SONDE_OK;
	double *values;

	CHECK(memory_allocate(&values, 2 * (size_t)times * at_once, sizeof *values, "the waves of a monitor"));
	while (sums->updated < frequencies && status == SONDE_OK) {
		const uint32_t count = MIN(at_once, frequencies - sums->updated);
		status = transform_block(fields, sums, times, sums->updated, count, values);
		sums->updated += status == SONDE_OK ? count : 0;
		if (status == SONDE_OK && sums->updated < frequencies && cancelled(sums))
			status = status_fail(SONDE_CANCELLED,
					     "stopped on request while the sums of monitors were updated");
	}
	free(values);
	CHECK(status);
	for (int field = 0; field < FIELDS_OBSERVED; ++field)
		sums->of[field].times = 0;
	sums->first += (uint64_t)times * sums->every;
	sums->times -= times;
	sums->begin = sums->times > 0 ? (sums->begin + times) % sums->capacity : 0;
	sums->updated = 0;
	return SONDE_OK;
}

sonde_status fourier_prepare(struct fields *fields, struct fourier_sums *sums, uint64_t step, uint32_t steps)
{
	uint64_t every = sums->every;

	while (sums->updated > 0 || sums->times + fourier_looks(sums, step, steps) > sums->capacity)
		CHECK(transform_group(fields, sums));
	if (sums->times == 0)
		sums->first = (step + every - 1) / every * every;
	return SONDE_OK;
}

bool fourier_observes(const struct fourier_sums *sums, enum field field, uint64_t step, uint32_t time,
		      uint32_t *number)
{
	if ((step + time) % sums->every != 0 || sums->of[field].count == 0)
		return false;
	*number = (sums->begin + sums->times + fourier_looks(sums, step, time)) % sums->capacity;
	return true;
}

sonde_status fourier_gather(struct fields *fields, const struct fourier_sums *sums, enum field field, uint64_t step,
			    uint32_t time, uint32_t first, uint32_t count)
{
	uint32_t number;

	if (field == FIELD_E)
		CHECK(fourier_gather(fields, sums, FIELD_ANSWERS, step, time, first, count));
	return fourier_observes(sums, field, step, time, &number)
		   ? observation_gather(fields, &sums->of[field], number, first, count)
		   : SONDE_OK;
}

sonde_status fourier_collect(const struct fields *fields, const struct fourier_sums *sums, uint64_t step,
			     uint32_t time, uint32_t times, uint32_t position)
{
	for (uint32_t t = time; t < time + times; ++t) {
		const uint32_t at = (sums->begin + sums->times + fourier_looks(sums, step, t)) % sums->capacity;
		for (int field = 0; field < FIELDS_OBSERVED && (step + t) % sums->every == 0; ++field)
			CHECK(observation_collect(&sums->of[field], fields->single, position, at));
	}
	return SONDE_OK;
}

void fourier_done(struct fourier_sums *sums, uint64_t step, uint32_t steps)
{
	sums->times += fourier_looks(sums, step, steps);
}

sonde_status fourier_transform_complete(struct fields *fields, struct fourier_sums *sums)
{
	while (sums->times > 0 && sums->times >= complete_group(sums))
		CHECK(transform_group(fields, sums));
	return SONDE_OK;
}

sonde_status fourier_transform(struct fields *fields, struct fourier_sums *sums)
{
	while (sums->times > 0)
		CHECK(transform_group(fields, sums));
	return SONDE_OK;
}

uint32_t fourier_block(const struct fourier_sums *sums, uint32_t first)
{
	size_t most = 1;

	for (int field = 0; field < FIELDS_OBSERVED; ++field)
		most = sums->of[field].count > most ? sums->of[field].count : most;
	const size_t block = NUMBERS_OF_BLOCK / most;
	return (uint32_t)(block < 1 ? 1 : MIN(block, sums->frequencies - first));
}

/* Sums of frequencies, as complex numbers. */
struct joining {
	size_t places;
	uint32_t count;
	const double *numbers;
	double complex *values;
};

static void join_some(void *state, int64_t begin, int64_t end, int worker)
{
	const struct joining *joining = state;
	const size_t places = joining->places;

	(void)worker;
	for (size_t f = 0; f < joining->count; ++f) {
		const double *real = joining->numbers + 2 * f * places, *imaginary = real + places;
		for (size_t n = (size_t)begin; n < (size_t)end; ++n)
			joining->values[f * places + n] = real[n] + I * imaginary[n];
	}
}

sonde_status fourier_read(struct fields *fields, const struct fourier_sums *sums, enum field field, uint32_t first,
			  uint32_t count, double complex *values)
{
	const struct observation *observation = &sums->of[field];
	const uint32_t places = observation->count;
	double *numbers;

	if (places == 0)
		return SONDE_OK;
	CHECK(observation_buffer_make(fields, 2 * (size_t)count * places, &numbers));
	const sonde_status status = observation_sums(fields, observation, first, count, 0, places, numbers);
	struct joining joining = {places, count, numbers, values};
	if (status == SONDE_OK)
		threads_for(fields->threads, places, PLACES_OF_PART, join_some, &joining);
	observation_buffer_release(fields, numbers);
	return status;
}
