#include "fdtd/job/sources.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "fdtd/simulation/plane_currents.h"
#include "fdtd/sources/beam.h"
#include "fdtd/job/boundaries.h"
#include "fdtd/fields/places.h"
#include "fdtd/sources/sheet.h"
#include "fdtd/sources/waveform_file.h"

#define PRESENT \
	1e-8 /* of the largest amplitude: weaker parts of a spectrum need not be resolved by monitors, although they are aliased to other frequencies */

/* Forms in time ---------------------------------------------------------------------------- */

static sonde_status frequency_of(const sonde_fdtd_source_options *source, double *frequency)
{
	bool given = source->frequency > 0.0, wave = source->wavelength > 0.0;

	if (given == wave)
		return status_fail_option(SONDE_INVALID, "frequency",
					  given ? "only one of `frequency` and `wavelength` can be given"
						: "required, as in `frequency 500 THz` or `wavelength 600 nm`");
	*frequency = given ? source->frequency : SPEED_OF_LIGHT / source->wavelength;
	return SONDE_OK;
}

/* Half an oscillation per step is the highest frequency that can be represented. */
static sonde_status check_frequency(const struct job_space *space, const sonde_fdtd_source_options *source,
				    double frequency)
{
	if (frame_angular(&space->frame, frequency) < M_PI)
		return SONDE_OK;
	return status_fail_option(SONDE_INVALID, source->frequency > 0.0 ? "frequency" : "wavelength",
				  "%.4g THz is too high for steps of %.3g fs; choose smaller cells",
				  1e-12 * frequency, 1e15 * space->frame.time_step);
}

sonde_status job_source_form(const struct job_space *space, const sonde_fdtd_source_options *source,
			     struct waveform *waveform)
{
	const struct fdtd_frame *frame = &space->frame;
	double frequency;

	if (source->waveform == SONDE_FDTD_SOURCE_WAVEFORM_FILE) {
		if (source->file[0] == '\0')
			return status_fail_option(SONDE_INVALID, "file", "required for a waveform of kind 'file'");
		CHECK(waveform_read(source->file, frame->time_step, true, waveform));
		waveform->amplitude = source->amplitude;
		waveform->delay = source->delay / frame->time_step;
		return waveform_check(waveform);
	}
	CHECK(frequency_of(source, &frequency));
	CHECK(check_frequency(space, source, frequency));
	*waveform = (struct waveform){.amplitude = source->amplitude,
				      .delay = source->delay / frame->time_step,
				      .omega = frame_angular(frame, frequency),
				      .phase = source->phase * M_PI / 180.0};
	switch (source->waveform) {
	case SONDE_FDTD_SOURCE_WAVEFORM_RICKER:
		waveform->phase = 0.0;
		waveform->kind = WAVEFORM_RICKER;
		break;
	case SONDE_FDTD_SOURCE_WAVEFORM_RAMPED_SINE:
		waveform->kind = WAVEFORM_CONTINUOUS;
		waveform->ramp = source->cycles;
		waveform->duration = source->duration / frame->time_step;
		break;
	default:
		waveform->kind = WAVEFORM_PULSE;
		waveform->bandwidth =
		    frame_angular(frame, source->bandwidth > 0.0 ? source->bandwidth : 0.5 * frequency);
		break;
	}
	return waveform_check(waveform);
}

/* Places ------------------------------------------------------------------------------------- */

/* A point in nodes, which must lie between the layers. */
static sonde_status point_of(const struct job_space *space, sonde_vector center, double point[3])
{
	double place[3];

	frame_turn(&space->frame, center, place);
	for (int a = 0; a < 3; ++a) {
		point[a] = frame_node(&space->frame, a, place[a]);
		const int *inner = space->frame.inner[a];
		if (!space->frame.flat[a] && !(point[a] >= inner[0] - 1e-6 && point[a] <= inner[1] + 1e-6))
			return status_fail_option(SONDE_INVALID, "center",
						  "%g m along %c is not between the sides (%g to %g m); it cannot "
						  "be in an absorbing layer",
						  place[a], "xyz"[frame_job_axis(&space->frame, a)],
						  frame_place(&space->frame, a, inner[0]),
						  frame_place(&space->frame, a, inner[1]));
	}
	return SONDE_OK;
}

/* Dipoles ------------------------------------------------------------------------------------ */

