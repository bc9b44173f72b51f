/* Samples of atoms from files of atoms or descriptions. */
#ifndef SONDE_MATTER_SAMPLE_SAMPLE_ATOMS_H
#define SONDE_MATTER_SAMPLE_SAMPLE_ATOMS_H

#include "run/context.h"
#include "sonde/sample.h"

/* Reads a file of atoms, or builds those of a description, whose notes go to the context, with the changes that options
 * of build give; these are null for none, and refused for files of atoms. *atoms is null after a failure, else to be
 * freed by sonde_atoms_free(); of a compact ensemble they stay compact (atoms/placed_atoms.h). */
sonde_status sample_read_atoms(sonde_context *context, const char *path, int64_t frame,
			       const sonde_build_options *changes, sonde_atoms **atoms);
/* Refuses options of build that cannot change the sample of a file: all, of a file of atoms. */
sonde_status sample_check_changes(const char *path, const sonde_build_options *changes);
/* Passes the notes on a description to the context. */
void sample_give_notes(sonde_context *context, const sonde_sample *sample);

#endif
