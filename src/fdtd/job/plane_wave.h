/* The plane wave of a job: its direction in whole numbers, the box that it fills, and its faces. */
#ifndef SONDE_FDTD_JOB_PLANE_WAVE_H
#define SONDE_FDTD_JOB_PLANE_WAVE_H

#include "fdtd/job/sources.h"

/* Finds m, polarization and box of `sources`; needs no fields. Errors: directions and boxes that the space's sides do not allow. */
sonde_status job_plane_wave_make(const struct job_space *space, const sonde_fdtd_source_options *source,
				 const struct waveform *waveform, struct job_sources *sources);
/* Adds what was found to a simulation; the waveform must outlive it. */
sonde_status job_plane_wave_add(const struct job_space *space, const struct waveform *waveform,
				const struct job_sources *sources, struct simulation *simulation);

#endif
