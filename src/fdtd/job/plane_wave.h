/* The plane wave of a job: its direction in whole numbers, the box that it fills, and its faces. */
#ifndef SONDE_FDTD_JOB_PLANE_WAVE_H
#define SONDE_FDTD_JOB_PLANE_WAVE_H

#include "fdtd/job/space.h"
#include "fdtd/simulation/simulation.h"
#include "fdtd/sources/waveform.h"

struct job_plane_wave {
	int64_t number;         /* of the source; -1: there is none */
	int m[3];               /* its direction, as of incident_make() */
	double polarization[3]; /* its E's, across the direction and 1, along the engine's axes */
	struct total_field_box box;
};

/* Finds all but the number; needs no fields. Errors: directions and boxes that the space's sides do not allow. */
sonde_status job_plane_wave_make(const struct job_space *space, const sonde_fdtd_source_options *source,
				 const struct waveform *waveform, struct job_plane_wave *wave);
/* Adds what was found to a simulation; the waveform must outlive it. */
sonde_status job_plane_wave_add(const struct job_space *space, const struct waveform *waveform,
				const struct job_plane_wave *wave, struct simulation *simulation);

#endif
