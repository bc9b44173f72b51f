/* A simulation's numbers, saved and restored. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fdtd/fields/answering.h"
#include "fdtd/fields/polarization.h"
#include "fdtd/simulation/simulation.h"
#include "fdtd/grid/list_layout.h"
#include "fdtd/fields/smoothing.h"
#include "parallel/parallel.h"

#define MOST_STEPS ((uint64_t)1 << 40) /* of a run */
#define CHUNK ((size_t)16 << 20)       /* between a file or a device and a checkpoint at a time */

/* Ranks read their own planes, and merge them; what no device has is 0. */
static sonde_status read_piece(struct fields *fields, const struct device_buffer *buffer, size_t at, void *piece,
			       size_t size)
{
	struct parallel *ranks = fields->streaming->ranks;

	memset(piece, 0, size);
	CHECK(streaming_read(fields->streaming, fields->device, buffer, at, piece, size));
	return parallel_merge(ranks, piece, size);
}

/* An array whose planes are on several devices, or in a file. */
static sonde_status pieces_state(struct fields *fields, struct device_buffer *buffer, struct state *state)
{
	const size_t all = buffer->bytes;
	sonde_status status = SONDE_OK;
	void *chunk;

	CHECK(state_buffer_size(state, all));
	CHECK(memory_allocate_to_fill(&chunk, all < CHUNK ? all : CHUNK, 1, "a part of the fields"));
	for (size_t at = 0; at < all && status == SONDE_OK; at += CHUNK) {
		const size_t size = all - at < CHUNK ? all - at : CHUNK;
		if (state->saving)
			status = read_piece(fields, buffer, at, chunk, size);
		if (status == SONDE_OK)
			status = state_bytes(state, chunk, size);
		if (status == SONDE_OK && !state->saving)
			status = streaming_write(fields->streaming, fields->device, buffer, at, chunk, size);
	}
	free(chunk);
	return status;
}

/* An array by planes, of which the host, a file, or several devices may have all numbers. */
static sonde_status planes_state(struct fields *fields, struct device_buffer *buffer, struct state *state)
{
	void *numbers = streaming_host(fields->streaming, buffer);

	if (numbers != NULL)
		return state_host_buffer(state, numbers, buffer->bytes);
	return streaming_has(fields->streaming, buffer) ? pieces_state(fields, buffer, state)
							: state_buffer(state, buffer);
}

static sonde_status answering_state(struct fields *fields, struct state *state)
{
	struct answering *answering = fields->answering;

	CHECK(state_same(state, answering->count, "surfaces of metals"));
	CHECK(planes_state(fields, &answering->values, state));
	for (int n = 0; n < answering->kind_count; ++n)
		CHECK(planes_state(fields, &answering->kinds[n].state, state));
	return SONDE_OK;
}

static sonde_status fields_state(struct fields *fields, struct state *state)
{
	const struct fdtd_step *layout = &fields->layout;

	CHECK(state_same(state, layout->volume, "number of cells"));
	CHECK(state_same(state, fields->grid.in_words ? 2 : fields->single, "precision"));
	CHECK(state_same(state, fields->imaginary != NULL, "parts of fields"));
	/* the layers along rows differ between CPUs and GPUs */
	CHECK(state_same(state, layout->psi_size[2], "layout"));
	for (int f = 0; f < 2; ++f)
		CHECK(planes_state(fields, &fields->buffers[f], state));
	CHECK(planes_state(fields, &fields->psi, state));
	for (int n = 0; n < fields->polarization_count; ++n)
		CHECK(planes_state(fields, &fields->polarizations[n].state, state));
	if (fields->smoothing != NULL)
		CHECK(planes_state(fields, &fields->smoothing->state, state));
	if (fields->answering != NULL)
		CHECK(answering_state(fields, state));
	return fields->imaginary != NULL ? fields_state(fields->imaginary, state) : SONDE_OK;
}

static sonde_status wave_state(struct incident_wave *wave, struct state *state)
{
	const size_t size = (size_t)wave->length * sizeof(double);
	uint64_t steps = (uint64_t)wave->steps;

	CHECK(state_same(state, (uint64_t)wave->length, "plane wave"));
	CHECK(state_number(state, &steps, 0, INT_MAX / 2, "number of steps of the plane wave"));
	wave->steps = (int)steps;
	for (int a = 0; a < 3; ++a) {
		CHECK(state_bytes(state, wave->e[a], size));
		CHECK(state_bytes(state, wave->h[a], size));
		for (int d = 0; d < 2; ++d) {
			CHECK(state_bytes(state, wave->e_psi[a][d], size));
			CHECK(state_bytes(state, wave->h_psi[a][d], size));
		}
	}
	return SONDE_OK;
}

/* Which numbers of an observation, and of which part of complex fields. */
struct observed_numbers {
	bool sums, imaginary;
	size_t size; /* of a number */
};

