/* Reading files of atoms. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/file_names.h"
#include "run/context.h"
#include "io/atoms/pdb.h"
#include "io/atoms/pqr.h"
#include "io/atoms/xyz.h"
#include "matter/atoms/atoms_copies.h"
#include "matter/atoms/placed_atoms.h"
#include "matter/files/atoms_hdf5.h"
#include "matter/files/compact_file.h"
#include "matter/files/structure_files.h"
#include "matter/crystal/unit_cell.h"

#define MOST_READERS 4    /* maximum number of threads; more would wait for the one that reads the file */
#define BYTES_PER_ATOM 39 /* 26, and half as much while the arrays grow */

#define SAME_PLACE 1e-3 /* Angstrom; files have three decimals */

struct reading {
	sonde_context *context;
	sonde_atoms *atoms;
	int64_t frame, atom;           /* from 0, among those read */
	int charges, charges_of_first; /* of the last atom, and of those of the first frame */
	struct copy_group groups[ATOMS_MOST_STRUCTURES];
	int group_count; /* -1: texts about copies that were not understood */
};

/* Checks that an atom of a later frame is that of the first one. */
static sonde_status compare_atom(const struct reading *reading, const char *label, const double position[3])
{
	const sonde_atoms *atoms = reading->atoms;
	int64_t atom = reading->atom;
	bool same = atom < atoms->count && strcmp(label, atoms->species[atoms->species_of[atom]].label) == 0;

	for (int k = 0; same && k < 3; ++k)
		same = fabs(position[k] - atoms->positions[3 * atom + k]) <= SAME_PLACE;
	return same ? SONDE_OK
		    : status_fail(SONDE_INVALID,
				  "atom %lld of frame %lld differs in species or position from frame 1; sets of "
				  "charges need the same atoms at the same positions",
				  (long long)atom + 1, (long long)reading->frame + 1);
}

static sonde_status add_atom(void *user, const char *label, const double position[3])
{
	struct reading *reading = user;
	const sonde_atoms *atoms = reading->atoms;

	if (reading->frame > 0) {
		CHECK(compare_atom(reading, label, position));
		++reading->atom;
		return SONDE_OK;
	}
	++reading->atom;
	if (atoms->count % 1048576 == 1048575 && reading->context != NULL &&
	    (double)atoms->count * BYTES_PER_ATOM > (double)context_memory(reading->context))
		return status_fail(SONDE_INVALID,
				   "not enough memory for more than %lld atoms; allow more by `host_memory`, or use "
				   "fewer atoms",
				   (long long)atoms->count);
	return sonde_atoms_add(reading->atoms, label, position);
}

static sonde_status add_lattice(void *user, const double lattice[9], const bool periodic[3])
{
	return atoms_set_lattice(((struct reading *)user)->atoms, lattice, periodic);
}

static sonde_status add_charges(void *user, const double *charges, int count)
{
	struct reading *reading = user;

	reading->charges = count;
	return atoms_charge(reading->atoms, reading->atom - 1, charges, count);
}

/* After the last atom of a frame. */
static sonde_status end_frame(void *user)
{
	struct reading *reading = user;

	if (reading->atom != reading->atoms->count)
		return status_fail(SONDE_INVALID, "frame %lld has %lld atoms, frame 1 has %lld",
				   (long long)reading->frame + 1, (long long)reading->atom,
				   (long long)reading->atoms->count);
	if (reading->frame == 0) {
		reading->charges_of_first = reading->charges;
		reading->atoms->reading = false;
		atoms_occupancies_done(reading->atoms);
		CHECK(atoms_displacements_done(reading->atoms));
	}
	if (reading->charges != reading->charges_of_first)
		return status_fail(SONDE_INVALID, "frame %lld has %d charges per atom, frame 1 has %d",
				   (long long)reading->frame + 1, reading->charges, reading->charges_of_first);
	CHECK(atoms_charges_done(reading->atoms, reading->charges));
	++reading->frame;
	reading->atom = 0;
	reading->charges = 0;
	return SONDE_OK;
}

