/* Edges of smooth surfaces on a device. */
#ifndef SONDE_FDTD_FIELDS_SMOOTHING_H
#define SONDE_FDTD_FIELDS_SMOOTHING_H

#include "fdtd/fields/field_storage.h"

struct smoothing {
	uint32_t count;
	uint32_t *first_of_plane, *first_along_x; /* of each plane, those along y and z, then those along x */
	struct device_kernel displace, smooth;
	struct device_buffer places, state, weights, neighbors;
};

/* Makes fields->smoothing from media->smooth, with D equal to 0; null if there are none. It is released with the
 * fields. E written to these edges by fields_write() is lost in the next step, since the state is D. */
sonde_status smoothing_make(struct fields *fields, const struct media *media);
/* First edge of each plane of those that are listed here, and first of its edges along x, [planes + 1]; to be freed. */
sonde_status smoothing_planes(const struct fdtd_grid *grid, const struct media *media, uint32_t **first_of_plane,
			      uint32_t **first_along_x);
void smoothing_release(struct fields *fields);
/* Bytes of device memory for an edge. */
double smoothing_bytes(bool single);
/* Computes E from D, after the step of E and the addition of the sources. Edges along x of a plane need D of the next
 * one: those of the plane before `first` are computed with these planes, those of the last of these planes are not,
 * unless it is the last of all. No step of H that may follow plane by plane needs them earlier. */
sonde_status smoothing_step(struct fields *fields, uint32_t first, uint32_t count);
/* Parts of it, of `count` edges from number `begin` on: D from what the step of E left; E from D. Edges along y of a row
 * need D of the next row, those along x D of the next plane. */
sonde_status smoothing_displace(struct fields *fields, uint32_t begin, uint32_t count);
sonde_status smoothing_smooth(struct fields *fields, uint32_t begin, uint32_t count);

#endif
