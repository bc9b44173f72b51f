#include "matter/sample/sample_atoms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_names.h"
#include "base/memory.h"
#include "matter/atoms/atoms.h"
#include "matter/files/compact_file.h"
#include "matter/build/changes.h"
#include "matter/build/build_options.h"
#include "matter/sample/fill.h"
#include "matter/sample/sample.h"
#include "run/context.h"

#define WHAT "a sample from a description"

/* Atoms at an interface that no bond explains. */
static void note_contacts(sonde_context *context, const struct contacts *contacts)
{
	if (contacts->pairs > 0)
		context_notef(
		    context,
		    "%lld pairs of atoms of different bodies are closer than %g of the sum of their covalent "
		    "radii, down to %.3g Angstrom; the sample's key 'clearance: %.1f' leaves out those of the "
		    "earlier bodies",
		    (long long)contacts->pairs, CONTACTS_CLOSE, contacts->shortest, contacts_clearance(contacts));
}

/* The bodies' atoms, with their source. */
static sonde_status fill(sonde_context *context, const sonde_sample *sample, sonde_atoms *atoms)
{
	struct contacts contacts;

	CHECK(sample_fill(context, sample, atoms, &contacts));
	note_contacts(context, &contacts);
	text_append(&atoms->source, "%s", file_names_get(sample->path));
	memcpy(atoms->sha256, sample->sha256, sizeof sample->sha256);
	return text_status(&atoms->source);
}

/* Options of a program that was compiled with an earlier version are completed. */
static sonde_status change(sonde_context *context, const sonde_build_options *given, sonde_atoms **atoms)
{
	sonde_build_options *options;

	CHECK(memory_allocate(&options, 1, sizeof *options, "the options of build"));
	sonde_status status = options_complete(&build_option_table, given, options);
	if (status == SONDE_OK)
		status = changes_make(context, options, WHAT, atoms);
	free(options);
	return status;
}

sonde_status sonde_sample_build_changed(sonde_context *context, const sonde_sample *sample,
					const sonde_build_options *changes, sonde_atoms **atoms)
{
	*atoms = NULL;
	if (context == NULL || sample == NULL)
		return status_fail(SONDE_INVALID, "a context and a sample are needed, one of them is null");
	CHECK(sonde_atoms_create(atoms));
	sonde_status status = fill(context, sample, *atoms);
	if (status == SONDE_OK && changes != NULL)
		status = change(context, changes, atoms);
	if (status != SONDE_OK)
		sonde_atoms_free(atoms);
	return status;
}

sonde_status sonde_sample_build(sonde_context *context, const sonde_sample *sample, sonde_atoms **atoms)
{
	return sonde_sample_build_changed(context, sample, NULL, atoms);
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

sonde_status sample_check_changes(const char *path, const sonde_build_options *changes)
{
	bool described;

	CHECK(sample_is_one(path, &described));
	if (!described)
		return status_fail(
		    SONDE_INVALID,
		    "%s is a file of atoms, which options of build do not change; they change only the "
		    "sample of a description (.yaml)",
		    path);
	return changes_check(changes, WHAT);
}

sonde_status sample_read_atoms(sonde_context *context, const char *path, int64_t frame,
			       const sonde_build_options *changes, sonde_atoms **atoms)
{
	sonde_sample *sample;

	bool described;

	*atoms = NULL;
	if (changes != NULL)
		CHECK(sample_check_changes(path, changes));
	CHECK(sample_is_one(path, &described));
	if (!described)
		return atoms_read_compact(context, path, frame, atoms);
	if (frame > 1)
		return status_fail_option(SONDE_INVALID, "frame", "%s is a description of a sample and has no frames",
					  path);
	CHECK(sonde_sample_read(path, &sample));
	const sonde_status status = sonde_sample_build_changed(context, sample, changes, atoms);
	sample_give_notes(context, sample);
	sonde_sample_free(&sample);
	return status;
}