static sonde_status add_occupancy(void *user, double occupancy)
{
	struct reading *reading = user;

	return reading->frame > 0 ? SONDE_OK : atoms_occupancy_last(reading->atoms, occupancy);
}

static sonde_status add_location(void *user, uint32_t group, char letter)
{
	struct reading *reading = user;

	return reading->frame > 0 ? SONDE_OK : atoms_location_last(reading->atoms, group, letter);
}

static sonde_status add_displacement(void *user, const double *u, int size)
{
	struct reading *reading = user;

	return reading->frame > 0 ? SONDE_OK : atoms_displacement_last(reading->atoms, u, size);
}

static sonde_status add_group(void *user, enum atom_grouping grouping, const char *name)
{
	struct reading *reading = user;

	return reading->frame > 0 ? SONDE_OK : atoms_group_last(reading->atoms, grouping, name);
}

static void add_remark(void *user, const char *line)
{
	struct reading *reading = user;

	if (reading->context != NULL && reading->frame == 0)
		context_note(reading->context, line);
}

static sonde_status add_copies(void *user, const char *text, size_t length)
{
	struct reading *reading = user;

	if (reading->frame == 0 && reading->group_count >= 0 &&
	    !atoms_copies_parse(text, length, reading->groups, &reading->group_count))
		reading->group_count = -1; /* a text of another program */
	return SONDE_OK;
}

/* The file may have been edited since it was written. */
static void end_copies(struct reading *reading)
{
	char line[200];

	if (reading->group_count <= 0 ||
	    atoms_set_copies(reading->atoms, reading->groups, reading->group_count) == SONDE_OK)
		return;
	snprintf(line, sizeof line,
		 "the numbers of copies in the file are not those of its %lld atoms: they are ignored",
		 (long long)reading->atoms->count);
	add_remark(reading, line);
}

static sonde_status add_site(void *user, const char *residue, const char *name, double radius)
{
	struct reading *reading = user;

	if (reading->frame > 0)
		return SONDE_OK;
	return atoms_site_last(reading->atoms, residue, name, radius);
}

static bool is_cancelled(void *user)
{
	struct reading *reading = user;

	return context_cancelled(reading->context);
}

/* The hash of the file, computed while it is read. */
struct hashing {
	const char *path;
	sonde_context *context;
	atomic_bool abandoned;
	char sha256[65];
	sonde_status status;
	char message[512];
};

static bool hash_is_cancelled(void *user)
{
	struct hashing *hashing = user;

	return atomic_load(&hashing->abandoned) || context_cancelled(hashing->context);
}

static void *hash(void *user)
{
	struct hashing *hashing = user;

	hashing->status = file_sha256(hashing->path, hash_is_cancelled, hashing, hashing->sha256);
	if (hashing->status != SONDE_OK)
		snprintf(hashing->message, sizeof hashing->message, "%s", status_message());
	return NULL;
}

static sonde_status read_hdf5(const char *path, int64_t frame, const struct atom_sink *sink)
{
	struct reading *reading = sink->user;

	if (frame > 1)
		return status_fail_file(SONDE_INVALID, path, "has 1 frame; frame %lld does not exist",
					(long long)frame);
	CHECK(atoms_hdf5_read(reading->context, path, reading->atoms));
	reading->atom = reading->atoms->count;
	return SONDE_OK;
}

typedef sonde_status atoms_reader(const char *path, int64_t frame, const struct atom_sink *sink);

static sonde_status add_cell_site(const struct unit_cell *cell, const struct unit_cell_site *site,
				  const struct atom_sink *sink)
{
	double position[3];

	unit_cell_cartesian(cell, site->position, position);
	CHECK(sink->atom(sink->user, site->label, position));
	CHECK(sink->displacement(sink->user, site->has_u ? site->u : &site->u_iso,
				 site->has_u ? 6 : (int)site->has_u_iso));
	return sink->occupancy(sink->user, site->occupancy);
}

