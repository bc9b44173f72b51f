#include "matter/trajectory.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "io/dcd.h"
#include "io/lammps_dump.h"
#include "io/xyz.h"
#include "matter/atoms.h"
#include "matter/structure_files.h"
#include "run/context.h"

#define MOST_READERS 4 /* maximum number of threads, as for files of one frame */

struct trajectory {
	sonde_context *context;
	char *path;
	struct line_reader *lines; /* of a text file */
	struct dcd *dcd;           /* or a binary one */
	bool is_dump;
	sonde_atoms *atoms;     /* of the last frame */
	int64_t frame, atom;    /* the number of the frame, from 1, and of its atoms so far */
	bool known, structured; /* the labels are known; by a structure */
};

/* Text files ---------------------------------------------------------------------------------------------- */

static sonde_status compare_label(const struct trajectory *trajectory, const char *label)
{
	const sonde_atoms *atoms = trajectory->atoms;
	const char *first = trajectory->structured ? "the structure" : "frame 1";

	if (trajectory->atom >= atoms->count)
		return status_fail(SONDE_INVALID, "frame %lld has more atoms than %s, %lld",
				   (long long)trajectory->frame, first, (long long)atoms->count);
	const char *known = atoms->species[atoms->species_of[trajectory->atom]].label;
	if (label[0] != '\0' && strcmp(label, known) != 0)
		return status_fail(
		    SONDE_INVALID,
		    "atom %lld of frame %lld is %s, but %s in %s; all frames of a trajectory have the same "
		    "atoms in the same order",
		    (long long)trajectory->atom + 1, (long long)trajectory->frame, label, known, first);
	return SONDE_OK;
}

static sonde_status add_atom(void *user, const char *label, const double position[3])
{
	struct trajectory *trajectory = user;

	if (!trajectory->known) {
		++trajectory->atom;
		return sonde_atoms_add(trajectory->atoms, label, position);
	}
	CHECK(compare_label(trajectory, label));
	memcpy(trajectory->atoms->positions + 3 * trajectory->atom, position, 3 * sizeof *position);
	++trajectory->atom;
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

static sonde_status read_text(struct trajectory *trajectory, bool *ended)
{
	int threads = context_threads(trajectory->context);
	const struct atom_sink sink = {.user = trajectory,
				       .atom = add_atom,
				       .lattice = set_lattice,
				       .cancelled = is_cancelled,
				       .threads = threads < MOST_READERS ? threads : MOST_READERS,
				       .element = structure_element,
				       .unlabeled = trajectory->structured};

	CHECK((trajectory->is_dump ? lammps_dump_next : xyz_next)(trajectory->lines, &sink, ended));
	if (*ended || trajectory->atom == trajectory->atoms->count)
		return SONDE_OK;
	return status_fail_file(SONDE_INVALID, trajectory->path, "frame %lld has %lld atoms, %s has %lld",
				(long long)trajectory->frame, (long long)trajectory->atom,
				trajectory->structured ? "the structure" : "frame 1",
				(long long)trajectory->atoms->count);
}

/* Binary files -------------------------------------------------------------------------------------------- */

static sonde_status read_binary(struct trajectory *trajectory, bool *ended)
{
	const double *positions, *lattice;
	sonde_atoms *atoms = trajectory->atoms;

	if (context_cancelled(trajectory->context))
		return status_fail(SONDE_CANCELLED, "stopped while reading %s", trajectory->path);
	CHECK(dcd_next(trajectory->dcd, &positions, &lattice));
	*ended = positions == NULL;
	if (*ended)
		return SONDE_OK;
	memcpy(atoms->positions, positions, 3 * (size_t)atoms->count * sizeof *positions);
	/* a cell, of which the file does not specify whether the sample is periodic */
	return lattice != NULL ? atoms_set_lattice(atoms, lattice, NULL) : SONDE_OK;
}

static sonde_status open_binary(struct trajectory *trajectory)
{
	if (!trajectory->structured)
		return status_fail_file(SONDE_INVALID, trajectory->path,
					"a DCD file has no labels of atoms: it needs a structure");
	CHECK(dcd_open(trajectory->path, &trajectory->dcd));
	if (dcd_atoms(trajectory->dcd) != trajectory->atoms->count)
		return status_fail_file(SONDE_INVALID, trajectory->path, "has %lld atoms, the structure has %lld",
					(long long)dcd_atoms(trajectory->dcd), (long long)trajectory->atoms->count);
	return SONDE_OK;
}

/* The interface ------------------------------------------------------------------------------------------- */

static sonde_status copy_structure(const sonde_atoms *structure, sonde_atoms *atoms)
{
	uint16_t species;

	CHECK(atoms_reserve(atoms, structure->count));
	for (int64_t k = 0; k < structure->count; ++k) {
		CHECK(atoms_species_index(atoms, structure->species[structure->species_of[k]].label, &species));
		atoms_append(atoms, species, structure->positions + 3 * k);
	}
	return SONDE_OK;
}

sonde_status trajectory_open(sonde_context *context, const char *path, const sonde_atoms *structure,
			     struct trajectory **result)
{
	struct trajectory *trajectory;
	sonde_status status;

	*result = NULL;
	CHECK(memory_allocate(&trajectory, 1, sizeof *trajectory, "a trajectory"));
	trajectory->context = context;
	trajectory->is_dump = structure_is_dump(path);
	trajectory->known = trajectory->structured = structure != NULL;
	CHECK_GOTO(status, memory_copy_text(path, &trajectory->path, "a path"), failed);
	CHECK_GOTO(status, sonde_atoms_create(&trajectory->atoms), failed);
	if (structure != NULL)
		CHECK_GOTO(status, copy_structure(structure, trajectory->atoms), failed);
	if (structure_is_dcd(path))
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
	trajectory->atom = 0;
	CHECK(atoms_set_lattice(trajectory->atoms, NULL, (const bool[3]){false, false, false}));
	CHECK(trajectory->dcd != NULL ? read_binary(trajectory, &ended) : read_text(trajectory, &ended));
	if (ended) {
		--trajectory->frame;
		return SONDE_OK;
	}
	trajectory->known = true;
	*frame = trajectory->atoms;
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
	dcd_close(&(*trajectory)->dcd);
	sonde_atoms_free(&(*trajectory)->atoms);
	free((*trajectory)->path);
	free(*trajectory);
	*trajectory = NULL;
}
