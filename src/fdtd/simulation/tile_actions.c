#include "fdtd/simulation/tile_actions.h"

#include <stdlib.h>

#include "base/memory.h"
#include "fdtd/fields/answering.h"
#include "fdtd/fields/polarization.h"
#include "fdtd/fields/smoothing.h"
#include "fdtd/grid/layout.h"

#define WHAT "steps by tiles"

bool tile_actions_are_late(const struct fields *fields)
{
	return fields->smoothing != NULL || fields->answering != NULL;
}

/* A list of places on the device, where alone it is kept. */
struct listed {
	const struct device_buffer *places;
	size_t stride;
	const uint32_t *first_of_plane;
	int component; /* of which the places are; -1: all */
	bool answers;  /* places are numbers of answers */
};

static void find_rows_of(const struct fields *fields, const struct listed *listed, const char *places, uint32_t count,
			 uint32_t *rows)
{
	const struct fdtd_step *layout = &fields->layout;

	for (uint32_t n = 0; n < count; ++n) {
		const uint64_t place = *(const uint64_t *)(places + n * listed->stride);
		int node[3];
		if (listed->answers)
			rows[n] = fields->answering->rows[place];
		else if (layout_node(layout, place, node) == listed->component || listed->component < 0)
			rows[n] = (uint32_t)node[1];
		else
			rows[n] = ROW_NONE;
	}
}

static sonde_status find_rows(const struct fields *fields, const struct listed *listed, struct row_list *list)
{
	const uint32_t planes = (uint32_t)fields->grid.cells[0] + 1, count = listed->first_of_plane[planes];
	uint32_t *rows = NULL;
	char *places = NULL;
	sonde_status status;

	CHECK_GOTO(status, memory_allocate_to_fill(&places, (size_t)count + 1, listed->stride, WHAT), done);
	CHECK_GOTO(status, memory_allocate_to_fill(&rows, (size_t)count + 1, sizeof *rows, WHAT), done);
	if (count > 0)
		CHECK_GOTO(status, device_read(fields->device, listed->places, 0, places, count * listed->stride),
			   done);
	find_rows_of(fields, listed, places, count, rows);
	status = row_list_make(rows, listed->first_of_plane, planes, list);
done:
	free(places);
	free(rows);
	return status;
}

/* Nodes of `part` belong to a tile. */
static struct tile_action *add(struct fields *fields, struct tile_actions *actions, enum action_kind kind,
			       enum tile_part part, const void *of)
{
	struct tile_action *action = &actions->of[actions->count++];

	*action = (struct tile_action){.kind = kind, .fields = fields, .of = of, .parts = {part, part}};
	return action;
}

static sonde_status add_sources(const struct tiled *tiled, struct tile_actions *actions, enum field field)
{
	const enum tile_part part = field == FIELD_H ? TILE_PART_H : TILE_PART_E;

	for (int n = 0; n < tiled->source_count; ++n) {
		const struct injection *of = tiled->sources[n];
		const struct listed listed = {&of->places, sizeof(struct fdtd_place), of->first_of_plane, -1, false};
		if (of->field == field && of->count > 0)
			CHECK(find_rows(tiled->fields, &listed,
					&add(tiled->fields, actions, ACTION_SOURCE, part, of)->rows));
	}
	return SONDE_OK;
}

static sonde_status add_poles(struct fields *fields, struct tile_actions *actions)
{
	for (int n = 0; n < fields->polarization_count; ++n) {
		const struct polarization *of = &fields->polarizations[n];
		const struct listed listed = {&of->places, sizeof(uint64_t), of->first_of_plane, -1, false};
		if (of->count > 0)
			CHECK(find_rows(fields, &listed, &add(fields, actions, ACTION_POLES, TILE_PART_E, of)->rows));
	}
	return SONDE_OK;
}

/* E of edges along each axis: those along x from both planes, those along y from both rows that they connect. */
static sonde_status add_edges(struct fields *fields, struct tile_actions *actions, enum action_kind kind,
			      const struct device_buffer *places, const uint32_t *first_of_plane)
{
	for (int a = 0; a < 3; ++a) {
		const struct listed listed = {places, sizeof(uint64_t), first_of_plane, a, false};
		struct tile_action *action = add(fields, actions, kind, TILE_PART_AFTER, NULL);
		if (a < 2)
			action->parts[a] = TILE_PART_BEHIND;
		CHECK(find_rows(fields, &listed, &action->rows));
	}
	return SONDE_OK;
}

