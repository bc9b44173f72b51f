/* Media with poles on a device: for each its places with their polarizations. */
#ifndef SONDE_FDTD_FIELDS_POLARIZATION_H
#define SONDE_FDTD_FIELDS_POLARIZATION_H

#include "fdtd/fields/field_storage.h"

struct polarization {
	uint32_t count, poles;
	uint32_t *first_of_plane;
	struct device_buffer places, state, numbers;
};

/* Makes fields->polarizations, of the media that have poles, with all values 0. They are released with the fields. */
sonde_status polarizations_make(struct fields *fields, const struct media *media);
/* The places of media with poles that are painted here, [plane][medium with poles], and the number of such media; to be
 * freed. */
sonde_status polarizations_count(const struct fdtd_grid *grid, const struct media *media, size_t *kinds,
				 uint32_t **counts);
void polarizations_release(struct fields *fields);
/* Bytes of device memory for a medium with this many poles at one edge. */
double polarization_bytes(int poles, bool single);
/* Applies the response of the poles to E in planes first to first + count - 1, after the step of E and the addition
 * of the sources. */
sonde_status polarizations_step(struct fields *fields, uint32_t first, uint32_t count);
/* The same for `count` places of one medium from number `begin` on. */
sonde_status polarization_step_some(struct fields *fields, const struct polarization *polarization, uint32_t begin,
				    uint32_t count);

#endif
