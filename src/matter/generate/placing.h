/* Samples whose copies are at the places of a file: the option `placements` of probes. */
#ifndef SONDE_MATTER_PLACING_H
#define SONDE_MATTER_PLACING_H

#include "matter/generate/ensemble.h"

/* The file's places, and the structures that it names, of which the sample itself may be one. */
struct placing {
	struct ensemble ensemble;
	struct ensemble_names names;
	sonde_atoms *structures[ENSEMBLE_MOST_STRUCTURES]; /* null: the sample */
};
/* Reads a file of places (ensemble.h). An entry of its column `structure` is `sample`, the name of the sample's file, or a file of
 * atoms, relative to the folder of the list. Of the atoms of `sample` only their source is used. To be freed by placing_free(), also
 * after a failure. */
sonde_status placing_read(sonde_context *context, const char *path, const sonde_atoms *sample,
			  struct placing *placing);
/* The sample, and the other structures, with the placements of all copies (atoms/placed_atoms.h). */
sonde_status placing_apply(const struct placing *placing, const sonde_atoms *sample, sonde_atoms **placed);
/* Notes copies that overlap (ensemble.h). */
sonde_status placing_note_overlap(sonde_context *context, const struct placing *placing, const sonde_atoms *sample);
void placing_free(struct placing *placing);

#endif
