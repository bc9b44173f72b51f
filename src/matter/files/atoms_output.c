#include "matter/files/atoms_output.h"

#include <stdio.h>

#include "base/file.h"
#include "matter/files/atoms_hdf5.h"
#include "matter/files/atoms_writers.h"
#include "run/context.h"

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

sonde_status atoms_check_compact_ending(const char *path)
{
	return atoms_hdf5_has_ending(path)
		   ? SONDE_OK
		   : status_fail_file(SONDE_INVALID, path, "a compact ensemble is written to an HDF5 file, .h5");
}

sonde_status sonde_atoms_write(sonde_context *context, const sonde_atoms *atoms, const char *path, int overwrite)
{
	struct text_output file;
	const struct kind *kind = find_kind(path);

	CHECK(atoms_check_ending(path));
	CHECK(atoms_need_positions(atoms));
	if (atoms->placements != NULL)
		CHECK(atoms_check_compact_ending(path));
	if (kind == NULL)
		return atoms_hdf5_write(context, atoms, path, overwrite != 0);
	CHECK(text_output_open(&file, path, overwrite != 0));
	file.threads = context_threads(context);
	return text_output_close(
	    &file, kind->write(&(struct atoms_output){.context = context, .atoms = atoms, .file = &file}));
}
