/* Options of the engine `fdtd_material`: made from its options.def, do not edit. */
#ifndef SONDE_FDTD_MATERIAL_OPTIONS_H
#define SONDE_FDTD_MATERIAL_OPTIONS_H

#include <stdint.h>

#include "sonde/types.h"

/* Fill with sonde_fdtd_material_options_init(), then change what differs. */
typedef struct sonde_fdtd_material_options {
	uint64_t struct_size; /* set by init: the size that the caller was compiled with */
	/* By which bodies call it: at most 63 bytes. Default: none. */
	char name[4096];
	/* A material of the library (sonde help optics) to begin with. Default: none. */
	char library[4096];
	/* Relative, above all poles; three numbers: along x, y, z. Default: 1,1,1. */
	sonde_vector permittivity;
	/* Index of refraction instead. Default: 0. */
	double index;
	/* Relative. Default: 1,1,1. */
	sonde_vector permeability;
	/* Of charges. Unit: S/m. Default: 0,0,0. */
	sonde_vector conductivity;
	/* Magnetic losses. Unit: Ohm/m. Default: 0,0,0. */
	sonde_vector magnetic_conductivity;
	/* A perfect conductor. Default: false. */
	int conductor;
	/* Resonances, each [strength, frequency, damping]: strength f0^2/(f0^2 - f^2 - i f damping); numbers with Hz, eV or rad/s, both of them then so. Default: none. */
	char lorentz[4096];
	/* Free electrons, each [plasma frequency, damping]: -fp^2/(f^2 + i f damping). Default: none. */
	char drude[4096];
	/* Relaxations, each [strength, time]: strength/(1 - i omega time). Default: none. */
	char debye[4096];
} sonde_fdtd_material_options;

#endif
