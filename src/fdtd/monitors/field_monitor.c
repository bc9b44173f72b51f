#include "fdtd/monitors/field_monitor.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"

#define POINTS_OF_PART 4096

double field_monitor_bytes(const struct field_sampling *sampling, uint32_t frequencies, bool single)
{
	return fourier_bytes((double)sampling->place_count[FIELD_E] + sampling->place_count[FIELD_H], frequencies,
			     single);
}

sonde_status field_monitor_make(struct fields *fields, const struct field_region *region,
				const double *angular_frequencies, uint32_t frequencies, uint32_t every,
				struct field_monitor *monitor)
{
	struct field_sampling *sampling = &monitor->sampling;
	uint64_t *of_e = NULL, *of_h = NULL;
	sonde_status status;

	*monitor = (struct field_monitor){0};
	CHECK_GOTO(status, sampling_make(fields, region, sampling), done);
	CHECK_GOTO(status, sampling_places(sampling, FIELD_E, &of_e), done);
	CHECK_GOTO(status, sampling_places(sampling, FIELD_H, &of_h), done);
	const struct fourier_places places[FIELDS_OBSERVED] = {{of_e, sampling->place_count[FIELD_E]},
							       {of_h, sampling->place_count[FIELD_H]}};
	status = fourier_make(fields, places, angular_frequencies, frequencies, every, &monitor->sums);
done:
	free(of_e);
	free(of_h);
	return status;
}

void field_monitor_release(struct fields *fields, struct field_monitor *monitor)
{
	fourier_release(fields, &monitor->sums);
	sampling_release(&monitor->sampling);
}

/* One component, from the sums of its field. */
struct combination {
	const struct field_monitor *monitor;
	const struct field_sampling *sampling;
	int which;
	const double complex *sums;
	uint32_t first, count; /* frequencies */
	double complex *values;
	/* of a snapshot */
	const double *samples, *imaginary;
	double *now;
};

static void combine_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct combination *of = state;
	const struct field_sampling *sampling = of->sampling;
	size_t places = sampling->place_count[sampling->field_of[of->which]],
	       stride = (size_t)sampling->component_count * sampling->points;

	(void)worker;
	for (size_t p = (size_t)first; p < (size_t)end; ++p) {
		struct sampling_term terms[MOST_SAMPLING_TERMS];
		int count = sampling_terms(sampling, of->which, p, terms);
		for (size_t f = 0; f < of->count; ++f) {
			double complex value = 0.0;
			for (int n = 0; n < count; ++n)
				value += terms[n].weight * of->sums[f * places + terms[n].number];
			of->values[(of->first + f) * stride + p] = value;
		}
	}
}

/* All components of a field at some frequencies. */
static sonde_status combine(struct fields *fields, const struct field_monitor *monitor, enum field field,
			    uint32_t first, uint32_t count, double complex *sums, double complex *values)
{
	const struct field_sampling *sampling = &monitor->sampling;

	CHECK(fourier_read(fields, &monitor->sums, field, first, count, sums));
	for (int c = 0; c < sampling->component_count; ++c) {
		struct combination of = {.monitor = monitor,
					 .sampling = sampling,
					 .which = c,
					 .sums = sums,
					 .first = first,
					 .count = count,
					 .values = values + (size_t)c * sampling->points};
		if (sampling->field_of[c] == (int)field)
			threads_for(device_properties(fields->device)->host_threads, (int64_t)sampling->points,
				    POINTS_OF_PART, combine_some, &of);
	}
	return SONDE_OK;
}

sonde_status field_monitor_read(struct fields *fields, const struct field_monitor *monitor, double complex *values)
{
	const uint32_t frequencies = monitor->sums.frequencies, at_once = fourier_block(&monitor->sums, 0);

	for (int field = FIELD_E; field <= FIELD_H; ++field) {
		double complex *sums;
		sonde_status status = SONDE_OK;
		CHECK(memory_allocate(&sums, (size_t)at_once * monitor->sampling.place_count[field], sizeof *sums,
				      "the sums of a monitor"));
		for (uint32_t first = 0; first < frequencies && status == SONDE_OK; first += at_once)
			status = combine(fields, monitor, (enum field)field, first,
					 fourier_block(&monitor->sums, first), sums, values);
		free(sums);
		CHECK(status);
	}
	return SONDE_OK;
}