static sonde_status add_answers(struct fields *fields, struct tile_actions *actions)
{
	const struct answering *answering = fields->answering;

	if (answering == NULL)
		return SONDE_OK;
	for (int n = 0; n < answering->kind_count; ++n) {
		const struct answering_kind *of = &answering->kinds[n];
		if (of->count > 0)
			CHECK(row_list_make(answering->rows + of->first, of->first_of_plane,
					    (uint32_t)fields->grid.cells[0] + 1,
					    &add(fields, actions, ACTION_ANSWER, TILE_PART_AFTER, of)->rows));
	}
	return add_edges(fields, actions, ACTION_ASSEMBLE, &answering->places, answering->first_of_plane);
}

static sonde_status add_smoothing(struct fields *fields, struct tile_actions *actions)
{
	const struct smoothing *of = fields->smoothing;

	if (of == NULL)
		return SONDE_OK;
	const struct listed all = {&of->places, sizeof(uint64_t), of->first_of_plane, -1, false};
	CHECK(find_rows(fields, &all, &add(fields, actions, ACTION_DISPLACE, TILE_PART_E, NULL)->rows));
	return add_edges(fields, actions, ACTION_SMOOTH, &of->places, of->first_of_plane);
}

static sonde_status add_observation(struct fields *fields, struct tile_actions *actions,
				    const struct fourier_sums *sums, const struct observation *observation)
{
	const struct listed listed = {&observation->places, sizeof(uint64_t), observation->first_of_plane, -1,
				      observation->field == FIELD_ANSWERS};

	if (observation->count == 0)
		return SONDE_OK;
	const enum tile_part part = observation->field == FIELD_H   ? TILE_PART_H
				    : tile_actions_are_late(fields) ? TILE_PART_BEHIND
								    : TILE_PART_E;
	struct tile_action *action = add(fields, actions, sums != NULL ? ACTION_SUMS : ACTION_TRACE, part, sums);
	action->field = observation->field;
	action->observation = observation;
	CHECK(find_rows(fields, &listed, &action->rows));
	return observation->imaginary != NULL && fields->imaginary != NULL
		   ? add_observation(fields->imaginary, actions, sums, observation->imaginary)
		   : SONDE_OK;
}

static sonde_status add_observations(const struct tiled *tiled, struct tile_actions *actions)
{
	for (int n = 0; n < tiled->sum_count; ++n)
		for (int f = 0; f < FIELDS_OBSERVED; ++f)
			CHECK(add_observation(tiled->fields, actions, tiled->sums[n], &tiled->sums[n]->of[f]));
	for (int n = 0; n < tiled->trace_count; ++n)
		CHECK(add_observation(tiled->fields, actions, NULL, tiled->traces[n]));
	return SONDE_OK;
}

/* Room for all of them. */
static size_t most_actions(const struct tiled *tiled)
{
	const struct fields *fields = tiled->fields;
	const int parts = fields->imaginary != NULL ? 2 : 1,
		  answers = fields->answering != NULL ? fields->answering->kind_count + 3 : 0;

	const int most = tiled->source_count + 1 +
			 parts * (fields->polarization_count + answers + 4 + FIELDS_OBSERVED * tiled->sum_count +
				  tiled->trace_count);

	return (size_t)most;
}

sonde_status tile_actions_make(const struct tiled *tiled, struct tile_actions *actions)
{
	CHECK(memory_allocate(&actions->of, most_actions(tiled), sizeof *actions->of, WHAT));
	CHECK(add_sources(tiled, actions, FIELD_H));
	actions->before = actions->count;
	CHECK(add_sources(tiled, actions, FIELD_E));
	for (struct fields *part = tiled->fields; part != NULL; part = part->imaginary) {
		CHECK(add_poles(part, actions));
		CHECK(add_answers(part, actions));
		CHECK(add_smoothing(part, actions));
	}
	add(tiled->fields, actions, ACTION_WALLS, TILE_PART_FILL, NULL);
	return add_observations(tiled, actions);
}

void tile_actions_free(struct tile_actions *actions)
{
	for (int n = 0; n < actions->count; ++n)
		row_list_free(&actions->of[n].rows);
	free(actions->of);
	*actions = (struct tile_actions){0};
}

sonde_status tile_action_apply(const struct tile_action *action, uint32_t time, uint32_t begin, uint32_t count)
{
	struct fields *fields = action->fields;
	const void *of = action->of;

	switch (action->kind) {
	case ACTION_SOURCE:
		return injection_apply_some(fields, of, time, begin, count);
	case ACTION_POLES:
		return polarization_step_some(fields, of, begin, count);
	case ACTION_ANSWER:
		return answering_answer(fields, of, begin, count);
	case ACTION_ASSEMBLE:
		return answering_assemble(fields, begin, count);
	case ACTION_DISPLACE:
		return smoothing_displace(fields, begin, count);
	case ACTION_SMOOTH:
		return smoothing_smooth(fields, begin, count);
	case ACTION_SUMS:
	case ACTION_TRACE:
	case ACTION_WALLS:
		break;
	}
	return observation_gather_some(fields, action->observation, time, begin, count);
}
