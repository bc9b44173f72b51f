#include "fdtd/simulation/plane_currents.h"

#include <math.h>
#include <stdlib.h>

#include "fdtd/grid/layout.h"

/* Radians from node 0 to a place of a field, across an axis. */
static double phase_at(const struct fields *fields, enum field field, uint64_t place, int axis)
{
	int node[3], component = layout_node(&fields->layout, place, node);
	double phase = 0.0;

	for (int a = 0; a < 3; ++a)
		if (a != axis)
			phase += fields->grid.phase[a] / fields->grid.cells[a] *
				 (node[a] + ((a == component) == (field == FIELD_E) ? 0.5 : 0.0));
	return phase;
}

/* One part, real or imaginary, of terms that go as exp(i k r). */
static sonde_status add_turned(struct simulation *simulation, const struct media *media,
			       const struct plane_source *source, enum field field,
			       const struct current_signal *signals, bool imaginary)
{
	const struct injection_terms *from = &source->terms[field];
	struct injection_terms terms = {0};
	sonde_status status = SONDE_OK;

	for (size_t n = 0; n < from->count && status == SONDE_OK; ++n) {
		const struct injection_term *term = &from->terms[n];
		const double phase = phase_at(&simulation->fields, field, term->at, source->axis);
		status =
		    injection_add(&terms, term->at, term->from, term->weight * (imaginary ? sin(phase) : cos(phase)));
	}
	if (status == SONDE_OK)
		status =
		    imaginary
			? simulation_add_imaginary_current(simulation, media, field, &terms, signals, source->signals)
			: simulation_add_current(simulation, media, field, &terms, signals, source->signals);
	free(terms.terms);
	return status;
}

static sonde_status add_terms(struct simulation *simulation, const struct media *media, struct plane_source *source,
			      enum field field, const struct current_signal *signals)
{
	if (source->terms[field].count == 0)
		return SONDE_OK;
	if (!source->turns || simulation->fields.imaginary == NULL)
		return simulation_add_current(simulation, media, field, &source->terms[field], signals,
					      source->signals);
	CHECK(add_turned(simulation, media, source, field, signals, false));
	return add_turned(simulation, media, source, field, signals, true);
}

sonde_status plane_source_add(struct simulation *simulation, const struct media *media, struct plane_source *source,
			      incident_form *form, incident_form *quadrature, const void *user, double delay)
{
	if (source->signals > 1 && quadrature == NULL)
		return status_fail(SONDE_INVALID, "a beam needs a waveform with a carrier");
	for (int f = 0; f < 2; ++f) {
		const struct current_signal signals[2] = {{form, user, delay + source->delays[f]},
							  {quadrature, user, delay + source->delays[f]}};
		CHECK(add_terms(simulation, media, source, (enum field)f, signals));
	}
	return SONDE_OK;
}
