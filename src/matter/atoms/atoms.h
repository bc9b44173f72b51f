/* Atoms inside the library: 26 bytes each, and their origin. */
#ifndef SONDE_MATTER_ATOMS_H
#define SONDE_MATTER_ATOMS_H

#include <stdbool.h>

#include "base/text.h"
#include "io/atoms/atom_sink.h"
#include "sonde/atoms.h"

struct species {
	char label[SONDE_LABEL_SIZE];
	int64_t atoms;
};

/* Data on an atom in biological files, in addition to its element. */
struct site {
	char residue[6], name[6];
	float radius; /* Angstrom; 0: unknown */
};

/* Copies of one structure, consecutive, each with the same atoms in the same order. */
struct copy_group {
	int64_t copies, atoms; /* atoms of each copy */
};
#define ATOMS_MOST_STRUCTURES 64
#define ATOMS_LARGEST_PLACE 1e7 /* Angstrom, of coordinates */
/* An atom at r in a structure is at R r + position in the copy. */
struct placement {
	double position[3];    /* Angstrom */
	double rotation[3][3]; /* R, acting on columns */
};
/* The groups that atoms belong to. */
struct atom_groups {
	uint32_t *of; /* number of the group of each atom; null: the file does not have this grouping */
	size_t capacity;
	int64_t grouped; /* atoms with a group: all, or fewer while reading */
	char (*names)[ATOM_GROUP_NAME];
	size_t names_capacity;
	uint32_t count; /* of names; MOST_GROUPS + 1: more than can be used, which are not kept */
};
#define ATOMS_MOST_GROUPS 1000u

/* Who has the positions in place of the atoms: a GPU, with a copy on the host once that is needed (atoms_gpu.c), or the caller
 * (atoms_many.c), whose array is never written to. Views of atoms, which own nothing, have the same owner. */
struct positions_owner {
	/* Sets the array `positions` of atoms, which remains that of the owner. */
	sonde_status (*bring)(const sonde_atoms *atoms);
	/* Makes the array one of the atoms, which may change, enlarge, and free it: they have no other owner afterward. */
	sonde_status (*give)(sonde_atoms *atoms);
	void (*free)(const struct positions_owner *owner);
	bool (*is_alone)(const struct positions_owner *owner); /* whether the host has no copy */
};

struct sonde_atoms {
	int64_t count;
	double *positions; /* x, y, z of each atom, Angstrom; null: see `owner`, or, of a lattice, there are none */
	const struct positions_owner *owner; /* of the positions and their array; null: the atoms */
	uint16_t *species_of;                /* index into species */
	size_t positions_capacity, species_of_capacity;
	struct species *species;
	int species_count, charge_sets;
	size_t species_capacity;
	double *charges; /* of each atom, e, in consecutive sets; null if unknown */
	size_t charges_capacity;
	int64_t charged;    /* count of numbers set: charge_sets for each atom, or fewer while reading */
	struct site *sites; /* of each atom, in biological files; null if unknown */
	size_t sites_capacity;
	int64_t sited;       /* atoms with a site: all, or fewer while reading */
	double *occupancies; /* of each atom, 0 to 1; null if all are 1 */
	uint32_t *locations; /* of each atom: atoms_location(); null if all are 0 */
	size_t occupancies_capacity, locations_capacity;
	int64_t occupied, located; /* count of numbers set: for all atoms, or fewer while reading */
	double *displacements; /* of each atom, displacement_size numbers; null if unknown: atoms_displacements.c */
	size_t displacements_capacity;
	int64_t displaced;     /* atoms with displacements: all, or fewer while reading */
	int displacement_size; /* 1: U_iso, 6: tensors, 0: none */
	struct atom_groups groupings[ATOM_GROUPINGS];
	int group_count; /* of copies (atoms_copies.h); 0: the sample is not known to consist of copies */
	struct copy_group groups[ATOMS_MOST_STRUCTURES];
	/* of the copies, those of one group after the other; the atoms are then those of one copy of each group, before it is placed
	 * (placed_atoms.h). Null: all atoms are stored. */
	const struct placement *placements;
	double lattice[9];  /* rows a, b, c in Angstrom */
	struct text source; /* file name or build command */
	bool reading;       /* occupancies follow their atoms */
	bool has_lattice;
	bool periodic[3];    /* whether the sample is periodic along a, b, c */
	bool maybe_periodic; /* the file has a cell, but does not specify whether the sample is periodic */
	char sha256[65];     /* of the file, or build_options_digest(); "" if the atoms came from none */
};

/* Makes the positions of atoms available on the host; of most atoms they are. To be called before `positions` is used, by everything that
 * can be given atoms of a GPU. Atoms that are copies of the same structure share one array. SONDE_INVALID if a coordinate is
 * impossible. */
