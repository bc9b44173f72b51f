#include "fdtd/job/plane_wave.h"

#include <math.h>

#include "fdtd/job/boundaries.h"

/* Between a plane wave's box and an absorbing layer. As a length, so that it does not depend on the cells. */
#define MARGIN_OF_WAVE 0.15
#define MARGIN_OF_SIZE 0.1 /* maximum */
#define MARGIN_CELLS 3     /* minimum: monitors of cross-sections are 2 cells outside */
#define MOST_DIRECTION 64  /* integers of a plane wave's direction */
#define DIRECTION_OFF 2e-4 /* error in radians allowed if smaller integers suffice */

/* Cells between the box of a plane wave, if its size is not given, and an absorbing layer. */
static int margin_along(const struct job_space *space, const struct waveform *waveform, int axis)
{
	const struct fdtd_frame *frame = &space->frame;
	double length = MARGIN_OF_SIZE * vector_part(space->job->options.size, frame_job_axis(frame, axis));

	if (frame->flat[axis])
		return 0;
	if (waveform->omega > 0.0)
		length = fmin(length, MARGIN_OF_WAVE * 2.0 * M_PI * SPEED_OF_LIGHT * frame->time_step /
					  (waveform->omega * frame->index));
	return (int)fmax(MARGIN_CELLS, round(length / frame->cell[axis]));
}

/* The smallest integers with (nearly) the direction of d/Delta. */
static void whole_numbers(const struct fdtd_grid *grid, const double direction[3], int m[3])
{
	double along[3], largest = 0.0, best = INFINITY;

	/* m_a is that of k_a Delta_a; 1/courant is Delta in c dt */
	for (int a = 0; a < 3; ++a) {
		along[a] = !grid_is_uniform(grid, a) ? direction[a] / grid->courant[a] : 0.0;
		largest = fmax(largest, fabs(along[a]));
	}
	for (int scale = 1; scale <= MOST_DIRECTION && best > DIRECTION_OFF; ++scale) {
		double d[3], dot = 0.0, square = 0.0, one = 0.0;
		int whole[3];
		for (int a = 0; a < 3; ++a) {
			whole[a] = (int)lround(scale * along[a] / largest);
			d[a] = whole[a] * grid->courant[a];
			dot += d[a] * direction[a];
			square += d[a] * d[a];
			one += !grid_is_uniform(grid, a) ? direction[a] * direction[a] : 0.0;
		}
		double off = acos(fmin(1.0, dot / sqrt(square * one)));
		if (off >= best)
			continue;
		best = off;
		for (int a = 0; a < 3; ++a)
			m[a] = whole[a];
	}
}

static sonde_status check_direction(const struct job_space *space, const double direction[3])
{
	for (int a = 0; a < 3; ++a) {
		char name = "xyz"[frame_job_axis(&space->frame, a)];
		if (space->grid.bloch)
			return status_fail_option(SONDE_INVALID, "kind",
						  "a plane wave in a box does not support Bloch phases: use a sheet "
						  "through the whole period, whose wave is tilted by the phases");
		if (fabs(direction[a]) < 1e-9)
			continue;
		if (space->frame.flat[a])
			return status_fail_option(SONDE_INVALID, "direction",
						  "the structure is uniform along %c, so no wave propagates along it",
						  name);
		if (space->grid.walls[a][0] == WALL_PERIODIC)
			return status_fail_option(SONDE_INVALID, "direction",
						  "a wave along %c is incompatible with its periodic sides", name);
	}
	return SONDE_OK;
}

/* There are no faces at periodic sides and mirrors. If there are such sides along one axis only, the wave has no
 * transverse ends, and the box is open on its far side: the transmitted field there is total field. */
static void choose_faces(const struct job_space *space, const int m[3], struct total_field_box *box)
{
	int axes = 0;

	for (int a = 0; a < 3; ++a) {
		for (int side = 0; side < 2; ++side)
			box->faces[a][side] = space->grid.layers[a][side].cells > 0 && !space->frame.flat[a];
		axes += box->faces[a][0] || box->faces[a][1];
	}
	for (int a = 0; a < 3 && axes == 1; ++a)
		box->faces[a][m[a] > 0 ? 1 : 0] &= m[a] == 0;
}

