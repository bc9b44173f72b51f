/* The oracle of sonde fdtd: Yee's scheme in float64 with coefficients of its own for every edge, written as the
 * formulas. Slow and obvious.
 *
 * All arrays hold (I + 1)(J + 1)(K + 1) numbers, z fastest, at the lower corner's node: media_at() of medium.h. With
 * H for eta_0 H
 *     H -= S Db rot E,  E = Ca E + S Cb rot H     (Taflove and Hagness, Computational Electrodynamics (2005), 3.29-3.30) */
#ifndef SONDE_FDTD_FIELDS_REFERENCE_H
#define SONDE_FDTD_FIELDS_REFERENCE_H

#include <stddef.h>

#include "fdtd/grid/grid.h"
#include "fdtd/media/medium.h"

struct fdtd_reference {
	struct fdtd_grid grid;
	size_t stride[3], count;
	struct absorbing_profile profile[3];
	double *e[3], *h[3];
	struct medium_step *edges[3], *faces[3];
	const struct medium **poles_of[3]; /* media with poles, else null; owned by the caller */
	double *polarization[3][MOST_POLES], *flow[3][MOST_POLES];
	const struct smooth_edges *smooth; /* owned by the caller */
	double *displacement;              /* D of its edges */
	const struct media *media;         /* owned by the caller, for its answers: */
	double *values;                    /* of each */
	double *answered[2];               /* flow and polarization of each, MOST_MIXED MOST_POLES of them */
	double *psi_e[3][2], *psi_h[3][2]; /* of both derivatives: along the next axis, along the one after that */
	/* of Bloch walls: its imaginary part, owned; in either part the other one, and the sign of that in exp(i phase) times
	 * both */
	struct fdtd_reference *imaginary;
	const struct fdtd_reference *other;
	double sign;
};

/* All fields 0; the grid must pass grid_check(). `media` must outlive it. To be freed by fdtd_reference_free(). */
sonde_status fdtd_reference_make(const struct fdtd_grid *grid, const struct media *media,
				 struct fdtd_reference **reference);
void fdtd_reference_free(struct fdtd_reference **reference);
/* Half a step each, of both parts of complex fields: H to the time between, then E to the next. Sources are added
 * after either; then poles and smooth surfaces act on E. */
void fdtd_reference_step_h(struct fdtd_reference *reference);
void fdtd_reference_step_e(struct fdtd_reference *reference);
void fdtd_reference_polarize(struct fdtd_reference *reference);

#endif
