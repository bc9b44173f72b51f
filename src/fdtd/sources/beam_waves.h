/* The plane waves of a beam. */
#ifndef SONDE_FDTD_SOURCES_BEAM_WAVES_H
#define SONDE_FDTD_SOURCES_BEAM_WAVES_H

#include <complex.h>

#include "fdtd/sources/plane_source.h"

/* Parameters of a beam: see beam.h. */
struct beam {
	struct source_plane plane;
	double focus[3];        /* nodes, and fractions of cells; in front of or behind the plane, or in it */
	double direction[3];    /* any length, up to 75 degrees from the plane's normal or from its opposite */
	double polarization[3]; /* of E at the focus; made perpendicular to the direction */
	double waist;           /* radius in c dt where E is 1/e of that in the middle */
	double omega;           /* center, radians per step */
	double index;           /* of the medium between plane and focus: source_plane_index() */
	double amplitude;       /* of E at the focus, for an envelope of 1 */
};

/* A beam in the plane's own axes: 0 along its normal, 1 and 2 after it. Lengths are c dt, wavenumbers 1/(c dt). */
struct beam_frame {
	int axes[3];
	double courant[3]; /* cells are 1/courant */
	double direction[3], polarization[3];
	double focus[3];              /* from node 0, cells */
	double sign;                  /* of the direction along the normal */
	double center[3], wavenumber; /* of the middle of the spectrum */
	double waist, index, sine;    /* sin(omega/2) */
};

/* Wavenumbers along one axis of the plane: `count` of them, from `first` on, `step` apart. */
struct beam_axis {
	int count;
	double first, step;
};

/* Fails as beam_make() does, except for the rim. */
sonde_status beam_frame_make(const struct fdtd_grid *grid, const struct beam *beam, struct beam_frame *frame);
/* Intersection of the beam's axis with a plane, along axis k of the frame, in cells. */
double beam_middle(const struct beam_frame *frame, double plane, int k);
/* Wavenumbers so dense that the beam's periodic images stay outside the rectangle. */
sonde_status beam_axes_make(const struct beam_frame *frame, const struct source_plane *plane,
			    struct beam_axis axes[2]);

/* The wave with these wavenumbers along the plane: its fields at node 0, 0 of the plane, without the offsets of Yee's
 * places. */
struct beam_wave {
	double along; /* wavenumber along the normal */
	double complex e[3], h[3];
	double weight; /* real part of E along the polarization at the focus */
};
/* False if there is none, or if it is negligible. */
bool beam_wave_at(const struct beam_frame *frame, double plane, double k1, double k2, struct beam_wave *wave);

#endif
