/* A plane wave through the grid's vacuum, as one of the grid's own solutions, so that it can be added and subtracted
 * without residue: the discrete plane wave of Tan and Potter (IEEE Trans. Antennas Propag. 58 (2010) 2641).
 *
 * Its direction is that of (m_x/Delta_x, m_y/Delta_y, m_z/Delta_z) with integers m. Then the fields at (i, j, k)
 * depend on the place r = m_x i + m_y j + m_z k only, and Yee's scheme becomes one of six fields on a line. Near its
 * beginning they are set to the values of the wave; near its end they are absorbed, as by a layer across the wave. */
#ifndef SONDE_FDTD_SOURCES_INCIDENT_H
#define SONDE_FDTD_SOURCES_INCIDENT_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* The waveform: E at a time, in steps, where the wave is at time 0. */
typedef double incident_form(const void *user, double time);

struct incident_wave {
	int m[3];
	double courant[3];
	double e_part[3], h_part[3]; /* for a wave of 1 */
	bool e_is_0[3], h_is_0[3];   /* components that the wave does not have */
	double delay;                /* of a place, in steps */
	double start;                /* the place, as a number of the line, where the wave is at time 0 */
	int begin, length;           /* place of number 0 of the line; its numbers */
	int first_free, first_absorbed;
	double *e[3], *h[3];
	double *e_decay[3], *h_decay[3];   /* of a component's convolutions, per step */
	double *e_psi[3][2], *h_psi[3][2]; /* of its two differences */
	incident_form *form;
	const void *user;
	int steps; /* completed */
};

/* A wave for nodes from low to high of each axis, with E along the given polarization (made perpendicular to the
 * direction, and normalized). At time 0 it is at the beginning of its line, some cells before the corner that it meets
 * first. Fails if there is no direction, or if the polarization is along it. To be freed by incident_free(), also after a
 * failure. */
sonde_status incident_make(const int m[3], const double courant[3], const double polarization[3], const int low[3],
			   const int high[3], incident_form *form, const void *user, struct incident_wave *wave);
void incident_free(struct incident_wave *wave);
/* Lets the wave be at a position in nodes, not necessarily whole ones, at time 0. Before the first step. */
void incident_start_at(struct incident_wave *wave, const double node[3]);
/* The line's number of a node. */
int incident_number(const struct incident_wave *wave, int i, int j, int k);
/* Half a step each: H by E, then E by H, as on the grid. */
void incident_step_h(struct incident_wave *wave);
void incident_step_e(struct incident_wave *wave);
/* Fourier sums of the wave's E over that many steps, of E exp(i omega time) at a position in cells (not necessarily
 * that of its edges), [frequencies]: the wave must not have been stepped before, and is stepped by this call. The
 * position must be in its box. */
sonde_status incident_sums(struct incident_wave *wave, const double place[3], const double *angular_frequencies,
			   uint32_t frequencies, uint64_t steps, double complex (*sums)[3]);

#endif
