/* Atoms in the bodies of a sample. */
#ifndef SONDE_MATTER_SAMPLE_FILL_H
#define SONDE_MATTER_SAMPLE_FILL_H

#include "matter/sample/clearance.h"
#include "run/context.h"
#include "sonde/sample.h"

#define CONTACTS_MOST_ATOMS 20000000 /* of larger samples contacts are not looked for */

/* Fills the bodies, and appends their atoms body by body; see sonde_sample_build(). *contacts: between atoms of different
 * bodies. */
sonde_status sample_fill(sonde_context *context, const sonde_sample *sample, sonde_atoms *atoms,
			 struct contacts *contacts);

#endif
