/* Options of the engine `fdtd_material`: generated from its options.def, do not edit. */
#ifndef SONDE_FDTD_MATERIAL_OPTIONS_H
#define SONDE_FDTD_MATERIAL_OPTIONS_H

#include <stdint.h>

#include "sonde/types.h"

/* Fill with sonde_fdtd_material_options_init(), then set the options that differ. */
typedef struct sonde_fdtd_material_options {
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
} sonde_fdtd_material_options;

#endif
