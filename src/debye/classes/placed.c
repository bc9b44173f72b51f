#include "debye/classes/placed.h"

#include <string.h>

#include "base/memory.h"
#include "matter/atoms/placed_atoms.h"
#include "matter/generate/placing.h"

static sonde_status read_places(sonde_context *context, const sonde_atoms *atoms, const char *path,
				sonde_atoms **placed)
{
	struct placing placing;

	sonde_status status = placing_read(context, path, atoms, &placing);
	if (status == SONDE_OK)
		status = placing_note_overlap(context, &placing, atoms);
	if (status == SONDE_OK)
		status = placing_apply(&placing, atoms, placed);
	placing_free(&placing);
	return status;
}

/* Pairs of atoms of different copies, tensors that turn with their copies, and sites that are several ones or empty. */
static bool needs_all(const sonde_atoms *atoms, const sonde_debye_options *options)
{
	return options->copies == SONDE_DEBYE_COPIES_EXACT || options->copy_atoms != 0 ||
	       atoms->occupancies != NULL || strchr(options->labels, '*') != NULL ||
	       (strcmp(options->displacement, "sample") == 0 && atoms->displacement_size > 1);
}

sonde_status debye_place(sonde_context *context, const sonde_atoms *atoms, const sonde_debye_options *options,
			 sonde_atoms **placed)
{
	*placed = NULL;
	if (options->placements[0] != '\0')
		CHECK(read_places(context, atoms, options->placements, placed));
	const sonde_atoms *sample = *placed != NULL ? *placed : atoms;
	if (sample->placements == NULL || !needs_all(sample, options))
		return SONDE_OK;
	return *placed != NULL ? atoms_expand(context, placed) : atoms_expanded(context, atoms, placed);
}
