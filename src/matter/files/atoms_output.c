#include "matter/files/atoms_output.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "matter/files/atoms_hdf5.h"
#include "run/context.h"

#define ROWS_AT_ONCE ((int64_t)1 << 18) /* between two looks whether to stop */

static const struct kind {
	const char *ending;
	sonde_status (*write)(const struct atoms_output *output);
} kinds[] = {{".xyz", atoms_write_xyz},     {".extxyz", atoms_write_xyz},  {".pdb", atoms_write_pdb},
	     {".cif", atoms_write_cif},     {".lmp", atoms_write_lammps},  {".data", atoms_write_lammps},
	     {".vasp", atoms_write_poscar}, {"POSCAR", atoms_write_poscar}};

/* Null for other files. */
static const struct kind *find_kind(const char *path)
{
	char compressed[16];

	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
		snprintf(compressed, sizeof compressed, "%s.gz", kinds[k].ending);
		if (file_has_suffix(path, kinds[k].ending) || file_has_suffix(path, compressed))
			return &kinds[k];
	}
	return NULL;
}

sonde_status atoms_check_ending(const char *path)
{
	if (find_kind(path) != NULL || atoms_hdf5_has_ending(path))
		return SONDE_OK;
	return status_fail_file(
	    SONDE_INVALID, path,
	    "unknown kind of file; end the name in .xyz, .xyz.gz or .extxyz, .pdb, .cif, .lmp or .data "
	    "(LAMMPS), .vasp (POSCAR), or .h5");
}

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

sonde_status sonde_atoms_write(sonde_context *context, const sonde_atoms *atoms, const char *path, int overwrite)
{
	struct text_output file;
	const struct kind *kind = find_kind(path);

	CHECK(atoms_check_ending(path));
	if (kind == NULL)
		return atoms_hdf5_write(context, atoms, path, overwrite != 0);
	CHECK(text_output_open(&file, path, overwrite != 0));
	file.threads = context_threads(context);
	return text_output_close(
	    &file, kind->write(&(struct atoms_output){.context = context, .atoms = atoms, .file = &file}));
}
