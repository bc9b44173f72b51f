#include "fdtd/sources/total_field.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "fdtd/media/media_part.h"

#define TERMS_OF_PART 4096

struct builder {
	const struct fields *fields;
	const struct media *media;
	const struct total_field_box *box;
	const struct incident_wave *wave;
	struct injection_terms terms[2];
};

/* Nodes of a face along another axis: edges along it end one earlier, and so do nodes where the grid ends. */
static void range_of(const struct builder *builder, int axis, bool along, int *begin, int *end)
{
	const struct fdtd_grid *grid = &builder->fields->grid;

	*begin = builder->box->low[axis];
	*end = builder->box->high[axis] + (along ? 0 : 1);
	if (*begin < grid_first_node(grid, axis) && !along)
		*begin = grid_first_node(grid, axis);
	if (*end > grid_end_node(grid, axis))
		*end = grid_end_node(grid, axis);
}

/* Component `component` of one field at a node of the face, from a component of the other one at node `from` along
 * the axis. */
static struct injection_term term_of(const struct builder *builder, enum field field, int axis, int component,
				     const int node[3], int other, int from, double sign)
{
	const struct fields *fields = builder->fields;
	const struct media *media = builder->media;
	size_t at = media_at(&fields->grid, node[0], node[1], node[2]);
	struct media_numbers *const *numbers = field == FIELD_E ? media->edges : media->faces;
	const struct medium *medium = numbers[component] != NULL ? &media->media[media_number(numbers[component], at)]
				      : field == FIELD_E         ? &media->media[0]
								 : &vacuum;
	double second = field == FIELD_E ? medium_step_of_e(medium).second : -medium_answer_of_h(medium);
	int source[3] = {node[0], node[1], node[2]};

	source[axis] = from;
	int number = incident_number(builder->wave, source[0], source[1], source[2]);
	return (struct injection_term){fields_place(fields, component, node[0], node[1], node[2]),
				       (uint32_t)(other * builder->wave->length + number),
				       sign * second * fields->grid.courant[axis]};
}

/* Terms of the edges of component `along` on a face and of the adjacent faces of H, from number `first` on. */
struct face_terms {
	struct builder *builder;
	int axis, along, other, outside, wall;
	double sign;
	int begin[3], end[3];
	size_t first[2];
};

static void add_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct face_terms *face = state;
	struct builder *builder = face->builder;
	const int64_t rows = face->end[1] - face->begin[1], row = face->end[2] - face->begin[2];

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		const int node[3] = {face->begin[0] + (int)(n / row / rows), face->begin[1] + (int)(n / row % rows),
				     face->begin[2] + (int)(n % row)};
		int beside[3] = {node[0], node[1], node[2]};
		beside[face->axis] = face->outside;
		builder->terms[FIELD_E].terms[face->first[FIELD_E] + (size_t)n] =
		    term_of(builder, FIELD_E, face->axis, face->along, node, face->other, face->outside, face->sign);
		builder->terms[FIELD_H].terms[face->first[FIELD_H] + (size_t)n] =
		    term_of(builder, FIELD_H, face->axis, face->other, beside, face->along, face->wall, face->sign);
	}
}

/* The nodes of a face's edges of component `along`; returns their number. */
static size_t find_nodes(const struct builder *builder, int axis, int side, int along, struct face_terms *face)
{
	const struct plane_span listed = media_part_listed(&builder->fields->grid, &builder->media->part);
	size_t count = 1;

	face->wall = side == 0 ? builder->box->low[axis] : builder->box->high[axis];
	for (int a = 0; a < 3; ++a)
		range_of(builder, a, a == along, &face->begin[a], &face->end[a]);
	face->begin[axis] = face->wall;
	face->end[axis] = face->wall + 1;
	/* those that act on planes of this rank: H of a face across x is in the plane before it */
	face->begin[0] = face->begin[0] > listed.begin ? face->begin[0] : listed.begin;
	face->end[0] = face->end[0] <= listed.end ? face->end[0] : listed.end + 1;
	for (int a = 0; a < 3; ++a)
		count *= face->end[a] > face->begin[a] ? (size_t)(face->end[a] - face->begin[a]) : 0;
	return count;
}

/* The edges of component `along` on a face, and the adjacent faces: E(along) from H(other), H(other) from E(along).
 * The sign is that of the difference along the axis. There is room for them. */
static void add_face_of(struct builder *builder, int axis, int side, int along, int other, double sign)
{
	struct face_terms face = {
	    .builder = builder, .axis = axis, .along = along, .other = other, .sign = side == 0 ? -sign : sign};
	const size_t count = find_nodes(builder, axis, side, along, &face);

	face.outside = side == 0 ? face.wall - 1 : face.wall; /* H outside, next to the face */
	for (int f = 0; f < 2; ++f) {
		face.first[f] = builder->terms[f].count;
		builder->terms[f].count += count;
	}
	threads_for(builder->fields->threads, (int64_t)count, TERMS_OF_PART, add_some, &face);
}

