/* Samples and sums of observed places, read from all devices that have some, and merged with those of other ranks. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/peers.h"
#include "fdtd/fields/lists.h"
#include "parallel/parallel.h"

/* The samples of this device, [times][own]. */
static sonde_status read_samples(const struct observation *observation, bool single, size_t times, double *samples)
{
	const size_t count = times * observation->own;
	float *singles = NULL;

	if (!single)
		return device_read(observation->device, &observation->samples, 0, samples, count * sizeof(double));
	CHECK(memory_allocate(&singles, count, sizeof *singles, "the samples of a monitor"));
	const sonde_status status =
	    device_read(observation->device, &observation->samples, 0, singles, count * sizeof(float));
	for (size_t n = 0; n < count; ++n)
		samples[n] = (double)singles[n];
	free(singles);
	return status;
}

/* Those of one device among all, [times][count]. */
static sonde_status place_samples(const struct observation *observation, bool single, size_t times, double *samples)
{
	const size_t own = observation->own;
	double *of_device;

	CHECK(memory_allocate_to_fill(&of_device, times * own, sizeof *of_device, "the samples of a monitor"));
	const sonde_status status = read_samples(observation, single, times, of_device);
	for (size_t t = 0; t < times && status == SONDE_OK; ++t)
		memcpy(samples + t * observation->count + observation->first_own, of_device + t * own,
		       own * sizeof *samples);
	free(of_device);
	return status;
}

/* Parts of complex fields are observed together. */
static const struct observation *part_of(const struct observation *observation, bool imaginary)
{
	return imaginary ? observation->imaginary : observation;
}

static sonde_status place_all(const struct observation *observation, bool imaginary, bool single, size_t times,
			      double *samples)
{
	for (; observation != NULL; observation = observation->beside)
		CHECK(place_samples(part_of(observation, imaginary), single, times, samples));
	return SONDE_OK;
}

static sonde_status fetch(const struct fields *fields, const struct observation *observation, bool imaginary,
			  size_t times, double *samples)
{
	const size_t bytes = times * observation->count * sizeof *samples;

	if (fields->ranks == NULL && (observation->beside == NULL || observation->in_turn))
		return read_samples(part_of(observation, imaginary), fields->single, times, samples);
	if (fields->ranks == NULL)
		return place_all(observation, imaginary, fields->single, times, samples);
	memset(samples, 0, bytes);
	CHECK(place_all(observation, imaginary, fields->single, times, samples));
	return parallel_merge(fields->ranks, samples, bytes);
}

sonde_status observation_fetch_parts(struct fields *fields, struct observation *observation, double *samples,
				     double *imaginary)
{
	const size_t times = observation->times;

	observation->times = 0;
	if (observation->imaginary != NULL)
		CHECK(fetch(fields, observation, true, times, imaginary));
	return fetch(fields, observation, false, times, samples);
}

sonde_status observation_fetch(struct fields *fields, struct observation *observation, double *samples)
{
	const size_t times = observation->times;

	observation->times = 0;
	return fetch(fields, observation, false, times, samples);
}

static sonde_status collect(const struct observation *to, const struct observation *from, size_t size, uint32_t time)
{
	const size_t row = to->own * size, at = time * row;
	const struct device_bytes there = {from->device, &from->samples, at}, here = {to->device, &to->samples, at};
	struct device_buffer samples = to->samples;
	void *numbers;

	if (device_reaches(from->device, to->device))
		return device_copy(&there, &here, row);
	CHECK(memory_allocate_to_fill(&numbers, to->own, size, "the samples of a monitor"));
	sonde_status status = device_read(from->device, &from->samples, at, numbers, row);
	if (status == SONDE_OK)
		status = device_write(to->device, &samples, at, numbers, row);
	free(numbers);
	return status;
}

sonde_status observation_collect(const struct observation *observation, bool single, uint32_t position, uint32_t time)
{
	const size_t size = single ? sizeof(float) : sizeof(double);
	const struct observation *from = observation;

	for (uint32_t g = 0; g < position && from != NULL; ++g)
		from = from->beside;
	if (position == 0 || from == NULL || observation->count == 0)
		return SONDE_OK;
	CHECK(collect(observation, from, size, time));
	return observation->imaginary == NULL ? SONDE_OK
					      : collect(observation->imaginary, from->imaginary, size, time);
}

sonde_status observation_buffer_make(struct fields *fields, size_t numbers, double **buffer)
{
	void *memory;

	*buffer = NULL;
	CHECK(device_host_allocate(fields->device, numbers * sizeof(double), "the sums of a monitor", &memory));
	*buffer = memory;
	return SONDE_OK;
}

void observation_buffer_release(struct fields *fields, double *buffer)
{
	device_host_release(fields->device, buffer);
}

/* Some of the places of one device; in one copy if these are all. */
static sonde_status read_own(const struct observation *observation, uint32_t first, uint32_t count, uint32_t begin,
			     uint32_t places, double *sums)
{
	const size_t own = observation->own, number = sizeof(double);
	const uint32_t before = observation->first_own, end = before + observation->own,
		       from = begin > before ? begin : before, until = begin + places < end ? begin + places : end;

	if (from >= until)
		return SONDE_OK;
	const size_t here = until - from, copies = here == own && here == places ? 1 : 2 * (size_t)count,
		     copied = copies == 1 ? 2 * (size_t)count * own : here;
	for (size_t n = 0; n < copies; ++n)
		CHECK(device_read(observation->device, &observation->sums,
				  ((2 * (size_t)first + n) * own + (from - before)) * number,
				  sums + n * places + (from - begin), copied * number));
	return SONDE_OK;
}

static sonde_status read_all(const struct observation *observation, bool imaginary, uint32_t first, uint32_t count,
			     uint32_t begin, uint32_t places, double *sums)
{
	for (; observation != NULL; observation = observation->in_turn ? NULL : observation->beside)
		CHECK(read_own(part_of(observation, imaginary), first, count, begin, places, sums));
	return SONDE_OK;
}

static sonde_status read_sums(const struct fields *fields, const struct observation *observation, bool imaginary,
			      uint32_t first, uint32_t count, uint32_t begin, uint32_t places, double *sums)
{
	const size_t bytes = 2 * (size_t)count * places * sizeof *sums;

	if (fields->ranks == NULL)
		return read_all(observation, imaginary, first, count, begin, places, sums);
	memset(sums, 0, bytes);
	CHECK(read_all(observation, imaginary, first, count, begin, places, sums));
	return parallel_merge(fields->ranks, sums, bytes);
}

/* sums += i imaginary, where both have real and imaginary parts. */
static void add_imaginary(size_t places, size_t frequencies, const double *imaginary, double *sums)
{
	for (size_t f = 0; f < frequencies; ++f)
		for (size_t n = 2 * f * places; n < (2 * f + 1) * places; ++n) {
			sums[n] -= imaginary[n + places];
			sums[n + places] += imaginary[n];
		}
}

sonde_status observation_sums(struct fields *fields, const struct observation *observation, uint32_t first,
			      uint32_t count, uint32_t begin, uint32_t places, double *sums)
{
	double *imaginary;

	CHECK(read_sums(fields, observation, false, first, count, begin, places, sums));
	if (observation->imaginary == NULL)
		return SONDE_OK;
	CHECK(memory_allocate_to_fill(&imaginary, 2 * (size_t)count * places, sizeof *imaginary,
				      "the sums of a monitor"));
	sonde_status status = read_sums(fields, observation, true, first, count, begin, places, imaginary);
	if (status == SONDE_OK)
		add_imaginary(places, count, imaginary, sums);
	free(imaginary);
	return status;
}
