/* Fields beyond the walls, where a step reads them. */
#ifndef SONDE_FDTD_FIELDS_WALLS_H
#define SONDE_FDTD_FIELDS_WALLS_H

#include "fdtd/fields/field_storage.h"

/* For planes first to first + count - 1; both parts of complex fields. */
sonde_status walls_fill(struct fields *fields, enum field field, uint32_t first, uint32_t count);

#endif