/* Snapshots -------------------------------------------------------------------------------- */

sonde_status snapshot_make(struct fields *fields, const struct field_region *region, struct snapshot *snapshot)
{
	struct field_sampling *sampling = &snapshot->sampling;

	*snapshot = (struct snapshot){0};
	CHECK(sampling_make(fields, region, sampling));
	for (int field = FIELD_E; field <= FIELD_H; ++field) {
		uint64_t *places;
		if (sampling->place_count[field] == 0)
			continue;
		CHECK(sampling_places(sampling, (enum field)field, &places));
		sonde_status status = observation_make_short(
		    fields, (enum field)field, places, sampling->place_count[field], 0, 1, &snapshot->of[field]);
		free(places);
		CHECK(status);
	}
	return SONDE_OK;
}

void snapshot_release(struct fields *fields, struct snapshot *snapshot)
{
	observation_release(fields, &snapshot->of[FIELD_E]);
	observation_release(fields, &snapshot->of[FIELD_H]);
	sampling_release(&snapshot->sampling);
}

/* Real parts. */
static void combine_some_now(void *state, int64_t first, int64_t end, int worker)
{
	const struct combination *of = state;

	(void)worker;
	for (size_t p = (size_t)first; p < (size_t)end; ++p) {
		struct sampling_term terms[MOST_SAMPLING_TERMS];
		int count = sampling_terms(of->sampling, of->which, p, terms);
		of->now[p] = 0.0;
		for (int n = 0; n < count; ++n)
			of->now[p] += creal(terms[n].weight) * of->samples[terms[n].number];
		for (int n = 0; n < count && of->imaginary != NULL; ++n)
			of->now[p] -= cimag(terms[n].weight) * of->imaginary[terms[n].number];
	}
}

static void combine_now(const struct fields *fields, const struct field_sampling *sampling, int which,
			const double *samples, const double *imaginary, double *values)
{
	struct combination of = {
	    .sampling = sampling, .which = which, .samples = samples, .imaginary = imaginary, .now = values};

	threads_for(device_properties(fields->device)->host_threads, (int64_t)sampling->points, POINTS_OF_PART,
		    combine_some_now, &of);
}

static sonde_status read_field(struct fields *fields, struct snapshot *snapshot, int field, double *values)
{
	const struct field_sampling *sampling = &snapshot->sampling;
	struct observation *observation = &snapshot->of[field];
	double *samples = NULL, *imaginary = NULL;
	sonde_status status;

	observation->times = 1;
	CHECK_GOTO(status, memory_allocate(&samples, observation->count, sizeof *samples, "a snapshot"), done);
	if (fields->imaginary != NULL)
		CHECK_GOTO(status, memory_allocate(&imaginary, observation->count, sizeof *imaginary, "a snapshot"),
			   done);
	CHECK_GOTO(status, observation_fetch_parts(fields, observation, samples, imaginary), done);
	for (int c = 0; c < sampling->component_count; ++c)
		if (sampling->field_of[c] == field)
			combine_now(fields, sampling, c, samples, imaginary, values + (size_t)c * sampling->points);
done:
	free(samples);
	free(imaginary);
	return status;
}

sonde_status snapshot_gather(struct fields *fields, const struct snapshot *snapshot, uint32_t first, uint32_t count)
{
	for (int field = FIELD_E; field <= FIELD_H; ++field)
		if (snapshot->of[field].count > 0)
			CHECK(observation_gather(fields, &snapshot->of[field], 0, first, count));
	return SONDE_OK;
}

sonde_status snapshot_read(struct fields *fields, struct snapshot *snapshot, double *values)
{
	for (int field = FIELD_E; field <= FIELD_H; ++field)
		if (snapshot->of[field].count > 0)
			CHECK(read_field(fields, snapshot, field, values));
	return SONDE_OK;
}
