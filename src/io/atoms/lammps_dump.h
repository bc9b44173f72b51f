/* Text dumps of LAMMPS: dump custom, dump atom. */
#ifndef SONDE_IO_LAMMPS_DUMP_H
#define SONDE_IO_LAMMPS_DUMP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "io/atoms/atom_sink.h"
#include "io/text/lines.h"

/* Reads frame `frame` (from 1) of the file, plain or gzip; 0 requires a single frame. Lengths are in Angstrom (units metal or real).
 * Positions are x y z, xu yu zu, xs ys zs or xsu ysu zsu, the first of these that the file has; elements are a column element, or
 * have the masses of a column mass (sink->element); a column q is a charge. Atoms are delivered in the order of a column
 * id, if there is one. */
sonde_status lammps_dump_read(const char *path, int64_t frame, const struct atom_sink *sink);

/* Reads the next frame of an open file, for frames one after the other; *ended at the end of the file. */
sonde_status lammps_dump_next(struct line_reader *reader, const struct atom_sink *sink, bool *ended);
/* The same without reading its atoms; only sink->cancelled is called. */
sonde_status lammps_dump_skip(struct line_reader *reader, const struct atom_sink *sink, bool *ended);

#endif
