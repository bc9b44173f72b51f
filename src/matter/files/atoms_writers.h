/* Writers of text files of atoms, and what they share. */
#ifndef SONDE_MATTER_ATOMS_WRITERS_H
#define SONDE_MATTER_ATOMS_WRITERS_H

#include "io/text/text_output.h"
#include "matter/atoms/atoms.h"

/* A text file of atoms under construction. */
struct atoms_output {
	sonde_context *context; /* may be null */
	const sonde_atoms *atoms;
	struct text_output *file;
};

/* Appends rows first to end - 1 to the text. */
typedef void atoms_format_rows(const void *user, int64_t first, int64_t end, struct text *text);
/* Writes one row for each atom, formatted by all threads; what the file's block holds is written before. */
sonde_status atoms_output_rows(const struct atoms_output *output, atoms_format_rows *format, const void *user);

/* The label of atom `atom`. */
static inline const char *atoms_label(const sonde_atoms *atoms, int64_t atom)
{
	return atoms->species[atoms->species_of[atom]].label;
}

/* "Written by sonde VERSION", and the origin of the atoms. */
void atoms_append_origin(const sonde_atoms *atoms, struct text *text);
/* SONDE_INVALID for atoms with occupancies, which the format cannot express. */
sonde_status atoms_refuse_occupancies(const struct atoms_output *output, const char *format);

sonde_status atoms_write_xyz(const struct atoms_output *output);
sonde_status atoms_write_pdb(const struct atoms_output *output);
sonde_status atoms_write_cif(const struct atoms_output *output);
sonde_status atoms_write_lammps(const struct atoms_output *output);
sonde_status atoms_write_poscar(const struct atoms_output *output);

#endif
