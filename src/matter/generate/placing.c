#include "matter/generate/placing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matter/atoms/placed_atoms.h"

static const char *without_folder(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static bool is_sample(const char *name, const sonde_atoms *sample)
{
	const char *source = sample->source.bytes != NULL ? sample->source.bytes : "";

	return strcmp(name, "sample") == 0 || strcmp(name, source) == 0 || strcmp(name, without_folder(source)) == 0;
}

/* A file that the list names: relative to the list's folder. */
static sonde_status read_structure(sonde_context *context, const char *list, const char *name, int64_t line,
				   sonde_atoms **atoms)
{
	const int folder = *name != '/' ? (int)(without_folder(list) - list) : 0;
	const size_t size = (size_t)folder + strlen(name) + 1;
	char *path;

	CHECK(memory_allocate(&path, size, 1, "a path"));
	snprintf(path, size, "%.*s%s", folder, list, name);
	sonde_status status = sonde_atoms_read(context, path, 0, atoms);
	if (status == SONDE_OK && (*atoms)->count == 0)
		status = status_fail_file(SONDE_INVALID, path, "has no atoms");
	free(path);
	return status_prefix(status, "%s:%lld: structure '%s'", list, (long long)line, name);
}

sonde_status placing_read(sonde_context *context, const char *path, const sonde_atoms *sample,
			  struct placing *placing)
{
	*placing = (struct placing){.ensemble = {0}};
	CHECK(ensemble_read_named(context, path, &placing->names, &placing->ensemble));
	for (int s = 0; s < placing->names.count; ++s)
		if (!is_sample(placing->names.names[s], sample))
			CHECK(read_structure(context, path, placing->names.names[s], placing->names.lines[s],
					     &placing->structures[s]));
	return SONDE_OK;
}

/* Those of the placements, of which the sample may be one; their number. */
static int structures_of(const struct placing *placing, const sonde_atoms *sample,
			 sonde_atoms *structures[ENSEMBLE_MOST_STRUCTURES])
{
	const int count = placing->names.count > 0 ? placing->names.count : 1;

	for (int s = 0; s < count; ++s)
		structures[s] =
		    placing->structures[s] != NULL ? placing->structures[s] : (sonde_atoms *)(uintptr_t)sample;
	return count;
}

sonde_status placing_note_overlap(sonde_context *context, const struct placing *placing, const sonde_atoms *sample)
{
	sonde_atoms *structures[ENSEMBLE_MOST_STRUCTURES];
	const int count = structures_of(placing, sample, structures);

	return sample->placements != NULL ? SONDE_OK
					  : ensemble_note_overlap(context, count, structures, &placing->ensemble);
}

sonde_status placing_apply(const struct placing *placing, const sonde_atoms *sample, sonde_atoms **placed)
{
	sonde_atoms *structures[ENSEMBLE_MOST_STRUCTURES];
	const int count = structures_of(placing, sample, structures);

	*placed = NULL;
	if (sample->placements != NULL)
		return status_fail_option(SONDE_INVALID, "placements", "the sample has placements of its own");
	for (int s = 0; s < count; ++s)
		if (structures[s]->count == 0)
			return status_fail(SONDE_INVALID, "%s has no atoms",
					   sample->source.bytes != NULL ? sample->source.bytes : "the sample");
	CHECK(ensemble_compact(count, structures, &placing->ensemble, placed));
	memcpy((*placed)->sha256, sample->sha256, sizeof sample->sha256);
	text_append(&(*placed)->source, "%s", sample->source.bytes != NULL ? sample->source.bytes : "sample");
	sonde_status status = text_status(&(*placed)->source);
	(*placed)->has_lattice = sample->has_lattice; /* to which Miller indices refer */
	memcpy((*placed)->lattice, sample->lattice, sizeof sample->lattice);
	if (status != SONDE_OK)
		sonde_atoms_free(placed);
	return status;
}

void placing_free(struct placing *placing)
{
	ensemble_free(&placing->ensemble);
	ensemble_names_free(&placing->names);
	for (int s = 0; s < ENSEMBLE_MOST_STRUCTURES; ++s)
		sonde_atoms_free(&placing->structures[s]);
}
