/* Options of the engine `build`: generated from its options.def, do not edit. */
#ifndef SONDE_BUILD_OPTIONS_H
#define SONDE_BUILD_OPTIONS_H

#include <stdint.h>

#include "sonde/types.h"

enum sonde_build_cell {
	SONDE_BUILD_CELL_SC = 0,
	SONDE_BUILD_CELL_BCC = 1,
	SONDE_BUILD_CELL_FCC = 2,
	SONDE_BUILD_CELL_HCP = 3,
	SONDE_BUILD_CELL_DIAMOND = 4,
	SONDE_BUILD_CELL_ROCKSALT = 5,
	SONDE_BUILD_CELL_ZINCBLENDE = 6,
	SONDE_BUILD_CELL_WURTZITE = 7,
	SONDE_BUILD_CELL_FLUORITE = 8,
	SONDE_BUILD_CELL_PEROVSKITE = 9,
};

/* Fill with sonde_build_options_init(), then set the options that differ. */
typedef struct sonde_build_options {
	uint64_t struct_size; /* set by init: the size that the caller was compiled with */
	/* Crystal structure: its conventional cell (hcp and wurtzite: the primitive hexagonal one). Default: none. */
	int cell;
	/* Labels of the species in the order of the structure, separated by commas: Au; Co,O; Ca2+,F-; perovskite ABX3: Sr,Ti,O. Default: none. */
	char species[4096];
	/* Lattice constant a. Unit: Angstrom. Default: 0. */
	double a;
	/* Lattice constant c of hcp and wurtzite; 0 means the ideal sqrt(8/3) a. Unit: Angstrom. Default: 0. */
	double c;
	/* Internal parameter u of wurtzite. Default: 0.375. */
	double u;
	/* Shape: a sphere of this radius. Unit: Angstrom. Default: 0. */
	double sphere;
	/* Shape: a box with these edges, along x, y, z. Unit: Angstrom. Default: 0,0,0. */
	sonde_vector box;
	/* Shape: a cylinder along z as radius,length,0 (the third number is its inner radius). Unit: Angstrom. Default: 0,0,0. */
	sonde_vector cylinder;
	/* Shape: these numbers of whole cells along a, b, c. Default: 0,0,0. */
	sonde_vector supercell;
	/* Center of the shape, in fractions of the cell; 0,0,0 is the first atom. Default: 0,0,0. */
	sonde_vector center;
} sonde_build_options;

#endif
