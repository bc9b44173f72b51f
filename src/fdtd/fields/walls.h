/* What lies behind the walls of fields, where a step looks for it. */
#ifndef SONDE_FDTD_FIELDS_WALLS_H
#define SONDE_FDTD_FIELDS_WALLS_H

#include "fdtd/fields/field_storage.h"

/* For planes first to first + count - 1; of complex fields both parts. */
sonde_status walls_fill(struct fields *fields, enum field field, uint32_t first, uint32_t count);

#endif
