/* Media with poles on a device: for each its places, with their polarisations. */
#ifndef SONDE_FDTD_FIELDS_POLARISATION_H
#define SONDE_FDTD_FIELDS_POLARISATION_H

#include "fdtd/fields/field_storage.h"

struct polarisation {
	uint32_t count, poles;
	uint32_t *first_of_plane;
	struct device_buffer places, state, numbers;
};

/* All polarisations 0, of the media that have poles: fields->polarisations. They are released with the fields. */
sonde_status polarisations_make(struct fields *fields, const struct media *media);
void polarisations_release(struct fields *fields);
/* Bytes of device memory for a medium with so many poles at one edge. */
double polarisation_bytes(int poles, bool single);
/* E in planes first to first + count - 1 by the poles, behind its step and what was added to it. */
sonde_status polarisations_step(struct fields *fields, uint32_t first, uint32_t count);

#endif
