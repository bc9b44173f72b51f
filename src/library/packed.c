#include "library/packed.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void packed_free(struct packed *packed)
{
	free(packed->bytes);
	*packed = (struct packed){0};
}

/* Writing --------------------------------------------------------------------------------------------------------------------- */

static sonde_status put(struct packed *packed, const void *bytes, size_t size)
{
	CHECK(memory_grow(&packed->bytes, &packed->capacity, packed->size + size, 1, "a library"));
	if (size > 0)
		memcpy(packed->bytes + packed->size, bytes, size);
	packed->size += size;
	return SONDE_OK;
}

static sonde_status put_text(struct packed *packed, const char *text)
{
	const uint64_t size = text != NULL ? strlen(text) : 0;

	CHECK(put(packed, &size, sizeof size));
	return put(packed, text, size);
}

sonde_status packed_add_head(struct packed *packed, const struct library_head *head)
{
	CHECK(put(packed, &head->q_count, sizeof head->q_count));
	CHECK(put(packed, &head->r_count, sizeof head->r_count));
	CHECK(put(packed, head->q, (size_t)head->q_count * sizeof(double)));
	return put(packed, head->r, (size_t)head->r_count * sizeof(double));
}

static sonde_status put_coordinates(struct packed *packed, const struct library_candidate *candidate)
{
	const uint64_t atoms = candidate->positions != NULL ? candidate->atoms : 0;

	CHECK(put(packed, &atoms, sizeof atoms));
	if (atoms == 0)
		return SONDE_OK;
	CHECK(put(packed, candidate->positions, atoms * sizeof *candidate->positions));
	CHECK(put(packed, candidate->species, atoms * sizeof *candidate->species));
	CHECK(put(packed, &candidate->label_count, sizeof candidate->label_count));
	for (int s = 0; s < candidate->label_count; ++s)
		CHECK(put_text(packed, candidate->labels[s]));
	return SONDE_OK;
}

sonde_status packed_add(struct packed *packed, const struct library_head *head,
			const struct library_candidate *candidate, double error)
{
	const char *const texts[] = {candidate->name,   candidate->key,        candidate->source,
				     candidate->family, candidate->parameters, candidate->composition};

	for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k)
		CHECK(put_text(packed, texts[k]));
	CHECK(put(packed, &candidate->atoms, sizeof candidate->atoms));
	CHECK(put(packed, &candidate->size, sizeof candidate->size));
	CHECK(put(packed, &error, sizeof error));
	for (int k = 0; k < LIBRARY_CURVES; ++k) {
		const size_t bytes = (size_t)library_points(head, (enum library_curve)k) * sizeof(double);
		if (head->has[k])
			CHECK(put(packed, candidate->curves[k], bytes));
		if (head->errors[k])
			CHECK(put(packed, candidate->errors[k], bytes));
	}
	return put_coordinates(packed, candidate);
}

/* Reading ----------------------------------------------------------------------------------------------------------------------- */

void unpacked_free(struct unpacked *unpacked)
{
	for (int k = 0; k < unpacked->count; ++k)
		free(unpacked->memory[k]);
	*unpacked = (struct unpacked){0};
}

static sonde_status get(const struct packed *packed, size_t *at, void *to, size_t size)
{
	if (size > packed->size - *at)
		return status_fail(SONDE_INTERNAL, "the candidates of a rank are not complete");
	memcpy(to, packed->bytes + *at, size);
	*at += size;
	return SONDE_OK;
}

/* A copy of an array, which the candidate keeps until unpacked_free(). */
static sonde_status get_array(const struct packed *packed, size_t *at, size_t size, struct unpacked *unpacked,
			      const void **array)
{
	char *memory;

	if (size > packed->size - *at)
		return status_fail(SONDE_INTERNAL, "the candidates of a rank are not complete");
	if (unpacked->count == (int)(sizeof unpacked->memory / sizeof *unpacked->memory))
		return status_fail(SONDE_INTERNAL, "a candidate has too many parts");
	CHECK(memory_allocate(&memory, size + 1, 1, "a library"));
	unpacked->memory[unpacked->count++] = memory;
	*array = memory;
	return get(packed, at, memory, size);
}

static sonde_status get_text(const struct packed *packed, size_t *at, struct unpacked *unpacked, const char **text)
{
	const void *array;
	uint64_t size;

	CHECK(get(packed, at, &size, sizeof size));
	CHECK(get_array(packed, at, size, unpacked, &array));
	*text = array;
	return SONDE_OK;
}