/* The volume of a cell, m^3; uniform axes have length 1 m. */
static double cell_volume(const struct fdtd_frame *frame)
{
	return frame->cell[0] * frame->cell[1] * frame->cell[2];
}

/* Currents per step in the unit of the fields: eps_0 eps dE/dt = rot H - J, mu_0 dH/dt = -rot E - M, H times eta_0/n. */
static double current_unit(const struct fdtd_frame *frame, enum field field)
{
	double electric = frame->time_step / (VACUUM_PERMITTIVITY * frame->index * frame->index);

	return field == FIELD_E ? electric : frame->time_step * SPEED_OF_LIGHT / frame->index;
}

static bool is_conductor(const struct job_space *space, int component, const int node[3])
{
	const struct media *media = &space->media;

	return media->edges[component] != NULL &&
	       media->media[media_number(media->edges[component], media_at(&space->grid, node[0], node[1], node[2]))]
		   .conductor;
}

/* Whether a face is in a conductor: all edges around it are. */
static bool in_conductor(const struct job_space *space, int face, const int node[3])
{
	for (int k = 1; k < 3; ++k) {
		int along = (face + k) % 3, across = 3 - face - along, beside[3] = {node[0], node[1], node[2]};
		beside[across] += node[across] < space->grid.cells[across] ? 1 : 0;
		if (!is_conductor(space, along, node) || !is_conductor(space, along, beside))
			return false;
	}
	return true;
}

/* Real parts, and imaginary ones. A current beyond Bloch walls is one on the other side, with its phase subtracted. */
static sonde_status add_terms(const struct job_space *space, const struct fields *fields, enum field field,
			      int component, const double point[3], double moment, struct injection_terms terms[2])
{
	struct place_part parts[8];
	int count = moment != 0.0 ? places_around(&space->grid, field, component, point, parts) : 0;
	double weight = moment * current_unit(&space->frame, field) / cell_volume(&space->frame);

	for (int n = 0; n < count; ++n) {
		const int *node = parts[n].node;
		const double phase = -parts[n].phase;
		if (parts[n].part == 0.0)
			continue;
		if (field == FIELD_E ? is_conductor(space, component, node) : in_conductor(space, component, node))
			return status_fail_option(SONDE_INVALID, "center",
						  "it lies in a perfect conductor, where a current "
						  "does not radiate, or within a cell of one");
		const uint64_t place = fields_place(fields, component, node[0], node[1], node[2]);
		const double here = weight * parts[n].part * place_with_image(&space->grid, field, component, node);
		CHECK(injection_add(&terms[0], place, 0, here * cos(phase)));
		if (phase != 0.0)
			CHECK(injection_add(&terms[1], place, 0, here * sin(phase)));
	}
	return SONDE_OK;
}

static sonde_status add_dipole(const struct job_space *space, const sonde_fdtd_source_options *source,
			       const struct waveform *waveform, enum field field, struct simulation *simulation)
{
	const struct current_signal signal = {waveform_value, waveform, 0.0};
	struct injection_terms terms[2] = {{0}, {0}};
	double point[3], direction[3];
	sonde_status status;

	CHECK(point_of(space, source->center, point));
	CHECK(job_unit_vector(space, source->polarization, "polarization", direction));
	for (int a = 0; a < 3; ++a)
		CHECK_GOTO(status, add_terms(space, &simulation->fields, field, a, point, direction[a], terms), done);
	status = simulation_add_current(simulation, &space->media, field, &terms[0], &signal, 1);
	if (status == SONDE_OK && terms[0].count == 0)
		status =
		    status_fail_option(SONDE_INVALID, "center",
				       "it lies on a side where its image cancels it: a %scurrent does not "
				       "radiate %s a perfect conductor or %s a magnetic wall",
				       field == FIELD_E ? "" : "magnetic ", field == FIELD_E ? "along" : "across",
				       field == FIELD_E ? "across" : "along");
	if (status == SONDE_OK && terms[1].count > 0)
		status = simulation_add_imaginary_current(simulation, &space->media, field, &terms[1], &signal, 1);
done:
	free(terms[0].terms);
	free(terms[1].terms);
	return status;
}

/* Sheets and beams ------------------------------------------------------------------------------ */

/* The plane of a sheet: across the axis with size 0, or the one along which it radiates most. */
static sonde_status plane_of(const struct job_space *space, const sonde_fdtd_source_options *source,
			     struct source_plane *plane)
{
	const struct fdtd_frame *frame = &space->frame;
	double direction[3], size[3], point[3];
	int thin = 0;

