#include "matter/files/trajectory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "io/atoms/lammps_dump.h"
#include "io/trajectory/trajectory_format.h"
#include "io/atoms/xyz.h"
#include "matter/atoms/atoms.h"
#include "matter/atoms/atoms_copies.h"
#include "matter/files/structure_files.h"
#include "run/context.h"

#define MOST_READERS 8 /* maximum number of threads: more would wait for the one that splits the file into lines */

struct trajectory {
	sonde_context *context;
	char *path;
	struct line_reader *lines;              /* of a text file */
	const struct trajectory_format *format; /* of a binary one, or null */
	void *file;
	bool is_dump, doubted;                           /* doubts about a frame were reported */
	sonde_atoms *atoms;                              /* of the last frame */
	int64_t frame;                                   /* the number of the one that is read, from 0 */
	bool known, structured;                          /* the labels are known; by a structure */
	bool has_sides;                                  /* the structure specifies whether the sample is periodic, */
	bool periodic[3];                                /* along these edges */
	struct copy_group groups[ATOMS_MOST_STRUCTURES]; /* of the first frame */
	int group_count;                                 /* -1: texts about copies that were not understood */
};

/* Text files ---------------------------------------------------------------------------------------------- */

static const char *origin(const struct trajectory *trajectory)
{
	return trajectory->structured ? "the structure" : "the first frame";
}

/* The number of atoms of a frame, before them. */
static sonde_status begin_atoms(void *user, int64_t count)
{
	const struct trajectory *trajectory = user;

	if (!trajectory->known || count == trajectory->atoms->count)
		return SONDE_OK;
	return status_fail(SONDE_INVALID, "frame %lld has %lld atoms, %s has %lld", (long long)trajectory->frame,
			   (long long)count, origin(trajectory), (long long)trajectory->atoms->count);
}

/* The atoms of the first frame, if there is no structure. */
static sonde_status add_atom(void *user, const char *label, const double position[3])
{
	return sonde_atoms_add(((struct trajectory *)user)->atoms, label, position);
}

static sonde_status add_displacement(void *user, const double *u, int size)
{
	return atoms_displacement_last(((struct trajectory *)user)->atoms, u, size);
}

static sonde_status add_group(void *user, enum atom_grouping grouping, const char *name)
{
	return atoms_group_last(((struct trajectory *)user)->atoms, grouping, name);
}

static sonde_status add_copies(void *user, const char *text, size_t length)
{
	struct trajectory *trajectory = user;

	if (trajectory->group_count >= 0 &&
	    !atoms_copies_parse(text, length, trajectory->groups, &trajectory->group_count))
		trajectory->group_count = -1; /* a text of another program */
	return SONDE_OK;
}

static sonde_status add_occupancy(void *user, double occupancy)
{
	return atoms_occupancy_last(((struct trajectory *)user)->atoms, occupancy);
}

/* Atoms that are known already; called by several threads at once. */
static sonde_status place_atom(void *user, int64_t atom, const char *label, size_t length, const double position[3])
{
	const struct trajectory *trajectory = user;
	const sonde_atoms *atoms = trajectory->atoms;
	const char *known = atoms->species[atoms->species_of[atom]].label;

	if (length > 0 && (strncmp(known, label, length) != 0 || known[length] != '\0'))
		return status_fail(
		    SONDE_INVALID,
		    "atom %lld of frame %lld is %.*s, but %s in %s; all frames of a trajectory have the same "
		    "atoms in the same order",
		    (long long)atom + 1, (long long)trajectory->frame, length < 32 ? (int)length : 32, label, known,
		    origin(trajectory));
	memcpy(atoms->positions + 3 * atom, position, 3 * sizeof *position);
	return SONDE_OK;
}

static sonde_status set_lattice(void *user, const double lattice[9], const bool periodic[3])
{
	struct trajectory *trajectory = user;

	return atoms_set_lattice(trajectory->atoms, lattice, periodic);
}

static bool is_cancelled(void *user)
{
	return context_cancelled(((struct trajectory *)user)->context);
}

static struct atom_sink sink_of(struct trajectory *trajectory)
{
	const int threads = context_threads(trajectory->context);

