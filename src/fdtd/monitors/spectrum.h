/* Fourier sums of the fields tangential to planes, and the power through them.
 *
 * A plane is a rectangle of nodes across an axis. E along it lies on its edges; H along it lies half a cell on either side, and is taken on both: so
 * that E and the mean of H belong to one place, and the sum of their products is the power through the plane of Yee's scheme. */
#ifndef SONDE_FDTD_MONITORS_SPECTRUM_H
#define SONDE_FDTD_MONITORS_SPECTRUM_H

#include "fdtd/monitors/fourier.h"

struct flux_plane {
	int axis, node; /* which nodes of that axis */
	int low[3],
	    high[3]; /* nodes of the other axes, both with their edges; high is not there where it is low again behind a periodic wall */
	double sign; /* of the power: 1 along the axis */
};

/* Six planes of a box, power outward; none along axes that nothing depends on, and none in walls that mirror, through which no power goes. Returns how
 * many. */
int flux_planes_of_box(const struct fdtd_grid *grid, const int low[3], const int high[3],
		       struct flux_plane planes[6]);

/* An edge of a plane with the H that makes power with it. */
struct flux_point {
	int plane, component; /* of E */
	int node[3];
	double
	    weight; /* of the power: an area in (c dt)^2, halved at rims, with its sign; axes that nothing depends on have length 1 */
	uint32_t e, h[2]; /* numbers of the samples */
};

struct spectrum {
	struct fourier_sums sums;
	uint32_t count;
	struct flux_point *points;
	int plane_count;
	struct flux_plane *planes;
};

/* Of how many steps one does for frequencies up to `monitored`, in radians a step, where fields have none above `present`: what folds back
 * stays above them. */
uint32_t spectrum_interval(double monitored, double present);

/* To be released by spectrum_release(), also after a failure. Fails where a plane is not inside of the grid, or empty. */
sonde_status spectrum_make(struct fields *fields, const struct flux_plane *planes, int plane_count,
			   const double *angular_frequencies, uint32_t frequencies, uint32_t every,
			   struct spectrum *spectrum);
void spectrum_release(struct fields *fields, struct spectrum *spectrum);
/* The sums over times of field exp(i omega time): of E of each point, and of the H beside it, [frequencies][count]. */
sonde_status spectrum_sums(struct fields *fields, const struct spectrum *spectrum, double complex *e,
			   double complex *h);
/* Power through all planes at each frequency, [frequencies]: 1/2 Re of E x conj(H) over areas, times cos(omega dt/2), since Yee's scheme
 * does its work with H and the mean of E before and behind. So it is what sources give and what is lost in the media, to
 * rounding; of a plane wave along an axis it is cos(omega dt/2) cos(k Delta/2) times what that has in free space. */
sonde_status spectrum_power(struct fields *fields, const struct spectrum *spectrum, double *power);
/* The same, and what would go through if no part of it came back or went round: the sum of |E| |H|. */
sonde_status spectrum_powers(struct fields *fields, const struct spectrum *spectrum, double *power, double *gross);

#endif
