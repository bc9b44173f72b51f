/* Atoms: labels and positions, and their files.
 *
 * A label identifies an atom: an element ("Co"), an ion ("Co2+", "O2-") or an isotope ("58Ni", "D").
 * The labels that a probe accepts depend on its tables, and are checked by the engine.
 */
#ifndef SONDE_ATOMS_H
#define SONDE_ATOMS_H

#include <stdint.h>

#include "sonde/context.h"
#include "sonde/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SONDE_LABEL_SIZE 16 /* bytes of a label, including the terminating zero */

typedef struct sonde_atoms sonde_atoms;

/* Creates an empty set of atoms; *atoms is null after a failure. */
SONDE_API sonde_status sonde_atoms_create(sonde_atoms **atoms);
SONDE_API void sonde_atoms_free(sonde_atoms **atoms);

/* Appends one atom at `position` (x, y, z in Angstrom, finite, within +-1e7). */
SONDE_API sonde_status sonde_atoms_add(sonde_atoms *atoms, const char *label, const double position[3]);

/* Appends many atoms at once: atom i has the label labels[species[i]], of `label_count` ones, and the position positions[3 i]
 * to positions[3 i + 2]. The same as sonde_atoms_add() for each; nothing is added after a failure. */
SONDE_API sonde_status sonde_atoms_add_many(sonde_atoms *atoms, int64_t count, const char *const *labels,
					    int64_t label_count, const int32_t *species, const double *positions);
/* The same without a copy of the positions of the first atoms: 3 * count doubles in Angstrom, which remain the caller's, and must stay
 * valid and unchanged until the atoms are freed. They are checked at once (SONDE_INVALID), and never written to or freed; several sets
 * of atoms, also in several threads, may have the same ones. sonde_atoms_positions() returns this array, until further atoms are added,
 * before which it is copied. Positions of further atoms are copied; labels and species always are. */
SONDE_API sonde_status sonde_atoms_add_borrowed(sonde_atoms *atoms, int64_t count, const char *const *labels,
						int64_t label_count, const int32_t *species, const double *positions);
/* The same as sonde_atoms_add_many() with positions that another library keeps in the memory of the NVIDIA GPU `device`, at `address`.
 * Those of the first atoms are copied within the GPU, after the work of its default stream, and to the host only when they are needed
 * there: the function that needs them reports impossible coordinates (SONDE_INVALID). Positions of further atoms, and those for which
 * the GPU has no memory, are copied to the host. SONDE_INVALID if earlier atoms have occupancies or displacements, or the process has no such GPU;
 * SONDE_RESOURCE if the driver is missing or fails. */
SONDE_API sonde_status sonde_atoms_add_from_cuda(sonde_atoms *atoms, int64_t count, const char *const *labels,
						 int64_t label_count, const int32_t *species, int device,
						 uint64_t address);
/* The same for any layout: coordinate k of atom i is number i row_step + k column_step from `address` on, of `bits` 32 or 64. The steps
 * are in numbers, not in bytes, and may be negative or 0. */
SONDE_API sonde_status sonde_atoms_add_from_cuda_array(sonde_atoms *atoms, int64_t count, const char *const *labels,
						       int64_t label_count, const int32_t *species, int device,
						       uint64_t address, int bits, int64_t row_step,
						       int64_t column_step);
/* Whether the positions of the atoms are in the memory of a GPU alone so far: 1 yes, 0 the host has them. */
SONDE_API int sonde_atoms_on_gpu(const sonde_atoms *atoms);
/* The origin of the atoms, as recorded in results: a name, or a text that describes them. Copied. */
SONDE_API sonde_status sonde_atoms_set_source(sonde_atoms *atoms, const char *source);

/* Reads a file of atoms, plain or gzip, in the format given by its name: PQR (.pqr), PDB (.pdb, .ent), POSCAR (.vasp, .poscar, or
 * POSCAR* and CONTCAR*), data files of LAMMPS (.lmp, .data, .lammps) and its dumps (.dump, .lammpstrj), the unit cell of a CIF (.cif,
 * where the build has gemmi; `frame` counts its structures), otherwise XYZ or extended XYZ; each also with .gz after it; and HDF5 files
 * of sonde_atoms_write() (.h5, .hdf5, .nxs). Atoms of LAMMPS are in the order of their numbers. `frame` counts from 1; 0 requires
 * that the file has a single frame; -1 reads all, which must have the same atoms at the same positions: each frame gives a set of
 * charges. `context` may be null; it is for cancellation. */
