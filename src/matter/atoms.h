/* Atoms inside the library: 26 bytes each, and where they came from. */
#ifndef SONDE_MATTER_ATOMS_H
#define SONDE_MATTER_ATOMS_H

#include <stdbool.h>

#include "base/text.h"
#include "sonde/atoms.h"

struct species {
	char label[SONDE_LABEL_SIZE];
	int64_t atoms;
};

/* What biological files say of an atom besides its element. */
struct site {
	char residue[6], name[6];
	float radius; /* Angstrom; 0: not known */
};

struct sonde_atoms {
	int64_t count;
	double *positions;    /* x, y, z of each atom, Angstrom */
	uint16_t *species_of; /* index into species */
	size_t positions_capacity, species_of_capacity;
	struct species *species;
	int species_count, charge_sets;
	size_t species_capacity;
	double *charges; /* of each atom, e, one set after the other; null where they are not known */
	size_t charges_capacity;
	int64_t charged;    /* numbers that were given: charge_sets for each atom, or an unfinished reading */
	struct site *sites; /* of each atom, in biological files; null where they are not known */
	size_t sites_capacity;
	int64_t sited;       /* atoms that were given one: all or an unfinished reading */
	double *occupancies; /* of each atom, 0 to 1; null where all are 1 */
	uint32_t *locations; /* of each atom: atoms_location(); null where all are 0 */
	size_t occupancies_capacity, locations_capacity;
	int64_t occupied, located; /* numbers that were given: of all atoms or an unfinished reading */
	double lattice[9];         /* rows a, b, c in Angstrom */
	struct text source;        /* file name or build command */
	bool reading;              /* occupancies follow their atoms */
	bool has_lattice;
	bool periodic[3];    /* whether the sample is repeated along a, b, c */
	bool maybe_periodic; /* the file has a cell and does not say whether the sample is repeated */
	char sha256[65];     /* of the file; "" if the atoms did not come from one */
};

/* Gives the atom that was added last its charges, in e, one for each of `count` sets. All atoms have as many, or none. When
 * all have theirs, atoms_charges_done() puts them in order; sets may be added after that, again atom by atom. */
sonde_status atoms_charge(sonde_atoms *atoms, int64_t atom, const double *charges, int count);
sonde_status atoms_charges_done(sonde_atoms *atoms, int count);
/* Gives the atom that was added last its residue, name and radius; longer words are cut. Either all atoms have one or
 * none. */
sonde_status atoms_site_last(sonde_atoms *atoms, const char *residue, const char *name, double radius);
/* Gives the atom that was added last its occupancy, 0 to 1; NaN takes back all. Either all atoms have one or none. When all have theirs,
 * atoms_occupancies_done() forgets them if all are 1. */
sonde_status atoms_occupancy_last(sonde_atoms *atoms, double occupancy);
void atoms_occupancies_done(sonde_atoms *atoms);
/* The location of the atom that was added last: those before it that have none stand at the only one, 0. */
#define LOCATION_LETTERS 256
sonde_status atoms_location_last(sonde_atoms *atoms, uint32_t group, char letter);
/* Of atom `atom`, group * LOCATION_LETTERS + letter; 0: it has one location only. Atoms of the same group are there together if
 * their letters are the same, and never otherwise. */
uint32_t atoms_location(const sonde_atoms *atoms, int64_t atom);
/* The sites of all atoms; null if they are not known. */
const struct site *atoms_sites(const sonde_atoms *atoms);
/* Whether the sample is repeated along any edge. */
bool atoms_are_periodic(const sonde_atoms *atoms);
/* Makes room for `count` atoms in all. */
sonde_status atoms_reserve(sonde_atoms *atoms, int64_t count);
/* Index of a label, which is added if it is new. */
sonde_status atoms_species_index(sonde_atoms *atoms, const char *label, uint16_t *index);
/* Appends an atom of a species that is there, within the room that is there. */
void atoms_append(sonde_atoms *atoms, uint16_t species, const double position[3]);

#endif
