/* Atoms: labels and positions, and the files that they come from.
 *
 * A label says what an atom is: an element ("Co"), an ion ("Co2+", "O2-") or an isotope ("58Ni", "D").
 * Which labels a probe knows is a matter of its tables, and is checked by the engine that uses them.
 */
#ifndef SONDE_ATOMS_H
#define SONDE_ATOMS_H

#include <stdint.h>

#include "sonde/context.h"
#include "sonde/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SONDE_LABEL_SIZE 16 /* bytes of a label, the terminating zero included */

typedef struct sonde_atoms sonde_atoms;

/* Creates an empty set of atoms; *atoms is null after a failure. */
SONDE_API sonde_status sonde_atoms_create(sonde_atoms **atoms);
SONDE_API void sonde_atoms_free(sonde_atoms **atoms);

/* Appends one atom at `position` (x, y, z in Angstrom, finite, within +-1e7). */
SONDE_API sonde_status sonde_atoms_add(sonde_atoms *atoms, const char *label, const double position[3]);

/* Reads an XYZ or extended XYZ file, a PQR file (by the ending .pqr) or a PDB file (.pdb, .ent), plain or gzip (.pqr.gz ...). `frame` counts from 1; 0 demands that the
 * file holds one frame only; -1 reads all, whose atoms must be the same and lie at the same places: each has a set of charges. `context` may be null; it gives cancellation. */
SONDE_API sonde_status sonde_atoms_read(sonde_context *context, const char *path, int64_t frame, sonde_atoms **atoms);
/* Writes extended XYZ, gzip if the path ends in .gz; the file appears when it is complete. An
 * existing file is an error unless `overwrite`. */
SONDE_API sonde_status sonde_atoms_write(sonde_context *context, const sonde_atoms *atoms, const char *path,
					 int overwrite);

/* Charges of all atoms: count numbers in e, copied. */
SONDE_API sonde_status sonde_atoms_set_charges(sonde_atoms *atoms, const double *charges);
/* Another set of charges for the same atoms: what needs the distances of all finds it once for several sets. */
SONDE_API sonde_status sonde_atoms_add_charges(sonde_atoms *atoms, const double *charges);
/* How many sets of charges the atoms have; 0: none. */
SONDE_API int sonde_atoms_charge_sets(const sonde_atoms *atoms);
/* The charges that a file or the functions above gave, `count` numbers of the first set, then of the second, owned by `atoms`;
 * null if there are none. */
SONDE_API const double *sonde_atoms_charges(const sonde_atoms *atoms);

/* How much of each atom there is on the average, count numbers from 0 to 1, copied: sites of a mixed crystal, vacancies, several
 * locations. Results are means over configurations: which sites are occupied together is said in debye.h (p_ij); `coulomb` multiplies
 * charges. Atoms that are added later have 1. */
SONDE_API sonde_status sonde_atoms_set_occupancies(sonde_atoms *atoms, const double *occupancies);
/* Those that a file or the function above gave, owned by `atoms`; null if all are 1. */
SONDE_API const double *sonde_atoms_occupancies(const sonde_atoms *atoms);

/* The cell: rows a, b, c in Angstrom, nine numbers within +-1e7; and whether the sample is repeated along each. */
SONDE_API sonde_status sonde_atoms_set_cell(sonde_atoms *atoms, const double edges[9], const int periodic[3]);
/* Nine numbers owned by `atoms`, from a file or the function above; null if there are none. */
SONDE_API const double *sonde_atoms_cell(const sonde_atoms *atoms);
/* Whether the sample is repeated along edge 0, 1 or 2: 1 yes, 0 no, -1 has a cell, but its file does not say (PDB). In
 * extended XYZ a Lattice without pbc means yes. */
SONDE_API int sonde_atoms_periodic(const sonde_atoms *atoms, int edge);

SONDE_API int64_t sonde_atoms_count(const sonde_atoms *atoms);
/* Positions as x, y, z of each atom in turn: 3 * count doubles, Angstrom, owned by `atoms`. */
SONDE_API const double *sonde_atoms_positions(const sonde_atoms *atoms);
/* Number of different labels; species s has its label and number of atoms. */
SONDE_API int sonde_atoms_species_count(const sonde_atoms *atoms);
SONDE_API const char *sonde_atoms_species_label(const sonde_atoms *atoms, int species);
SONDE_API int64_t sonde_atoms_species_atoms(const sonde_atoms *atoms, int species);
/* Species of each atom: count values. */
SONDE_API const uint16_t *sonde_atoms_species(const sonde_atoms *atoms);

#ifdef __cplusplus
}
#endif
#endif
