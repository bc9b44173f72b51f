/* Formats of simulation programs by the names of files: VASP's POSCAR and LAMMPS's data files and dumps. */
#ifndef SONDE_MATTER_STRUCTURE_FILES_H
#define SONDE_MATTER_STRUCTURE_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "io/atoms/atom_sink.h"
#include "io/trajectory/trajectory_format.h"

typedef sonde_status structure_reader(const char *path, int64_t frame, const struct atom_sink *sink);

/* The reader by the ending of the name, also with .gz after it, or because it begins with POSCAR or CONTCAR; null for names of other
 * formats. */
structure_reader *structure_reader_of(const char *path);
/* Whether a name is that of a dump of LAMMPS. */
bool structure_is_dump(const char *path);
/* The format of a binary trajectory by its name; null for others. */
const struct trajectory_format *structure_binary_format(const char *path);

/* struct atom_sink's `element`. The name of an element, isotope or ion is its label; masses are those of elements within 0.2 u, and 2.014
 * that of D. */
const char *structure_element(void *user, const char *name, double mass);

#endif
