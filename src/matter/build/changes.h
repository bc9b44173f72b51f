/* Changes of atoms by options of `build`: defects, and copies. */
#ifndef SONDE_MATTER_BUILD_CHANGES_H
#define SONDE_MATTER_BUILD_CHANGES_H

#include "matter/atoms/atoms.h"
#include "run/context.h"
#include "sonde/build_options.h"

/* Defects, strain, relaxation, and displacements, all that the options ask for. */
sonde_status changes_apply(const sonde_build_options *options, sonde_atoms *atoms);
/* Replaces *atoms by the copies that the options ask for, if any; *made tells. They have no source yet. */
sonde_status changes_copy(sonde_context *context, const sonde_build_options *options, sonde_atoms **atoms,
			  bool *made);

/* Refuses options that do not change atoms of another source, which `what` names, as "the sample of part.yaml". */
sonde_status changes_check(const sonde_build_options *options, const char *what);
/* Whether all options have their defaults; fails where memory is short. */
sonde_status changes_none(const sonde_build_options *options, bool *none);
/* Makes all changes of atoms of another source. The source becomes the command that makes them, and the digest one of
 * both, if there is a file of copies. */
sonde_status changes_make(sonde_context *context, const sonde_build_options *options, const char *what,
			  sonde_atoms **atoms);

#endif
