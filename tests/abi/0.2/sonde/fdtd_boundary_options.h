/* Options of the engine `fdtd_boundary`: generated from its options.def, do not edit. */
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

/* Fill with sonde_fdtd_boundary_options_init(), then set the options that differ. */
typedef struct sonde_fdtd_boundary_options {
	uint64_t struct_size; /* set by init: the size that the caller was compiled with */
	/* Sides of the box. Default: all. */
	int face;
	/* Boundary condition: an absorbing layer (CPML) backed by a conductor; a perfect conductor; a magnetic wall; periodic; periodic with a Bloch phase. The last two apply to both sides of an axis. Default: absorbing. */
	int kind;
	/* Bloch phase: phase advance over one period, 360 times the period over the wavelength along the axis. Unit: degrees. Default: 0. */
	double phase;
	/* Thickness of the absorbing layer; 0: 11, and 22 to 44 where the adjacent sides do not absorb and are far apart. Default: 0. */
	int64_t cells;
	/* The layer's conductivity grows as this power of the depth; -1: 4, or 3 below 10 cells. Default: -1. */
	double order;
	/* The layer's conductivity at the wall, relative to 0.8 (order + 1)/(eta_0 cell); -1: 0.7 to 1 as kappa grows, 1 below 10 cells, and 2 in the thick layers. Default: -1. */
	double sigma;
	/* The layer's stretching at the wall, for evanescent fields; -1: 1, more where cells are far smaller than the wavelength, 5 and more in the thick layers where the adjacent sides do not absorb. Default: -1. */
	double kappa;
	/* The layer's frequency shift, in epsilon_0 c/cell; -1: 0.3 of the lowest angular frequency of sources and monitors, at most 0.1. Default: -1. */
	double alpha;
	/* Power with which the frequency shift falls off toward the wall. Default: 1. */
	double alpha_order;
	/* Conductivity of bodies in the layer, relative to the layer's own, where their cross-section varies along both transverse axes; -1: 0.05 where an adjacent side does not absorb, otherwise 0. Default: -1. */
	double losses;
} sonde_fdtd_boundary_options;

#endif