/* The atoms of one unit cell. The file does not specify whether the sample is periodic. */
static sonde_status cif_read(const char *path, int64_t frame, const struct atom_sink *sink)
{
	struct unit_cell cell;
	sonde_status status;

	CHECK(unit_cell_read_cif_frame(path, frame, sink->remark, sink->user, &cell));
	CHECK_GOTO(status, sink->lattice(sink->user, cell.vectors[0], NULL), done);
	for (int64_t k = 0; k < cell.site_count && status == SONDE_OK; ++k)
		status = add_cell_site(&cell, &cell.sites[k], sink);
done:
	unit_cell_free(&cell);
	return status;
}

/* By the ending of the name; XYZ files may have any. */
static atoms_reader *find_reader(const char *path)
{
	if (file_has_suffix(path, ".pqr") || file_has_suffix(path, ".pqr.gz"))
		return pqr_read;
	if (file_has_suffix(path, ".pdb") || file_has_suffix(path, ".pdb.gz") || file_has_suffix(path, ".ent") ||
	    file_has_suffix(path, ".ent.gz"))
		return pdb_read;
	if (file_has_suffix(path, ".cif") || file_has_suffix(path, ".cif.gz"))
		return cif_read;
	if (atoms_hdf5_has_ending(path))
		return read_hdf5;
	return structure_reader_of(path) != NULL ? structure_reader_of(path) : xyz_read;
}

/* Reads and hashes at the same time, or one after the other without a spare thread. */
static sonde_status read_and_hash(const char *path, int64_t frame, const struct atom_sink *sink,
				  struct hashing *hashing)
{
	pthread_t thread;
	bool beside =
	    context_threads(hashing->context) > MOST_READERS && pthread_create(&thread, NULL, hash, hashing) == 0;
	sonde_status status = find_reader(path)(path, frame, sink);

	atomic_store(&hashing->abandoned, status != SONDE_OK);
	if (beside)
		pthread_join(thread, NULL);
	else if (status == SONDE_OK)
		(void)hash(hashing);
	CHECK(status);
	return hashing->status == SONDE_OK ? SONDE_OK : status_fail(hashing->status, "%s", hashing->message);
}

sonde_status sonde_atoms_read(sonde_context *context, const char *path, int64_t frame, sonde_atoms **atoms)
{
	CHECK(atoms_read_compact(context, path, frame, atoms));
	const sonde_status status = atoms_expand(context, atoms);
	if (status != SONDE_OK)
		sonde_atoms_free(atoms);
	return status;
}

sonde_status atoms_read_compact(sonde_context *context, const char *path, int64_t frame, sonde_atoms **atoms)
{
	struct reading reading = {.context = context};
	int threads = context_threads(context);
	struct atom_sink sink = {.user = &reading,
				 .atom = add_atom,
				 .lattice = add_lattice,
				 .cancelled = is_cancelled,
				 .threads = threads < MOST_READERS ? threads : MOST_READERS,
				 .charges = add_charges,
				 .frame = end_frame,
				 .site = add_site,
				 .occupancy = add_occupancy,
				 .location = add_location,
				 .copies = add_copies,
				 .displacement = add_displacement,
				 .group = add_group,
				 .remark = add_remark,
				 .element = structure_element};
	struct hashing hashing = {.path = path, .context = context};
	sonde_status status;

	*atoms = NULL;
	if (frame < ATOM_ALL_FRAMES)
		return status_fail(SONDE_INVALID, "frame %lld: frames are counted from 1", (long long)frame);
	CHECK(sonde_atoms_create(&reading.atoms));
	reading.atoms->reading = true;
	CHECK_GOTO(status, read_and_hash(path, frame, &sink, &hashing), failed);
	end_copies(&reading);
	CHECK_GOTO(status, end_frame(&reading), failed);
	memcpy(reading.atoms->sha256, hashing.sha256, sizeof reading.atoms->sha256);
	text_append(&reading.atoms->source, "%s", file_names_get(path));
	CHECK_GOTO(status, text_status(&reading.atoms->source), failed);
	for (char *c = reading.atoms->source.bytes; *c != '\0'; ++c)
		if ((unsigned char)*c < ' ')
			*c = '?'; /* it will be written on one line of other files */
	*atoms = reading.atoms;
	return SONDE_OK;
failed:
	sonde_atoms_free(&reading.atoms);
	return status;
}
