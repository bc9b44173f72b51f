/* The sources and monitors of a simulation. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fdtd/grid/layout.h"
#include "fdtd/simulation/simulation.h"

/* Makes room for one more of `count` items. */
static sonde_status grow(void *things, int *count, size_t size)
{
	size_t capacity = (size_t)*count;

	CHECK(memory_grow(things, &capacity, capacity + 1, size, "the simulation"));
	memset(*(char **)things + (size_t)*count * size, 0, size);
	++*count;
	return SONDE_OK;
}

/* Contribution of a current of 1 to its field at a place. */
static double answer_at(const struct fields *fields, const struct media *media, enum field field, uint64_t place)
{
	int node[3], component = layout_node(&fields->layout, place, node);
	const struct media_numbers *numbers = field == FIELD_E ? media->edges[component] : media->faces[component];
	size_t at = media_at(&fields->grid, node[0], node[1], node[2]);

	if (field == FIELD_E)
		return -medium_step_of_e(&media->media[media_number(numbers, at)]).second;
	return medium_answer_of_h(numbers != NULL ? &media->media[media_number(numbers, at)] : &vacuum);
}

/* Whether a place is one of E along a conductor or of H across one, which are 0 for any current. */
static bool on_conductor(const struct fields *fields, enum field field, uint64_t place)
{
	const struct fdtd_grid *grid = &fields->grid;
	int node[3], component = layout_node(&fields->layout, place, node);

	for (int a = 0; a < 3; ++a) {
		bool conductor = (field == FIELD_E) == (a != component) && !grid_is_uniform(grid, a) &&
				 ((node[a] == 0 && grid->walls[a][0] == WALL_CONDUCTOR) ||
				  (node[a] == grid->cells[a] && grid->walls[a][1] == WALL_CONDUCTOR));
		/* one place of a plane represents all edges on the conductor at the end of its rows: see layout_place() */
		if (conductor || node[a] > grid->cells[a])
			return true;
	}
	return false;
}

static void forget_conductors(const struct fields *fields, enum field field, struct injection_terms *terms)
{
	size_t count = 0;

	for (size_t n = 0; n < terms->count; ++n)
		if (!on_conductor(fields, field, terms->terms[n].at))
			terms->terms[count++] = terms->terms[n];
	terms->count = count;
}

sonde_status simulation_add_current(struct simulation *simulation, const struct media *media, enum field field,
				    struct injection_terms *terms, const struct current_signal *signals,
				    uint32_t signal_count)
{
	struct fields *fields = &simulation->fields;

	CHECK(grow(&simulation->current, &simulation->currents, sizeof *simulation->current));
	struct current *current = &simulation->current[simulation->currents - 1];
	CHECK(memory_allocate(&current->signals, signal_count, sizeof *signals, "a source"));
	memcpy(current->signals, signals, signal_count * sizeof *signals);
	forget_conductors(fields, field, terms);
	for (size_t n = 0; n < terms->count; ++n) {
		int node[3];
		terms->terms[n].weight *= answer_at(fields, media, field, terms->terms[n].at);
		simulation->driven[field] |= 1u << layout_node(&fields->layout, terms->terms[n].at, node);
	}
	return injection_make(fields, field, terms, signal_count, fields->most_times, &current->injection);
}

sonde_status simulation_add_imaginary_current(struct simulation *simulation, const struct media *media,
					      enum field field, struct injection_terms *terms,
					      const struct current_signal *signals, uint32_t signal_count)
{
	if (simulation->fields.imaginary == NULL)
		return status_fail(SONDE_INVALID, "a current has an imaginary part, but the fields are real");
	CHECK(simulation_add_current(simulation, media, field, terms, signals, signal_count));
	simulation->current[simulation->currents - 1].injection.imaginary = true;
	return SONDE_OK;
}

sonde_status simulation_add_total_field(struct simulation *simulation, const struct media *media,
					const struct total_field_box *box, const struct incident_wave *wave)
{
	sonde_status status =
	    grow(&simulation->total_field, &simulation->total_fields, sizeof *simulation->total_field);

	if (status != SONDE_OK) {
		struct incident_wave unused = *wave;
		incident_free(&unused);
		return status;
	}
	for (int a = 0; a < 3; ++a) {
		simulation->driven[FIELD_E] |= wave->e_part[a] != 0.0 ? 1u << a : 0u;
		simulation->driven[FIELD_H] |= wave->h_part[a] != 0.0 ? 1u << a : 0u;
	}
	return total_field_make(&simulation->fields, media, box, wave,
				&simulation->total_field[simulation->total_fields - 1]);
}

sonde_status simulation_add_spectrum(struct simulation *simulation, const struct flux_plane *planes, int plane_count,
				     const double *angular_frequencies, uint32_t frequencies, uint32_t every)
{
	CHECK(grow(&simulation->spectrum, &simulation->spectra, sizeof *simulation->spectrum));
	return spectrum_make(&simulation->fields, planes, plane_count, angular_frequencies, frequencies, every,
			     &simulation->spectrum[simulation->spectra - 1]);
}

sonde_status simulation_add_field_monitor(struct simulation *simulation, const struct field_region *region,
					  const double *angular_frequencies, uint32_t frequencies, uint32_t every)
{
	CHECK(grow(&simulation->field_monitor, &simulation->field_monitors, sizeof *simulation->field_monitor));
	return field_monitor_make(&simulation->fields, region, angular_frequencies, frequencies, every,
				  &simulation->field_monitor[simulation->field_monitors - 1]);
}

sonde_status simulation_add_absorption(struct simulation *simulation, const struct media *media, const int low[3],
				       const int high[3], const double *angular_frequencies, uint32_t frequencies,
				       uint32_t every)
{
	CHECK(grow(&simulation->absorption, &simulation->absorptions, sizeof *simulation->absorption));
	return absorption_make(&simulation->fields, media, low, high, angular_frequencies, frequencies, every,
			       &simulation->absorption[simulation->absorptions - 1]);
}

sonde_status simulation_add_trace(struct simulation *simulation, enum field field, const uint64_t *places,
				  uint32_t count)
{
	CHECK(grow(&simulation->trace, &simulation->traces, sizeof *simulation->trace));
	return observation_make(&simulation->fields, field, places, count, 0,
				&simulation->trace[simulation->traces - 1].observation);
}