	CHECK(job_unit_vector(space, source->direction, "direction", direction));
	CHECK(point_of(space, source->center, point));
	frame_turn(frame, source->size, size);
	plane->axis = -1;
	for (int a = 0; a < 3; ++a)
		if (!frame->flat[a] && size[a] == 0.0) {
			++thin;
			plane->axis =
			    plane->axis < 0 || fabs(direction[a]) > fabs(direction[plane->axis]) ? a : plane->axis;
		}
	if (thin == 0)
		return status_fail_option(SONDE_INVALID, "size",
					  "a sheet or beam is emitted from a plane: one of its edges must be 0");
	plane->node = (int)lround(point[plane->axis]);
	for (int a = 0; a < 3; ++a) {
		plane->low[a] = plane->high[a] = plane->node;
		if (a != plane->axis)
			CHECK(job_box_along(space, source, a, 0, &plane->low[a], &plane->high[a]));
	}
	return SONDE_OK;
}

/* *cutoff: frequency below which waves do not leave the sheet, if its pulse has a hundredth of its amplitude or more
 * there. */
static sonde_status make_sheet(const struct job_space *space, const sonde_fdtd_source_options *source,
			       const struct waveform *waveform, const struct fields *fields,
			       const struct source_plane *plane, double index, double *cutoff,
			       struct plane_source *made)
{
	struct sheet sheet = {.plane = *plane, .amplitude = 1.0, .index = index, .omega = waveform->omega};
	double direction[3];

	CHECK(job_unit_vector(space, source->direction, "direction", direction));
	CHECK(job_unit_vector(space, source->polarization, "polarization", sheet.polarization));
	CHECK(job_check_sheet_sides(space, plane, sheet.polarization));
	*cutoff = sheet_cutoff(&space->grid, plane->axis, index);
	if (waveform->omega > 0.0 && waveform->omega <= *cutoff)
		return status_fail_option(SONDE_INVALID, "frequency",
					  "with these phases at the sides a sheet emits only waves above %.5g THz",
					  1e-12 * *cutoff / (2.0 * M_PI * space->frame.time_step));
	if (waveform_lowest_frequency(waveform, JOB_MESHED) >= *cutoff)
		*cutoff = 0.0;
	sheet.kind = source->sides == SONDE_FDTD_SOURCE_SIDES_BOTH ? SHEET_ELECTRIC
		     : direction[plane->axis] >= 0.0               ? SHEET_FORWARD
								   : SHEET_BACKWARD;
	return sheet_make(fields, &sheet, made);
}

static sonde_status make_beam(const struct job_space *space, const sonde_fdtd_source_options *source,
			      const struct waveform *waveform, const struct fields *fields,
			      const struct source_plane *plane, double index, double *cut, struct plane_source *made)
{
	const struct fdtd_frame *frame = &space->frame;
	struct beam beam = {.plane = *plane, .omega = waveform->omega, .index = index, .amplitude = 1.0};
	double focus[3];

	if (!(source->waist > 0.0))
		return status_fail_option(SONDE_INVALID, "waist", "required, the radius of the beam at its focus");
	if (!waveform_has_quadrature(waveform))
		return status_fail_option(
		    SONDE_INVALID, "waveform",
		    "a beam needs a waveform with a carrier and a bandwidth below 0.44 of its frequency");
	CHECK(job_unit_vector(space, source->direction, "direction", beam.direction));
	CHECK(job_unit_vector(space, source->polarization, "polarization", beam.polarization));
	frame_turn(frame, source->focus, focus);
	for (int a = 0; a < 3; ++a)
		beam.focus[a] = frame_node(frame, a, focus[a]);
	beam.waist = source->waist * frame->index / (SPEED_OF_LIGHT * frame->time_step);
	return beam_make(fields, &beam, made, cut);
}