/* Of the box as the job gives it, or of the whole box, neither of which depends on the cells, so that the times of signals do
 * not either. */
static void find_corner(const struct job_space *space, const sonde_fdtd_source_options *source, const int m[3],
			double corner[3])
{
	const struct fdtd_frame *frame = &space->frame;

	for (int a = 0; a < 3; ++a) {
		const int u = frame_job_axis(frame, a);
		const double size = vector_part(source->size, u), toward = m[a] > 0 ? -1.0 : 1.0,
			     place = size > 0.0 ? vector_part(source->center, u) + toward * 0.5 * size
						: toward * frame->side[a];
		corner[a] = m[a] != 0 ? (place - frame->origin[a]) / frame->cell[a] : 0.0;
	}
}

sonde_status job_plane_wave_make(const struct job_space *space, const sonde_fdtd_source_options *source,
				 const struct waveform *waveform, struct job_plane_wave *wave)
{
	double direction[3], polarization[3], along = 0.0, length = 0.0;

	CHECK(job_unit_vector(space, source->direction, "direction", direction));
	CHECK(job_unit_vector(space, source->polarization, "polarization", polarization));
	CHECK(check_direction(space, direction));
	whole_numbers(&space->grid, direction, wave->m);
	for (int a = 0; a < 3; ++a)
		along += direction[a] * polarization[a];
	for (int a = 0; a < 3; ++a) {
		wave->polarization[a] = polarization[a] - along * direction[a];
		length += wave->polarization[a] * wave->polarization[a];
	}
	if (!(length > 1e-6))
		return status_fail_option(SONDE_INVALID, "polarization",
					  "E of a plane wave must be perpendicular to its direction");
	for (int a = 0; a < 3; ++a)
		wave->polarization[a] /= sqrt(length);
	for (int a = 0; a < 3; ++a) {
		CHECK(job_box_along(space, source, a, margin_along(space, waveform, a), &wave->box.low[a],
				    &wave->box.high[a]));
		if (wave->box.high[a] - wave->box.low[a] < 1)
			return status_fail_option(SONDE_INVALID, "size", "the wave's box has no cells along %c",
						  "xyz"[frame_job_axis(&space->frame, a)]);
	}
	choose_faces(space, wave->m, &wave->box);
	find_corner(space, source, wave->m, wave->corner);
	return job_check_wave_sides(space, &wave->box, direction, wave->polarization);
}

/* The wave is a solution for the background alone: no body may extend through a face of its box. */
static sonde_status check_faces(const struct job_space *space, const struct total_field_box *box)
{
	for (int a = 0; a < 3; ++a)
		for (int side = 0; side < 2; ++side) {
			bool is_free = true;
			if (box->faces[a][side])
				CHECK(job_face_is_free(space, box->low, box->high, a, side, &is_free));
			if (!is_free)
				return status_fail(
				    SONDE_INVALID,
				    "a body extends through the face of the wave's box at %c = %g m, but the wave is "
				    "one in the background only; make the box larger or smaller",
				    "xyz"[frame_job_axis(&space->frame, a)],
				    frame_place(&space->frame, a, side == 0 ? box->low[a] : box->high[a]));
		}
	return SONDE_OK;
}

sonde_status job_plane_wave_start(const struct job_space *space, const struct waveform *waveform,
				  const struct job_plane_wave *wave, struct incident_wave *incident)
{
	CHECK(incident_make(wave->m, space->grid.courant, wave->polarization, wave->box.low, wave->box.high,
			    waveform_value, waveform, incident));
	incident_start_at(incident, wave->corner);
	return SONDE_OK;
}

sonde_status job_plane_wave_add(const struct job_space *space, const struct waveform *waveform,
				const struct job_plane_wave *wave, struct simulation *simulation)
{
	struct incident_wave incident;
	sonde_status status;

	CHECK(check_faces(space, &wave->box));
	status = job_plane_wave_start(space, waveform, wave, &incident);
	if (status != SONDE_OK) {
		incident_free(&incident);
		return status;
	}
	return simulation_add_total_field(simulation, &space->media, &wave->box, &incident);
}