	return (struct atom_sink){.user = trajectory,
				  .atom = add_atom,
				  .lattice = set_lattice,
				  .cancelled = is_cancelled,
				  .threads = threads < MOST_READERS ? threads : MOST_READERS,
				  .element = structure_element,
				  .occupancy = trajectory->known ? NULL : add_occupancy,
				  .displacement = trajectory->known ? NULL : add_displacement,
				  .group = trajectory->known ? NULL : add_group,
				  .copies = trajectory->known ? NULL : add_copies,
				  .count = begin_atoms,
				  .place = trajectory->known ? place_atom : NULL,
				  .unlabeled = trajectory->structured};
}

static sonde_status read_text(struct trajectory *trajectory, bool *ended)
{
	const struct atom_sink sink = sink_of(trajectory);
	sonde_atoms *atoms = trajectory->atoms;

	atoms->reading = !trajectory->known;
	CHECK((trajectory->is_dump ? lammps_dump_next : xyz_next)(trajectory->lines, &sink, ended));
	atoms->reading = false;
	if (*ended || trajectory->known)
		return SONDE_OK;
	if (trajectory->group_count > 0) /* numbers that are not those of the atoms are not used */
		(void)atoms_set_copies(atoms, trajectory->groups, trajectory->group_count);
	atoms_occupancies_done(atoms);
	return atoms_displacements_done(atoms);
}

/* Binary files -------------------------------------------------------------------------------------------- */

/* Doubts about the first frame that has any: those after it may have the same. */
static void note_doubt(struct trajectory *trajectory)
{
	const char *doubt = trajectory->format->doubt != NULL ? trajectory->format->doubt(trajectory->file) : NULL;

	if (doubt == NULL || trajectory->doubted || trajectory->context == NULL)
		return;
	context_notef(trajectory->context, "%.300s: frame %lld: %s; is the file damaged?", trajectory->path,
		      (long long)trajectory->frame, doubt);
	trajectory->doubted = true;
}

static sonde_status read_binary(struct trajectory *trajectory, bool *ended)
{
	const double *positions, *lattice;
	sonde_atoms *atoms = trajectory->atoms;

	if (context_cancelled(trajectory->context))
		return status_fail(SONDE_CANCELLED, "stopped while reading %s", trajectory->path);
	CHECK(trajectory->format->next(trajectory->file, &positions, &lattice));
	*ended = positions == NULL;
	if (*ended)
		return SONDE_OK;
	note_doubt(trajectory);
	memcpy(atoms->positions, positions, 3 * (size_t)atoms->count * sizeof *positions);
	/* a cell, of which the file does not specify whether the sample is periodic: the structure may */
	return lattice != NULL
		   ? atoms_set_lattice(atoms, lattice, trajectory->has_sides ? trajectory->periodic : NULL)
		   : SONDE_OK;
}

static sonde_status open_binary(struct trajectory *trajectory)
{
	const struct trajectory_format *format = trajectory->format;

	if (!trajectory->structured)
		return status_fail_file(
		    SONDE_INVALID, trajectory->path,
		    "is a file of the format %s, which has no labels of atoms: it needs a structure, `topology`",
		    format->name);
	CHECK(format->open(trajectory->path, &trajectory->file));
	const int64_t atoms = format->atoms(trajectory->file);
	return atoms == trajectory->atoms->count
		   ? SONDE_OK
		   : status_fail_file(SONDE_INVALID, trajectory->path, "has %lld atoms, the structure has %lld",
				      (long long)atoms, (long long)trajectory->atoms->count);
}

/* The interface ------------------------------------------------------------------------------------------- */

static sonde_status copy_structure(const sonde_atoms *structure, struct trajectory *trajectory)
{
	sonde_atoms *atoms = trajectory->atoms;
	uint16_t species;

	trajectory->has_sides = structure->has_lattice && !structure->maybe_periodic;
	memcpy(trajectory->periodic, structure->periodic, sizeof trajectory->periodic);
	CHECK(atoms_reserve(atoms, structure->count));
	for (int64_t k = 0; k < structure->count; ++k) {
		CHECK(atoms_species_index(atoms, structure->species[structure->species_of[k]].label, &species));
		atoms_append(atoms, species, structure->positions + 3 * k);
	}
	return atoms_copy_properties(structure, atoms);
}