sonde_status packed_take_head(const struct packed *packed, size_t *at, struct library_head *head)
{
	CHECK(get(packed, at, &head->q_count, sizeof head->q_count));
	CHECK(get(packed, at, &head->r_count, sizeof head->r_count));
	CHECK(memory_allocate(&head->q, (size_t)head->q_count, sizeof *head->q, "an axis"));
	CHECK(memory_allocate(&head->r, (size_t)head->r_count, sizeof *head->r, "an axis"));
	CHECK(get(packed, at, head->q, (size_t)head->q_count * sizeof(double)));
	return get(packed, at, head->r, (size_t)head->r_count * sizeof(double));
}

#define MOST_LABELS 4096

/* Labels, one text after the other in one piece of memory. */
static sonde_status get_labels(const struct packed *packed, size_t *at, struct unpacked *unpacked)
{
	struct library_candidate *candidate = &unpacked->candidate;
	const char **labels;
	size_t bytes = 0, here;

	CHECK(get(packed, at, &candidate->label_count, sizeof candidate->label_count));
	if (candidate->label_count < 0 || candidate->label_count > MOST_LABELS)
		return status_fail(SONDE_INTERNAL, "a candidate has %d labels", candidate->label_count);
	here = *at;
	for (int s = 0; s < candidate->label_count; ++s) {
		uint64_t size;
		CHECK(get(packed, &here, &size, sizeof size));
		if (size > packed->size - here)
			return status_fail(SONDE_INTERNAL, "the candidates of a rank are not complete");
		bytes += size + 1;
		here += size;
	}
	CHECK(memory_allocate(&labels, (size_t)candidate->label_count * sizeof *labels + bytes, 1, "labels"));
	unpacked->memory[unpacked->count++] = labels;
	char *text = (char *)(labels + candidate->label_count);
	for (int s = 0; s < candidate->label_count; ++s) {
		uint64_t size;
		CHECK(get(packed, at, &size, sizeof size));
		CHECK(get(packed, at, text, size));
		labels[s] = text;
		text += size + 1;
	}
	candidate->labels = labels;
	return SONDE_OK;
}

static sonde_status get_coordinates(const struct packed *packed, size_t *at, struct unpacked *unpacked)
{
	struct library_candidate *candidate = &unpacked->candidate;
	const void *array;
	uint64_t atoms;

	CHECK(get(packed, at, &atoms, sizeof atoms));
	if (atoms == 0)
		return SONDE_OK;
	if (atoms != candidate->atoms || atoms > packed->size)
		return status_fail(SONDE_INTERNAL, "the candidates of a rank are not complete");
	CHECK(get_array(packed, at, atoms * sizeof *candidate->positions, unpacked, &array));
	candidate->positions = array;
	CHECK(get_array(packed, at, atoms * sizeof *candidate->species, unpacked, &array));
	candidate->species = array;
	return get_labels(packed, at, unpacked);
}

static sonde_status take(const struct packed *packed, size_t *at, const struct library_head *head,
			 struct unpacked *unpacked)
{
	struct library_candidate *candidate = &unpacked->candidate;
	const char **const texts[] = {&candidate->name,   &candidate->key,        &candidate->source,
				      &candidate->family, &candidate->parameters, &candidate->composition};
	const void *array;

	for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k)
		CHECK(get_text(packed, at, unpacked, texts[k]));
	CHECK(get(packed, at, &candidate->atoms, sizeof candidate->atoms));
	CHECK(get(packed, at, &candidate->size, sizeof candidate->size));
	CHECK(get(packed, at, &unpacked->error, sizeof unpacked->error));
	for (int k = 0; k < LIBRARY_CURVES; ++k) {
		const size_t bytes = (size_t)library_points(head, (enum library_curve)k) * sizeof(double);
		if (head->has[k]) {
			CHECK(get_array(packed, at, bytes, unpacked, &array));
			candidate->curves[k] = array;
		}
		if (head->errors[k]) {
			CHECK(get_array(packed, at, bytes, unpacked, &array));
			candidate->errors[k] = array;
		}
	}
	return get_coordinates(packed, at, unpacked);
}

sonde_status packed_take(const struct packed *packed, size_t *at, const struct library_head *head,
			 struct unpacked *unpacked)
{
	*unpacked = (struct unpacked){0};
	const sonde_status status = take(packed, at, head, unpacked);
	if (status != SONDE_OK)
		unpacked_free(unpacked);
	return status;
}
