/* Power absorbed by media, at frequencies: from the fields at the edges and faces of a box that have losses.
 *
 * The loss of Yee's scheme at an edge, between two times of E, is the mean of E times the current in its medium's
 * equation (medium.h). With Fourier sums E, and with omega in radians per step,
 *     1/2 |E|^2 cos(omega/2) (sigma cos(omega/2) + 2 sin(omega/2) Im chi(omega)) per volume,
 * with chi from the poles' recursions: the power that does not leave the box according to spectrum_power(), to
 * rounding. An answer of media at metal surfaces is such an E of its own; it is divided among its edges by the
 * squares of their parts, so that the power is approximate in boxes whose sides cut such surfaces, and exact to
 * rounding in others. */
#ifndef SONDE_FDTD_MONITORS_ABSORPTION_H
#define SONDE_FDTD_MONITORS_ABSORPTION_H

#include "fdtd/media/answers.h"
#include "fdtd/monitors/fourier.h"

/* Edges or faces of a box that absorb power, one after the other along z from `node` on, whose places have numbers
 * from `first` on. */
struct lossy_row {
	uint32_t first, count;
	int component, node[3];
	uint16_t medium;
};

/* An edge of an answer at a metal surface (answers.h), at least partly in the box, with its share of the answer. */
struct lossy_edge {
	double share;
	int component, node[3];
};

struct absorption {
	int low[3], high[3];
	struct fourier_sums sums;
	uint32_t count[FIELDS_OBSERVED]; /* E on edges, H on faces, answers */
	uint32_t row_count[2];
	struct lossy_row *rows[2];
	size_t media;
	double *losses[2];     /* [media][frequencies], power per volume for |field|^2 = 1 */
	uint32_t *first_edges; /* of each answer, among `edges` */
	struct lossy_edge *edges;
	double *answer_losses; /* [frequencies][answers], of an answer of 1 in a volume of 1 */
	double volume;         /* of a cell in (c dt)^3; uniform axes have length 1 */
};

/* Makes a monitor of the cells between nodes low and high. Edges and faces on the box's sides count with the fraction
 * of them that is in it, as in spectrum_power() of that box. To be released by absorption_release(), also after a
 * failure. SONDE_INVALID for boxes that are empty, or extend beyond the grid or into its absorbing layers. */
sonde_status absorption_make(struct fields *fields, const struct media *media, const int low[3], const int high[3],
			     const double *angular_frequencies, uint32_t frequencies, uint32_t every,
			     struct absorption *absorption);
void absorption_release(struct fields *fields, struct absorption *absorption);
/* Power in the unit of spectrum_power(), [frequencies]. */
sonde_status absorption_power(struct fields *fields, const struct absorption *absorption, double *power);
/* Power of each cell, [frequencies][cells of x][of y][of z]: a quarter of the loss of its 12 edges, each with the
 * volume of a cell, half of that of its 6 faces. Their sum is absorption_power(). */
sonde_status absorption_map(struct fields *fields, const struct absorption *absorption, double *map);

#endif