/* A number of each place, those of all devices in the order of places: row `row` of a buffer, read or written. */
static sonde_status move_row(const struct observation *observation, const struct observed_numbers *which, size_t row,
			     char *numbers, bool reading)
{
	for (const struct observation *on = observation; on != NULL; on = on->in_turn ? NULL : on->beside) {
		const struct observation *part = which->imaginary ? on->imaginary : on;
		const size_t own = part->own * which->size, at = row * own;
		struct device_buffer buffer = which->sums ? part->sums : part->samples;
		char *const here = numbers + part->first_own * which->size;
		CHECK(reading ? device_read(part->device, &buffer, at, here, own)
			      : device_write(part->device, &buffer, at, here, own));
	}
	return SONDE_OK;
}

static sonde_status row_state(const struct observation *observation, const struct observed_numbers *which, size_t row,
			      char *numbers, struct parallel *ranks, struct state *state)
{
	const size_t bytes = observation->count * which->size;

	if (state->saving && ranks != NULL)
		memset(numbers, 0, bytes);
	if (state->saving)
		CHECK(move_row(observation, which, row, numbers, true));
	if (state->saving)
		CHECK(parallel_merge(ranks, numbers, bytes));
	CHECK(state_bytes(state, numbers, bytes));
	return state->saving ? SONDE_OK : move_row(observation, which, row, numbers, false);
}

/* Sums of all frequencies; then the samples that are not yet in them, one time after the other: their places depend on
 * the steps of a block. */
static sonde_status observation_part_state(const struct fields *fields, const struct fourier_sums *sums,
					   const struct observation *observation, bool imaginary, struct state *state)
{
	const struct observed_numbers of_sums = {true, imaginary, sizeof(double)},
				      samples = {false, imaginary, fields->single ? sizeof(float) : sizeof(double)};
	sonde_status status = SONDE_OK;
	char *numbers;

	CHECK(state_same(state, 2 * (uint64_t)sums->frequencies * observation->count * sizeof(double),
			 "size of a field"));
	CHECK(memory_allocate(&numbers, observation->count, sizeof(double), "the samples of a monitor"));
	for (size_t row = 0; row < 2 * (size_t)sums->frequencies && status == SONDE_OK; ++row)
		status = row_state(observation, &of_sums, row, numbers, fields->ranks, state);
	for (uint32_t t = 0; t < sums->times && status == SONDE_OK; ++t)
		status = row_state(observation, &samples, (sums->begin + t) % observation->room, numbers,
				   fields->ranks, state);
	free(numbers);
	return status;
}

static sonde_status observation_state(const struct fields *fields, const struct fourier_sums *sums,
				      const struct observation *observation, struct state *state)
{
	CHECK(observation_part_state(fields, sums, observation, false, state));
	return observation->imaginary != NULL ? observation_part_state(fields, sums, observation, true, state)
					      : SONDE_OK;
}

static sonde_status sums_state(const struct fields *fields, struct fourier_sums *sums, struct state *state)
{
	uint64_t times = sums->times, updated = sums->updated;

	CHECK(state_same(state, sums->every, "interval of a monitor"));
	/* including the samples not yet in the sums, so that these are added in the same order */
	CHECK(state_bytes(state, &sums->first, sizeof sums->first));
	CHECK(state_number(state, &times, 0, sums->capacity, "number of samples not yet summed"));
	sums->times = (uint32_t)times;
	sums->begin = state->saving ? sums->begin : 0;
	CHECK(
	    state_number(state, &updated, 0, times > 0 ? sums->frequencies - 1 : 0, "number of updated frequencies"));
	sums->updated = (uint32_t)updated;
	for (int f = 0; f < FIELDS_OBSERVED; ++f)
		if (sums->of[f].count > 0)
			CHECK(observation_state(fields, sums, &sums->of[f], state));
	return SONDE_OK;
}

/* One sample of each place for each step. */
static sonde_status trace_state(struct trace *trace, uint64_t step, struct state *state)
{
	size_t places = trace->observation.count, count = trace->steps * places, imaginary = count;

	CHECK(state_same(state, places, "point of a monitor"));
	CHECK(state_array(state, &trace->values, &trace->capacity, &count, sizeof *trace->values));
	if (trace->observation.imaginary != NULL)
		CHECK(state_array(state, &trace->imaginary, &trace->imaginary_capacity, &imaginary,
				  sizeof *trace->imaginary));
	else
		imaginary = count;
	if (count != step * places || imaginary != count)
		return state_differs(state, "numbers of a point", count != step * places ? count : imaginary,
				     step * places);
	trace->steps = (size_t)step;
	return SONDE_OK;
}

sonde_status simulation_state(struct simulation *simulation, struct state *state)
{
	struct fourier_sums *sums;

	state->device = simulation->fields.device;
	CHECK(state_number(state, &simulation->step, 0, MOST_STEPS, "number of steps"));
	CHECK(fields_state(&simulation->fields, state));
	for (int n = 0; n < simulation->total_fields; ++n)
		CHECK(wave_state(&simulation->total_field[n].wave, state));
	for (int n = 0; (sums = simulation_sums(simulation, n)) != NULL; ++n)
		CHECK(sums_state(&simulation->fields, sums, state));
	for (int n = 0; n < simulation->traces; ++n)
		CHECK(trace_state(&simulation->trace[n], simulation->step, state));
	return SONDE_OK;
}
