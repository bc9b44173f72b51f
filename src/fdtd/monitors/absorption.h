/* Power that media take up, at frequencies: from the fields at the edges and faces of a box that have
 * losses.
 *
 * Yee's scheme loses at an edge, between two times of E, the mean of E times what its medium's equation
 * takes from rot H (medium.h). With Fourier sums E, and with omega in radians a step,
 *     1/2 |E|^2 cos(omega/2) (sigma cos(omega/2) + 2 sin(omega/2) Im chi(omega)) a volume,
 * where chi is what the poles' recursions give: the power that does not come out of the box by
 * spectrum_power(), to rounding. What media answer at surfaces of metals is such an E of its own; it is shared by its edges by the squares of
 * their parts, so that boxes whose sides cut such surfaces have their power nearly, the others to rounding. */
#ifndef SONDE_FDTD_MONITORS_ABSORPTION_H
#define SONDE_FDTD_MONITORS_ABSORPTION_H

#include "fdtd/media/answers.h"
#include "fdtd/monitors/fourier.h"

/* An edge or a face of a box that loses power. */
struct lossy_place {
	int component, node[3];
	uint16_t medium;
};

/* An answer at a metal's surface (answers.h) some of which is in the box: the edges that it is of, with their shares of it. */
struct lossy_answer {
	struct lossy_place edges[EDGES_OF_ANSWER];
	double shares[EDGES_OF_ANSWER];
	const struct answer *answer;
};

struct absorption {
	int low[3], high[3];
	struct fourier_sums sums;
	uint32_t count[FIELDS_OBSERVED]; /* of E's edges, of H's faces, of answers */
	struct lossy_place *places[2];
	size_t media;
	double *losses[2]; /* [media][frequencies], power a volume of 1 for |field|^2 = 1 */
	struct lossy_answer *answers;
	double *answer_losses; /* [frequencies][answers], of an answer of 1 in a volume of 1 */
	double volume;         /* of a cell in (c dt)^3; axes that nothing depends on have length 1 */
};

/* Of the cells between nodes low and high. Edges and faces on the box's sides count with the share of them
 * that is in it, as spectrum_power() of that box has them. To be released by absorption_release(), also
 * after a failure. SONDE_INVALID for boxes that are empty, or reach beyond the grid or into its absorbing
 * layers. */
sonde_status absorption_make(struct fields *fields, const struct media *media, const int low[3], const int high[3],
			     const double *angular_frequencies, uint32_t frequencies, uint32_t every,
			     struct absorption *absorption);
void absorption_release(struct fields *fields, struct absorption *absorption);
/* Power in the unit of spectrum_power(), [frequencies]. */
sonde_status absorption_power(struct fields *fields, const struct absorption *absorption, double *power);
/* Power of each cell, [frequencies][cells of x][of y][of z]: a quarter of what its 12 edges would lose in
 * the volume of a cell, half of its 6 faces. Their sum is absorption_power(). */
sonde_status absorption_map(struct fields *fields, const struct absorption *absorption, double *map);

#endif