SONDE_API sonde_status sonde_atoms_read(sonde_context *context, const char *path, int64_t frame, sonde_atoms **atoms);
/* Writes a file whose format its ending gives: .xyz or .extxyz (extended XYZ), .pdb, .cif (P 1), .lmp or .data (LAMMPS, atom_style charge for
 * atoms with charges, else atomic), .vasp (POSCAR), each gzip if followed by .gz, or .h5, .hdf5, .nxs (HDF5: everything, to the last bit).
 * PDB, CIF, and LAMMPS files have the cell turned: a along x, b in the xy plane, right-handed. Atoms without a cell get a box with 5 Angstrom of vacuum on each
 * side in CIF, LAMMPS, and POSCAR files. SONDE_INVALID for other endings, and for atoms that a format cannot express: coordinates
 * beyond the columns of PDB, occupancies in LAMMPS and POSCAR files. The file appears when it is complete. An existing file is an
 * error unless `overwrite`. */
SONDE_API sonde_status sonde_atoms_write(sonde_context *context, const sonde_atoms *atoms, const char *path,
					 int overwrite);

/* Charges of all atoms: count numbers in e, copied. */
SONDE_API sonde_status sonde_atoms_set_charges(sonde_atoms *atoms, const double *charges);
/* Another set of charges for the same atoms: distances are then computed once for all sets. */
SONDE_API sonde_status sonde_atoms_add_charges(sonde_atoms *atoms, const double *charges);
/* Number of sets of charges of the atoms; 0: none. */
SONDE_API int sonde_atoms_charge_sets(const sonde_atoms *atoms);
/* The charges from a file or the functions above, `count` numbers of the first set, then of the second, owned by
 * `atoms`; null if there are none. */
SONDE_API const double *sonde_atoms_charges(const sonde_atoms *atoms);

/* Occupancies of all atoms, count numbers from 0 to 1, copied: for sites of a mixed crystal, vacancies, alternative
 * locations. Results are averages over configurations: debye.h specifies which sites are occupied together (p_ij);
 * `coulomb` multiplies charges. Atoms added later have 1. */
SONDE_API sonde_status sonde_atoms_set_occupancies(sonde_atoms *atoms, const double *occupancies);
/* The occupancies from a file or the function above, owned by `atoms`; null if all are 1. */
SONDE_API const double *sonde_atoms_occupancies(const sonde_atoms *atoms);

/* Mean square displacements of all atoms in Angstrom^2, copied: for each of the count atoms one number, U_iso (`each` 1),
 * or the tensor <dr dr^T> as xx, yy, zz, yz, xz, xy in the axes of the positions (`each` 6). NaN in the first number of
 * an atom: unknown. The probes use them if an option asks for them (`displacement sample` of debye). Atoms added later
 * have none. */
SONDE_API sonde_status sonde_atoms_set_displacements(sonde_atoms *atoms, const double *displacements, int each);
/* The displacements from a file or the function above, owned by `atoms`, and the numbers of each atom, 1 or 6; null and 0
 * if there are none. */
SONDE_API const double *sonde_atoms_displacements(const sonde_atoms *atoms, int *each);

/* Numbers of the blocks of all atoms, copied, at most 1000 different ones: debye gives the parts of I by pairs of blocks
 * (`partials block`). Atoms added later have none. */
SONDE_API sonde_status sonde_atoms_set_blocks(sonde_atoms *atoms, const int64_t *blocks);

/* The cell: rows a, b, c in Angstrom, nine numbers within +-1e7; and whether the sample is periodic along each. */
SONDE_API sonde_status sonde_atoms_set_cell(sonde_atoms *atoms, const double edges[9], const int periodic[3]);
/* Nine numbers owned by `atoms`, from a file or the function above; null if there are none. */
SONDE_API const double *sonde_atoms_cell(const sonde_atoms *atoms);
/* Whether the sample is periodic along edge 0, 1 or 2: 1 yes, 0 no, -1 it has a cell, but its file does not specify
 * this (PDB, CIF). In extended XYZ a Lattice without pbc means yes. */
SONDE_API int sonde_atoms_periodic(const sonde_atoms *atoms, int edge);

SONDE_API int64_t sonde_atoms_count(const sonde_atoms *atoms);
/* Positions as x, y, z of each atom in turn: 3 * count doubles, Angstrom, owned by `atoms`. Null if they are in the memory of a GPU
 * and cannot be copied from there; sonde_status_message() then has the reason. */
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
