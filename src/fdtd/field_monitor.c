#include "fdtd/field_monitor.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

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
	const struct fourier_places places[2] = {{of_e, sampling->place_count[FIELD_E]},
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

/* Of one component, from the sums of its field. */
static void combine(const struct field_monitor *monitor, int which, const double complex *sums,
		    double complex *values)
{
	const struct field_sampling *sampling = &monitor->sampling;
	size_t places = sampling->place_count[sampling->field_of[which]],
	       stride = (size_t)sampling->component_count * sampling->points;

#pragma omp parallel for
	for (size_t p = 0; p < sampling->points; ++p) {
		struct sampling_term terms[MOST_SAMPLING_TERMS];
		int count = sampling_terms(sampling, which, p, terms);
		for (size_t f = 0; f < monitor->sums.frequencies; ++f) {
			double complex value = 0.0;
			for (int n = 0; n < count; ++n)
				value += terms[n].weight * sums[f * places + terms[n].number];
			values[f * stride + p] = value;
		}
	}
}

sonde_status field_monitor_read(struct fields *fields, const struct field_monitor *monitor, double complex *values)
{
	const struct field_sampling *sampling = &monitor->sampling;

	for (int field = FIELD_E; field <= FIELD_H; ++field) {
		double complex *sums;
		CHECK(memory_allocate(&sums, (size_t)monitor->sums.frequencies * sampling->place_count[field],
				      sizeof *sums, "the sums of a monitor"));
		sonde_status status = fourier_read(fields, &monitor->sums, (enum field)field, sums);
		for (int c = 0; c < sampling->component_count && status == SONDE_OK; ++c)
			if (sampling->field_of[c] == field)
				combine(monitor, c, sums, values + (size_t)c * sampling->points);
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
static void combine_now(const struct field_sampling *sampling, int which, const double *samples,
			const double *imaginary, double *values)
{
#pragma omp parallel for
	for (size_t p = 0; p < sampling->points; ++p) {
		struct sampling_term terms[MOST_SAMPLING_TERMS];
		int count = sampling_terms(sampling, which, p, terms);
		values[p] = 0.0;
		for (int n = 0; n < count; ++n)
			values[p] += creal(terms[n].weight) * samples[terms[n].number];
		for (int n = 0; n < count && imaginary != NULL; ++n)
			values[p] -= cimag(terms[n].weight) * imaginary[terms[n].number];
	}
}

static sonde_status read_field(struct fields *fields, struct snapshot *snapshot, int field, double *values)
{
	const struct field_sampling *sampling = &snapshot->sampling;
	struct observation *observation = &snapshot->of[field];
	double *samples = NULL, *imaginary = NULL;
	sonde_status status;

	CHECK(observation_gather(fields, observation, 0, 0, (uint32_t)fields->grid.cells[0] + 1));
	observation->times = 1;
	CHECK_GOTO(status, memory_allocate(&samples, observation->count, sizeof *samples, "a snapshot"), done);
	if (fields->imaginary != NULL)
		CHECK_GOTO(status, memory_allocate(&imaginary, observation->count, sizeof *imaginary, "a snapshot"),
			   done);
	CHECK_GOTO(status, observation_fetch_parts(fields, observation, samples, imaginary), done);
	for (int c = 0; c < sampling->component_count; ++c)
		if (sampling->field_of[c] == field)
			combine_now(sampling, c, samples, imaginary, values + (size_t)c * sampling->points);
done:
	free(samples);
	free(imaginary);
	return status;
}

sonde_status snapshot_read(struct fields *fields, struct snapshot *snapshot, double *values)
{
	for (int field = FIELD_E; field <= FIELD_H; ++field)
		if (snapshot->of[field].count > 0)
			CHECK(read_field(fields, snapshot, field, values));
	return SONDE_OK;
}