/* Makes room for the terms of all faces. */
static sonde_status reserve(struct builder *builder)
{
	struct face_terms face = {.builder = builder};
	size_t count = 0;

	for (int n = 0; n < 18; ++n)
		if (builder->box->faces[n / 6][n / 3 % 2] && n % 3 != n / 6)
			count += find_nodes(builder, n / 6, n / 3 % 2, n % 3, &face);
	for (int f = 0; f < 2; ++f) {
		struct injection_terms *terms = &builder->terms[f];
		CHECK(memory_grow(&terms->terms, &terms->capacity, count, sizeof *terms->terms, "a plane wave"));
	}
	return SONDE_OK;
}

/* With b and c the axes after a: E_b -= C S_a (H_c(i) - H_c(i - 1)), E_c += C S_a (H_b(i) - H_b(i - 1)) and H_b += D
 * S_a (E_c(i + 1) - E_c(i)), H_c -= D S_a (E_b(i + 1) - E_b(i)): so with total E on the face and scattered H outside,
 * at the low face E_b gets + C S_a H_c and H_c + D S_a E_b of the wave, E_c and H_b the same with opposite sign; at
 * the high face the signs are reversed. The term of H is added before its step, divided by the factor of the step: D
 * is medium_answer_of_h(). */
static sonde_status add_faces(struct builder *builder)
{
	CHECK(reserve(builder));
	for (int a = 0; a < 3; ++a)
		for (int side = 0; side < 2; ++side) {
			if (!builder->box->faces[a][side])
				continue;
			add_face_of(builder, a, side, (a + 1) % 3, (a + 2) % 3, -1.0);
			add_face_of(builder, a, side, (a + 2) % 3, (a + 1) % 3, 1.0);
		}
	return threads_completed();
}

/* Lists the numbers of a field of the wave from which the terms are, and numbers these anew, in the same order. */
static sonde_status list_used(const struct incident_wave *wave, double *const lines[3], struct injection_terms *terms,
			      const double ***used, uint32_t *count)
{
	const uint32_t length = (uint32_t)wave->length, numbers = 3 * length;
	uint32_t *place;

	CHECK(memory_allocate(&place, numbers, sizeof *place, "a plane wave"));
	for (size_t n = 0; n < terms->count; ++n)
		place[terms->terms[n].from] = 1;
	*count = 0;
	for (uint32_t n = 0; n < numbers; ++n)
		if (place[n] != 0)
			place[n] = (*count)++;
	const sonde_status status = memory_allocate(used, *count, sizeof **used, "a plane wave");
	for (size_t n = 0; n < terms->count && status == SONDE_OK; ++n) {
		uint32_t *from = &terms->terms[n].from;
		(*used)[place[*from]] = &lines[*from / length][*from % length];
		*from = place[*from];
	}
	free(place);
	return status;
}

sonde_status total_field_make(struct fields *fields, const struct media *media, const struct total_field_box *box,
			      const struct incident_wave *wave, struct total_field *total)
{
	struct builder builder = {fields, media, box, wave, {{0}, {0}}};
	sonde_status status = SONDE_OK;

	*total = (struct total_field){.wave = *wave, .times = fields->most_times};
	CHECK_GOTO(status, add_faces(&builder), done);
	for (int f = 0; f < 2; ++f) {
		uint32_t *count = &total->counts[f];
		CHECK_GOTO(
		    status,
		    list_used(wave, f == FIELD_E ? wave->h : wave->e, &builder.terms[f], &total->used[f], count),
		    done);
		CHECK_GOTO(status,
			   memory_allocate(&total->signals[f], (size_t)fields->most_times * *count, sizeof(double),
					   "a plane wave"),
			   done);
		CHECK_GOTO(status,
			   injection_make(fields, (enum field)f, &builder.terms[f], *count, fields->most_times,
					  &total->injections[f]),
			   done);
	}
done:
	free(builder.terms[0].terms);
	free(builder.terms[1].terms);
	return status;
}

void total_field_release(struct fields *fields, struct total_field *total)
{
	for (int f = 0; f < 2; ++f) {
		injection_release(fields, &total->injections[f]);
		free(total->signals[f]);
		free(total->used[f]);
	}
	incident_free(&total->wave);
	*total = (struct total_field){0};
}

/* The numbers of the wave's other field that act on one. */
static void take(struct total_field *total, enum field field, uint32_t time)
{
	const uint32_t count = total->counts[field];
	double *signals = total->signals[field] + (size_t)time * count;

	for (uint32_t n = 0; n < count; ++n)
		signals[n] = *total->used[field][n];
}

sonde_status total_field_prepare(struct fields *fields, struct total_field *total, uint32_t times)
{
	for (uint32_t t = 0; t < times; ++t) {
		/* H is stepped with E of the time before, E with H between */
		take(total, FIELD_H, t);
		incident_step_h(&total->wave);
		take(total, FIELD_E, t);
		incident_step_e(&total->wave);
	}
	for (int f = 0; f < 2; ++f)
		CHECK(injection_write(fields, &total->injections[f], total->signals[f], times));
	return SONDE_OK;
}

sonde_status total_field_apply(struct fields *fields, const struct total_field *total, enum field field,
			       uint32_t time, uint32_t first, uint32_t count)
{
	return injection_apply(fields, &total->injections[field], time, first, count);
}
