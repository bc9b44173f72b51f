/* Sources of a job: their forms in time, and what they do in a simulation. */
#ifndef SONDE_FDTD_JOB_SOURCES_H
#define SONDE_FDTD_JOB_SOURCES_H

#include "fdtd/job/plane_wave.h"
#include "fdtd/simulation/simulation.h"
#include "fdtd/fields/survey.h"
#include "fdtd/sources/waveform.h"

struct job_sources {
	int64_t count;
	struct waveform *waveforms; /* in steps */
	double end;                 /* after which all are 0, in steps; infinite if one has no end */
	double highest, present; /* radians a step above which they have less than a hundredth, and next to nothing */
	struct job_plane_wave wave; /* the first plane wave */
	double *
	    indices; /* of refraction where sheets and beams begin, relative to the background, of the run that was made first; 0: not yet */
	/* of job_sources_add(), the source with most of each, from 0 */
	double cut; /* part of a beam's power beside its sheet */
	int64_t cut_number;
	double
	    cutoff; /* radians a step, below which a pulse has waves that do not leave their sheet; 0: there is none */
	int64_t cutoff_number;
};

#define JOB_MESHED 1e-2 /* part of the largest amplitude of a spectrum that the mesh should resolve */

/* The form of one, also of one that is refused elsewhere; needs the step of time of a space only. To be freed by waveform_free(), also after a failure. */
sonde_status job_source_form(const struct job_space *space, const sonde_fdtd_source_options *source,
			     struct waveform *waveform);
/* Forms, and checks that need no fields. To be freed by job_sources_free(), also after a failure. */
sonde_status job_sources_make(const struct job_space *space, struct job_sources *sources);
void job_sources_free(struct job_sources *sources);
/* Boxes around point sources, of a tenth of the shortest wavelength in the background to all sides but at most a quarter of the space, within which fields
 * are those of the cells that a source is in. To be freed. */
sonde_status job_sources_near(const struct job_space *space, const struct job_sources *sources,
			      struct survey_box **boxes, int *count);
/* Adds them to a simulation of the space's grid and media. The sources must outlive it. */
sonde_status job_sources_add(const struct job_space *space, struct job_sources *sources,
			     struct simulation *simulation);

#endif
