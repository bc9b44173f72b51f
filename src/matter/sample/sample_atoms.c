#include "matter/sample/sample_atoms.h"

#include <stdio.h>
#include <string.h>

#include "base/file_names.h"
#include "matter/atoms.h"
#include "matter/sample/fill.h"
#include "matter/sample/sample.h"
#include "run/context.h"

sonde_status sonde_sample_build(sonde_context *context, const sonde_sample *sample, sonde_atoms **atoms)
{
	*atoms = NULL;
	if (context == NULL || sample == NULL)
		return status_fail(SONDE_INVALID, "a context and a sample are needed, one of them is null");
	CHECK(sonde_atoms_create(atoms));
	sonde_status status = sample_fill(context, sample, *atoms);
	if (status == SONDE_OK) {
		text_append(&(*atoms)->source, "%s", file_names_get(sample->path));
		memcpy((*atoms)->sha256, sample->sha256, sizeof sample->sha256);
		status = text_status(&(*atoms)->source);
	}
	if (status != SONDE_OK)
		sonde_atoms_free(atoms);
	return status;
}

void sample_give_notes(sonde_context *context, const sonde_sample *sample)
{
	char line[1024];

	for (const char *notes = sonde_sample_notes(sample); *notes != '\0';) {
		const size_t length = strcspn(notes, "\n");
		snprintf(line, sizeof line, "%.*s", (int)length, notes);
		context_note(context, line);
		notes += length + (notes[length] == '\n');
	}
}

sonde_status sample_read_atoms(sonde_context *context, const char *path, int64_t frame, sonde_atoms **atoms)
{
	sonde_sample *sample;

	bool described;

	*atoms = NULL;
	CHECK(sample_is_one(path, &described));
	if (!described)
		return sonde_atoms_read(context, path, frame, atoms);
	if (frame > 1)
		return status_fail_option(SONDE_INVALID, "frame", "%s is a description of a sample and has no frames",
					  path);
	CHECK(sonde_sample_read(path, &sample));
	const sonde_status status = sonde_sample_build(context, sample, atoms);
	sample_give_notes(context, sample);
	sonde_sample_free(&sample);
	return status;
}