/* A reference run has a different wave if the source begins in a body in only one of the two runs. */
static sonde_status check_reference(const struct job_space *space, struct job_sources *sources, int64_t number,
				    double index)
{
	const sonde_fdtd_job *job = space->job;
	const double other = sources->indices[number];

	if (other == 0.0)
		sources->indices[number] = index;
	if (other == 0.0 || fabs(index - other) < 1e-6)
		return SONDE_OK;
	for (int64_t n = 0; n < job->monitors.count; ++n)
		if (job->monitors.items[n].normalize != SONDE_FDTD_MONITOR_NORMALIZE_NONE)
			return status_fail_option(SONDE_INVALID, "center",
						  "it lies in a body, index %.4g, but monitors %lld is normalized "
						  "by a run without bodies; make that medium the background and its "
						  "surroundings bodies, or set in-reference for that body",
						  fmax(index, other) * space->frame.index, (long long)n + 1);
	return SONDE_OK;
}

static sonde_status add_plane_source(const struct job_space *space, struct job_sources *sources, int64_t number,
				     struct simulation *simulation)
{
	const sonde_fdtd_source_options *source = &space->job->sources.items[number];
	const struct waveform *waveform = &sources->waveforms[number];
	bool is_beam = source->kind == SONDE_FDTD_SOURCE_KIND_BEAM;
	double cut = 0.0, cutoff = 0.0;
	struct plane_source made = {0};
	struct source_plane plane;
	double index;
	sonde_status status;

	CHECK(plane_of(space, source, &plane));
	CHECK(source_plane_check(&space->grid, &plane));
	CHECK(source_plane_index(&simulation->fields, &space->media, &plane, &index));
	CHECK(check_reference(space, sources, number, index));
	status = is_beam ? make_beam(space, source, waveform, &simulation->fields, &plane, index, &cut, &made)
			 : make_sheet(space, source, waveform, &simulation->fields, &plane, index, &cutoff, &made);
	if (status == SONDE_OK)
		status = plane_source_add(simulation, &space->media, &made, waveform_value, waveform_quadrature,
					  waveform, 0.0);
	plane_source_free(&made);
	if (status == SONDE_OK && cut > sources->cut) {
		sources->cut = cut;
		sources->cut_number = number;
	}
	if (status == SONDE_OK && cutoff > sources->cutoff) {
		sources->cutoff = cutoff;
		sources->cutoff_number = number;
	}
	return status;
}

/* All --------------------------------------------------------------------------------------------- */

static sonde_status make_source(const struct job_space *space, int64_t number, struct job_sources *sources)
{
	const sonde_fdtd_source_options *source = &space->job->sources.items[number];
	struct waveform *waveform = &sources->waveforms[number];
	double point[3], direction[3];

	if (source->kind < 0)
		return status_fail_option(SONDE_INVALID, "kind",
					  "required, one of dipole, magnetic-dipole, plane-wave, beam or sheet");
	CHECK(job_source_form(space, source, waveform));
	if (source->kind != SONDE_FDTD_SOURCE_KIND_PLANE_WAVE) {
		CHECK(point_of(space, source->center, point));
		CHECK(job_unit_vector(space, source->polarization, "polarization", direction));
	}
	sources->end = fmax(sources->end, waveform_end(waveform));
	sources->highest = fmax(sources->highest, waveform_highest_frequency(waveform, JOB_MESHED));
	sources->present = fmax(sources->present, waveform_highest_frequency(waveform, PRESENT));
	if (source->kind == SONDE_FDTD_SOURCE_KIND_SHEET || source->kind == SONDE_FDTD_SOURCE_KIND_BEAM) {
		struct source_plane plane;
		CHECK(plane_of(space, source, &plane));
		sources->displacement = fmax(sources->displacement,
					     fabs(point[plane.axis] - plane.node) / space->grid.courant[plane.axis]);
	}
	if (source->kind != SONDE_FDTD_SOURCE_KIND_PLANE_WAVE)
		return SONDE_OK;
	if (sources->wave.number >= 0)
		return status_fail_option(SONDE_INVALID, "kind",
					  "there is already a plane wave; a job can have only one");
	sources->wave.number = number;
	return job_plane_wave_make(space, source, waveform, &sources->wave);
}

sonde_status job_sources_make(const struct job_space *space, struct job_sources *sources)
{
	const sonde_fdtd_job *job = space->job;

	*sources = (struct job_sources){.count = job->sources.count, .wave.number = -1};
	CHECK(memory_allocate(&sources->waveforms, (size_t)job->sources.count, sizeof *sources->waveforms,
			      "the sources"));
	CHECK(
	    memory_allocate(&sources->indices, (size_t)job->sources.count, sizeof *sources->indices, "the sources"));
	for (int64_t n = 0; n < job->sources.count; ++n)
		CHECK(job_prefix(job, make_source(space, n, sources), "sources", job->sources.lines, n));
	return SONDE_OK;
}

