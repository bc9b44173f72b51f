#include "library/output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/folder.h"
#include "base/memory.h"

#define PARTS_OF_PERIOD 10.0 /* saving takes at most this part of the time */

void library_output_begin(struct library_output *output)
{
	pthread_mutex_init(&output->taking, NULL);
	output->completed = clock_seconds();
	output->period = output->least_period;
}

void library_output_free(struct library_output *output)
{
	library_writer_discard(&output->writer);
	free(output->head.q);
	free(output->head.r);
	pthread_mutex_destroy(&output->taking);
}

/* Results ------------------------------------------------------------------------------------------------------------ */

enum library_radiation library_radiation_of(const struct library_spec *spec)
{
	return spec->debye.radiation == SONDE_DEBYE_RADIATION_NEUTRON    ? LIBRARY_NEUTRON
	       : spec->debye.radiation == SONDE_DEBYE_RADIATION_ELECTRON ? LIBRARY_ELECTRON
									 : LIBRARY_XRAY;
}

/* Without the axes. */
static struct library_head head_of(const struct library_spec *spec)
{
	struct library_head head = {
	    .physics = spec->physics, .radiation = library_radiation_of(spec), .coordinates = spec->coordinates};

	for (int k = 0; k < LIBRARY_CURVES; ++k) {
		head.has[k] = spec->has[k];
		head.errors[k] = spec->has[k] && spec->errors && k != LIBRARY_G;
	}
	return head;
}

static sonde_status copy_axis(const double *from, int64_t count, double **to)
{
	if (count == 0)
		return SONDE_OK;
	CHECK(memory_allocate(to, (size_t)count, sizeof **to, "an axis"));
	memcpy(*to, from, (size_t)count * sizeof **to);
	return SONDE_OK;
}

static sonde_status take_head(struct library_output *output, const sonde_debye_result *result)
{
	struct library_head *head = &output->head;

	*head = head_of(output->spec);
	if (head->has[LIBRARY_I_PER_ATOM] || head->has[LIBRARY_S] || head->has[LIBRARY_F])
		head->q_count = result->q_count;
	if (head->has[LIBRARY_G])
		head->r_count = result->r_count;
	CHECK(copy_axis(result->q, head->q_count, &head->q));
	CHECK(copy_axis(result->r, head->r_count, &head->r));
	output->has_head = true;
	return SONDE_OK;
}

/* Errors of a curve over q from that of I/N. */
static void fill_errors(const sonde_debye_result *result, enum library_curve curve, double *errors)
{
	for (int64_t k = 0; k < result->q_count; ++k) {
		const double error = result->error_estimate[k], scale = result->square_mean_amplitude[k],
			     relative = scale > 0.0 ? error / scale : NAN;
		errors[k] = curve == LIBRARY_I_PER_ATOM ? error
			    : curve == LIBRARY_S        ? relative
							: result->q[k] * relative;
	}
}

/* Numbers of the curves of a structure. */
static size_t count_values(const struct library_head *head)
{
	size_t count = 0;

	for (int k = 0; k < LIBRARY_CURVES; ++k)
		count += (size_t)library_points(head, (enum library_curve)k) *
			 ((head->has[k] ? 1 : 0) + (head->errors[k] ? 1 : 0));
	return count;
}

sonde_status library_output_take(struct library_output *output, const sonde_debye_result *result,
				 struct library_structure *structure)
{
	const struct library_head *head = &output->head;
	const double *const curves[] = {result->intensity_per_atom, result->structure_factor,
					result->reduced_structure_factor, result->pair_distribution};

	pthread_mutex_lock(&output->taking);
	const sonde_status status = output->has_head ? SONDE_OK : take_head(output, result);
	pthread_mutex_unlock(&output->taking);
	CHECK(status);
	CHECK(memory_allocate(&structure->values, count_values(head), sizeof(double), "a curve"));
	structure->error = result->largest_error;
	double *to = structure->values;
	for (int k = 0; k < LIBRARY_CURVES; ++k) {
		const size_t points = (size_t)library_points(head, (enum library_curve)k);
		if (head->has[k]) {
			memcpy(to, curves[k], points * sizeof *to);
			to += points;
		}
		if (head->errors[k]) {
			fill_errors(result, (enum library_curve)k, to);
			to += points;
		}
	}
	return SONDE_OK;
}

/* The file ----------------------------------------------------------------------------------------------------------- */

static sonde_status open_writer(struct library_output *output, const struct library_head *head)
{
	if (output->writer != NULL)
		return SONDE_OK;
	if (folder_is_there(output->path) && !output->overwrite)
		return library_extend(output->path, head, &output->writer);
	return library_create(output->path, output->overwrite, head, &output->writer);
}

sonde_status library_output_open(struct library_output *output)
{
	return output->has_head ? open_writer(output, &output->head) : SONDE_OK;
}

/* A candidate joins the file, unless it is there. */
static sonde_status write_candidate(struct library_output *output, const struct library_head *head,
				    const struct library_candidate *candidate, double error)
{
	CHECK(open_writer(output, head));
	if (library_writer_has(output->writer, candidate->key)) { /* of another rank */
		++output->repeated;
		return SONDE_OK;
	}
	CHECK(library_add(output->writer, candidate));
	++output->made;
	output->largest_error = fmax(output->largest_error, error);
	return SONDE_OK;
}