sonde_status atoms_need_positions(const sonde_atoms *atoms);
/* Looks for impossible coordinates; atoms are counted from `first` on in the message. */
sonde_status atoms_check_positions(const double *positions, int64_t first, int64_t count);

/* Sets the charges of the last atom added, in e, one for each of `count` sets. All atoms have the same number, or
 * none. When all are set, atoms_charges_done() puts them in order; sets may be added after that, again atom by atom.
 * */
sonde_status atoms_charge(sonde_atoms *atoms, int64_t atom, const double *charges, int count);
sonde_status atoms_charges_done(sonde_atoms *atoms, int count);
/* Sets the residue, name and radius of the last atom added; longer words are truncated. Either all atoms have them or
 * none. */
sonde_status atoms_site_last(sonde_atoms *atoms, const char *residue, const char *name, double radius);
/* Sets the occupancy of the last atom added, 0 to 1; NaN removes all. Either all atoms have one or none. When all are
 * set, atoms_occupancies_done() removes them if all are 1. */
sonde_status atoms_occupancy_last(sonde_atoms *atoms, double occupancy);
void atoms_occupancies_done(sonde_atoms *atoms);
/* Sets the location of the last atom added: earlier atoms without one have a single location, 0. */
#define LOCATION_LETTERS 256
sonde_status atoms_location_last(sonde_atoms *atoms, uint32_t group, char letter);
/* Location of atom `atom`, group * LOCATION_LETTERS + letter; 0: it has a single one. Atoms of the same group are
 * present together if their letters are the same, and never otherwise. */
uint32_t atoms_location(const sonde_atoms *atoms, int64_t atom);
/* Sets the mean square displacements of the last atom added, again if need be: U_iso (`size` 1) or the tensor xx, yy, zz,
 * yz, xz, xy (6); 0: unknown. Earlier atoms without any are unknown. When all are read, atoms_displacements_done()
 * completes them. */
sonde_status atoms_displacement_last(sonde_atoms *atoms, const double *u, int size);
sonde_status atoms_displacements_done(sonde_atoms *atoms);
/* The tensor of atom `atom`; false if it is unknown. */
bool atoms_displacement(const sonde_atoms *atoms, int64_t atom, double u[6]);
/* Moves the displacements of an atom to an earlier one, whose place it takes. */
void atoms_displacements_move(sonde_atoms *atoms, int64_t from, int64_t to);
void atoms_displacements_forget(sonde_atoms *atoms);
/* Sets the group of the last atom added. */
sonde_status atoms_group_last(sonde_atoms *atoms, enum atom_grouping grouping, const char *name);
/* The groups; null if not all atoms have one. Their count is above ATOMS_MOST_GROUPS if they are too many. */
const struct atom_groups *atoms_groups(const sonde_atoms *atoms, enum atom_grouping grouping);
sonde_status atoms_groups_copy(const sonde_atoms *from, sonde_atoms *to);
void atoms_groups_free(sonde_atoms *atoms);
/* Copies the occupancies, displacements, groups, and copies of the same atoms in the same order, as far as they are known. */
sonde_status atoms_copy_properties(const sonde_atoms *from, sonde_atoms *to);
/* Whether a tensor is a number times 1, but for rounding; *mean is the number, of nearly isotropic tensors a multiple of
 * 1/DISPLACEMENT_UNITS. That of a site of cubic symmetry is, with roundings that differ from site to site. */
#define DISPLACEMENT_UNITS 0x1p46
bool displacement_is_isotropic(const double u[6], double *mean);
/* Checks those of all atoms, as the option `displacement` of probes: known, positive definite, and not all 0; and whether some are no
 * numbers. */
sonde_status atoms_displacements_check(const sonde_atoms *atoms, bool *anisotropic);
/* R U R^T of a tensor xx, yy, zz, yz, xz, xy. */
void displacement_rotate(const double rotation[3][3], const double u[6], double rotated[6]);
/* The sites of all atoms; null if unknown. */
const struct site *atoms_sites(const sonde_atoms *atoms);
/* Whether the sample is periodic along any edge. */
bool atoms_are_periodic(const sonde_atoms *atoms);
/* The cell as files give it: null if there is none; `periodic` null if the file does not specify it. */
sonde_status atoms_set_lattice(sonde_atoms *atoms, const double lattice[9], const bool periodic[3]);
/* Reserves memory for `count` atoms in total. */
sonde_status atoms_reserve(sonde_atoms *atoms, int64_t count);
/* Index of a label; -1 if no atom has it. */
int atoms_find_species(const sonde_atoms *atoms, const char *label);
/* Index of a label, which is added if it is new. */
sonde_status atoms_species_index(sonde_atoms *atoms, const char *label, uint16_t *index);
/* Appends an atom of an existing species, within the reserved memory. */
void atoms_append(sonde_atoms *atoms, uint16_t species, const double position[3]);
/* Removes species without atoms, and renumbers the others. */
void atoms_drop_absent_species(sonde_atoms *atoms);

#endif