void job_sources_free(struct job_sources *sources)
{
	for (int64_t n = 0; n < sources->count && sources->waveforms != NULL; ++n)
		waveform_free(&sources->waveforms[n]);
	free(sources->waveforms);
	free(sources->indices);
	*sources = (struct job_sources){.wave.number = -1};
}

#define NEAR 0.1           /* of the shortest wavelength: around a point source */
#define NEAR_OF_SPACE 0.25 /* at most */
#define NEAR_CELLS 1.0     /* minimum: the current is spread over these */

static double near_radius(const struct job_space *space, const struct job_sources *sources)
{
	const struct fdtd_frame *frame = &space->frame;
	double radius = sources->highest > 0.0 ? NEAR * 2.0 * M_PI * SPEED_OF_LIGHT * frame->time_step /
						     (sources->highest * frame->index)
					       : 0.0;

	for (int a = 0; a < 3; ++a)
		if (!frame->flat[a])
			radius =
			    fmin(radius, NEAR_OF_SPACE * frame->cell[a] * (frame->inner[a][1] - frame->inner[a][0]));
	return radius;
}

sonde_status job_sources_near(const struct job_space *space, const struct job_sources *sources,
			      struct survey_box **boxes, int *count)
{
	const double radius = near_radius(space, sources);
	double point[3];

	*count = 0;
	CHECK(memory_allocate(boxes, (size_t)sources->count + 1, sizeof **boxes, "the sources"));
	for (int64_t n = 0; n < sources->count; ++n) {
		const sonde_fdtd_source_options *source = &space->job->sources.items[n];
		if ((source->kind != SONDE_FDTD_SOURCE_KIND_DIPOLE &&
		     source->kind != SONDE_FDTD_SOURCE_KIND_MAGNETIC_DIPOLE) ||
		    point_of(space, source->center, point) != SONDE_OK)
			continue;
		struct survey_box *box = &(*boxes)[(*count)++];
		for (int a = 0; a < 3; ++a) {
			const double cells = fmax(radius / space->frame.cell[a], NEAR_CELLS);
			box->begin[a] = space->frame.flat[a] ? 0 : (int)fmax(0.0, ceil(point[a] - cells - 1e-6));
			box->end[a] =
			    space->frame.flat[a] ? space->grid.cells[a] + 1 : (int)floor(point[a] + cells + 1e-6) + 1;
		}
	}
	return SONDE_OK;
}

static sonde_status add_source(const struct job_space *space, struct job_sources *sources, int64_t number,
			       struct simulation *simulation)
{
	const sonde_fdtd_source_options *source = &space->job->sources.items[number];
	const struct waveform *waveform = &sources->waveforms[number];

	switch (source->kind) {
	case SONDE_FDTD_SOURCE_KIND_DIPOLE:
		return add_dipole(space, source, waveform, FIELD_E, simulation);
	case SONDE_FDTD_SOURCE_KIND_MAGNETIC_DIPOLE:
		return add_dipole(space, source, waveform, FIELD_H, simulation);
	case SONDE_FDTD_SOURCE_KIND_PLANE_WAVE:
		return job_plane_wave_add(space, waveform, &sources->wave, simulation);
	default:
		return add_plane_source(space, sources, number, simulation);
	}
}

sonde_status job_sources_add(const struct job_space *space, struct job_sources *sources,
			     struct simulation *simulation)
{
	const sonde_fdtd_job *job = space->job;

	for (int64_t n = 0; n < sources->count; ++n)
		CHECK(job_prefix(job, add_source(space, sources, n, simulation), "sources", job->sources.lines, n));
	return SONDE_OK;
}

sonde_status job_incident_spectrum(const struct job_space *space, const struct job_sources *sources,
				   const double *angular, uint32_t frequencies, uint64_t steps,
				   double complex (*sums)[3])
{
	const int *low = sources->wave.box.low, *high = sources->wave.box.high;
	const double middle[3] = {0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2])};
	struct incident_wave wave;
	sonde_status status =
	    job_plane_wave_start(space, &sources->waveforms[sources->wave.number], &sources->wave, &wave);

	if (status == SONDE_OK)
		status = incident_sums(&wave, middle, angular, frequencies, steps, sums);
	incident_free(&wave);
	return status;
}
