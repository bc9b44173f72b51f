/* Lists of a grid that several ranks share: the numbers of their entries are those of the whole grid. */
#ifndef SONDE_FDTD_FIELDS_SHARED_LISTS_H
#define SONDE_FDTD_FIELDS_SHARED_LISTS_H

#include "fdtd/media/medium.h"

/* Makes media->totals of media that are painted in parts (struct media_part), by all ranks; a no-op for others. */
sonde_status shared_lists_make(const struct fdtd_grid *grid, struct media *media);

#endif
