/* PDB files: the records ATOM and HETATM (Protein Data Bank Contents Guide, version 3.30), and CRYST1. */
#ifndef SONDE_IO_PDB_H
#define SONDE_IO_PDB_H

#include <stdint.h>

#include "io/atoms/atom_sink.h"

/* A free remark in front of a text about copies (atom_sink.h), which may go on in another one. */
#define PDB_COPIES "REMARK   6 COPIES "

/* Reads the file, plain or gzip. Models begin with MODEL: `frame` chooses one, from 1; 0 requires a single model. The
 * label is the element: columns 77 and 78 if they contain one, else the start of the atom's name by the rules of its
 * columns. Of alternative locations the first is taken (column 17: blank, A or 1). CRYST1 is the lattice. */
sonde_status pdb_read(const char *path, int64_t frame, const struct atom_sink *sink);

#endif
