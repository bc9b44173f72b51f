/* Unit cells given by options: edges, sites, and a space group. */
#ifndef SONDE_MATTER_BUILD_INLINE_CELL_H
#define SONDE_MATTER_BUILD_INLINE_CELL_H

#include "matter/build/file_cell.h"
#include "sonde/build.h"

/* The cell of `cell_edges`, `basis`, and `space_group`. Both results are to be freed, also after a failure. `context`
 * receives notes; it may be null. */
sonde_status inline_cell_make(sonde_context *context, const sonde_build_options *options, struct crystal *crystal,
			      struct file_cell *cell);

#endif
