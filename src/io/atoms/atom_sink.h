/* Receiver of the data that readers of atom files deliver. */
#ifndef SONDE_IO_ATOM_SINK_H
#define SONDE_IO_ATOM_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define ATOM_ALL_FRAMES (-1) /* in place of a frame number */
#define ATOM_MOST_CHARGES 16 /* maximum per line of a file */

/* Ways in which files group atoms: numbered blocks, chains and residues of biological files. */
enum atom_grouping { ATOM_BLOCK, ATOM_CHAIN, ATOM_RESIDUE, ATOM_GROUPINGS };
#define ATOM_GROUP_NAME 16 /* bytes of the name of a group, including the terminating zero */

struct atom_sink {
	void *user;
	/* Called once per atom, with the label and the position in Angstrom (finite). */
	sonde_status (*atom)(void *user, const char *label, const double position[3]);
	/* Called before the atoms, if the file has a cell; rows are a, b, c in Angstrom. `periodic`: the directions
	 * along which the atoms repeat; null if the file does not specify them. A file may do so without a cell: then
	 * `lattice` is null. May be null. */
	sonde_status (*lattice)(void *user, const double lattice[9], const bool periodic[3]);
	/* Called from time to time; true stops the reading with SONDE_CANCELLED. May be null. */
	bool (*cancelled)(void *user);
	int threads; /* for reading the numbers of large files; the functions here are called by the caller's thread */
	/* Called after an atom whose charge the file gives, in e; `count` charges, one per set. May be null. */
	sonde_status (*charges)(void *user, const double *charges, int count);
	/* Called before the second and every later frame when all are read. */
	sonde_status (*frame)(void *user);
	/* Called after an atom whose residue and name the file gives, possibly with a radius in Angstrom (else 0).
	 * May be null. */
	sonde_status (*site)(void *user, const char *residue, const char *name, double radius);
	/* Called after an atom whose occupancy, 0 to 1, the file gives; NaN revokes those of all atoms of this frame,
	 * which turned out to be something else. May be null. */
	sonde_status (*occupancy)(void *user, double occupancy);
	/* Called after an atom with alternative locations: atoms of the same `group` are present together if their
	 * letters are the same, and never otherwise. May be null. */
	sonde_status (*location)(void *user, uint32_t group, char letter);
	/* Called after an atom whose mean square displacements the file gives, in Angstrom^2: one number, U_iso (`size` 1), or
	 * the tensor xx, yy, zz, yz, xz, xy in the axes of the positions (6); 0: unknown. A second call replaces the first.
	 * May be null. */
	sonde_status (*displacement)(void *user, const double *u, int size);
	/* Called after an atom with the name of its group in a grouping that the file has. May be null. */
	sonde_status (*group)(void *user, enum atom_grouping grouping, const char *name);
	/* Called with a note of one line for the user. May be null. */
	void (*remark)(void *user, const char *line);
	/* The label of an atom from a name that may be one, "" if there is none, and its mass in u, 0 if unknown; null if
	 * neither gives an element. Valid until the next call. May be null: then names are labels. */
	const char *(*element)(void *user, const char *name, double mass);
	/* Called with the number of atoms of a frame before them. May be null. */
	sonde_status (*count)(void *user, int64_t atoms);
	/* In place of `atom`, for frames whose atoms are known: called by several threads at once, with the number of the atom
	 * in its frame, from 0, and a label of `length` bytes without a zero at its end. Charges and occupancies are not
	 * delivered. After a failure it is called again for the first such atom, by the caller's thread. May be null. */
	sonde_status (*place)(void *user, int64_t atom, const char *label, size_t length, const double position[3]);
	/* Called with a text of the file that describes copies of structures (matter/atoms/atoms_copies.h), or a part of it. May
	 * be null. */
	sonde_status (*copies)(void *user, const char *text, size_t length);
	bool unlabeled; /* atoms of files without elements are delivered with the label "" */
};

#endif
