#include "matter/files/structure_files.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/file_names.h"
#include "io/atoms/lammps_data.h"
#include "io/atoms/lammps_dump.h"
#include "io/atoms/poscar.h"
#include "io/trajectory/dcd.h"
#include "io/trajectory/trr.h"
#include "io/trajectory/xtc.h"
#include "matter/elements/element.h"
#include "matter/elements/label.h"

#define NEAR_MASS 0.2         /* u */
#define DEUTERIUM_MASS 2.0141 /* u */

/* A binary trajectory has no labels: sonde_atoms_read() cannot read it. */
static sonde_status refuse_bare(const char *path, int64_t frame, const struct atom_sink *sink)
{
	(void)frame;
	(void)sink;
	return status_fail_file(
	    SONDE_INVALID, path,
	    "is a trajectory without labels of atoms, of which sonde debye computes means; convert a frame "
	    "to extended XYZ or PDB");
}

static const struct {
	const char *suffix;
	structure_reader *read;
	const struct trajectory_format *binary; /* null: text */
} formats[] = {{".vasp", poscar_read, NULL},           {".poscar", poscar_read, NULL},
	       {".lmp", lammps_data_read, NULL},       {".data", lammps_data_read, NULL},
	       {".lammps", lammps_data_read, NULL},    {".dump", lammps_dump_read, NULL},
	       {".lammpstrj", lammps_dump_read, NULL}, {".dcd", refuse_bare, &dcd_format},
	       {".xtc", refuse_bare, &xtc_format},     {".trr", refuse_bare, &trr_format}};

static bool has_ending(const char *path, const char *suffix)
{
	char compressed[32];

	snprintf(compressed, sizeof compressed, "%s.gz", suffix);
	return file_has_suffix(path, suffix) || file_has_suffix(path, compressed);
}

/* Names without an ending of another format: POSCAR, CONTCAR_relaxed, POSCAR.gz. */
static bool is_poscar(const char *path)
{
	static const char *const others[] = {".xyz", ".extxyz", ".pdb", ".ent", ".pqr", ".cif"};
	const char *name = file_names_get(path), *slash = strrchr(name, '/');

	name = slash != NULL ? slash + 1 : name;
	for (size_t k = 0; k < sizeof others / sizeof *others; ++k)
		if (has_ending(path, others[k]))
			return false;
	return strncmp(name, "POSCAR", 6) == 0 || strncmp(name, "CONTCAR", 7) == 0;
}

/* The row of the ending of a name; one past the last if there is none. */
static size_t find_format(const char *path)
{
	size_t k = 0;

	while (k < sizeof formats / sizeof *formats && !has_ending(path, formats[k].suffix))
		++k;
	return k;
}

structure_reader *structure_reader_of(const char *path)
{
	const size_t k = find_format(path);

	if (k < sizeof formats / sizeof *formats)
		return formats[k].read;
	return is_poscar(path) ? poscar_read : NULL;
}

bool structure_is_dump(const char *path)
{
	return structure_reader_of(path) == lammps_dump_read;
}

const struct trajectory_format *structure_binary_format(const char *path)
{
	const size_t k = find_format(path);

	return k < sizeof formats / sizeof *formats ? formats[k].binary : NULL;
}

/* The element nearest in mass, from 1; 0 if none is near. */
static int nearest_element(double mass)
{
	double least = NEAR_MASS;
	int nearest = 0;

	for (int z = 1; z <= TABULATED_ELEMENTS; ++z) {
		double distance = fabs(element_of(z).mass - mass);
		if (distance <= least) {
			least = distance;
			nearest = z;
		}
	}
	return nearest;
}

const char *structure_element(void *user, const char *name, double mass)
{
	struct label label;

	(void)user;
	if (name[0] != '\0' && label_parse(name, &label) == SONDE_OK)
		return name;
	if (!(mass > 0.0))
		return NULL;
	int z = nearest_element(mass);
	if (z == 0 && fabs(mass - DEUTERIUM_MASS) <= NEAR_MASS)
		return "D";
	return z > 0 ? element_symbol(z) : NULL;
}
