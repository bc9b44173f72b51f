#include "matter/files/atoms_writers.h"

#include <string.h>
#include <unistd.h>

#include "run/context.h"

#define ROWS_AT_ONCE ((int64_t)1 << 18) /* between two looks whether to stop */

static sonde_status stopped(const struct atoms_output *output)
{
	const char *path = output->file->output.path;

	return status_fail(SONDE_CANCELLED, "stopped while writing %s; %s", path,
			   access(path, F_OK) == 0 ? "the earlier file is unchanged" : "no file was left");
}

/* A part of the rows. */
struct part {
	atoms_format_rows *format;
	const void *user;
	int64_t first;
};

static void format_part(const void *user, int64_t first, int64_t end, struct text *text)
{
	const struct part *part = user;

	part->format(part->user, part->first + first, part->first + end, text);
}

sonde_status atoms_output_rows(const struct atoms_output *output, atoms_format_rows *format, const void *user)
{
	const int64_t count = output->atoms->count;
	struct part part = {.format = format, .user = user};

	for (part.first = 0; part.first < count; part.first += ROWS_AT_ONCE) {
		const int64_t left = count - part.first;
		if (context_cancelled(output->context))
			return stopped(output);
		CHECK(text_output_numbers(output->file, context_threads(output->context),
					  left < ROWS_AT_ONCE ? left : ROWS_AT_ONCE, format_part, &part));
	}
	return SONDE_OK;
}

void atoms_append_origin(const sonde_atoms *atoms, struct text *text)
{
	text_append(text, "Written by sonde %s", sonde_version());
	if (atoms->source.bytes != NULL && strpbrk(atoms->source.bytes, "\n\r") == NULL)
		text_append(text, ": %s", atoms->source.bytes);
}

sonde_status atoms_refuse_occupancies(const struct atoms_output *output, const char *format)
{
	if (sonde_atoms_occupancies(output->atoms) == NULL)
		return SONDE_OK;
	return status_fail_file(
	    SONDE_INVALID, output->file->output.path,
	    "%s files have no occupancies, and these atoms have some below 1; write .xyz, .cif, .pdb or .h5", format);
}
