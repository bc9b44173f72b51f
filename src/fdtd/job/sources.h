/* Sources of a job: their waveforms, and their terms in a simulation. */
#ifndef SONDE_FDTD_JOB_SOURCES_H
#define SONDE_FDTD_JOB_SOURCES_H

#include <complex.h>

#include "fdtd/job/plane_wave.h"
#include "fdtd/simulation/simulation.h"
#include "fdtd/fields/survey.h"
#include "fdtd/sources/waveform.h"

struct job_sources {
	int64_t count;
	struct waveform *waveforms; /* in steps */
	double end;                 /* after which all are 0, in steps; infinite if one is endless */
	double highest, present;    /* radians per step: above, less than a hundredth, or negligible amplitude */
	struct job_plane_wave wave; /* the first plane wave */
	double displacement;        /* of sheets and beams, which are emitted from nodes: the largest, in c dt */
	double *indices;            /* relative, where sheets and beams begin, in the run made first; 0: not known */
	/* from job_sources_add(), the source with the largest value of each, from 0 */
	double cut; /* fraction of a beam's power outside its sheet */
	int64_t cut_number;
	double cutoff; /* radians per step: lower frequencies of a pulse do not leave their sheet; 0: none */
	int64_t cutoff_number;
};

#define JOB_MESHED 1e-2 /* relative to the largest amplitude of a spectrum: level that the mesh should resolve */

/* The waveform of a source, also of one that is rejected elsewhere; needs only the time step of a space. To be freed
 * by waveform_free(), also after a failure. */
sonde_status job_source_form(const struct job_space *space, const sonde_fdtd_source_options *source,
			     struct waveform *waveform);
/* Waveforms, and checks that need no fields. To be freed by job_sources_free(), also after a failure. */
sonde_status job_sources_make(const struct job_space *space, struct job_sources *sources);
void job_sources_free(struct job_sources *sources);
/* Boxes around point sources, a tenth of the shortest wavelength in the background to all sides but at most a quarter
 * of the space, within which the fields are those of a source's own cells. To be freed. */
sonde_status job_sources_near(const struct job_space *space, const struct job_sources *sources,
			      struct survey_box **boxes, int *count);
/* Adds them to a simulation of the space's grid and media. The sources must outlive it. */
sonde_status job_sources_add(const struct job_space *space, struct job_sources *sources,
			     struct simulation *simulation);
/* Sums of the plane wave's E over those steps in the middle of its box, [frequencies][components]. */
sonde_status job_incident_spectrum(const struct job_space *space, const struct job_sources *sources,
				   const double *angular, uint32_t frequencies, uint64_t steps,
				   double complex (*sums)[3]);

#endif