sonde_status library_output_complete(struct library_output *output)
{
	const double began = clock_seconds();

	if (output->writer == NULL)
		return SONDE_OK;
	output->total = library_writer_count(output->writer);
	CHECK(library_writer_finish(&output->writer));
	output->seconds += clock_seconds() - began;
	return SONDE_OK;
}

static sonde_status save_sometimes(struct library_output *output)
{
	const double began = clock_seconds();

	if (output->writer == NULL || began - output->completed <= output->period)
		return SONDE_OK;
	CHECK(library_writer_save(output->writer));
	output->total = library_writer_count(output->writer);
	output->completed = clock_seconds();
	output->seconds += output->completed - began;
	output->period = fmax(output->least_period, PARTS_OF_PERIOD * (output->completed - began));
	return SONDE_OK;
}

/* Batches ------------------------------------------------------------------------------------------------------------ */

/* `positions` and `labels` to be freed, null without coordinates. */
static sonde_status add_coordinates(const sonde_atoms *atoms, struct library_candidate *candidate,
				    float (**positions)[3], const char ***labels)
{
	const size_t count = (size_t)sonde_atoms_count(atoms);
	const double *from = sonde_atoms_positions(atoms);
	const int species = sonde_atoms_species_count(atoms);

	CHECK(memory_allocate(positions, count, sizeof **positions, "coordinates"));
	CHECK(memory_allocate(labels, (size_t)species, sizeof **labels, "coordinates"));
	for (size_t k = 0; k < count; ++k)
		for (int c = 0; c < 3; ++c)
			(*positions)[k][c] = (float)from[3 * k + (size_t)c];
	for (int s = 0; s < species; ++s)
		(*labels)[s] = sonde_atoms_species_label(atoms, s);
	candidate->positions = (const float(*)[3]) * positions;
	candidate->species = sonde_atoms_species(atoms);
	candidate->labels = *labels;
	candidate->label_count = species;
	return SONDE_OK;
}

static struct library_candidate candidate_of(const struct library_head *head,
					     const struct library_structure *structure)
{
	struct library_candidate candidate = {.name = structure->name,
					      .key = structure->key,
					      .source = structure->source,
					      .family = structure->family,
					      .parameters = structure->parameters,
					      .composition = structure->composition,
					      .atoms = (uint64_t)sonde_atoms_count(structure->atoms),
					      .size = structure->size};
	const double *from = structure->values;

	for (int k = 0; k < LIBRARY_CURVES; ++k) {
		const int64_t points = library_points(head, (enum library_curve)k);
		candidate.curves[k] = head->has[k] ? from : NULL;
		from += head->has[k] ? points : 0;
		candidate.errors[k] = head->errors[k] ? from : NULL;
		from += head->errors[k] ? points : 0;
	}
	return candidate;
}

/* To the file, or, `packed` not null, to bytes for the rank that writes it. */
static sonde_status deliver(struct library_output *output, const struct library_structure *structure,
			    struct packed *packed)
{
	struct library_candidate candidate = candidate_of(&output->head, structure);
	float(*positions)[3] = NULL;
	const char **labels = NULL;
	sonde_status status = SONDE_OK;

	if (output->head.coordinates)
		status = add_coordinates(structure->atoms, &candidate, &positions, &labels);
	if (status == SONDE_OK)
		status = packed != NULL ? packed_add(packed, &output->head, &candidate, structure->error)
					: write_candidate(output, &output->head, &candidate, structure->error);
	free(positions);
	free(labels);
	return status;
}

sonde_status library_output_write(struct library_output *output, struct library_batch *batch)
{
	const double began = clock_seconds();
	sonde_status status = SONDE_OK;

	for (int k = 0; k < batch->count && status == SONDE_OK; ++k)
		status = deliver(output, &batch->structures[k], NULL);
	library_batch_empty(batch);
	output->seconds += clock_seconds() - began;
	return status == SONDE_OK ? save_sometimes(output) : status;
}

sonde_status library_output_pack(struct library_output *output, struct library_batch *batch, struct packed *packed)
{
	sonde_status status = SONDE_OK;

	if (packed->size == 0 && batch->count > 0)
		status = packed_add_head(packed, &output->head);
	for (int k = 0; k < batch->count && status == SONDE_OK; ++k)
		status = deliver(output, &batch->structures[k], packed);
	library_batch_empty(batch);
	return status;
}

/* The candidates of one rank, `end` bytes. */
static sonde_status write_rank(struct library_output *output, const struct packed *packed, size_t *at, size_t end)
{
	struct library_head head = head_of(output->spec);
	sonde_status status = *at < end ? packed_take_head(packed, at, &head) : SONDE_OK;

	while (status == SONDE_OK && *at < end) {
		struct unpacked unpacked;
		status = packed_take(packed, at, &head, &unpacked);
		if (status == SONDE_OK)
			status = write_candidate(output, &head, &unpacked.candidate, unpacked.error);
		unpacked_free(&unpacked);
	}
	free(head.q);
	free(head.r);
	return status;
}

sonde_status library_output_write_packed(struct library_output *output, const struct packed *packed)
{
	const double began = clock_seconds();
	sonde_status status = SONDE_OK;

	for (size_t at = 0; at < packed->size && status == SONDE_OK;) {
		uint64_t size;
		memcpy(&size, packed->bytes + at, sizeof size);
		at += sizeof size;
		status = write_rank(output, packed, &at, at + size);
	}
	output->seconds += clock_seconds() - began;
	return status == SONDE_OK ? save_sometimes(output) : status;
}
