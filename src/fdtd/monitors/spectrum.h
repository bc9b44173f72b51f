/* Fourier sums of the fields tangential to planes, and the power through them.
 *
 * A plane is a rectangle of nodes across an axis. Tangential E lies on its edges; tangential H lies half a cell on
 * either side, and is sampled on both: so E and the mean of H belong to one position, and the sum of their products
 * is the power through the plane in Yee's scheme. */
#ifndef SONDE_FDTD_MONITORS_SPECTRUM_H
#define SONDE_FDTD_MONITORS_SPECTRUM_H

#include "fdtd/monitors/fourier.h"

struct flux_plane {
	int axis, node; /* node of that axis */
	int low[3],
	    high[3]; /* nodes of the other axes, both with their edges; high is left out where a periodic wall makes it low again */
	double sign; /* of the power: 1 along the axis */
};

/* Six planes of a box, power outward; none along uniform axes, and none in mirrors, through which no power flows.
 * Returns their number. */
int flux_planes_of_box(const struct fdtd_grid *grid, const int low[3], const int high[3],
		       struct flux_plane planes[6]);

/* The number of its points: edges of both directions within it. */
uint64_t flux_plane_points(const struct fdtd_grid *grid, const struct flux_plane *plane);

/* An edge of a plane with the H that produces power with it. */
struct flux_point {
	int plane, component; /* of E */
	int node[3];
	double
	    weight; /* of the power: an area in (c dt)^2, halved at rims, with its sign; uniform axes have length 1 */
	uint32_t e, h[2]; /* numbers of the samples */
};

struct spectrum {
	struct fourier_sums sums;
	uint32_t count;
	struct flux_point *points;
	int plane_count;
	struct flux_plane *planes;
};

/* Sampling interval in steps for frequencies up to `monitored`, in radians per step, if fields have none above
 * `present`: aliases stay above the monitored ones. */
uint32_t spectrum_interval(double monitored, double present);

/* To be released by spectrum_release(), also after a failure. Fails if a plane is not inside the grid, or is empty. */
sonde_status spectrum_make(struct fields *fields, const struct flux_plane *planes, int plane_count,
			   const double *angular_frequencies, uint32_t frequencies, uint32_t every,
			   struct spectrum *spectrum);
void spectrum_release(struct fields *fields, struct spectrum *spectrum);
/* The sums over times of field exp(i omega time): of E at each point, and of the adjacent H, [frequencies][count]. */
sonde_status spectrum_sums(struct fields *fields, const struct spectrum *spectrum, double complex *e,
			   double complex *h);
/* The same of `block` frequencies from number `first` on, [block][count]. */
sonde_status spectrum_some_sums(struct fields *fields, const struct spectrum *spectrum, uint32_t first,
				uint32_t block, double complex *e, double complex *h);
/* Power through all planes at each frequency, [frequencies]: 1/2 Re of E x conj(H) over areas, times cos(omega dt/2),
 * since Yee's scheme does its work with H and the mean of E before and after. So it is the power of the sources and
 * the loss in the media, to rounding; for a plane wave along an axis it is cos(omega dt/2) cos(k Delta/2) times that
 * in free space. */
sonde_status spectrum_power(struct fields *fields, const struct spectrum *spectrum, double *power);
/* The same, and the power without cancellation by reflected or circulating waves: the sum of |E| |H|. */
sonde_status spectrum_powers(struct fields *fields, const struct spectrum *spectrum, double *power, double *gross);

#endif
