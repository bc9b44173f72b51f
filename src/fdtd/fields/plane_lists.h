/* Lists of places in the order of the grid's planes. */
#ifndef SONDE_FDTD_FIELDS_PLANE_LISTS_H
#define SONDE_FDTD_FIELDS_PLANE_LISTS_H

#include "fdtd/fields/field_storage.h"

/* The plane of a place of a field. */
uint32_t fields_plane_of(const struct fields *fields, enum field field, uint64_t place);
/* Finds the first place of each plane, (*first)[planes + 1], in a list whose places lie `stride` bytes apart. */
sonde_status plane_lists_find(const struct fields *fields, enum field field, const uint64_t *places, size_t stride,
			      uint32_t count, uint32_t **first);

#endif
