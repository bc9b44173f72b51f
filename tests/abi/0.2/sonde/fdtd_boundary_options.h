/* Options of the engine `fdtd_boundary`: made from its options.def, do not edit. */
#ifndef SONDE_FDTD_BOUNDARY_OPTIONS_H
#define SONDE_FDTD_BOUNDARY_OPTIONS_H

#include <stdint.h>

#include "sonde/types.h"

enum sonde_fdtd_boundary_face {
	SONDE_FDTD_BOUNDARY_FACE_ALL = 0,
	SONDE_FDTD_BOUNDARY_FACE_X = 1,
	SONDE_FDTD_BOUNDARY_FACE_Y = 2,
	SONDE_FDTD_BOUNDARY_FACE_Z = 3,
	SONDE_FDTD_BOUNDARY_FACE_X_LOW = 4,
	SONDE_FDTD_BOUNDARY_FACE_X_HIGH = 5,
	SONDE_FDTD_BOUNDARY_FACE_Y_LOW = 6,
	SONDE_FDTD_BOUNDARY_FACE_Y_HIGH = 7,
	SONDE_FDTD_BOUNDARY_FACE_Z_LOW = 8,
	SONDE_FDTD_BOUNDARY_FACE_Z_HIGH = 9,
};

enum sonde_fdtd_boundary_kind {
	SONDE_FDTD_BOUNDARY_KIND_ABSORBING = 0,
	SONDE_FDTD_BOUNDARY_KIND_CONDUCTOR = 1,
	SONDE_FDTD_BOUNDARY_KIND_MAGNETIC = 2,
	SONDE_FDTD_BOUNDARY_KIND_PERIODIC = 3,
	SONDE_FDTD_BOUNDARY_KIND_BLOCH = 4,
};

/* Fill with sonde_fdtd_boundary_options_init(), then change what differs. */
typedef struct sonde_fdtd_boundary_options {
	uint64_t struct_size; /* set by init: the size that the caller was compiled with */
	/* Which sides. Default: all. */
	int face;
	/* What is there: an absorbing layer (CPML) before a conductor; a perfect conductor; a magnetic wall; the other side again; that with a phase. The last two are for both sides of an axis. Default: absorbing. */
	int kind;
	/* Of bloch: fields gain it from one period to the next, 360 times the period over the wavelength along the axis. Unit: degrees. Default: 0. */
	double phase;
	/* Of the absorbing layer; 0: 11, and 22 to 44 where the sides along it do not absorb and are far from one another. Default: 0. */
	int64_t cells;
	/* Its conductivity grows as this power of the depth; -1: 4, below 10 cells 3. Default: -1. */
	double order;
	/* Its conductivity at the wall, as part of 0.8 (order + 1)/(eta_0 cell); -1: 0.7 to 1 as kappa grows, below 10 cells 1, and 2 in the thick layers. Default: -1. */
	double sigma;
	/* Its stretching at the wall, for evanescent fields; -1: 1, more where cells are far smaller than waves, 5 and more in the thick layers where the sides along it do not absorb. Default: -1. */
	double kappa;
	/* Its shift of frequency, in epsilon_0 c/cell; -1: 0.3 of the lowest angular frequency of sources and monitors, at most 0.1. Default: -1. */
	double alpha;
	/* Power with which the shift falls off towards the wall. Default: 1. */
	double alpha_order;
	/* Conductivity that bodies have in the layer, as part of its own, where their section varies along both axes beside it; -1: 0.05 where a side along it does not absorb, else 0. Default: -1. */
	double losses;
} sonde_fdtd_boundary_options;

#endif
