/* The plane wave of a job: its direction in integers, its box, and its faces. */
#ifndef SONDE_FDTD_JOB_PLANE_WAVE_H
#define SONDE_FDTD_JOB_PLANE_WAVE_H

#include "fdtd/job/space.h"
#include "fdtd/simulation/simulation.h"
#include "fdtd/sources/waveform.h"

struct job_plane_wave {
	int64_t number;         /* of the source; -1: there is none */
	int m[3];               /* its direction, as of incident_make() */
	double polarization[3]; /* its E, perpendicular to the direction and of length 1, along the engine's axes */
	struct total_field_box box;
	double corner[3]; /* of the job's box, in nodes, not rounded: the one that the wave meets first, at time 0 */
};

/* Determines all but the number; needs no fields. Fails for directions and boxes that the space's sides do not allow. */
sonde_status job_plane_wave_make(const struct job_space *space, const sonde_fdtd_source_options *source,
				 const struct waveform *waveform, struct job_plane_wave *wave);
/* The wave itself, before its first step. To be freed by incident_free(), also after a failure. */
sonde_status job_plane_wave_start(const struct job_space *space, const struct waveform *waveform,
				  const struct job_plane_wave *wave, struct incident_wave *incident);
/* Adds the wave to a simulation; the waveform must outlive it. */
sonde_status job_plane_wave_add(const struct job_space *space, const struct waveform *waveform,
				const struct job_plane_wave *wave, struct simulation *simulation);

#endif