/* Formats that have no frames, or whose frames are read one by one only. */
static sonde_status check_format(const char *path)
{
	static const char *const others[] = {".pdb", ".ent", ".pqr", ".cif", ".h5", ".hdf5", ".nxs"};
	bool other =
	    structure_reader_of(path) != NULL && !structure_is_dump(path) && structure_binary_format(path) == NULL;
	char compressed[16];

	for (size_t k = 0; k < sizeof others / sizeof *others; ++k) {
		snprintf(compressed, sizeof compressed, "%s.gz", others[k]);
		other = other || file_has_suffix(path, others[k]) || file_has_suffix(path, compressed);
	}
	return other
		   ? status_fail_file(SONDE_INVALID, path,
				      "is not a trajectory: frames are read from extended XYZ, dumps of LAMMPS, and "
				      "files of the formats DCD, XTC, and TRR")
		   : SONDE_OK;
}

sonde_status trajectory_open(sonde_context *context, const char *path, const sonde_atoms *structure,
			     struct trajectory **result)
{
	struct trajectory *trajectory;
	sonde_status status;

	*result = NULL;
	CHECK(check_format(path));
	CHECK(memory_allocate(&trajectory, 1, sizeof *trajectory, "a trajectory"));
	trajectory->context = context;
	trajectory->is_dump = structure_is_dump(path);
	trajectory->known = trajectory->structured = structure != NULL;
	trajectory->frame = -1;
	CHECK_GOTO(status, memory_copy_text(path, &trajectory->path, "a path"), failed);
	CHECK_GOTO(status, sonde_atoms_create(&trajectory->atoms), failed);
	if (structure != NULL)
		CHECK_GOTO(status, copy_structure(structure, trajectory), failed);
	trajectory->format = structure_binary_format(path);
	if (trajectory->format != NULL)
		CHECK_GOTO(status, open_binary(trajectory), failed);
	else
		CHECK_GOTO(status, line_reader_open(&trajectory->lines, path), failed);
	*result = trajectory;
	return SONDE_OK;
failed:
	trajectory_close(&trajectory);
	return status;
}

sonde_status trajectory_next(struct trajectory *trajectory, const sonde_atoms **frame)
{
	bool ended = false;

	*frame = NULL;
	++trajectory->frame;
	CHECK(atoms_set_lattice(trajectory->atoms, NULL, (const bool[3]){false, false, false}));
	CHECK(trajectory->format != NULL ? read_binary(trajectory, &ended) : read_text(trajectory, &ended));
	if (ended) {
		--trajectory->frame;
		return SONDE_OK;
	}
	trajectory->known = true;
	*frame = trajectory->atoms;
	return SONDE_OK;
}

sonde_status trajectory_skip(struct trajectory *trajectory, int64_t most, int64_t *skipped)
{
	const struct atom_sink sink = sink_of(trajectory);
	bool ended = false;

	for (*skipped = 0; *skipped < most; ++*skipped) {
		if (context_cancelled(trajectory->context))
			return status_fail(SONDE_CANCELLED, "stopped while reading %s", trajectory->path);
		if (trajectory->format != NULL)
			CHECK(trajectory->format->skip(trajectory->file, &ended));
		else
			CHECK((trajectory->is_dump ? lammps_dump_skip : xyz_skip)(trajectory->lines, &sink, &ended));
		if (ended)
			return SONDE_OK;
		++trajectory->frame;
	}
	return SONDE_OK;
}

int64_t trajectory_frame(const struct trajectory *trajectory)
{
	return trajectory->frame;
}

void trajectory_close(struct trajectory **trajectory)
{
	if (*trajectory == NULL)
		return;
	line_reader_close(&(*trajectory)->lines);
	if ((*trajectory)->format != NULL)
		(*trajectory)->format->close(&(*trajectory)->file);
	sonde_atoms_free(&(*trajectory)->atoms);
	free((*trajectory)->path);
	free(*trajectory);
	*trajectory = NULL;
}
