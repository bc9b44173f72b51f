/* Options of the engine `material`: generated from its options.def, do not edit. */
#ifndef SONDE_MATERIAL_OPTIONS_H
#define SONDE_MATERIAL_OPTIONS_H

#include <stdint.h>

#include "sonde/types.h"

enum sonde_material_cell {
	SONDE_MATERIAL_CELL_NONE = 0,
	SONDE_MATERIAL_CELL_SC = 1,
	SONDE_MATERIAL_CELL_BCC = 2,
	SONDE_MATERIAL_CELL_FCC = 3,
	SONDE_MATERIAL_CELL_HCP = 4,
	SONDE_MATERIAL_CELL_DIAMOND = 5,
	SONDE_MATERIAL_CELL_ROCKSALT = 6,
	SONDE_MATERIAL_CELL_ZINCBLENDE = 7,
	SONDE_MATERIAL_CELL_WURTZITE = 8,
	SONDE_MATERIAL_CELL_FLUORITE = 9,
	SONDE_MATERIAL_CELL_PEROVSKITE = 10,
};

/* Fill with sonde_material_options_init(), then set the options that differ. */
typedef struct sonde_material_options {
	uint64_t struct_size; /* set by init: the size that the caller was compiled with */
	/* Name by which bodies refer to it: at most 63 bytes. Default: none. */
	char name[4096];
	/* Library material (sonde help optics) to start from. Default: none. */
	char library[4096];
	/* Relative permittivity, without poles; three numbers: along x, y, z. Default: 1,1,1. */
	sonde_vector permittivity;
	/* Refractive index, instead of the permittivity. Default: 0. */
	double index;
	/* Relative permeability. Default: 1,1,1. */
	sonde_vector permeability;
	/* Electric conductivity. Unit: S/m. Default: 0,0,0. */
	sonde_vector conductivity;
	/* Magnetic conductivity (losses). Unit: Ohm/m. Default: 0,0,0. */
	sonde_vector magnetic_conductivity;
	/* Perfect conductor. Default: false. */
	int conductor;
	/* Resonances, each [strength, frequency, damping]: strength f0^2/(f0^2 - f^2 - i f damping); frequency and damping in Hz, eV or rad/s, both in the same unit. Default: none. */
	char lorentz[4096];
	/* Free electrons, each [plasma frequency, damping]: -fp^2/(f^2 + i f damping). Default: none. */
	char drude[4096];
	/* Relaxations, each [strength, time]: strength/(1 - i omega time). Default: none. */
	char debye[4096];
	/* For ions: a formula or a name of the table of materials (sonde help materials), as SiO2 or water; by default the item's name. Default: none. */
	char composition[4096];
	/* For ions, and for atoms without a cell: density; 0 takes that of the cell, or of the tables. Unit: g/cm3. Default: 0. */
	double density;
	/* Crystal: the structure, as in sonde build, or the file of a unit cell (CIF, POSCAR). Composition and density follow from it unless given. Default: none. */
	int cell;
	/* Labels of the species of the crystal in the order of its structure, as Cd,Se. Default: none. */
	char species[4096];
	/* Lattice constant a. Unit: A. Default: 0. */
	double a;
	/* Lattice constant c of hcp and wurtzite; 0: the ideal sqrt(8/3) a. Unit: A. Default: 0. */
	double c;
	/* Internal parameter u of wurtzite. Default: 0.375. */
	double u;
	/* File of the crystal's unit cell; the same as a file as cell. Default: none. */
	char cell_file[4096];
	/* For atoms of a material without a cell: least distances in its random packing, as 2.4 or Si:Si=2.9,Si:O=1.55,O:O=2.5; by default spheres of one size that fill 0.45 of the volume. Unit: A. Default: none. */
	char distance[4096];
	/* For ions: displacement energies, one for all elements, 40, or Si=15,O=28. Unit: eV. Default: none. */
	char displacement[4096];
	/* For ions: lattice binding energies, likewise. Unit: eV. Default: none. */
	char lattice[4096];
	/* For ions: surface binding energies, likewise. Unit: eV. Default: none. */
	char surface_binding[4096];
	/* Sites of a unit cell of your own, instead of `cell`, as in sonde build: 'Ti 0 0 0; O 0.305 0.305 0', each with its occupancy if it is not 1. With `cell-edges`, and by choice `space-group`. Default: none. */
	char basis[4096];
	/* Edges a,b,c of the cell of `basis`, and its angles alpha,beta,gamma in degrees if they are not 90: 4.594,4.594,2.959. Unit: A. Default: none. */
	char cell_edges[4096];
	/* Symmetry of the cell of `basis`: a space group by its Hermann-Mauguin symbol, 'P 42/m n m', or number, 136; or its operations: 'x,y,z; -x,-y,z'. Default: none. */
	char space_group[4096];
} sonde_material_options;

#endif
