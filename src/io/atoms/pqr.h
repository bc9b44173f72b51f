/* PQR files: the records ATOM and HETATM of PDB files, as words, with charge and radius at their end. */
#ifndef SONDE_IO_PQR_H
#define SONDE_IO_PQR_H

#include <stdint.h>

#include "io/atoms/atom_sink.h"

/* Reads the file, plain or gzip. Models begin with MODEL: `frame` chooses one, from 1; 0 requires a single model. A
 * record is ATOM or HETATM, any words, then x y z (Angstrom), charge (e) and radius (Angstrom); the label is the
 * third word, the atom's name. Other records are skipped. */
sonde_status pqr_read(const char *path, int64_t frame, const struct atom_sink *sink);

#endif
